"""Rules of one shape on plain numbers: intervals, boxes, bits, means."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.rows import Rows
from ..files.check import one_of
from ..intake.cells import refuse_gaps, refuse_no_bits
from ..prediction import simple
from .model import Model


class _Rule(Model):
    _rule: str  # its name in messages

    def _rows(self, X: Any) -> Rows:
        rows = super()._rows(X)
        self._check_cells(rows)
        return rows

    def _check_cells(self, rows: Rows) -> None:
        refuse_gaps(rows, self._schema, self._rule)

    predict = simple.predict
    _codes = simple.codes


class ThresholdClassifier(_Rule):
    """One class from a threshold on."""

    _rule = "a threshold rule"
    _upper = simple.above_threshold


class IntervalUnionClassifier(_Rule):
    """One class within intervals."""

    _rule = "a union of intervals"
    _upper = simple.in_intervals

    def _restore(self) -> None:
        self.ends = self.parameters.get("ends", "closed")
        one_of("closed", "half-open")("ends", self.ends)


class ThreePieceClassifier(_Rule):
    """One class between two thresholds."""

    _rule = "a rule of three pieces"
    _upper = simple.by_pieces


class RectangleClassifier(_Rule):
    """One class in a box."""

    _rule = "a rectangle"
    _upper = simple.in_rectangle


class MonomialClassifier(_Rule):
    """All of some variables."""

    _rule = "a monomial"
    _upper = simple.all_kept
    kept_: NDArray[Any]

    def _check_cells(self, rows: Rows) -> None:
        refuse_no_bits(rows, self._schema, self._rule)


class DisjunctionClassifier(MonomialClassifier):
    """Any of some variables."""

    _rule = "a disjunction"
    _upper = simple.any_kept


class OnlineDisjunction(DisjunctionClassifier):
    """The same, learnt one example at a time."""

    def _restore(self) -> None:
        self.kept_ = np.flatnonzero(self._mask)


class CentroidClassifier(_Rule):
    """The class of the nearest mean."""

    _rule = "a mean"
    _codes = simple.nearest_means
