"""``weaklearn report``: a model as one HTML file."""

from __future__ import annotations

from typing import Any

import click

from .. import option
from ..data import check_folder, refuse_same


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
    help="Rows that the model has never seen, to judge it by.",
)
@click.option(
    "-o", "--output", type=option.FILE, default="report.html", show_default=True, metavar="FILE"
)
@click.option("--title", metavar="TEXT", help="The heading; the name of the model by default.")
@click.option("--examples", is_flag=True, help="Show the hardest rows with their cells.")
@click.option("--delta", default=0.05, show_default=True, help="Chance that a bound is wrong.")
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.reading
def command(model: str, data: str, output: str, **asked: Any) -> int:
    """Write a report on MODEL and the rows DATA: one file that opens from disk.

    DATA are at best the rows of the fit, which guarantees are made from. No row of the data is
    shown unless --examples asks for it: do that only where the reader may see them.
    """
    refuse_same(output, data, model, asked["test"])
    check_folder(output)
    from ..model_output import report

    return report(model, data, output, **asked)
