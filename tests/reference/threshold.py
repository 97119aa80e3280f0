"""The threshold rule h(x) = +1 iff x >= v, by trying every v that matters."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np


def error_curve(x: Any, y: Any, D: Any = None) -> list[dict[str, Any]]:
    """One row an interval (v_above, v_at_most] of thresholds that label the points alike.

    None stands for an unbounded end; ``error`` is the weight (default 1/m each) of the mistakes,
    ``errors`` their number.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y)
    weights = [Fraction(1, len(x))] * len(x) if D is None else list(D)
    ends = [None, *sorted(set(x.tolist())), None]
    rows = []
    for above, at_most in pairwise(ends):
        v = np.inf if at_most is None else at_most
        wrong = np.where(x >= v, 1, -1) != y
        error = sum(w for w, miss in zip(weights, wrong, strict=True) if miss)
        row = {"v_above": above, "v_at_most": at_most, "error": error, "errors": int(wrong.sum())}
        rows.append(row)
    return rows


def optimal_intervals(x: Any, y: Any, D: Any = None) -> list[list[float | None]]:
    """The intervals of least error; errors within 1e-12 of the total weight are equal."""
    curve = error_curve(x, y, D)
    best = min(row["error"] for row in curve)
    slack = 1e-12 * float(1 if D is None else sum(D))
    return [[row["v_above"], row["v_at_most"]] for row in curve if row["error"] - best <= slack]


def threshold(x: Any, y: Any, D: Any = None) -> float:
    """The v to use: from the leftmost optimal interval, its middle or one unit beyond the data."""
    above, at_most = optimal_intervals(x, y, D)[0]
    if above is None:
        assert at_most is not None
        return at_most - 1
    if at_most is None:
        return above + 1 if above + 1 > above else np.inf
    middle = above / 2 + at_most / 2
    return middle if above < middle <= at_most else at_most
