"""Rules of one shape on plain numbers: intervals, boxes, bits, means."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.sample import Rows
from ..files.check import array, need, one_of, real, whole
from ..intake.missing import refuse_gaps, refuse_no_bits
from ..prediction import simple
from .model import Classifier, Floats, labels, numbers

_NEEDED = {"_schema": numbers, "classes_": labels}
_ENDS = array("f", finite=False)


class _Rule(Classifier):
    _rule: str  # its name in messages

    def _check(self) -> None:
        super()._check()
        self._check_two()

    def _rows(self, X: Any) -> Rows:
        rows = super()._rows(X)
        self._check_cells(rows)
        return rows

    def _check_cells(self, rows: Rows) -> None:
        refuse_gaps(rows, self._schema, self._rule)

    predict = simple.predict
    _codes = simple.codes


class _OnOneColumn(_Rule):
    feature_: int
    _needed = _NEEDED | {"feature_": whole()}

    def _check(self) -> None:
        super()._check()
        need(self.feature_ < self._schema.n_features, "feature_ is no column")


class ThresholdClassifier(_OnOneColumn):
    """One class from a threshold on."""

    _rule = "a threshold rule"
    _needed = _OnOneColumn._needed | {"threshold_": real()}
    _upper = simple.above_threshold


class IntervalUnionClassifier(_OnOneColumn):
    """One class within intervals."""

    _rule = "a union of intervals"
    _upper = simple.in_intervals
    intervals_: Floats
    _needed = _OnOneColumn._needed | {"intervals_": array("f", 2, finite=False)}

    def _check(self) -> None:
        super()._check()
        need(self.intervals_.shape[1] == 2, "an interval has not two ends")
        low, high = self.intervals_.T
        need((low <= high).all() and (high[:-1] <= low[1:]).all(), "the intervals are in no order")
        self.ends = self.parameters.get("ends", "closed")
        one_of("closed", "half-open")("ends", self.ends)


def _pair(name: str, value: Any) -> None:
    pair = type(value) is tuple and len(value) == 2 and all(type(t) is float for t in value)
    need(pair and value[0] <= value[1], f"{name} is no pair of numbers that rise")


class ThreePieceClassifier(_OnOneColumn):
    """One class between two thresholds."""

    _rule = "a rule of three pieces"
    _upper = simple.by_pieces
    _needed = _OnOneColumn._needed | {"thresholds_": _pair, "polarity_": one_of(-1, 1)}


class RectangleClassifier(_Rule):
    """One class in a box."""

    _rule = "a rectangle"
    _upper = simple.in_rectangle
    lower_: Floats
    upper_: Floats
    _needed = _NEEDED | {"lower_": _ENDS, "upper_": _ENDS}

    def _check(self) -> None:
        super()._check()
        d = self._schema.n_features
        need(len(self.lower_) == d == len(self.upper_), f"the rectangle has not {d} columns")


class MonomialClassifier(_Rule):
    """All of some variables."""

    _rule = "a monomial"
    _upper = simple.all_kept
    kept_: NDArray[Any]
    _needed = _NEEDED | {"kept_": array("i")}

    def _check(self) -> None:
        super()._check()
        known = (self.kept_ >= 0) & (self.kept_ < self._schema.n_features)
        need(known.all(), "kept_ names no column")

    def _check_cells(self, rows: Rows) -> None:
        refuse_no_bits(rows, self._schema, self._rule)


class DisjunctionClassifier(MonomialClassifier):
    """Any of some variables."""

    _rule = "a disjunction"
    _upper = simple.any_kept


class OnlineDisjunction(DisjunctionClassifier):
    """The same, learnt one example at a time."""

    _mask: NDArray[np.bool_]
    _needed = _NEEDED | {"_mask": array("b")}

    def _check(self) -> None:
        need(len(self._mask) == self._schema.n_features, "there is not a flag for each variable")
        self.kept_ = np.flatnonzero(self._mask)
        super()._check()


class CentroidClassifier(_Rule):
    """The class of the nearest mean."""

    _rule = "a mean"
    _codes = simple.nearest_means
    means_: Floats
    _open: NDArray[np.bool_]
    _needed = _NEEDED | {"means_": array("f", 2), "_open": array("b")}

    def _check_two(self) -> None:
        """Any number of classes will do."""

    def _check(self) -> None:
        super()._check()
        shape = self._K, self._schema.n_features
        need(self.means_.shape == shape, f"means_ has not the shape {shape}")
        need(len(self._open) == self._K and self._open.any(), "no class has a mean of its own")
