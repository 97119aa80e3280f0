"""AdaBoost, Algorithm 1.1 of Schapire and Freund."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log

from ..base import ABSTAINED, RIGHT, WRONG, Booster, Ensemble, Oracle, Round, Sample, State, Stop
from ..base.booster import normaliser
from .parts.margin_state import won

TIED = 1e-12  # errors closer than this are equal
NO_VOTE = {"alpha": 0.0, "Z": 1.0}  # the metrics of a round that adds no member


@dataclass(frozen=True)
class AdaBoost(Booster[State]):
    """Binary labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}.

    D_1 is the given distribution; in round t

        epsilon_t   = sum of D_t(i) over h_t(x_i) != y_i
        alpha_t     = 1/2 ln((1 - epsilon_t) / epsilon_t)
        D_{t+1}(i)  = D_t(i) exp(-alpha_t y_i h_t(x_i)) / Z_t

    and F = sum alpha_t h_t. Where h_t abstains (0), 1 - epsilon_t is the weight it gets right.

    **Guarantee.** The training error is at most prod Z_t <= exp(-2 sum gamma_t^2).

    ``on_half``: a hypothesis worse than chance gets a negative vote ("flip") or ends the run
    ("stop"). ``on_perfect``: one without error outvotes all others and ends the run ("stop"), or
    is counted as if it erred on half an example ("smooth"), as is one that abstains somewhere: it
    cannot outvote the others there.

    Reference: Freund and Schapire (1997), J. Comput. Syst. Sci. 55.
    """

    over_partitions = True

    learning_rate: float = 1.0
    on_half: str = "flip"
    on_perfect: str = "stop"

    def begin(self, sample: Sample) -> State:
        return State(D=sample.prior, ensemble=Ensemble())

    def round(self, sample: Sample, learn: Oracle, state: State) -> tuple[State, Round]:
        D_t, y = state.D, sample.y
        h_t = learn(D_t, y, len(state.ensemble))  # train the weak learner on D_t
        correct_t = sample.correctness(h_t)  # right or wrong, from the codes
        epsilon_t = D_t.mass(correct_t, WRONG)  # its error under D_t
        abstained_t = D_t.mass(correct_t, ABSTAINED)
        right_t = 1 - epsilon_t - abstained_t if epsilon_t < 1 / 2 else D_t.mass(correct_t, RIGHT)
        r_t = right_t - epsilon_t
        if abs(r_t) <= 2 * TIED:  # no edge: nothing to learn from h_t
            metrics = {"epsilon": 1 / 2 - abstained_t / 2, "gamma": 0.0, "r": 0.0} | NO_VOTE
            return state, Round(metrics | state.metrics(sample), Stop.NO_EDGE)
        metrics = {"epsilon": epsilon_t, "gamma": r_t / 2, "r": r_t}
        if r_t < 0 and self.on_half == "stop":
            return state, Round(metrics | NO_VOTE | state.metrics(sample), Stop.WORSE)
        one_sided = epsilon_t == 0 or right_t == 0
        if one_sided and self.on_perfect == "stop" and abstained_t == 0:
            side = 1.0 if epsilon_t == 0 else -1.0  # h_t (or its opposite) outvotes all before it
            metrics |= {"alpha": side * inf, "Z": 0.0}
            return won(state, Ensemble().plus(side, h_t), metrics)
        odds = right_t / epsilon_t if not one_sided else _smoothed(right_t, epsilon_t, sample.m)
        alpha_t = self.learning_rate * 0.5 * log(odds)
        D_next = D_t.reweight(alpha_t, correct_t)  # D_t exp(-alpha_t y h_t) / Z_t
        later = State(D_next, state.ensemble.plus(alpha_t, h_t))
        Z_t = normaliser(right_t, epsilon_t, abstained_t, alpha_t)
        metrics |= {"alpha": alpha_t, "Z": Z_t} | later.metrics(sample)
        return later, Round(metrics)


def _smoothed(right: float, wrong: float, m: int) -> float:
    """The odds of being right where half an example is added to each side."""
    return (right + 0.5 / m) / (wrong + 0.5 / m)
