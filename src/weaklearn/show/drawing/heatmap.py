"""A term of two columns: a map of its cells, blue where it lowers the score, red where not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .canvas import BLUE, VERMILION
from .step_plot import spread
from .term_axis import Ruler
from .term_panel import Panel
from .text_fit import short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

MOST_LEVELS, _SMALL = 20, 8
_BINS = 24  # neighbourhoods along an axis


def draw_heat(
    ax: Axes, panel: Panel, k: int = 0, most: float | None = None, small: bool = False
) -> Any:
    """Draws score k of a pair, and gives the colour bar; at the size ``most`` colours are full.

    Cells lie at their true edges; places far from any row of training are hatched.
    """
    left = {}
    for axis in (0, 1):
        panel, left[axis] = panel.cut(axis, _SMALL if small else MOST_LEVELS)
    across, up = panel.rulers
    values = panel.values[..., k]
    if most is None:
        most = float(np.max(np.abs(values[panel.counts > 0]), initial=0.0))
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
            counts = panel.counts[x_cells, y_cells]
            _hatch_empty(ax, counts, _bins(across, x_edges), _bins(up, y_edges))
    ax.grid(visible=False)
    across.mark_x(ax, small)
    up.mark_y(ax, small)
    _name_the_rest(ax, panel.rulers, left, small)
    if across.levels and _crowded(across, small):
        for text in ax.get_xticklabels():
            text.set(rotation=45, horizontalalignment="right", rotation_mode="anchor")
    bar = ax.figure.colorbar(mesh, ax=ax, pad=0.02, fraction=0.06)
    bar.outline.set_visible(False)
    return bar


def _blocks(ruler: Ruler) -> list[tuple[slice, Floats]]:
    """The cells of an axis with their edges, and those of missing values apart."""
    n = len(ruler.edges) - 1
    blocks = [(slice(0, n), ruler.edges)]
    if ruler.missing:
        blocks.append((slice(n, n + 1), np.array(ruler.gap)))
    return blocks


@dataclass(frozen=True, eq=False)
class _Bins:
    """Wide cells along one axis, and the share of every cell of a term that lies in each."""

    edges: Floats
    shares: Floats  # (bins, cells)


def _bins(ruler: Ruler, edges: Floats) -> _Bins:
    """A term has many small cells, most of them empty: neighbourhoods tell where the data are."""
    wide = edges
    if not ruler.levels and len(edges) - 1 > _BINS:
        wide = np.linspace(edges[0], edges[-1], _BINS + 1)
    shares = [spread(edges, row, wide) for row in np.eye(len(edges) - 1)]
    return _Bins(wide, np.transpose(shares))


def _hatch_empty(ax: Axes, counts: Floats, across: _Bins, up: _Bins) -> None:
    from matplotlib.collections import PolyCollection

    mass = across.shares @ counts @ up.shares.T
    x, y = across.edges, up.edges
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


def _crowded(ruler: Ruler, small: bool) -> bool:
    """Whether the names of levels would run into one another."""
    return sum(len(text) + 2 for text in ruler.ticks(small)[1]) > (20 if small else 48)


def _name_the_rest(ax: Axes, rulers: tuple[Ruler, ...], left: dict[int, int], small: bool) -> None:
    """Says in the names of the axes how many levels are not shown."""
    for k, axis in enumerate((ax.xaxis, ax.yaxis)):
        if left[k]:
            axis.set_label_text(
                f"{short(rulers[k].name, 12 if small else 28)} (and {left[k]:,} more)"
            )
