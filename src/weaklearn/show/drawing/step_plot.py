"""Drawing terms: steps with their band or bars for one column, a map for two."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.messages.number_text import number
from ...base.types import Floats
from ..data.term import Term, TermAxis
from ..text_fit import short
from .canvas import BLUE, GREY, OUTPUT_COLOURS, VERMILION, Axes, write


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


Bins = tuple[Floats, Floats]

_MOST_CATEGORIES, _SMALL_MAP = 20, 8
_BINS = 24  # neighbourhoods along an axis


def draw_heat(
    ax: Axes, term: Term, k: int = 0, most: float | None = None, small: bool = False
) -> Any:
    """Draws score k of a pair and returns the colour bar; colours are full at the size ``most``.

    Cells lie at their true edges; places far from any row of training are hatched.
    """
    left = {}
    for axis in (0, 1):
        term, left[axis] = term.top_categories(axis, _SMALL_MAP if small else _MOST_CATEGORIES)
    across, up = term.axes
    values = term.values[..., k]
    if most is None:
        most = float(np.max(np.abs(values[term.counts > 0]), initial=0.0))
    ax.patch.set_facecolor("white")
    mesh: Any = None
    for x_cells, x_edges in _blocks(across):
        for y_cells, y_edges in _blocks(up):
            mesh = ax.pcolormesh(
                x_edges,
                y_edges,
                values[x_cells, y_cells].T,
                cmap=_colours(),
                vmin=-(most or 1.0),
                vmax=most or 1.0,
                linewidth=0,
                rasterized=True,
            )
            counts = term.counts[x_cells, y_cells]
            _hatch_empty(ax, counts, _bins(across, x_edges), _bins(up, y_edges))
    ax.grid(visible=False)
    mark(ax, "x", across, small)
    mark(ax, "y", up, small)
    _name_the_rest(ax, term.axes, left, small)
    if across.categories and _crowded(across, small):
        for text in ax.get_xticklabels():
            text.set(rotation=45, horizontalalignment="right", rotation_mode="anchor")
    bar = ax.figure.colorbar(mesh, ax=ax, pad=0.02, fraction=0.06)
    bar.outline.set_visible(False)
    return bar


def _blocks(axis: TermAxis) -> list[tuple[slice, Floats]]:
    """Blocks of adjacent cells with their edges: the values, and missing values apart."""
    n = len(axis.edges) - 1
    blocks = [(slice(0, n), axis.edges)]
    if axis.missing:
        blocks.append((slice(n, n + 1), np.array(axis.gap)))
    return blocks


def _bins(axis: TermAxis, edges: Floats) -> Bins:
    """The edges of coarse bins along an axis, and the share of every cell in each, (bins, cells).

    At most 24: a term has many small cells, most of them empty even where data are.
    """
    wide = edges
    if not axis.categories and len(edges) - 1 > _BINS:
        wide = np.linspace(edges[0], edges[-1], _BINS + 1)
    shares = [spread(edges, row, wide) for row in np.eye(len(edges) - 1)]
    return wide, np.transpose(shares)


def _hatch_empty(ax: Axes, counts: Floats, across: Bins, up: Bins) -> None:
    from matplotlib.collections import PolyCollection

    (x, x_shares), (y, y_shares) = across, up
    mass = x_shares @ counts @ y_shares.T
    boxes = [
        [(x[i], y[j]), (x[i + 1], y[j]), (x[i + 1], y[j + 1]), (x[i], y[j + 1])]
        for i, j in np.argwhere(mass <= 0).tolist()
    ]
    ground = PolyCollection(
        boxes, facecolor="#F4F4F4", edgecolor="#CFCFCF", hatch="////", linewidth=0, label="_empty"
    )
    ax.add_collection(ground, autolim=False)


def _colours() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("blue, white, red", [BLUE, "#FFFFFF", VERMILION])


def _crowded(axis: TermAxis, small: bool) -> bool:
    """Whether the names of categories would overlap."""
    return sum(len(text) + 2 for text in ticks(axis, small)[1]) > (20 if small else 48)


def _name_the_rest(ax: Axes, axes: tuple[TermAxis, ...], left: dict[int, int], small: bool) -> None:
    """Adds to the names of the axes how many categories are not shown."""
    for k, axis in enumerate((ax.xaxis, ax.yaxis)):
        if left[k]:
            axis.set_label_text(
                f"{short(axes[k].name, 12 if small else 28)} (and {left[k]:,} more)"
            )
