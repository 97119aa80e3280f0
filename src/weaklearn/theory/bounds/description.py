"""Rules of few bits, or rebuilt from few examples: it takes fewer examples to trust them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...base.types import Array
from .arithmetic import LN2, floats, ln, reals, root
from .counting import ceiling_of_irrational, count, decimal, each, least
from .reading import Counts, Numbers, Reals, demand, read


def tree_bits(internal: Numbers, d: Numbers) -> Counts:
    r"""Bits that describe a binary decision tree on d binary features.

    .. math:: n (1 + \lceil \lg d \rceil) + 2 (n + 1)

    Guarantee: an equality for the code of ``theory.tree_code``: each of the n inner nodes takes a
    bit and the number of its feature, each of the n + 1 leaves a bit and its label. No code is
    the beginning of another.

    >>> tree_bits(5, 10)
    37

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, on decision trees.
    """
    return count(
        lambda n, d: int(n * (1 + int(d - 1).bit_length()) + 2 * (n + 1)),
        lambda n, d: np.asarray(floats(n) * (1 + np.ceil(np.log2(floats(d)))) + 2 * floats(n)),
        internal=internal,
        d=d,
    )


def occam_bits_m(b: Numbers, eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples after which no rule of fewer than b bits that fits them all is bad.

    .. math:: (b \ln 2 + \ln(1/\delta)) / \epsilon

    Guarantee: with at least this many examples, with probability at least 1 - delta every rule
    described in fewer than b bits that errs on none of them has a true error below eps.

    >>> round(occam_bits_m(100, 0.1, 0.05), 4)
    723.1045

    Reference: Blumer, Ehrenfeucht, Haussler and Warmuth (1987), Occam's razor; Blum, Hopcroft and
    Kannan, Foundations of Data Science, on description length.
    """
    b, eps, delta = read(b=b, eps=eps, delta=delta)
    return reals((floats(b) * LN2 - ln(delta)) / floats(eps))


