"""MadaBoost: AdaBoost whose weights never exceed those of the start."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log

import numpy as np

from ..base import RIGHT, WRONG, Booster, Ensemble, Hypothesis, Oracle, Round, Sample, Stop
from ..base.booster import normaliser
from ..base.types import Floats
from .adaboost import TIED
from .parts.margin_state import Scored, sides, won


@dataclass(frozen=True)
class MadaBoost(Booster[Scored]):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}.

    With F the votes so far, in round t

        D_t(i)   is proportional to D_1(i) min(1, exp(-y_i F(x_i)))
        alpha_t  = 1/2 ln((1 - epsilon_t) / epsilon_t)

    and F gains alpha_t h_t. An example that is wrong keeps its first weight, however often it was
    wrong: noise cannot draw all weight to itself, and examples can be drawn by filtering.

    **Guarantee.** While the training error is e or more, no example weighs more than D_1(i)/e.

    Reference: Domingo and Watanabe (2000), COLT.
    """

    over_partitions = True

    learning_rate: float = 1.0

    def begin(self, sample: Sample) -> Scored:
        return self._weighed(sample, Ensemble(), np.zeros(len(sample)), 0.0)

    def round(self, sample: Sample, learn: Oracle, state: Scored) -> tuple[Scored, Round]:
        D_t = state.D
        h_t = learn(D_t, sample.y, len(state.ensemble))
        correct_t = sample.correctness(h_t)
        epsilon_t, right_t = D_t.mass(correct_t, WRONG), D_t.mass(correct_t, RIGHT)
        r_t = right_t - epsilon_t
        metrics = {"epsilon": epsilon_t, "gamma": r_t / 2, "r": r_t}
        if abs(r_t) <= 2 * TIED:
            stands = {"potential": _kept(sample, state.yF)} | state.metrics(sample)
            return state, Round(metrics | {"alpha": 0.0, "Z": 1.0} | stands, Stop.NO_EDGE)
        if sample.everywhere(np.asarray(correct_t) == (RIGHT if r_t > 0 else WRONG)):
            side = 1.0 if r_t > 0 else -1.0  # h_t, or its opposite
            metrics |= {"alpha": side * inf, "Z": 0.0, "potential": 0.0}
            return won(state, Ensemble().plus(side, h_t), metrics)
        less = 0.0 if min(epsilon_t, right_t) > 0 else 0.5 / sample.m  # half an example holds it
        alpha_t = self.learning_rate * 0.5 * log((right_t + less) / (epsilon_t + less))
        Z_t = normaliser(right_t, epsilon_t, 1 - right_t - epsilon_t, alpha_t)
        later = self.replay(sample, state, alpha_t, h_t)
        metrics |= {"alpha": alpha_t, "Z": Z_t, "potential": _kept(sample, later.yF)}
        return later, Round(metrics | later.metrics(sample))

    def replay(self, sample: Sample, state: Scored, vote: float, h: Hypothesis) -> Scored:
        yF = state.yF + vote * sides(sample.correctness(h))
        return self._weighed(sample, state.ensemble.plus(vote, h), yF, state.reach + abs(vote))

    @staticmethod
    def _weighed(sample: Sample, ensemble: Ensemble, yF: Floats, reach: float) -> Scored:
        gained = np.maximum(yF, 0.0)
        least = -sample.largest(-gained)
        D = sample.reweighted(sample.engine.weights.exponentials(least - gained))
        return Scored(D, ensemble, yF, reach)


def _kept(sample: Sample, yF: Floats) -> float:
    """The share of the first weight that is left: the mean of min(1, exp(-y F))."""
    factors = sample.engine.weights.exponentials(-np.maximum(yF, 0.0))
    return sample.mean(factors)
