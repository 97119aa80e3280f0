"""SLIPPER: boosted rules for one class, and a default rule."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

from ..base.booster import Booster, Round, State, Stop
from ..base.ensemble import Ensemble
from ..base.hypothesis import Hypothesis, Oracle
from ..base.sample import ABSTAINED, RIGHT, WRONG, Distribution, Sample
from ..base.trees.rule import Rule
from .adaboost import TIED, metrics_after, normaliser

_DRAWS = 4  # of a learner that finds nothing, before the run ends


@dataclass(frozen=True)
class Slipper(Booster[State]):
    """Labels y in {-1, +1}, rules h_t : X -> {0, 1}, from a learner that may use chance.

    With W+ and W- the weights under D_t of the positive and negative examples that a rule covers,
    the learner's rule is compared with the default rule, which covers everything, by

        Z = 1 - (sqrt(W+) - sqrt(W-))^2

    and the better one is kept; the default too where the rule has W+ <= W-. It gets the confidence

        c_t = 1/2 ln((W+ + 1/(2m)) / (W- + 1/(2m)))

    and D(i) is multiplied by exp(-c_t y_i) where it covers x_i. The class is +1 where the
    confidences of the rules that cover x add up to more than 0. So only the default speaks for -1,
    and every other rule is a reason for +1.

    **Guarantee.** The training error is at most prod Z_t, Z_t = W_0 + W+ exp(-c_t) + W- exp(c_t).

    Reference: Cohen and Singer (1999), A simple, fast, and effective rule learner, AAAI.
    """

    learning_rate: float = 1.0

    def begin(self, sample: Sample) -> State:
        return State(D=sample.prior, ensemble=Ensemble())

    def round(self, sample: Sample, learn: Oracle, state: State) -> tuple[State, Round]:
        D_t, t = state.D, len(state.ensemble)
        default = Rule().counted(sample)
        for draw in range(_DRAWS):
            h_t = self._better(sample, D_t, learn(D_t, sample.y, t + (draw << 32)), default)
            W_plus, W_minus, W_0 = _weights(sample, D_t, h_t)
            criterion = 1 - (sqrt(W_plus) - sqrt(W_minus)) ** 2
            if criterion < 1 - TIED:
                break
        r_t = W_plus - W_minus
        metrics = {"epsilon": W_minus, "gamma": r_t / 2, "r": r_t}
        if criterion >= 1 - TIED:
            metrics |= {"alpha": 0.0, "Z": 1.0, "Z_criterion": criterion}
            return state, Round(metrics | metrics_after(sample, state), Stop.NO_EDGE)
        less = 0.5 / sample.m
        c_t = self.learning_rate * 0.5 * log((W_plus + less) / (W_minus + less))
        Z_t = normaliser(W_plus, W_minus, W_0, c_t)
        metrics |= {"alpha": c_t, "Z": Z_t, "Z_criterion": criterion}
        if W_0 == 0 and min(W_plus, W_minus) == 0:  # one class: nothing to learn beyond the default
            alone = State(D_t, Ensemble().plus(c_t, h_t))
            return alone, Round(metrics | {"margin_min": 1.0, "train_error": 0.0}, Stop.PERFECT)
        D_next = D_t.reweight(c_t, sample.correctness(h_t))
        later = State(D_next, state.ensemble.plus(c_t, h_t))
        return later, Round(metrics | metrics_after(sample, later))

    @staticmethod
    def _better(sample: Sample, D: Distribution, h: Hypothesis, default: Rule) -> Hypothesis:
        """The rule, unless the default is as good."""
        W_plus, W_minus, _ = _weights(sample, D, h)
        V_plus, V_minus, _ = _weights(sample, D, default)
        lead = sqrt(W_plus) - sqrt(W_minus)
        return h if lead > 0 and lead**2 > (sqrt(V_plus) - sqrt(V_minus)) ** 2 + TIED else default


def _weights(sample: Sample, D: Distribution, h: Hypothesis) -> tuple[float, float, float]:
    """W+, W- and W_0: the weights that a rule gets right, gets wrong, and does not cover."""
    correct = sample.correctness(h)
    return D.mass(correct, RIGHT), D.mass(correct, WRONG), D.mass(correct, ABSTAINED)
