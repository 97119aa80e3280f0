"""Boosting the confidence by tries, and boosting by filtering a stream of examples."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from .arithmetic import LN2, floats, ln, ln_one_minus, reals, root
from .counting import ceiling_of_ln, count, count_of_ln, each, least_power
from .reading import CONFIDENCE, EDGE_OR_NONE, Counts, Numbers, Reals, read


def confidence_k_success(success_probability: Numbers, delta: Numbers) -> Counts:
    r"""Independent tries until one has succeeded, except with probability delta.

    .. math:: \min \{k : (1 - p)^k \le \delta\}

    Guarantee: if each try succeeds with probability at least p on its own, then all k fail with
    probability at most delta.

    >>> confidence_k_success(0.9, 1e-5)
    5

    Reference: Schapire (1990), The strength of weak learnability, on boosting the confidence;
    Schapire and Freund, Boosting, section 2.3.
    """
    return count(
        lambda p, delta: least_power(1 - p, delta),
        lambda p, delta: np.asarray(ln(delta) / ln_one_minus(p)),
        success_probability=success_probability,
        delta=delta,
    )


def resample_tries(T: Numbers, delta: Numbers, success_probability: Numbers) -> Counts:
    r"""Tries allowed in each of T rounds of boosting by resampling.

    .. math:: \lceil \ln(T/\delta) / \ln(1/(1 - p)) \rceil

    Guarantee: (1 - p)^k <= delta / T, so by the union bound the chance that some round uses up
    its k tries without an accepted hypothesis is at most delta.

    >>> resample_tries(100, 0.001, 0.9)
    5

    Reference: Freund and Schapire (1997), on learners that ignore weights; union bound.
    """
    return count(
        lambda T, delta, p: least_power(1 - p, delta / T),
        lambda T, delta, p: np.asarray(ln(delta / T) / ln_one_minus(p)),
        T=T,
        delta=delta,
        success_probability=success_probability,
    )


def confidence_k_failure_as_printed(failure_probability: Numbers, delta: Numbers) -> Counts:
    r"""Number of training chunks as the exercise prints it, for a learner that may fail.

    .. math:: \lceil \ln \delta / \ln \delta_0 \rceil

    Guarantee: delta_0^k <= delta, where delta_0 is the chance that one run *fails*. The exercise's
    own argument needs delta/2 here: see :func:`confidence_k_failure_fixed`.

    >>> confidence_k_failure_as_printed(0.1, 1e-5)
    5

    Reference: Shalev-Shwartz and Ben-David, Understanding Machine Learning, Exercise 10.1.
    """
    return count(
        least_power,
        lambda q, delta: np.asarray(ln(delta) / ln(q)),
        failure_probability=failure_probability,
        delta=delta,
    )


def confidence_k_failure_fixed(failure_probability: Numbers, delta: Numbers) -> Counts:
    r"""Number of training chunks that the proof of the exercise needs.

    .. math:: \lceil \ln(\delta/2) / \ln \delta_0 \rceil

    Guarantee: all k runs fail with probability at most delta/2, which leaves the other delta/2 to
    the choice among them on fresh data (:func:`confidence_validation`).

    >>> confidence_k_failure_fixed(0.5, 0.05)
    6

    Reference: Shalev-Shwartz and Ben-David, Understanding Machine Learning, hint to Exercise 10.1.
    """
    return count(
        lambda q, delta: least_power(q, delta / 2),
        lambda q, delta: np.asarray(ln(delta / 2) / ln(q)),
        failure_probability=failure_probability,
        delta=delta,
    )


def _validation(k: Any, eps: Any, delta: Any) -> tuple[Any, Any]:
    """2 ln(4k/delta) / eps^2 as x and the scale of ln x."""
    return 4 * k / delta, 2 / eps**2


def confidence_validation(k: Numbers, eps: Numbers, delta: Numbers) -> Counts:
    r"""Held-out examples that suffice to choose among k hypotheses.

    .. math:: \lceil 2 \ln(4k/\delta) / \epsilon^2 \rceil

    Guarantee: with probability at least 1 - delta/2 all k held-out errors are within eps/2 of the
    true ones, so the best on the held-out data is within eps of the best of the k.

    >>> confidence_validation(5, 0.1, 0.05)
    1199

    Reference: Shalev-Shwartz and Ben-David, Understanding Machine Learning, Exercise 10.1.
    """
    return count_of_ln(_validation, k=k, eps=eps, delta=delta)


def confidence_validation_eps(k: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""How far above the best of k hypotheses the one chosen on m held-out examples can be.

    .. math:: \sqrt{2 \ln(4k/\delta) / m}

    Guarantee: with probability at least 1 - delta/2; :func:`confidence_validation` solved for eps.

    >>> round(confidence_validation_eps(5, 1199, 0.05), 6)
    0.099971

    Reference: Shalev-Shwartz and Ben-David, Understanding Machine Learning, Exercise 10.1.
    """
    k, m, delta = read(k=k, m=m, delta=delta)
    return reals(root(2 * ln(4 * k / delta), m))


def confidence_total_m(
    failure_probability: Numbers, m_H: Numbers, eps: Numbers, delta: Numbers
) -> Counts:
    r"""All examples that boosting the confidence takes.

    .. math:: k\, m_H + \lceil 2 \ln(4k/\delta) / \epsilon^2 \rceil, \qquad
              k = \lceil \ln(\delta/2) / \ln \delta_0 \rceil

    Guarantee: if the learner, given m_H examples, is within eps of the best of its class except
    with probability delta_0, then the hypothesis chosen among k is within 2 eps, except with
    probability delta. So pass half of the eps that is wanted, and the m_H for that half. A single
    run (k = 1) is not chosen from, and takes no more than its own examples.

    >>> confidence_total_m(0.5, m_H=1000, eps=0.05, delta=0.05)
    10940

    Reference: Shalev-Shwartz and Ben-David, Understanding Machine Learning, Exercise 10.1, with
    the k that its proof needs (:func:`confidence_k_failure_fixed`).
    """

    def total(q: Fraction, m: Fraction, eps: Fraction, delta: Fraction) -> int:
        k = least_power(q, delta / 2)
        return int(k * m) + (ceiling_of_ln(*_validation(k, eps, delta)) if k > 1 else 0)

    return each(total, failure_probability=failure_probability, m_H=m_H, eps=eps, delta=delta)


# --- Boosting by filtering ------------------------------------------------------------------------


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
    return count_of_ln(
        lambda t, r, eps, delta: (3 * t * (t + 1) * r * (r + 1) / delta, 2 / eps),
        t=t,
        r=r,
        eps=(eps, CONFIDENCE),
        delta=delta,
    )
