"""A term of an additive model as it is drawn: what it adds in each cell of its axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.number_text import number
from ...base.types import Floats
from ...inspection.column_grid import ColumnGrid
from ...inspection.shape import Shape
from ..text_fit import cut


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
    return str(model._explained_scale())


_GAP, _BOX = 0.04, 0.06  # before the place of missing values, and its width: shares of the span
_DAY, _SECOND = np.timedelta64(1, "D"), np.timedelta64(1, "s")
_MANY, _OUTER = 8, 0.3  # cuts from which on outer cells are shortened, and to which share
_LARGE, _NARROW = 1e6, 1e-6  # numbers that may be too large for their span: its share of them
_UNITS = {"days": 86_400.0, "hours": 3600.0, "minutes": 60.0, "seconds": 1.0}


@dataclass(frozen=True, eq=False)
class TermAxis:
    """The cells of one column along an axis: between rising edges, or one per category.

    Where training had missing values, their cell lies apart, behind the last one.
    """

    name: str
    edges: Floats
    categories: tuple[str, ...] = ()
    ends: tuple[float, float] = (-np.inf, np.inf)  # of the data, perhaps beyond the edges
    dates: bool = False
    unit: str = ""  # of durations
    origin: int = 0  # subtracted from numbers whose span is tiny beside their size
    missing: bool = False  # whether there is a cell of missing values

    def places(self, values: NDArray[Any]) -> Floats:
        """Positions of values of the column."""
        if self.dates:
            return days(values)
        if self.unit:
            return np.asarray(values / _SECOND, np.float64) / _UNITS[self.unit]
        if not self.origin:
            return np.asarray(values, np.float64)
        if values.dtype.kind == "f":
            return np.asarray(values - self.origin, np.float64)
        return np.array([int(value) - self.origin for value in values], np.float64)

    @property
    def low(self) -> float:
        return float(self.edges[0])

    @property
    def high(self) -> float:
        return float(self.edges[-1])

    @property
    def hidden(self) -> tuple[bool, bool]:
        """Whether data lie beyond the left, and beyond the right end."""
        low, high = self.ends
        return bool(low < self.low), bool(high > self.high)

    def text(self, place: float) -> str:
        """A position as its tick label is written."""
        if not self.dates:
            return number(place, 4)
        return str(np.datetime64(round(place), "D"))

    @property
    def gap(self) -> tuple[float, float]:
        """The ends of the cell of missing values."""
        if self.categories:
            return self.high + 0.3, self.high + 1.3
        span = self.high - self.low
        return self.high + _GAP * span, self.high + (_GAP + _BOX) * span

    @property
    def missing_at(self) -> float:
        return sum(self.gap) / 2

    @property
    def limits(self) -> tuple[float, float]:
        """The ends of the axis."""
        far = self.gap[1] if self.missing else self.high
        return self.low, far


def ordered(
    name: str, cuts: NDArray[Any], met: NDArray[Any] | None = None, missing: bool = False
) -> TermAxis:
    """The axis of numbers, dates or durations with edges at these cuts.

    It reaches from the least to the greatest of the values met, unless outer cells would squeeze
    the others.
    """
    unit = _unit(cuts) if cuts.dtype.kind == "m" else ""
    origin = 0 if cuts.dtype.kind in "mM" else _origin(cuts, met)
    name = f"{name} ({unit})" if unit else name
    axis = TermAxis(
        f"{cut(name, 16)} − {origin}".replace("− -", "+ ") if origin else name,
        np.array([]),
        dates=cuts.dtype.kind == "M",
        unit=unit,
        origin=origin,
        missing=missing,
    )
    inner = axis.places(cuts)
    known = np.array([]) if met is None else axis.places(met)
    known = known[np.isfinite(known)]
    low, high = (known.min(), known.max()) if len(known) else _ends(inner)
    if len(inner):
        low, high = min(low, inner[0]), max(high, inner[-1])
    if low == high:  # a column of one value
        low, high = low - 0.5, high + 0.5
    ends = float(low), float(high)
    return replace(axis, edges=np.array(_shortened(inner, ends)), ends=ends)


def _origin(cuts: NDArray[Any], met: NDArray[Any] | None) -> int:
    """A round number to subtract where the span is tiny beside the values' size; else 0."""
    ends = list[Any]()
    for part in (cuts, met):
        known = part if part is None or part.dtype.kind != "f" else part[np.isfinite(part)]
        if known is not None and len(known):
            ends += [known.min(), known.max()]
    low, high = (int(min(ends)), int(max(ends))) if ends else (0, 0)
    span, size = high - low, max(abs(low), abs(high))
    if size < _LARGE or span >= _NARROW * size:
        return 0
    step = 10 ** len(str(span))
    return int(low // step) * int(step)


def _shortened(inner: Floats, ends: tuple[float, float]) -> list[float]:
    """The edges, with outer cells shortened that would squeeze all others into a corner.

    A term is constant inside a cell, so that nothing is hidden.
    """
    low, high = ends
    if len(inner) >= _MANY:
        most = _OUTER * float(inner[-1] - inner[0])
        low = low if inner[0] - low <= 2 * most else float(inner[0]) - most
        high = high if high - inner[-1] <= 2 * most else float(inner[-1]) + most
    return [low, *inner.tolist(), high]


def categorical(name: str, categories: tuple[str, ...], missing: bool) -> TermAxis:
    """The axis of a categorical column, one cell per category."""
    edges = np.arange(len(categories) + 1.0)
    return TermAxis(name, edges, categories=categories, missing=missing)


def days(dates: NDArray[Any]) -> Floats:
    """Datetimes in days since 1970, as matplotlib counts them."""
    return np.asarray((dates - np.datetime64(0, "D")) / _DAY, np.float64)


def _ends(places: Floats) -> tuple[float, float]:
    """Ends for outer cells where only the cuts are known: about as wide as the inner cells."""
    if len(places) == 0:
        return -0.5, 0.5
    if len(places) == 1:
        pad = 0.5 * max(1.0, abs(float(places[0])))
    else:
        span = float(places[-1] - places[0])
        pad = max(float(np.median(np.diff(places))), 0.03 * span)
    return float(places[0]) - pad, float(places[-1]) + pad


def _unit(durations: NDArray[Any]) -> str:
    """The largest unit in which the longest duration is 2 or more."""
    most = float(np.max(np.abs(durations / _SECOND), initial=0.0))
    return next((unit for unit, length in _UNITS.items() if most >= 2 * length), "seconds")
