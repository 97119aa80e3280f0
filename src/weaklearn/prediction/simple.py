"""Classes by one rule on plain numbers: a threshold, intervals, a box, bits, means.

A rule holds of a row (``_upper``), which is then of the second class.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.rows import Rows
from ..base.types import Bools
from ..learners.intervals import IntervalUnion, ThreePiece, all_ones, any_one, in_box, nearest


def predict(self: Any, X: Any) -> NDArray[Any]:
    """The label of each row."""
    rows = self._rows(X)
    return np.asarray(self.classes_[self._codes(rows)])


def codes(self: Any, rows: Rows) -> NDArray[np.intp]:
    """The number of the class of each row."""
    above: Bools = self._upper(rows)
    return above.astype(np.intp) * (len(self.classes_) - 1)


def above_threshold(self: Any, rows: Rows) -> Bools:
    """Whether the column of the rule is at least the threshold."""
    return np.asarray(rows.column(self.feature_) >= self.threshold_)


def in_intervals(self: Any, rows: Rows) -> Bools:
    """Whether the column of the rule is in one of the intervals."""
    rule = IntervalUnion(self.intervals_, self.ends == "half-open")
    return rule.holds(rows.column(self.feature_))


def by_pieces(self: Any, rows: Rows) -> Bools:
    """Whether the column of the rule is on the side of the second class."""
    t1, t2 = self.thresholds_
    return ThreePiece(t1, t2, self.polarity_).holds(rows.column(self.feature_))


def in_rectangle(self: Any, rows: Rows) -> Bools:
    """Whether every column is between its bounds."""
    return in_box(rows, self.lower_, self.upper_)


def all_kept(self: Any, rows: Rows) -> Bools:
    """Whether all of the variables kept are 1."""
    return all_ones(rows, self.kept_.tolist())


def any_kept(self: Any, rows: Rows) -> Bools:
    """Whether any of the variables kept is 1."""
    return any_one(rows, self.kept_.tolist())


def nearest_means(self: Any, rows: Rows) -> NDArray[np.intp]:
    """The number of the class with the nearest mean."""
    return nearest(rows, self.means_, self._open)
