"""Boosting by filtering a stream of examples."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .arithmetic import LN2, floats, ln, reals
from .counting import ceiling_of_irrational, count, decimal
from .reading import CONFIDENCE, EDGE_OR_NONE, Counts, Numbers, Reals, read


def filterboost_rounds(eps: Numbers, gamma_hat: Numbers) -> Reals:
    r"""Rounds within which FilterBoost has had an error below eps.

    .. math:: \frac{2 \ln 2}{\epsilon\,(1 - 2\sqrt{1/4 - \hat\gamma^2})}

    Guarantee: as long as the error is at least eps, each round whose edge is estimated at
    gamma_hat or more lowers the mean logistic loss, which starts at ln 2, by at least
    (eps/2) (1 - 2 sqrt(1/4 - gamma_hat^2)).

    >>> round(filterboost_rounds(0.1, 0.1), 6)
    686.144972

    Reference: Bradley and Schapire (2008), FilterBoost: regression and classification on large
    datasets, Theorem 1.
    """
    eps, gamma = read(eps=(eps, CONFIDENCE), gamma_hat=gamma_hat)
    square = floats(4 * gamma**2)
    rest = np.sqrt(floats(1 - 4 * gamma**2))
    return reals(2 * LN2 * (1 + rest) / (floats(eps) * square))


def filterboost_edge_floor(gamma: Numbers, tau: Numbers) -> Reals:
    r"""The least that FilterBoost's estimate of an edge can be.

    .. math:: \gamma / (1 + 2\tau)

    Guarantee: where the share right of the first n examples is never off by more than the width
    that the estimate allows for, it lies between this and gamma.

    >>> round(filterboost_edge_floor(0.1, 0.25), 6)
    0.066667

    Reference: Bradley and Schapire (2008), FilterBoost, section 3.
    """
    gamma, tau = read(gamma=(gamma, EDGE_OR_NONE), tau=tau)
    return reals(floats(gamma / (1 + 2 * tau)))


def _draw_limit(t: Fraction, r: Fraction, eps: Fraction, delta: Fraction) -> int:
    ratio = 3 * t * (t + 1) * r * (r + 1) / delta
    return ceiling_of_irrational(lambda: decimal(ratio).ln() * decimal(2 / eps), ratio, eps)


def filterboost_draw_limit(t: Numbers, r: Numbers, eps: Numbers, delta: Numbers) -> Counts:
    r"""Draws that FilterBoost takes for the r-th example of round t before it gives up.

    .. math:: \lceil (2/\epsilon) \ln(r (r + 1) / \delta_t) \rceil, \quad
              \delta_t = \delta / (3 t (t + 1))

    Guarantee: if the error is at least eps, every draw passes the filter with probability eps/2 or
    more; with probability 1 - delta/3 no call of any round then waits for so many in vain.

    >>> filterboost_draw_limit(t=1, r=1, eps=0.1, delta=0.05)
    110

    Reference: Bradley and Schapire (2008), FilterBoost, section 3.
    """
    return count(
        _draw_limit,
        lambda t, r, eps, delta: np.asarray(
            2 * ln(3 * t * (t + 1) * r * (r + 1) / delta) / floats(eps)
        ),
        t=t,
        r=r,
        eps=(eps, CONFIDENCE),
        delta=delta,
    )
