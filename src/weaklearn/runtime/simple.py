"""Rules of one shape on plain numbers: intervals, boxes, bits, means."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.sample import Rows
from ..files.check import array, integer, need, one_of
from ..intake.missing import refuse_gaps, refuse_no_bits
from ..learners.intervals import IntervalUnion, ThreePiece
from ..learners.regions import all_ones, any_one, in_box, nearest
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

    def _upper(self, rows: Rows) -> NDArray[np.bool_]:
        raise NotImplementedError

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row."""
        return self._labels(self._upper(self._rows(X)))


class _OnOneColumn(_Rule):
    feature_: int
    _needed = _NEEDED | {"feature_": integer()}

    def _check(self) -> None:
        super()._check()
        need(self.feature_ < self._schema.n_features, "feature_ is no column")

    def _holds(self, x: Floats) -> NDArray[np.bool_]:
        raise NotImplementedError

    def _upper(self, rows: Rows) -> NDArray[np.bool_]:
        return self._holds(rows.column(self.feature_))


class IntervalUnionClassifier(_OnOneColumn):
    """One class within intervals."""

    _rule = "a union of intervals"
    intervals_: Floats
    _needed = _OnOneColumn._needed | {"intervals_": array("f", 2, finite=False)}

    def _check(self) -> None:
        super()._check()
        need(self.intervals_.shape[1] == 2, "an interval has not two ends")
        low, high = self.intervals_.T
        need((low <= high).all() and (high[:-1] <= low[1:]).all(), "the intervals are in no order")
        one_of("closed", "half-open")("ends", self.parameters.get("ends", "closed"))

    def _holds(self, x: Floats) -> NDArray[np.bool_]:
        return IntervalUnion(self.intervals_, self.parameters.get("ends") == "half-open").holds(x)


def _pair(name: str, value: Any) -> None:
    pair = type(value) is tuple and len(value) == 2 and all(type(t) is float for t in value)
    need(pair and value[0] <= value[1], f"{name} is no pair of numbers that rise")


class ThreePieceClassifier(_OnOneColumn):
    """One class between two thresholds."""

    _rule = "a rule of three pieces"
    thresholds_: tuple[float, float]
    polarity_: int
    _needed = _OnOneColumn._needed | {"thresholds_": _pair, "polarity_": one_of(-1, 1)}

    def _holds(self, x: Floats) -> NDArray[np.bool_]:
        return ThreePiece(*self.thresholds_, self.polarity_).holds(x)


class RectangleClassifier(_Rule):
    """One class in a box."""

    _rule = "a rectangle"
    lower_: Floats
    upper_: Floats
    _needed = _NEEDED | {"lower_": _ENDS, "upper_": _ENDS}

    def _check(self) -> None:
        super()._check()
        d = self._schema.n_features
        need(len(self.lower_) == d == len(self.upper_), f"the rectangle has not {d} columns")

    def _upper(self, rows: Rows) -> NDArray[np.bool_]:
        return in_box(rows, self.lower_, self.upper_)


class MonomialClassifier(_Rule):
    """All of some variables."""

    _rule = "a monomial"
    kept_: NDArray[Any]
    _needed = _NEEDED | {"kept_": array("i")}

    def _check(self) -> None:
        super()._check()
        known = (self.kept_ >= 0) & (self.kept_ < self._schema.n_features)
        need(known.all(), "kept_ names no column")

    def _check_cells(self, rows: Rows) -> None:
        refuse_no_bits(rows, self._schema, self._rule)

    def _upper(self, rows: Rows) -> NDArray[np.bool_]:
        return all_ones(rows, self.kept_.tolist())


class DisjunctionClassifier(MonomialClassifier):
    """Any of some variables."""

    _rule = "a disjunction"

    def _upper(self, rows: Rows) -> NDArray[np.bool_]:
        return any_one(rows, self.kept_.tolist())


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

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row."""
        return np.asarray(self.classes_[nearest(self._rows(X), self.means_, self._open)])
