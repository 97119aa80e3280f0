"""SAMME: many classes, hypotheses that name one and only beat a guess among K."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log

from ..base import ABSTAINED, WRONG, Booster, Ensemble, Oracle, Round, Sample, State, Stop
from ..base.booster import exp_or_inf, normaliser
from .adaboost import TIED


@dataclass(frozen=True)
class Samme(Booster[State]):
    """Labels 0 .. K-1, hypotheses h_t : X -> labels with error below 1 - 1/K.

    alpha_t = ln((1 - epsilon_t)/epsilon_t) + ln(K - 1); wrong examples gain the factor
    exp(alpha_t); H(x) is the label with the largest sum of votes. For K = 2 the votes are twice
    AdaBoost's. Where h_t abstains it counts as a guess, wrong with 1 - 1/K.

    Reference: Zhu, Zou, Rosset, Hastie (2009), Statistics and Its Interface 2.
    """

    target = "class numbers"

    learning_rate: float = 1.0
    on_perfect: str = "stop"

    def begin(self, sample: Sample) -> State:
        return State(D=sample.prior, ensemble=Ensemble(sample.n_classes))

    def round(self, sample: Sample, learn: Oracle, state: State) -> tuple[State, Round]:
        D_t, K = state.D, sample.n_classes
        h_t = learn(D_t, sample.y, len(state.ensemble))
        correct_t = sample.correctness(h_t)
        wrong_t, abstained_t = D_t.mass(correct_t, WRONG), D_t.mass(correct_t, ABSTAINED)
        epsilon_t = wrong_t + abstained_t * (1 - 1 / K)
        metrics = {"epsilon": epsilon_t, "gamma": 1 - 1 / K - epsilon_t}
        if metrics["gamma"] <= TIED:
            stop = Stop.NO_EDGE if metrics["gamma"] >= -TIED else Stop.WORSE
            return state, Round(metrics | {"alpha": 0.0, "Z": 1.0}, stop)
        if epsilon_t == 0 and self.on_perfect == "smooth":
            epsilon_t = 0.5 / (sample.m + 1)
        if epsilon_t == 0:
            alone = Ensemble(K).plus(1.0, h_t)
            return State(D_t, alone), Round(metrics | {"alpha": inf, "Z": 0.0}, Stop.PERFECT)
        alpha_t = self.learning_rate * (log((1 - epsilon_t) / epsilon_t) + log(K - 1))
        half = alpha_t / 2  # right: exp(-half), wrong: exp(half), which is 1 and exp(alpha_t)
        Z_t = exp_or_inf(half) * normaliser(1 - wrong_t - abstained_t, wrong_t, abstained_t, half)
        D_next = D_t.reweight(half, correct_t)
        ensemble = state.ensemble.plus(alpha_t, h_t)
        return State(D_next, ensemble), Round(metrics | {"alpha": alpha_t, "Z": Z_t})

    def step(self, vote: float) -> float:
        return vote / 2
