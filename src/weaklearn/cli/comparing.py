"""``weaklearn compare``: several models cross-validated on the same folds of one table."""

from __future__ import annotations

from typing import Any

from . import data_warnings, fitting, output
from .data import spelling
from .fault import Fault
from .model import NUMBERS, made

_LINEUP = ("adaboost", "gradient", "glass", "forest", "tree")


def compare(
    path: str,
    *,
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
    """Runs ``weaklearn compare``."""
    from ..comparison.compare import compare as compared

    rows, task = fitting.rows_at(path, target, None, ignore, categorical, (), reading, task)
    for note in data_warnings.on_texts(rows.X, spelling(reading)).values():
        output.say(note)
    if cv > len(rows.y):
        raise Fault(f"--cv {cv} is not allowed: there are {len(rows.y)} rows.")
    chosen = {name: made(name, task, (), n_jobs=threads) for name in models or _LINEUP}
    found = compared(
        chosen,
        {path: (rows.X, rows.y)},
        cv=cv,
        curves=False,
        random_state=seed,
        verbose=int(output.is_lively()),
    )
    if as_json:
        trials = [
            {"model": t.estimator, "failure": t.failure or None, **t.scores} for t in found.trials
        ]
        output.show_json({"data": path, "target": target, "folds": cv, "models": trials})
    else:
        output.show(_side_by_side(found, task))
        if len(found.failures()):
            output.show(found.failures(), "Failures")
    return 0 if any(not t.failure for t in found.trials) else 1


def _side_by_side(found: Any, task: str) -> Any:
    """A table with one row per model and one column per metric, the best model first."""
    from ..base.messages.table import Table

    measures = found.measures()
    first = "rmse" if task == NUMBERS else "error"
    trials = sorted(found.trials, key=lambda t: t.scores.get(first, float("inf")))
    rows = [(t.estimator, *(t.scores.get(m) for m in measures)) for t in trials]
    return Table("models", ["model", *measures], rows, shown=max(3, len(rows)))
