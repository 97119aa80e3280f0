"""Growth functions and VC dimensions that have a formula."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from ...base.types import Array
from .arithmetic import LN2, exp, floats, ln, reals
from .counting import at_each, each
from .growth_function import em_over_d, lg_growth, sauer_sum
from .reading import ROUNDS, Counts, Numbers, Range, Reals, at_least, read

# --- Sauer's lemma -----------------------------------------------------------------------------


def sauer(m: Numbers, d: Numbers) -> Counts:
    r"""The most labellings of m points that a class of VC dimension d can have.

    .. math:: \sum_{i=0}^{d} \binom{m}{i}

    Guarantee: no class of VC dimension d has more (Sauer's lemma), and the sets of at most d points
    have as many. It is 2^m for m <= d, and at most :func:`sauer_em_d` for m >= d >= 1. (The bound
    m^d that is sometimes given is false for d = 1 and for m = 1.)

    >>> sauer(10, 3), sauer(4, 6), sauer([1, 2, 3], 1).tolist()
    (176, 16, [2, 3, 4])

    Reference: Sauer (1972); Schapire and Freund, Boosting, Lemma 2.4.
    """
    return each(lambda m, d: sauer_sum(int(m), int(d)), m=(m, ROUNDS), d=(d, ROUNDS))


def lg_sauer(m: Numbers, d: Numbers) -> Reals:
    r"""The logarithm to base 2 of :func:`sauer`, also where the sum itself is too long to write.

    .. math:: \lg \sum_{i=0}^{d} \binom{m}{i}

    Guarantee: what :func:`consistent_growth` asks for, of 2m points. Times ln 2 it is what
    :func:`growth_upper` asks for.

    >>> round(lg_sauer(10_000, 3), 6), round(lg_sauer(10**9, 10**5))
    (37.278175, 1473024)

    Reference: Sauer (1972); Schapire and Freund, Boosting, Lemma 2.4.
    """
    return reals(lg_growth(None, *read(m=(m, ROUNDS), d=(d, ROUNDS))))


def sauer_em_d(m: Numbers, d: Numbers) -> Reals:
    r"""The handy upper bound on Sauer's sum.

    .. math:: (em/d)^d, \qquad m \ge d \ge 1

    Guarantee: at least :func:`sauer`; so it bounds the growth of a class of VC dimension d.

    >>> round(sauer_em_d(10, 3), 4)
    743.9088

    Reference: Schapire and Freund, Boosting, (2.12).
    """
    m, d = read(m=m, d=d)
    return reals(exp(em_over_d(m, d)))


# --- Classes with a formula ----------------------------------------------------------------------


def union_intervals_growth(m: Numbers, n: Numbers) -> Counts:
    r"""Labellings of m points on the line by unions of at most n intervals.

    .. math:: \sum_{i=0}^{2n} \binom{m}{i}

    Guarantee: an equality; the VC dimension is 2n, and Sauer's bound is met.

    >>> union_intervals_growth(10, 1), union_intervals_growth(10, [2, 5]).tolist()
    (56, [386, 1024])

    Reference: Schapire and Freund, Boosting, section 2.2.3 and Exercise 2-6.
    """
    return each(lambda m, n: sauer_sum(int(m), int(2 * n)), m=(m, ROUNDS), n=n)


def cover_homogeneous_general_position(m: Numbers, n: Numbers) -> Counts:
    r"""Labellings of m points of R^n in general position by halfspaces through the origin.

    .. math:: 2 \sum_{i=0}^{n-1} \binom{m-1}{i}

    Guarantee: an equality for w.x > 0 with w not 0. Halfspaces that need not pass through the
    origin of R^d are these in R^(d+1).

    >>> cover_homogeneous_general_position(5, 3)
    22

    Reference: Cover (1965), Geometrical and statistical properties of systems of linear
    inequalities; Schapire and Freund, Boosting, section 2.2.3.
    """
    return each(lambda m, n: 2 * sauer_sum(int(m) - 1, int(n) - 1), m=m, n=n)


def stump_growth_upper(m: Numbers, n: Numbers) -> Counts:
    r"""Upper bound on the labellings of m points by decision stumps on n features.

    .. math:: 2 n m

    Guarantee: each feature cuts the m points in at most m places, in two ways.

    >>> stump_growth_upper(100, 30)
    6000

    Reference: Schapire and Freund, Boosting, Exercise 2-10.
    """
    return each(lambda m, n: int(2 * n * m), m=m, n=n)


def _stump_vc(n: Fraction) -> int:
    k = 1
    while math.comb(k + 1, (k + 1) // 2) <= 2 * n:
        k += 1
    return k


def stump_vc_exact(n_features: Numbers) -> Counts:
    r"""VC dimension of decision stumps on n features.

    .. math:: \max \{k : \tbinom{k}{\lfloor k/2 \rfloor} \le 2n\}

    Guarantee: an equality; between lg n and 5 + 2 lg n. To shatter k points, every half of them
    must be the first or the last ones in the order of some feature.

    >>> stump_vc_exact([1, 2, 3, 4, 5, 10, 1000]).tolist()
    [2, 3, 4, 4, 5, 6, 13]

    Reference: Schapire and Freund, Boosting, Exercise 2-10; Gey (2018), Vapnik-Chervonenkis
    dimension of axis-parallel cuts.
    """
    return each(_stump_vc, n_features=n_features)


# --- Votes ---------------------------------------------------------------------------------------


def maj_vc(k: Numbers, d: Numbers) -> Reals:
    r"""The formula that bounds the VC dimension of majorities of k hypotheses of dimension d.

    .. math:: 2 k d \lg(k d)

    Guarantee: for d >= 2 it bounds that VC dimension wherever that is 16 or more, so that a
    statement about a class must use :func:`maj_vc_upper`. The number alone is not a bound: at
    k = d = 1 it is 0.

    >>> round(maj_vc(3, 2), 4), maj_vc(1, 1)
    (31.0196, 0.0)

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Corollary 6.23.
    """
    k, d = read(k=k, d=d)
    return reals(2 * floats(k * d) * ln(k * d) / LN2)


def maj_vc_upper(k: Numbers, d: Numbers) -> Reals:
    r"""Upper bound on the VC dimension of majorities of k hypotheses of a class of dimension d.

    .. math:: \max(16,\; 2 k d \lg(k d)), \qquad d \ge 2

    Guarantee: holds for every class of VC dimension d; far from tight for some: majorities of
    thresholds are thresholds.

    >>> maj_vc_upper(1, 2), round(maj_vc_upper(5, 10), 3)
    (16.0, 564.386)

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Corollary 6.23.
    """
    k, d = read(k=k, d=(d, at_least(2)))
    return reals(np.maximum(16.0, maj_vc(k, d)))


def lbt_vc_upper(T: Numbers, d: Numbers) -> Reals:
    r"""Upper bound on the VC dimension of weighted votes of T hypotheses of dimension d.

    .. math:: T (d + 1) (3 \ln(T (d + 1)) + 2), \qquad T \ge 3,\ d \ge 3

    Guarantee: for halfspaces over any T hypotheses of a class of VC dimension d. Stumps on the line
    have dimension 2 and are not covered: see :func:`stump_votes_vc`.

    >>> round(lbt_vc_upper(50, 3), 2)
    3578.99

    Reference: Shalev-Shwartz and Ben-David, Understanding Machine Learning, Lemma 10.3.
    """
    T, d = read(T=(T, at_least(3)), d=(d, at_least(3)))
    size = T * (d + 1)
    return reals(floats(size) * (3 * ln(size) + 2))


def stump_votes_vc(T: Numbers) -> Counts:
    r"""VC dimension of weighted votes of T decision stumps on the line.

    .. math:: T + 1 \text{ for odd } T, \qquad T \text{ for even } T

    Guarantee: an equality. With an even number of stumps the two ends of the line have opposite
    scores, so that T + 1 points cannot alternate.

    >>> stump_votes_vc([1, 2, 3, 4]).tolist()
    [2, 2, 4, 4]

    Reference: Shalev-Shwartz and Ben-David, Understanding Machine Learning, section 10.3, which
    has T + 1 for all T.
    """
    return each(lambda T: int(T + T % 2), T=T)


_EVEN = Range("an even number of at least 2", lambda x: (x >= 2) & (x < np.inf) & (x % 2 == 0))
_POWER = Range("a power of 2 of at least 2", lambda x: _is_power(x) & (x >= 2))


def _is_power(x: Array) -> Array:
    return np.asarray(
        np.frompyfunc(lambda v: v % 1 == 0 and int(v) & (int(v) - 1) == 0, 1, 1)(x), dtype=bool
    )


def lbt_vc_lower(T: Numbers, d: Numbers) -> Counts:
    r"""Lower bound on the VC dimension of weighted votes of T decision stumps on d features.

    .. math:: (T/2) \lg d, \qquad T \text{ even},\ d = 2^k

    Guarantee: so many points are shattered: the rows of A, 2A, ..., (T/2) A, where the columns of A
    are all sign vectors of length k.

    >>> lbt_vc_lower(10, 8)
    15

    Reference: Shalev-Shwartz and Ben-David, Understanding Machine Learning, Exercise 10.4.
    """
    T, d = read(T=(T, _EVEN), d=(d, _POWER))
    return at_each(lambda T, d: int(T) // 2 * (int(d).bit_length() - 1), {"T": T, "d": d})