def occam_bits_err(b: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Bound on the true error of a rule of fewer than b bits that fits all of m examples.

    .. math:: (b \ln 2 + \ln(1/\delta)) / m

    Guarantee: with probability at least 1 - delta, for all such rules at once; there are fewer than
    2^b. :func:`occam_bits_m` solved for eps. A linear rule of d weights has 64 d bits, a majority
    of T rules of b bits has b T.

    >>> round(occam_bits_err(100, 5000, 0.05), 6)
    0.014462

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.7 and after it.
    """
    b, m, delta = read(b=b, m=m, delta=delta)
    return reals((floats(b) * LN2 - ln(delta)) / floats(m))


def size_regularised(err: Numbers, size: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Upper bound on the true error of any rule, which grows with the size of its description.

    .. math:: \widehat{err} + \sqrt{(s \ln 4 + \ln(2/\delta)) / (2m)}

    Guarantee: with probability at least 1 - delta it holds for all rules at once, of any size of
    s >= 1 bits; so a rule may be chosen by this very number (``theory.srm_curve``).

    >>> round(size_regularised(0.1, 10, 1000, 0.05), 6)
    0.19368

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Corollary 6.8.
    """
    err, size, m, delta = read(err=err, size=size, m=m, delta=delta)
    return reals(floats(err) + root(2 * LN2 * floats(size) - ln(delta / 2), 2 * m))


def size_regularised_m(size: Numbers, eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples after which a rule of s bits is trusted up to eps above its training error.

    .. math:: (s \ln 4 + \ln(2/\delta)) / (2 \epsilon^2)

    Guarantee: :func:`size_regularised` solved for m; eps is what it adds to the training error.

    >>> round(size_regularised_m(10, 0.1, 0.05), 4)
    877.5912

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, Corollary 6.8.
    """
    size, eps, delta = read(size=size, eps=eps, delta=delta)
    return reals((2 * LN2 * floats(size) - ln(delta / 2)) / floats(2 * eps**2))


def prior_upper(err: Numbers, g: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Upper bound on the true error of a hypothesis of prior weight g.

    .. math:: \widehat{err} + \sqrt{(\ln(1/g) + \ln(1/\delta)) / (2m)}

    Guarantee: if weights with a sum of at most 1 were given to hypotheses before the m examples
    were seen, then with probability at least 1 - delta this holds for all of them at once. Equal
    weights give :func:`finite_class_upper`.

    >>> round(prior_upper(0.1, "1/1024", 1000, 0.05), 6)
    0.170453

    Reference: Schapire and Freund, Boosting, Exercise 2-8.
    """
    err, g, m, delta = read(err=err, g=g, m=m, delta=delta)
    return reals(floats(err) + root(-ln(g) - ln(delta), 2 * m))


def prior_m(g: Numbers, eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples after which a hypothesis of prior weight g is trusted up to eps.

    .. math:: (\ln(1/g) + \ln(1/\delta)) / (2 \epsilon^2)

    Guarantee: :func:`prior_upper` solved for m; eps is what it adds to the training error.

    >>> round(prior_m("1/1024", 0.1, 0.05), 4)
    496.3602

    Reference: Schapire and Freund, Boosting, Exercise 2-8.
    """
    g, eps, delta = read(g=g, eps=eps, delta=delta)
    return reals((-ln(g) - ln(delta)) / floats(2 * eps**2))


def bits_upper(err: Numbers, bits: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Upper bound on the true error of a hypothesis described in so many bits, by any code.

    .. math:: \widehat{err} + \sqrt{(b \ln 4 + \ln(1/\delta)) / (2m)}

    Guarantee: :func:`prior_upper` with g = 4^-b. These weights sum to at most 1 for any code
    without a string of length 0, because there are 2^i strings of length i. A code of which no
    string begins another allows :func:`prefix_upper`.

    >>> round(bits_upper(0.1, 10, 1000, 0.05), 6)
    0.191811

    Reference: Schapire and Freund, Boosting, Exercise 2-8.
    """
    err, bits, m, delta = read(err=err, bits=bits, m=m, delta=delta)
    return reals(floats(err) + root(2 * LN2 * floats(bits) - ln(delta), 2 * m))


def bits_m(bits: Numbers, eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples after which a hypothesis of so many bits is trusted up to eps, for any code.

    .. math:: (b \ln 4 + \ln(1/\delta)) / (2 \epsilon^2)

    Guarantee: :func:`bits_upper` solved for m; eps is what it adds to the training error.

    >>> round(bits_m(10, 0.1, 0.05), 4)
    842.9338

    Reference: Schapire and Freund, Boosting, Exercise 2-8.
    """
    bits, eps, delta = read(bits=bits, eps=eps, delta=delta)
    return reals((2 * LN2 * floats(bits) - ln(delta)) / floats(2 * eps**2))


def prefix_upper(err: Numbers, bits: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Upper bound on the true error of a hypothesis described in a prefix-free code.

    .. math:: \widehat{err} + \sqrt{(b \ln 2 + \ln(1/\delta)) / (2m)}

    Guarantee: :func:`prior_upper` with g = 2^-b, whose sum is at most 1 by Kraft's inequality. The
    trees of ``theory.tree_code`` have such a code, of :func:`tree_bits`.

    >>> round(prefix_upper(0.1, 37, 1000, 0.05), 6)
    0.219671

    Reference: Schapire and Freund, Boosting, Exercise 2-8; Kraft (1949).
    """
    err, bits, m, delta = read(err=err, bits=bits, m=m, delta=delta)
    return reals(floats(err) + root(LN2 * floats(bits) - ln(delta), 2 * m))


def prefix_m(bits: Numbers, eps: Numbers, delta: Numbers) -> Reals:
    r"""Examples after which a hypothesis of a prefix-free code is trusted up to eps.

    .. math:: (b \ln 2 + \ln(1/\delta)) / (2 \epsilon^2)

    Guarantee: :func:`prefix_upper` solved for m; eps is what it adds to the training error.

    >>> round(prefix_m(37, 0.1, 0.05), 4)
    1432.1089

    Reference: Schapire and Freund, Boosting, Exercise 2-8; Kraft (1949).
    """
    bits, eps, delta = read(bits=bits, eps=eps, delta=delta)
    return reals((LN2 * floats(bits) - ln(delta)) / floats(2 * eps**2))


# --- Hypotheses that a few of the examples rebuild ------------------------------------------------


def _kept(kappa: Array, m: Array) -> None:
    demand(kappa < m, "below m: the examples left out are what the bound rests on", kappa=kappa)


def compression_upper(err: Numbers, m: Numbers, kappa: Numbers, delta: Numbers) -> Reals:
    r"""Upper bound on the true error of a hypothesis that kappa of its m examples rebuild.

    .. math:: \frac{m}{m - \kappa} \widehat{err}
              + \sqrt{\frac{\kappa \ln m + \ln(1/\delta)}{2 (m - \kappa)}}

    Guarantee: if the learner's hypothesis is a function of some kappa of the examples in some
    order, the function being fixed before, then its true error is at most this with probability at
    least 1 - delta: a union over the m^kappa choices, each judged by the examples left out.

    >>> round(compression_upper(0.1, 1000, 4, 0.05), 6)
    0.224397

    Reference: Littlestone and Warmuth (1986); Schapire and Freund, Boosting, Theorem 2.8.
    """
    err, m, kappa, delta = read(err=err, m=m, kappa=kappa, delta=delta)
    _kept(kappa, m)
    share = floats(m) / floats(m - kappa) * floats(err)
    return reals(share + root(floats(kappa) * ln(m) - ln(delta), 2 * (m - kappa)))


def compression_consistent(m: Numbers, kappa: Numbers, delta: Numbers) -> Reals:
    r"""The same for a hypothesis that errs on none of its m examples.

    .. math:: \frac{\kappa \ln m + \ln(1/\delta)}{m - \kappa}

    Guarantee: its true error is at most this with probability at least 1 - delta. The tightest
    rectangle in d dimensions is rebuilt from kappa = 2d examples, a threshold from one.

    >>> round(compression_consistent(1000, 4, 0.05), 6)
    0.03075

    Reference: Littlestone and Warmuth (1986); Schapire and Freund, Boosting, Theorem 2.8.
    """
    m, kappa, delta = read(m=m, kappa=kappa, delta=delta)
    _kept(kappa, m)
    return reals((floats(kappa) * ln(m) - ln(delta)) / floats(m - kappa))


def _smallest(kappa: Fraction, scale: Fraction, delta: Fraction) -> int:
    """Least m > kappa with m - kappa >= scale ln(m^kappa / delta)."""

    def needed(m: int) -> int:
        logs = ceiling_of_irrational(
            lambda: (
                (kappa.numerator * decimal(Fraction(m)).ln() - decimal(delta).ln()) * decimal(scale)
            ),
            Fraction(m),
            kappa,
            scale,
            delta,
        )
        return int(kappa) + logs

    return least(needed, int(kappa) + 1)


def compression_smallest_m(kappa: Numbers, eps: Numbers, delta: Numbers) -> Counts:
    r"""Least number of examples with which :func:`compression_upper` adds at most eps.

    .. math:: \min \Bigl\{m > \kappa :
              \sqrt{\frac{\kappa \ln m + \ln(1/\delta)}{2 (m - \kappa)}} \le \epsilon \Bigr\}

    Guarantee: with so many or more, the true error is at most m/(m - kappa) times the training
    error plus eps, with probability at least 1 - delta.

    >>> compression_smallest_m(4, 0.1, 0.05)
    1634

    Reference: Schapire and Freund, Boosting, Theorem 2.8, solved for m.
    """
    return each(
        lambda kappa, eps, delta: _smallest(kappa, 1 / (2 * eps**2), delta),
        kappa=kappa,
        eps=eps,
        delta=delta,
    )


def compression_consistent_smallest_m(kappa: Numbers, eps: Numbers, delta: Numbers) -> Counts:
    r"""Least number of examples with which :func:`compression_consistent` is at most eps.

    .. math:: \min \{m > \kappa : \kappa \ln m + \ln(1/\delta) \le \epsilon (m - \kappa)\}

    Guarantee: a hypothesis that kappa examples rebuild and that errs on none of so many has a true
    error of at most eps, with probability at least 1 - delta.

    >>> compression_consistent_smallest_m(4, 0.1, 0.05)
    256

    Reference: Schapire and Freund, Boosting, Theorem 2.8, solved for m.
    """
    return each(
        lambda kappa, eps, delta: _smallest(kappa, 1 / eps, delta),
        kappa=kappa,
        eps=eps,
        delta=delta,
    )
