"""``weaklearn compare``: several models on the same folds."""

from __future__ import annotations

from typing import Any

import click

from ...base.messages.table import Table
from .. import option, output
from ..fault import Fault
from ..kept_reading import spelling

_LINEUP = ("adaboost", "gradient", "glass", "forest", "tree")


@click.command(
    epilog="""\b
Examples:
  weaklearn compare patients.csv --target sick
  weaklearn compare flats.csv --target rent --model gradient --model tree"""
)
@click.argument("data", type=option.FILE, metavar="DATA")
@option.target()
@click.option("--model", "models", metavar="NAME", multiple=True, help="As for fit; repeatable.")
@click.option(
    "--task", type=click.Choice(["classes", "numbers"]), help="Classification or regression."
)
@click.option(
    "--cv", default=10, show_default=True, type=click.IntRange(min=2), metavar="K", help="Folds."
)
@option.skip_unlabelled
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.columns("--categorical", "A column of categories; repeatable.")
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="N",
    help="Random seed of the folds.",
)
@option.threads
@option.as_json
@option.reading
def command(
    data: str,
    target: str,
    models: tuple[str, ...],
    task: str | None,
    cv: int,
    ignore: tuple[str, ...],
    categorical: tuple[str, ...],
    seed: int,
    threads: int | None,
    as_json: bool,
    **reading: Any,
) -> int:
    """Cross-validate several models on DATA, with the same folds for all of them.

    By default AdaBoost on stumps, gradient boosting, the glass box, a forest and a tree.
    """
    from ...comparison.compare import compare
    from .. import data_warnings
    from ..model import made, reads_of
    from ..training_rows import Training

    asked = Training(data, target, None, ignore, categorical, (), task, reading)
    rows, task = asked.rows()
    for note in data_warnings.on_texts(rows.X, spelling(reading)).values():
        output.say(note)
    if cv > len(rows.y):
        raise Fault(f"--cv {cv} is not allowed: there are {len(rows.y)} rows.")
    chosen = {name: made(name, task, (), n_jobs=threads) for name in models or _LINEUP}
    for name, model in chosen.items():
        if reads_of(model) == "texts":
            raise Fault(
                f"--model {name} reads texts, and compare has tables alone; measure it by "
                "weaklearn fit --text."
            )
    found = compare(
        chosen,
        {data: (rows.X, rows.y)},
        cv=cv,
        curves=False,
        random_state=seed,
        verbose=int(output.is_lively()),
    )
    if as_json:
        trials = [
            {"model": t.estimator, "failure": t.failure or None, **t.scores} for t in found.trials
        ]
        facts = {"data": data, "target": target, "rows": len(rows.y), "folds": cv}
        output.show_json(facts | {"models": trials})
    else:
        output.show(_side_by_side(found, task, f"{len(rows.y):,} rows, {cv} folds"))
        if len(found.failures()):
            output.show(found.failures(), "Failures")
    return 0 if any(not t.failure for t in found.trials) else 1


def _side_by_side(found: Any, task: str, note: str) -> Any:
    """A table with one row per model and one column per metric, the best model first."""
    measures = found.measures()
    first = "rmse" if task == "numbers" else "error"
    trials = sorted(found.trials, key=lambda t: t.scores.get(first, float("inf")))
    rows = [(t.estimator, *(t.scores.get(m) for m in measures)) for t in trials]
    return Table("models", ["model", *measures], rows, note, shown=max(3, len(rows)))
