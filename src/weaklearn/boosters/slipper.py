"""SLIPPER: boosted rules for one class, and a default rule."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import NamedTuple, Self

from ..base.booster import Booster, Round, State, Stop, normaliser
from ..base.ensemble import Ensemble
from ..base.hypothesis import Hypothesis, Oracle
from ..base.sample import ABSTAINED, RIGHT, WRONG, Correctness, Distribution, Sample
from ..base.trees.rule import Rule
from .adaboost import TIED

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
        default = _Judged.of(sample, D_t, Rule().counted(sample))
        for draw in range(_DRAWS):
            rule = _Judged.of(sample, D_t, learn(D_t, sample.y, t + (draw << 32)))
            h_t, correct_t, W_plus, W_minus, W_0 = rule if rule.beats(default) else default
            criterion = 1 - (sqrt(W_plus) - sqrt(W_minus)) ** 2
            if criterion < 1 - TIED:
                break
        r_t = W_plus - W_minus
        metrics = {"epsilon": W_minus, "gamma": r_t / 2, "r": r_t}
        if criterion >= 1 - TIED:
            metrics |= {"alpha": 0.0, "Z": 1.0, "Z_criterion": criterion}
            return state, Round(metrics | state.metrics(sample), Stop.NO_EDGE)
        less = 0.5 / sample.m
        c_t = self.learning_rate * 0.5 * log((W_plus + less) / (W_minus + less))
        Z_t = normaliser(W_plus, W_minus, W_0, c_t)
        metrics |= {"alpha": c_t, "Z": Z_t, "Z_criterion": criterion}
        if W_0 == 0 and min(W_plus, W_minus) == 0:  # one class: nothing to learn beyond the default
            alone = State(D_t, Ensemble().plus(c_t, h_t))
            return alone, Round(metrics | {"margin_min": 1.0, "train_error": 0.0}, Stop.PERFECT)
        D_next = D_t.reweight(c_t, correct_t)
        later = State(D_next, state.ensemble.plus(c_t, h_t))
        return later, Round(metrics | later.metrics(sample))


class _Judged(NamedTuple):
    """A rule, and the weights W+, W- and W_0 that it gets right, gets wrong, and does not cover."""

    h: Hypothesis
    correct: Correctness
    W_plus: float
    W_minus: float
    W_0: float

    @classmethod
    def of(cls, sample: Sample, D: Distribution, h: Hypothesis) -> Self:
        correct = sample.correctness(h)
        masses = (D.mass(correct, which) for which in (RIGHT, WRONG, ABSTAINED))
        return cls(h, correct, *masses)

    def beats(self, default: _Judged) -> bool:
        """Whether the default is not as good."""
        lead = sqrt(self.W_plus) - sqrt(self.W_minus)
        other = sqrt(default.W_plus) - sqrt(default.W_minus)
        return lead > 0 and lead**2 > other**2 + TIED
