"""The page of results: each published figure beside ours, and charts, in one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ..page import Element, Node, document, packaged, tag
from ..page.plot import COLOURS, Plot, figure, legend
from ..page.scale import Scale
from ..show.report.section import Section, listing, note, tools
from .outcome import Outcome
from .result import (
    MARKS,
    THEOREM,
    WEAK,
    Chart,
    Figure,
    Line,
    Result,
    ResultTable,
    Row,
    mean_difference,
)

_COLUMNS = ("figure", "published", "ours", "difference", "±", "how sure", "remark")
_MANY_TABLES = 6  # more are joined into one, with a search field


def results_page(outcomes: Sequence[Outcome], seed: int, quick: bool) -> str:
    """The HTML document of some outcomes."""
    done = [outcome for outcome in outcomes if outcome.result is not None]
    sections = [_overview(outcomes, quick)]
    sections += [_section(outcome, outcome.result) for outcome in done if outcome.result]
    links = [tag("li", tag("a", part.title, href=f"#{part.name}")) for part in sections]
    seconds = sum(outcome.seconds for outcome in done)
    words = [f"{len(done)} experiments", f"{seconds / 60:.1f} minutes", f"seed {seed}"]
    words += sorted({outcome.machine for outcome in done})
    return document(
        "The founding results, reproduced",
        tag("a", "Skip to the results", href="#overview", class_="skip"),
        tag(
            "div",
            tag(
                "header",
                tag(
                    "div",
                    tag("p", "weaklearn reproduce", class_="eyebrow"),
                    tag("h1", "The founding results, reproduced"),
                    tag("p", " · ".join(words), class_="lead"),
                ),
                tag("button", "Dark", type="button", data_switch=True, hidden=True),
                class_="top",
            ),
            tag(
                "div",
                tag("nav", tag("ol", links), class_="contents", aria_label="contents"),
                tag("main", [section.element() for section in sections]),
                class_="frame",
            ),
            class_="page",
        ),
        script=packaged("weaklearn.show.report", "script.js"),
        data={},
    )


def _overview(outcomes: Sequence[Outcome], quick: bool) -> Section:
    """How to read the page, all experiments in one table, and what could not run."""
    rows = []
    for outcome in outcomes:
        result = outcome.result
        if result is None:
            continue
        printed = [_printed(table) for table in result.tables]
        compared = sum(isinstance(row.difference, float) for t in printed for row in t.rows)
        mean = mean_difference(printed)
        title = tag("a", outcome.experiment.title, href=f"#{outcome.experiment.name}")
        numbers = (compared or None, _short(mean), _short(outcome.seconds))
        rows.append([(outcome.experiment.title, title), *numbers])
    columns = ("experiment", "printed figures", "mean difference", "seconds")
    body: list[Node] = [listing(columns, rows, caption="all experiments")] if rows else []
    marks = [tag("li", tag("b", mark), f": {words}") for mark, words in MARKS.items()]
    body.append(tag("p", "How sure a published figure is:"))
    body.append(tag("ul", marks))
    body += [
        note(f"{o.experiment.title} could not run: {o.why}", warn=True)
        for o in outcomes
        if o.result is None
    ]
    if quick:
        body.append(
            note("A quick run: few rounds and rows, to see that all runs. Its numbers mean little.")
        )
    about = (
        "Each experiment of the founding books and papers is run again from its data. These are "
        "comparisons, not tests of acceptance: where a figure differs, another setting is run "
        "beside it. A difference is ours less the published figure; ± is half of a 95 % interval."
    )
    return Section("overview", "Overview", body, about)


def _printed(table: ResultTable) -> ResultTable:
    """The rows whose figures somebody measured, in the setting of the source."""
    rows = (row for row in table.rows if row.mark not in ("", THEOREM, WEAK) and not row.beside)
    return replace(table, rows=tuple(rows))


def _section(outcome: Outcome, result: Result) -> Section:
    experiment = outcome.experiment
    body: list[Node] = []
    if len(result.tables) > _MANY_TABLES:
        body += [*_table(result.tables[0]), *_joined(experiment.name, result.tables[1:])]
    else:
        body += [part for table in result.tables for part in _table(table)]
    if result.charts:
        body.append(tag("h3", "Charts"))
    body.append(tag("div", [_figure(chart) for chart in result.charts], class_="two"))
    body += [note(remark) for remark in result.remarks]
    words = f"{result.runs}; {outcome.seconds:.0f} s." if result.runs else ""
    body.append(tag("p", words, class_="small"))
    return Section(experiment.name, experiment.title, body, f"Published by {experiment.source}.")


def _table(table: ResultTable) -> list[Node]:
    title = f"{table.title}, {table.unit}" if table.unit else table.title
    used = [any(cells) for cells in zip(*map(_shown, table.rows), strict=True)]
    names = [name for name, kept in zip(_COLUMNS, used, strict=True) if kept]
    rows = [
        [value for value, kept in zip(_cells(row), used, strict=True) if kept] for row in table.rows
    ]
    tall = len(rows) > 14
    return [tag("h3", title), listing(names, rows, caption=title, tall=tall)]


def _joined(name: str, tables: Sequence[ResultTable]) -> list[Node]:
    """Several tables as one, which can be sorted, searched and downloaded."""
    rows = [[table.title, *_cells(row)] for table in tables for row in table.rows]
    title = f"All figures, {tables[0].unit}"
    return [
        tag("h3", title),
        tools(name, len(rows), f"{name}.csv"),
        listing(("table", *_COLUMNS), rows, name=name, caption=title, tall=True),
    ]


def _shown(row: Row) -> list[bool]:
    return [value not in (None, "") for value in _plain(row)]


def _plain(row: Row) -> tuple[Figure, ...]:
    return (*(row.name, row.published, row.ours, row.difference, row.spread, row.mark, row.note),)


def _cells(row: Row) -> list[object]:
    """The cells of a row; what is no number keeps its column from being one."""
    return [_short(value) for value in _plain(row)]


def _short(value: Figure) -> object:
    if not isinstance(value, float):
        return value
    digits = 1 if abs(value) >= 10 else 2 if abs(value) >= 0.1 else 3
    return round(value, digits) + 0.0


# ------------------------------------------------------------------------------------------ charts


def _figure(chart: Chart) -> Element:
    xs, ys = _numbers(chart, 0), _numbers(chart, 1)
    if chart.diagonal:
        xs = ys = np.concatenate([xs, ys])
    x = _scale(xs, chart.log_x)
    y = _scale(ys, chart.log_y)
    plot = Plot(x, y, x_label=chart.x_label, y_label=chart.y_label)
    if chart.diagonal:
        ends = [max(x.low, y.low), min(x.high, y.high)]
        plot.line(plot.path(ends, ends), "grey", "thin", "dash")
    entries = []
    for k, line in enumerate(map(partial(_on_axes, chart), chart.lines)):
        colour = COLOURS[k % len(COLOURS)]
        _draw(plot, line, colour)
        dots = "dots" if line.style == "points" else line.style.replace("line", "")
        entries.append((line.name, colour, dots))
    words = ", ".join(line.name for line in chart.lines)
    svg = plot.element(f"{chart.title}: {chart.y_label} by {chart.x_label}; {words}")
    return figure(svg, title=chart.title, under=legend(entries))


def _on_axes(chart: Chart, line: Line) -> Line:
    """The line without what has no place on a logarithmic axis."""
    x, y = np.array(line.x, float), np.array(line.y, float)
    x[(x <= 0) & chart.log_x] = np.nan
    y[(y <= 0) & chart.log_y] = np.nan
    return replace(line, x=tuple(x.tolist()), y=tuple(y.tolist()))


def _draw(plot: Plot, line: Line, colour: str) -> None:
    if line.style == "points":
        for x, y in zip(line.x, line.y, strict=True):
            if np.isfinite(x) and np.isfinite(y):
                plot.point(x, y, colour, r=3.5)
    else:
        dash = "dash" if line.style == "dash" else ""
        plot.line(plot.path(line.x, line.y), colour, dash=dash)
    for x, y, spread in zip(line.x, line.y, line.spread, strict=False):
        plot.line(plot.path([x, x], [y - spread, y + spread]), colour, "thin")


def _numbers(chart: Chart, axis: int) -> np.ndarray:
    """All numbers of one axis, the ends of intervals included."""
    parts = []
    for line in chart.lines:
        values = np.array((line.x, line.y)[axis], float)
        parts.append(values)
        if axis == 1 and line.spread:
            spread = np.array(line.spread)
            parts += [values - spread, values + spread]
    return np.concatenate(parts) if parts else np.zeros(0)


def _scale(values: np.ndarray, log: bool) -> Scale:
    if not log:
        return Scale.around(values, zero=bool(len(values)) and float(np.nanmin(values)) >= 0)
    known = values[values > 0]
    if len(known) == 0 or known.max() <= known.min():
        return Scale(0.5, 2.0 * float(max(known.max(initial=1.0), 1.0)), log=True)
    return Scale(float(known.min()), float(known.max()) * 1.05, log=True)
