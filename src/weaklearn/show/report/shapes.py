"""Shape functions: what every column adds to the score of a model that is a sum of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...base.messages.number_text import number, signed
from ...base.messages.table import printable
from ...estimators.gradient.additive_edit import Editing
from ...inspection.no_tree_sum import NoTreeSum
from ...inspection.shape import Shape
from ...intake.raw_column import Kind
from ...page.element import Element, Node, tag
from ...page.plot import COLOURS, DASHES, Plot, figure, legend
from ...page.scale import Scale
from ..data.term import Term, score_scale
from ..text_fit import cut
from .columns import FEWEST, raw_column
from .pairs import axis_scale, cell_names, pairs
from .section import Absent, Part, Picture, ReportContext, Section, note, read_out

_TITLE = "Shape functions"
_MOST = 24  # functions that are drawn
_FIRST = 12  # those that are seen at once
_CATEGORIES = 10
_CLASSES = 6  # scores that are drawn in one picture


def shapes(context: ReportContext) -> Part:
    """One small picture per column, the strongest first."""
    found, about = _shapes_of(context)
    if found is None:
        return Absent(_TITLE, "the model is no sum of functions of single columns")
    single = [shape for shape in found if not shape.pair]
    if not single:
        return Absent(_TITLE, "the model predicts the same for every row")
    terms = [_term(context, shape).centred() for shape in single]
    terms = sorted(terms, key=lambda term: -_strength(term))[:_MOST]
    met = [term.values[term.counts > 0] for term in terms]
    reach = Scale.around(*met, [0.0], room=0.15)  # bands may be cut
    pictures: list[Node] = []
    data: dict[str, Any] = {}
    for k, term in enumerate(terms):
        picture, texts = _picture(term, reach, f"shape-{k}", context.examples)
        pictures.append(picture)
        data |= texts
    body: list[Node] = [tag("div", pictures[:_FIRST], class_="many")]
    if len(pictures) > _FIRST:
        words = f"{len(pictures) - _FIRST} weaker functions"
        rest = tag("div", pictures[_FIRST:], class_="many inside")
        body.append(tag("details", tag("summary", tag("span", words, class_="says")), rest))
    outputs = terms[0].outputs
    if outputs:
        body.insert(0, _legend(outputs))
    if len(single) > _MOST:
        body.append(note(f"{len(single) - _MOST} weaker functions are left out."))
    maps, texts = pairs([_term(context, shape) for shape in found if shape.pair], context.examples)
    body += maps
    data |= texts
    scale = printable(score_scale(context.model))
    about += f" Height is what is added to the {scale}; all pictures share one scale."
    return Section("shapes", _TITLE, body, about, data)


def _shapes_of(context: ReportContext) -> tuple[list[Shape] | None, str]:
    """The shapes, the strongest first, or None; and a sentence on what they are."""
    model = context.model
    if isinstance(model, Editing):
        about = "The model is a sum of these functions, with nothing besides a constant."
        return list(model.shapes_.values()), about
    try:
        found = list(model.shapes(context.rows.sample().X).values())
    except (AttributeError, NoTreeSum, TypeError, ValueError):
        return None, ""
    about = (
        "A vote of rules that test one column each is a sum of one function per column; each "
        "is drawn around its mean."
    )
    return found, about


def _term(context: ReportContext, shape: Shape) -> Term:
    """A term without the least and the greatest values of training, which are single rows'."""
    bare = replace(shape, grids=tuple(replace(grid, ends=None) for grid in shape.grids))
    ends = {name: _ends(context, name) for name in shape.features}
    return Term.from_shape(bare, {name: pair for name, pair in ends.items() if pair is not None})


def _ends(context: ReportContext, name: str) -> Any:
    """The ends of a column in its picture: quantiles 0.01 and 0.99; None where there are none."""
    table, names = context.table, list(context.column_names())
    if table is None or name not in names:
        return None
    raw = raw_column(table, names.index(name))
    if raw.kind is Kind.CATEGORY:
        return None
    known = raw.values if raw.missing is None else raw.values[~raw.missing]
    known = known.astype(np.float64)
    known = known[np.isfinite(known)]
    if not len(known):
        return None
    ends = np.quantile(known, [0.01, 0.99])
    if raw.kind in (Kind.DATETIME, Kind.TIMEDELTA):
        letter = "M" if raw.kind is Kind.DATETIME else "m"
        ends = ends.astype(np.int64).view(f"{letter}8[{raw.unit}]")
    return ends


def _strength(term: Term) -> float:
    """The mean size of what is added, averaged over scores."""
    return float(term.strengths().mean())


def _legend(outputs: Sequence[str]) -> Element:
    drawn = outputs[:_CLASSES]
    entries = [(printable(o), COLOURS[k], DASHES[k % 4]) for k, o in enumerate(drawn)]
    if len(outputs) > _CLASSES:
        entries.append((f"{len(outputs) - _CLASSES} more are not drawn", "grey", "dots"))
    return legend(entries)


