"""A term of an additive model as it is drawn: what it adds to the score in each cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.types import Floats
from ...inspection.column_grid import ColumnGrid
from ...inspection.explanation import scale_of
from ...inspection.shape import Shape
from .term_axis import TermAxis, categorical, ordered


@dataclass(frozen=True, eq=False)
class Term:
    """The cells of a function of one or two columns; the last of each axis is missing values'."""

    name: str
    axes: tuple[TermAxis, ...]
    values: Floats  # (cells, K) or (cells, cells, K)
    low: Floats  # the ends of the band around values
    high: Floats
    counts: Floats  # training rows of every cell
    outputs: tuple[str, ...]  # names of the K scores; () where there is one
    rug: Floats | None = None  # positions of the user's rows along the first axis

    @classmethod
    def from_shape(cls, shape: Shape, columns: Mapping[str, NDArray[Any]]) -> Term:
        """The term of a shape; ``columns`` are values of the user's rows by name, if any."""
        axes = tuple(_axis(grid, columns.get(grid.feature)) for grid in shape.grids)
        parts = (shape.values, shape.low, shape.high)
        values, low, high = parts if shape.outputs else (part[..., None] for part in parts)
        column = columns.get(shape.features[0])
        rug = None if column is None else axes[0].places(column)
        return cls(shape.name, axes, values, low, high, shape.counts, shape.outputs, rug)

    @property
    def n_outputs(self) -> int:
        return int(self.values.shape[-1])

    @property
    def reach(self) -> tuple[float, float]:
        """The least and the greatest value with its band, over the cells that hold rows."""
        seen = self.counts > 0
        if not seen.any():
            return 0.0, 0.0
        if self.is_pair:
            return float(self.values[seen].min()), float(self.values[seen].max())
        return float(self.low[seen].min()), float(self.high[seen].max())

    @property
    def is_pair(self) -> bool:
        return len(self.axes) == 2

    def strengths(self) -> Floats:
        """The mean size of what is added to each score, over the rows of training."""
        total = max(float(self.counts.sum()), 1.0)
        sizes = np.abs(self.values).reshape(-1, self.n_outputs)
        return np.asarray(self.counts.ravel() @ sizes / total)

    def centred(self) -> Term:
        """The same function of one column, shifted to add 0 on average."""
        mean = self.counts @ self.values / max(float(self.counts.sum()), 1.0)
        low, high = self.low - mean, self.high - mean
        return replace(self, values=self.values - mean, low=low, high=high)

    def transposed(self) -> Term:
        """The same pair with its axes exchanged."""
        parts = {name: getattr(self, name).swapaxes(0, 1) for name in ("values", "low", "high")}
        return replace(self, axes=self.axes[::-1], counts=self.counts.T, **parts)

    def top_categories(self, axis: int, most: int) -> tuple[Term, int]:
        """The term with its most influential categories only, and how many were left out.

        Influence is the number of rows times the size of the values.
        """
        categories = self.axes[axis].categories
        if len(categories) <= most + 1:  # "and 1 more" would take as much room
            return self, 0
        other = tuple(k for k in range(self.counts.ndim) if k != axis)
        weight = (np.abs(self.values).max(axis=-1) * self.counts).sum(axis=other)[:-1]
        kept = np.sort(np.argsort(-weight, kind="stable")[:most])
        return self.select(axis, kept), len(categories) - most

    def select(self, axis: int, kept: NDArray[np.intp]) -> Term:
        """The term with these categories of an axis only."""
        categories = self.axes[axis].categories
        cells = np.append(kept, len(categories))
        shorter = replace(
            self.axes[axis],
            categories=tuple(categories[k] for k in kept),
            edges=np.arange(len(kept) + 1.0),
        )
        return replace(
            self,
            axes=tuple(shorter if k == axis else a for k, a in enumerate(self.axes)),
            values=self.values.take(cells, axis),
            low=self.low.take(cells, axis),
            high=self.high.take(cells, axis),
            counts=self.counts.take(cells, axis),
        )


def _axis(grid: ColumnGrid, column: NDArray[Any] | None) -> TermAxis:
    if grid.edges is None:
        assert grid.categories is not None
        return categorical(grid.feature, tuple(map(str, grid.categories)), grid.missing)
    met = [part for part in (grid.ends, column) if part is not None]
    return ordered(grid.feature, grid.edges, np.concatenate(met) if met else None, grid.missing)


def score_scale(model: Any) -> str:
    """The scale of the scores that terms add up to, such as "log-odds of yes"."""
    if hasattr(model, "_explained_scale"):
        return str(model._explained_scale())
    return scale_of(model._loss, getattr(model, "classes_", None))
