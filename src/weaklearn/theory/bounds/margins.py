"""Margins: how boosting raises them, and what large ones say about the true error."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ...base.types import Array
from .arithmetic import exp, floats, ln, ln_one_minus, reals, root
from .counting import at_each, count_of_ln, decimal, each
from .reading import EDGE_OR_NONE, MARGIN, POSITIVE, Counts, Numbers, Reals, demand, read

# --- How boosting raises them --------------------------------------------------------------------


def margin_product(gammas: Numbers, theta: Numbers) -> Reals:
    r"""Bound on the share of training examples whose margin is at most theta.

    .. math:: \prod_t \sqrt{(1 + 2\gamma_t)^{1+\theta} (1 - 2\gamma_t)^{1-\theta}}

    Guarantee: for AdaBoost with its own votes and edges gamma_t >= 0, the fraction of training
    examples with normalised margin y f(x) <= theta is at most this. theta = 0 gives
    :func:`ada_product`; an edge of 1/2 and theta < 1 give 0. Leading axes of ``gammas`` broadcast
    with ``theta``.

    >>> round(margin_product([0.2, "2/7", "4/11"], 0.1), 6)
    0.630286

    Reference: Schapire, Freund, Bartlett and Lee (1998), Boosting the margin, Theorem 5.
    """
    gamma, theta = read(gammas=np.atleast_1d(np.asarray(gammas)), theta=(theta, MARGIN))
    up, down = floats(1 + theta), floats(1 - theta)
    rise = np.sum(ln_one_minus(-2 * gamma), axis=-1)
    fall = np.sum(ln_one_minus(2 * gamma), axis=-1)
    with np.errstate(invalid="ignore"):
        return reals(exp((up * rise + np.where(down == 0, 0.0, down * fall)) / 2))


def margin_theta_limit(gamma: Numbers) -> Reals:
    r"""The margin that AdaBoost with edges of at least gamma drives every example past.

    .. math:: \frac{-\ln(1 - 4\gamma^2)}{\ln((1 + 2\gamma)/(1 - 2\gamma))}

    Guarantee: for every theta below it each factor of :func:`margin_product` stays below a
    constant smaller than 1, so the share of margins at most theta tends to 0. It lies between
    gamma and 2 gamma, tends to 0 with gamma, and is 1 at gamma = 1/2.

    >>> round(margin_theta_limit(0.25), 6)
    0.26186

    Reference: Schapire, Freund, Bartlett and Lee (1998), remark after Theorem 5; Rätsch and
    Warmuth (2005), Efficient margin maximizing with boosting.
    """
    (edge,) = read(gamma=(gamma, EDGE_OR_NONE))
    g = floats(edge)
    rise, fall = ln_one_minus(-2 * edge), ln_one_minus(2 * edge)
    with np.errstate(invalid="ignore", divide="ignore", under="ignore"):
        both = np.where(g < 0.25, ln_one_minus(4 * edge**2), rise + fall)  # ln(1 - 4 gamma^2)
        limit = both / (fall - rise)
    return reals(np.where(g < 1e-8, g, np.where(g == 0.5, 1.0, limit)))


# --- What large margins say ----------------------------------------------------------------------


def margin_gen_theta_min(lnH: Numbers, m: Numbers) -> Reals:
    r"""The margin that the bounds on the true error by margins must exceed.

    .. math:: \sqrt{\ln|H| / (4m)}

    Guarantee: for theta at or below it :func:`margin_gen_finite_n` is above 1 for every n, and says
    nothing.

    >>> round(margin_gen_theta_min(np.log(1000), 5000), 6)
    0.018585

    Reference: Schapire, Freund, Bartlett and Lee (1998), Boosting the margin, Theorem 1; Schapire
    and Freund, Boosting, chapter 5.
    """
    lnH, m = read(lnH=lnH, m=m)
    return reals(root(lnH, 4 * m))


def _margin(theta: Array, lnH: Array, m: Array) -> None:
    holds = floats(theta) > root(lnH, 4 * m)
    demand(holds, "above sqrt(ln|H|/(4m)), below which the bound says nothing", theta=theta)


def _sampling(theta: Array, n: Array) -> Array:
    """4 exp(-n theta^2 / 8): the error of approximating a vote by n voters drawn at random."""
    return np.asarray(4 * exp(-floats(n) * floats(theta) ** 2 / 8))


def _union(lnH: Array, m: Array, delta: Array, n: Array) -> Array:
    """The width for all votes of n voters, all thresholds, and all n at once."""
    logs = ln(n) + 2 * ln(n + 1) + floats(n) * floats(lnH) - ln(delta)
    return np.asarray(np.sqrt(logs / (2 * floats(m))))


def margin_gen_finite_n(
    theta: Numbers, lnH: Numbers, m: Numbers, delta: Numbers, n: Numbers
) -> Reals:
    r"""The term to add to the share of small margins in a bound on the true error of a vote.

    .. math:: 4 e^{-n\theta^2/8}
              + \sqrt{\frac{\ln n + 2 \ln(n+1) + n \ln|H| + \ln(1/\delta)}{2m}}

    Guarantee: with probability at least 1 - delta, for every convex vote of hypotheses of a finite
    class H, every n >= 1 and every theta at once, the true error is at most the share of the m
    training examples with a margin of at most theta plus this. So n and theta may be chosen after
    seeing the examples. (The vote is compared with n of its voters drawn at random.)

    >>> round(margin_gen_finite_n(0.3, np.log(1000), 5000, 0.05, n=248), 6)
    0.661938

    Reference: Schapire, Freund, Bartlett and Lee (1998), Boosting the margin, Theorem 1, with
    explicit constants.
    """
    theta, lnH, m, delta, n = read(theta=theta, lnH=lnH, m=m, delta=delta, n=n)
    _margin(theta, lnH, m)
    return reals(_sampling(theta, n) + _union(lnH, m, delta, n))


def margin_gen_n_choice(theta: Numbers, lnH: Numbers, m: Numbers) -> Counts:
    r"""The number of voters that analysis suggests for :func:`margin_gen_finite_n`.

    .. math:: \Bigl\lceil \frac{4}{\theta^2} \ln\frac{4 m \theta^2}{\ln|H|} \Bigr\rceil, \qquad
              \theta > \sqrt{\ln|H| / (4m)}

    Guarantee: both terms are then of the same order. :func:`margin_gen_finite_best_n` is the best
    number.

    >>> margin_gen_n_choice(0.3, np.log(1000), 5000)
    248

    Reference: Schapire, Freund, Bartlett and Lee (1998), Boosting the margin, Theorem 1.
    """
    _margin(*read(theta=theta, lnH=(lnH, POSITIVE), m=m))
    return count_of_ln(
        lambda theta, lnH, m: (4 * m * theta**2 / lnH, 4 / theta**2),
        theta=theta,
        lnH=(lnH, POSITIVE),
        m=m,
    )


def _exact_finite_n(
    theta: Fraction, lnH: Fraction, m: Fraction, delta: Fraction, n: int
) -> Decimal:
    logs = Decimal(n).ln() + 2 * Decimal(n + 1).ln() + n * decimal(lnH) - decimal(delta).ln()
    return 4 * (-n * decimal(theta**2) / 8).exp() + (logs / (2 * decimal(m))).sqrt()


def _best_n(theta: Fraction, lnH: Fraction, m: Fraction, delta: Fraction) -> int:
    """The least minimiser over all n >= 1.

    The first term falls and the second rises, so that on [a, b] the sum is at least the first at b
    plus the second at a. Intervals that cannot hold a better n are dropped, the others halved; what
    is left is so flat that floats could not tell.
    """
    t, h, size, d = (np.asarray(float(x)) for x in (theta, lnH, m, delta))

    def value(n: NDArray[np.float64]) -> Array:
        return _sampling(t, n) + _union(h, size, d, n)

    first = last = np.array([1.0])
    while _union(h, size, d, last[-1:]) <= value(first).min():
        first, last = np.append(first, last[-1] + 1), np.append(last, 2 * last[-1] + 1)
    while True:
        least = _sampling(t, last) + _union(h, size, d, first)
        keep = least <= min(value(first).min(), value(last).min()) * (1 + 1e-13)
        first, last = first[keep], last[keep]
        wide = last - first > 1e-6 * first
        if not wide.any():
            break
        middle = np.floor((first + last) / 2)
        first = np.concatenate([first, middle[wide] + 1])
        last = np.concatenate([np.where(wide, middle, last), last[wide]])

    def exact(n: int) -> Decimal:
        return _exact_finite_n(theta, lnH, m, delta, n)

    with localcontext() as context:
        context.prec = 50
        return min((_valley(*ends, exact) for ends in _joined(first, last)), key=exact)


def _joined(first: Array, last: Array) -> list[tuple[int, int]]:
    """Neighbouring intervals as one, in order."""
    joined: list[tuple[int, int]] = []
    for a, b in sorted(zip(first.astype(int).tolist(), last.astype(int).tolist(), strict=True)):
        if joined and a <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(b, joined[-1][1]))
        else:
            joined.append((a, b))
    return joined


def _valley(low: int, high: int, height: Callable[[int], Decimal]) -> int:
    """The lowest place between two, of a height that falls and then rises."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if height(middle + 1) >= height(middle) else (middle + 1, high)
    return low


