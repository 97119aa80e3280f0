"""Learning one example at a time: mistakes, regret, and what they say of a batch."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ...base.types import Array
from .arithmetic import floats, ln, reals
from .counting import ceiling_of_irrational, ceiling_of_ln, count, decimal, each
from .reading import (
    CONFIDENCE,
    PROBABILITY,
    ROUNDS,
    SLACK,
    Counts,
    Numbers,
    Range,
    Reals,
    demand,
    read,
)

# --- The perceptron ----------------------------------------------------------------------------


_IN_THE_BALL = Range(
    "between 0 and 1, for examples of length at most 1 (others: perceptron_mistakes_R)",
    PROBABILITY.holds,
)


def _over(x: object, y: Array) -> Array:
    with np.errstate(divide="ignore", over="ignore"):
        return np.asarray(np.where(floats(y) == 0, np.inf, floats(x) / floats(y)))


def perceptron_mistakes(gamma: Numbers) -> Reals:
    r"""Bound on the mistakes of the perceptron on examples of length at most 1.

    .. math:: 1 / \gamma^2

    Guarantee: if some unit vector w has y w.x >= gamma on every example, the perceptron makes at
    most so many mistakes, in whatever order the examples come and however often. No margin
    (gamma = 0) promises nothing.

    >>> round(perceptron_mistakes(0.1)), perceptron_mistakes(0)
    (100, inf)

    Reference: Novikoff (1962); Blum, Hopcroft and Kannan, Foundations of Data Science, Theorems
    6.9 and 6.13.
    """
    (gamma,) = read(gamma=(gamma, _IN_THE_BALL))
    return reals(_over(1.0, gamma**2))


def perceptron_mistakes_R(gamma: Numbers, R: Numbers) -> Reals:
    r"""Bound on the mistakes of the perceptron on examples of length at most R.

    .. math:: (R / \gamma)^2

    Guarantee: that of :func:`perceptron_mistakes`, on any scale. No example of length R can have a
    margin above R.

    >>> round(perceptron_mistakes_R(0.3, 10), 4)
    1111.1111

    Reference: Novikoff (1962); Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.9.
    """
    gamma, R = read(gamma=(gamma, SLACK), R=R)
    demand(gamma <= R, "at most R: no example is further from a boundary than it is long",
           gamma=gamma)  # fmt: skip
    return reals(_over(R, gamma) ** 2)


def perceptron_hinge(norm_sq: Numbers, hinge: Numbers) -> Reals:
    r"""Bound on the mistakes of the perceptron on examples that need not be separable.

    .. math:: |w|^2 + 2 \sum_t \max(0, 1 - y_t\, w \cdot x_t)

    Guarantee: for every vector w at once, on any sequence of examples of length at most 1;
    ``hinge`` is the total hinge loss of w. :func:`perceptron_hinge_best` finds the best length of
    a given direction.

    >>> perceptron_hinge(norm_sq=100, hinge=3.5)
    107.0

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.16.
    """
    norm_sq, hinge = read(norm_sq=norm_sq, hinge=hinge)
    return reals(floats(norm_sq) + 2 * floats(hinge))


_FINITE = Range("finite numbers", np.isfinite)


def perceptron_hinge_scale(margins: Numbers) -> Reals:
    r"""The length of a direction with which :func:`perceptron_hinge` is least.

    .. math:: \arg\min_{s \ge 0} \; s^2 + 2 \sum_t \max(0, 1 - s\, \mu_t)

    Guarantee: an equality. ``margins`` are mu_t = y_t u.x_t of a unit vector u, one an example;
    leading axes are several directions.

    >>> perceptron_hinge_scale([0.5, 0.5, 0.25])
    1.25

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, after Theorem 6.16.
    """
    mu = np.atleast_1d(floats(read(margins=(margins, _FINITE))[0]))
    return reals(np.apply_along_axis(_best_scale, -1, mu))


def _best_scale(mu: NDArray[np.float64]) -> float:
    """Half of the slope at s is s minus the sum of the margins below 1/s, and rises."""
    falling = np.sort(mu[mu > 0])[::-1]  # the kinks 1/mu in order
    slope = mu.sum() - np.concatenate([[0.0], np.cumsum(falling)])  # before the k-th kink
    with np.errstate(over="ignore"):
        kinks = np.concatenate([1 / falling, [np.inf]])
    k = int(np.argmax(kinks >= slope))  # the first piece whose end lies beyond its own minimum
    start = 0.0 if k == 0 else kinks[k - 1]
    return max(float(slope[k]), float(start), 0.0)


def perceptron_hinge_best(margins: Numbers) -> Reals:
    r"""The least that :func:`perceptron_hinge` is over all lengths of a direction.

    .. math:: \min_{s \ge 0} \; s^2 + 2 \sum_t \max(0, 1 - s\, \mu_t)

    Guarantee: the perceptron makes at most so many mistakes, where mu_t = y_t u.x_t for a unit
    vector u, and all examples have length at most 1. Leading axes are several directions.

    >>> perceptron_hinge_best([0.5, 0.5, 0.25]), perceptron_hinge_best([0.1] * 1000)
    (4.4375, 100.0)

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, after Theorem 6.16.
    """
    mu = np.atleast_1d(floats(read(margins=(margins, _FINITE))[0]))
    s = np.asarray(perceptron_hinge_scale(mu))
    hinge = np.maximum(0.0, 1 - s[..., None] * mu).sum(axis=-1)
    return reals(s**2 + 2 * hinge)


# --- From one at a time to a batch ---------------------------------------------------------------


def random_stopping_m(M: Numbers, eps: Numbers) -> Reals:
    r"""Examples for a run that is stopped at random.

    .. math:: M / \epsilon

    Guarantee: if the learner makes at most M mistakes, then its hypothesis before an example chosen
    at random among at least so many has an expected true error of at most eps.

    >>> random_stopping_m(100, 0.05)
    2000.0

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.14.
    """
    M, eps = read(M=M, eps=eps)
    return reals(floats(M / eps))


def random_stopping_err(M: Numbers, m: Numbers) -> Reals:
    r"""Expected true error of a hypothesis from a run over m examples, stopped at random.

    .. math:: M / m

    Guarantee: at most this, for a learner of at most M mistakes; :func:`random_stopping_m` solved
    for eps.

    >>> random_stopping_err(100, 5000)
    0.02

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.14.
    """
    M, m = read(M=M, m=m)
    return reals(floats(M / m))


def large_gap_run(i: Numbers, eps: Numbers, delta: Numbers) -> Reals:
    r"""Right predictions in a row after which to stop, once i mistakes were made.

    .. math:: \frac{1}{\epsilon} \ln\frac{(i + 2)^2}{\delta}

    Guarantee: with probability at least 1 - delta, no hypothesis of a true error above eps survives
    the run that follows its mistake, because the sum of 1/(i + 2)^2 over all i is below 1. The
    number before it is rounded up.

    >>> round(large_gap_run(3, 0.1, 0.05), 4)
    62.1461

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.15.
    """
    i, eps, delta = read(i=i, eps=eps, delta=delta)
    return reals((2 * ln(i + 2) - ln(delta)) / floats(eps))


def large_gap_err(i: Numbers, run: Numbers, delta: Numbers) -> Reals:
    r"""Bound on the true error after i mistakes and then a run of right predictions.

    .. math:: \frac{1}{n} \ln\frac{(i + 2)^2}{\delta}

    Guarantee: :func:`large_gap_run` solved for eps, for a run of n that was to be waited for.

    >>> round(large_gap_err(3, 63, 0.05), 6)
    0.098645

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.15.
    """
    i, run, delta = read(i=i, run=run, delta=delta)
    return reals((2 * ln(i + 2) - ln(delta)) / floats(run))


def large_gap_total(M: Numbers, eps: Numbers, delta: Numbers) -> Counts:
    r"""Examples within which a learner of at most M mistakes has made its large gap.

    .. math:: M + \sum_{i=0}^{M} \Bigl\lceil \frac{1}{\epsilon}
              \ln\frac{(i + 2)^2}{\delta} \Bigr\rceil

    Guarantee: between two mistakes the run is shorter than the one waited for, and the last is as
    long.

    >>> large_gap_total(10, 0.1, 0.05)
    743

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.15.
    """

    def total(M: Fraction, eps: Fraction, delta: Fraction) -> int:
        return int(M) + sum(ceiling_of_ln((i + 2) ** 2 / delta, 1 / eps) for i in range(int(M) + 1))

    return each(total, M=(M, ROUNDS), eps=eps, delta=delta)


# --- Experts and games ---------------------------------------------------------------------------


def sleeping_bound(mistakes_i: Numbers, n: Numbers, eps: Numbers) -> Reals:
    r"""Bound on the expected mistakes of combined sleeping experts, where expert i is awake.

    .. math:: (1 + \epsilon)\, m_i + \frac{(1 + \epsilon) \ln n}{\ln(1 + \epsilon)}

    Guarantee: for each of n experts at once: on the examples on which it predicts (and makes m_i
    mistakes), the combination makes at most so many mistakes in expectation. Its weighted majority
    makes at most twice as many.

    >>> round(sleeping_bound(3, 10, 0.5), 4)
    13.0183

    Reference: Freund, Schapire, Singer and Warmuth (1997); Blum, Hopcroft and Kannan, Foundations
    of Data Science, Theorem 6.18.
    """
    mistakes, n, eps = read(mistakes_i=mistakes_i, n=n, eps=(eps, CONFIDENCE))
    more = floats(1 + eps)
    return reals(more * floats(mistakes) + more * ln(n) / np.log1p(floats(eps)))


def mw_eta(m: Numbers, T: Numbers) -> Reals:
    r"""The rate of multiplicative weights over m rows for T rounds.

    .. math:: \ln\bigl(1 + \sqrt{2 \ln m / T}\bigr)

    Guarantee: with this rate the average regret is at most :func:`mw_delta`.

    >>> round(mw_eta(10, 100), 6)
    0.194412

    Reference: Freund and Schapire (1999), Adaptive game playing using multiplicative weights.
    """
    m, T = read(m=m, T=T)
    return reals(np.log1p(np.sqrt(2 * ln(m) / floats(T))))


def mw_delta(m: Numbers, T: Numbers) -> Reals:
    r"""Bound on the average regret of multiplicative weights over m rows after T rounds.

    .. math:: \sqrt{2 \ln m / T} + \ln m / T

    Guarantee: with the rate :func:`mw_eta`, the average loss, in [0, 1] a round, exceeds that of
    the best row by at most this. Against best responses it is how far the averaged strategies are
    from the value of the game.

    >>> round(mw_delta(10, 100), 6)
    0.237622

    Reference: Freund and Schapire (1999), Adaptive game playing using multiplicative weights.
    """
    m, T = read(m=m, T=T)
    share = ln(m) / floats(T)
    return reals(np.sqrt(2 * share) + share)


def _regret_rounds(m: Fraction, eps: Fraction) -> int:
    if m == 1:
        return 1
    # ln m over the square x^2 of the root of sqrt(2) x + x^2 = eps
    return ceiling_of_irrational(
        lambda: decimal(m).ln() * (1 + decimal(eps) + (1 + 2 * decimal(eps)).sqrt())
        / decimal(eps) ** 2,
        m,
        eps,
        eps,
    )  # fmt: skip


def _regret_rounds_estimate(m: Array, eps: Array) -> NDArray[np.float64]:
    e = floats(eps)
    return np.asarray(ln(m) * (1 + e + np.sqrt(1 + 2 * e)) / e**2)


def mw_rounds(m: Numbers, eps: Numbers) -> Counts:
    r"""Rounds after which multiplicative weights over m rows regret at most eps on average.

    .. math:: \min \{T : \sqrt{2 \ln m / T} + \ln m / T \le \epsilon\}
              = \Bigl\lceil \ln m \, \frac{1 + \epsilon + \sqrt{1 + 2\epsilon}}{\epsilon^2}
              \Bigr\rceil

    Guarantee: :func:`mw_delta` solved for T.

    >>> mw_rounds(10, 0.1)
    506

    Reference: Freund and Schapire (1999), Adaptive game playing using multiplicative weights.
    """
    return count(_regret_rounds, _regret_rounds_estimate, m=m, eps=eps)


def mw_bound(best_total: Numbers, n: Numbers, eta: Numbers) -> Reals:
    r"""Bound on the total loss of multiplicative weights (Hedge) over n rows at the rate eta.

    .. math:: \frac{\eta \min_i L_i + \ln n}{1 - e^{-\eta}}

    Guarantee: for losses in [0, 1] a round, on any sequence; L_i is the total loss of row i, and
    ``best_total`` the least of them.

    >>> round(mw_bound(100, 10, 0.2), 4)
    123.0357

    Reference: Freund and Schapire (1997), A decision-theoretic generalization of on-line learning,
    Theorem 2.
    """
    best, n, eta = read(best_total=best_total, n=n, eta=eta)
    rate = floats(eta)
    return reals((rate * floats(best) + ln(n)) / -np.expm1(-rate))
