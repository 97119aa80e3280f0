"""What an experiment found: tables of rows, charts and remarks, and their form in JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

# How sure a published figure is.
FOUND = "found"  # read in a public text that quotes the source
MEMORY = "memory"  # from memory, to be confirmed against the source
WEAK = "weak"  # from memory, and doubtful
THEOREM = "theorem"  # not measured by anybody: a bound, or a value that a theorem gives
MARKS = {
    FOUND: "read in a public text that quotes the source",
    MEMORY: "remembered, not yet confirmed against the source",
    WEAK: "remembered, and doubtful",
    THEOREM: "a bound or value that a theorem gives",
}

Figure = float | str | None  # a number, a text such as a rule, or none


@dataclass(frozen=True)
class Row:
    """One figure: as published, if it was, and as measured here.

    ``mark`` is how sure the published figure is, ``spread`` half of a 95 % interval of ours.
    ``beside`` says that it is of another setting, run to explain a difference.
    """

    name: str
    ours: Figure
    published: Figure = None
    mark: str = ""
    spread: float | None = None
    note: str = ""
    beside: bool = False

    @property
    def difference(self) -> Figure:
        """Ours less the published number; of texts whether they are equal."""
        if self.ours is None or self.published is None:
            return None
        if isinstance(self.ours, str) or isinstance(self.published, str):
            return "equal" if self.ours == self.published else "differs"
        return self.ours - self.published


@dataclass(frozen=True)
class ResultTable:
    """Rows under a heading; ``unit`` is that of all numbers in it."""

    title: str
    rows: tuple[Row, ...]
    unit: str = ""


@dataclass(frozen=True)
class Line:
    """A line of a chart: its points, with the halves of their intervals if they have any.

    ``style`` is "line", "dash" or "points".
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    spread: tuple[float, ...] = ()
    style: str = "line"


@dataclass(frozen=True)
class Chart:
    """Lines over one pair of axes; ``diagonal`` draws the line of equal numbers."""

    title: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...]
    log_x: bool = False
    log_y: bool = False
    diagonal: bool = False


@dataclass(frozen=True)
class Result:
    """What an experiment found; ``runs`` says on how many runs its figures rest."""

    tables: tuple[ResultTable, ...]
    charts: tuple[Chart, ...] = ()
    runs: str = ""
    remarks: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """The result as values that JSON has."""
        return asdict(self)


def from_record(record: Any) -> Result:
    """The result that a record holds; KeyError, TypeError or ValueError where it is none."""
    tables = tuple(
        ResultTable(t["title"], tuple(Row(**row) for row in t["rows"]), t["unit"])
        for t in record["tables"]
    )
    charts = tuple(
        Chart(**{**chart, "lines": tuple(_line(line) for line in chart["lines"])})
        for chart in record["charts"]
    )
    return Result(tables, charts, str(record["runs"]), tuple(map(str, record["remarks"])))


def _line(record: Any) -> Line:
    x, y, spread = (tuple(map(float, record[name])) for name in ("x", "y", "spread"))
    return Line(record["name"], x, y, spread, record["style"])


def line(
    name: str, x: Iterable[Any], y: Iterable[Any], spread: Iterable[Any] = (), style: str = "line"
) -> Line:
    """A line through any numbers, numpy's too."""
    xs, ys, spreads = (tuple(float(v) for v in values) for values in (x, y, spread))
    return Line(name, xs, ys, spreads, style)


def mean_difference(tables: Sequence[ResultTable], mark: str | None = None) -> float | None:
    """The mean absolute difference of all numbers that were published (with one mark)."""
    found = [
        abs(row.difference)
        for table in tables
        for row in table.rows
        if isinstance(row.difference, float) and (mark is None or row.mark == mark)
    ]
    return sum(found) / len(found) if found else None
