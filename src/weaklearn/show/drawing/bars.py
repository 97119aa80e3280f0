"""A term of a categorical column: one bar per category, sorted, with whiskers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.types import Floats
from ..data.term import Term
from ..text_fit import short
from .canvas import BLUE, GREY, OUTPUT_COLOURS, VERMILION, Axes, write
from .step_plot import whiskers

MOST_CATEGORIES, _SMALL = 18, 8
_MARKS = "osD^vPX"


def draw_bars(ax: Axes, term: Term, reach: tuple[float, float], small: bool = False) -> None:
    """Draws the categories by falling value of the first score; the width shows ``reach``."""
    term, left = term.top_categories(0, _SMALL if small else MOST_CATEGORIES)
    axis = term.axes[0]
    order = np.argsort(-term.values[:-1, 0], kind="stable")
    cells = [*order.tolist(), len(order)] if axis.missing else order.tolist()
    names = [
        short(axis.categories[k], 13 if small else 22) if k < len(order) else "missing"
        for k in cells
    ]
    places = np.arange(len(cells), dtype=float)
    if axis.missing:
        places[-1] += 0.35  # apart from the categories
    (_draw_dots if term.outputs else _draw_bars)(ax, term, cells, places)
    ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)
    ax.set_yticks(places, names)
    if axis.missing:
        ax.get_yticklabels()[-1].set_fontstyle("italic")
    ax.tick_params(axis="y", length=0)
    last = places[-1] if len(places) else 0.0
    if left:
        last += 1.0
        how: dict[str, Any] = {"ha": "right", "va": "center", "fontstyle": "italic"}
        how |= {"xycoords": ("axes fraction", "data"), "annotation_clip": False}
        write(ax, f"and {left:,} more", (0.0, last), (-6, 0), **how)
    ax.set_ylim(last + 0.6, -0.6)
    ax.grid(visible=False, axis="y")
    ax.grid(visible=True, axis="x")
    low, high = min(reach[0], 0.0), max(reach[1], 0.0)
    room = 0.06 * (high - low or 1.0)
    ax.set_xlim(low - room, high + room)
    ax.set_ylabel(short(axis.name, 40))


def _draw_bars(ax: Axes, term: Term, cells: list[int], places: Floats) -> None:
    values, off = whiskers(term, 0, cells)
    ax.barh(
        places,
        values,
        height=0.66,
        color=[VERMILION if value > 0 else BLUE for value in values],
        alpha=0.8,
        zorder=2,
    )
    if off.any():
        how: dict[str, Any] = {"fmt": "none", "ecolor": "#333333", "elinewidth": 1.1, "capsize": 2}
        ax.errorbar(values, places, xerr=off, zorder=3, **how)


def _draw_dots(ax: Axes, term: Term, cells: list[int], places: Floats) -> None:
    """One dot per score and category, each with whiskers."""
    K = term.n_outputs
    for k in range(K):
        values, off = whiskers(term, k, cells)
        ax.errorbar(
            values,
            places + 0.5 * ((k + 0.5) / K - 0.5),
            xerr=off,
            fmt=_MARKS[k % len(_MARKS)],
            color=OUTPUT_COLOURS[k % len(OUTPUT_COLOURS)],
            markersize=5,
            elinewidth=1.1,
            label=short(term.outputs[k]),
            zorder=3,
        )
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8.5)
