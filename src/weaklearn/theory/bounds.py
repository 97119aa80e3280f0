"""The bounds as functions of their numbers: small, exact at the edges, and open to arrays.

Every argument may be a number, a fraction (``"1/10"`` or ``fractions.Fraction``), a whole number
of any size, or an array of these; arrays broadcast, and arguments that list the rounds of a run
(``epsilons``, ``gammas``) are reduced over their last axis. A single answer is a ``float``, or an
``int`` where the function counts. A bound above 1 is returned as it is: it promises nothing.

Functions that count are exact where logarithms in floating point are not: ``ln(1e-5) / ln(0.1)``
comes out above 5, yet five tries are enough, and ``(0.3 - 0.1) * 10`` falls below 2. They read a
float as the decimal it prints as, or, where that takes more than 15 digits (``1 / 7``), as the
simplest fraction that rounds to it, and settle close calls on fractions and longer decimals.

An argument outside its range raises ``ValueError``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "ada_exp",
    "ada_product",
    "binomial_lower_tail",
    "confidence_k_failure_as_printed",
    "confidence_k_failure_fixed",
    "confidence_k_success",
    "confidence_validation",
    "gamma_boost_mistakes_exp",
    "gamma_boost_mistakes_product",
    "hoeffding_one_sided",
    "hoeffding_two_sided",
    "margin_product",
    "margin_theta_limit",
    "resample_tries",
    "rounds_exp_ge",
    "rounds_exp_gt",
    "rounds_product_gt",
    "single_two_sided_width",
    "single_upper",
    "tree_bits",
]

Numbers: TypeAlias = ArrayLike | Fraction | Decimal | Sequence[Fraction] | Sequence[Decimal]
Reals: TypeAlias = float | NDArray[np.float64]
Counts: TypeAlias = int | NDArray[Any]
_Array: TypeAlias = NDArray[Any]  # of float64, or of Fractions (dtype object)

_HALF = Fraction(1, 2)


# --- Reading the arguments -------------------------------------------------------------------


class _Range(NamedTuple):
    """The values an argument may take, in words and as a test on arrays."""

    words: str
    holds: Callable[[_Array], Any]


_COUNT = _Range("a whole number of at least 1", lambda x: (x >= 1) & (x < np.inf) & (x % 1 == 0))
_ROUNDS = _Range("a whole number of at least 0", lambda x: (x >= 0) & (x < np.inf) & (x % 1 == 0))
_CONFIDENCE = _Range("strictly between 0 and 1", lambda x: (x > 0) & (x < 1))
_PROBABILITY = _Range("between 0 and 1", lambda x: (x >= 0) & (x <= 1))
_SUCCESS = _Range("above 0 and at most 1", lambda x: (x > 0) & (x <= 1))
_FAILURE = _Range("at least 0 and below 1", lambda x: (x >= 0) & (x < 1))
_POSITIVE = _Range("a finite number above 0", lambda x: (x > 0) & (x < np.inf))
_SLACK = _Range("a finite number of at least 0", lambda x: (x >= 0) & (x < np.inf))
_EDGE = _Range("above 0 and at most 1/2", lambda x: (x > 0) & (x <= _HALF))
_EDGE_OR_NONE = _Range("between 0 and 1/2", lambda x: (x >= 0) & (x <= _HALF))
_MARGIN = _Range("between -1 and 1", lambda x: (x >= -1) & (x <= 1))


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of smallest denominator in [low, high], 0 < low <= high."""
    whole = math.ceil(low)
    if whole <= high:
        return Fraction(whole)
    return whole - 1 + 1 / _simplest(1 / (high - whole + 1), 1 / (low - whole + 1))


def _fraction_of_float(x: float) -> Fraction:
    """The fraction a float stands for (see the module's docstring)."""
    decimal = Decimal(repr(x))
    if len(decimal.as_tuple().digits) <= 15:
        return Fraction(decimal)
    exact, reach = abs(Fraction(x)), Fraction(math.ulp(x)) / 2
    simple = _simplest(exact - reach, exact + reach)
    return int(math.copysign(1, x)) * simple if float(simple) == abs(x) else Fraction(x)