def _picture(term: Term, y: Scale, name: str, examples: bool) -> Picture:
    axis = term.axes[0]
    title = printable(term.name)
    small = f"moves scores by {number(_strength(term), 3)} on average"
    if axis.categories:
        return figure(_bars(term, y, examples), title=title, small=small), {}
    return _stairs(term, y, name, title, small)


# -------------------------------------------------------------------------------- ordered columns


def _stairs(term: Term, y: Scale, name: str, title: str, small: str) -> Picture:
    axis = term.axes[0]
    low, high = axis.limits
    plot = Plot(axis_scale(axis), y, width=320, height=180, left=44, right=8, size="small")
    _draw_density(plot, term)
    plot.line(plot.path([low, high], [0, 0]), "grey", "thin", "dots")
    for k in range(min(term.n_outputs, _CLASSES)):
        colour, dash = COLOURS[k], DASHES[k % 4]
        values, band = term.values[:, k], term.high[:-1, k] > term.low[:-1, k]
        if band.any() and term.n_outputs == 1:
            upper = plot.stairs(axis.edges, term.high[:-1, k])
            lower = plot.stairs(axis.edges[::-1], term.low[:-1, k][::-1])
            plot.band(upper, lower, colour)
        plot.line(plot.stairs(axis.edges, values[:-1]), colour, dash=dash)
        if axis.missing:
            plot.line(plot.path(axis.gap, [values[-1]] * 2), colour)
    middles = ((axis.edges[:-1] + axis.edges[1:]) / 2).tolist()
    middles += [axis.missing_at] if axis.missing else []
    texts = [f"{cell}: {_values(term, k)}" for k, cell in enumerate(cell_names(axis))]
    words = f"what {term.name} adds"
    return read_out(plot, name, middles, texts, words, title=title, small=small)


def _draw_density(plot: Plot, term: Term) -> None:
    """Bars at the foot, the higher the denser the training rows."""
    axis = term.axes[0]
    widths = np.diff(axis.edges)
    dense = np.sqrt(term.counts[:-1] / np.maximum(widths, 1e-300))
    most = float(np.quantile(dense[dense > 0], 0.9)) if (dense > 0).any() else 0.0
    if most <= 0:
        return
    foot = plot.y.low
    high = 0.16 * (plot.y.high - plot.y.low)
    shares = np.minimum(dense / most, 1.0)
    for left, right, share in zip(axis.edges[:-1], axis.edges[1:], shares, strict=True):
        if share > 0:
            plot.rect(left, right, foot, foot + high * share, "f-pale")


def _values(term: Term, k: int) -> str:
    texts = [signed(float(value)) for value in term.values[k][:_CLASSES]]
    if not term.outputs:
        return texts[0]
    return ", ".join(f"{printable(o)} {v}" for o, v in zip(term.outputs, texts, strict=False))


# ------------------------------------------------------------------------------------- categories


def _bars(term: Term, reach: Scale, examples: bool) -> Element:
    """One bar per category, the greatest first; categories of few rows are not named."""
    kept, hidden = _categories(term, examples)
    axis, n, K = term.axes[0], len(kept), min(term.n_outputs, _CLASSES)
    names = [
        "missing" if k == len(axis.categories) else cut(printable(axis.categories[k])) for k in kept
    ]
    left = min(150, 14 + 7 * max([len(name) for name in names], default=1))
    height = max(180, 34 + 19 * n)
    y = Scale(-max(n, 1), 0, marks=())  # bars need no lines behind their names
    plot = Plot(reach, y, width=320, height=height, left=left, right=8, size="small")
    for k, (name, cell) in enumerate(zip(names, kept, strict=True)):
        plot.text(left - 7, plot.up([-(k + 0.5)])[0] + 4, name, "end")
        for c in range(K):
            value, thick = float(term.values[cell, c]), 0.72 / K
            top = -k - 0.14 - c * thick
            colour = COLOURS[c] if K > 1 else "blue" if value >= 0 else "vermilion"
            plot.rect(0.0, value, top, top - thick, f"f-{colour}", f"{name}: {signed(value)}")
    plot.line(plot.path([0, 0], [-max(n, 1), 0]), "grey", "thin")
    if hidden:
        words = f"{hidden} rarer or weaker categories not shown"
        plot.text(plot.right, plot.top - 1, words, "end", "label")
    return plot.element(f"what {term.name} adds")


def _categories(term: Term, examples: bool) -> tuple[list[int], int]:
    """The cells of the categories that are drawn, and how many categories are not."""
    fewest = 1 if examples else FEWEST
    axis = term.axes[0]
    common = [k for k in range(len(axis.categories)) if term.counts[k] >= fewest]
    weight = np.abs(term.values).max(axis=-1) * term.counts
    kept = sorted(common, key=lambda k: -weight[k])[:_CATEGORIES]
    kept.sort(key=lambda k: -term.values[k, 0])
    hidden = len(axis.categories) - len(kept)
    return kept + ([len(axis.categories)] if axis.missing else []), hidden
