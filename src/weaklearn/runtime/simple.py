"""Rules of one shape on plain numbers: intervals, boxes, bits, means."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.sample import Rows
from ..files.check import array, integer, one_of, real
from ..intake.missing import refuse_gaps, refuse_no_bits
from ..persistence import whole_model
from ..persistence.whole_model import two_numbers
from ..prediction import simple
from .model import Classifier, labels, numbers

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
    _needed = _NEEDED | {"feature_": integer()}
    _whole = whole_model.in_columns


class ThresholdClassifier(_OnOneColumn):
    """One class from a threshold on."""

    _rule = "a threshold rule"
    _needed = _OnOneColumn._needed | {"threshold_": real()}
    _upper = simple.above_threshold


class IntervalUnionClassifier(_OnOneColumn):
    """One class within intervals."""

    _rule = "a union of intervals"
    _upper = simple.in_intervals
    _needed = _OnOneColumn._needed | {"intervals_": array("f", 2, finite=False)}
    _whole = whole_model.intervals

    def _check(self) -> None:
        super()._check()
        self.ends = self.parameters.get("ends", "closed")
        one_of("closed", "half-open")("ends", self.ends)


class ThreePieceClassifier(_OnOneColumn):
    """One class between two thresholds."""

    _rule = "a rule of three pieces"
    _upper = simple.by_pieces
    _needed = _OnOneColumn._needed | {"thresholds_": two_numbers, "polarity_": one_of(-1, 1)}
    _whole = whole_model.pieces


class RectangleClassifier(_Rule):
    """One class in a box."""

    _rule = "a rectangle"
    _upper = simple.in_rectangle
    _needed = _NEEDED | {"lower_": _ENDS, "upper_": _ENDS}
    _whole = whole_model.box


class MonomialClassifier(_Rule):
    """All of some variables."""

    _rule = "a monomial"
    _upper = simple.all_kept
    kept_: NDArray[Any]
    _needed = _NEEDED | {"kept_": array("i")}
    _whole = whole_model.some_columns

    def _check_cells(self, rows: Rows) -> None:
        refuse_no_bits(rows, self._schema, self._rule)


class DisjunctionClassifier(MonomialClassifier):
    """Any of some variables."""

    _rule = "a disjunction"
    _upper = simple.any_kept


class OnlineDisjunction(DisjunctionClassifier):
    """The same, learnt one example at a time."""

    _needed = _NEEDED | {"_mask": array("b")}
    _whole = whole_model.column_flags

    def _check(self) -> None:
        super()._check()
        self.kept_ = np.flatnonzero(self._mask)


class CentroidClassifier(_Rule):
    """The class of the nearest mean."""

    _rule = "a mean"
    _codes = simple.nearest_means
    _needed = _NEEDED | {"means_": array("f", 2), "_open": array("b")}
    _whole = whole_model.means

    def _check_two(self) -> None:
        """Any number of classes will do."""
