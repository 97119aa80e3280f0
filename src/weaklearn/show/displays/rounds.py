"""Error over the rounds of a boosted model, with the bound on the training error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.types import Floats
from ..data.rounds import staged_error, training_error_bound
from ..drawing.canvas import BLUE, GREY, VERMILION, Axes, Display, percent_axis, rounds_axis, write

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
        of_numbers = not hasattr(model, "classes_")
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
    if not hasattr(model, "staged_score"):
        raise TypeError(
            f"model is of type {name}, which has no rounds to draw: this picture is of boosted "
            "models. A tree is read by to_text() or drawn from to_graphviz(), a forest by its "
            "feature_importances_ (weaklearn.show.ImportanceDisplay), an additive model by its "
            "shapes (weaklearn.show.ShapeFunctionDisplay)."
        )
    if not hasattr(model, "history_"):
        raise ValueError(f"this {name} is not fitted yet; call fit first.")
