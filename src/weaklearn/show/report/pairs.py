"""Functions of two columns: maps of their cells, coloured by what is added to a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.number_text import number, signed
from ...base.messages.table import printable
from ...base.types import Floats
from ...page.element import Element, Node, tag
from ...page.plot import Plot, figure, short
from ...page.scale import Scale
from ..data.term import Term, TermAxis
from ..text_fit import cut
from .columns import FEWEST
from .section import Picture, note

_MARKS = 4


def axis_scale(axis: TermAxis, *, room: float = 0.26, letters: int = 18) -> Scale:
    """The scale of the axis; no mark stands so near before the word "missing"."""
    low, high = axis.limits
    marks = tuple((k + 0.5, cut(name, letters)) for k, name in enumerate(axis.categories))
    if not axis.categories and not axis.dates and not axis.missing:
        return Scale(low, high)
    if not axis.categories:
        inner = Scale(axis.low, axis.high, marks=_dates(axis) if axis.dates else None)
        near = axis.missing_at - room * (axis.high - axis.low)
        marks = tuple(tick for tick in inner.ticks(_MARKS) if not axis.missing or tick[0] < near)
    missing = ((axis.missing_at, "missing"),) if axis.missing else ()
    return Scale(low, high, marks=marks + missing)


def cell_names(axis: TermAxis) -> list[str]:
    """The names of the cells, such as "up to 3"; that of missing values last, if any."""
    names = [printable(name) for name in axis.categories]
    if not names:
        inner = [axis.text(edge) for edge in axis.edges.tolist()[1:-1]]
        between = [f"{a} to {b}" for a, b in pairwise(inner)]
        names = [f"up to {inner[0]}", *between, f"above {inner[-1]}"] if inner else ["any value"]
    return [*names, "missing"] if axis.missing else names


def _dates(axis: TermAxis) -> tuple[tuple[float, str], ...]:
    """The first days of years, of months, or some days, whatever gives few."""
    first, last = (np.datetime64(round(end), "D") for end in (axis.low, axis.high))
    for unit in ("Y", "M", "D"):
        days = np.arange(first.astype(f"M8[{unit}]"), last + 1, dtype=f"M8[{unit}]")
        if len(days) > 2:
            break
    days = days[:: max(1, -(-len(days) // _MARKS))]
    return tuple((float(day.astype("M8[D]").astype(int)), str(day)) for day in days)


Stretch = tuple[float, float]

_MOST = 9  # maps that are drawn
_ACROSS, _UP = 5, 10  # categories of a column that there is room for
_LEAST = 0.1  # of the strongest map, for another to be drawn
_SHADES = 5  # of either colour
_VOID = _SHADES + 1  # the code of cells far from any row of training


@dataclass(frozen=True)
class Map:
    """One score of a function of two columns, ready to be drawn."""

    term: Term
    output: int
    left: int  # categories that are not shown

    @property
    def values(self) -> Floats:
        return np.asarray(self.term.values[..., self.output])

    @property
    def strength(self) -> float:
        return float(self.term.strengths()[self.output])

    @property
    def name(self) -> str:
        return " × ".join(printable(axis.name) for axis in self.term.axes)


def pairs(terms: Sequence[Term], examples: bool) -> tuple[list[Node], dict[str, Any]]:
    """The maps, the strongest first, and the data that they answer the pointer with."""
    found = [one for term in terms for one in _maps(term, examples)]
    found = sorted(found, key=lambda one: -one.strength)
    drawn = [one for one in found[:_MOST] if one.strength > _LEAST * found[0].strength]
    if not drawn:
        return [], {}
    most = _full(drawn)
    pictures, data = [], {}
    for k, one in enumerate(drawn):
        picture, texts = _picture(one, most, f"map-{k}")
        pictures.append(picture)
        data[f"map-{k}"] = texts
    body: list[Node] = [
        tag("h3", "Functions of two columns"),
        tag(
            "p",
            "What two columns add together, beyond what each adds by itself. All maps share the "
            "colours: ",
            class_="about",
        ),
        _key(most),
        tag("div", pictures, class_="many"),
    ]
    if len(found) > len(drawn):
        what = "weaker map is" if len(found) == len(drawn) + 1 else "weaker maps are"
        body.append(note(f"{len(found) - len(drawn)} {what} left out."))
    return body, data


def _full(drawn: Sequence[Map]) -> float:
    """The size from which on colours are full: that of 99 % of the rows is below."""
    sizes = np.concatenate([np.abs(one.values).ravel() for one in drawn])
    rows = np.concatenate([one.term.counts.ravel() for one in drawn])
    order = np.argsort(sizes, kind="stable")
    reached = np.cumsum(rows[order])
    at = int(np.searchsorted(reached, 0.99 * reached[-1]))
    return float(sizes[order][min(at, len(sizes) - 1)]) or 1.0


def _maps(term: Term, examples: bool) -> list[Map]:
    """One map per score, of the categories that may be named and that there is room for."""
    if _letters(term.axes[0]) > _letters(term.axes[1]):
        term = term.transposed()  # names have more room upwards
    left = 0
    for k, most in enumerate((_ACROSS, _UP)):
        n = len(term.axes[k].categories)
        if n and not examples:
            rows = term.counts.sum(axis=1 - k)[:-1]
            term = term.select(k, np.flatnonzero(rows >= FEWEST))
        term, _ = term.top_categories(k, most)
        left += n - len(term.axes[k].categories)
        if n and not term.axes[k].categories:
            return []
    return [Map(term, k, left) for k in range(term.n_outputs)]


def _letters(axis: TermAxis) -> int:
    return sum(len(name) + 2 for name in axis.categories)


def _picture(one: Map, most: float, name: str) -> Picture:
    across, up = one.term.axes
    names = [mark for _, mark in axis_scale(up).marks or ()]
    left = min(max(44, 14 + 7 * max(map(len, names), default=1)), 130)
    plot = Plot(
        axis_scale(across, letters=9),
        axis_scale(up, room=0.08),
        width=320,
        height=250,
        left=left,
        right=8,
        x_label=cut(printable(across.name), 40),
        y_label=cut(printable(up.name), 40),
        size="small",
    )
    xs, ys = _stretches(across, plot.across), _stretches(up, plot.up)
    values = one.values[: len(xs), : len(ys)]
    void = _far(one.term)[: len(xs), : len(ys)]
    codes = np.where(void, _VOID, np.clip(np.rint(_SHADES * values / most), -_SHADES, _SHADES))
    for code, d in _paths(codes.astype(int), xs, ys).items():
        plot.parts.append(tag("path", d=d, class_=f"cells {_look(code)}"))
    names_x, names_y = (
        [f"{cut(printable(axis.name), 28)} {cell}" for cell in cell_names(axis)]
        for axis in (across, up)
    )
    small = f"moves scores by {number(one.strength, 3)} on average"
    if one.term.outputs:
        small = f"score of {cut(printable(one.term.outputs[one.output]), 28)}; {small}"
    if one.left:
        small += f"; {one.left} rarer or weaker categories not shown"
    chart = plot.element(_description(one, values, void, names_x, names_y), map_name=name)
    words = [
        [signed(v) + (", no rows near" if gone else "") for v, gone in zip(row, holes, strict=True)]
        for row, holes in zip(values.tolist(), void.tolist(), strict=True)
    ]
    data = {"x": np.round(xs, 1), "y": np.round(ys, 1), "across": names_x, "up": names_y}
    return figure(chart, title=one.name, small=small, reads=True), data | {"text": words}


def _description(
    one: Map, values: Floats, void: NDArray[np.bool_], across: list[str], up: list[str]
) -> str:
    """The least and the greatest value of a map in words, for readers who do not see it."""
    seen = np.where(void, np.nan, values)
    if np.isnan(seen).all():
        return f"what {one.name} add"
    ends = []
    for where in (np.nanargmin(seen), np.nanargmax(seen)):
        i, j = np.unravel_index(int(where), seen.shape)
        ends.append(f"{signed(float(values[i, j]))} at {across[i]} and {up[j]}")
    return f"what {one.name} add: from {ends[0]} to {ends[1]}"


# ------------------------------------------------------------------------------------------ cells


def _stretches(axis: TermAxis, at: Any) -> list[Stretch]:
    """The ends of the cells of an axis, in places of the picture."""
    places = at(axis.edges).tolist()
    found = list(pairwise(places))
    return [*found, tuple(at(axis.gap).tolist())] if axis.missing else found


def _far(term: Term) -> NDArray[np.bool_]:
    """Which cells neither hold a row of training nor lie beside one that does.

    Categories and missing values have no neighbours.
    """
    near = term.counts.astype(np.float64)
    for k, axis in enumerate(term.axes):
        if not axis.categories:
            known = np.moveaxis(near, k, 0)[:-1].copy()
            beside = np.moveaxis(near, k, 0)  # a view
            beside[:-2] += known[1:]
            beside[1:-1] += known[:-1]
    return np.asarray(near <= 0)


def _paths(codes: NDArray[np.int64], xs: list[Stretch], ys: list[Stretch]) -> dict[int, str]:
    """The cells of every colour as one path; neighbours in a line are one box."""
    found: dict[int, str] = {}
    for j, (y0, y1) in enumerate(ys):
        first = 0
        for i, (_, x1) in enumerate(xs):
            code = int(codes[i, j])
            if i + 1 < len(xs) and codes[i + 1, j] == code and xs[i + 1][0] == x1:
                continue
            box = (
                f"M{short(xs[first][0])} {short(y0)}H{short(x1)}V{short(y1)}H{short(xs[first][0])}z"
            )
            if code:
                found[code] = found.get(code, "") + box
            first = i + 1
    return found


def _look(code: int) -> str:
    if code == _VOID:
        return "void"
    return f"f-{'blue' if code > 0 else 'vermilion'} shade-{abs(code)}"


def _key(most: float) -> Element:
    """What the colours mean."""
    boxes = [
        tag("rect", x=20 * k, y=0, width=20, height=12, class_=f"cells {_look(code)}")
        for k, code in enumerate(range(-_SHADES, _SHADES + 1))
        if code
    ]
    scale = tag("svg", boxes, viewBox=f"0 0 {20 * (2 * _SHADES + 1)} 12", class_="plot scale")
    none = tag(
        "svg",
        tag("rect", x=0, y=0, width=20, height=12, class_="cells void"),
        viewBox="0 0 20 12",
        class_="plot swatch",
    )
    return tag(
        "ul",
        tag("li", f"{signed(-most)} or less ", scale, f" {signed(most)} or more"),
        tag("li", none, " no rows of training near"),
        class_="legend",
    )
