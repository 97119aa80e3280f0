"""Infinite classes: bounds by the number of their labellings, or by their VC dimension."""

from __future__ import annotations

import numpy as np

from ...base.types import Array
from .arithmetic import LN2, exp, floats, ln, reals, root, times_exp
from .growth_function import Growth, em_over_d, lg_growth
from .reading import Numbers, Reals, read

# --- Any training error ------------------------------------------------------------------------


def growth_failure(Pi: Numbers, m: Numbers, eps: Numbers) -> Reals:
    r"""Chance that some hypothesis of a class of growth Pi looks better by eps than it is.

    .. math:: 8\, \Pi(m)\, e^{-m \epsilon^2 / 32}

    Guarantee: except with this probability, every hypothesis has a true error of at most its
    training error on m examples plus eps. ``Pi`` is the most labellings of m points that the class
    has. The same holds for a family of sets in place of hypotheses: the chance of each set is then
    near its observed frequency.

    >>> round(growth_failure(201, 200, 0.5), 4)
    337.0551

    Reference: Vapnik and Chervonenkis (1971); Schapire and Freund, Boosting, Theorem 2.3.
    """
    Pi, m, eps = read(Pi=Pi, m=m, eps=eps)
    return reals(times_exp(8 * Pi, floats(-m * eps**2 / 32)))


