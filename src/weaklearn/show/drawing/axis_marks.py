"""Ticks and names that matplotlib draws along the axis of a term."""

from __future__ import annotations

from typing import Any

from ...base.messages.number_text import number
from ..data.term import TermAxis
from ..text_fit import short
from .canvas import Axes


def ticks(axis: TermAxis, small: bool = False) -> tuple[list[float], list[str]]:
    """Positions and labels of the ticks; fewer where the picture is small."""
    most = 4 if small else 6
    if axis.categories:
        places = [k + 0.5 for k in range(len(axis.categories))]
        texts = [short(category, 10 if small else 18) for category in axis.categories]
    else:
        places, texts = (_dates if axis.dates else _numbers)(axis, most)
        if sum(len(text) + 2 for text in texts) > (24 if small else 60):
            places, texts = places[::2], texts[::2]
    if axis.missing:
        near = axis.missing_at - (0.3 if small else 0.14) * (axis.high - axis.low)
        if not axis.categories:  # room for the word
            texts = [text for place, text in zip(places, texts, strict=True) if place < near]
            places = [place for place in places if place < near]
        places, texts = [*places, axis.missing_at], [*texts, "missing"]
    return places, texts


def mark(ax: Axes, letter: str, axis: TermAxis, small: bool = False) -> None:
    """Sets limits, ticks and name of the axis "x" or "y"."""
    drawn = ax.xaxis if letter == "x" else ax.yaxis
    drawn.set_ticks(*ticks(axis, small))
    ax.set(**{f"{letter}lim": axis.limits})
    narrow = 26 if letter == "x" else 22
    drawn.set_label_text(short(axis.name, narrow if small and not axis.origin else 40))


def _numbers(axis: TermAxis, most: int) -> tuple[list[float], list[str]]:
    from matplotlib.ticker import MaxNLocator

    halves = 2 * axis.edges  # whole numbers are cut between two of them
    whole = bool((halves == halves.round()).all())
    locator = MaxNLocator(most, steps=[1, 2, 2.5, 5, 10], integer=whole)
    found = locator.tick_values(axis.low, axis.high)
    places = [float(place) for place in found if axis.low <= place <= axis.high]
    return places, [number(place) for place in places]


def _dates(axis: TermAxis, most: int) -> tuple[list[float], list[str]]:
    from matplotlib import dates

    calendar: Any = dates  # which carries no types
    # With fewer it finds no step between hours and days, or months and years, and complains.
    locator = calendar.AutoDateLocator(minticks=2, maxticks=max(most, 6))
    low, high = calendar.num2date(axis.low), calendar.num2date(axis.high)
    places = [float(p) for p in locator.tick_values(low, high) if axis.low <= p <= axis.high]
    places = places[:: 1 + (len(places) > most)]
    return places, calendar.ConciseDateFormatter(locator, show_offset=False).format_ticks(places)
