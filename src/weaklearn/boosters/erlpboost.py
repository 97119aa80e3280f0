"""ERLPBoost: LPBoost kept smooth by relative entropy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, log
from typing import ClassVar

from ..base import History, Sample
from .parts.totally_corrective import Corrected, Corrective


@dataclass(frozen=True, slots=True)
class Regularised(Corrected):
    """``upper`` is min P_q(D_q) so far, ``lower`` P_{t-1}(D_t), ``entropy`` RE(D_t || D_1)/eta."""

    upper: float = inf
    lower: float = -inf
    entropy: float = 0.0


@dataclass(frozen=True)
class ERLPBoost(Corrective[Regularised]):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}; D(i) <= D_1(i)/nu throughout.

        P_t(D)   = max over q <= t of sum D(i) y_i h_q(x_i)  +  RE(D || D_1) / eta
        eta      = max(2 ln(1/nu) / accuracy, 1/2)
        D_{t+1}  = argmin P_t(D)

    until min over q <= t of P_q(D_q) exceeds P_{t-1}(D_t) by accuracy/2 at most. Votes have the
    largest soft margin of the hypotheses found.

    ``nu`` as in ``LPBoost``. Facts of a round: ``upper``, that minimum; ``lower``, P_t(D_{t+1}).

    **Guarantee.** The soft margin is within ``accuracy`` of the largest of any vote, after at most
    max(32 ln(1/nu) / accuracy^2, 8 / accuracy) rounds, if the learner finds the best hypothesis.

    Reference: Warmuth, Glocer and Vishwanathan (2008), ALT 19.
    """

    nu: float | None = None
    accuracy: float = 0.01
    memory: ClassVar[tuple[str, ...]] = ("r", "upper")

    def _share(self) -> float | None:
        return self.nu

    def begin(self, sample: Sample) -> Regularised:
        return Regularised.first(sample)

    def _seen(self, sample: Sample, state: Regularised, r: float) -> Regularised:
        seen = super()._seen(sample, state, r)
        return replace(seen, upper=min(seen.upper, max(r + seen.entropy, seen.lower)))

    def _remembered(
        self, sample: Sample, state: Regularised, history: History, t: int
    ) -> Regularised:
        seen = super()._remembered(sample, state, history, t)
        return replace(seen, upper=float(history["upper"][t]))

    def _enough(self, state: Regularised, r: float) -> bool:
        return state.upper - state.lower <= self.accuracy / 2

    def _reweighed(self, sample: Sample, state: Regularised) -> Regularised:
        assert state.nu is not None
        eta = max(2 * log(1 / state.nu) / self.accuracy, 0.5)
        D = state.capped.smoothed(eta, state.vote)
        entropy = state.capped.entropy(D) / eta
        return replace(
            state,
            D=state.patterns.distribution(sample, D),
            entropy=entropy,
            lower=float(state.patterns.correlations(D).max()) + entropy,
        )

    def _state_metrics(self, sample: Sample, state: Regularised) -> dict[str, float]:
        return super()._state_metrics(sample, state) | {"upper": state.upper, "lower": state.lower}
