"""Decision regions in the plane of two columns: of a classifier, and of the first rounds of one."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.value_text import show
from ...base.offered import offers
from ...base.types import Floats
from ...estimators.boosting.round_by_round import WatchedRound
from ...estimators.boosting.round_by_round import rounds as watched
from ...intake.parameters import integer
from ...prediction.rows import classes_of
from ..drawing.canvas import CLASS_COLOURS as COLOURS
from ..drawing.canvas import STYLE, Axes, Display, Figure, load_matplotlib, new_axes, text_on
from ..text_fit import plain, short

MARKS = "os^DvP"
_STEPS = 240  # cells of the grid each way


@dataclass
class DecisionRegionDisplay(Display):
    """The regions of the classes in the plane of two columns, and rows as points.

    Two classes are shaded by how clear the vote is, with a line where it changes sides. A point
    that gets another class than its own has a black ring.
    """

    x: Floats
    y: Floats
    codes: NDArray[np.intp]  # the class on the grid, (len(y), len(x))
    clearness: Floats  # from 0 (a tie) to 1, the same
    names: tuple[str, str]
    classes: Sequence[str]
    points: Floats  # (n, 2)
    labels: NDArray[np.intp]
    wrong: NDArray[np.bool_]
    sizes: Floats | None = None  # of points
    held: int = 0  # columns that are neither across nor up

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any,
        features: Sequence[int | str] = (0, 1),
        *,
        weights: Any = None,
        ax: Axes | None = None,
    ) -> DecisionRegionDisplay:
        """Predicts all over the plane of two columns, and draws the regions of the classes.

        Where X has more columns, the others are held at what the middle row in the order of each
        holds. ``weights``: of the rows, drawn as the sizes of points.
        """
        if classes_of(model) is None:
            raise TypeError(
                f"model is of type {type(model).__name__}, which is fitted to no classes: "
                "DecisionRegionDisplay takes fitted classifiers."
            )
        plane = Plane(X, features)
        grid = plane.grid()
        classes = np.asarray(model.classes_)
        codes = np.searchsorted(classes, model.predict(grid)).reshape(_STEPS, _STEPS)
        labels = np.searchsorted(classes, np.asarray(y))
        wrong = np.asarray(model.predict(X)) != np.asarray(y)
        sizes = None if weights is None else np.asarray(weights, np.float64)
        return cls(
            plane.across,
            plane.up,
            codes,
            _clearness(model, grid).reshape(_STEPS, _STEPS),
            plane.names,
            [str(label) for label in classes],
            plane.points,
            labels,
            wrong,
            sizes,
            plane.held,
        ).plot(ax=ax)

    def _style(self) -> dict[str, Any]:
        return {"axes.grid": False}

    def _new_axes(self) -> Axes:
        return new_axes((5.6, 4.6))

    def _draw(self, ax: Axes) -> None:
        shade(ax, self.x, self.y, self.codes, self.clearness)
        if len(self.classes) == 2:
            signed = np.where(self.codes > 0, 1.0, -1.0)
            ax.contour(self.x, self.y, signed, [0.0], colors="#333333", linewidths=1.2)
        scatter(ax, self.points, self.labels, self.classes, self.sizes, self.wrong)
        ax.set_xlim(self.x[0], self.x[-1])
        ax.set_ylim(self.y[0], self.y[-1])
        ax.set_ylabel(plain(self.names[1]))
        ax.set_title("Decision regions")
        others = "\n(1 other column is held at its middle value)" if self.held else ""
        if self.held > 1:
            others = f"\n({self.held:,} other columns are held at their middle values)"
        ax.set_xlabel(plain(self.names[0]) + others)
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


class Plane:
    """Two columns of X, and a grid over them."""

    def __init__(self, X: Any, features: Sequence[int | str]) -> None:
        if len(features) != 2:
            raise ValueError(
                f"features={list(features)} is not allowed: it must name two columns, such as "
                "(0, 1)."
            )
        if hasattr(X, "to_pandas") and not hasattr(X, "iloc"):  # of polars, or of Arrow
            X = X.to_pandas()
        self.frame: Any = X if hasattr(X, "columns") and hasattr(X, "iloc") else None
        table = np.asarray(X) if self.frame is None else X
        self.matrix = None if self.frame is not None else np.asarray(table, np.float64)
        self.places = [self._place(feature, table.shape[1]) for feature in features]
        if self.places[0] == self.places[1]:
            raise ValueError(
                f"features={list(features)} is not allowed: it names one column twice, and a plane "
                "has two of them."
            )
        self.held = int(table.shape[1]) - 2
        self.points = np.column_stack([self._column(j) for j in self.places])
        self.across, self.up = (self._range(k) for k in (0, 1))

    def _place(self, feature: int | str, d: int) -> int:
        names = [] if self.frame is None else [str(name) for name in self.frame.columns]
        if isinstance(feature, str):
            if feature not in names:
                raise ValueError(
                    f"features: there is no column {show(feature)}; there are {names}."
                )
            return names.index(feature)
        if not 0 <= int(feature) < d:
            raise ValueError(
                f"features: {feature} is no column of X, which has {d} column{'s' * (d != 1)}; a "
                "plane needs two of them."
            )
        return int(feature)

    def _column(self, j: int) -> Floats:
        column = self.matrix[:, j] if self.matrix is not None else self.frame.iloc[:, j]
        try:
            if getattr(column.dtype, "kind", "") in "mM":
                raise TypeError("times")
            return np.asarray(column, np.float64)
        except (TypeError, ValueError):
            raise TypeError(
                f"column {self._name(j)} holds no numbers, and a plane has two axes of numbers; "
                "choose other features."
            ) from None

    def _name(self, j: int) -> str:
        return f"x[{j}]" if self.frame is None else str(self.frame.columns[j])

    @property
    def names(self) -> tuple[str, str]:
        return self._name(self.places[0]), self._name(self.places[1])

    def _range(self, k: int) -> Floats:
        known = self.points[np.isfinite(self.points[:, k]), k]
        low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
        room = 0.06 * (high - low) or 0.5
        return np.linspace(low - room, high + room, _STEPS)

    def grid(self) -> Any:
        """Rows for all cells of the grid, from bottom to top and left to right."""
        across, up = (part.ravel() for part in np.meshgrid(self.across, self.up))
        if self.frame is None:
            assert self.matrix is not None
            rows = np.tile(np.nanmedian(self.matrix, axis=0), (len(across), 1))
            rows[:, self.places[0]], rows[:, self.places[1]] = across, up
            return rows
        middle = self.frame.iloc[[0] * len(across)].reset_index(drop=True)
        for j, name in enumerate(self.frame.columns):
            column = self.frame.iloc[:, j].dropna().sort_values()
            if len(column):
                middle[name] = column.iloc[len(column) // 2]
        middle[self.frame.columns[self.places[0]]] = across
        middle[self.frame.columns[self.places[1]]] = up
        return middle


def _clearness(model: Any, grid: Any) -> Floats:
    """The margin of the prediction on the grid, from 0 (a tie) to 1 (the clearest)."""
    if offers(model, "decision_function"):
        F = np.asarray(model.decision_function(grid))
        if F.ndim == 2:
            F = np.sort(F, axis=1)
            F = F[:, -1] - F[:, -2] if F.shape[1] > 1 else F[:, 0]
    elif offers(model, "predict_proba"):
        p = np.sort(model.predict_proba(grid), axis=1)
        F = p[:, -1] - p[:, -2] if p.shape[1] > 1 else p[:, 0]
    else:
        return np.ones(len(grid))
    sizes = np.abs(F)
    top = np.quantile(sizes, 0.95)
    return np.asarray(np.clip(sizes / top, 0, 1) if top > 0 else np.ones(len(sizes)))


def shade(ax: Axes, x: Floats, y: Floats, codes: NDArray[np.intp], clearness: Floats) -> None:
    """Draws regions in the colours of their classes, the paler the less clear."""
    from matplotlib.colors import to_rgb

    palette = np.array([to_rgb(COLOURS[k % len(COLOURS)]) for k in range(int(codes.max()) + 1)])
    strength = 0.12 + 0.33 * clearness[..., None]
    image = 1 - strength * (1 - palette[codes])
    extent = (x[0], x[-1], y[0], y[-1])
    ax.imshow(image, extent=extent, origin="lower", aspect="auto", zorder=0)


def scatter(
    ax: Axes,
    points: Floats,
    labels: NDArray[np.intp],
    classes: Sequence[str],
    weights: Floats | None = None,
    wrong: NDArray[np.bool_] | None = None,
) -> None:
    """Draws points by class, sized by weight; misclassified ones have a ring."""
    n = len(points)
    base = float(np.clip(2600 / max(n, 1), 12, 60))
    sizes = np.full(n, base)
    if weights is not None and weights.sum() > 0:
        sizes = np.clip(base * n * weights / weights.sum(), 0.12 * base, 12 * base)
    for k, name in enumerate(classes):
        mine = labels == k
        ax.scatter(
            points[mine, 0],
            points[mine, 1],
            s=sizes[mine],
            marker=MARKS[k % len(MARKS)],
            color=COLOURS[k % len(COLOURS)],
            edgecolor="white",
            linewidth=0.7,
            label=short(name),
            zorder=3,
        )
    if wrong is not None and wrong.any():
        ax.scatter(
            points[wrong, 0],
            points[wrong, 1],
            s=sizes[wrong] * 2.2 + 18,
            facecolor="none",
            edgecolor="black",
            linewidth=1.1,
            label="misclassified",
            zorder=4,
        )


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
