"""SmoothBoost: a plain majority, under weights that stay near those of the start."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, nan

import numpy as np

from ..base.booster import Booster, Round, Stop
from ..base.ensemble import Ensemble
from ..base.hypothesis import Hypothesis, Oracle
from ..base.messages.warnings import BoostingWarning, warn
from ..base.sample import RIGHT, WRONG, Sample
from ..base.types import Floats
from .adaboost import TIED
from .parts.known_edge import reaches
from .parts.margin_state import Scored, sides


@dataclass(frozen=True)
class SmoothBoost(Booster[Scored]):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1} that promise an edge of gamma.

    With theta = gamma / (2 + gamma) and N_0(i) = 0, M_1(i) = 1, in round t

        D_t(i)      is proportional to D_1(i) M_t(i)
        N_t(i)      = N_{t-1}(i) + y_i h_t(x_i) - theta
        M_{t+1}(i)  = 1 where N_t(i) < 0, else (1 - gamma)^(N_t(i) / 2)

    until the mean of M_{t+1} is below kappa; F is the plain sum of the h_t. An example that is
    wrong, however often, keeps its first weight, and as long as the run lasts none weighs more
    than D_1(i) / kappa: noise cannot draw the weight to itself. A hypothesis with an edge below
    gamma under D_t breaks the promise, and the run ends without it.

    **Guarantee.** At most the mean of M_{T+1} of the examples have a margin below theta: less than
    kappa of them, if the run ended by itself. As long as the promise is kept it does so within
    2 / (kappa gamma^2 sqrt(1 - gamma)) rounds.

    Reference: Servedio (2003), Journal of Machine Learning Research 4.
    """

    kappa: float = 0.05
    gamma: float = 0.03

    @property
    def theta(self) -> float:
        """The target margin."""
        return self.gamma / (2 + self.gamma)

    def begin(self, sample: Sample) -> Scored:
        return self._weighed(sample, Ensemble(), np.zeros(len(sample)))

    def round(self, sample: Sample, learn: Oracle, state: Scored) -> tuple[Scored, Round]:
        left = self._left(sample, state)
        if left < self.kappa:  # the run has ended before
            return state, Round(_metrics(nan, nan, 0.0, left) | state.metrics(sample), Stop.LIGHT)
        D_t = state.D
        h_t = learn(D_t, sample.y, len(state.ensemble))
        correct_t = sample.correctness(h_t)
        right_t, wrong_t = D_t.mass(correct_t, RIGHT), D_t.mass(correct_t, WRONG)
        r_t = right_t - wrong_t
        if not reaches(r_t, self.gamma):
            metrics = _metrics(wrong_t, r_t, 0.0, left) | state.metrics(sample)
            return state, Round(metrics, self._end(len(state.ensemble) + 1, r_t))
        later = self.replay(sample, state, 1.0, h_t)
        left = self._left(sample, later)
        metrics = _metrics(wrong_t, r_t, 1.0, left) | later.metrics(sample)
        return later, Round(metrics, Stop.LIGHT if left < self.kappa else None)

    def replay(self, sample: Sample, state: Scored, vote: float, h: Hypothesis) -> Scored:
        yF = state.yF + vote * sides(sample.correctness(h))
        return self._weighed(sample, state.ensemble.plus(vote, h), yF)

    def _end(self, t: int, r: float) -> Stop:
        """The stop reason of round t, whose hypothesis is below the known edge."""
        if r <= 2 * TIED:
            return Stop.NO_EDGE
        warn(
            f"the weak learner broke its promise in round {t}: its edge is {r / 2:.4g}, and "
            f"gamma={self.gamma:g} was promised. Boosting ends with the {t - 1} hypotheses found "
            "before; lower gamma, or give the learner more freedom.",
            BoostingWarning,
        )
        return Stop.PROMISE

    def _exponents(self, ensemble: Ensemble, yF: Floats) -> Floats:
        """ln M."""
        N = yF - len(ensemble) * self.theta
        return np.maximum(N, 0.0) * (0.5 * log(1 - self.gamma))

    def _weighed(self, sample: Sample, ensemble: Ensemble, yF: Floats) -> Scored:
        log_M = self._exponents(ensemble, yF)
        D = sample.reweighted(sample.engine.weights.exponentials(log_M - log_M.max()))
        return Scored(D, ensemble, yF, float(len(ensemble)))

    def _left(self, sample: Sample, state: Scored) -> float:
        """The mean of M: the share of the first weight that is left."""
        M = sample.engine.weights.exponentials(self._exponents(state.ensemble, state.yF))
        return sample.mean(M)


def _metrics(epsilon: float, r: float, alpha: float, left: float) -> dict[str, float]:
    return {"epsilon": epsilon, "gamma": r / 2, "r": r, "alpha": alpha, "potential": left}
