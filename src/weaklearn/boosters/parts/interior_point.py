"""The hardest distribution against given hypotheses, by an interior-point method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import xlogy

from ...base.types import Floats
from ...engines import on_threads
from ...engines.margins import InteriorPoint
from .distinct_rows import Patterns

_STEPS = 100  # at most
_VAIN, _VAIN_CURVED = 5, 40  # steps in a row that may come no nearer
_CLOSE, _CLOSEST = 1e-9, 1e-14  # what may be missing in all, and of a mean product
_SHORT = 0.999  # of the way to where a number would be 0
_SLOW = 0.1  # products fall no faster where the objective is curved
_FIRST = 0.5  # size of multipliers to begin with


class Settled(NamedTuple):
    """A distribution over patterns, the multipliers of the hypotheses, and the remaining error."""

    D: Floats
    w: Floats
    error: float


def hardest(patterns: Patterns, cap: Floats) -> Settled:
    """The D in the simplex, D <= cap, with the least largest correlation; w are votes."""
    return _Task(patterns, cap, 0.0, 1.0).settled(patterns.share, None)


def smoothed(patterns: Patterns, cap: Floats, eta: float) -> Settled:
    """The D of least largest correlation + RE(D || D_1) / eta; w / eta are votes."""
    return _Task(patterns, cap, 1.0, eta).settled(patterns.share, None)


def nearest(patterns: Patterns, cap: Floats, bound: float, hard: Floats) -> Settled:
    """The D of least RE(D || D_1) under which no correlation exceeds a bound.

    ``hard`` is a distribution that stays below the bound.
    """
    far = float(patterns.correlations(patterns.share).max())
    near = float(patterns.correlations(hard).max())
    part = min(0.5, 0.5 * (bound - near) / (far - near)) if far > near else 0.5
    start = (1 - part) * hard + part * patterns.share
    return _Task(patterns, cap, 1.0, None).settled(start, bound)


@dataclass(frozen=True)
class _Task:
    """Minimises total * b + curve * RE(D || D_1) subject to r(D) <= b, sum D = 1, 0 <= D <= cap.

    Where ``total`` is None, b is given. The method is Mehrotra's: Newton's steps towards the
    conditions of an optimum, whose products fall together; one Cholesky factor of the size of the
    votes a step.
    """

    patterns: Patterns
    cap: Floats
    curve: float
    total: float | None

    def settled(self, D: Floats, bound: float | None) -> Settled:
        """The best point found from a distribution on."""
        with np.errstate(all="ignore"):  # a step that fails is not better
            point = self._start(D, bound)
            error = on_threads(1).margins.interior_point(
                self.patterns,
                self.cap,
                point,
                curve=self.curve,
                total=self.total,
                steps=_STEPS,
                vain=_VAIN_CURVED if self.curve > 0 else _VAIN,
                close=(_CLOSE, _CLOSEST),
                way=_SHORT,
                slow=_SLOW,
            )
        return Settled(point.v[: len(D)], point.u[2 * len(D) :], error)

    def _start(self, D: Floats, bound: float | None) -> InteriorPoint:
        patterns, t = self.patterns, self.patterns.n_members
        r = patterns.correlations(D)
        b = float(r.max()) + _FIRST if bound is None else bound
        w = _FIRST / (b - r) if self.total is None else np.full(t, self.total / t)
        steep = patterns.margins(w) + self.curve * (xlogy(1.0, D / patterns.share) + 1)
        rho = float(np.sort(steep)[len(steep) // 2])
        x = np.maximum(steep - rho, 0.0) + _FIRST
        v = np.concatenate([D, self.cap - D, b - r])
        return InteriorPoint(v, np.concatenate([x, x - (steep - rho), w]), b, rho)
