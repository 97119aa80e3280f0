"""The training error of boosting, and how many rounds are enough."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ...base.types import Array
from .arithmetic import exp, floats, ln, ln_one_minus, reals, times_exp
from .counting import (
    ceiling,
    ceiling_of_ln,
    count,
    count_of_ln,
    decimal,
    digits,
    each,
    power_reaches,
)
from .reading import CONFIDENCE, EDGE_OR_NONE, HALF, POSITIVE, ROUNDS, Counts, Numbers, Reals, read


def ada_product(epsilons: Numbers) -> Reals:
    r"""Bound on AdaBoost's training error from the weighted errors of its rounds.

    .. math:: \prod_t 2\sqrt{\epsilon_t (1 - \epsilon_t)} = \prod_t \sqrt{1 - 4\gamma_t^2}

    Guarantee: the fraction of training examples with y F(x) <= 0 is at most the mean of
    exp(-y F(x)), which for AdaBoost equals this product. A round without a mistake (or with
    nothing else) makes it 0; a run without rounds gives 1.

    >>> round(ada_product(["3/10", "3/14", "3/22"]), 6)
    0.51623

    Reference: Freund and Schapire (1997), A decision-theoretic generalization of on-line
    learning, Theorem 6.
    """
    (epsilon,) = read(epsilons=np.atleast_1d(np.asarray(epsilons)))
    factors = 2 * np.sqrt(floats(epsilon * (1 - epsilon)))
    with np.errstate(under="ignore"):
        return reals(np.prod(factors, axis=-1))


def ada_exp(epsilons: Numbers) -> Reals:
    r"""The weaker exponential form of :func:`ada_product`.

    .. math:: \exp\Bigl(-2 \sum_t \gamma_t^2\Bigr), \qquad \gamma_t = 1/2 - \epsilon_t

    Guarantee: at least ``ada_product(epsilons)``, because 1 - x <= exp(-x); so it bounds the
    training error too.

    >>> round(ada_exp([0.4] * 20), 6)
    0.67032

    Reference: Freund and Schapire (1997), Theorem 6 and the remark after it; Shalev-Shwartz and
    Ben-David, Understanding Machine Learning, Theorem 10.2.
    """
    (epsilon,) = read(epsilons=np.atleast_1d(np.asarray(epsilons)))
    squares = floats((HALF if epsilon.dtype == object else 0.5) - epsilon) ** 2
    return reals(exp(-2 * np.sum(squares, axis=-1)))


def gamma_boost_mistakes_product(n: Numbers, gamma: Numbers, T: Numbers) -> Reals:
    r"""Bound on the mistakes of a plain majority of T hypotheses of edge gamma.

    .. math:: n (1 - 4\gamma^2)^{T/2}

    Guarantee: if every weak hypothesis labels at least a share 1/2 + gamma of the current weight
    correctly, and weights of misclassified examples grow by (1/2 + gamma)/(1/2 - gamma), then the
    unweighted majority errs on at most this many of the n examples.

    >>> round(gamma_boost_mistakes_product(100, 0.1, 51), 6)
    35.311522

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, section on boosting.
    """
    n, gamma, T = read(n=n, gamma=gamma, T=(T, ROUNDS))
    with np.errstate(invalid="ignore"):
        exponent = np.where(T == 0, 0.0, floats(T) / 2 * ln_one_minus(4 * gamma**2))
    return reals(times_exp(n, exponent))


def gamma_boost_mistakes_exp(n: Numbers, gamma: Numbers, T: Numbers) -> Reals:
    r"""The weaker exponential form of :func:`gamma_boost_mistakes_product`.

    .. math:: n\, e^{-2 \gamma^2 T}

    Guarantee: at least the product form, so it bounds the same number of mistakes; below 1 there
    are none.

    >>> round(gamma_boost_mistakes_exp(100, 0.1, 51), 6)
    36.059494

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, section on boosting.
    """
    n, gamma, T = read(n=n, gamma=gamma, T=(T, ROUNDS))
    return reals(times_exp(n, floats(-2 * gamma**2 * T)))


def bbm_bound(T: Numbers, gamma: Numbers) -> Reals:
    r"""Bound on the training error of boost-by-majority.

    .. math:: \Pr[\mathrm{Binomial}(T, 1/2 + \gamma) \le T/2]

    Guarantee: if every one of the T weak hypotheses has an edge of at least gamma, at most this
    fraction of the training examples gets half of the votes or fewer. At most exp(-2 gamma^2 T).

    >>> round(bbm_bound(10, "1/10"), 6)
    0.366897

    Reference: Freund (1995), Boosting a weak learning algorithm by majority, Theorem 2.5.
    """
    from scipy.special import betainc

    T, gamma = np.broadcast_arrays(*read(T=(T, ROUNDS), gamma=(gamma, EDGE_OR_NONE)))
    size, half = floats(T), np.floor(floats(T) / 2)
    wrong = floats((HALF if gamma.dtype == object else 0.5) - gamma)
    with np.errstate(invalid="ignore"):
        tail = betainc(size - half, half + 1, wrong)
    return reals(np.where(size == 0, 1.0, tail))


def majority3_error(beta: Numbers) -> Reals:
    r"""Bound on the error of a majority of three hypotheses of error beta.

    .. math:: 3\beta^2 - 2\beta^3

    Guarantee: if the first errs on at most beta < 1/2 of D, the second of D filtered to be half
    right and half wrong for the first, the third of D where the first two differ, then their
    majority errs on at most this fraction of D, which is less than beta.

    >>> majority3_error("1/4")
    0.15625

    Reference: Schapire (1990), The strength of weak learnability, Lemma 1 and its corollary.
    """
    (b,) = read(beta=beta)
    return reals(floats(b**2 * (3 - 2 * b)))


# --- How many rounds are enough -------------------------------------------------------------------


def rounds_exp_ge(n: Numbers, gamma: Numbers) -> Counts:
    r"""Rounds after which edges of at least gamma leave no training mistake, T >= form.

    .. math:: \max(1, \lceil \ln n / (2 \gamma^2) \rceil)

    Guarantee: with this many rounds n (1 - 4 gamma^2)^{T/2} < n exp(-2 gamma^2 T) <= 1, so fewer
    than one of the n examples is misclassified.

    >>> rounds_exp_ge(100, 0.1)
    231

    Reference: Freund and Schapire (1997), corollary of Theorem 6.
    """
    return count_of_ln(lambda n, gamma: (n, 1 / (2 * gamma**2)), n=n, gamma=gamma)


def rounds_exp_gt(n: Numbers, gamma: Numbers) -> Counts:
    r"""The least number of rounds strictly above :math:`\ln n / (2 \gamma^2)`.

    .. math:: \lfloor \ln n / (2 \gamma^2) \rfloor + 1

    Guarantee: n exp(-2 gamma^2 T) < 1, hence no training mistake. The ratio is never whole for
    n > 1, so the answer equals :func:`rounds_exp_ge`.

    >>> rounds_exp_gt(569, 0.05)
    1269

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, section on boosting.
    """
    return count_of_ln(lambda n, gamma: (n, 1 / (2 * gamma**2)), n=n, gamma=gamma)


def _product_rounds(n: Fraction, gamma: Fraction) -> int:
    q = 1 - 4 * gamma**2
    if n == 1 or q == 0:
        return 1
    rounds, is_exact = power_reaches(q, 1 / n**2)
    return rounds + is_exact


def _product_rounds_estimate(n: Array, gamma: Array) -> NDArray[np.float64]:
    return np.asarray(2 * ln(n) / -ln_one_minus(4 * gamma**2))


def rounds_product_gt(n: Numbers, gamma: Numbers) -> Counts:
    r"""Rounds without training mistakes by the product bound: the smallest of the three numbers.

    .. math:: \lfloor 2 \ln n / \ln(1/(1 - 4\gamma^2)) \rfloor + 1

    Guarantee: n (1 - 4 gamma^2)^{T/2} < 1, hence no training mistake once every round has an edge
    of at least gamma. At gamma = 1/2 one round is enough.

    >>> rounds_product_gt(100, 0.1)
    226

    Reference: Freund and Schapire (1997), Theorem 6, solved for T.
    """
    return count(_product_rounds, _product_rounds_estimate, n=n, gamma=gamma)


def nu_star_rounds(n: Numbers, nu: Numbers) -> Counts:
    r"""Rounds after which AdaBoost* has a margin within nu of the largest.

    .. math:: \max(1, \lceil 2 \ln n / \nu^2 \rceil)

    Guarantee: after this many rounds on n examples every margin is at least the least correlation
    of its rounds minus nu; so at least rho* - nu, if none of them is below rho*, the largest
    smallest margin that any vote has.

    >>> nu_star_rounds(10, 0.1)
    461

    Reference: Rätsch and Warmuth (2005), Efficient margin maximizing with boosting.
    """
    return count_of_ln(lambda n, nu: (n, 2 / nu**2), n=n, nu=(nu, POSITIVE))


def softboost_rounds(nu: Numbers, delta: Numbers) -> Counts:
    r"""Rounds after which SoftBoost has a soft margin within delta of the largest.

    .. math:: \max(1, \lceil 2 \ln(1/\nu) / \delta^2 \rceil)

    Guarantee: if no example may weigh more than 1/nu times its first weight, and the learner finds
    the best hypothesis, boosting ends after at most so many rounds. With nu = 1/m it is TotalBoost,
    whose smallest margin is then within delta of the largest.

    >>> softboost_rounds(0.1, 0.1), softboost_rounds("1/1000", 0.1)
    (461, 1382)

    Reference: Warmuth, Glocer and Rätsch (2007), Boosting algorithms for the soft margin.
    """
    return count_of_ln(lambda nu, delta: (1 / nu, 2 / delta**2), nu=nu, delta=(delta, POSITIVE))


def erlpboost_rounds(nu: Numbers, delta: Numbers) -> Counts:
    r"""Rounds after which ERLPBoost has a soft margin within delta of the largest.

    .. math:: \max(\lceil 32 \ln(1/\nu) / \delta^2 \rceil, \lceil 8 / \delta \rceil)

    Guarantee: as for ``softboost_rounds``; in practice far fewer are needed by either.

    >>> erlpboost_rounds(0.1, 0.1), erlpboost_rounds(1, 0.1)
    (7369, 80)

    Reference: Warmuth, Glocer and Vishwanathan (2008), Entropy regularized LPBoost.
    """
    return count(
        lambda nu, delta: max(ceiling_of_ln(1 / nu, 32 / delta**2), math.ceil(8 / delta)),
        lambda nu, delta: np.maximum(ln(1 / nu) * floats(32 / delta**2), floats(8 / delta)),
        nu=nu,
        delta=(delta, POSITIVE),
    )


def _power_rounds(m: Fraction, a: Fraction) -> int:
    """ceil(m^a); m^a is an integer only where m is a power of the denominator of a."""

    def is_integer(k: int) -> bool:
        return a.denominator <= m.numerator.bit_length() and k**a.denominator == m**a.numerator

    if m == 1:
        return 1
    size = digits(m, a)
    return ceiling(lambda: (decimal(a) * decimal(m).ln()).exp(), is_integer, size)[0]


def consistent_rounds(m: Numbers, a: Numbers = 0.5) -> Counts:
    r"""Rounds of AdaBoost with which its error tends to the best there is as m grows.

    .. math:: \lceil m^a \rceil, \qquad 0 < a < 1

    Guarantee: in the limit only. With a base class of finite VC dimension whose votes can come near
    to any function, AdaBoost stopped after so many rounds has a true error that tends to the Bayes
    error, with probability 1. Without a limit on the rounds this fails on noisy data.

    >>> consistent_rounds(569), consistent_rounds(1000, "1/3")
    (24, 10)

    Reference: Bartlett and Traskin (2007), AdaBoost is consistent.
    """
    return count(_power_rounds, lambda m, a: np.asarray(np.exp(floats(a) * ln(m))), m=m, a=a)


def _minority(T: int, gamma: Fraction) -> Fraction:
    """Pr[Binomial(T, 1/2 + gamma) <= T/2], exactly."""
    p = Fraction(1, 2) + gamma
    a, b = p.numerator, p.denominator - p.numerator
    total = sum(math.comb(T, j) * a**j * b ** (T - j) for j in range(T // 2 + 1))
    return Fraction(total, p.denominator**T)


def _majority_rounds(eps: Fraction, gamma: Fraction) -> int:
    def enough(T: int) -> bool:
        found, wanted = float(bbm_bound(T, gamma)), float(eps)
        if abs(found - wanted) > 1e-9 * wanted or T > 2000:
            return found <= wanted
        return _minority(T, gamma) <= eps

    high = 0  # T = 2 high + 1
    while not enough(2 * high + 1):
        high = 2 * high + 1
    low = high // 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(2 * middle + 1) else (middle + 1, high)
    return 2 * high + 1


def bbm_rounds(eps: Numbers, gamma: Numbers) -> Counts:
    r"""Rounds after which boost-by-majority has a training error of at most eps.

    .. math:: \min \{T : \Pr[\mathrm{Binomial}(T, 1/2 + \gamma) \le T/2] \le \epsilon\}

    Guarantee: :func:`bbm_bound` is at most eps, if every weak hypothesis has an edge of at least
    gamma. The answer is odd: one round more makes ties possible, which count as errors. With eps
    below 1/m there is no training mistake on m examples.

    >>> bbm_rounds(0.01, 0.1), rounds_exp_ge(100, 0.1)
    (133, 231)

    Reference: Freund (1995), Boosting a weak learning algorithm by majority, Theorem 2.5, solved
    for T.
    """
    return each(_majority_rounds, eps=(eps, CONFIDENCE), gamma=gamma)
