"""Pictures of a comparison: one estimator against others, and their errors over the rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..drawing.canvas import CLASS_COLOURS as COLOURS
from ..drawing.canvas import GREY, Axes, Display, new_axes, rounds_axis, write

_MARKS = "osD^vP"
_NAMED = 30  # so many data sets may have room for their names


@dataclass
class ScatterDisplay(Display):
    """One point per data set: the baseline's measure across, the other's up; and the diagonal.

    ``points`` are by estimator, then by data set. A data set is named at its highest point;
    ``unnamed_`` are those for whose names there was no room.
    """

    base: str
    measure: str
    points: dict[str, dict[str, tuple[float, float]]]
    unnamed_: list[str] = field(default_factory=list, init=False, repr=False)

    def _style(self) -> dict[str, Any]:
        return {"axes.grid.axis": "both"}

    def _new_axes(self) -> Axes:
        return new_axes((5.2, 5.2))

    def _draw(self, ax: Axes) -> None:
        shown = {name: points for name, points in self.points.items() if points}
        drawn = [xy for points in shown.values() for xy in points.values()]
        self._set_limits(ax, [value for xy in drawn for value in xy] or [0.0, 1.0])
        for k, (name, points) in enumerate(shown.items()):
            across, up = zip(*points.values(), strict=True)
            ax.scatter(
                across,
                up,
                s=34 + 32 * (len(shown) - 1 - k),  # of points upon one another all can be seen
                color=COLOURS[k % len(COLOURS)],
                marker=_MARKS[k % len(_MARKS)],
                edgecolor="white",
                linewidth=0.6,
                label=name,
                zorder=3 + k,
            )
        only = next(iter(shown)) if len(shown) == 1 else ""
        ax.set_xlabel(f"{self.measure} of {self.base}")
        ax.set_ylabel(f"{self.measure} of {only}" if only else f"{self.measure} of the others")
        ax.set_title("Each point a data set")
        if len(shown) > 1:
            ax.legend(loc="best")
        names = self._names()
        if len(names) <= _NAMED:
            self.unnamed_ = name_points(ax, names, drawn)

    def _set_limits(self, ax: Axes, values: list[float]) -> None:
        """The same limits and ticks for both axes, with the diagonal between them."""
        from matplotlib.ticker import MaxNLocator

        low, high = min(0.0, *values), max(values)
        room = 0.05 * (high - low or 1.0)
        ends = (low - room, high + room)
        ticks = [
            t
            for t in MaxNLocator(7, steps=[1, 2, 5, 10]).tick_values(*ends)
            if ends[0] <= t <= ends[1]
        ]
        ax.plot([low, high], [low, high], color=GREY, linestyle=(0, (4, 2)), linewidth=1.2)
        ax.set(xlim=ends, ylim=ends, xticks=ticks, yticks=ticks)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:g}")
        ax.set_aspect("equal")

    def _names(self) -> dict[str, tuple[float, float]]:
        """Each data set with its highest point."""
        highest: dict[str, tuple[float, float]] = {}
        for points in self.points.values():
            for name, xy in points.items():
                highest[name] = max(highest.get(name, xy), xy, key=lambda point: point[1])
        return highest


@dataclass
class CurvesDisplay(Display):
    """Error after every round on one data set, averaged over splits; dashed on training rows."""

    dataset: str
    measure: str
    curves: dict[str, dict[str, list[float]]]

    def _draw(self, ax: Axes) -> None:
        last = 2
        for k, (name, curves) in enumerate(self.curves.items()):
            for part, dashes in (("train", (0, (4, 2))), ("test", "-")):
                values = curves.get(part, [])
                ax.plot(
                    range(1, len(values) + 1),
                    values,
                    color=COLOURS[k % len(COLOURS)],
                    linestyle=dashes,
                    label=name if part == "test" else None,
                )
                last = max(last, len(values))
        rounds_axis(ax, last)
        ax.set_ylim(bottom=0)
        ax.set_ylabel(f"{self.measure}; dashed: on training rows")
        ax.set_title(self.dataset)
        ax.legend(loc="best")


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
