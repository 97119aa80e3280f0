"""Finite classes: what holds for all of their hypotheses at once."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...base.types import Array
from .arithmetic import LN2, floats, ln, reals, root, times_exp
from .counting import ceiling_of_irrational, count, decimal
from .reading import Counts, Numbers, Reals, read

# --- Any training error ------------------------------------------------------------------------


def finite_class_failure(H: Numbers, m: Numbers, eps: Numbers) -> Reals:
    r"""Chance that some hypothesis of a class of H looks better by eps than it is.

    .. math:: |H|\, e^{-2 m \epsilon^2}

    Guarantee: except with this probability, every hypothesis of the class has a true error of at
    most its training error on the m examples plus eps. H = 1 gives :func:`hoeffding_one_sided`.

    >>> round(finite_class_failure(1000, 500, 0.1), 6)
    0.0454

    Reference: Schapire and Freund, Boosting, Theorem 2.2.
    """
    H, m, eps = read(H=H, m=m, eps=eps)
    return reals(times_exp(H, floats(-2 * m * eps**2)))


def finite_class_upper(err: Numbers, lnH: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Upper bound on the true error of any hypothesis of a finite class.

    .. math:: \widehat{err} + \sqrt{(\ln|H| + \ln(1/\delta)) / (2m)}

    Guarantee: with probability at least 1 - delta it holds for all hypotheses of the class at once,
    so also for one that was chosen by looking at the m examples; the class itself must not be.
    The logarithm of the size of the class is asked for, because the size may be beyond all numbers.

    >>> round(finite_class_upper(0.1, np.log(1000), 500, 0.05), 6)
    0.199516

    Reference: Schapire and Freund, Boosting, Theorem 2.2.
    """
    err, lnH, m, delta = read(err=err, lnH=lnH, m=m, delta=delta)
    return reals(floats(err) + root(floats(lnH) - ln(delta), 2 * m))


