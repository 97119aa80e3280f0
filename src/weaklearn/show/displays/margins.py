"""The margins of rows as they grow with the rounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.types import Floats
from ..data.rounds import sorted_margins
from ..drawing.canvas import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    SKY,
    Axes,
    Display,
    pale_on,
    percent_axis,
    text_on,
    write,
)
from .rounds import check_has_rounds


@dataclass
class MarginDisplay(Display):
    """The cumulative distribution of the margins, after several numbers of rounds.

    A margin is y f(x) in [-1, 1]: positive where the vote is right, and the larger the clearer.
    """

    margins: dict[int, Floats]  # by number of rounds

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any, rounds: Iterable[int] | None = None, ax: Axes | None = None
    ) -> MarginDisplay:
        """Margins of the rows X, y after the given rounds; 5, 100 and all of them by default."""
        if not (hasattr(model, "margins") and hasattr(model, "truncate")):
            raise TypeError(
                f"model is of type {type(model).__name__}, which gives no margins round by round: "
                "MarginDisplay is for classifiers that boost, such as AdaBoostClassifier."
            )
        check_has_rounds(model)
        n = int(model.n_iter_)
        wanted = (5, 100, n) if rounds is None else rounds
        chosen = sorted({int(t) for t in wanted if 1 <= t <= n})
        return cls(sorted_margins(model, X, y, chosen)).plot(ax=ax)

    def _draw(self, ax: Axes) -> None:
        pale = pale_on(ax)
        ax.axvspan(-1, 0, color=pale, linewidth=0, zorder=0)
        for place, word in ((-0.5, "wrong"), (0.5, "right")):
            write(ax, word, (place, 0.03), (0, 0), xycoords=("data", "axes fraction"), ha="center")
        styles = _margin_styles(len(self.margins))
        for (t, margins), (colour, dashes) in zip(self.margins.items(), styles, strict=True):
            x = np.concatenate([[-1.0], margins, [1.0]])
            share = np.concatenate([[0.0], np.arange(1, len(margins) + 1) / len(margins), [1.0]])
            label = f"{t:,} round" + ("" if t == 1 else "s")
            ax.step(x, share, where="post", color=colour, linestyle=dashes, label=label)
        ax.set_xlim(-1, 1)
        ax.set_xticks([-1, -0.5, 0, 0.5, 1], ["−1", "−0.5", "0", "0.5", "1"])
        ax.set_ylim(0, 1.02)
        percent_axis(ax.yaxis)
        ax.set_xlabel("margin")
        ax.set_ylabel("examples with at most this margin")
        ax.set_title("How clearly the vote is right")
        ax.legend(
            loc="upper left",
            bbox_to_anchor=(0.0, 0.94),
            facecolor=pale,
            edgecolor=pale,
            labelcolor=text_on(ax),
        )


def _margin_styles(n: int) -> list[tuple[str, Any]]:
    """Colours and dashes for n curves; the last is always solid."""
    dashes: list[Any] = [(0, (1.2, 1.4)), (0, (5, 2)), (0, (7, 2, 1.5, 2))]
    colours = [ORANGE, GREEN, PURPLE, SKY]
    early = [(colours[k % 4], dashes[k % 3]) for k in range(n - 1)]
    return [*early, (BLUE, "-")]
