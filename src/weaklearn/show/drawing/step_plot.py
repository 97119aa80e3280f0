"""A term of an ordered column: a step function with its band, and the data along its foot."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.types import Floats
from ..data.term import Term, TermAxis
from ..text_fit import short
from .axis_marks import mark
from .canvas import GREY, OUTPUT_COLOURS, Axes

_DASHES = ("-", (0, (5, 2)), (0, (1.2, 1.4)))
_STRIP = 0.11  # the share of a picture's height that shows where the data are
_BARS = 60  # of the histogram
_TICKS = 400  # of a rug, at most


def draw_stair(ax: Axes, term: Term, reach: tuple[float, float], small: bool = False) -> None:
    """Draws one line per score; the height shows ``reach``."""
    axis = term.axes[0]
    ax.axhline(0, color=GREY, linewidth=0.8, zorder=1)
    for k in range(term.n_outputs):
        _draw_line(ax, term, k)
    if term.outputs:
        ax.legend(loc="best", fontsize=8.5)
    _draw_data(ax, term)
    _say_beyond(ax, axis)
    low, high = reach
    room = 0.06 * (high - low or 1.0)
    # The foot of the picture belongs to the data.
    foot = (high - low + 2 * room) * _STRIP / (1 - _STRIP)
    ax.set_ylim(low - room - foot, high + room)
    mark(ax, "x", axis, small)


def _draw_line(ax: Axes, term: Term, k: int) -> None:
    axis = term.axes[0]
    colour, dashes = OUTPUT_COLOURS[k % len(OUTPUT_COLOURS)], _DASHES[k % len(_DASHES)]
    values, low, high = (part[:, k] for part in (term.values, term.low, term.high))
    ax.fill_between(
        axis.edges,
        np.append(low[:-1], low[-2]),
        np.append(high[:-1], high[-2]),
        step="post",
        color=colour,
        alpha=0.22 if term.n_outputs == 1 else 0.13,
        linewidth=0,
        zorder=2,
    )
    ax.step(
        axis.edges,
        np.append(values[:-1], values[-2]),
        where="post",
        color=colour,
        linestyle=dashes,
        linewidth=1.6,
        solid_joinstyle="miter",
        label=short(term.outputs[k]) if term.outputs else None,
        zorder=3,
    )
    if axis.missing:
        # Side by side, where there are several.
        begin, end = axis.gap
        at = begin + (end - begin) * (k + 0.5) / term.n_outputs
        ax.errorbar(
            [at],
            values[-1:],
            yerr=whiskers(term, k, [-1])[1],
            fmt="D",
            color=colour,
            markersize=5,
            elinewidth=1.4,
            capsize=2.5,
            clip_on=False,
            zorder=4,
        )


def whiskers(term: Term, k: int, cells: list[int]) -> tuple[Floats, Floats]:
    """The values of cells, and how far their bands reach below and above, at least 0."""
    values = term.values[cells, k]
    off = [values - term.low[cells, k], term.high[cells, k] - values]
    return values, np.maximum(off, 0.0)


def _draw_data(ax: Axes, term: Term) -> None:
    """At the foot a rug of the user's rows, or a histogram of the training rows."""
    along = ax.get_xaxis_transform()
    if term.rug is not None:
        rug = _thinned(term.rug[np.isfinite(term.rug)])
        ax.vlines(
            rug, 0.012, 0.07, color=GREY, linewidth=0.7, alpha=0.55, transform=along, label="_rug"
        )
        return
    axis = term.axes[0]
    edges = np.linspace(axis.low, axis.high, _BARS + 1)
    cells = axis.edges.copy()
    cells[[0, -1]] = axis.ends  # rows beyond the picture have no bar in it
    heights = spread(cells, term.counts[:-1], edges)
    heights = heights / float(max(heights.max(initial=0.0), 1e-300))
    ax.bar(
        edges[:-1],
        heights * (_STRIP - 0.025),
        width=edges[1] - edges[0],
        bottom=0.0,
        align="edge",
        color="#BDBDBD",
        linewidth=0,
        transform=along,
        label="_counts",
        zorder=1,
    )


def _say_beyond(ax: Axes, axis: TermAxis) -> None:
    """Writes the least and the greatest value where they lie outside the picture."""
    sides = ((0.01, "left", "← {}"), (0.99, "right", "{} →"))
    for (at, side, text), hidden, end in zip(sides, axis.hidden, axis.ends, strict=True):
        if hidden:
            at = at if side == "left" or not axis.missing else 0.88  # there is the gap
            how: dict[str, Any] = {"ha": side, "fontsize": 7.5, "color": GREY}
            words = text.format(axis.text(end))
            ax.text(at, _STRIP + 0.01, words, transform=ax.transAxes, **how)


def spread(edges: Floats, counts: Floats, wanted: Floats) -> Floats:
    """Counts of cells as counts of other cells, taken as uniform inside each.

    >>> spread(np.array([0.0, 1.0, 4.0]), np.array([2.0, 6.0]), np.array([0.0, 2.0, 4.0])).tolist()
    [4.0, 4.0]
    """
    below = np.concatenate([[0.0], np.cumsum(counts)])
    return np.diff(np.interp(wanted, edges, below))


def _thinned(rows: Floats) -> Floats:
    """At most so many rows, evenly spread by rank."""
    if len(rows) <= _TICKS:
        return rows
    return np.sort(rows)[np.linspace(0, len(rows) - 1, _TICKS).astype(np.intp)]
