"""NormalBoost: margins decay with time, and votes are chosen against that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import e, exp, expm1, sqrt
from typing import ClassVar

import numpy as np
from scipy.special import erfc, erfcinv

from ..base import Ensemble, Hypothesis
from ..base.types import Floats
from ..base.votes.decaying import Fading
from .parts.potential_clock import TimedBooster


@dataclass(frozen=True)
class NormalBoost(TimedBooster):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}, an error and a margin to aim at.

    Time t goes from 0 to 1, and with it the margin m = y F that costs half an error and the width
    of the potential:

        mu(t)      = (theta - 2 rho) e^(1-t) + 2 rho
        sigma^2(t) = (sigma_f^2 + 1) e^(2(1-t)) - 1
        Phi(m, t)  = 1/2 (1 - erf((m - mu(t)) / sigma(t))),    rho such that Phi(0, 0) = epsilon
        D_t(i)     is proportional to D_1(i) exp(-(m_i - mu(t))^2 / sigma^2(t))

    h_t gets the vote ds and takes the time dt: the first point on the curve from (0, 0) that keeps
    the mean of Phi(m_i e^(-dt) + ds y_i h_t(x_i), t + dt), where h_t has no edge left or no time
    is. All earlier votes shrink to e^(-dt) of themselves. Where the potential falls by itself, as
    it does near the end, a vote can be negative.

    ``robust``: Phi = min(1, 1 - erf((m - mu)/sigma)), and examples with m <= mu(t) weigh nothing.

    **Guarantee.** Phi_t + (2 rho - m) Phi_m + 1/2 Phi_mm = 0; the mean potential stays epsilon.
    Once no time is left, at most 2 epsilon of the examples (robust: epsilon) have y F <= theta. A
    rest of time below 1/1000 is none.

    Reference: Freund (2009), A more robust boosting algorithm, arXiv:0905.2138.
    """

    epsilon: float = 0.1
    theta: float = 0.0
    sigma_f: float = 0.1
    robust: bool = False

    short: ClassVar[float] = 1e-3

    @property
    def truncated(self) -> bool:
        return self.robust

    @property
    def time(self) -> float:
        return 1.0

    @cached_property
    def rho(self) -> float:
        z = float(erfcinv(self.epsilon if self.robust else 2 * self.epsilon))
        return (self.sigma(1.0) * z + e * self.theta) / (2 * (e - 1))

    def mu(self, left: float) -> float:
        return (self.theta - 2 * self.rho) * exp(left) + 2 * self.rho

    def sigma(self, left: float) -> float:
        return sqrt(self.sigma_f**2 * exp(2 * left) + expm1(2 * left))

    def fade(self, dt: float) -> float:
        return exp(-dt)

    def pull(self, ds: float, u: Floats, z: Floats, left: float) -> Floats:
        return 2 * self.rho - ds * u - z / self.sigma(left)

    def cost(self, z: Floats) -> Floats:
        return np.asarray(np.minimum(1.0, erfc(z)) if self.robust else erfc(z) / 2)

    def metrics(self) -> dict[str, float]:
        return {"rho": self.rho}

    def nobody(self) -> Ensemble:
        return Fading()

    def joined(self, ensemble: Ensemble, ds: float, dt: float, h: Hypothesis) -> Ensemble:
        assert isinstance(ensemble, Fading)
        return ensemble.joined(h, ds, dt)