def margin_gen_finite_best_n(theta: Numbers, lnH: Numbers, m: Numbers, delta: Numbers) -> Counts:
    r"""The number of voters for which :func:`margin_gen_finite_n` is least.

    .. math:: \arg\min_{n \ge 1} \; 4 e^{-n\theta^2/8}
              + \sqrt{\frac{\ln n + 2 \ln(n+1) + n \ln|H| + \ln(1/\delta)}{2m}}

    Guarantee: an equality, over all n; the least of equals.

    >>> margin_gen_finite_best_n(0.3, np.log(1000), 5000, 0.05)
    373

    Reference: Schapire, Freund, Bartlett and Lee (1998), Boosting the margin, Theorem 1.
    """
    given = _best_arguments(theta, lnH, m, delta)
    return at_each(_best_n, given)


def margin_gen_finite_best(theta: Numbers, lnH: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""The least that :func:`margin_gen_finite_n` is over all n.

    .. math:: \min_{n \ge 1} \; 4 e^{-n\theta^2/8}
              + \sqrt{\frac{\ln n + 2 \ln(n+1) + n \ln|H| + \ln(1/\delta)}{2m}}

    Guarantee: with probability at least 1 - delta, for every convex vote of hypotheses of a finite
    class and every theta at once, the true error is at most the share of training margins of at
    most theta plus this: the bound holds for all n at once.

    >>> round(margin_gen_finite_best(0.3, np.log(1000), 5000, 0.05), 6)
    0.569851

    Reference: Schapire, Freund, Bartlett and Lee (1998), Boosting the margin, Theorem 1.
    """
    given = _best_arguments(theta, lnH, m, delta)
    n = np.asarray(at_each(_best_n, given), dtype=np.float64)
    sampling = _sampling(given["theta"], n)
    return reals(sampling + _union(given["lnH"], given["m"], given["delta"], n))


def _best_arguments(theta: Numbers, lnH: Numbers, m: Numbers, delta: Numbers) -> dict[str, Array]:
    names = ("theta", "lnH", "m", "delta")
    found = read(theta=theta, lnH=lnH, m=m, delta=delta)
    _margin(*found[:3])
    return dict(zip(names, found, strict=True))


def margin_gen_smallest_m(theta: Numbers, lnH: Numbers, eps: Numbers, delta: Numbers) -> Counts:
    r"""Least number of examples with which :func:`margin_gen_finite_best` is at most eps.

    .. math:: \min \Bigl\{m : \min_{n \ge 1} 4 e^{-n\theta^2/8}
              + \sqrt{\tfrac{\ln n + 2 \ln(n+1) + n \ln|H| + \ln(1/\delta)}{2m}}
              \le \epsilon \Bigr\}

    Guarantee: with so many, the true error of a vote is at most the share of training margins of
    at most theta plus eps, with probability at least 1 - delta.

    >>> margin_gen_smallest_m(0.3, np.log(1000), 0.1, 0.05)
    226580

    Reference: Schapire, Freund, Bartlett and Lee (1998), Boosting the margin, Theorem 1, solved
    for m.
    """
    return each(_margin_examples, theta=theta, lnH=lnH, eps=eps, delta=delta)


def _margin_examples(theta: Fraction, lnH: Fraction, eps: Fraction, delta: Fraction) -> int:
    """By doubling and halving: the bound falls as m grows."""

    def enough(m: int) -> bool:
        if float(theta) <= float(margin_gen_theta_min(lnH, m)):
            return False
        return float(margin_gen_finite_best(theta, lnH, m, delta)) <= float(eps)

    high = 1
    while not enough(high):
        high *= 2
    low = high // 2 + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return high
