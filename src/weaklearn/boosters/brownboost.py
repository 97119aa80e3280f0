"""BrownBoost: votes given against the clock, which give up examples that stay wrong."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Self

import numpy as np
from scipy.special import erfc, erfcinv

from ..base import Ensemble, Hypothesis
from ..base.types import Floats
from .parts.potential_clock import TimedBooster


@dataclass(frozen=True)
class BrownBoost(TimedBooster):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}, and an error epsilon to aim at.

    The time is c = erfinv(1 - epsilon)^2; ``BrownBoost.of_time(c)`` takes the time instead, and
    aims at epsilon = 1 - erf(sqrt(c)). With F the votes so far and s the time left

        D_t(i)  is proportional to D_1(i) exp(-(y_i F(x_i) + s)^2 / c)

    and h_t gets the vote a and takes the time t: the first point on the curve from (0, 0) that
    keeps

        mean of 1 - erf((y_i F(x_i) + a y_i h_t(x_i) + s - t) / sqrt(c))  =  epsilon

    where h_t has no edge left or t = s. An example far on the wrong side weighs nothing: it is
    given up, as mislabelled ones should be.

    **Guarantee.** Once no time is left, the mean of |y - erf(F/sqrt(c))| is epsilon, and so the
    training error is at most epsilon. As epsilon goes to 0 the run becomes AdaBoost, with half its
    votes.

    Reference: Freund (2001), Machine Learning 43.
    """

    epsilon: float = 0.1

    @classmethod
    def of_time(cls, c: float) -> Self:
        """The booster that has the time c.

        >>> booster = BrownBoost.of_time(0.5)
        >>> round(booster.epsilon, 4), round(booster.c, 12)
        (0.3173, 0.5)
        """
        return cls(float(erfc(sqrt(c))))

    @cached_property
    def c(self) -> float:
        return float(erfcinv(self.epsilon)) ** 2

    @property
    def time(self) -> float:
        return self.c

    def mu(self, left: float) -> float:
        return -left

    def sigma(self, left: float) -> float:
        return sqrt(self.c)

    def fade(self, dt: float) -> float:
        return 1.0

    def pull(self, ds: float, u: Floats, z: Floats, left: float) -> Floats:
        return np.ones_like(z)

    def cost(self, z: Floats) -> Floats:
        return np.asarray(erfc(z))

    def joined(self, ensemble: Ensemble, ds: float, dt: float, h: Hypothesis) -> Ensemble:
        return ensemble.plus(ds, h)
