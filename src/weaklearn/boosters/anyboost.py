"""AnyBoost: boosting as gradient descent in the space of functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.booster import Booster, Round, State, Stop
from ..base.ensemble import Ensemble
from ..base.hypothesis import Form, Hypothesis, Oracle
from ..base.loss import SIGNS, Loss
from ..base.numeric.total import mean
from ..base.sample import Distribution, Sample
from ..base.types import Floats
from ..base.votes.weighted_sum import WeightedSum
from ..losses.margin import Logistic
from .adaboost import TIED
from .parts.line_search import least


@dataclass(frozen=True, slots=True)
class ScoredState(State):
    """The state of a descent: the scores H of the examples, and the gradient r of the loss there.

    z is what a hypothesis is to answer: -sign(r), with weights |r|, or -r itself.
    """

    H: Floats = field(default_factory=lambda: np.zeros(0))
    r: Floats = field(default_factory=lambda: np.zeros(0))
    z: NDArray[Any] = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True)
class AnyBoost(Booster[ScoredState]):
    """Any loss l(y, H), a hypothesis h_t a round.

        r_i  = d l(y_i, H(x_i)) / d H(x_i)
        h_t  makes sum r_i h_t(x_i) small
        H    = H + alpha h_t, if that sum is negative; else the descent ends

    Hypotheses in {-1, 0, +1} are asked for under the weights |r_i| / sum |r_j| with the labels
    -sign(r_i); ``real`` ones are fitted to -r by least squares. ``length`` is the constant
    alpha, or None: then alpha is the best along h_t, times ``shrinkage``. ``start`` is H_0: "zero",
    or the best "constant".

    **Guarantee.** Every step taken has a negative directional derivative, so that a small enough
    one lowers a smooth loss. The exponential loss with the best steps is AdaBoost.

    Reference: Mason, Baxter, Bartlett, Frean (1999), NIPS 12.
    """

    loss: Loss = field(default_factory=Logistic)
    length: float | None = 0.1
    shrinkage: float = 1.0
    real: bool = False
    start: str = "zero"

    @property
    def needs(self) -> frozenset[Form]:
        return frozenset({Form.BOUNDED, Form.NUMBERS} if self.real else {Form.CLASSES})

    def begin(self, sample: Sample) -> ScoredState:
        base = 0.0
        if self.start == "constant":
            base = float(self.loss.best_constant(sample.y, sample.weights)[0])
        plain = not self.real and base == 0
        votes = Ensemble() if plain else WeightedSum(base)
        return self._at(sample, np.full(len(sample), base), votes, None)

    def round(self, sample: Sample, learn: Oracle, state: ScoredState) -> tuple[ScoredState, Round]:
        H, r, w = state.H, state.r, sample.weights
        steepest = mean(np.abs(r), w)
        if steepest == 0:
            return state, Round(self._metrics(sample, H, 0.0, 0.0, 0.0), Stop.FLAT)
        h_t = learn(state.D, state.z, len(state.ensemble))
        answers = h_t.number_answers(sample)
        slope = mean(r * answers, w)  # the directional derivative of the mean loss along h_t
        size = 1.0 if not self.real else float(np.abs(answers).max())
        if slope >= -2 * TIED * steepest * size:
            stop = Stop.NO_EDGE if slope <= 2 * TIED * steepest * size else Stop.WORSE
            return state, Round(self._metrics(sample, H, slope, steepest, 0.0), stop)
        alpha_t = self._step(sample, H, answers)
        if alpha_t == inf:  # h_t is right everywhere and outvotes all before it
            alone = self.begin(sample).ensemble.plus(1.0, h_t)
            metrics = self._metrics(sample, H, slope, steepest, inf) | {"loss": 0.0}
            return self._at(sample, answers, alone, state), Round(metrics, Stop.PERFECT)
        H_next = H + alpha_t * answers
        metrics = self._metrics(sample, H_next, slope, steepest, alpha_t)
        return self._at(sample, H_next, state.ensemble.plus(alpha_t, h_t), state), Round(metrics)

    def replay(self, sample: Sample, state: ScoredState, vote: float, h: Hypothesis) -> ScoredState:
        H = state.H + vote * h.number_answers(sample)
        return self._at(sample, H, state.ensemble.plus(vote, h), state)

    def _at(self, sample: Sample, H: Floats, votes: Ensemble, before: State | None) -> ScoredState:
        """The state at scores H."""
        loss = self.loss.adapted(sample.y, H, sample.weights)
        r = loss.gradient(sample.y, H)
        if self.real:
            return ScoredState(_unsigned(sample) if before is None else before.D, votes, H, r, -r)
        size = np.abs(r)
        z = np.where(r < 0, 1, -1).astype(np.int8)
        most = size.max()
        D = sample.reweighted(size / most if most > 0 else np.ones_like(size), z)
        return ScoredState(D, votes, H, r, z)

    def _step(self, sample: Sample, H: Floats, answers: Floats) -> float:
        if self.length is not None:
            return self.length
        y, w = sample.y, sample.weights
        loss = self.loss.adapted(y, H, w)

        def derivatives(a: float) -> tuple[float, float]:
            there = H + a * answers
            first = mean(loss.gradient(y, there) * answers, w)
            return first, mean(loss.curvature(y, there) * answers * answers, w)

        if loss.target == SIGNS and (y * answers > 0).all():
            far = (30 + np.abs(H).max()) / np.abs(answers).min()
            if derivatives(float(far))[0] < 0:  # it falls for ever
                return inf
        return self.shrinkage * least(derivatives)

    def _metrics(
        self, sample: Sample, H: Floats, slope: float, steepest: float, alpha: float
    ) -> dict[str, float]:
        metrics: dict[str, float] = {}
        if not self.real:  # the edge of h_t under |r|
            edge = -slope / steepest if steepest > 0 else 0.0
            metrics = {"epsilon": (1 - edge) / 2, "gamma": edge / 2, "r": edge}
        y, w = sample.y, sample.weights
        cost = mean(self.loss.adapted(y, H, w).value(y, H), w)
        return metrics | {"alpha": alpha, "inner_product": slope, "loss": cost}


def _unsigned(sample: Sample) -> Distribution:
    """D_1 without labels, for learners of numbers."""
    return sample.engine.weights.distribution(len(sample), sample.importance, sample.copies, None)
