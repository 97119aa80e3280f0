"""The axis of a term in a page: its marks, and the names of its cells."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...base.messages.table import printable
from ...page.scale import Scale
from ..data.term import TermAxis
from ..text_fit import cut

_MARKS = 4


def axis_scale(axis: TermAxis, *, room: float = 0.26, letters: int = 18) -> Scale:
    """The scale of the axis; no mark stands so near before the word "missing"."""
    low, high = axis.limits
    marks = tuple((k + 0.5, cut(name, letters)) for k, name in enumerate(axis.categories))
    if not axis.categories and not axis.dates and not axis.missing:
        return Scale(low, high)
    if not axis.categories:
        inner = Scale(axis.low, axis.high, marks=_dates(axis) if axis.dates else None)
        near = axis.missing_at - room * (axis.high - axis.low)
        marks = tuple(tick for tick in inner.ticks(_MARKS) if not axis.missing or tick[0] < near)
    missing = ((axis.missing_at, "missing"),) if axis.missing else ()
    return Scale(low, high, marks=marks + missing)


def cell_names(axis: TermAxis) -> list[str]:
    """The names of the cells, such as "up to 3"; that of missing values last, if any."""
    names = [printable(name) for name in axis.categories]
    if not names:
        inner = [axis.text(edge) for edge in axis.edges.tolist()[1:-1]]
        between = [f"{a} to {b}" for a, b in pairwise(inner)]
        names = [f"up to {inner[0]}", *between, f"above {inner[-1]}"] if inner else ["any value"]
    return [*names, "missing"] if axis.missing else names


def _dates(axis: TermAxis) -> tuple[tuple[float, str], ...]:
    """The first days of years, of months, or some days, whatever gives few."""
    first, last = (np.datetime64(round(end), "D") for end in (axis.low, axis.high))
    for unit in ("Y", "M", "D"):
        days = np.arange(first.astype(f"M8[{unit}]"), last + 1, dtype=f"M8[{unit}]")
        if len(days) > 2:
            break
    days = days[:: max(1, -(-len(days) // _MARKS))]
    return tuple((float(day.astype("M8[D]").astype(int)), str(day)) for day in days)
