"""AdaBoost.R2: numbers to predict, hypotheses that answer with numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, log

import numpy as np

from ..base import Booster, Distribution, Form, Hypothesis, Oracle, Round, Sample, State, Stop
from ..base.numeric.total import total
from ..base.types import Floats
from ..base.votes.median import MedianEnsemble


@dataclass(frozen=True, slots=True)
class Grown(State):
    """The state: G is the logarithm of the growth of the weights so far."""

    G: Floats = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True)
class AdaBoostR2(Booster[Grown]):
    """y and h_t any numbers.

        L_i       = |y_i - h_t(x_i)| / max_j |y_j - h_t(x_j)|
        epsilon_t = sum D_t(i) L_i
        beta_t    = epsilon_t / (1 - epsilon_t)
        D_{t+1}   = D_t beta_t^(1 - L_i) / Z_t

    and the prediction is the median weighted by alpha_t = ln(1 / beta_t). ``loss`` bends L:
    "linear", "square" L^2, "exponential" 1 - exp(-L). The run ends when epsilon_t >= 1/2, and with
    a hypothesis that meets every example: that one outvotes all others.

    Reference: Drucker (1997), ICML 14.
    """

    target = "numbers"

    learning_rate: float = 1.0
    loss: str = "linear"

    needs = frozenset({Form.BOUNDED, Form.NUMBERS})

    def begin(self, sample: Sample) -> Grown:
        G = np.zeros(len(sample))
        return Grown(_distribution(sample, G), MedianEnsemble(), G)

    def round(self, sample: Sample, learn: Oracle, state: Grown) -> tuple[Grown, Round]:
        h_t = learn(state.D, sample.y, len(state.ensemble))
        L = self._losses(sample, h_t)
        w = _weights(sample, state.G)
        epsilon_t = total(L * w, sample.copies) / total(w, sample.copies)
        metrics = {"epsilon": epsilon_t, "gamma": 1 / 2 - epsilon_t}
        if epsilon_t == 0:
            alone = MedianEnsemble().plus(1.0, h_t)
            return Grown(state.D, alone, state.G), Round(metrics | {"alpha": inf}, Stop.PERFECT)
        if epsilon_t >= 1 / 2:
            first = len(state.ensemble) == 0  # better than nothing, and no other will be asked for
            kept = state.ensemble.plus(1.0, h_t) if first else state.ensemble
            return Grown(state.D, kept, state.G), Round(metrics | {"alpha": 0.0}, Stop.WORSE)
        alpha_t = self.learning_rate * log((1 - epsilon_t) / epsilon_t)
        return self._moved(sample, state, alpha_t, h_t, L), Round(metrics | {"alpha": alpha_t})

    def replay(self, sample: Sample, state: Grown, vote: float, h: Hypothesis) -> Grown:
        return self._moved(sample, state, vote, h, self._losses(sample, h))

    def _moved(self, sample: Sample, state: Grown, alpha: float, h: Hypothesis, L: Floats) -> Grown:
        """The next state: every weight times beta^(1 - L), which is exp(-alpha (1 - L))."""
        G = state.G - alpha * (1 - L)
        return Grown(_distribution(sample, G), state.ensemble.plus(alpha, h), G)

    def _losses(self, sample: Sample, h: Hypothesis) -> Floats:
        L: Floats = np.abs(h.number_answers(sample) - sample.y)
        most = L.max()
        L = L / most if most > 0 else L
        if self.loss == "square":
            return L * L
        return 1 - sample.engine.weights.exponentials(-L) if self.loss == "exponential" else L


def _weights(sample: Sample, G: Floats) -> Floats:
    """The weight of one copy of each example, up to a common factor."""
    w = sample.engine.weights.exponentials(G - G.max())
    return w if sample.importance is None else w * sample.importance


def _distribution(sample: Sample, G: Floats) -> Distribution:
    return sample.reweighted(sample.engine.weights.exponentials(G - G.max()))
