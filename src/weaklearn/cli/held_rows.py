"""Rows of a file that a fit did not learn from: those of ``--test`` and ``--hold-out``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import duplicates
from .data import Rows
from .evaluation import held_out
from .training_rows import FitOptions, share_of, subset, train_and_test

SHARE = 0.2  # to choose a threshold on, where ``--hold-out`` does not say


def shares(asked: FitOptions, seed: int) -> dict[str, float]:
    """The shares of the rows of one file that are not learnt from, and the seed they are drawn by.

    None where all rows are learnt from.
    """
    test = None if asked.test is None else share_of(asked.test)
    found = {} if test is None else {"test": test}
    if asked.threshold is not None:
        found["threshold"] = asked.hold_out or SHARE
    return found | {"seed": seed} if found else {}


def without(rows: Rows, held: Mapping[str, Any], kind: str) -> Rows:
    """The rows that are learnt from, as ``fit`` divides them by these shares."""
    seed = int(held.get("seed", 0))
    if "test" in held:
        rows, _ = train_and_test(rows, str(held["test"]), kind, seed, {})
    if "threshold" in held:
        rows = subset(rows, np.flatnonzero(~aside(rows, held["threshold"], seed)))
    return rows


def aside(rows: Rows, share: float, seed: int) -> NDArray[np.bool_]:
    """The mask of a share of the rows; those equal in all columns stay on the side of learning."""
    held = held_out(rows.y, len(rows.y), share, seed)
    found = duplicates.of_columns(rows)
    return held & ~np.isin(found, found[~held])
