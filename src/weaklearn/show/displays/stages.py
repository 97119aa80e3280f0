"""The first rounds of boosting in two dimensions: weights, rules, and the final vote."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.types import Floats
from ...estimators.boosting.round_by_round import WatchedRound
from ...estimators.boosting.round_by_round import rounds as watched
from ...intake.parameters import integer
from ..drawing.canvas import STYLE, Axes, Figure, load_matplotlib, text_on
from ..text_fit import short
from .regions import Plane, scatter, shade

_ACROSS = 4  # pictures in a line
_ALONG = 34  # letters in a line below a picture


@dataclass
class StagesDisplay:
    """One picture per round: points sized by weight, and the rule found; the vote of all last."""

    plane: Plane
    played: list[WatchedRound]
    labels: NDArray[np.intp]
    classes: Sequence[str]
    answers: list[NDArray[np.intp]]  # each rule's class on the grid
    vote: NDArray[np.intp]  # the vote of all on the grid
    ax_: NDArray[Any] = field(init=False, repr=False, compare=False)
    figure_: Figure = field(init=False, repr=False, compare=False)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any,
        n_rounds: int = 3,
        features: Sequence[int | str] = (0, 1),
        ax: Any = None,
    ) -> StagesDisplay:
        """Runs the first rounds of a booster on X and y, and draws them.

        The model need not be fitted, and is not changed. ``ax`` is an array of n_rounds + 1 axes.
        """
        integer("n_rounds", n_rounds, 1, 23)
        plane = Plane(X, features)
        grid = plane.grid()
        classes = np.unique(np.asarray(y))
        own = copy.copy(model)
        known = own.get_params(deep=False)
        wanted = {"n_estimators": n_rounds, "warm_start": False}
        own.set_params(**{name: value for name, value in wanted.items() if name in known})
        played = list(watched(own, X, y))
        answers = [_codes(r.h, grid, classes) for r in played if r.h is not None]
        labels = np.searchsorted(classes, np.asarray(y))
        names = [str(label) for label in classes]
        vote = _codes(own.fit(X, y), grid, classes)
        return cls(plane, played, labels, names, answers, vote).plot(ax=ax)

    def plot(self, ax: Any = None) -> StagesDisplay:
        """Draws on the given axes, or on new ones."""
        matplotlib = load_matplotlib()
        n = len(self.answers) + 1
        if ax is None:
            with matplotlib.rc_context(STYLE | {"axes.grid": False}):
                return self.plot(ax=_axes(n))
        axes = np.ravel(ax)
        if len(axes) < n:
            raise ValueError(f"ax holds {len(axes)} axes; {n} are needed.")
        shown = [r for r in self.played if r.h is not None]
        for k, (r, codes) in enumerate(zip(shown, self.answers, strict=True)):
            self._picture(axes[k], codes, r.D, f"Round {r.t}", _facts(r))
        last = shown[-1] if shown else None
        facts = "" if last is None else f"training error {100 * last.error:.3g} %"
        self._picture(axes[n - 1], self.vote, None, "The vote of all", facts)
        for spare in axes[n:]:
            spare.set_axis_off()
        handles = axes[0].get_legend_handles_labels()
        if ax is not None and axes[0].figure.get_layout_engine() is None:
            axes[n - 1].legend(*handles, loc="upper right")
        else:
            axes[0].figure.legend(*handles, loc="outside right upper")
        self.ax_, self.figure_ = axes[:n], axes[0].figure
        return self

    def _picture(
        self, ax: Axes, codes: NDArray[np.intp], D: Floats | None, title: str, facts: str
    ) -> None:
        plane = self.plane
        shade(ax, plane.across, plane.up, codes, np.full(codes.shape, 0.35))
        borders = np.arange(codes.min(), codes.max()) + 0.5
        ax.contour(plane.across, plane.up, codes, borders, colors="#333333", linewidths=1.2)
        if D is not None and D.ndim == 2:
            D = D.sum(axis=1)
        scatter(ax, plane.points, self.labels, self.classes, D)
        ax.set_xlim(plane.across[0], plane.across[-1])
        ax.set_ylim(plane.up[0], plane.up[-1])
        ax.set_xticks([])
        ax.set_yticks([])
        for side in ("left", "bottom"):
            ax.spines[side].set_visible(False)
        ax.set_title(title)
        ax.set_xlabel(facts, fontsize=9, color=text_on(ax))


def _facts(r: WatchedRound) -> str:
    texts = []
    if np.isfinite(r.epsilon):
        texts.append(f"$\\epsilon$ = {r.epsilon:.3g}")
    if np.isfinite(r.alpha):
        texts.append(f"$\\alpha$ = {r.alpha:.3g}")
    rule = fill(short(r.rule, 2 * _ALONG), _ALONG)
    return "\n".join([rule, ",  ".join(texts)])


def _codes(model: Any, grid: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    """The class of every cell of the grid: predicted, or of the largest score."""
    predicted = np.asarray(model.predict(grid))
    scores = predicted.ndim == 2
    codes = np.argmax(predicted, axis=1) if scores else np.searchsorted(classes, predicted)
    side = round(len(codes) ** 0.5)
    return np.asarray(codes.reshape(side, side), np.intp)


def _axes(n: int) -> Any:
    import matplotlib.pyplot as plt

    columns = min(n, _ACROSS)
    lines = -(-n // columns)
    return plt.subplots(
        lines,
        columns,
        figsize=(2.7 * columns + 0.9, 3.1 * lines),
        layout="constrained",
        squeeze=False,
    )[1]
