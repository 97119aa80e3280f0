"""Boosting within an L1 ball: votes whose sum is bounded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

import numpy as np

from ..base import Booster, Ensemble, History, Hypothesis, Oracle, Round, Sample, Stop
from ..base.numeric.total import mean
from ..base.types import Floats
from ..base.votes.reweighted import Revoted
from .adaboost import TIED
from .coordinate import ONE, PHI, correlation, mean_loss, weighed
from .parts.line_search import least
from .parts.margin_state import Scored, sides


@dataclass(frozen=True, slots=True)
class Bounded(Scored):
    """The state with the largest known lower bound on the loss over the ball."""

    loss_bound: float = -inf


@dataclass(frozen=True)
class ConditionalGradient(Booster[Bounded]):
    """Makes L = sum_i D_1(i) phi(y_i F(x_i)) least over the votes with sum |lambda_j| <= B.

    phi(z) = exp(-z) or ln(1 + exp(-z)). In round t, after k others, with q_i = -phi'(y_i F(x_i)),

        D_t(i)  is proportional to D_1(i) q_i
        h_t     has the largest |sum D_t(i) y_i h(x_i)|, and g is the sign of that sum
        lambda  = (1 - s) lambda + s B g e_t

    so that all votes shrink while one grows. The step s is the best in [0, 1] ("line_search") or
    2/(k + 2) ("schedule"), times ``learning_rate``, but 1 at most. The way from lambda to the
    corner B g e_t has the slope -gap_t, and L is convex: no vote of the ball has a loss below
    L - gap_t.

    **Guarantee.** The least loss in the ball lies between ``loss_bound``, the best of these bounds
    so far, and ``loss``; their difference ``gap`` falls to 0 as 1/t. It needs a learner that finds
    the largest correlation.

    Reference: Jaggi (2013), ICML; Schapire and Freund, Boosting, chapter 7.
    """

    loss: str = "exponential"
    radius: float = 10.0
    step_rule: str = "line_search"
    learning_rate: float = 1.0
    memory: ClassVar[tuple[str, ...]] = ("step", "loss_bound")

    def begin(self, sample: Sample) -> Bounded:
        yF = np.zeros(len(sample))
        return Bounded(weighed(sample, self.loss, yF), Revoted(), yF)

    def round(self, sample: Sample, learn: Oracle, state: Bounded) -> tuple[Bounded, Round]:
        k, yF = len(state.ensemble), state.yF
        h_t = learn(state.D, sample.y, k)
        correct_t = sample.correctness(h_t)
        metrics = correlation(state.D, correct_t)[-1]
        yh, B_t = sides(correct_t), self.radius if metrics["r"] >= 0 else -self.radius
        way = B_t * yh - yF
        gap_t = -mean(PHI[self.loss].gradient(ONE, yF) * way, sample.weights)
        loss = mean_loss(sample, self.loss, yF)
        state = replace(state, loss_bound=max(state.loss_bound, loss - gap_t))
        if gap_t <= TIED * loss:
            stop = Stop.OPTIMAL if k > 0 else Stop.NO_EDGE
            return state, Round(metrics | self._found(sample, state, 0.0, 0.0), stop)
        s_t = 2 / (k + 2) if self.step_rule == "schedule" else self._best(sample, yF, way)
        s_t = min(1.0, self.learning_rate * s_t)
        votes = np.append((1 - s_t) * state.ensemble.votes, s_t * B_t)
        later = self._moved(state, s_t, votes, h_t, yh)
        later = replace(later, D=weighed(sample, self.loss, later.yF))
        return later, Round(metrics | self._found(sample, later, s_t * B_t, s_t))

    def _found(self, sample: Sample, state: Bounded, alpha: float, s: float) -> dict[str, float]:
        loss = mean_loss(sample, self.loss, state.yF)
        metrics = {"alpha": alpha, "step": s, "loss": loss, "loss_bound": state.loss_bound}
        return metrics | {"gap": loss - state.loss_bound} | state.metrics(sample)

    def _best(self, sample: Sample, yF: Floats, way: Floats) -> float:
        """The step that makes the loss least, 1 at most."""
        phi, w = PHI[self.loss], sample.weights

        def derivatives(s: float) -> tuple[float, float]:
            there = yF + s * way
            slope = mean(phi.gradient(ONE, there) * way, w)
            return slope, mean(phi.curvature(ONE, there) * way * way, w)

        return 1.0 if derivatives(1.0)[0] <= 0 else min(1.0, least(derivatives))

    @staticmethod
    def _moved(state: Bounded, s: float, votes: Floats, h: Hypothesis, yh: Floats) -> Bounded:
        """The votes after a step, and the margins; the weights are still those before it."""
        assert isinstance(state.ensemble, Revoted)
        ensemble = state.ensemble.revoted(h, votes)
        yF = (1 - s) * state.yF + votes[-1] * yh
        return replace(state, ensemble=ensemble, yF=yF, reach=ensemble.weight)

    def replay(self, sample: Sample, state: Bounded, vote: float, h: Hypothesis) -> Bounded:
        raise TypeError("a step shrinks all votes before it: use resume")

    def resume(self, sample: Sample, ensemble: Ensemble, history: History) -> Bounded:
        assert isinstance(ensemble, Revoted)
        state = self.begin(sample)
        steps, bounds = history["step"].tolist(), history["loss_bound"].tolist()
        for s, bound, votes, h in zip(steps, bounds, ensemble.tables, ensemble.members):
            state = self._moved(state, s, votes, h, sides(sample.correctness(h)))
            state = replace(state, loss_bound=bound)
        return replace(state, D=weighed(sample, self.loss, state.yF))
