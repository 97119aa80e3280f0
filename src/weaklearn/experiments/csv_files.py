"""Figures and curves of a result as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from ..base.messages.spreadsheet import harmless
from .result import Result

_FIGURES = ("table", "figure", "unit", "published", "mark", "ours", "spread", "difference", "note")


def figures_csv(result: Result) -> str:
    """One line for each figure.

    >>> from weaklearn.experiments.result import Result, ResultTable, Row
    >>> print(figures_csv(Result((ResultTable("Error", (Row("one", 28.5, 28.0),), "%"),))), end="")
    table,figure,unit,published,mark,ours,spread,difference,note
    Error,one,%,28.0,,28.5,,0.5,
    """
    rows = (
        (
            *(table.title, row.name, table.unit, row.published, row.mark),
            *(row.ours, row.spread, row.difference, row.note),
        )
        for table in result.tables
        for row in table.rows
    )
    return _written(_FIGURES, rows)


def curves_csv(result: Result) -> str:
    """One line for each point of each line of each chart."""
    rows = (
        (chart.title, line.name, line.x[k], line.y[k], line.spread[k] if line.spread else None)
        for chart in result.charts
        for line in chart.lines
        for k in range(len(line.x))
    )
    return _written(("chart", "line", "x", "y", "spread"), rows)


def _written(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue()
