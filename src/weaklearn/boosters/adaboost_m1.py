"""AdaBoost.M1: many classes, hypotheses that name one."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log

from ..base import ABSTAINED, WRONG, Booster, Ensemble, Oracle, Round, Sample, State, Stop
from ..base.booster import normaliser
from .adaboost import TIED


@dataclass(frozen=True)
class AdaBoostM1(Booster[State]):
    """Labels 0 .. K-1, hypotheses h_t : X -> labels with error below 1/2.

    alpha_t = 1/2 ln((1 - epsilon_t)/epsilon_t), wrong examples weigh D/(2 epsilon_t), right ones
    D/(2 (1 - epsilon_t)); H(x) is the label with the largest sum of votes, the smallest on ties.

    Where h_t abstains it counts as half wrong, and the example's weight stands between the two.

    **Guarantee.** The training error is at most prod 2 sqrt(epsilon_t (1 - epsilon_t)). A guess
    among K labels errs with 1 - 1/K, so a weak learner may fail the test epsilon < 1/2 at once.

    Reference: Freund and Schapire (1997), J. Comput. Syst. Sci. 55.
    """

    target = "class numbers"

    learning_rate: float = 1.0
    on_perfect: str = "stop"

    def begin(self, sample: Sample) -> State:
        return State(D=sample.prior, ensemble=Ensemble(sample.n_classes))

    def round(self, sample: Sample, learn: Oracle, state: State) -> tuple[State, Round]:
        D_t = state.D
        h_t = learn(D_t, sample.y, len(state.ensemble))
        correct_t = sample.correctness(h_t)
        wrong_t, abstained_t = D_t.mass(correct_t, WRONG), D_t.mass(correct_t, ABSTAINED)
        epsilon_t = wrong_t + abstained_t / 2
        gamma_t = 1 / 2 - epsilon_t
        metrics = {"epsilon": epsilon_t, "gamma": gamma_t, "r": 2 * gamma_t}
        if gamma_t <= TIED:
            stop = Stop.NO_EDGE if gamma_t >= -TIED else Stop.WORSE
            return state, Round(metrics | {"alpha": 0.0, "Z": 1.0}, stop)
        if epsilon_t == 0 and self.on_perfect == "smooth":
            epsilon_t = 0.5 / (sample.m + 1)
        if epsilon_t == 0:
            alone = Ensemble(sample.n_classes).plus(1.0, h_t)
            return State(D_t, alone), Round(metrics | {"alpha": inf, "Z": 0.0}, Stop.PERFECT)
        alpha_t = self.learning_rate * 0.5 * log((1 - epsilon_t) / epsilon_t)
        Z_t = normaliser(1 - wrong_t - abstained_t, wrong_t, abstained_t, alpha_t)
        D_next = D_t.reweight(alpha_t, correct_t)
        ensemble = state.ensemble.plus(alpha_t, h_t)
        return State(D_next, ensemble), Round(metrics | {"alpha": alpha_t, "Z": Z_t})
