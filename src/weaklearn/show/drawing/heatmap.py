"""A term of two columns: a map of its cells, blue where it lowers the score, red where not."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.types import Floats
from ..data.term import Term, TermAxis
from ..text_fit import short
from .axis_marks import mark, ticks
from .canvas import BLUE, VERMILION, Axes
from .step_plot import spread

Bins = tuple[Floats, Floats]

_MOST_CATEGORIES, _SMALL = 20, 8
_BINS = 24  # neighbourhoods along an axis


def draw_heat(
    ax: Axes, term: Term, k: int = 0, most: float | None = None, small: bool = False
) -> Any:
    """Draws score k of a pair and returns the colour bar; colours are full at the size ``most``.

    Cells lie at their true edges; places far from any row of training are hatched.
    """
    left = {}
    for axis in (0, 1):
        term, left[axis] = term.top_categories(axis, _SMALL if small else _MOST_CATEGORIES)
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
