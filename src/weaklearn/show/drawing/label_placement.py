"""Names beside points that overlap neither each other nor a point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .canvas import Axes, write

_GAP = 6  # points between a point and its name
# Where a name may stand: to the right, to the left, above, below, and at the four corners.
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
_ACROSS = {-1: "right", 0: "center", 1: "left"}
_UP = {-1: "top", 0: "center", 1: "bottom"}


def name_points(
    ax: Axes, names: Mapping[str, tuple[float, float]], points: Sequence[tuple[float, float]]
) -> list[str]:
    """Writes each name beside its point, where there is room; returns those without room.

    ``points`` are all that is drawn. The limits of the axes and a legend must be there before. The
    diagonal is kept free too, as far as that can be done.
    """
    from matplotlib.transforms import Bbox

    root = ax.figure.figure  # of a part of a figure, the whole
    root.draw_without_rendering()  # only now is it known where things lie
    dot = 4 * root.dpi / 72
    taken = [
        Bbox.from_extents(x - dot, y - dot, x + dot, y + dot)
        for x, y in ax.transData.transform(list(points)).tolist()
    ]
    legend = ax.get_legend()
    taken += [] if legend is None else [legend.get_window_extent()]
    unplaced = []
    for name, xy in names.items():
        box = _placed(ax, name, xy, taken)
        if box is None:
            unplaced.append(name)
        else:
            taken.append(box)
    return unplaced


def _placed(ax: Axes, name: str, xy: tuple[float, float], taken: list[Any]) -> Any:
    """The box of a name that was written; None if there was no room beside its point."""
    inside = ax.get_window_extent()
    for crossing in (False, True):
        for side in _SIDES:
            text = _written(ax, name, xy, side)
            box = text.get_window_extent().padded(1)
            fits = all(map(inside.containsx, box.intervalx))
            fits = fits and all(map(inside.containsy, box.intervaly))
            fits = fits and (crossing or not _crosses(box.transformed(ax.transData.inverted())))
            if fits and not any(box.overlaps(other) for other in taken):
                return box
            text.remove()
    return None


def _crosses(box: Any) -> bool:
    """Whether the diagonal passes through a box of data."""
    return bool(box.x0 <= box.y1 and box.y0 <= box.x1)


def _written(ax: Axes, name: str, xy: tuple[float, float], side: tuple[int, int]) -> Any:
    across, up = side
    gap = _GAP if 0 in side else 0.7 * _GAP
    text = name.replace("$", r"\$")  # a dollar would begin a formula
    va = "center_baseline" if up == 0 else _UP[up]
    how = {"ha": _ACROSS[across], "va": va, "fontsize": 8.5}
    return write(ax, text, xy, (gap * across, gap * up), **how)
