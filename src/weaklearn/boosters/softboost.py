"""SoftBoost: the largest soft margin up to an accuracy, in a known number of rounds."""

from __future__ import annotations

from dataclasses import dataclass

from .parts.totally_corrective import Projecting


@dataclass(frozen=True)
class SoftBoost(Projecting):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}; D(i) <= D_1(i)/nu throughout.

        g_t      = min over q <= t of r_q
        D_{t+1}  = argmin RE(D || D_1)  subject to  sum D(i) y_i h_q(x_i) <= g_t - accuracy, q <= t

    until there is no such D. Votes have the largest soft margin of the hypotheses found.

    ``nu`` as in ``LPBoost``; c = nu m examples would make up all weight at their caps.

    **Guarantee.** The soft margin is within ``accuracy`` of the largest of any vote, after at most
    2 ln(1/nu) / accuracy^2 + 1 rounds, if the learner finds the best hypothesis: relative entropy
    grows by accuracy^2 / 2 a round, and cannot exceed ln(1/nu).

    Reference: Warmuth, Glocer and Rätsch (2007), NIPS 20.
    """

    nu: float | None = None
    accuracy: float = 0.01

    def _share(self) -> float | None:
        return self.nu

    def _delta(self) -> float:
        return self.accuracy
