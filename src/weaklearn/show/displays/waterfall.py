"""The score of one row as a waterfall of its contributions."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.number_text import number, signed
from ...base.messages.value_text import show
from ...inspection.explanation import Explanation
from ...intake.parameters import integer
from ..drawing.canvas import BLUE, GREY, VERMILION, Axes, Display, new_axes, write
from ..text_fit import plain, short, short_pair


@dataclass
class WaterfallDisplay(Display):
    """From the base to the score of one row: one bar per term, the largest first.

    Made by ``model.explain(X).plot(row)``; ``plot(ax=...)`` draws again, and ``ax_`` and
    ``figure_`` hold what was drawn on.
    """

    base: float
    bars: list[tuple[str, float]]  # the largest contributions, and last what the others add up to
    score: float
    scale: str = "score"
    title: str = ""
    start: str = "base"  # what the row begins with

    @classmethod
    def from_explanation(
        cls,
        explanation: Explanation,
        row: int = 0,
        *,
        output: Any = None,
        n: int = 10,
        ax: Axes | None = None,
    ) -> WaterfallDisplay:
        """Draws one row with its n largest contributions.

        Of several scores a row has, ``output`` names one; by default it is the largest of the
        classes. Targets and quantiles are told apart by no size, so that one must be named.
        """
        row, n = explanation.check_row(row), integer("n", n, 1)
        base, score = np.atleast_1d(explanation.base), np.atleast_1d(explanation.scores_of(row))
        start = "base"
        if explanation.offset is not None:
            base, start = base + explanation.offset[row], "base + offset"
        asked = explanation.check_output(output)
        if asked is None and explanation.numbers and explanation.outputs:
            raise ValueError(
                f"a row has {len(score)} scores: {', '.join(explanation.outputs)}; name the one to "
                f"draw, such as output={show(explanation.outputs[0])}."
            )
        k = int(np.argmax(score)) if asked is None else asked
        parts = explanation.contributions[row].reshape(len(explanation.names), len(score))[:, k]
        order = explanation.order(row, k)
        if len(order) == n + 1:  # one more bar takes no more room than "1 other"
            n += 1
        bars = [(_called(explanation, row, term), float(parts[term])) for term in order[:n]]
        rest = order[n:]
        if rest:
            bars.append((f"{len(rest)} others", float(parts[rest].sum())))
        scale = explanation.scale
        if explanation.outputs:
            scale = f"{scale} of {explanation.outputs[k]}"
        start_at, end_at = float(base[k]), float(score[k])
        return cls(start_at, bars, end_at, scale, f"Row {row}", start).plot(ax=ax)

    def _style(self) -> dict[str, Any]:
        return {"axes.grid.axis": "x"}

    def _new_axes(self) -> Axes:
        return new_axes((6.4, 1.5 + 0.33 * (len(self.bars) + 1)))

    def _draw(self, ax: Axes) -> None:
        ends = self.base + np.cumsum([0.0, *(size for _, size in self.bars)])
        ends[-1] = self.score
        sizes = np.diff(ends)
        places = range(1, len(self.bars) + 1)
        colours = [VERMILION if size > 0 else BLUE for size in sizes]
        ax.barh(places, sizes, left=ends[:-1], color=colours, height=0.66, zorder=2)
        self._join(ax, ends)
        notes = [
            (signed(size), max(end - size, end), place)
            for place, (_, size), end in zip(places, self.bars, ends[1:], strict=True)
        ]
        notes.append((number(self.base, 4), self.base, 0))
        notes.append((number(self.score, 4), self.score, len(places) + 1))
        for text, end, place in notes:  # to the right of a bar
            write(ax, text, (end, place), (5, 0), va="center", fontsize=8.5)
        names = [self.start, *(name for name, _ in self.bars)]
        names.append("prediction" if self.scale == "prediction" else "score")
        ax.set_yticks(range(len(names)), names)
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(len(names) - 0.5, -0.5)
        low, high = float(ends.min()), float(ends.max())
        span = high - low or 1.0
        ax.set_xlim(low - 0.04 * span, high + 0.2 * span)  # numbers stand to the right of bars
        ax.set_xlabel(fill(plain(self.scale), 40, break_on_hyphens=False))
        ax.set_title(plain(self.title))

    def _join(self, ax: Axes, ends: NDArray[np.float64]) -> None:
        """Thin lines from bar to bar, and dots at both ends."""
        for k, end in enumerate(ends):
            ax.plot([end, end], [k, k + 1], color="#9A9A9A", linewidth=0.8, zorder=1)
        last = len(ends)
        ax.scatter([ends[0], ends[-1]], [0, last], s=30, color=[GREY, "#333333"], zorder=3)


def _called(explanation: Explanation, row: int, term: int) -> str:
    """A term and what the row holds there: "age = 63", "age x sex = 63, male"."""
    names = short_pair if len(explanation.features[term]) == 2 else short
    value = short(explanation.value(row, term, brief=True), 22)
    return f"{names(explanation.names[term])} = {value}"