def _fraction(name: str, x: object) -> Fraction:
    if isinstance(x, np.generic):
        x = x.item()
    try:
        if isinstance(x, float):
            return _fraction_of_float(x)
        if isinstance(x, int | str | Fraction | Decimal) and not isinstance(x, bool):
            return Fraction(x)
    except (ValueError, OverflowError, ZeroDivisionError):  # "ten", nan, inf, "1/0"
        raise ValueError(f"{name} must be a finite number or a fraction, got {x!r}.") from None
    raise TypeError(f"{name} must be a number or a fraction, got {x!r}.")


def _fractions(name: str, x: _Array) -> _Array:
    read = np.empty(x.shape, dtype=object)
    read[...] = np.frompyfunc(lambda value: _fraction(name, value), 1, 1)(x)
    return read


def _numbers(name: str, value: object, allowed: _Range) -> _Array:
    """The argument as an array of floats, or of Fractions where floats would lose something."""
    given = np.asarray(value)
    if given.dtype.kind == "f" or given.size == 0:
        read: _Array = given.astype(np.float64)
    elif given.dtype.kind in "iu" and bool(np.all(np.abs(given.astype(np.float64)) < 2.0**53)):
        read = given.astype(np.float64)
    else:
        read = _fractions(name, given)
    with np.errstate(invalid="ignore"):
        inside = np.asarray(allowed.holds(read), dtype=bool)
    if not inside.all():
        culprit = given[~inside].flat[0]
        raise ValueError(f"{name} must be {allowed.words}, got {culprit}.")
    return read


def _read(**arguments: tuple[object, _Range]) -> list[_Array]:
    """All arguments as arrays of one kind: floats, or Fractions if any needs them."""
    read = {name: _numbers(name, *given) for name, given in arguments.items()}
    if any(x.dtype == object for x in read.values()):
        return [_fractions(name, x) for name, x in read.items()]
    return list(read.values())


# --- Arithmetic on floats and Fractions alike ------------------------------------------------


def _float(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def _floats(x: object) -> NDArray[np.float64]:
    """As floats, each Fraction rounded once; what is too large becomes infinite."""
    given = np.asarray(x)
    if given.dtype == object:
        given = np.asarray(np.frompyfunc(_float, 1, 1)(given))
    return given.astype(np.float64)


def _ln_fraction(x: Fraction) -> float:
    near = _float(x)
    if 0.5 < near < 2:
        return math.log1p(float(x - 1))
    if 1e-300 < near < 1e300:
        return math.log(near)
    return math.log(x.numerator) - math.log(x.denominator) if x else -math.inf


def _ln(x: object) -> NDArray[np.float64]:
    given = np.asarray(x)
    if given.dtype == object:
        return np.asarray(np.frompyfunc(_ln_fraction, 1, 1)(given)).astype(np.float64)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(given))


def _ln_one_minus(x: object) -> NDArray[np.float64]:
    given = np.asarray(x)
    if given.dtype == object:
        return _ln(1 - given)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log1p(-given))


def _exp(x: object) -> NDArray[np.float64]:
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.exp(_floats(x)))


def _times_exp(n: _Array, x: _Array) -> NDArray[np.float64]:
    """n e^x, also where n alone or e^x alone leaves the range of floats."""
    plain = _exp(x)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        product = _floats(n) * plain
        return np.where(np.isfinite(product) & (plain > 0), product, _exp(_ln(n) + x))


def _reals(x: _Array) -> Reals:
    return float(x) if np.ndim(x) == 0 else np.asarray(x, dtype=np.float64)


# --- Counting exactly ------------------------------------------------------------------------

_Decision = tuple[int, bool]  # the ceiling of a real number, and whether the number is whole


def _decimal(x: Fraction) -> Decimal:
    return Decimal(x.numerator) / Decimal(x.denominator)


