"""``weaklearn report``: a model as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import option
from ..data import check_folder, model_at, refuse_same
from ..output import say


@click.command(
    epilog="""\b
Examples:
  weaklearn report model.weak patients.csv
  weaklearn report model.weak patients.csv --target sick -o report.html
  weaklearn report model.weak patients.csv --test new.csv --title Patients"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@click.argument("data", type=option.FILE, metavar="DATA")
@option.target(required=False)
@option.skip_unlabelled
@option.weights
@click.option(
    "--test",
    type=option.FILE,
    metavar="FILE",
    help="Test rows, which the model was not fitted on.",
)
@click.option(
    "-o", "--output", type=option.FILE, default="report.html", show_default=True, metavar="FILE"
)
@click.option("--title", metavar="TEXT", help="The heading; the name of the model by default.")
@click.option("--examples", is_flag=True, help="Show the hardest rows with their values.")
@click.option("--delta", default=0.05, show_default=True, help="Probability that a bound is wrong.")
@option.positive
@option.repeats
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.reading
def command(
    model: str,
    data: str,
    output: str,
    target: str | None,
    weights: str | None,
    test: str | None,
    ignore: tuple[str, ...],
    title: str | None,
    examples: bool,
    delta: float,
    positive: str | None,
    repeats: str,
    **reading: Any,
) -> int:
    """Write a report on MODEL and the rows DATA: one file that opens from disk.

    DATA should be the training rows, from which guarantees are computed. No row of the data is
    shown unless --examples is given: use it only where the reader may see them. DATA and the test
    rows may be a folder of Parquet files larger than memory; certificates are then those that need
    no rows.
    """
    refuse_same(output, data, model, test)
    check_folder(output)
    from ...show import report
    from ..parquet_files import rows_of

    fitted = model_at(model)
    rows = rows_of(fitted, data, reading, target=target, weights=weights, ignore=ignore)
    unseen = {}
    if test is not None:
        found = rows_of(fitted, test, reading, target=rows.target, ignore=ignore)
        unseen = {"X_test": found.X, "y_test": found.y}
    report(
        fitted,
        rows.X,
        rows.y,
        output,
        title=title or _title(rows.target, data),
        examples=examples,
        sample_weight=rows.weights,
        delta=delta,
        repeats=repeats,
        positive=positive,
        **unseen,
    )
    say(f"Report written to {output}.")
    return 0


def _title(target: str | None, path: str) -> str | None:
    """The heading of a report: what is predicted, and of which rows."""
    return None if target is None else f"{target} in {Path(path).name}"
