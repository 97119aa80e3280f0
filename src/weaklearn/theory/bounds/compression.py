"""Compression: a hypothesis that a few of the examples are enough to rebuild."""

from __future__ import annotations

from fractions import Fraction

from ...base.types import Array
from .arithmetic import floats, ln, reals, root
from .counting import ceiling_of_irrational, decimal, each, least
from .reading import Counts, Numbers, Reals, demand, read


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
