"""A column along the axis of a picture: how it is marked, and what its cells are called."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...base.messages.table import printable
from ...page.span import Span
from ..drawing.term_axis import Ruler
from .section import cut

_MARKS = 4


def axis(ruler: Ruler, *, room: float = 0.26, letters: int = 18) -> Span:
    """The stretch that a column is drawn on; the word "missing" has so much room before it."""
    low, high = ruler.limits
    marks = tuple((k + 0.5, cut(level, letters)) for k, level in enumerate(ruler.levels))
    if not ruler.levels and not ruler.dates and not ruler.missing:
        return Span(low, high)
    if not ruler.levels:
        inner = Span(ruler.low, ruler.high, marks=_dates(ruler) if ruler.dates else None)
        near = ruler.missing_at - room * (ruler.high - ruler.low)
        marks = tuple(tick for tick in inner.ticks(_MARKS) if not ruler.missing or tick[0] < near)
    missing = ((ruler.missing_at, "missing"),) if ruler.missing else ()
    return Span(low, high, marks=marks + missing)


def cells(ruler: Ruler) -> list[str]:
    """What the cells are called, that of missing values last, where there were any."""
    names = [printable(level) for level in ruler.levels]
    if not names:
        inner = [ruler.text(edge) for edge in ruler.edges.tolist()[1:-1]]
        between = [f"{a} to {b}" for a, b in pairwise(inner)]
        names = [f"up to {inner[0]}", *between, f"above {inner[-1]}"] if inner else ["any value"]
    return [*names, "missing"] if ruler.missing else names


def _dates(ruler: Ruler) -> tuple[tuple[float, str], ...]:
    """The first days of years, of months, or some days, whatever gives few."""
    first, last = (np.datetime64(round(end), "D") for end in (ruler.low, ruler.high))
    for unit in ("Y", "M", "D"):
        days = np.arange(first.astype(f"M8[{unit}]"), last + 1, dtype=f"M8[{unit}]")
        if len(days) > 2:
            break
    days = days[:: max(1, -(-len(days) // _MARKS))]
    return tuple((float(day.astype("M8[D]").astype(int)), str(day)) for day in days)
