"""A picture of the edges: how much better than chance each rule was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.types import Floats
from ..drawing.canvas import BLUE, GREY, VERMILION, Axes, Display, rounds_axis, write

_FEW = 60  # rounds that have a dot each


@dataclass
class EdgeDisplay(Display):
    """The edges gamma_t = 1/2 - epsilon_t over the rounds, and the smallest up to each.

    A rule of edge 0 is a coin; boosting works as long as edges stay above 0.
    """

    edges: Floats

    @classmethod
    def from_estimator(cls, model: Any, ax: Axes | None = None) -> EdgeDisplay:
        """Reads the record of a fitted model and draws its edges."""
        history = getattr(model, "history_", {})
        if "gamma" in history:
            edges = history["gamma"]
        elif "epsilon" in history:
            edges = 0.5 - history["epsilon"]
        else:
            raise TypeError(
                f"model is of type {type(model).__name__}, which records no edges: "
                "EdgeDisplay is for classifiers that boost, such as AdaBoostClassifier."
            )
        return cls(np.asarray(edges, np.float64)).plot(ax=ax)

    def _draw(self, ax: Axes) -> None:
        t, edges = np.arange(1, len(self.edges) + 1), self.edges
        known = np.isfinite(edges)
        t, edges = t[known], edges[known]
        few = len(t) <= _FEW
        mark: dict[str, Any] = {"marker": "o", "markersize": 4.5, "clip_on": False} if few else {}
        ax.plot(t, edges, color=BLUE, linewidth=1.4, label="edge of the rule", **mark)
        if len(edges):
            least = np.minimum.accumulate(edges)
            name = "smallest so far"
            ax.step(t, least, where="post", color=VERMILION, linestyle=(0, (5, 2)), label=name)
        low = min(0.0, float(edges.min(initial=0.0)))
        high = float(edges.max(initial=0.05))
        ax.set_ylim(low - 0.06 * (high - low), high + 0.1 * (high - low))
        ax.axhline(0.0, color=GREY, linewidth=1.0, zorder=1)
        write(ax, "chance", (1.0, 0.0), (-4, 3), xycoords=("axes fraction", "data"), ha="right")
        rounds_axis(ax, max(2, len(self.edges)))
        ax.set_ylabel("edge over chance, $\\gamma_t$")
        ax.set_title("How much better than chance each rule is")
        ax.legend(loc="upper right")
