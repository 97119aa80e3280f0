"""Rules that speak as strongly as their term weighs in a row, many of them at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..hypothesis import Form
from ..trees.label_tree import LabelHypothesis
from ..types import Floats

if TYPE_CHECKING:
    from ..rows import Cells, Rows

BITS = 40  # answers are whole multiples of 2^-BITS, so that sums of them are exact
_WEIGHT_BITS = 15


def grain_of(most: float) -> float:
    """The power of two that weights are rounded to multiples of; ``most`` is the largest weight.

    >>> grain_of(0.75) == 2.0**-15, grain_of(40.0) == 2.0**-9
    (True, True)
    """
    return float(np.ldexp(1.0, int(np.frexp(most)[1]) - _WEIGHT_BITS))


@dataclass(frozen=True, eq=False)
class GradedRules(LabelHypothesis):
    """h(x, l) = base_l + the sum over terms j of w_j(x) c_jl, w_j(x) being the value of column j.

    ``features`` are the columns of the terms, the best first, and ``confidences`` (terms, labels)
    the c_jl; ``base`` is what every row gets. A weight is rounded to a multiple of ``grain``, a
    power of two, and a confidence is a multiple of 2^-40 over it: answers are multiples of 2^-40,
    and sums of them are exact, in any order, up to 2^13. ``most`` is the largest |h| in training,
    and ``bound`` what Z is at most, by ``GradedRuleLearner``.
    """

    by_row = True
    reads_cells = True

    features: NDArray[np.int32]
    confidences: Floats
    base: Floats
    grain: float
    most: float
    bound: float

    @property
    def form(self) -> Form:
        return Form.LABEL_CONFIDENCES

    @property
    def Z_criterion(self) -> float:
        return self.bound

    @property
    def reach(self) -> float:
        return self.most

    @property
    def answers(self) -> Floats:
        raise TypeError("graded rules answer every row by itself")

    def blocks(self, rows: Rows) -> NDArray[np.int32]:
        """Every row is a block of its own."""
        return np.arange(len(rows), dtype=np.int32)

    def parts(self, rows: Rows) -> tuple[NDArray[np.int32], Floats]:
        return self.blocks(rows), self(rows)

    def __call__(self, rows: Rows) -> Floats:
        return self.sum(rows.cells)

    def sum(self, cells: Cells, threads: int = 1) -> Floats:
        """The answers, (rows, labels)."""
        F = np.tile(self.base, (cells.n_rows, 1))
        if len(self.features) == 0:
            return F
        row, place, weight = self._listed(cells)
        counts = np.rint(weight / self.grain) * self.grain
        for label, column in enumerate(self.confidences.T):
            F[:, label] += np.bincount(row, counts * column[place], minlength=cells.n_rows)
        return F

    def _listed(self, cells: Cells) -> tuple[NDArray[Any], NDArray[Any], Floats]:
        """The row, the place among the terms and the weight of every value other than 0."""
        if cells.sparse is None:
            dense = self._spread(cells)
            row, place = np.nonzero(dense)
            return row, place, dense[row, place]
        listed: Any = cells.sparse
        if listed.format != "csr":
            listed = listed.tocsr()
        places = np.full(listed.shape[1], -1, np.int32)
        places[self.features] = np.arange(len(self.features), dtype=np.int32)
        place = places[listed.indices]
        kept = np.flatnonzero(place >= 0)
        row = np.repeat(np.arange(cells.n_rows), np.diff(listed.indptr))[kept]
        return row, place[kept], listed.data[kept].astype(np.float64)

    def _spread(self, cells: Cells) -> Floats:
        if cells.matrix is not None:
            return np.asarray(cells.matrix[:, self.features], np.float64)
        columns = cells.columns or []
        return np.column_stack([columns[j] for j in self.features.tolist()]).astype(np.float64)

    def importances(self, n_features: int) -> Floats:
        """The share of each term in the sizes of all confidences."""
        shares = np.zeros(n_features)
        shares[self.features] = np.abs(self.confidences).sum(axis=1)
        return shares / (shares.sum() or 1.0)

    def _key(self) -> tuple[Any, ...]:
        arrays = (self.features, self.confidences, self.base)
        return (*(array.tobytes() for array in arrays), self.grain, self.most, self.bound)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GradedRules) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


def merged(rules: Iterable[GradedRules]) -> GradedRules:
    """The sum of several, which have the same grain, as one: its answers are the same bits."""
    each = list(rules)
    features = np.unique(np.concatenate([h.features for h in each]))
    confidences = np.zeros((len(features), len(each[0].base)))
    for h in each:
        confidences[np.searchsorted(features, h.features)] += h.confidences
    base = np.sum([h.base for h in each], axis=0)
    most, bound = sum(h.most for h in each), float(np.prod([h.bound for h in each]))
    return GradedRules(features, confidences, base, each[0].grain, most, bound)
