"""Two pictures of a fit: error and bound over the rounds, and the margins as they grow."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..drawing.canvas import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    STYLE,
    VERMILION,
    load_matplotlib,
    new_axes,
    pale_on,
    rounds_axis,
    text_on,
)
from .importance import ImportanceDisplay

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


@dataclass
class RoundsDisplay:
    """Error over the rounds: on the training rows, its bound prod Z_t if any, and on test rows.

    For a regressor it is 1 - score, the share of the variance that is left to explain.

    Made by ``RoundsDisplay.from_estimator(model, X_test=..., y_test=...)``; ``plot(ax=...)`` draws
    again, and ``ax_`` and ``figure_`` hold what was drawn on.
    """

    train_error: Floats | None
    bound: Floats | None = None
    test_error: Floats | None = None
    first_test: int = 1  # the round of the first test error
    of_numbers: bool = False
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

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
        display = cls.read(model, X, y, X_test, y_test)
        return display.plot(ax=ax)

    @classmethod
    def read(
        cls, model: Any, X: Any = None, y: Any = None, X_test: Any = None, y_test: Any = None
    ) -> RoundsDisplay:
        """The same without drawing."""
        _refuse_without_rounds(model)
        history = model.history_
        train = history.get("train_error")
        if train is None and X is not None:
            train = _staged_error(model, X, y)
        of_numbers = not hasattr(model, "classes_")
        bounded = "Z" in history and not of_numbers and len(model.classes_) <= 2
        bounded = bounded and getattr(model, "_product_bounds", False)
        bound = np.cumprod(history["Z"]) if bounded else None
        test = None if X_test is None else _staged_error(model, X_test, y_test)
        # A rule without error outvotes all before it: its one member stands for the last round.
        alone = model.n_iter_ == 1 and "alpha" in history and np.isinf(history["alpha"][-1])
        return cls(train, bound, test, len(history) if alone else 1, of_numbers)

    def plot(self, ax: Axes | None = None) -> RoundsDisplay:
        """Draws on the given axes, or on new ones."""
        matplotlib = load_matplotlib()
        if ax is None:
            with matplotlib.rc_context(STYLE):
                return self.plot(ax=new_axes())
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
        ax.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
        ax.set_ylabel("1 − score" if self.of_numbers else "share of examples")
        ax.set_title(self._title)
        ax.legend(loc="upper right")
        self._mark_last_error(ax, last)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    @property
    def _title(self) -> str:
        if self.of_numbers:
            return "What is left to explain"
        return (
            "Error over the rounds"
            if self.bound is None
            else "Error, and what the theorem promises"
        )

    def _mark_last_error(self, ax: Axes, last: int) -> None:
        """A thin line where the training error is gone for good."""
        if self.train_error is None or len(self.train_error) == 0 or self.train_error[-1] > 0:
            return
        wrong = np.flatnonzero(self.train_error > 0)
        clean = int(wrong[-1]) + 2 if len(wrong) else 1
        if not 1 < clean < last / 3:  # no room to say it
            return
        ax.axvline(clean, ymax=0.5, color="#9A9A9A", linewidth=1.0, zorder=1)
        ax.annotate(
            f"no training error\nfrom round {clean:,} on",
            (clean, 0.5),
            xycoords=("data", "axes fraction"),
            xytext=(5, 0),
            textcoords="offset points",
            va="top",
            fontsize=9,
            color=text_on(ax),
        )


def _refuse_without_rounds(model: Any) -> None:
    """One sentence about a model that has no rounds to draw."""
    name = type(model).__name__
    if not hasattr(model, "staged_score"):
        raise TypeError(
            f"model is of type {name}, which has no rounds to draw: this picture is of boosted "
            "models. A tree is read by to_text() or drawn from to_graphviz(), a forest by its "
            "feature_importances_ (weaklearn.show.ImportanceDisplay), an additive model by its "
            "shapes (weaklearn.show.ShapeFunctionDisplay)."
        )
    if not hasattr(model, "history_"):
        raise ValueError(f"this {name} is not fitted yet; call fit first.")


def _staged_error(model: Any, X: Any, y: Any) -> Floats:
    return np.array([1 - score for score in model.staged_score(X, y)])


@dataclass
class MarginDisplay:
    """The cumulative distribution of the margins, after several numbers of rounds.

    A margin is y f(x) in [-1, 1]: positive where the vote is right, and the larger the clearer.
    """

    margins: dict[int, Floats]  # by number of rounds
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any, rounds: Iterable[int] | None = None, ax: Axes | None = None
    ) -> MarginDisplay:
        """Margins of the rows X, y after the given rounds; 5, 100 and all of them by default."""
        return cls.read(model, X, y, rounds).plot(ax=ax)

    @classmethod
    def read(cls, model: Any, X: Any, y: Any, rounds: Iterable[int] | None = None) -> MarginDisplay:
        """The same without drawing."""
        name = type(model).__name__
        if not (hasattr(model, "margins") and hasattr(model, "truncate")):
            raise TypeError(
                f"model is of type {name}, which gives no margins round by round: MarginDisplay is "
                "for classifiers that boost, such as AdaBoostClassifier."
            )
        _refuse_without_rounds(model)
        n = int(model.n_iter_)
        wanted = (5, 100, n) if rounds is None else rounds
        chosen = sorted({int(t) for t in wanted if 1 <= t <= n})
        if not chosen:
            return cls({n: np.sort(model.margins(X, y))})
        return cls({t: np.sort(model.truncate(t).margins(X, y)) for t in chosen})

    def plot(self, ax: Axes | None = None) -> MarginDisplay:
        """Draws on the given axes, or on new ones."""
        matplotlib = load_matplotlib()
        if ax is None:
            with matplotlib.rc_context(STYLE):
                return self.plot(ax=new_axes())
        pale = pale_on(ax)
        ax.axvspan(-1, 0, color=pale, linewidth=0, zorder=0)
        for place, word in ((-0.5, "wrong"), (0.5, "right")):
            ax.annotate(
                word,
                (place, 0.03),
                xycoords=("data", "axes fraction"),
                ha="center",
                fontsize=9,
                color=text_on(ax),
            )
        styles = _margin_styles(len(self.margins))
        for (t, margins), (colour, dashes) in zip(self.margins.items(), styles, strict=True):
            x = np.concatenate([[-1.0], margins, [1.0]])
            share = np.concatenate([[0.0], np.arange(1, len(margins) + 1) / len(margins), [1.0]])
            label = f"{t:,} round" + ("" if t == 1 else "s")
            ax.step(x, share, where="post", color=colour, linestyle=dashes, label=label)
        ax.set_xlim(-1, 1)
        ax.set_xticks([-1, -0.5, 0, 0.5, 1], ["−1", "−0.5", "0", "0.5", "1"])
        ax.set_ylim(0, 1.02)
        ax.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
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
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _margin_styles(n: int) -> list[tuple[str, Any]]:
    """Colours and dashes for n curves; the last is always solid."""
    dashes: list[Any] = [(0, (1.2, 1.4)), (0, (5, 2)), (0, (7, 2, 1.5, 2))]
    colours = [ORANGE, GREEN, PURPLE, SKY]
    early = [(colours[k % 4], dashes[k % 3]) for k in range(n - 1)]
    return [*early, (BLUE, "-")]


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

    curve = RoundsDisplay.read(model, X, y, X_test, y_test)
    beside: MarginDisplay | ImportanceDisplay
    if hasattr(model, "margins"):
        beside = MarginDisplay.read(model, X, y, rounds)
    else:
        beside = ImportanceDisplay.read(model)
    layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1, wspace=0.06)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(10.4, 4.3), layout=layout)
        left, right = figure.subplots(1, 2)
        curve.plot(ax=left)
        beside.plot(ax=right)
        if title:
            figure.suptitle(title, x=0.012, ha="left", fontsize=13, color="#333333")
        if path is not None:
            figure.savefig(path, dpi=150)
    return figure
