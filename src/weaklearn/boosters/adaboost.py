"""AdaBoost, Algorithm 1.1 of Schapire and Freund."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, isfinite, log

from ..base import ABSTAINED, RIGHT, WRONG, Booster, Ensemble, Oracle, Round, Sample, State, Stop
from .parts.margin_state import won

TIED = 1e-12  # errors closer than this are equal


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
            metrics = _metrics(1 / 2 - abstained_t / 2, 0.0, 0.0, 1.0)
            return state, Round(metrics | metrics_after(sample, state), Stop.NO_EDGE)
        if r_t < 0 and self.on_half == "stop":
            metrics = _metrics(epsilon_t, r_t, 0.0, 1.0)
            return state, Round(metrics | metrics_after(sample, state), Stop.WORSE)
        one_sided = epsilon_t == 0 or right_t == 0
        if one_sided and self.on_perfect == "stop" and abstained_t == 0:
            side = 1.0 if epsilon_t == 0 else -1.0  # h_t (or its opposite) outvotes all before it
            metrics = _metrics(epsilon_t, r_t, side * inf, 0.0)
            return won(state, Ensemble().plus(side, h_t), metrics)
        odds = right_t / epsilon_t if not one_sided else _smoothed(right_t, epsilon_t, sample.m)
        alpha_t = self.learning_rate * 0.5 * log(odds)
        D_next = D_t.reweight(alpha_t, correct_t)  # D_t exp(-alpha_t y h_t) / Z_t
        later = State(D_next, state.ensemble.plus(alpha_t, h_t))
        Z_t = normaliser(right_t, epsilon_t, abstained_t, alpha_t)
        metrics = _metrics(epsilon_t, r_t, alpha_t, Z_t)
        return later, Round(metrics | metrics_after(sample, later))


def normaliser(right: float, wrong: float, abstained: float, alpha: float) -> float:
    """Z: the total weight after reweighting by alpha."""
    rest = wrong * exp_or_inf(alpha) if wrong > 0 else 0.0
    return rest + (right * exp_or_inf(-alpha) if right > 0 else 0.0) + abstained


def exp_or_inf(x: float) -> float:
    """exp(x), and inf where that overflows."""
    return exp(x) if x < 700 else inf


def _smoothed(right: float, wrong: float, m: int) -> float:
    """The odds of being right where half an example is added to each side."""
    return (right + 0.5 / m) / (wrong + 0.5 / m)


def _metrics(epsilon: float, r: float, alpha: float, Z: float) -> dict[str, float]:
    return {"epsilon": epsilon, "gamma": r / 2, "r": r, "alpha": alpha, "Z": Z}


def metrics_after(sample: Sample, state: State) -> dict[str, float]:
    """The smallest margin and the training error of a state, from its weights."""
    least, errors = state.D.margin_and_errors()
    weight = state.ensemble.running_weight
    margin = least / weight if weight > 0 and isfinite(weight) else 0.0
    return {"margin_min": margin, "train_error": errors / sample.m}
