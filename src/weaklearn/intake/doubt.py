"""Warnings about data that a model can hardly learn anything from."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ..base.messages.warnings import DataWarning, warn


def warn_of_constant_columns() -> None:
    warn(
        "every column of X is constant, so that no rule can tell its rows apart: the model "
        "will give all of them the same answer.",
        DataWarning,
    )


def doubt_classes(classes: NDArray[Any], n_rows: int) -> None:
    """Warns of labels that there is nothing to tell apart of, or too much."""
    if len(classes) == 1:
        warn(
            f"y holds one class only, {classes.tolist()[0]!r}: the model will always predict it.",
            DataWarning,
        )
    if len(classes) > max(20, n_rows / 2):
        warn(
            f"y holds {len(classes)} classes in {n_rows} rows: it looks like a name or a "
            "number to predict, not like a class.",
            DataWarning,
        )
