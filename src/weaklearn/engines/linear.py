"""Kernels of online learning with linear scores and layered networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.types import Floats


@dataclass(frozen=True)
class LinearKernels:
    """Kernels of online learning with linear scores."""

    threads: int

    def rows(self, rows: Any, constant: bool) -> _core.Lines:
        """Rows for online learning: a float matrix, or a sparse one by rows.

        Where asked for, a constant feature of 1 stands behind the others.
        """
        if isinstance(rows, np.ndarray):
            down, along = rows.strides
            in_order = down >= 0 and down % rows.itemsize == 0 and rows.flags.aligned
            fits = in_order and (along == rows.itemsize or rows.shape[1] < 2)
            return _core.Lines.matrix(rows if fits else np.array(rows, order="C"), constant)
        return _core.Lines.sparse(
            rows.shape[1],
            np.ascontiguousarray(rows.data, np.float64),
            np.ascontiguousarray(rows.indices, np.int32),
            np.ascontiguousarray(rows.indptr, np.int64),
            constant,
        )

    def learn(
        self,
        lines: _core.Lines,
        y: NDArray[np.int32],
        units: Sequence[int],
        w: Floats,
        *,
        cost: int,
        rate: float,
        fading: bool,
        steps: Floats | None,
        seen: int,
        drift: Floats | None = None,
        kept: Floats | None = None,
        refuse_zero: bool = False,
        order: NDArray[np.int64] | None = None,
        **into: Any,
    ) -> tuple[int, int, int, int, float, int]:
        """One pass of learning row by row; w changes in place.

        ``into`` are arrays that the pass writes: scores, mistakes, losses. Returned are the ending
        (0: all learnt, 1: a score is no number, 2: a row of zeros), the numbers of examples,
        mistakes and updates, the loss, and the longest run without an update.
        """
        how: dict[str, Any] = {"cost": cost, "rate": rate, "fading": fading, "steps": steps}
        how |= {"seen": seen, "order": order} | into
        if len(units) > 1:
            return _core.circuit_pass(lines, y, units, w, **how)
        return _core.linear_pass(lines, y, units[0], w, drift, kept, refuse_zero=refuse_zero, **how)

    def scores(self, lines: _core.Lines, units: Sequence[int], w: Floats) -> Floats:
        """The scores of rows, a column for each output."""
        if len(units) == 1:
            return _core.linear_scores(lines, units[0], w, self.threads)
        return _core.circuit_scores(lines, units, w, self.threads)

    def errors(
        self, lines: _core.Lines, y: NDArray[np.int32], outputs: int, candidates: Floats
    ) -> list[int]:
        """The number of rows that each of several linear candidates misclassifies."""
        return _core.linear_errors(lines, y, outputs, candidates, self.threads)
