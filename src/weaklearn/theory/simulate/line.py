"""Thresholds on the line, where every true error is known: a test bed for bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

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


Statement = Callable[[LineSample, float], tuple[float, float]]


def _worst(true: Floats, bound: Floats) -> tuple[float, float]:
    """The hypothesis that is nearest to its bound, or furthest above it."""
    j = int(np.argmax(true - bound))
    return float(true[j]), float(bound[j])


def _single(sample: LineSample, delta: float) -> tuple[float, float]:
    nu, m = np.array(0.3), len(sample.x)
    return float(sample.line.error(nu)), float(bounds.single_upper(sample.err(nu), m, delta))


def _single_two_sided(sample: LineSample, delta: float) -> tuple[float, float]:
    nu, m = np.array(0.3), len(sample.x)
    off = abs(float(sample.line.error(nu) - sample.err(nu)))
    return off, float(bounds.single_two_sided_width(m, delta))


def _binomial(sample: LineSample, delta: float) -> tuple[float, float]:
    nu, m = np.array(0.3), len(sample.x)
    wrong = round(float(sample.err(nu)) * m)
    return float(sample.line.error(nu)), float(bounds.binomial_upper(wrong, m, delta))


def _finite(sample: LineSample, delta: float) -> tuple[float, float]:
    err, m = sample.err(_GRID), len(sample.x)
    width = float(bounds.finite_class_upper(0, np.log(len(_GRID)), m, delta))
    return _worst(sample.line.error(_GRID), err + width)


def _uniform(sample: LineSample, delta: float) -> tuple[float, float]:
    off = np.abs(sample.line.error(_GRID) - sample.err(_GRID)).max()
    return float(off), float(bounds.uniform_width(np.log(len(_GRID)), len(sample.x), delta))


def _consistent_one(sample: LineSample, delta: float) -> tuple[float, float]:
    """One rule that is wrong at 0.05: to be caught, or below its bound."""
    nu = np.array(sample.line.cut + 0.05)
    if sample.err(nu) > 0:
        return 0.0, 1.0
    return float(sample.line.error(nu)), float(bounds.consistent_one(len(sample.x), delta))


def _consistent_finite(sample: LineSample, delta: float) -> tuple[float, float]:
    right = _GRID[sample.err(_GRID) == 0]
    bound = bounds.consistent_finite(np.log(len(_GRID)), len(sample.x), delta)
    return float(sample.line.error(right).max()), float(bound)


def _dyadic() -> tuple[Floats, Floats]:
    """Thresholds k / 2^b with k odd, of b bits, b = 1, 2, ..."""
    nu = [np.arange(1, 2**b, 2) / 2**b for b in range(1, _DEPTH + 1)]
    return np.concatenate(nu), np.repeat(np.arange(1.0, _DEPTH + 1), [len(part) for part in nu])


def _described(
    sample: LineSample, delta: float, upper: Callable[..., object]
) -> tuple[float, float]:
    nu, bits = _dyadic()
    bound = np.asarray(upper(sample.err(nu), bits, len(sample.x), delta))
    return _worst(sample.line.error(nu), bound)


def _bits(sample: LineSample, delta: float) -> tuple[float, float]:
    return _described(sample, delta, bounds.bits_upper)


def _size(sample: LineSample, delta: float) -> tuple[float, float]:
    return _described(sample, delta, bounds.size_regularised)


def _prefix(sample: LineSample, delta: float) -> tuple[float, float]:
    """The bound by a prefix code of 2b - 1 bits: b - 1 ones and a zero, then b - 1 bits."""

    def upper(err: Floats, b: Floats, m: int, delta: float) -> object:
        return bounds.prefix_upper(err, 2 * b - 1, m, delta)

    return _described(sample, delta, upper)


def _prior(sample: LineSample, delta: float) -> tuple[float, float]:
    """Weight 2^-b for the depth b, divided among its 2^(b-1) thresholds."""

    def upper(err: Floats, b: Floats, m: int, delta: float) -> object:
        return bounds.prior_upper(err, np.exp2(1 - 2 * b), m, delta)

    return _described(sample, delta, upper)


def _occam_bits(sample: LineSample, delta: float) -> tuple[float, float]:
    """All thresholds of fewer than five bits that fit."""
    nu, bits = _dyadic()
    right = sample.err(nu) == 0
    true, few = sample.line.error(nu[right]), bits[right] <= 4
    bound = float(bounds.occam_bits_err(5, len(sample.x), delta))
    return float(true[few].max(initial=0.0)), bound


def _growth(sample: LineSample, delta: float) -> tuple[float, float]:
    err, true = sample.ends()
    m = len(sample.x)
    return _worst(true, err + float(bounds.growth_upper(0, np.log(m + 1), m, delta)))


def _vc(sample: LineSample, delta: float) -> tuple[float, float]:
    err, true = sample.ends()
    return _worst(true, err + float(bounds.vc_upper(0, len(sample.x), 1, delta)))


def _vc_uniform(sample: LineSample, delta: float) -> tuple[float, float]:
    err, true = sample.ends()
    width = bounds.vc_uniform_width_as_proved(1, len(sample.x), delta)
    return float(np.abs(true - err).max()), float(width)


def _worst_consistent(sample: LineSample) -> float:
    err, true = sample.ends()
    return float(true[err == 0].max())


def _consistent_growth(sample: LineSample, delta: float) -> tuple[float, float]:
    m = len(sample.x)
    return _worst_consistent(sample), float(bounds.consistent_growth(np.log2(2 * m + 1), m, delta))


def _consistent_vc(sample: LineSample, delta: float) -> tuple[float, float]:
    return _worst_consistent(sample), float(bounds.consistent_vc(len(sample.x), 1, delta))


def _vc_occam(sample: LineSample, delta: float) -> tuple[float, float]:
    return _worst_consistent(sample), float(bounds.vc_occam_err(1, len(sample.x), delta))


def _compressed(scheme: str) -> Statement:
    def statement(sample: LineSample, delta: float) -> tuple[float, float]:
        kept = compression_scheme(scheme, sample.x[:, None], sample.y, delta=delta)
        assert kept.bound is not None
        positive = (sample.y[kept.kept] > 0).any()
        nu = sample.x[kept.kept].mean() if positive else np.array(1.0)
        return float(sample.line.error(nu)), kept.bound

    return statement


STATEMENTS: dict[str, tuple[Statement, bool]] = {  # and whether labels may be noisy
    "single_upper": (_single, True),
    "single_two_sided_width": (_single_two_sided, True),
    "binomial_upper": (_binomial, True),
    "finite_class_upper": (_finite, True),
    "uniform_width": (_uniform, True),
    "consistent_one": (_consistent_one, False),
    "consistent_finite": (_consistent_finite, False),
    "bits_upper": (_bits, True),
    "size_regularised": (_size, True),
    "prefix_upper": (_prefix, True),
    "prior_upper": (_prior, True),
    "occam_bits_err": (_occam_bits, False),
    "growth_upper": (_growth, True),
    "vc_upper": (_vc, True),
    "vc_uniform_width_as_proved": (_vc_uniform, True),
    "consistent_growth": (_consistent_growth, False),
    "consistent_vc": (_consistent_vc, False),
    "vc_occam_err": (_vc_occam, False),
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
        raise ValueError(f"statement={statement!r} is not allowed: it must be one of {listed}.")
    judge, noisy = STATEMENTS[statement]
    line = Line(noise if noisy else 0.0)
    return coverage(lambda rng: judge(line.draw(m, rng), delta), delta, trials=trials, seed=seed)
