"""The weights of the examples over the rounds: of each, or of the heaviest of many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.offered import offers
from ...base.types import Floats
from ..data.rounds import spread_rounds
from ..drawing.canvas import (
    BLUE,
    GREY,
    ORANGE,
    VERMILION,
    Axes,
    Display,
    new_axes,
    percent_axis,
    rounds_axis,
    text_on,
    write,
)
from ..text_fit import short

_FEW = 40  # examples that have a line each
_MOST_ROUNDS = 200  # that are replayed, unless others are asked for
_PARTS = ((0.01, VERMILION, "-"), (0.1, ORANGE, (0, (5, 2))), (0.5, BLUE, (0, (1.2, 1.4))))


@dataclass
class WeightsDisplay(Display):
    """The weights D_t of the examples over the rounds.

    Of few examples each has a line, dark where it weighs much; of many the share is drawn that the
    heaviest of them hold. ``weights`` is (rounds, examples), ``rounds`` their numbers.
    """

    weights: Floats
    rounds: Sequence[int]
    names: Sequence[str] = ()

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any,
        rounds: Sequence[int] | None = None,
        *,
        sample_weight: Any = None,
        names: Sequence[str] | None = None,
        ax: Axes | None = None,
    ) -> WeightsDisplay:
        """Replays the rounds of a fitted model on its training rows and draws their weights.

        ``names`` of the examples stand beside their lines; their labels by default.
        """
        if not offers(model, "distributions"):
            raise TypeError(
                f"model is of type {type(model).__name__}, which gives its examples no weights of "
                "its own: WeightsDisplay is for classifiers that boost, such as AdaBoostClassifier."
            )
        if rounds is None:
            rounds = spread_rounds(int(model.n_iter_) + 1, _MOST_ROUNDS)
        weights = model.distributions(X, y, rounds, sample_weight)
        if names is None:
            names = [f"{i}: {label}" for i, label in enumerate(np.asarray(y).tolist())]
        return cls(weights, list(rounds), [str(name) for name in names]).plot(ax=ax)

    @property
    def _few(self) -> bool:
        return bool(self.weights.shape[1] <= _FEW)

    def _style(self) -> dict[str, Any]:
        return {"axes.grid": False} if self._few else {}

    def _new_axes(self) -> Axes:
        if not self._few:
            return new_axes()
        n_rounds, n = self.weights.shape
        return new_axes((max(min(10.0, 3.6 + 0.32 * n_rounds), 4.6), max(1.6 + 0.22 * n, 2.6)))

    def _draw(self, ax: Axes) -> None:
        (self._lines if self._few else self._shares)(ax)
        ax.set_title("How the weight moves")

    def _lines(self, ax: Axes) -> None:
        """One line per example, the heaviest of all rounds on top."""
        order = np.argsort(-self.weights.sum(axis=0), kind="stable")
        image = ax.imshow(
            self.weights[:, order].T, aspect="auto", cmap="cividis_r", vmin=0.0, origin="upper"
        )
        names = [short(self.names[i], 16) if self.names else str(i) for i in order]
        ax.set_yticks(range(len(order)), names)
        places = np.unique(np.linspace(0, len(self.rounds) - 1, 10).round().astype(int))
        ax.set_xticks(places, [f"{self.rounds[k]:,}" for k in places])
        ax.tick_params(length=0)
        ax.set_xlabel("round")
        ax.set_ylabel("example")
        bar = ax.figure.colorbar(image, ax=ax, pad=0.02)
        bar.outline.set_visible(False)
        bar.ax.tick_params(length=0)
        percent_axis(bar.ax.yaxis)
        bar.set_label("share of the weight")

    def _shares(self, ax: Axes) -> None:
        """The share of the weight held by the heaviest 1, 10 and 50 % of the examples."""
        heaviest = -np.sort(-self.weights, axis=1)
        total = np.maximum(self.weights.sum(axis=1), np.finfo(float).tiny)
        n = self.weights.shape[1]
        names: list[tuple[float, str, str]] = []
        for part, colour, dashes in _PARTS:
            k = max(1, round(part * n))
            share = heaviest[:, :k].sum(axis=1) / total
            ax.plot(self.rounds, share, color=colour, linestyle=dashes)
            ax.axhline(k / n, color=GREY, linewidth=0.7, alpha=0.5, zorder=1)
            names.append((float(share[-1]), f"heaviest {100 * part:g} %\n({k:,} examples)", colour))
        names.append((0.0, "thin lines: if all\nweighed the same", text_on(ax)))
        for place, name, colour in _apart(names):
            how = {"xycoords": ("axes fraction", "data"), "va": "center", "color": colour}
            write(ax, name, (1.0, place), (6, 0), **how)
        rounds_axis(ax, max(self.rounds))
        ax.set_ylim(0, 1.02)
        percent_axis(ax.yaxis)
        ax.set_ylabel("share of the weight")


def _apart(names: list[tuple[float, str, str]], gap: float = 0.13) -> list[tuple[float, str, str]]:
    """Names at heights that do not overlap, from above."""
    placed: list[tuple[float, str, str]] = []
    for height, name, colour in sorted(names, reverse=True):
        most = placed[-1][0] - gap if placed else 0.98
        placed.append((min(height, most), name, colour))
    return placed
