"""How many examples a class of finite VC dimension takes: the least m, exactly."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import ceil

import numpy as np

from .arithmetic import LN2, floats, ln, reals
from .counting import ceiling_of_irrational, ceiling_of_ln, decimal, each, least
from .growth_function import Growth, growth_function, growth_is_sauer, lg_sauer_sum
from .reading import Counts, Numbers, Range, Reals, at_least, read

_TWO = Decimal(2)
_EIGHTH = Range("above 0 and at most 1/8", lambda x: (x > 0) & (8 * x <= 1))
_HUNDREDTH = Range("above 0 and at most 1/100", lambda x: (x > 0) & (100 * x <= 1))


def _lg_times(x: Fraction, scale: Fraction) -> int:
    """ceil(scale lg x), for x > 1: lg x is irrational, or x a power of 2."""
    if x.denominator == 1 and x.numerator & (x.numerator - 1) == 0:
        return -int(-scale * (x.numerator.bit_length() - 1) // 1)
    return ceiling_of_irrational(lambda: decimal(x).ln() / _TWO.ln() * decimal(scale), x, scale)


_IN_LOGARITHMS, _LARGEST = 3_000, 1_000_000  # VC dimensions: from here on in floats; at most


def _by_growth(
    vc_dim: Numbers,
    eps: Numbers,
    delta: Numbers,
    growth: Growth,
    factor: int,
    scale: Callable[[Fraction], Fraction],
    *,
    lg: bool = False,
    points: int = 2,
    start: Callable[[Fraction], int] = lambda eps: 1,
) -> Counts:
    """Least m with m >= scale(eps) log(factor H[points m] / delta), log being ln or ``lg``.

    Sauer's sum of a large VC dimension is too long to write out, and is taken in logarithms.
    """
    times = _lg_times if lg else ceiling_of_ln

    def exact(d: Fraction, eps: Fraction, delta: Fraction) -> int:
        if growth_is_sauer(growth) and d > _IN_LOGARITHMS:
            return least(lambda m: in_logarithms(m, d, eps, delta), start(eps))
        H = growth_function(growth, int(d))
        return least(lambda m: times(factor * H(points * m) / delta, scale(eps)), start(eps))

    def in_logarithms(m: int, d: Fraction, eps: Fraction, delta: Fraction) -> int:
        if d > _LARGEST:
            raise ValueError(
                f"vc_dim must be at most {_LARGEST} for Sauer's sum, got {float(floats(d)):g}; "
                "vc_smallest_m and consistent_vc_smallest_m take any, by the bound (em/d)^d."
            )
        bits = lg_sauer_sum(points * m, int(d)) + float(ln(factor / delta)) / LN2
        return ceil(float(scale(eps)) * bits * (1 if lg else LN2))

    return each(exact, vc_dim=vc_dim, eps=eps, delta=delta)


def _by_dimension(
    d: Numbers,
    eps: Numbers,
    delta: Numbers,
    factor: int,
    scale: Callable[[Fraction], Decimal],
    points: int = 1,
) -> Counts:
    """Least m >= d with m >= scale(eps) ln(factor (e points m / d)^d / delta)."""

    def exact(d: Fraction, eps: Fraction, delta: Fraction) -> int:
        def needed(m: int) -> int:
            ratio = points * m / d

            def real() -> Decimal:
                logs = decimal(d) * (1 + decimal(ratio).ln()) + decimal(factor / delta).ln()
                return logs * scale(eps)

            return ceiling_of_irrational(real, ratio, eps**2, delta)

        return least(needed, int(d))

    return each(exact, d=d, eps=eps, delta=delta)


# --- Without training error ----------------------------------------------------------------------


def vc_occam_smallest_m(
    vc_dim: Numbers, eps: Numbers, delta: Numbers, growth: Growth = None
) -> Counts:
    r"""Least number of examples after which every consistent hypothesis of a class is good.

    .. math:: \min \Bigl\{m : m \ge \frac{2}{\epsilon}
              \Bigl(\lg(2 H[2m]) + \lg\frac{1}{\delta}\Bigr)\Bigr\}

    Guarantee: with so many, with probability at least 1 - delta every hypothesis of a true error of
    eps or more errs on one of them. ``growth`` is a function of the number of points, H[n], that
    does not exceed Sauer's sum; None or "sauer" is Sauer's sum itself. The proof also uses
    m >= 8/eps, which matters for tiny classes and large delta only: see
    :func:`vc_occam_smallest_m_as_proved`.

    >>> vc_occam_smallest_m(3, 0.1, 0.05), vc_occam_smallest_m(2, 0.1, 0.05, lambda n: 2 * n)
    (680, 313)

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.19.
    """
    return _by_growth(vc_dim, eps, delta, growth, 2, lambda eps: 2 / eps, lg=True)


def vc_occam_smallest_m_as_proved(
    vc_dim: Numbers, eps: Numbers, delta: Numbers, growth: Growth = None
) -> Counts:
    r"""The same with the condition that the proof uses implicitly, m >= 8/eps.

    .. math:: \max\Bigl(\lceil 8/\epsilon \rceil,\; \min \Bigl\{m : m \ge \frac{2}{\epsilon}
              \Bigl(\lg(2 H[2m]) + \lg\frac{1}{\delta}\Bigr)\Bigr\}\Bigr)

    Guarantee: that of :func:`vc_occam_smallest_m`.

    >>> vc_occam_smallest_m(0, 0.1, 0.9), vc_occam_smallest_m_as_proved(0, 0.1, 0.9)
    (24, 80)

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.19 and its proof.
    """
    return _by_growth(
        vc_dim, eps, delta, growth, 2, lambda eps: 2 / eps, lg=True, start=lambda eps: ceil(8 / eps)
    )


def consistent_vc_smallest_m(d: Numbers, eps: Numbers, delta: Numbers) -> Counts:
    r"""Least number of examples with which :func:`consistent_vc` is at most eps.

    .. math:: \min \{m \ge d : 2 d \lg(2em/d) + 2 \lg(2/\delta) \le \epsilon\, m\}

    Guarantee: a hypothesis of a class of VC dimension d that errs on none of so many has a true
    error of at most eps, with probability at least 1 - delta.

    >>> consistent_vc_smallest_m(3, 0.1, 0.05)
    729

    Reference: Schapire and Freund, Boosting, Theorem 2.7, solved for m.
    """

    return _by_dimension(d, eps, delta, 2, lambda eps: 2 / (_TWO.ln() * decimal(eps)), points=2)


# --- Any training error ------------------------------------------------------------------------


def vc_uniform_smallest_m_as_printed(
    vc_dim: Numbers, eps: Numbers, delta: Numbers, growth: Growth = None
) -> Counts:
    r"""Least number of examples that show all errors of a class up to eps, as it is printed.

    .. math:: \min \Bigl\{m : m \ge \frac{8}{\epsilon^2}
              \Bigl(\ln(2 H[2m]) + \ln\frac{1}{\delta}\Bigr)\Bigr\}

    Guarantee: the statement of the theorem; its proof gives
    :func:`vc_uniform_smallest_m_as_proved`.

    >>> vc_uniform_smallest_m_as_printed(1, 0.1, 0.05)
    10947

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.20.
    """
    return _by_growth(vc_dim, eps, delta, growth, 2, lambda eps: 8 / eps**2)


def vc_uniform_smallest_m_as_proved(
    vc_dim: Numbers, eps: Numbers, delta: Numbers, growth: Growth = None
) -> Counts:
    r"""Least number of examples that show all errors of a class up to eps, to both sides.

    .. math:: \min \Bigl\{m : m \ge \frac{8}{\epsilon^2}
              \Bigl(\ln(4 H[2m]) + \ln\frac{1}{\delta}\Bigr)\Bigr\}

    Guarantee: with so many, with probability at least 1 - delta the training and the true error of
    every hypothesis differ by at most eps. The proof needs :math:`2 \cdot 2 e^{-\epsilon^2 m/8}
    H[2m] \le \delta`, which is the 4 here. ``growth`` as in :func:`vc_occam_smallest_m`.

    >>> vc_uniform_smallest_m_as_proved(1, 0.1, 0.05)
    11544

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.20 and its proof.
    """
    return _by_growth(vc_dim, eps, delta, growth, 4, lambda eps: 8 / eps**2)


def growth_smallest_m(
    vc_dim: Numbers, eps: Numbers, delta: Numbers, growth: Growth = None
) -> Counts:
    r"""Least number of examples with which :func:`growth_failure` is at most delta.

    .. math:: \min \{m : 8\, \Pi(m)\, e^{-m \epsilon^2 / 32} \le \delta\}

    Guarantee: with so many, with probability at least 1 - delta no hypothesis looks better by eps
    than it is. ``growth`` as in :func:`vc_occam_smallest_m`.

    >>> growth_smallest_m(3, 0.2, 0.05)
    27127

    Reference: Schapire and Freund, Boosting, Theorem 2.3, solved for m.
    """
    return _by_growth(vc_dim, eps, delta, growth, 8, lambda eps: 32 / eps**2, points=1)


def vc_smallest_m(d: Numbers, eps: Numbers, delta: Numbers) -> Counts:
    r"""Least number of examples with which :func:`vc_failure` is at most delta.

    .. math:: \min \{m \ge d : 8\, (em/d)^d\, e^{-m \epsilon^2 / 32} \le \delta\}

    Guarantee: with so many, with probability at least 1 - delta no hypothesis of a class of VC
    dimension d looks better by eps than it is.

    >>> vc_smallest_m(3, 0.2, 0.05)
    28437

    Reference: Schapire and Freund, Boosting, Theorem 2.5, solved for m.
    """

    return _by_dimension(d, eps, delta, 8, lambda eps: 32 / decimal(eps**2))


# --- What no learner can do without -----------------------------------------------------------


def vc_lower_m(d: Numbers, eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples that every PAC learner of a class of VC dimension d needs.

    .. math:: \max\Bigl(\frac{d - 1}{32 \epsilon},\;
              \frac{1 - \epsilon}{\epsilon} \ln\frac{1}{\delta}\Bigr), \qquad
              0 < \epsilon \le 1/8,\ 0 < \delta \le 1/100,\ d \ge 2

    Guarantee: with fewer, for every learner there are a distribution and a concept of the class on
    which its error exceeds eps with probability above delta. A class of infinite VC dimension
    cannot be learned at all, not even weakly.

    >>> round(vc_lower_m(10, 0.1, 0.01), 4), round(vc_lower_m(1000, 0.1, 0.01), 4)
    (41.4465, 312.1875)

    Reference: Ehrenfeucht, Haussler, Kearns and Valiant (1989), A general lower bound on the
    number of examples needed for learning, Theorem 1.
    """
    d, eps, delta = read(d=(d, at_least(2)), eps=(eps, _EIGHTH), delta=(delta, _HUNDREDTH))
    by_dimension = floats(d - 1) / floats(32 * eps)
    by_confidence = -floats((1 - eps) / eps) * ln(delta)
    return reals(np.maximum(by_dimension, by_confidence))
