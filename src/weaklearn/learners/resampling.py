"""Boosting by resampling: for learners that cannot use weights.

Each try draws examples from D_t with replacement, trains on them, and measures the edge on the whole
weighted sample; a try is accepted when its edge is large enough. The number of tries is bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.distribution import SILENT, WRONG
from ..base.hypothesis import Hypothesis, NoHypothesis, WeakLearner

if TYPE_CHECKING:
    from ..base.distribution import Distribution
    from ..base.sample import Sample

# Trains on a sample drawn with repetition: (sample, target, rows, copies, key) -> hypothesis.
Train = Callable[["Sample", NDArray[Any], NDArray[np.intp], NDArray[np.int64], int], Hypothesis]


@dataclass(frozen=True)
class Resampling(WeakLearner):
    """Draws, trains, verifies, up to ``tries`` times a round.

    ``gamma`` is the edge asked for (None: any edge above 0, or for K classes an error below
    1 - 1/K); ``on_failure`` is "fail", "best" or "stop".
    """

    train: Train
    tries: int
    n_samples: int | None = None
    gamma: float | None = None
    on_failure: str = "best"
    seed: int = 0

    def bind(self, sample: Sample) -> Callable[..., Hypothesis]:
        order = np.argsort(sample.engine.row_hashes(sample.coded), kind="stable")
        n = self.n_samples or min(sample.m, 1 << 24)
        chance = 1 / 2 if sample.binary else 1 - 1 / sample.n_classes
        most = chance - (self.gamma or 0.0)

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> Hypothesis:
            shares = D.array[order]  # drawn in an order that does not depend on that of the rows
            best: tuple[float, Hypothesis] | None = None
            for attempt in range(self.tries):
                drawn = np.random.default_rng([self.seed, key, attempt]).multinomial(
                    n, shares / shares.sum()
                )
                rows = order[drawn > 0]
                h = self.train(sample, z, rows, drawn[drawn > 0], key * self.tries + attempt)
                verdict = sample.verdict(h)
                error = D.mass(verdict, WRONG) + D.mass(verdict, SILENT) / 2
                if error <= most if self.gamma else error < most:
                    return h
                if best is None or error < best[0]:
                    best = (error, h)
            assert best is not None
            if self.on_failure == "best":
                return best[1]
            raise NoHypothesis(
                f"none of {self.tries} resampled hypotheses reached an error below {most:.4g} "
                f"(the best had {best[0]:.4g}); give the learner more freedom, lower gamma, or set "
                "on_failure='best'."
            )

        return learn
