"""AdaBoost.L: boosting for the logistic loss."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import exp, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base import Booster, Ensemble, Hypothesis, Oracle, Round, Sample, Stop
from ..base.booster import NUMBERS
from ..base.numeric.exponential import logarithms, sigmoid, softplus
from ..base.numeric.total import total
from ..base.types import Floats
from ..base.votes.prior import Foreknown, Prior
from ..base.votes.weighted_sum import joined_by
from .adaboost import TIED
from .parts.margin_state import Scored, won
from .real_adaboost import best_vote


@dataclass(frozen=True, slots=True)
class Pulled(Scored):
    """A state whose examples carry weight for their own label and, with a prior, for the other.

    ``own`` and ``other`` are these weights, divided by ``unit``; without a prior that pulls,
    ``other`` is None. ``q`` is the prior's probability of each own label, and z the labels to ask
    for.
    """

    own: Floats = field(default_factory=lambda: np.zeros(0))
    other: Floats | None = None
    unit: float = 1.0
    q: Floats | None = None
    z: NDArray[Any] = field(default_factory=lambda: np.zeros(0))

    @property
    def weights(self) -> Floats:
        """The weight of each example, both labels added."""
        return self.own if self.other is None else self.own + self.other


@dataclass(frozen=True)
class AdaBoostL(Booster[Pulled]):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}, or to any numbers.

    With F the votes so far, in round t

        w_i      = 1 / (1 + exp(y_i F(x_i)))
        D_t(i)   is proportional to D_1(i) w_i
        alpha_t  makes Z_t = sum D_t(i) exp(-alpha y_i h_t(x_i)) least

    and F gains alpha_t h_t; for labels alpha_t = 1/2 ln((1 - epsilon_t) / epsilon_t). Weights
    stay below 1 each, and 1/(1 + exp(-F)) is the probability of +1.

    A ``prior`` pi(x) makes F begin at ln(pi / (1 - pi)). With a ``strength`` of eta every example
    also counts as +1 with weight eta pi and as -1 with weight eta (1 - pi): what is minimised is

        sum ln(1 + exp(-y_i F(x_i))) + eta sum RE(pi(x_i) || 1 / (1 + exp(-F(x_i)))).

    A learner is asked for what the two sides of an example leave: the heavier label, under the
    difference of the weights. A hypothesis without error ends the run alone, as in AdaBoost; where
    a prior has its say, half an example holds it.

    **Guarantee.** The loss above falls in round t by at least (sum w_i) (1 - Z_t), and the training
    error is at most loss / (m ln 2).

    Reference: Collins, Schapire and Singer (2002), Machine Learning 48; for the prior Schapire,
    Rochery, Rahim and Gupta (2002), ICML.
    """

    learning_rate: float = 1.0
    prior: Prior | None = None
    strength: float = 0.0

    needs = NUMBERS
    over_partitions = True

    def against_rest(self, k: int) -> AdaBoostL:
        return self if self.prior is None else replace(self, prior=self.prior.of_class(k))

    def begin(self, sample: Sample) -> Pulled:
        if self.prior is None:
            return self._at(sample, Ensemble(), np.zeros(len(sample)), 0.0, None)
        yF = sample.y * self.prior(sample)
        reach = sample.largest(np.abs(yF))
        q = sigmoid(yF) if self.strength > 0 else None
        return self._at(sample, Foreknown(self.prior, reach), yF, reach, q)

    def round(self, sample: Sample, learn: Oracle, state: Pulled) -> tuple[Pulled, Round]:
        h_t = learn(state.D, state.z, len(state.ensemble))
        yh = sample.y * h_t.number_answers(sample)
        w, u, copies = _both(sample, state, yh)
        over = sample.engine.collective
        summed = total(w, copies, over)

        def under_D(x: Floats) -> float:
            return total(x * w, copies, over) / summed

        right_t, wrong_t = under_D((u > 0).astype(float)), under_D((u < 0).astype(float))
        r_t = under_D(u)
        metrics = {"epsilon": wrong_t, "gamma": (right_t - wrong_t) / 2, "r": r_t}
        metrics["W"] = sample.m * state.unit * sample.mean(state.weights)
        if abs(r_t) <= 2 * TIED * max(1.0, sample.largest(np.abs(yh))):
            metrics |= {"alpha": 0.0, "Z": 1.0, "loss": self.loss(sample, state)}
            return state, Round(metrics | state.metrics(sample), Stop.NO_EDGE)
        side = 1.0 if r_t > 0 else -1.0
        if self.prior is None and sample.everywhere(side * yh > 0):
            # h_t (or its opposite) outvotes all before it
            metrics |= {"alpha": side * inf, "Z": 0.0, "loss": 0.0}
            return won(state, joined_by(Ensemble(), side, h_t), metrics)
        alpha_t = self.learning_rate * best_vote(sample, u, under_D)
        Z_t = under_D(sample.engine.weights.exponentials(-alpha_t * u))
        later = self._moved(sample, state, alpha_t, h_t, yh)
        metrics |= {"alpha": alpha_t, "Z": Z_t, "loss": self.loss(sample, later)}
        return later, Round(metrics | later.metrics(sample))

    def replay(self, sample: Sample, state: Pulled, vote: float, h: Hypothesis) -> Pulled:
        yh = sample.y * h.number_answers(sample)
        return self._moved(sample, state, vote, h, yh)

    def loss(self, sample: Sample, state: Pulled) -> float:
        """The logistic loss and, by its strength, the divergence from the prior."""
        yF, q = state.yF, state.q
        cost = softplus(-yF)
        if q is not None:
            likely = q * (softplus(-yF) + logarithms(q))
            cost = cost + self.strength * (likely + (1 - q) * (softplus(yF) + logarithms(1 - q)))
        return sample.m * sample.mean(cost)

    def _moved(
        self, sample: Sample, state: Pulled, alpha: float, h: Hypothesis, yh: Floats
    ) -> Pulled:
        reach = state.reach + abs(alpha) * h.reach
        votes = joined_by(state.ensemble, alpha, h)
        return self._at(sample, votes, state.yF + alpha * yh, reach, state.q)

    def _at(
        self, sample: Sample, votes: Ensemble, yF: Floats, reach: float, q: Floats | None
    ) -> Pulled:
        """The state at margins y F."""
        if q is None:
            log_w = -softplus(yF)
            most = sample.largest(log_w)
            own = sample.engine.weights.exponentials(log_w - most)
            return Pulled(
                sample.reweighted(own), votes, yF, reach, own, None, exp(most), None, sample.y
            )
        own = (1 + self.strength * q) * sigmoid(-yF)
        other = self.strength * (1 - q) * sigmoid(yF)
        left = own - other
        size = np.abs(left)
        z = (sample.y * np.where(left >= 0, 1, -1)).astype(np.int8)
        most = sample.largest(size)
        D = sample.reweighted(size / most if most > 0 else np.ones_like(size), z)
        return Pulled(D, votes, yF, reach, own, other, 1.0, q, z)


def _both(
    sample: Sample, state: Pulled, yh: Floats
) -> tuple[Floats, Floats, NDArray[np.int64] | None]:
    """Weights, y h and copies of all examples, those with the other label included."""
    importance = 1.0 if sample.importance is None else sample.importance
    if state.other is None:
        return state.own * importance, yh, sample.copies
    w = np.concatenate([state.own * importance, state.other * importance])
    copies = None if sample.copies is None else np.tile(sample.copies, 2)
    return w, np.concatenate([yh, -yh]), copies
