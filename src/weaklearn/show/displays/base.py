"""What displays of one picture share: new axes in our style, and where they drew."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from ..drawing.canvas import STYLE, load_matplotlib, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
                return self.plot(ax=new_axes(self._size()))
        self._draw(ax)
        self.ax_, self.figure_ = ax, ax.figure.figure
        return self

    def _style(self) -> dict[str, Any]:
        """What differs from our style on new axes."""
        return {}

    def _size(self) -> tuple[float, float]:
        """Inches of new axes."""
        return 5.6, 4.2

    def _draw(self, ax: Axes) -> None:
        raise NotImplementedError
