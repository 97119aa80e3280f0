"""A picture of the columns that a model relies on."""

from __future__ import annotations

from dataclasses import dataclass, field
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.messages.number_text import number
from ...base.messages.table import Table
from ...estimators.boosting.base import Boosting
from ...inspection.importance import importances
from ...intake.parameters import whole
from ..drawing.canvas import BLUE, STYLE, load_matplotlib, new_axes, text_on
from ..drawing.text_fit import plain, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass
class ImportanceDisplay:
    """The most important columns, a bar each; the others are one bar, where numbers are shares."""

    shares: dict[str, float]
    rest: tuple[int, float] = (0, 0.0)  # how many columns are left out, and their share
    whole: str = "all gain"  # what it is a share of; "" where numbers are no shares
    label: str = ""  # what they are then
    spread: dict[str, float] = field(default_factory=dict)
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

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
        return cls.read(model, n, by=by, X=X, y=y, **settings).plot(ax=ax)

    @classmethod
    def read(
        cls,
        model: Any,
        n: int = 10,
        *,
        by: str | None = None,
        X: Any = None,
        y: Any = None,
        **settings: Any,
    ) -> ImportanceDisplay:
        """The same without drawing."""
        whole("n", n, 1)
        if by is not None:
            return cls._counted(importances(model, X, y, by=by, **settings), n)
        found = np.asarray(model.feature_importances_)
        names = getattr(model, "feature_names_in_", [f"x[{j}]" for j in range(len(found))])
        order = np.argsort(-found, kind="stable")
        shown = [int(j) for j in order[:n] if found[j] > 0]
        left = [int(j) for j in order[len(shown) :] if found[j] > 0]
        shares = {str(names[j]): float(found[j]) for j in shown}
        kind = "all votes" if isinstance(model, Boosting) else "all gain"
        kind = "all contributions" if hasattr(type(model), "shapes_") else kind
        return cls(shares, (len(left), float(found[left].sum())), kind)

    @classmethod
    def _counted(cls, table: Table, n: int) -> ImportanceDisplay:
        found = {str(row[0]): float(row[1]) for row in table}
        spread = {str(row[0]): float(row[2]) for row in table if len(row) > 2}
        names = [name for name in list(found)[:n] if found[name] != 0]
        left = [value for name, value in found.items() if name not in names and value != 0]
        by = table.columns[1]
        if by in ("gain", "vote"):
            shares = {name: found[name] for name in names}
            kind = table.note.removeprefix("share of ")
            return cls(shares, (len(left), sum(left)), kind)
        label = "what the score loses" if by == "permutation" else table.note
        return cls({name: found[name] for name in names}, whole="", label=label, spread=spread)

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
            xerr=[self.spread.get(name, 0.0) for name in self.shares] if self.spread else None,
            ecolor="#333333",
        )
        past = [self.spread.get(name, 0.0) for name in self.shares] + [0.0]
        for place, (_, share, _) in zip(places, bars, strict=True):
            ax.annotate(
                f"{100 * share:.3g} %" if self.whole else number(share, 3),
                (max(share, 0.0) + past[place], place),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8.5,
                color=text_on(ax),
            )
        ax.set_yticks(places, [name for name, _, _ in bars])
        ax.tick_params(axis="y", length=0)
        ax.invert_yaxis()
        ax.grid(visible=False)
        sizes = [share + more for (_, share, _), more in zip(bars, past, strict=False)]
        low = min([0.0, *(share for _, share, _ in bars)])
        ax.set_xlim(1.1 * low, 1.18 * max(sizes, default=1.0))
        if self.whole:
            ax.xaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
        label = f"share of {self.whole}" if self.whole else plain(self.label)
        ax.set_xlabel(fill(label, 44, break_on_hyphens=False))
        ax.set_title("Which columns it relies on")
        self.ax_, self.figure_ = ax, ax.figure
        return self
