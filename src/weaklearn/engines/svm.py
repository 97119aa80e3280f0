"""Kernels of support vector machines: products of rows, and steps of dual ascent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from ..base.types import Floats


@dataclass(frozen=True)
class SvmKernels:
    """Routines of the core for support vector machines."""

    def rows(self, rows: Any) -> _core.Numbers:
        """Rows for dot products summed in a fixed order: a matrix, or a sparse one by rows."""
        if isinstance(rows, np.ndarray):
            return _core.Numbers(np.ascontiguousarray(rows, np.float64))
        return _core.Numbers(
            np.ascontiguousarray(rows.indptr, np.int64),
            np.ascontiguousarray(rows.indices, np.int32),
            np.ascontiguousarray(rows.data, np.float64),
            rows.shape[1],
        )

    def climb(
        self, matrix: Floats, y: Floats, cap: Floats, K: Floats, a: Floats, g: Floats, steps: int
    ) -> int:
        """Steps up the dual of a support vector machine, each along the coordinate of most gain.

        Multipliers a and margins g change in place; how many steps there were, until none gained.
        """
        return _core.dual_climb(matrix, y, cap, K, a, g, steps)

    def settle(self, Q: Floats, slope: Floats, cap: Floats, a: Floats) -> bool:
        """A joint step of all free multipliers within their limits; returns whether it was a full
        one.
        """
        return _core.dual_settle(Q, slope, cap, a)

    def solve(self, A: Floats, right: Floats) -> Floats:
        """Solutions of a positive definite system, one per row; reads the lower half of A."""
        return _core.solve(A, right)
