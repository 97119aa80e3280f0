"""Boosting with a step of constant size, and a plain majority of its hypotheses."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from ..base import RIGHT, WRONG, Booster, Ensemble, Hypothesis, Oracle, Round, Sample
from ..base.booster import normaliser
from ..losses.links import step_of
from .parts.known_edge import Promised, correlation, reaches, warn_once
from .parts.margin_state import sides


class ConstantStep(Booster[Promised]):
    """In every round D_{t+1}(i) is proportional to D_t(i) exp(-a y_i h_t(x_i)), with one step a.

    Margins are counted in votes, as integers.
    """

    gamma: float | None  # the edge that the learner promises, if it does

    @property
    @abstractmethod
    def a(self) -> float:
        """The exponent of the update."""

    @property
    @abstractmethod
    def vote(self) -> float:
        """The vote of every hypothesis."""

    def begin(self, sample: Sample) -> Promised:
        return Promised(sample.prior, Ensemble(), np.zeros(len(sample)))

    def round(self, sample: Sample, learn: Oracle, state: Promised) -> tuple[Promised, Round]:
        D_t = state.D
        h_t = learn(D_t, sample.y, len(state.ensemble))
        correct_t = sample.correctness(h_t)
        epsilon_t, right_t = D_t.mass(correct_t, WRONG), D_t.mass(correct_t, RIGHT)
        r_t = right_t - epsilon_t
        warn_once(state, r_t, self.gamma)
        Z_t = normaliser(right_t, epsilon_t, 1 - right_t - epsilon_t, self.a)
        later = self.replay(sample, state, self.vote, h_t)
        metrics = {"epsilon": epsilon_t, "gamma": r_t / 2, "r": r_t, "alpha": self.vote, "Z": Z_t}
        return later, Round(metrics | later.metrics(sample))

    def replay(self, sample: Sample, state: Promised, vote: float, h: Hypothesis) -> Promised:
        correct = sample.correctness(h)
        kept = state.kept and reaches(correlation(state.D, correct), self.gamma)
        D = state.D.reweight(self.a, correct)  # wrong examples gain exp(2a) over right ones
        yF = state.yF + sides(correct)
        return Promised(D, state.ensemble.plus(vote, h), yF, state.reach + 1, kept)

    def step(self, vote: float) -> float:
        return self.a


@dataclass(frozen=True)
class AlphaBoost(ConstantStep):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}, one vote alpha for all.

        D_{t+1}(i)  is proportional to D_t(i) exp(-alpha y_i h_t(x_i))

    With ``gamma`` given, alpha = 1/2 ln((1 + 2 gamma)/(1 - 2 gamma)): then the hypotheses are those
    of ``GammaMajority``, and the examples play multiplicative weights against the learner. A small
    alpha goes along the path of votes of least total size, towards the largest margin.

    **Guarantee.** The training error is at most prod Z_t; with every edge at least gamma, at most
    (1 - 4 gamma^2)^(T/2).

    Reference: Schapire and Freund, Boosting, chapters 6 and 7.
    """

    alpha: float = 0.1
    gamma: float | None = None

    @property
    def a(self) -> float:
        return self.alpha if self.gamma is None else step_of(self.gamma)

    @property
    def vote(self) -> float:
        return self.a
