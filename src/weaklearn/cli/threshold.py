"""The threshold of ``weaklearn fit --threshold``, and the rows held out to choose it on."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.messages.table import Table
from ..base.offered import offers
from ..prediction.positive import threshold_words
from .data import Rows
from .fault import Fault
from .held_rows import SHARE, aside
from .model import NUMBERS, shaped
from .option import ThresholdRule
from .training_rows import FitOptions, subset


def hold_out(rows: Rows, model: Any, asked: FitOptions, task: str) -> tuple[Rows, Rows | None]:
    """The rows to learn from, and those to choose the threshold on, if one is asked for.

    Rows equal in all columns stay together on the side of learning.
    """
    if asked.threshold is None:
        return rows, None
    _refuse(model, asked, task, np.unique(rows.y))
    held = aside(rows, asked.hold_out or SHARE, asked.seed or 0)
    if len(np.unique(rows.y[held])) < 2 or len(np.unique(rows.y[~held])) < 2:
        raise Fault(
            f"--threshold needs rows of both classes to choose on: the {int(held.sum())} held out "
            "that equal no other row, or the others, are not enough; pass more rows, or another "
            "--hold-out."
        )
    return subset(rows, np.flatnonzero(~held)), subset(rows, np.flatnonzero(held))


def _refuse(model: Any, asked: FitOptions, task: str, classes: Any) -> None:
    """Refuses a threshold where there are not two classes to tell apart, or it has no place."""
    if task == NUMBERS or len(classes) != 2:
        what = "numbers" if task == NUMBERS else f"{len(classes)} classes"
        raise Fault(f"--threshold tells two classes apart, and the target holds {what}.")
    if asked.resume is not None:
        raise Fault("--threshold does not go with --resume, which learns from the rows as before.")
    if not offers(model, "tune_threshold"):
        raise Fault(f"--threshold is not possible with {type(model).__name__}, which keeps none.")


def tune(model: Any, held: Rows, rule: ThresholdRule, text: tuple[str, ...]) -> Any:
    """Chooses the threshold on the rows held out, and gives it to the model."""
    return model.tune_threshold(
        shaped(model, held.X, text),
        held.y,
        positive=model.classes_[model._positive],
        sample_weight=held.weights,
        seen="keep",  # equal to no row of the file that was learnt from
        **rule.arguments(),
    )


def as_table(model: Any, found: Any) -> Table:
    """What the threshold does on the rows that it was chosen on."""
    rows = [
        ("predicted", threshold_words(model)),
        ("chosen by", found.by),
        ("on rows held out", found.n_rows),
        ("recall", found.recall),
        ("precision", found.precision),
        ("accuracy", found.accuracy),
        *([("cost of a row", found.cost)] if found.by == "cost" else []),
    ]
    note = "the figures are of the rows that it was chosen on; --test measures it on others"
    return Table("threshold", ["", "value"], rows, note, shown=30)
