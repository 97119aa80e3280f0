"""Stumps of one feature after another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import WeakLearner
from ..base.trees.stump import Stump
from .hypothesis_pool import TIED, correlation
from .stump import StumpLearner, StumpOracle

if TYPE_CHECKING:
    from ..base.sample import Distribution, Sample


@dataclass(frozen=True)
class StumpTurns(WeakLearner):
    """The best stump of each feature in turn; features without an edge are skipped."""

    stump: StumpLearner

    def bind(self, sample: Sample) -> TurnsOracle:
        return TurnsOracle(sample, self.stump)


class TurnsOracle:
    """One search per feature, created on first use."""

    def __init__(self, sample: Sample, stump: StumpLearner) -> None:
        self._sample, self._stump = sample, stump
        self._oracles: dict[int, StumpOracle] = {}

    def __call__(self, D: Distribution, z: NDArray[Any], key: int = 0) -> Stump:
        d = self._sample.cells.n_features
        turns = (self._best((key + j) % d, D) for j in range(d))
        active = (h for h in turns if correlation(D, self._sample.correctness(h)) > 2 * TIED)
        found = next(active, None)
        return self._best(key % d, D) if found is None else found

    def _best(self, j: int, D: Distribution) -> Stump:
        """The best stump of feature j."""
        if j not in self._oracles:
            self._oracles[j] = self._stump.bind(_of_one(self._sample, j))
        return replace(self._oracles[j](D, self._sample.y), feature=j)


@dataclass(frozen=True)
class Column:
    """One column as encoded values of their own."""

    values: NDArray[Any]
    categories: int = 0

    n_features = 1
    matrix = None
    sparse = None

    @property
    def n_rows(self) -> int:
        return len(self.values)

    @property
    def columns(self) -> list[NDArray[Any]]:
        return [self.values]

    @property
    def n_categories(self) -> NDArray[np.int32]:
        return np.array([self.categories], np.int32)

    def take(self, rows: NDArray[np.intp]) -> Column:
        return Column(self.values[rows], self.categories)


def _of_one(sample: Sample, j: int) -> Sample:
    """A sample whose rows have column j alone."""
    categories = sample.cells.n_categories
    cells = Column(sample.column(j), 0 if categories is None else int(categories[j]))
    return replace(sample, cells=cells, coded=sample.engine.columns.code(cells, sample.binning))
