"""Pictures of a comparison: one estimator against others, and their errors over the rounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .canvas import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    STYLE,
    TEXT,
    VERMILION,
    load_matplotlib,
    new_axes,
    rounds_axis,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY)
_MARKS = "osD^vP"
_NAMED = 8  # so many points have room for their names


@dataclass
class ScatterDisplay:
    """A point a data set: the base's measure across, the other's up, and the diagonal.

    ``points`` are by estimator, then by data set.
    """

    base: str
    measure: str
    points: dict[str, dict[str, tuple[float, float]]]
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    def plot(self, ax: Axes | None = None) -> ScatterDisplay:
        """Draws on the given axes, or on new ones."""
        matplotlib = load_matplotlib()
        if ax is None:
            with matplotlib.rc_context(STYLE | {"axes.grid.axis": "both"}):
                return self.plot(ax=new_axes())
        drawn = [xy for points in self.points.values() for xy in points.values()]
        ends = [value for xy in drawn for value in xy] or [0.0, 1.0]
        low, high = min(0.0, *ends), max(ends)
        room = 0.05 * (high - low or 1.0)
        ax.plot([low, high], [low, high], color=GREY, linestyle=(0, (4, 2)), linewidth=1.2)
        for k, (name, points) in enumerate(self.points.items()):
            across, up = zip(*points.values(), strict=True) if points else ((), ())
            ax.scatter(
                across,
                up,
                s=34,
                color=_COLOURS[k % len(_COLOURS)],
                marker=_MARKS[k % len(_MARKS)],
                edgecolor="white",
                linewidth=0.6,
                label=name,
                zorder=3,
            )
        ax.set_xlim(low - room, high + room)
        ax.set_ylim(low - room, high + room)
        if len(self.points) == 1 and len(drawn) <= _NAMED:
            self._name_points(ax)
        ax.set_aspect("equal")
        only = next(iter(self.points), "") if len(self.points) == 1 else ""
        ax.set_xlabel(f"{self.measure} of {self.base}")
        ax.set_ylabel(f"{self.measure} of {only}" if only else f"{self.measure} of the others")
        ax.set_title("Each point a data set")
        if not only and self.points:
            ax.legend(loc="best")
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _name_points(self, ax: Axes) -> None:
        for points in self.points.values():
            for name, xy in points.items():
                far = xy[0] > 0.7 * ax.get_xlim()[1]  # the name goes where there is room
                ax.annotate(
                    name,
                    xy,
                    xytext=(-6 if far else 6, -3),
                    textcoords="offset points",
                    ha="right" if far else "left",
                    fontsize=8.5,
                    color=TEXT,
                )


@dataclass
class CurvesDisplay:
    """Error after every round on one data set, averaged over splits; dashed on training rows."""

    dataset: str
    measure: str
    curves: dict[str, dict[str, list[float]]]
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    def plot(self, ax: Axes | None = None) -> CurvesDisplay:
        """Draws on the given axes, or on new ones."""
        matplotlib = load_matplotlib()
        if ax is None:
            with matplotlib.rc_context(STYLE):
                return self.plot(ax=new_axes())
        last = 2
        for k, (name, curves) in enumerate(self.curves.items()):
            for part, dashes in (("train", (0, (4, 2))), ("test", "-")):
                values = curves.get(part, [])
                ax.plot(
                    range(1, len(values) + 1),
                    values,
                    color=_COLOURS[k % len(_COLOURS)],
                    linestyle=dashes,
                    label=name if part == "test" else None,
                )
                last = max(last, len(values))
        rounds_axis(ax, last)
        ax.set_ylim(bottom=0)
        ax.set_ylabel(f"{self.measure}; dashed: on training rows")
        ax.set_title(self.dataset)
        ax.legend(loc="upper right")
        self.ax_, self.figure_ = ax, ax.figure
        return self
