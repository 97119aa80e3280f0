"""A fixed list of hypotheses to choose from, and stumps of one feature after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Hypothesis, Stump, WeakLearner
from ..base.sample import ABSTAINED, RIGHT, WRONG, Correctness, Distribution, Sample
from .foreign import ForeignHypothesis
from .function import FunctionHypothesis
from .stump import StumpLearner, StumpOracle

TIED = 1e-12  # correlations and normalisers closer than this are equal


@dataclass(frozen=True)
class PoolLearner(WeakLearner):
    """Chooses from a list of fitted classifiers and functions by ``selection``; ties: the first.

    "greedy": the largest |r|, r = sum D(i) y_i h(x_i), whatever its sign. "least_z": the least
    normaliser W0 + 2 sqrt(W+ W-) of the best vote, with the weights silent, right and wrong.
    "cyclic": one after another; a hypothesis without edge gives its turn to the next.
    """

    rules: tuple[Any, ...]
    selection: str = "greedy"

    def bind(self, sample: Sample) -> PoolOracle:
        hypotheses = [hypothesis(rule, sample) for rule in self.rules]
        return PoolOracle(sample, hypotheses, self.selection)


def hypothesis(rule: Any, sample: Sample) -> Hypothesis:
    """A fitted classifier, or a function from X to -1, 0 and +1, as a hypothesis of two classes."""
    if isinstance(rule, Hypothesis):
        return rule
    if hasattr(rule, "predict"):
        return ForeignHypothesis(rule, np.asarray(sample.classes))
    return FunctionHypothesis(rule, sample.n_classes)


class PoolOracle:
    """A list of hypotheses, evaluated once on a sample."""

    def __init__(self, sample: Sample, hypotheses: Sequence[Hypothesis], selection: str) -> None:
        self._hypotheses, self._selection = hypotheses, selection
        self._correct = [sample.correctness(h) for h in hypotheses]

    def __call__(self, D: Distribution, z: NDArray[Any], key: int = 0) -> Hypothesis:
        n = len(self._correct)
        if self._selection == "cyclic":
            turns = ((key + j) % n for j in range(n))
            active = (j for j in turns if abs(correlation(D, self._correct[j])) > 2 * TIED)
            return self._hypotheses[next(active, key % n)]
        if self._selection == "least_z":
            costs = np.array([_normaliser(D, correct) for correct in self._correct])
        else:
            costs = np.array([-abs(correlation(D, correct)) for correct in self._correct])
        return self._hypotheses[int(np.flatnonzero(costs <= costs.min() + TIED)[0])]


def correlation(D: Distribution, correct: Correctness) -> float:
    """r = sum D(i) y_i h(x_i)."""
    return D.mass(correct, RIGHT) - D.mass(correct, WRONG)


def _normaliser(D: Distribution, correct: Correctness) -> float:
    product = D.mass(correct, RIGHT) * D.mass(correct, WRONG)
    return float(D.mass(correct, ABSTAINED) + 2 * np.sqrt(product))


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
