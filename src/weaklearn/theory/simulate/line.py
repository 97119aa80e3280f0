"""Thresholds on the line, where every true error is known: a test bed for bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.messages.value_text import show
from ...base.types import Floats
from .. import bounds
from ..pac.compression import compression_scheme
from .trials import Coverage, coverage

_GRID = np.linspace(0, 1, 33)  # a finite class of thresholds; the true one is among them
_DEPTH = 8


@dataclass(frozen=True)
class Line:
    """x uniform on [0, 1], +1 from the cut on; a label is flipped with the chance ``noise``."""

    noise: float = 0.1
    cut: float = 0.5

    def error(self, nu: Floats) -> Floats:
        """The true error of x >= nu."""
        off = np.abs(np.asarray(nu) - self.cut)
        return np.asarray(self.noise + (1 - 2 * self.noise) * off)

    def draw(self, m: int, rng: np.random.Generator) -> LineSample:
        """m points in order, with their labels."""
        x = np.sort(rng.random(m))
        y = np.where((x >= self.cut) ^ (rng.random(m) < self.noise), 1, -1)
        return LineSample(self, x, y)


@dataclass(frozen=True)
class LineSample:
    """m examples in order, and the errors of thresholds on them."""

    line: Line
    x: Floats
    y: NDArray[np.int64]
    ups: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ups", np.concatenate([[0], np.cumsum(self.y > 0)]))

    def err(self, nu: Floats) -> Floats:
        """The training error of x >= nu."""
        k = np.searchsorted(self.x, nu, "left")
        m = len(self.x)
        downs_from = (m - self.ups[-1]) - (k - self.ups[k])
        return np.asarray((self.ups[k] + downs_from) / m)

    def ends(self) -> tuple[Floats, Floats]:
        """Training and true errors at both ends of every interval of thresholds that agree.

        The true error is convex there: it is nowhere larger than at an end.
        """
        edges = np.concatenate([[0.0], self.x, [1.0]])
        inside = np.concatenate([self.err(self.x), [self.ups[-1] / len(self.x)]])
        both = np.concatenate([edges[:-1], edges[1:]])
        return np.concatenate([inside, inside]), self.line.error(both)


Statement = Callable[[LineSample, float], tuple[float, float]]  # (observed, bound), given delta
Errors = Callable[[LineSample], tuple[Floats, Floats]]  # training and true errors of thresholds
Bound = Callable[[int, float], object]  # of m and delta


def _at(nu: ArrayLike) -> Errors:
    """The errors of thresholds that are fixed before."""
    fixed = np.asarray(nu, np.float64)
    return lambda sample: (sample.err(fixed), sample.line.error(fixed))


_ONE, _CLASS, _ALL = _at([0.3]), _at(_GRID), LineSample.ends


def _above(errors: Errors, bound: Bound) -> Statement:
    """True errors, above the training error by at most a bound: the one with the least room."""

    def statement(sample: LineSample, delta: float) -> tuple[float, float]:
        err, true = errors(sample)
        return _worst(true, err + np.asarray(bound(len(sample.x), delta)))

    return statement


def _apart(errors: Errors, bound: Bound) -> Statement:
    """The largest difference between the training and the true error."""

    def statement(sample: LineSample, delta: float) -> tuple[float, float]:
        err, true = errors(sample)
        return float(np.abs(true - err).max()), float(np.asarray(bound(len(sample.x), delta)))

    return statement


def _consistent(errors: Errors, bound: Bound) -> Statement:
    """The largest true error without training error; 0 where there is no such threshold."""

    def statement(sample: LineSample, delta: float) -> tuple[float, float]:
        err, true = errors(sample)
        most = float(true[err == 0].max(initial=0.0))
        return most, float(np.asarray(bound(len(sample.x), delta)))

    return statement


def _worst(true: Floats, bound: Floats) -> tuple[float, float]:
    """The hypothesis that is nearest to its bound, or furthest above it."""
    j = int(np.argmax(true - bound))
    return float(true[j]), float(bound[j])


def _binomial(sample: LineSample, delta: float) -> tuple[float, float]:
    (err,), (true,) = _ONE(sample)
    m = len(sample.x)
    return float(true), float(bounds.binomial_upper(round(float(err) * m), m, delta))


def _consistent_one(sample: LineSample, delta: float) -> tuple[float, float]:
    """One rule that is wrong at 0.05: to be caught, or below its bound."""
    nu = np.array(sample.line.cut + 0.05)
    if sample.err(nu) > 0:
        return 0.0, 1.0
    return float(sample.line.error(nu)), float(bounds.consistent_one(len(sample.x), delta))


def _dyadic(depth: int = _DEPTH) -> tuple[Floats, Floats]:
    """Thresholds k / 2^b with k odd, of b bits, b = 1, 2, ..., depth."""
    nu = [np.arange(1, 2**b, 2) / 2**b for b in range(1, depth + 1)]
    return np.concatenate(nu), np.repeat(np.arange(1.0, depth + 1), [len(part) for part in nu])


def _described(upper: Callable[..., object]) -> Statement:
    """Thresholds of b bits, below a bound by their training error and b."""
    nu, bits = _dyadic()

    def statement(sample: LineSample, delta: float) -> tuple[float, float]:
        bound = np.asarray(upper(sample.err(nu), bits, len(sample.x), delta))
        return _worst(sample.line.error(nu), bound)

    return statement


def _prefix(err: Floats, b: Floats, m: int, delta: float) -> object:
    """The bound by a prefix code of 2b - 1 bits: b - 1 ones and a zero, then b - 1 bits."""
    return bounds.prefix_upper(err, 2 * b - 1, m, delta)


def _prior(err: Floats, b: Floats, m: int, delta: float) -> object:
    """Weight 2^-b for the depth b, divided among its 2^(b-1) thresholds."""
    return bounds.prior_upper(err, np.exp2(1 - 2 * b), m, delta)


def _compressed(scheme: str) -> Statement:
    def statement(sample: LineSample, delta: float) -> tuple[float, float]:
        kept = compression_scheme(scheme, sample.x[:, None], sample.y, delta=delta)
        assert kept.bound is not None
        positive = (sample.y[kept.kept] > 0).any()
        nu = sample.x[kept.kept].mean() if positive else np.array(1.0)
        return float(sample.line.error(nu)), kept.bound

    return statement


_LN = float(np.log(len(_GRID)))

STATEMENTS: dict[str, tuple[Statement, bool]] = {  # and whether labels may be noisy
    "single_upper": (_above(_ONE, lambda m, d: bounds.single_upper(0, m, d)), True),
    "single_two_sided_width": (_apart(_ONE, bounds.single_two_sided_width), True),
    "binomial_upper": (_binomial, True),
    "finite_class_upper": (
        _above(_CLASS, lambda m, d: bounds.finite_class_upper(0, _LN, m, d)),
        True,
    ),
    "uniform_width": (_apart(_CLASS, lambda m, d: bounds.uniform_width(_LN, m, d)), True),
    "consistent_one": (_consistent_one, False),
    "consistent_finite": (
        _consistent(_CLASS, lambda m, d: bounds.consistent_finite(_LN, m, d)),
        False,
    ),
    "bits_upper": (_described(bounds.bits_upper), True),
    "size_regularised": (_described(bounds.size_regularised), True),
    "prefix_upper": (_described(_prefix), True),
    "prior_upper": (_described(_prior), True),
    "occam_bits_err": (  # all thresholds of fewer than five bits
        _consistent(_at(_dyadic(4)[0]), lambda m, d: bounds.occam_bits_err(5, m, d)),
        False,
    ),
    "growth_upper": (
        _above(_ALL, lambda m, d: bounds.growth_upper(0, np.log(m + 1), m, d)),
        True,
    ),
    "vc_upper": (_above(_ALL, lambda m, d: bounds.vc_upper(0, m, 1, d)), True),
    "vc_uniform_width_as_proved": (
        _apart(_ALL, lambda m, d: bounds.vc_uniform_width_as_proved(1, m, d)),
        True,
    ),
    "consistent_growth": (
        _consistent(_ALL, lambda m, d: bounds.consistent_growth(np.log2(2 * m + 1), m, d)),
        False,
    ),
    "consistent_vc": (_consistent(_ALL, lambda m, d: bounds.consistent_vc(m, 1, d)), False),
    "vc_occam_err": (_consistent(_ALL, lambda m, d: bounds.vc_occam_err(1, m, d)), False),
    "compression_upper": (_compressed("threshold"), True),
    "compression_consistent": (_compressed("midpoint"), False),
}


def thresholds(
    statement: str,
    *,
    m: int = 100,
    delta: float = 0.1,
    noise: float = 0.1,
    trials: int = 1000,
    seed: int = 0,
) -> Coverage:
    """Simulates one of the bounds for thresholds on the line, whose true errors are known.

    Each trial draws m examples. Where a bound speaks of all hypotheses of a class at once, it is
    the one with the least room below its bound that is looked at. Bounds for hypotheses without
    training error are tried without noise. ``statement`` is the name of a function of ``bounds``;
    ``STATEMENTS`` lists them.

    >>> found = thresholds("finite_class_upper", m=200, delta=0.1, trials=300)
    >>> found.failures, found.holds
    (2, True)
    """
    if statement not in STATEMENTS:
        listed = ", ".join(STATEMENTS)
        raise ValueError(f"statement={show(statement)} is not allowed: it must be one of {listed}.")
    judge, noisy = STATEMENTS[statement]
    line = Line(noise if noisy else 0.0)
    return coverage(lambda rng: judge(line.draw(m, rng), delta), delta, trials=trials, seed=seed)
