"""An axis of a term as it is drawn: where its cells begin and end, and how they are marked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.number_text import number
from .text_fit import short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

_GAP, _BOX = 0.04, 0.06  # before the place of missing values, and its width: shares of the span
_DAY, _SECOND = np.timedelta64(1, "D"), np.timedelta64(1, "s")
_MANY, _OUTER = 8, 0.3  # cuts from which on outer cells are shortened, and to which share
_LARGE, _NARROW = 1e6, 1e-6  # numbers that may be too large for their span: its share of them
_UNITS = {"days": 86_400.0, "hours": 3600.0, "minutes": 60.0, "seconds": 1.0}


@dataclass(frozen=True, eq=False)
class Ruler:
    """The cells of one column along an axis: edges that rise, or levels one apart.

    Missing values have a place of their own behind the last cell, where there were any.
    """

    name: str
    edges: Floats
    levels: tuple[str, ...] = ()
    ends: tuple[float, float] = (-np.inf, np.inf)  # of the values met, perhaps beyond the edges
    dates: bool = False
    unit: str = ""  # of durations
    origin: int = 0  # of numbers that are large beside their span, which no axis could tell apart
    missing: bool = False

    def places(self, values: NDArray[Any]) -> Floats:
        """Where values of the column lie."""
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
        """Whether values go on to the left, or to the right, of what is drawn."""
        low, high = self.ends
        return bool(low < self.low), bool(high > self.high)

    def text(self, place: float) -> str:
        """A place on the ruler as its ticks would say it."""
        if not self.dates:
            return number(place, 4)
        return str(np.datetime64(round(place), "D"))

    @property
    def gap(self) -> tuple[float, float]:
        """Where missing values lie: a cell's width for levels, else a share of the span."""
        if self.levels:
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

    def ticks(self, small: bool = False) -> tuple[list[float], list[str]]:
        """Places and their texts; few where the picture is small."""
        most = 4 if small else 6
        if self.levels:
            places = [k + 0.5 for k in range(len(self.levels))]
            texts = [short(level, 10 if small else 18) for level in self.levels]
        else:
            places, texts = _dates(self, most) if self.dates else _numbers(self, most)
            if sum(len(text) + 2 for text in texts) > (24 if small else 60):
                places, texts = places[::2], texts[::2]
        if self.missing:
            near = self.missing_at - (0.3 if small else 0.14) * (self.high - self.low)
            if not self.levels:  # room for the word
                texts = [text for place, text in zip(places, texts, strict=True) if place < near]
                places = [place for place in places if place < near]
            places, texts = [*places, self.missing_at], [*texts, "missing"]
        return places, texts

    def mark_x(self, ax: Axes, small: bool = False) -> None:
        """Sets limits, ticks and name of the axis across."""
        ax.set_xticks(*self.ticks(small))
        ax.set_xlim(*self.limits)
        ax.set_xlabel(short(self.name, 26 if small and not self.origin else 40))

    def mark_y(self, ax: Axes, small: bool = False) -> None:
        """Sets limits, ticks and name of the axis upwards."""
        ax.set_yticks(*self.ticks(small))
        ax.set_ylim(*self.limits)
        ax.set_ylabel(short(self.name, 22 if small and not self.origin else 40))


def ordered(
    name: str, cuts: NDArray[Any], met: NDArray[Any] | None = None, missing: bool = False
) -> Ruler:
    """The ruler of numbers, dates or durations cut at these places; it holds all values met."""
    unit = _unit(cuts) if cuts.dtype.kind == "m" else ""
    origin = 0 if cuts.dtype.kind in "mM" else _origin(cuts, met)
    name = f"{name} ({unit})" if unit else name
    ruler = Ruler(
        f"{short(name, 16)} − {origin}".replace("− -", "+ ") if origin else name,
        np.array([]),
        dates=cuts.dtype.kind == "M",
        unit=unit,
        origin=origin,
        missing=missing,
    )
    inner = ruler.places(cuts)
    known = np.array([]) if met is None else ruler.places(met)
    known = known[np.isfinite(known)]
    low, high = (known.min(), known.max()) if len(known) else _ends(inner)
    if len(inner):
        low, high = min(low, inner[0]), max(high, inner[-1])
    if low == high:  # a column of one value
        low, high = low - 0.5, high + 0.5
    ends = float(low), float(high)
    return replace(ruler, edges=np.array(_shortened(inner, ends)), ends=ends)


def _origin(cuts: NDArray[Any], met: NDArray[Any] | None) -> int:
    """A round number to count from, where values hardly differ beside their size; else 0."""
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
    """The edges, of which an outer cell does not squeeze all others into a corner.

    A function is flat there, so that nothing goes unseen.
    """
    low, high = ends
    if len(inner) >= _MANY:
        most = _OUTER * float(inner[-1] - inner[0])
        low = low if inner[0] - low <= 2 * most else float(inner[0]) - most
        high = high if high - inner[-1] <= 2 * most else float(inner[-1]) + most
    return [low, *inner.tolist(), high]


def of_levels(name: str, levels: tuple[str, ...], missing: bool) -> Ruler:
    """The ruler of categories."""
    return Ruler(name, np.arange(len(levels) + 1.0), levels=levels, missing=missing)


def days(moments: NDArray[Any]) -> Floats:
    """Moments as matplotlib counts them, in days since 1970."""
    return np.asarray((moments - np.datetime64(0, "D")) / _DAY, np.float64)


def _ends(places: Floats) -> tuple[float, float]:
    """Ends for outer cells that are known by their cuts only: as wide as cells are."""
    if len(places) == 0:
        return -0.5, 0.5
    if len(places) == 1:
        pad = 0.5 * max(1.0, abs(float(places[0])))
    else:
        span = float(places[-1] - places[0])
        pad = max(float(np.median(np.diff(places))), 0.03 * span)
    return float(places[0]) - pad, float(places[-1]) + pad


def _unit(durations: NDArray[Any]) -> str:
    """The largest unit in which the longest is 2 or more."""
    most = float(np.max(np.abs(durations / _SECOND), initial=0.0))
    return next((unit for unit, length in _UNITS.items() if most >= 2 * length), "seconds")


def _numbers(ruler: Ruler, most: int) -> tuple[list[float], list[str]]:
    from matplotlib.ticker import MaxNLocator

    halves = 2 * ruler.edges  # whole numbers are cut between two of them
    whole = bool((halves == np.round(halves)).all())
    locator = MaxNLocator(most, steps=[1, 2, 2.5, 5, 10], integer=whole)
    found = locator.tick_values(ruler.low, ruler.high)
    places = [float(place) for place in found if ruler.low <= place <= ruler.high]
    return places, [number(place) for place in places]


def _dates(ruler: Ruler, most: int) -> tuple[list[float], list[str]]:
    from matplotlib import dates

    calendar: Any = dates  # which carries no types
    # With fewer it finds no step between hours and days, or months and years, and complains.
    locator = calendar.AutoDateLocator(minticks=2, maxticks=max(most, 6))
    low, high = calendar.num2date(ruler.low), calendar.num2date(ruler.high)
    places = [float(p) for p in locator.tick_values(low, high) if ruler.low <= p <= ruler.high]
    places = places[:: 1 + (len(places) > most)]
    return places, calendar.ConciseDateFormatter(locator, show_offset=False).format_ticks(places)
