"""What every picture is drawn on: one palette, one style, new axes, an axis of rounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure
else:  # matplotlib is loaded when something is drawn
    Axes = Figure = Any

# The palette of Okabe and Ito, whose colours stay apart for every kind of colour vision.
BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
ORANGE, SKY, PURPLE = "#E69F00", "#56B4E9", "#CC79A7"
GREY, PALE, TEXT = "#6E6E6E", "#F4F4F4", "#555555"
_LIGHT_TEXT, _DARK_PALE = "#C4C4C4", "#2B2B2B"  # for dark ground
CLASS_COLOURS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY)
OUTPUT_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, GREY)  # of scores in one picture

STYLE = {
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "axes.edgecolor": "#9A9A9A",
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "axes.labelcolor": "#333333",
    "axes.titlecolor": "black",
    "axes.titlelocation": "left",
    "axes.titlesize": 11.5,
    "axes.titleweight": "bold",
    "axes.titlepad": 10,
    "font.size": 10,
    "grid.color": "#E7E7E7",
    "grid.linewidth": 0.8,
    "legend.framealpha": 1.0,
    "legend.edgecolor": "white",
    "legend.facecolor": "white",
    "legend.labelcolor": "black",
    "legend.handlelength": 2.6,
    "lines.linewidth": 2.0,
    "text.color": "black",
    "lines.solid_capstyle": "round",
    "xtick.color": "#555555",
    "ytick.color": "#555555",
    "xtick.minor.visible": False,
}


def load_matplotlib() -> Any:
    """The module, or an ImportError that names the command to install it."""
    try:
        import matplotlib
    except ImportError:
        raise ImportError(
            'pictures need matplotlib: pip install ".[plot]" in a clone of weaklearn'
        ) from None
    return matplotlib


def new_axes(size: tuple[float, float] = (5.6, 4.2)) -> Axes:
    """Axes of a new figure of this size in inches."""
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size, layout="constrained")[1]


@dataclass
class Display:
    """Numbers that ``plot`` draws; afterwards ``ax_`` and ``figure_`` hold what was drawn on."""

    ax_: Axes = field(init=False, repr=False, compare=False)
    figure_: Figure = field(init=False, repr=False, compare=False)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draws on the given axes, or on new ones."""
        matplotlib = load_matplotlib()
        if ax is None:
            with matplotlib.rc_context(STYLE | self._style()):
                return self.plot(ax=self._new_axes())
        self._draw(ax)
        self.ax_, self.figure_ = ax, ax.figure.figure
        return self

    def _style(self) -> dict[str, Any]:
        """What differs from our style on new axes."""
        return {}

    def _new_axes(self) -> Axes:
        return new_axes()

    def _draw(self, ax: Axes) -> None:
        raise NotImplementedError


def text_on(ax: Axes) -> str:
    """The colour of small print: grey, and a light one on dark axes of the user's."""
    return _LIGHT_TEXT if _is_dark(ax) else TEXT


def write(
    ax: Axes, text: str, xy: tuple[float, float], away: tuple[float, float], **how: Any
) -> Any:
    """Small print so many points away from a position."""
    how = {"fontsize": 9, "color": text_on(ax), **how}
    return ax.annotate(text, xy, xytext=away, textcoords="offset points", **how)


def percent_axis(axis: Any) -> None:
    """Shares along an axis written as percentages."""
    axis.set_major_formatter(lambda value, _: f"{100 * value:g} %")


def pale_on(ax: Axes) -> str:
    """A colour that hardly differs from the ground."""
    return _DARK_PALE if _is_dark(ax) else PALE


def _is_dark(ax: Axes) -> bool:
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(ax.get_facecolor()[:3])
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.5


def rounds_axis(ax: Axes, last: int) -> None:
    """Rounds on a logarithmic axis from 1 on, marked 1, 10, 100, ...; few rounds stay linear.

    Where there are at most 200, also 2, 5, 20, 50 are marked.
    """
    ax.set_xlabel("rounds")
    if last < 20:
        ax.set_xlim(1, last)
        ax.locator_params(axis="x", integer=True)
        return
    ax.set_xscale("log")
    ax.set_xlim(1, last)
    if last <= 200:
        ax.set_xticks([t for t in (1, 2, 5, 10, 20, 50, 100, 200) if t <= last])
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ax.xaxis.set_minor_formatter("")
