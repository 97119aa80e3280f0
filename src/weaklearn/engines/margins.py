"""Kernels of votes of the largest soft margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.types import Floats


class SidesOfPatterns(Protocol):
    """The sides (P, t) of patterns, their weights (P,), and the products of any two sides."""

    @property
    def sides(self) -> NDArray[np.int8]: ...
    @property
    def share(self) -> Floats: ...
    def gram(self, D: Floats, /) -> Floats: ...


class InteriorPoint(NamedTuple):
    """An interior point of the search for the hardest distribution D.

    ``v`` holds one after another D, q = cap - D and s = b - r(D); ``u`` holds x, xi and w, their
    multipliers, of D >= 0, q >= 0 and s >= 0; ``rho`` is the multiplier of sum D = 1.
    """

    v: Floats
    u: Floats
    b: float
    rho: float


@dataclass(frozen=True)
class MarginKernels:
    """Kernels of votes of the largest soft margin."""

    def interior_point(
        self,
        patterns: SidesOfPatterns,
        cap: Floats,
        point: InteriorPoint,
        *,
        curve: float,
        total: float | None,
        steps: int,
        vain: int,
        close: tuple[float, float],
        way: float,
        slow: float,
    ) -> float:
        """Minimises total * b + curve * RE(D || share) subject to r(D) <= b and 0 <= D <= cap.

        ``v`` and ``u`` of the point change in place, to those of the best point in at most
        ``steps`` steps, ``vain`` of them in a row without progress; returned is the largest
        residual there. It is enough where that is below ``close[0]``, and the mean product too
        below ``close[1]`` where curve is 0. A step goes the share ``way`` of the way to where a
        number would be 0; products fall no faster than by ``slow`` where curve is above 0.
        """
        sides, share = np.ascontiguousarray(patterns.sides), np.ascontiguousarray(patterns.share)
        return _core.interior_point(
            *(sides, share, np.ascontiguousarray(cap), curve, total, point.v, point.u),
            *((point.b, point.rho), steps, vain, close, way, slow, patterns.gram),
        )
