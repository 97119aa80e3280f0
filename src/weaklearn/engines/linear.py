"""Kernels of online learning: linear scores and layered networks, experts, and the SVM."""

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


Labels = NDArray[np.int32]


@dataclass(frozen=True)
class ExpertKernels:
    """Kernels that combine experts, one example after another."""

    def play(
        self,
        epsilon: float,
        chances: Floats,
        mistakes: NDArray[np.int64],
        start: NDArray[np.int64],
        expert: Labels,
        label: Labels,
        truth: Labels,
        place: Floats,
        n_labels: int,
        learns: bool = True,
    ) -> tuple[Floats, Labels, Labels]:
        """Runs examples against experts; chances and mistakes of each change in place.

        Returned are, of every example, the chance of a mistake, the label of most weight, and a
        drawn label.
        """
        return _core.play_experts(
            epsilon, chances, mistakes, start, expert, label, truth, place, n_labels, learns
        )

    def present(self, cells: NDArray[Any]) -> tuple[NDArray[np.int64], Labels, Floats]:
        """The entries of a float matrix that are not NaN: starts of rows, columns, values."""
        return _core.present(cells)


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
