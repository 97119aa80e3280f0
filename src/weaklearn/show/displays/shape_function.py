"""Pictures of the functions that an additive model adds up: one, some, or all in one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.offered import offers
from ...estimators.gradient.additive_edit import Editing
from ...inspection.column_grid import own_values
from ...inspection.dependence import PartialDependence
from ...inspection.rule_text import feature_name
from ...inspection.shape import Shape, Shapes
from ...intake.column_schema import ColumnSchema
from ...intake.parameters import integer, one_of
from ...intake.raw_column import Kind
from ..data.term import Term, score_scale
from ..drawing.canvas import STYLE, Axes, Figure, load_matplotlib, new_axes
from ..drawing.step_plot import MOST_CATEGORIES, draw_bars, draw_heat, draw_stair
from ..text_fit import plain, short, short_pair

_ACROSS = 4  # pictures beside one another


@dataclass
class ShapeFunctionDisplay:
    """The shapes of an additive model: what a column, or a pair of columns, adds to the score.

    Numbers and dates are step functions with their bands, categories bars with whiskers, pairs
    maps in which hatched ground held no row of training. At the foot of a step function lies where
    the data are: training's counts, or a rug of the rows given as X.

    Made by ``ShapeFunctionDisplay.from_estimator(model, "age")``; ``plot(ax=...)`` draws again.
    ``ax_`` and ``figure_`` hold what was drawn on, ``axes_`` all pictures of a sheet.
    """

    terms: Sequence[Term]
    scale: str = "score"
    left_out: int = 0  # weaker terms that the sheet has no room for
    share_scale: bool = False
    output: int | None = None
    means: bool = False  # mean scores of rows, and not what is added
    ax_: Axes = field(init=False, repr=False, compare=False)
    axes_: NDArray[Any] = field(init=False, repr=False, compare=False)
    figure_: Figure = field(init=False, repr=False, compare=False)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        term: Any = None,
        *,
        X: Any = None,
        n: int = 24,
        share_scale: bool = False,
        output: Any = None,
        ax: Any = None,
    ) -> ShapeFunctionDisplay:
        """Draws one term, a list of terms, or the n strongest in one sheet.

        Parameters
        ----------
        model : a fitted additive model, or a sum of stumps
        term : a column or a pair of columns as ``shapes_`` names them, a list of these, or None
            None draws all terms, strongest first.
        X : rows; optional for models that keep the counts of training
            Their values are drawn as a rug in place of training's counts.
        n : int, default 24
            The most terms of a sheet without ``term``.
        share_scale : bool, default False
            One scale for the contributions of all pictures of a sheet.
        output : label, optional
            The class of a pair's map where there are more than two; by default that on which the
            pair has the largest influence.
        ax : Axes, optional; for a sheet as many as there are terms
        """
        if getattr(term, "ndim", 0) == 2 or hasattr(term, "columns"):
            raise TypeError(
                f"term is a {type(term).__name__}, and must name columns to draw; pass rows by "
                "name, as X=..."
            )
        shapes, left = _chosen(model, term, integer("n", n, 1), X)
        names = shapes[0].outputs if shapes else ()
        wanted = None
        if output is not None and names:
            wanted = names.index(one_of("output", str(output), names))
        columns = {} if X is None else _columns(model, shapes, X)
        terms = [Term.from_shape(shape, columns) for shape in shapes]
        return cls(terms, score_scale(model), left, bool(share_scale), wanted).plot(ax=ax)

    @classmethod
    def from_dependence(
        cls, found: PartialDependence, *, ax: Any = None, output: Any = None
    ) -> ShapeFunctionDisplay:
        """Draws mean scores, each column or pair in a picture of its own."""
        shapes = list(found.values())
        names = shapes[0].outputs
        wanted = None
        if output is not None and names:
            wanted = names.index(one_of("output", str(output), names))
        terms = [Term.from_shape(shape, {}) for shape in shapes]
        return cls(terms, found.scale, output=wanted, means=True).plot(ax=ax)

    def plot(self, ax: Any = None) -> ShapeFunctionDisplay:
        """Draws on the given axes, or on new ones."""
        matplotlib = load_matplotlib()
        several = len(self.terms) > 1
        if ax is None:
            small = {"axes.titlesize": 10, "font.size": 9} if several else {}
            with matplotlib.rc_context(STYLE | small):
                return self.plot(ax=self._sheet() if several else new_axes(self._size()))
        axes = np.asarray(ax, dtype=object).ravel()
        if len(axes) != len(self.terms):
            raise ValueError(
                f"ax holds {len(axes)} axes, and there are {len(self.terms)} terms to draw: pass "
                "one for each, or none."
            )
        for each, term in zip(axes, self.terms, strict=True):
            self._draw(each, term, in_sheet=several)
        if several:
            _one_legend(axes)
        self.ax_, self.axes_, self.figure_ = axes[0], axes, axes[0].figure.figure
        return self

    def _size(self) -> tuple[float, float]:
        """Inches of a single picture; bars need height."""
        first, *second = self.terms[0].axes
        if not second and first.categories:
            n = min(len(first.categories), MOST_CATEGORIES + 1) + first.missing
            return 5.6, 1.4 + 0.27 * max(n, 4)
        return (5.6, 4.6) if second else (5.6, 4.0)

    def _sheet(self) -> Any:
        """Axes for every term, four beside one another."""
        import matplotlib.pyplot as plt
        from matplotlib.layout_engine import ConstrainedLayoutEngine

        n = len(self.terms)
        across = min(_ACROSS, n)
        down = -(-n // across)
        layout = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08, wspace=0.03, hspace=0.03)
        figure = plt.figure(figsize=(3.8 * across, 2.7 * down + 0.5), layout=layout)
        axes = figure.subplots(down, across, squeeze=False).ravel()
        for spare in axes[n:]:
            spare.remove()
        more = f" ({n} strongest of {n + self.left_out} terms)" if self.left_out else ""
        about = "Mean" if self.means else "What each column adds to the"
        figure.suptitle(
            f"{about} {plain(self.scale)}{more}",
            x=0.012,
            ha="left",
            fontsize=12,
            color="#333333",
        )
        return axes[:n]

    def _draw(self, ax: Axes, term: Term, in_sheet: bool = False) -> None:
        added = f"{'mean' if self.means else 'added to the'} {plain(self.scale)}"
        most = 30 if in_sheet else 60
        if term.is_pair:
            k = self._output_of(term)
            name = short_pair(term.name, most)
            if term.outputs:  # a map is of one score
                name += f": {short(term.outputs[k], most // 3)}"
            ax.set_title(name)
            bar = draw_heat(ax, term, k, self._most(), in_sheet)
            if not in_sheet:
                bar.set_label(added)
            return
        ax.set_title(short(term.name, most))
        if term.axes[0].categories:
            draw_bars(ax, term, self._reach(term), in_sheet)
            ax.set_xlabel("" if in_sheet else added)
            ax.set_ylabel("")
        else:
            draw_stair(ax, term, self._reach(term), in_sheet)
            ax.set_ylabel("" if in_sheet else added)
            if term.axes[0].name == term.name:  # the title says it
                ax.set_xlabel("")

    def _reach(self, term: Term) -> tuple[float, float]:
        """The least and the greatest value that a picture shows."""
        if not self.share_scale:
            return term.reach
        lows, highs = zip(*(other.reach for other in self.terms if not other.is_pair), strict=True)
        return min(lows), max(highs)

    def _output_of(self, term: Term) -> int:
        """The score that a map is drawn of: the one asked for, or the most influenced one."""
        return int(np.argmax(term.strengths())) if self.output is None else self.output

    def _most(self) -> float | None:
        """The size at which colours are full, where all maps share it."""
        if not self.share_scale:
            return None
        return max(abs(end) for other in self.terms for end in other.reach)


def _shapes(model: Any, X: Any) -> Shapes:
    if isinstance(model, Editing):
        shapes: Shapes = model.shapes_
        return shapes
    name = type(model).__name__
    if not offers(model, "shapes"):
        raise TypeError(
            f"model is of type {name}, which has no shapes: this picture is of additive models, "
            "such as AdditiveBoostingClassifier, and of sums of stumps."
        )
    if X is None:
        raise TypeError(
            f"model is of type {name}, which has no shapes of its own: those of a sum of stumps "
            "need to know where rows lie; pass X=, training's for instance."
        )
    found: Shapes = model.shapes(X)
    return found


def _chosen(model: Any, term: Any, n: int, X: Any) -> tuple[list[Shape], int]:
    """The shapes to draw, and how many weaker ones there are besides."""
    shapes = _shapes(model, X)
    if not shapes:
        raise ValueError("the model has no terms to draw: it answers the same for every row.")
    if term is None:
        return list(shapes.values())[:n], max(0, len(shapes) - n)
    return [shapes[each] for each in (term if isinstance(term, list) else [term])], 0


def _columns(model: Any, shapes: Sequence[Shape], X: Any) -> dict[str, NDArray[Any]]:
    """The numbers, dates and durations of X that shapes use, by name."""
    schema, rows = model._schema, model._rows(X)
    used = {name for shape in shapes for name in shape.features}
    return {
        name: _known(schema.columns[j], rows.column(j))
        for j in range(schema.n_features)
        if (name := feature_name(schema, j)) in used and schema.columns[j].kind is not Kind.CATEGORY
    }


def _known(column: ColumnSchema, cells: NDArray[Any]) -> NDArray[Any]:
    """The values that are not missing; of ranks, the values of training next to them."""
    known = cells[np.isfinite(cells)]
    if column.marks is not None:
        known = column.marks[known.astype(np.intp)]
    return own_values(column, known)


def _one_legend(axes: NDArray[Any]) -> None:
    """One legend above the sheet in place of one per picture."""
    legends = [ax.get_legend() for ax in axes if ax.get_legend() is not None]
    if not legends:
        return
    handles = legends[0].legend_handles
    names = [text.get_text() for text in legends[0].get_texts()]
    for legend in legends:
        legend.remove()
    axes[0].figure.legend(handles, names, loc="outside upper right", ncols=len(names))
