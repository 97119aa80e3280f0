"""A term of an ordered column: a step function with its band, and the data along its foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .canvas import GREY
from .term_axis import Ruler
from .term_panel import COLOURS, DASHES, STRIP, Panel
from .text_fit import short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

_BARS = 60  # of the histogram
_TICKS = 400  # of a rug, at most


def draw_stair(ax: Axes, panel: Panel, reach: tuple[float, float], small: bool = False) -> None:
    """Draws one line an output; ``reach`` is what the height has to show."""
    ruler = panel.rulers[0]
    ax.axhline(0, color=GREY, linewidth=0.8, zorder=1)
    for k in range(panel.n_outputs):
        _draw_line(ax, panel, k)
    if panel.outputs:
        ax.legend(loc="best", fontsize=8.5)
    _draw_data(ax, panel)
    _say_beyond(ax, ruler)
    low, high = reach
    room = 0.06 * (high - low or 1.0)
    # The foot of the picture belongs to the data.
    foot = (high - low + 2 * room) * STRIP / (1 - STRIP)
    ax.set_ylim(low - room - foot, high + room)
    ruler.mark_x(ax, small)


def _draw_line(ax: Axes, panel: Panel, k: int) -> None:
    ruler = panel.rulers[0]
    colour, dashes = COLOURS[k % len(COLOURS)], DASHES[k % len(DASHES)]
    values, low, high = (part[:, k] for part in (panel.values, panel.low, panel.high))
    ax.fill_between(
        ruler.edges,
        np.append(low[:-1], low[-2]),
        np.append(high[:-1], high[-2]),
        step="post",
        color=colour,
        alpha=0.22 if panel.n_outputs == 1 else 0.13,
        linewidth=0,
        zorder=2,
    )
    ax.step(
        ruler.edges,
        np.append(values[:-1], values[-2]),
        where="post",
        color=colour,
        linestyle=dashes,
        linewidth=1.6,
        solid_joinstyle="miter",
        label=short(panel.outputs[k]) if panel.outputs else None,
        zorder=3,
    )
    if ruler.missing:
        # Side by side, where there are several.
        begin, end = ruler.gap
        at = begin + (end - begin) * (k + 0.5) / panel.n_outputs
        ax.errorbar(
            [at],
            values[-1:],
            yerr=_whiskers(values[-1:], low[-1:], high[-1:]),
            fmt="D",
            color=colour,
            markersize=5,
            elinewidth=1.4,
            capsize=2.5,
            clip_on=False,
            zorder=4,
        )


def _whiskers(values: Floats, low: Floats, high: Floats) -> Floats:
    """How far bands reach below and above; a value outside its own band has none on that side."""
    return np.maximum([values - low, high - values], 0.0)


def _draw_data(ax: Axes, panel: Panel) -> None:
    """Where the data are: a rug of the rows given, else a histogram of training's counts."""
    along = ax.get_xaxis_transform()
    if panel.rug is not None:
        rug = _thinned(panel.rug[np.isfinite(panel.rug)])
        ax.vlines(
            rug, 0.012, 0.07, color=GREY, linewidth=0.7, alpha=0.55, transform=along, label="_rug"
        )
        return
    ruler = panel.rulers[0]
    edges = np.linspace(ruler.low, ruler.high, _BARS + 1)
    cells = ruler.edges.copy()
    cells[[0, -1]] = ruler.ends  # rows beyond the picture have no bar in it
    heights = spread(cells, panel.counts[:-1], edges)
    most = float(max(heights.max(initial=0.0), 1e-300))
    width = edges[1] - edges[0]
    heights = heights / most
    ax.bar(
        edges[:-1],
        heights * (STRIP - 0.025),
        width=width,
        bottom=0.0,
        align="edge",
        color="#BDBDBD",
        linewidth=0,
        transform=along,
        label="_counts",
        zorder=1,
    )


def _say_beyond(ax: Axes, ruler: Ruler) -> None:
    """How far the values go on where the picture does not."""
    sides = ((0.01, "left", "← {}"), (0.99, "right", "{} →"))
    for (at, side, text), hidden, end in zip(sides, ruler.hidden, ruler.ends, strict=True):
        if hidden:
            at = at if side == "left" or not ruler.missing else 0.88  # there is the gap
            place = (at, STRIP + 0.01)
            ax.text(
                *place,
                text.format(ruler.text(end)),
                ha=side,
                fontsize=7.5,
                color=GREY,
                transform=ax.transAxes,
            )


def spread(edges: Floats, counts: Floats, wanted: Floats) -> Floats:
    """Counts of cells as counts of other cells, evenly spread inside each.

    >>> spread(np.array([0.0, 1.0, 4.0]), np.array([2.0, 6.0]), np.array([0.0, 2.0, 4.0])).tolist()
    [4.0, 4.0]
    """
    below = np.concatenate([[0.0], np.cumsum(counts)])
    return np.diff(np.interp(wanted, edges, below))


def _thinned(rows: Floats) -> Floats:
    """At most so many rows, by their order."""
    if len(rows) <= _TICKS:
        return rows
    return np.sort(rows)[np.linspace(0, len(rows) - 1, _TICKS).astype(np.intp)]
