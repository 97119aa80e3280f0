"""Importance of the columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from textwrap import fill
from typing import Any

from ...base.messages.number_text import number
from ...base.messages.table import Table
from ...intake.parameters import integer
from ..data.importance import Importance
from ..drawing.canvas import BLUE, Axes, Display, percent_axis, write
from ..text_fit import plain, short


@dataclass
class ImportanceDisplay(Display):
    """The most important columns, a bar each; the others are one bar, where numbers are shares."""

    shares: dict[str, float]
    rest: tuple[int, float] = (0, 0.0)  # how many columns are left out, and their share
    whole: str = "all gain"  # what it is a share of; "" where numbers are no shares
    label: str = ""  # what they are then
    spread: dict[str, float] = field(default_factory=dict)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        n: int = 10,
        ax: Axes | None = None,
        *,
        by: str | None = None,
        X: Any = None,
        y: Any = None,
        **settings: Any,
    ) -> ImportanceDisplay:
        """Reads a fitted model and draws its n most important columns.

        By ``feature_importances_``, or by one of the ways of ``weaklearn.show.importances``, which
        X, y and further settings are handed on to.
        """
        integer("n", n, 1)
        return cls._of(Importance.from_model(model, X, y, by=by, **settings), n, ax)

    @classmethod
    def from_importances(
        cls, table: Table, n: int = 10, ax: Axes | None = None
    ) -> ImportanceDisplay:
        """Draws the n most important columns of what ``weaklearn.show.importances`` returned."""
        integer("n", n, 1)
        return cls._of(Importance.from_table(table), n, ax)

    @classmethod
    def _of(cls, found: Importance, n: int, ax: Axes | None) -> ImportanceDisplay:
        pairs = list(zip(found.columns, found.values, strict=True))
        shares = {name: value for name, value in pairs[:n] if value != 0}
        spread = dict(zip(found.columns, found.spread, strict=False))
        if not found.is_share:
            label = "what the score loses" if spread else found.note
            return cls(shares, whole="", label=label, spread=spread).plot(ax=ax)
        left = [value for _, value in pairs[n:] if value != 0]
        rest = (len(left), sum(left))
        return cls(shares, rest, found.note.removeprefix("share of ")).plot(ax=ax)

    def _draw(self, ax: Axes) -> None:
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
            xerr=[self.spread.get(name, 0.0) for name in self.shares] if self.spread else None,
            ecolor="#333333",
        )
        past = [self.spread.get(name, 0.0) for name in self.shares] + [0.0]
        for place, (_, share, _) in zip(places, bars, strict=True):
            text = f"{100 * share:.3g} %" if self.whole else number(share, 3)
            end = (max(share, 0.0) + past[place], place)
            write(ax, text, end, (4, 0), va="center", fontsize=8.5)
        ax.set_yticks(places, [name for name, _, _ in bars])
        ax.tick_params(axis="y", length=0)
        ax.invert_yaxis()
        ax.grid(visible=False)
        sizes = [share + more for (_, share, _), more in zip(bars, past, strict=False)]
        low = min([0.0, *(share for _, share, _ in bars)])
        ax.set_xlim(1.1 * low, 1.18 * max(sizes, default=1.0))
        if self.whole:
            percent_axis(ax.xaxis)
        label = f"share of {self.whole}" if self.whole else plain(self.label)
        ax.set_xlabel(fill(label, 44, break_on_hyphens=False))
        ax.set_title("Importance of the columns")
