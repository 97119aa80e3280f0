"""Displays of a fit: error over rounds with its bound, margins, edges, and an overview."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.offered import fact, offers
from ...base.types import Floats
from ...prediction.rows import classes_of
from ..data.rounds import sorted_margins, staged_error, training_error_bound
from ..drawing.canvas import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    STYLE,
    VERMILION,
    Axes,
    Display,
    Figure,
    load_matplotlib,
    pale_on,
    percent_axis,
    rounds_axis,
    text_on,
    write,
)
from .importance import ImportanceDisplay

_WITH_BOUND = "Error, and what the theorem promises"


@dataclass
class RoundsDisplay(Display):
    """Error over the rounds: on the training rows, its bound prod Z_t if any, and on test rows.

    For a regressor it is 1 - score, for most losses the share of variance not explained.

    Made by ``RoundsDisplay.from_estimator(model, X_test=..., y_test=...)``; ``plot(ax=...)`` draws
    again, and ``ax_`` and ``figure_`` hold what was drawn on.
    """

    train_error: Floats | None
    bound: Floats | None = None
    test_error: Floats | None = None
    first_test: int = 1  # the round of the first test error
    of_numbers: bool = False  # whether it is a regressor

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any = None,
        y: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        ax: Axes | None = None,
    ) -> RoundsDisplay:
        """Reads the record of a fitted model; with test rows, their error after every round.

        X and y, the training rows, are needed only where the record holds no training error.
        """
        check_has_rounds(model)
        history = model.history_
        train = history.get("train_error")
        if train is None and X is not None:
            train = staged_error(model, X, y)
        bound = training_error_bound(model)
        test = None if X_test is None else staged_error(model, X_test, y_test)
        # A rule without error outvotes all before it: its one member stands for the last round.
        alone = model.n_iter_ == 1 and "alpha" in history and np.isinf(history["alpha"][-1])
        first_test = len(history) if alone else 1
        of_numbers = classes_of(model) is None
        return cls(train, bound, test, first_test, of_numbers).plot(ax=ax)

    def _draw(self, ax: Axes) -> None:
        on_training, on_test = "training error", "test error"
        if self.of_numbers:
            on_training, on_test = "training rows", "test rows"
        curves = [
            (self.train_error, 1, BLUE, "-", on_training),
            (self.bound, 1, GREY, (0, (4, 2)), "bound on it, $\\prod Z_t$"),
            (self.test_error, self.first_test, VERMILION, "-", on_test),
        ]
        last, top = 2, 0.0
        for values, first, colour, dashes, name in curves:
            if values is None or len(values) == 0:
                continue
            t = np.arange(first, first + len(values))
            mark = "o" if len(t) == 1 else ""  # one point is no line
            ax.plot(
                t, values, color=colour, linestyle=dashes, marker=mark, label=name, clip_on=False
            )
            last, top = max(last, int(t[-1])), max(top, float(np.max(values)))
        rounds_axis(ax, last)
        ax.set_ylim(0, max(top * 1.04, 0.02))
        percent_axis(ax.yaxis)
        ax.set_ylabel("1 − score" if self.of_numbers else "share of examples")
        title = "Error over the rounds" if self.bound is None else _WITH_BOUND
        ax.set_title("1 − score over the rounds" if self.of_numbers else title)
        ax.legend(loc="upper right")
        self._mark_last_error(ax, last)

    def _mark_last_error(self, ax: Axes, last: int) -> None:
        """A thin line at the round from which on the training error stays 0."""
        if self.train_error is None or len(self.train_error) == 0 or self.train_error[-1] > 0:
            return
        wrong = np.flatnonzero(self.train_error > 0)
        clean = int(wrong[-1]) + 2 if len(wrong) else 1
        if not 1 < clean < last / 3:  # no room to say it
            return
        ax.axvline(clean, ymax=0.5, color="#9A9A9A", linewidth=1.0, zorder=1)
        text = f"no training error\nfrom round {clean:,} on"
        write(ax, text, (clean, 0.5), (5, 0), xycoords=("data", "axes fraction"), va="top")


def check_has_rounds(model: Any) -> None:
    """Refuses a model that has no rounds to draw, or is not fitted."""
    name = type(model).__name__
    if not offers(model, "staged_score"):
        raise TypeError(
            f"model is of type {name}, which has no rounds to draw: this picture is of boosted "
            "models. A tree is read by to_text() or drawn from to_graphviz(), a forest by its "
            "feature_importances_ (weaklearn.show.ImportanceDisplay), an additive model by its "
            "shapes (weaklearn.show.ShapeFunctionDisplay)."
        )
    if fact(model, "history_") is None:
        raise ValueError(f"this {name} is not fitted yet; call fit first.")


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
        if not (offers(model, "margins") and offers(model, "truncate")):
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
        history = fact(model, "history_") or {}
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


def draw(
    model: Any,
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    rounds: Iterable[int] | None = None,
    title: str | None = None,
    path: str | os.PathLike[str] | None = None,
) -> Figure:
    """Two pictures side by side: error over the rounds, and the margins of the training rows.

    For regressors, which have no margins, the second one shows the columns they rely on. X and y
    are the training rows; with ``path`` the figure is written there too, as PNG, SVG or PDF by its
    ending.
    """
    matplotlib = load_matplotlib()
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1, wspace=0.06)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(10.4, 4.3), layout=layout)
        left, right = figure.subplots(1, 2)
        RoundsDisplay.from_estimator(model, X, y, X_test, y_test, ax=left)
        if offers(model, "margins"):
            MarginDisplay.from_estimator(model, X, y, rounds, ax=right)
        else:
            ImportanceDisplay.from_estimator(model, ax=right)
        if title:
            figure.suptitle(title, x=0.012, ha="left", fontsize=13, color="#333333")
        if path is not None:
            figure.savefig(path, dpi=150)
    return figure
