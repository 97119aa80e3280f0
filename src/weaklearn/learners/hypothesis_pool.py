"""A fixed list of hypotheses to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Hypothesis, WeakLearner
from ..base.sample import ABSTAINED, RIGHT, WRONG
from .function import FunctionHypothesis

if TYPE_CHECKING:
    from ..base.sample import Correctness, Distribution, Sample

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
        from .foreign import ForeignHypothesis

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
        cost = _normaliser if self._selection == "least_z" else _minus_size
        costs = np.array([cost(D, correct) for correct in self._correct])
        return self._hypotheses[int(np.flatnonzero(costs <= costs.min() + TIED)[0])]


def correlation(D: Distribution, correct: Correctness) -> float:
    """r = sum D(i) y_i h(x_i)."""
    return D.mass(correct, RIGHT) - D.mass(correct, WRONG)


def _minus_size(D: Distribution, correct: Correctness) -> float:
    return -abs(correlation(D, correct))


def _normaliser(D: Distribution, correct: Correctness) -> float:
    product = D.mass(correct, RIGHT) * D.mass(correct, WRONG)
    return float(D.mass(correct, ABSTAINED) + 2 * np.sqrt(product))
