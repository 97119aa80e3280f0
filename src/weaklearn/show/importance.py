"""A picture of the columns that a model relies on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .canvas import BLUE, STYLE, TEXT, load_matplotlib, new_axes
from .lettering import short

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass
class ImportanceDisplay:
    """The columns of the largest ``feature_importances_``, a bar each; the others are one bar."""

    shares: dict[str, float]
    rest: tuple[int, float] = (0, 0.0)  # how many columns are left out, and their share
    whole: str = "gain"  # what it is a share of
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_estimator(cls, model: Any, n: int = 10, ax: Axes | None = None) -> ImportanceDisplay:
        """Reads a fitted model and draws its n most important columns."""
        return cls.read(model, n).plot(ax=ax)

    @classmethod
    def read(cls, model: Any, n: int = 10) -> ImportanceDisplay:
        """The same without drawing."""
        found = np.asarray(model.feature_importances_)
        names = getattr(model, "feature_names_in_", [f"x[{j}]" for j in range(len(found))])
        order = np.argsort(-found, kind="stable")
        shown = [int(j) for j in order[:n] if found[j] > 0]
        left = [int(j) for j in order[len(shown) :] if found[j] > 0]
        shares = {str(names[j]): float(found[j]) for j in shown}
        whole = "contributions" if hasattr(type(model), "shapes_") else "gain"
        return cls(shares, (len(left), float(found[left].sum())), whole)

    def plot(self, ax: Axes | None = None) -> ImportanceDisplay:
        """Draws on the given axes, or on new ones."""
        matplotlib = load_matplotlib()
        if ax is None:
            with matplotlib.rc_context(STYLE):
                return self.plot(ax=new_axes())
        bars = [(short(name), share, BLUE) for name, share in self.shares.items()]
        if self.rest[0]:
            others = f"{self.rest[0]} other" + ("s" if self.rest[0] > 1 else "")
            bars.append((others, self.rest[1], "#B8B8B8"))
        places = range(len(bars))
        ax.barh(
            places,
            [share for _, share, _ in bars],
            color=[colour for _, _, colour in bars],
            height=0.7,
        )
        for place, (_, share, _) in zip(places, bars, strict=True):
            ax.annotate(
                f"{100 * share:.3g} %",
                (share, place),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8.5,
                color=TEXT,
            )
        ax.set_yticks(places, [name for name, _, _ in bars])
        ax.tick_params(axis="y", length=0)
        ax.invert_yaxis()
        ax.grid(visible=False)
        ax.set_xlim(0, 1.18 * max((share for _, share, _ in bars), default=1.0))
        ax.xaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
        ax.set_xlabel(f"share of all {self.whole}")
        ax.set_title("Which columns it relies on")
        self.ax_, self.figure_ = ax, ax.figure
        return self
