"""TotalBoost: the largest margin up to an accuracy, in a known number of rounds."""

from __future__ import annotations

from dataclasses import dataclass

from .parts.totally_corrective import Projecting


@dataclass(frozen=True)
class TotalBoost(Projecting):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}.

        g_t      = min over q <= t of r_q
        D_{t+1}  = argmin RE(D || D_1)  subject to  sum D(i) y_i h_q(x_i) <= g_t - nu,  q <= t

    until there is no such D. Votes have the largest smallest margin of the hypotheses found.

    **Guarantee.** The smallest margin is within ``nu`` of rho*, the largest of any vote, after at
    most 2 ln m / nu^2 + 1 rounds, if the learner finds the best hypothesis and examples weigh alike
    (of other weights it is the soft margin that forgives the lightest).

    Reference: Warmuth, Liao and Rätsch (2006), ICML 23.
    """

    nu: float = 0.01

    def _share(self) -> float:
        return 0.0

    def _delta(self) -> float:
        return self.nu