def finite_class_m(lnH: Numbers, eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples after which no hypothesis of a finite class looks better by eps than it is.

    .. math:: (\ln|H| + \ln(1/\delta)) / (2 \epsilon^2)

    Guarantee: :func:`finite_class_upper` solved for m; eps is what it adds to the training error.

    >>> round(finite_class_m(np.log(1000), 0.1, 0.05), 3)
    495.174

    Reference: Schapire and Freund, Boosting, Theorem 2.2.
    """
    lnH, eps, delta = read(lnH=lnH, eps=eps, delta=delta)
    return reals((floats(lnH) - ln(delta)) / floats(2 * eps**2))


def uniform_m(lnH: Numbers, eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples that show the errors of all hypotheses of a finite class up to eps, to both sides.

    .. math:: (\ln|H| + \ln(2/\delta)) / (2 \epsilon^2)

    Guarantee: with at least this many, with probability at least 1 - delta the training and the
    true error of every hypothesis of the class differ by at most eps.

    >>> round(uniform_m(np.log(1000), 0.1, 0.05), 3)
    529.832

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.5.
    """
    lnH, eps, delta = read(lnH=lnH, eps=eps, delta=delta)
    return reals((floats(lnH) - ln(delta / 2)) / floats(2 * eps**2))


def uniform_width(lnH: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""How far training and true errors of a finite class can be apart after m examples.

    .. math:: \sqrt{(\ln|H| + \ln(2/\delta)) / (2m)}

    Guarantee: with probability at least 1 - delta, for every hypothesis of the class, to both
    sides; :func:`uniform_m` solved for eps. The hypothesis of the least training error is then
    within twice this of the best.

    >>> round(uniform_width(np.log(1000), 500, 0.05), 6)
    0.10294

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.5.
    """
    lnH, m, delta = read(lnH=lnH, m=m, delta=delta)
    return reals(root(floats(lnH) - ln(delta / 2), 2 * m))


# --- Without training error ----------------------------------------------------------------------


def consistent_one(m: Numbers, delta: Numbers) -> Reals:
    r"""Bound on the true error of one fixed hypothesis that errs on none of m examples.

    .. math:: \ln(1/\delta) / m

    Guarantee: a hypothesis of a true error above this errs on none of the m examples with
    probability below delta, because (1 - e)^m <= exp(-e m).

    >>> round(consistent_one(100, 0.05), 6)
    0.029957

    Reference: Schapire and Freund, Boosting, section 2.2.5.
    """
    m, delta = read(m=m, delta=delta)
    return reals(-ln(delta) / floats(m))


def consistent_one_m(eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples without an error that prove one fixed hypothesis to be right up to eps.

    .. math:: \ln(1/\delta) / \epsilon

    Guarantee: :func:`consistent_one` solved for m.

    >>> round(consistent_one_m(0.01, 0.05), 2)
    299.57

    Reference: Schapire and Freund, Boosting, section 2.2.5.
    """
    eps, delta = read(eps=eps, delta=delta)
    return reals(-ln(delta) / floats(eps))


def consistent_finite(lnH: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Bound on the true error of a hypothesis of a finite class that errs on none of m examples.

    .. math:: (\ln|H| + \ln(1/\delta)) / m

    Guarantee: with probability at least 1 - delta, for all consistent hypotheses of the class at
    once. The logarithms are natural here and to base 2 in :func:`consistent_growth`.

    >>> round(consistent_finite(np.log(1000), 500, 0.05), 6)
    0.019807

    Reference: Schapire and Freund, Boosting, Theorem 2.7.
    """
    lnH, m, delta = read(lnH=lnH, m=m, delta=delta)
    return reals((floats(lnH) - ln(delta)) / floats(m))


def occam_consistent_m(lnH: Numbers, eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples after which every consistent hypothesis of a finite class is good.

    .. math:: (\ln|H| + \ln(1/\delta)) / \epsilon

    Guarantee: with at least this many, with probability at least 1 - delta every hypothesis of a
    true error of eps or more errs on one of them; :func:`consistent_finite` solved for m. The
    number itself, before it is rounded up: see :func:`pac_finite_m`.

    >>> round(occam_consistent_m(np.log(1000), 0.1, 0.05), 4)
    99.0349

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.4.
    """
    lnH, eps, delta = read(lnH=lnH, eps=eps, delta=delta)
    return reals((floats(lnH) - ln(delta)) / floats(eps))


def _pac(lnC: Fraction, eps: Fraction, delta: Fraction) -> int:
    return ceiling_of_irrational(
        lambda: (decimal(lnC) - decimal(delta).ln()) / decimal(eps), lnC, eps, delta
    )


def _pac_estimate(lnC: Array, eps: Array, delta: Array) -> Array:
    return np.asarray((floats(lnC) - ln(delta)) / floats(eps))


def pac_finite_m(lnC: Numbers, eps: Numbers, delta: Numbers) -> Counts:
    r"""Examples that make any consistent learner of a finite class of concepts a PAC learner.

    .. math:: \lceil (\ln|C| + \ln(1/\delta)) / \epsilon \rceil

    Guarantee: if the labels are those of a concept of the class, then a concept of the class that
    errs on none of so many examples has a true error of at most eps, with probability at least
    1 - delta, whatever the distribution.

    >>> pac_finite_m(np.log(1000), 0.1, 0.05)
    100

    Reference: Schapire and Freund, Boosting, section 2.3.1.
    """
    return count(_pac, _pac_estimate, lnC=lnC, eps=eps, delta=delta)


def disjunction_m(d: Numbers, eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples that suffice to learn a disjunction of some of d variables.

    .. math:: (d \ln 2 + \ln(1/\delta)) / \epsilon

    Guarantee: with at least this many examples labelled by a disjunction, with probability at least
    1 - delta every consistent disjunction (there are 2^d) has a true error strictly below eps.

    >>> round(disjunction_m(10, 0.1, 0.05), 4)
    99.272

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Lemma 6.2 and Theorem 6.3.
    """
    d, eps, delta = read(d=d, eps=eps, delta=delta)
    return reals((floats(d) * LN2 - ln(delta)) / floats(eps))


def disjunction_err(d: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Bound on the true error of a disjunction of d variables that errs on none of m examples.

    .. math:: (d \ln 2 + \ln(1/\delta)) / m

    Guarantee: :func:`disjunction_m` solved for eps.

    >>> round(disjunction_err(10, 1000, 0.05), 6)
    0.009927

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Lemma 6.2 and Theorem 6.3.
    """
    d, m, delta = read(d=d, m=m, delta=delta)
    return reals((floats(d) * LN2 - ln(delta)) / floats(m))