def growth_upper(err: Numbers, ln_Pi_m: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Upper bound on the true error of any hypothesis of a class of growth Pi.

    .. math:: \widehat{err} + \sqrt{32 (\ln \Pi(m) + \ln(8/\delta)) / m}

    Guarantee: with probability at least 1 - delta, for all hypotheses of the class at once;
    :func:`growth_failure` solved for eps. ``ln_Pi_m`` is the natural logarithm of Pi(m).

    >>> round(growth_upper(0.1, LN2 * 34.277841, 5000, 0.05), 4)
    0.5296

    Reference: Vapnik and Chervonenkis (1971); Schapire and Freund, Boosting, Theorem 2.3.
    """
    err, growth, m, delta = read(err=err, ln_Pi_m=ln_Pi_m, m=m, delta=delta)
    return reals(floats(err) + root(32 * (floats(growth) - ln(delta / 8)), m))


def vc_failure(m: Numbers, d: Numbers, eps: Numbers) -> Reals:
    r"""Chance that some hypothesis of a class of VC dimension d looks better by eps than it is.

    .. math:: 8\, (em/d)^d\, e^{-m \epsilon^2 / 32}, \qquad m \ge d \ge 1

    Guarantee: :func:`growth_failure` with the growth bounded by :func:`sauer_em_d`.

    >>> round(vc_failure(200, 1, 0.5), 4), vc_failure(200_000, 1, 0.2) < 1e-90
    (911.6525, True)

    Reference: Schapire and Freund, Boosting, Theorem 2.5.
    """
    m, d, eps = read(m=m, d=d, eps=eps)
    return reals(8 * exp(em_over_d(m, d) - floats(m * eps**2 / 32)))


def vc_upper(err: Numbers, m: Numbers, d: Numbers, delta: Numbers) -> Reals:
    r"""Upper bound on the true error of any hypothesis of a class of VC dimension d.

    .. math:: \widehat{err} + \sqrt{32 (d \ln(em/d) + \ln(8/\delta)) / m}, \qquad m \ge d \ge 1

    Guarantee: with probability at least 1 - delta, for all hypotheses of the class at once.

    >>> round(vc_upper(0.02, 100_000, 10, 0.01), 6)
    0.20658

    Reference: Schapire and Freund, Boosting, Theorem 2.5, with the constants of its proof.
    """
    err, m, d, delta = read(err=err, m=m, d=d, delta=delta)
    return reals(floats(err) + root(32 * (em_over_d(m, d) - ln(delta / 8)), m))


def _uniform_width(vc_dim: Numbers, m: Numbers, delta: Numbers, growth: Growth, k: int) -> Reals:
    d, m, delta = read(vc_dim=vc_dim, m=m, delta=delta)
    labellings = LN2 * lg_growth(growth, 2 * m, d)
    return reals(root(8 * (labellings - ln(delta / k)), m))


def vc_uniform_width_as_printed(
    vc_dim: Numbers, m: Numbers, delta: Numbers, growth: Growth = None
) -> Reals:
    r"""How far training and true errors of a class can be apart, as the theorem is printed.

    .. math:: \sqrt{8 (\ln(2 H[2m]) + \ln(1/\delta)) / m}

    Guarantee: :func:`vc_uniform_smallest_m_as_printed` solved for eps. The proof gives
    :func:`vc_uniform_width_as_proved`, which is larger.

    >>> round(vc_uniform_width_as_printed(1, 10_947, 0.05), 6)
    0.099997

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.20.
    """
    return _uniform_width(vc_dim, m, delta, growth, 2)


def vc_uniform_width_as_proved(
    vc_dim: Numbers, m: Numbers, delta: Numbers, growth: Growth = None
) -> Reals:
    r"""How far training and true errors of a class can be apart after m examples.

    .. math:: \sqrt{8 (\ln(4 H[2m]) + \ln(1/\delta)) / m}

    Guarantee: with probability at least 1 - delta, for all hypotheses at once, to both sides.
    ``growth`` is a function H[n], or None for Sauer's sum.

    >>> round(vc_uniform_width_as_proved(1, 11_544, 0.05), 6)
    0.099997

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.20 and its proof.
    """
    return _uniform_width(vc_dim, m, delta, growth, 4)


# --- Without training error ----------------------------------------------------------------------


def consistent_growth(lg_Pi_2m: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Bound on the true error of a hypothesis without training error, by the growth function.

    .. math:: (2 \lg \Pi(2m) + 2 \lg(2/\delta)) / m

    Guarantee: with probability at least 1 - delta every hypothesis of a class of growth Pi that
    errs on none of m examples has at most this true error. ``lg_Pi_2m`` is the logarithm to base 2.

    >>> round(consistent_growth(100, 5000, 0.05), 6)
    0.042129

    Reference: Blumer, Ehrenfeucht, Haussler and Warmuth (1989); Schapire and Freund, Boosting,
    Theorem 2.7.
    """
    lg, m, delta = read(lg_Pi_2m=lg_Pi_2m, m=m, delta=delta)
    return reals((2 * floats(lg) + 2 * (1 - ln(delta) / LN2)) / floats(m))


def _lg(x: Array) -> Array:
    return np.asarray(ln(x) / LN2)


def consistent_vc(m: Numbers, d: Numbers, delta: Numbers) -> Reals:
    r"""Bound on the true error of a hypothesis without training error, by the VC dimension.

    .. math:: (2 d \lg(2em/d) + 2 \lg(2/\delta)) / m, \qquad m \ge d \ge 1

    Guarantee: :func:`consistent_growth` with the growth bounded by :func:`sauer_em_d`.

    >>> round(consistent_vc(5000, 3, 0.05), 6)
    0.017903

    Reference: Blumer, Ehrenfeucht, Haussler and Warmuth (1989); Schapire and Freund, Boosting,
    Theorem 2.7.
    """
    m, d, delta = read(m=m, d=d, delta=delta)
    labellings = em_over_d(m, d) / LN2 + floats(d)  # lg of (2em/d)^d
    return reals(2 * (labellings - _lg(delta / 2)) / floats(m))


def vc_occam_err(vc_dim: Numbers, m: Numbers, delta: Numbers, growth: Growth = None) -> Reals:
    r"""Bound on the true error of a hypothesis without training error, by its class.

    .. math:: \frac{2}{m} \Bigl(\lg(2 H[2m]) + \lg\frac{1}{\delta}\Bigr)

    Guarantee: :func:`vc_occam_smallest_m` solved for eps, and the same as
    :func:`consistent_growth`. ``growth`` is a function H[n], or None for Sauer's sum.

    >>> round(vc_occam_err(3, 680, 0.05), 6), round(vc_occam_err(1, 291, 0.05, lambda n: n + 1), 6)
    (0.099897, 0.09972)

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.19.
    """
    d, m, delta = read(vc_dim=vc_dim, m=m, delta=delta)
    return reals(2 * (lg_growth(growth, 2 * m, d) - _lg(delta / 2)) / floats(m))