def _ceiling(real: Callable[[], Decimal], is_whole: Callable[[int], bool], size: int) -> _Decision:
    """Ceiling of a real number known to any precision; ``is_whole`` settles the equality.

    ``size`` is the number of digits that cancellation may eat.
    """
    digits = 40
    while True:
        with localcontext() as context:
            context.prec = digits + size
            value = real()
            nearest = int(value.to_integral_value())
            if abs(value - nearest) > abs(value).scaleb(-digits // 2):
                return math.ceil(value), False
        if is_whole(nearest):
            return nearest, True
        digits *= 2


def _digits(*fractions: Fraction) -> int:
    return sum(len(f"{max(x.numerator, x.denominator):b}") for x in fractions) // 3 + 1


def _power_reaches(q: Fraction, x: Fraction) -> _Decision:
    """Least k with q^k <= x, for 0 < q < 1 and 0 < x < 1, and whether q^k = x."""

    def equal(k: int) -> bool:
        if k * (q.denominator.bit_length() - 1) > x.denominator.bit_length():
            return False  # q^k has a larger denominator than x
        return q**k == x

    return _ceiling(lambda: _decimal(x).ln() / _decimal(q).ln(), equal, 2 * _digits(q, x))


def _least_power(q: Fraction, x: Fraction) -> int:
    """Least k >= 1 with q^k <= x, for 0 <= q < 1 and x > 0."""
    return 1 if q <= x else _power_reaches(q, x)[0]


def _count(
    exact: Callable[..., int],
    estimate: Callable[..., NDArray[np.float64]],
    **arguments: tuple[object, _Range],
) -> Counts:
    """Ceilings of ``estimate`` (all at once), each close call settled by ``exact``."""
    read = np.broadcast_arrays(*_read(**arguments))
    with np.errstate(all="ignore"):
        guess = np.asarray(estimate(*read))
        near = ~(np.abs(guess - np.rint(guess)) > 1e-9 * (1 + np.abs(guess))) | (guess.ndim == 0)
    fractions = [_fractions(name, x[near]) for name, x in zip(arguments, read, strict=True)]
    settled = [exact(*values) for values in zip(*fractions, strict=True)]
    if guess.ndim == 0:
        return settled[0]
    large = max(settled, default=0) > np.iinfo(np.int64).max
    counts = np.ceil(np.where(near, 0.0, guess)).astype(object if large else np.int64)
    counts[near] = settled
    return counts


# --- Training error of boosting --------------------------------------------------------------


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
    (epsilon,) = _read(epsilons=(np.atleast_1d(np.asarray(epsilons)), _PROBABILITY))
    factors = 2 * np.sqrt(_floats(epsilon * (1 - epsilon)))
    with np.errstate(under="ignore"):
        return _reals(np.prod(factors, axis=-1))


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
    (epsilon,) = _read(epsilons=(np.atleast_1d(np.asarray(epsilons)), _PROBABILITY))
    squares = _floats((_HALF if epsilon.dtype == object else 0.5) - epsilon) ** 2
    return _reals(_exp(-2 * np.sum(squares, axis=-1)))


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
    n, gamma, T = _read(n=(n, _COUNT), gamma=(gamma, _EDGE), T=(T, _ROUNDS))
    with np.errstate(invalid="ignore"):
        exponent = np.where(T == 0, 0.0, _floats(T) / 2 * _ln_one_minus(4 * gamma**2))
    return _reals(_times_exp(n, exponent))


def gamma_boost_mistakes_exp(n: Numbers, gamma: Numbers, T: Numbers) -> Reals:
    r"""The weaker exponential form of :func:`gamma_boost_mistakes_product`.

    .. math:: n\, e^{-2 \gamma^2 T}

    Guarantee: at least the product form, so it bounds the same number of mistakes; below 1 there
    are none.

    >>> round(gamma_boost_mistakes_exp(100, 0.1, 51), 6)
    36.059494

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, section on boosting.
    """
    n, gamma, T = _read(n=(n, _COUNT), gamma=(gamma, _EDGE), T=(T, _ROUNDS))
    return _reals(_times_exp(n, _floats(-2 * gamma**2 * T)))


# --- Rounds to zero training error -----------------------------------------------------------


def _exp_rounds(n: Fraction, gamma: Fraction) -> int:
    if n == 1:
        return 1
    # ln n is irrational for n > 1, so that the ratio is never whole.
    ratio, size = 2 * gamma**2, 2 * _digits(n, gamma)
    return _ceiling(lambda: _decimal(n).ln() / _decimal(ratio), lambda _: False, size)[0]


def _exp_rounds_estimate(n: _Array, gamma: _Array) -> NDArray[np.float64]:
    return np.asarray(_ln(n) / _floats(2 * gamma**2))


def rounds_exp_ge(n: Numbers, gamma: Numbers) -> Counts:
    r"""Rounds after which edges of at least gamma leave no training mistake, T >= form.

    .. math:: \max(1, \lceil \ln n / (2 \gamma^2) \rceil)

    Guarantee: with this many rounds n (1 - 4 gamma^2)^{T/2} < n exp(-2 gamma^2 T) <= 1, so fewer
    than one of the n examples is misclassified.

    >>> rounds_exp_ge(100, 0.1)
    231

    Reference: Freund and Schapire (1997), corollary of Theorem 6.
    """
    return _count(_exp_rounds, _exp_rounds_estimate, n=(n, _COUNT), gamma=(gamma, _EDGE))


def rounds_exp_gt(n: Numbers, gamma: Numbers) -> Counts:
    r"""The least number of rounds strictly above :math:`\ln n / (2 \gamma^2)`.

    .. math:: \lfloor \ln n / (2 \gamma^2) \rfloor + 1

    Guarantee: n exp(-2 gamma^2 T) < 1, hence no training mistake. The ratio is never whole for
    n > 1, so the answer equals :func:`rounds_exp_ge`.

    >>> rounds_exp_gt(569, 0.05)
    1269

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, section on boosting.
    """
    return _count(_exp_rounds, _exp_rounds_estimate, n=(n, _COUNT), gamma=(gamma, _EDGE))


def _product_rounds(n: Fraction, gamma: Fraction) -> int:
    q = 1 - 4 * gamma**2
    if n == 1 or q == 0:
        return 1
    rounds, whole = _power_reaches(q, 1 / n**2)
    return rounds + whole


def _product_rounds_estimate(n: _Array, gamma: _Array) -> NDArray[np.float64]:
    return np.asarray(2 * _ln(n) / -_ln_one_minus(4 * gamma**2))


def rounds_product_gt(n: Numbers, gamma: Numbers) -> Counts:
    r"""Rounds without training mistakes by the product bound: the smallest of the three numbers.

    .. math:: \lfloor 2 \ln n / \ln(1/(1 - 4\gamma^2)) \rfloor + 1

    Guarantee: n (1 - 4 gamma^2)^{T/2} < 1, hence no training mistake once every round has an edge
    of at least gamma. At gamma = 1/2 one round is enough.

    >>> rounds_product_gt(100, 0.1)
    226

    Reference: Freund and Schapire (1997), Theorem 6, solved for T.
    """
    return _count(_product_rounds, _product_rounds_estimate, n=(n, _COUNT), gamma=(gamma, _EDGE))


# --- Margins ---------------------------------------------------------------------------------


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
    gamma, theta = _read(
        gammas=(np.atleast_1d(np.asarray(gammas)), _EDGE_OR_NONE), theta=(theta, _MARGIN)
    )
    up, down = _floats(1 + theta), _floats(1 - theta)
    rise = np.sum(_ln_one_minus(-2 * gamma), axis=-1)
    fall = np.sum(_ln_one_minus(2 * gamma), axis=-1)
    with np.errstate(invalid="ignore"):
        return _reals(_exp((up * rise + np.where(down == 0, 0.0, down * fall)) / 2))


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
    (edge,) = _read(gamma=(gamma, _EDGE_OR_NONE))
    g = _floats(edge)
    rise, fall = _ln_one_minus(-2 * edge), _ln_one_minus(2 * edge)
    with np.errstate(invalid="ignore", divide="ignore", under="ignore"):
        both = np.where(g < 0.25, _ln_one_minus(4 * edge**2), rise + fall)  # ln(1 - 4 gamma^2)
        limit = both / (fall - rise)
    return _reals(np.where(g < 1e-8, g, np.where(g == 0.5, 1.0, limit)))


# --- Boosting the confidence -----------------------------------------------------------------


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
    return _count(
        lambda p, delta: _least_power(1 - p, delta),
        lambda p, delta: np.asarray(_ln(delta) / _ln_one_minus(p)),
        success_probability=(success_probability, _SUCCESS),
        delta=(delta, _CONFIDENCE),
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
    return _count(
        lambda T, delta, p: _least_power(1 - p, delta / T),
        lambda T, delta, p: np.asarray(_ln(delta / T) / _ln_one_minus(p)),
        T=(T, _COUNT),
        delta=(delta, _CONFIDENCE),
        success_probability=(success_probability, _SUCCESS),
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
    return _count(
        _least_power,
        lambda q, delta: np.asarray(_ln(delta) / _ln(q)),
        failure_probability=(failure_probability, _FAILURE),
        delta=(delta, _CONFIDENCE),
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
    return _count(
        lambda q, delta: _least_power(q, delta / 2),
        lambda q, delta: np.asarray(_ln(delta / 2) / _ln(q)),
        failure_probability=(failure_probability, _FAILURE),
        delta=(delta, _CONFIDENCE),
    )


def _validation(k: Fraction, eps: Fraction, delta: Fraction) -> int:
    ratio, square = 4 * k / delta, eps**2 / 2
    size = 2 * _digits(ratio, square)
    # The logarithm of a rational other than 1 is irrational: the quotient is never whole.
    return _ceiling(lambda: _decimal(ratio).ln() / _decimal(square), lambda _: False, size)[0]


def confidence_validation(k: Numbers, eps: Numbers, delta: Numbers) -> Counts:
    r"""Held-out examples that suffice to choose among k hypotheses.

    .. math:: \lceil 2 \ln(4k/\delta) / \epsilon^2 \rceil

    Guarantee: with probability at least 1 - delta/2 all k held-out errors are within eps/2 of the
    true ones, so the best on the held-out data is within eps of the best of the k.

    >>> confidence_validation(5, 0.1, 0.05)
    1199

    Reference: Shalev-Shwartz and Ben-David, Understanding Machine Learning, Exercise 10.1.
    """
    return _count(
        _validation,
        lambda k, eps, delta: np.asarray(2 * _ln(4 * k / delta) / _floats(eps**2)),
        k=(k, _COUNT),
        eps=(eps, _POSITIVE),
        delta=(delta, _CONFIDENCE),
    )


# --- One hypothesis --------------------------------------------------------------------------


def hoeffding_one_sided(m: Numbers, eps: Numbers) -> Reals:
    r"""Chance that a mean of m independent values in [0, 1] is off by eps, to one side.

    .. math:: e^{-2 m \epsilon^2}

    Guarantee: Pr[mean <= expectation - eps] is at most this, and the same on the other side; so
    it bounds the chance that one fixed hypothesis looks better by eps than it is.

    >>> round(hoeffding_one_sided(50, 0.1), 6)
    0.367879

    Reference: Hoeffding (1963); Schapire and Freund, Boosting, Theorem 2.1.
    """
    m, eps = _read(m=(m, _COUNT), eps=(eps, _POSITIVE))
    return _reals(_exp(-2 * m * eps**2))


def hoeffding_two_sided(m: Numbers, eps: Numbers) -> Reals:
    r"""Chance that a mean of m independent values in [0, 1] is off by eps, to either side.

    .. math:: 2 e^{-2 m \epsilon^2}

    Guarantee: Pr[\|mean - expectation\| >= eps] is at most this; the union of the two sides.

    >>> round(hoeffding_two_sided(200, 0.05), 6)
    0.735759

    Reference: Hoeffding (1963); Schapire and Freund, Boosting, Theorem 2.1.
    """
    return 2 * hoeffding_one_sided(m, eps)


def single_upper(err: Numbers, m: Numbers, delta: Numbers) -> Reals:
    r"""Upper bound on the true error of one hypothesis, fixed before the m examples were seen.

    .. math:: \widehat{err} + \sqrt{\ln(1/\delta) / (2m)}

    Guarantee: the true error is at most this with probability at least 1 - delta.

    >>> round(single_upper(0.1, 500, 0.05), 6)
    0.154733

    Reference: Hoeffding (1963); Schapire and Freund, Boosting, section 2.2.1.
    """
    err, m, delta = _read(err=(err, _PROBABILITY), m=(m, _COUNT), delta=(delta, _CONFIDENCE))
    return _reals(_floats(err) + np.sqrt(-_ln(delta) / _floats(2 * m)))


def single_two_sided_width(m: Numbers, delta: Numbers) -> Reals:
    r"""Half-width of the interval around the observed error of one fixed hypothesis.

    .. math:: \sqrt{\ln(2/\delta) / (2m)}

    Guarantee: observed and true error differ by at most this with probability at least 1 - delta.

    >>> round(single_two_sided_width(500, 0.05), 6)
    0.060736

    Reference: Hoeffding (1963); Schapire and Freund, Boosting, section 2.2.1.
    """
    m, delta = _read(m=(m, _COUNT), delta=(delta, _CONFIDENCE))
    return _reals(np.sqrt(-_ln(delta / 2) / _floats(2 * m)))


def _tail_floor(m: _Array, p: _Array, eps: _Array) -> NDArray[np.float64]:
    """floor((p - eps) m), exactly."""
    guess = _floats((p - eps) * m)
    near = np.abs(guess - np.rint(guess)) <= 1e-9 * (1 + np.abs(guess))
    floors = np.array(np.floor(guess))
    close = [_fractions("", x[near]) for x in (m, p, eps)]
    floors[near] = [math.floor((p - eps) * m) for m, p, eps in zip(*close, strict=True)]
    return floors


def binomial_lower_tail(m: Numbers, p: Numbers, eps: Numbers) -> Reals:
    r"""Exact chance that m coin flips of bias p show a mean of at most p - eps.

    .. math:: \sum_{i=0}^{\lfloor (p - \epsilon) m \rfloor} \binom{m}{i} p^i (1 - p)^{m-i}

    Guarantee: an equality; never above :func:`hoeffding_one_sided`. It is 0 where p < eps.

    >>> round(binomial_lower_tail(10, 0.3, 0.1), 6)
    0.382783

    Reference: Schapire and Freund, Boosting, section 2.2.1.
    """
    from scipy.special import betainc  # only this function needs it

    m, p, eps = np.broadcast_arrays(
        *_read(m=(m, _COUNT), p=(p, _PROBABILITY), eps=(eps, _SLACK)), subok=False
    )
    last, size = _tail_floor(m, p, eps), _floats(m)
    with np.errstate(invalid="ignore"):
        tail = betainc(size - last, last + 1, _floats(1 - _fractions("p", p)))
    return _reals(np.where(last < 0, 0.0, np.where(last >= size, 1.0, tail)))


# --- Description length ----------------------------------------------------------------------


def tree_bits(internal: Numbers, d: Numbers) -> Counts:
    r"""Bits that describe a binary decision tree on d binary features.

    .. math:: n (1 + \lceil \lg d \rceil) + 2 (n + 1)

    Guarantee: an equality for the code of ``theory.tree_code``: each of the n inner nodes takes a
    bit and the number of its feature, each of the n + 1 leaves a bit and its label. No code is the
    beginning of another.

    >>> tree_bits(5, 10)
    37

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, on decision trees.
    """
    return _count(
        lambda n, d: int(n * (1 + int(d - 1).bit_length()) + 2 * (n + 1)),
        lambda n, d: np.asarray(_floats(n) * (1 + np.ceil(np.log2(_floats(d)))) + 2 * _floats(n)),
        internal=(internal, _ROUNDS),
        d=(d, _COUNT),
    )
