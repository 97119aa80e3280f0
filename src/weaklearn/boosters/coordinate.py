"""Coordinate descent: each round sets one vote to where the loss is least."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log

import numpy as np

from ..base.booster import Booster, Round, Stop, normaliser
from ..base.ensemble import Ensemble
from ..base.hypothesis import Hypothesis, Oracle
from ..base.numeric.exponential import sigmoid, softplus
from ..base.numeric.total import mean
from ..base.sample import ABSTAINED, RIGHT, WRONG, Correctness, Distribution, Sample
from ..base.types import Floats
from ..losses.margin import Exponential, Logistic
from .adaboost import TIED
from .parts.line_search import least
from .parts.margin_state import PERFECT, Scored, sides, won

PHI = {"exponential": Exponential(), "logistic": Logistic()}  # asked with y = 1 and F = y F
ONE = np.array(1, np.int8)


@dataclass(frozen=True)
class CoordinateBoost(Booster[Scored]):
    """Labels y in {-1, +1}, a pool of hypotheses h_j : X -> {-1, 0, +1}, M_ij = y_i h_j(x_i).

    The loss of the votes lambda is L = sum_i D_1(i) phi((M lambda)_i), with phi(z) = exp(-z) or
    ln(1 + exp(-z)). In round t, with q_i = -phi'((M lambda)_i),

        D_t(i)     is proportional to D_1(i) q_i
        the oracle picks a coordinate j, as it likes; its slope is -sum D_1(i) q_i M_ij
        lambda_j   moves by the alpha_t that makes L least

    For phi = exp(-z) the new q is the point of {p : sum p_i M_ij = 0} that is nearest to the old q
    in relative entropy, and the loss falls by just that distance: boosting as projection. Picking
    the largest slope is AdaBoost.

    **Guarantee.** The loss never rises, and the training error is at most L (exponential), or
    L / ln 2 (logistic).

    Reference: Collins, Schapire and Singer (2002), Machine Learning 48.
    """

    loss: str = "exponential"
    learning_rate: float = 1.0

    def begin(self, sample: Sample) -> Scored:
        yF = np.zeros(len(sample))
        return Scored(weighed(sample, self.loss, yF), Ensemble(), yF)

    def round(self, sample: Sample, learn: Oracle, state: Scored) -> tuple[Scored, Round]:
        D_t = state.D
        h_t = learn(D_t, sample.y, len(state.ensemble))
        correct_t = sample.correctness(h_t)
        right, wrong, abstained, metrics = correlation(D_t, correct_t)
        r_t, yh = metrics["r"], sides(correct_t)
        if (yh > 0).all() or (yh < 0).all():
            side = 1.0 if r_t > 0 else -1.0  # the vote of h_t, or its opposite, could grow for ever
            metrics |= {"alpha": side * inf, "loss": 0.0} | PERFECT
            metrics |= {"Z": 0.0} if self.loss == "exponential" else {}
            return won(state, Ensemble().plus(side, h_t), metrics)
        if abs(r_t) <= 2 * TIED:  # lambda_j is where the loss is least
            metrics |= {"alpha": 0.0, "loss": mean_loss(sample, self.loss, state.yF)}
            metrics |= {"Z": 1.0} if self.loss == "exponential" else {}
            return state, Round(metrics | state.metrics(sample), Stop.NO_EDGE)
        alpha_t = self.learning_rate * self._best(sample, state.yF, yh, right, wrong)
        later = self._moved(sample, state, alpha_t, h_t, yh)
        metrics |= {"alpha": alpha_t, "loss": mean_loss(sample, self.loss, later.yF)}
        if self.loss == "exponential":
            metrics["Z"] = normaliser(right, wrong, abstained, alpha_t)
        return later, Round(metrics | later.metrics(sample))

    def _best(self, sample: Sample, yF: Floats, yh: Floats, right: float, wrong: float) -> float:
        """The alpha of least loss; half an example is added where none is wrong."""
        held = min(right, wrong) == 0
        if held or self.loss == "exponential":
            less = 0.5 / sample.m if held else 0.0
            return 0.5 * log((right + less) / (wrong + less))
        side = 1.0 if right > wrong else -1.0
        shift = float(softplus(yF).min())  # the slope in units of the largest q

        def derivatives(a: float) -> tuple[float, float]:
            there = yF + a * side * yh
            q = sample.engine.weights.exponentials(shift - softplus(there))
            slope = mean(-side * q * yh, sample.weights)
            return slope, mean(q * sigmoid(there) * yh * yh, sample.weights)

        return side * least(derivatives)

    def replay(self, sample: Sample, state: Scored, vote: float, h: Hypothesis) -> Scored:
        return self._moved(sample, state, vote, h, sides(sample.correctness(h)))

    def _moved(
        self, sample: Sample, state: Scored, alpha: float, h: Hypothesis, yh: Floats
    ) -> Scored:
        yF = state.yF + alpha * yh
        D = weighed(sample, self.loss, yF)
        return Scored(D, state.ensemble.plus(alpha, h), yF, state.reach + abs(alpha))


def weighed(sample: Sample, loss: str, yF: Floats) -> Distribution:
    """D_1 times q = -phi'(y F), whose logarithm is -y F, or -ln(1 + exp(y F))."""
    minus_log = yF if loss == "exponential" else softplus(yF)
    return sample.reweighted(sample.engine.weights.exponentials(minus_log.min() - minus_log))


def mean_loss(sample: Sample, loss: str, yF: Floats) -> float:
    """L: the mean of exp(-y F), or of ln(1 + exp(-y F))."""
    return mean(PHI[loss].value(ONE, yF), sample.weights)


def correlation(
    D: Distribution, correct: Correctness
) -> tuple[float, float, float, dict[str, float]]:
    """The weights right, wrong and abstained, and the metrics computed from them."""
    right, wrong, abstained = (D.mass(correct, side) for side in (RIGHT, WRONG, ABSTAINED))
    r = right - wrong
    return right, wrong, abstained, {"epsilon": wrong, "gamma": r / 2, "r": r}
