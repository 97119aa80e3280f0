"""One hypothesis: how far its observed error can be from the true one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...base.types import Array
from .arithmetic import exp, floats, ln, ln_one_minus, reals, root
from .reading import ROUNDS, SLACK, Numbers, Reals, demand, fractions, read


def hoeffding_one_sided(m: Numbers, eps: Numbers) -> Reals:
    r"""Chance that a mean of m independent values in [0, 1] is off by eps, to one side.

    .. math:: e^{-2 m \epsilon^2}

    Guarantee: Pr[mean <= expectation - eps] is at most this, and the same on the other side; so
    it bounds the chance that one fixed hypothesis looks better by eps than it is.

    >>> round(hoeffding_one_sided(50, 0.1), 6)
    0.367879

    Reference: Hoeffding (1963); Schapire and Freund, Boosting, Theorem 2.1.
    """
    m, eps = read(m=m, eps=eps)
    return reals(exp(-2 * m * eps**2))


def hoeffding_two_sided(m: Numbers, eps: Numbers) -> Reals:
    r"""Chance that a mean of m independent values in [0, 1] is off by eps, to either side.

    .. math:: 2 e^{-2 m \epsilon^2}

    Guarantee: Pr[\|mean - expectation\| >= eps] is at most this; the union of the two sides.

    >>> round(hoeffding_two_sided(200, 0.05), 6)
    0.735759

    Reference: Hoeffding (1963); Schapire and Freund, Boosting, Theorem 2.1.
    """
    return 2 * hoeffding_one_sided(m, eps)


def single_upper(err: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Upper bound on the true error of one hypothesis, fixed before the m examples were seen.

    .. math:: \widehat{err} + \sqrt{\ln(1/\delta) / (2m)}

    Guarantee: the true error is at most this with probability at least 1 - delta.

    >>> round(single_upper(0.1, 500, 0.05), 6)
    0.154733

    Reference: Hoeffding (1963); Schapire and Freund, Boosting, section 2.2.1.
    """
    err, m, delta = read(err=err, m=m, delta=delta)
    return reals(floats(err) + root(-ln(delta), 2 * m))


def single_two_sided_width(m: Numbers, delta: Numbers) -> Reals:
    r"""Half-width of the interval around the observed error of one fixed hypothesis.

    .. math:: \sqrt{\ln(2/\delta) / (2m)}

    Guarantee: observed and true error differ by at most this with probability at least 1 - delta.

    >>> round(single_two_sided_width(500, 0.05), 6)
    0.060736

    Reference: Hoeffding (1963); Schapire and Freund, Boosting, section 2.2.1.
    """
    m, delta = read(m=m, delta=delta)
    return reals(root(-ln(delta / 2), 2 * m))


