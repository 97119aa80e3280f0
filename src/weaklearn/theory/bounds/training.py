"""The training error of boosting, from the errors or edges of its rounds."""

from __future__ import annotations

import numpy as np

from .arithmetic import exp, floats, ln_one_minus, reals, times_exp
from .reading import EDGE_OR_NONE, HALF, ROUNDS, Numbers, Reals, read


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
