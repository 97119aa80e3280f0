"""One term ready to be drawn: its rulers, and what stands in its cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .canvas import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION
from .term_axis import Ruler, of_levels, ordered

if TYPE_CHECKING:
    from ...inspection.column_grid import ColumnGrid
    from ...inspection.shape import Shape

Floats = NDArray[np.float64]

COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, GREY)
DASHES = ("-", (0, (5, 2)), (0, (1.2, 1.4)))
STRIP = 0.11  # the share of a picture's height that shows where the data are


@dataclass(frozen=True, eq=False)
class Panel:
    """A term's cells along one or two rulers; the last cell of each is that of missing values."""

    name: str
    rulers: tuple[Ruler, ...]
    values: Floats  # (cells, K) or (cells, cells, K)
    low: Floats
    high: Floats
    counts: Floats
    outputs: tuple[str, ...]  # names of the K scores; () where there is one
    rug: Floats | None = None  # rows of the user's along the first ruler

    @property
    def n_outputs(self) -> int:
        return int(self.values.shape[-1])

    @property
    def reach(self) -> tuple[float, float]:
        """The least and the greatest value with its band, over the cells that hold rows."""
        seen = self.counts > 0
        if not seen.any():
            return 0.0, 0.0
        if len(self.rulers) == 2:
            return float(self.values[seen].min()), float(self.values[seen].max())
        return float(self.low[seen].min()), float(self.high[seen].max())

    def cut(self, axis: int, most: int) -> tuple[Panel, int]:
        """The levels that matter most, at most so many; and how many were left out.

        A level matters by its rows times the size of its values.
        """
        ruler = self.rulers[axis]
        if len(ruler.levels) <= most + 1:  # "and 1 more" would take as much room
            return self, 0
        other = tuple(k for k in range(self.counts.ndim) if k != axis)
        weight = (np.abs(self.values).max(axis=-1) * self.counts).sum(axis=other)[:-1]
        kept = np.sort(np.argsort(-weight, kind="stable")[:most])
        return self.keep(axis, kept), len(ruler.levels) - most

    def keep(self, axis: int, kept: NDArray[np.intp]) -> Panel:
        """The same with some of the levels only."""
        ruler = self.rulers[axis]
        cells = np.append(kept, len(ruler.levels))
        shorter = replace(
            ruler,
            levels=tuple(ruler.levels[k] for k in kept),
            edges=np.arange(len(kept) + 1.0),
        )
        rulers = tuple(shorter if k == axis else r for k, r in enumerate(self.rulers))
        return replace(
            self,
            rulers=rulers,
            values=self.values.take(cells, axis),
            low=self.low.take(cells, axis),
            high=self.high.take(cells, axis),
            counts=self.counts.take(cells, axis),
        )


def panel_of(shape: Shape, columns: Mapping[str, NDArray[Any]]) -> Panel:
    """A shape to be drawn; ``columns`` are values of the user's rows by name, if there are any."""
    rulers = tuple(_ruler(grid, columns.get(grid.feature)) for grid in shape.grids)
    parts = (shape.values, shape.low, shape.high)
    values, low, high = parts if shape.outputs else (part[..., None] for part in parts)
    column = columns.get(shape.features[0])
    rug = None if column is None else rulers[0].places(column)
    return Panel(shape.name, rulers, values, low, high, shape.counts, shape.outputs, rug)


def _ruler(grid: ColumnGrid, column: NDArray[Any] | None) -> Ruler:
    if grid.edges is None:
        assert grid.levels is not None
        return of_levels(grid.feature, tuple(map(str, grid.levels)), grid.missing)
    met = [part for part in (grid.ends, column) if part is not None]
    return ordered(grid.feature, grid.edges, np.concatenate(met) if met else None, grid.missing)