def single_m(eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples that show the error of one fixed hypothesis up to eps, to one side.

    .. math:: \ln(1/\delta) / (2 \epsilon^2)

    Guarantee: with at least this many the true error is at most the observed one plus eps, with
    probability at least 1 - delta: :func:`single_upper` solved for m.

    >>> round(single_m(0.05, 0.05), 2)
    599.15

    Reference: Hoeffding (1963); Schapire and Freund, Boosting, section 2.2.1.
    """
    eps, delta = read(eps=eps, delta=delta)
    return reals(-ln(delta) / floats(2 * eps**2))


def single_two_sided_m(eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples that show the error of one fixed hypothesis up to eps, to both sides.

    .. math:: \ln(2/\delta) / (2 \epsilon^2)

    Guarantee: with at least this many observed and true error differ by at most eps, with
    probability at least 1 - delta: :func:`single_two_sided_width` solved for m.

    >>> round(single_two_sided_m(0.05, 0.05), 2)
    737.78

    Reference: Hoeffding (1963); Schapire and Freund, Boosting, section 2.2.1.
    """
    eps, delta = read(eps=eps, delta=delta)
    return reals(-ln(delta / 2) / floats(2 * eps**2))


def _tail_floor(m: Array, p: Array, eps: Array) -> NDArray[np.float64]:
    """floor((p - eps) m), exactly."""
    guess = floats((p - eps) * m)
    near = np.abs(guess - np.rint(guess)) <= 1e-9 * (1 + np.abs(guess))
    floors = np.array(np.floor(guess))
    close = [fractions("", x[near]) for x in (m, p, eps)]
    floors[near] = [math.floor((p - eps) * m) for m, p, eps in zip(*close, strict=True)]
    return floors


def binomial_lower_tail(m: Numbers, p: Numbers, eps: Numbers) -> Reals:
    r"""Exact chance that m coin flips of bias p show a mean of at most p - eps.

    .. math:: \sum_{i=0}^{\lfloor (p - \epsilon) m \rfloor} \binom{m}{i} p^i (1 - p)^{m-i}

    Guarantee: an equality; never above :func:`hoeffding_one_sided`. It is 0 where p < eps.

    >>> round(binomial_lower_tail(10, 0.3, 0.1), 6)
    0.382783

    Reference: Schapire and Freund, Boosting, section 2.2.1.
    """
    from scipy.special import betainc  # only this function needs it

    m, p, eps = np.broadcast_arrays(*read(m=m, p=p, eps=(eps, SLACK)), subok=False)
    last, size = _tail_floor(m, p, eps), floats(m)
    with np.errstate(invalid="ignore"):
        tail = betainc(size - last, last + 1, floats(1 - fractions("p", p)))
    return reals(np.where(last < 0, 0.0, np.where(last >= size, 1.0, tail)))


def binomial_upper(k: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Exact upper bound on a probability, from k events in m independent trials.

    .. math:: \max \{p : \Pr[\mathrm{Binomial}(m, p) \le k] \ge \delta\}

    Guarantee: the true probability is at most this with probability at least 1 - delta. Never
    above :func:`single_upper`, and much below it where events are rare: for k = 0 it is
    1 - delta^(1/m), which is at most :func:`consistent_one`.

    >>> round(binomial_upper(5, 100, 0.05), 6), round(binomial_upper(0, 100, 0.05), 6)
    (0.102253, 0.029513)

    Reference: Clopper and Pearson (1934); Langford (2005), Tutorial on practical prediction theory
    for classification, Theorem 3.3.
    """
    from scipy.special import betainccinv

    k, m, delta = _trials(k, m, delta)
    with np.errstate(invalid="ignore"):
        return reals(np.where(k == m, 1.0, betainccinv(k + 1, m - k, delta)))


def binomial_lower(k: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Exact lower bound on a probability, from k events in m independent trials.

    .. math:: \min \{p : \Pr[\mathrm{Binomial}(m, p) \ge k] \ge \delta\}

    Guarantee: the true probability is at least this with probability at least 1 - delta. With
    delta/2 here and in :func:`binomial_upper` both hold together: the interval of Clopper and
    Pearson.

    >>> round(binomial_lower(5, 100, 0.025), 6), round(binomial_upper(5, 100, 0.025), 6)
    (0.016432, 0.112835)

    Reference: Clopper and Pearson (1934).
    """
    from scipy.special import betaincinv

    k, m, delta = _trials(k, m, delta)
    with np.errstate(invalid="ignore"):
        return reals(np.where(k == 0, 0.0, betaincinv(k, m - k + 1, delta)))


def _trials(k: Numbers, m: Numbers, delta: Numbers) -> list[NDArray[np.float64]]:
    found = read(k=(k, ROUNDS), m=m, delta=delta)
    demand(found[0] <= found[1], "at most m, the number of trials", k=found[0])
    return [floats(x) for x in found]


def best_of_many(N: Numbers, n: Numbers, k: Numbers) -> Reals:
    r"""Chance that the luckiest of N guessers gets at least k of n coin flips right.

    .. math:: 1 - (1 - \Pr[\mathrm{Binomial}(n, 1/2) \ge k])^N

    Guarantee: an equality, for guessers without any knowledge. So the best of many hypotheses can
    look good on n examples and be worth nothing.

    >>> [round(best_of_many(50, 10, k), 3) for k in (8, 9)], round(best_of_many(1000, 10, 10), 3)
    ([0.94, 0.417], 0.624)

    Reference: Schapire and Freund, Boosting, section 2.1.1.
    """
    from scipy.special import betainc

    N, n, k = np.broadcast_arrays(*(floats(x) for x in read(N=N, n=n, k=(k, ROUNDS))))
    with np.errstate(invalid="ignore", divide="ignore"):
        one = np.where(k == 0, 1.0, np.where(k > n, 0.0, betainc(k, n - k + 1, 0.5)))
        return reals(-np.expm1(N * ln_one_minus(one)))
