"""Shape functions: what every column adds to the score of a model that is a sum of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...base.messages.number_text import number, signed
from ...base.messages.table import printable
from ...inspection.explanation import scale_of
from ...inspection.no_tree_sum import NoTreeSum
from ...inspection.shape import Shape
from ...intake.raw_column import Kind
from ...page.element import Element, Node, tag
from ...page.plot import COLOURS, DASHES, Plot, figure, legend
from ...page.span import Span
from ..drawing.term_axis import Ruler
from ..drawing.term_panel import Panel, panel_of
from .axis import axis, cells
from .columns import FEWEST, raw_column
from .pairs import pairs
from .section import Absent, Part, Section, cut, note
from .subject import Subject

_TITLE = "Shape functions"
_MOST = 24  # functions that are drawn
_FIRST = 12  # those that are seen at once
_LEVELS = 10
_CLASSES = 6  # scores that are drawn in one picture


def shapes(subject: Subject) -> Part:
    """A small picture a column, the strongest first."""
    found, about = _known(subject)
    if found is None:
        return Absent(_TITLE, "the model is no sum of functions of single columns")
    single = [shape for shape in found if not shape.pair]
    if not single:
        return Absent(_TITLE, "the model answers the same for every row")
    panels = [_centred(_panel(subject, shape)) for shape in single]
    panels = sorted(panels, key=lambda panel: -_strength(panel))[:_MOST]
    reach = _reach(panels)
    pictures: list[Node] = []
    data: dict[str, Any] = {}
    for k, panel in enumerate(panels):
        picture, texts = _picture(panel, reach, f"shape-{k}", subject.examples)
        pictures.append(picture)
        data |= texts
    body: list[Node] = [tag("div", pictures[:_FIRST], class_="many")]
    if len(pictures) > _FIRST:
        words = f"{len(pictures) - _FIRST} weaker functions"
        rest = tag("div", pictures[_FIRST:], class_="many inside")
        body.append(tag("details", tag("summary", tag("span", words, class_="says")), rest))
    outputs = panels[0].outputs
    if outputs:
        body.insert(0, _legend(outputs))
    if len(single) > _MOST:
        body.append(note(f"{len(single) - _MOST} weaker functions are left out."))
    maps, texts = pairs([_panel(subject, shape) for shape in found if shape.pair], subject.examples)
    body += maps
    data |= texts
    scale = printable(_scale(subject.model))
    about += f" Height is what is added to the {scale}; all pictures share one scale."
    return Section("shapes", _TITLE, body, about, data)


def _known(subject: Subject) -> tuple[list[Shape] | None, str]:
    """The functions, the strongest first, and what they are."""
    model = subject.model
    if hasattr(type(model), "shapes_"):
        about = "The model is a sum of these functions, with nothing besides a constant."
        return list(model.shapes_.values()), about
    try:
        found = list(model.shapes(subject.rows.part().X).values())
    except (AttributeError, NoTreeSum, TypeError, ValueError):
        return None, ""
    about = (
        "A vote of rules that ask for one column each is a sum of one function a column; each "
        "is drawn around its mean."
    )
    return found, about


def _panel(subject: Subject, shape: Shape) -> Panel:
    """A function without the least and the greatest values of training, which are cells of rows."""
    bare = replace(shape, grids=tuple(replace(grid, ends=None) for grid in shape.grids))
    ends = {name: _ends(subject, name) for name in shape.features}
    return panel_of(bare, {name: pair for name, pair in ends.items() if pair is not None})


def _ends(subject: Subject, name: str) -> Any:
    """From where to where a column is drawn: the outer hundredths of its values are left out."""
    table, names = subject.table, list(subject.column_names())
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
    if raw.kind in (Kind.MOMENT, Kind.DURATION):
        letter = "M" if raw.kind is Kind.MOMENT else "m"
        ends = ends.astype(np.int64).view(f"{letter}8[{raw.unit}]")
    return ends


def _strength(panel: Panel) -> float:
    """The mean size of what is added."""
    sizes = np.abs(panel.values).mean(axis=-1)
    return float(sizes @ panel.counts / max(float(panel.counts.sum()), 1.0))


def _centred(panel: Panel) -> Panel:
    """The same function, made to add 0 on average."""
    mean = panel.counts @ panel.values / max(float(panel.counts.sum()), 1.0)
    parts = {name: getattr(panel, name) - mean for name in ("values", "low", "high")}
    return replace(panel, **parts)


def _scale(model: Any) -> str:
    """What scores are counted in."""
    if hasattr(model, "_explained_scale"):
        return str(model._explained_scale())
    return scale_of(model._loss, getattr(model, "classes_", None))


def _legend(outputs: Sequence[str]) -> Element:
    drawn = outputs[:_CLASSES]
    entries = [(printable(o), COLOURS[k], DASHES[k % 4]) for k, o in enumerate(drawn)]
    if len(outputs) > _CLASSES:
        entries.append((f"{len(outputs) - _CLASSES} more are not drawn", "grey", "dots"))
    return legend(entries)


def _reach(panels: Sequence[Panel]) -> Span:
    met = [panel.values[panel.counts > 0] for panel in panels]
    return Span.around(*met, [0.0], room=0.15)  # bands may be cut


def _picture(panel: Panel, y: Span, name: str, examples: bool) -> tuple[Element, dict[str, Any]]:
    ruler = panel.rulers[0]
    title, small = (
        printable(panel.name),
        f"moves scores by {number(_strength(panel), 3)} on average",
    )
    if ruler.levels:
        return figure(_bars(panel, y, examples), title=title, small=small), {}
    chart, texts = _stairs(panel, ruler, y, name)
    return figure(chart, title=title, small=small, reads=True), {name: texts}


# -------------------------------------------------------------------------------- ordered columns


def _stairs(panel: Panel, ruler: Ruler, y: Span, name: str) -> tuple[Element, dict[str, Any]]:
    low, high = ruler.limits
    plot = Plot(axis(ruler), y, width=320, height=180, left=44, right=8, size="small")
    _where(plot, panel, ruler)
    plot.line(plot.path([low, high], [0, 0]), "grey", "thin", "dots")
    for k in range(min(panel.n_outputs, _CLASSES)):
        colour, dash = COLOURS[k], DASHES[k % 4]
        values, band = panel.values[:, k], panel.high[:-1, k] > panel.low[:-1, k]
        if band.any() and panel.n_outputs == 1:
            upper = plot.stairs(ruler.edges, panel.high[:-1, k])
            lower = plot.stairs(ruler.edges[::-1], panel.low[:-1, k][::-1])
            plot.band(upper, lower, colour)
        plot.line(plot.stairs(ruler.edges, values[:-1]), colour, dash=dash)
        if ruler.missing:
            plot.line(plot.path(ruler.gap, [values[-1]] * 2), colour)
    return plot.element(f"what {panel.name} adds", name), _readings(plot, panel, ruler)


def _where(plot: Plot, panel: Panel, ruler: Ruler) -> None:
    """At the foot, where the rows are."""
    widths = np.diff(ruler.edges)
    dense = np.sqrt(panel.counts[:-1] / np.maximum(widths, 1e-300))
    most = float(np.quantile(dense[dense > 0], 0.9)) if (dense > 0).any() else 0.0
    if most <= 0:
        return
    foot = plot.y.low
    high = 0.16 * (plot.y.high - plot.y.low)
    shares = np.minimum(dense / most, 1.0)
    for left, right, share in zip(ruler.edges[:-1], ruler.edges[1:], shares, strict=True):
        if share > 0:
            plot.rect(left, right, foot, foot + high * share, "f-pale")


def _readings(plot: Plot, panel: Panel, ruler: Ruler) -> dict[str, Any]:
    edges = ruler.edges
    middles = ((edges[:-1] + edges[1:]) / 2).tolist()
    texts = [f"{cell}: {_values(panel, k)}" for k, cell in enumerate(cells(ruler))]
    if ruler.missing:
        middles.append(ruler.missing_at)
    return {"x": plot.across(middles).round(1), "text": texts}


def _values(panel: Panel, k: int) -> str:
    said = [signed(float(value)) for value in panel.values[k][:_CLASSES]]
    if not panel.outputs:
        return said[0]
    return ", ".join(f"{printable(o)} {v}" for o, v in zip(panel.outputs, said, strict=False))


# ------------------------------------------------------------------------------------- categories


def _bars(panel: Panel, reach: Span, examples: bool) -> Element:
    """A bar a level, the greatest first; levels of few rows are not named."""
    kept, hidden = _levels(panel, examples)
    ruler, n, K = panel.rulers[0], len(kept), min(panel.n_outputs, _CLASSES)
    names = ["missing" if k == len(ruler.levels) else cut(printable(ruler.levels[k])) for k in kept]
    marks = tuple((-(k + 0.5), name) for k, name in enumerate(names))
    left = min(150, 14 + 7 * max([len(name) for name in names], default=1))
    height = max(180, 34 + 19 * n)
    plot = Plot(
        reach,
        Span(-max(n, 1), 0, marks=marks),
        width=320,
        height=height,
        left=left,
        right=8,
        size="small",
    )
    plot.y = Span(-max(n, 1), 0, marks=())  # bars need no lines behind their names
    for k, (place, cell) in enumerate(zip(marks, kept, strict=True)):
        (y,) = plot.up([place[0]])
        plot.text(left - 7, y + 4, place[1], "end")
        for c in range(K):
            value, thick = float(panel.values[cell, c]), 0.72 / K
            top = -k - 0.14 - c * thick
            colour = COLOURS[c] if K > 1 else "blue" if value >= 0 else "vermilion"
            tip = f"{place[1]}: {signed(value)}"
            plot.rect(0.0, value, top, top - thick, f"f-{colour}", tip)
    plot.line(plot.path([0, 0], [-max(n, 1), 0]), "grey", "thin")
    if hidden:
        plot.text(
            plot.right, plot.top - 1, f"{hidden} rarer or weaker values not named", "end", "label"
        )
    return plot.element(f"what {panel.name} adds")


def _levels(panel: Panel, examples: bool) -> tuple[list[int], int]:
    """The levels that are drawn, and how many are not."""
    fewest = 1 if examples else FEWEST
    ruler = panel.rulers[0]
    common = [k for k in range(len(ruler.levels)) if panel.counts[k] >= fewest]
    weight = np.abs(panel.values).max(axis=-1) * panel.counts
    kept = sorted(common, key=lambda k: -weight[k])[:_LEVELS]
    kept.sort(key=lambda k: -panel.values[k, 0])
    hidden = len(ruler.levels) - len(kept)
    return kept + ([len(ruler.levels)] if ruler.missing else []), hidden
