"""Boosting by resampling: for learners that cannot use weights.

Each try draws examples from D_t with replacement, trains on them, and measures the edge on the
whole weighted sample; a try is accepted when its edge is large enough. The tries are bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form, Hypothesis, NoHypothesis, WeakLearner
from ..base.numeric.weighted_draws import duplicate_groups
from ..base.sample import ABSTAINED, WRONG, Distribution, Sample

# Trains on a sample drawn with repetition: (sample, target, rows, copies, key) -> hypothesis.
Train = Callable[["Sample", NDArray[Any], NDArray[np.intp], NDArray[np.int64], int], Hypothesis]


@dataclass(frozen=True)
class Resampling(WeakLearner):
    """Draws a sample from D, trains and verifies, up to ``tries`` times per round.

    ``gamma`` is the edge asked for (None: any edge above 0, or for K classes an error below
    1 - 1/K); where no try reaches it, ``on_failure`` is to "fail" with an error, to take the "best"
    try, or to "stop" the run.
    """

    title = "a learner on resampled rows"

    train: Train
    tries: int
    n_samples: int | None = None
    gamma: float | None = None
    on_failure: str = "best"
    seed: int = 0
    form: Form = Form.CLASSES

    def bind(self, sample: Sample) -> Callable[..., Hypothesis]:
        order, groups = duplicate_groups(sample)
        n = self.n_samples or min(sample.m, 1 << 24)
        chance = 1 / 2 if sample.binary else 1 - 1 / sample.n_classes
        most = chance - (self.gamma or 0.0)

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> Hypothesis:
            shares = np.add.reduceat(D.exact[order], groups)
            shares /= shares.sum()
            best: tuple[float, Hypothesis] | None = None
            for attempt in range(self.tries):
                draws = np.random.default_rng([self.seed, key, attempt]).multinomial(n, shares)
                rows = order[groups[draws > 0]]
                h = self.train(sample, z, rows, draws[draws > 0], (key << 16) + attempt)
                correct = sample.correctness(h)
                error = D.mass(correct, WRONG) + D.mass(correct, ABSTAINED) * chance
                if error <= most if self.gamma else error < most:
                    return h
                if best is None or error < best[0]:
                    best = (error, h)
            assert best is not None
            return best[1] if self.on_failure == "best" else self._give_up(best[0], most)

        return learn

    def _give_up(self, best: float, most: float) -> Hypothesis:
        message = (
            f"none of {self.tries} resampled hypotheses reached an error below {most:.4g} "
            f"(the best had {best:.4g}); give the learner more freedom, lower gamma, or set "
            "on_failure='best'."
        )
        raise NoHypothesis(message) if self.on_failure == "stop" else ValueError(message)


@dataclass(frozen=True)
class Redrawing(WeakLearner):
    """Draws as many rows from D as there are and trains on them, once per round."""

    title = "a learner on resampled rows"

    train: Train
    seed: int = 0
    form: Form = Form.NUMBERS

    def bind(self, sample: Sample) -> Callable[..., Hypothesis]:
        order, groups = duplicate_groups(sample)
        n = min(sample.m, 1 << 24)

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> Hypothesis:
            shares = np.add.reduceat(D.exact[order], groups)
            draws = np.random.default_rng([self.seed, key]).multinomial(n, shares / shares.sum())
            return self.train(sample, z, order[groups[draws > 0]], draws[draws > 0], key)

        return learn
