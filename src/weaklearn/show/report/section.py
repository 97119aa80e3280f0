"""Sections of a report: what they read, and what they are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...base.messages.number_text import number
from ...base.messages.table import printable
from ...estimators.model import Model
from ...intake.arrays import Table
from ...intake.schema import open_table
from ...page.element import Element, Node, tag
from ...page.plot import Plot, figure
from ...prediction.positive import positive_code
from ...prediction.rows import classes_of, schema_of
from ...theory.distinct import COPIES
from ..data.rows import EvaluatedRows
from ..text_fit import cut


@dataclass(frozen=True)
class ReportContext:
    """A fitted model with the rows X, y, the test rows if any, and the settings of the report."""

    model: Any
    rows: EvaluatedRows
    test: EvaluatedRows | None
    weights: Any  # of the fit
    delta: float
    examples: bool  # whether rows of data may be shown
    repeats: str = COPIES  # how rows came to be equal
    asked: Any = None  # the label of the class that is spoken of, where it was asked for

    @property
    def kind(self) -> str:
        return type(self.model).__name__

    @property
    def target(self) -> str | None:
        """The name of what is predicted, where the model knows it."""
        origin = self.model._origin if isinstance(self.model, Model) else None
        return None if origin is None else origin.target

    @property
    def evaluated(self) -> EvaluatedRows:
        """The rows that metrics are computed on: the test rows, if any."""
        return self.rows if self.test is None else self.test

    @cached_property
    def classes(self) -> tuple[str, ...] | None:
        """The names of the classes; None where numbers are predicted."""
        known = classes_of(self.model)
        return (
            None if known is None else tuple(printable(str(c)) for c in np.asarray(known).tolist())
        )

    @cached_property
    def positive(self) -> int:
        """The place of the class that is spoken of, of two: by default the rarer one where it has
        less than a fifth of the rows, else the second.
        """
        return positive_code(self.model, self.asked, self.rows.codes)

    @property
    def several_labels(self) -> bool:
        """Whether a row may have several labels."""
        return self.classes is not None and self.rows.y.ndim == 2

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The names of the numbers of a row, targets or quantiles; () where it has one, or none."""
        if self.classes is not None or self.rows.predictions.ndim == 1:
            return ()
        known = self.model._score_names if isinstance(self.model, Model) else ()
        names = known or [f"target {k}" for k in range(self.rows.predictions.shape[1])]
        return tuple(printable(name) for name in names)

    @property
    def classifies(self) -> bool:
        return self.classes is not None and not self.several_labels

    @cached_property
    def table(self) -> Table | None:
        """The columns of X, of some rows where these stay in files; None where X holds something
        else, such as texts.
        """
        try:
            rows = self.rows
            return open_table(rows.sample().X if rows.stay_in_files else rows.X)
        except (TypeError, ValueError):
            return None

    @cached_property
    def schema(self) -> Any:
        """The schema of the model's columns; None where it keeps none."""
        return schema_of(self.model)

    def column_names(self) -> Sequence[str]:
        if self.table is None:
            return ()
        names = self.table.names or (None if self.schema is None else self.schema.names)
        if names is None:
            return [f"x[{j}]" for j in range(self.table.shape[1])]
        return [str(name) for name in names]

    @property
    def words_for_rows(self) -> str:
        """What the evaluated rows are called."""
        seen = self.evaluated.seen
        if self.evaluated.origin == "new" and seen is not None and not seen.undecided:
            return "rows it has never seen"
        if self.evaluated.origin == "mixed":
            return "rows of which it was trained on some"
        if self.test is not None:
            return "the test rows given"
        known = self.evaluated.origin == "training"
        return "the rows it was trained on" if known else "the rows given"


@dataclass(frozen=True)
class Section:
    """A part that applies to the model."""

    name: str  # in addresses
    title: str
    body: Sequence[Node]
    about: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)  # for the script, by names of charts

    def element(self) -> Element:
        return tag(
            "section",
            tag("h2", self.title, id=f"{self.name}-title"),
            tag("p", self.about, class_="about") if self.about else None,
            self.body,
            id=self.name,
            aria_labelledby=f"{self.name}-title",
        )


@dataclass(frozen=True)
class Absent:
    """A part that does not apply, and why."""

    title: str
    why: str


Part = Section | Absent
Picture = tuple[Element, dict[str, Any]]  # and the data that it answers the pointer with

SEVERAL = "a row has several predictions, of targets or quantiles: the summary tells each"
_MANY = 8  # columns beyond which a table is printed in small letters
# Of cells with more letters than that; the script folds the long ones, such as sets of categories.
_WIDTHS = ((160, "wide long"), (60, "wide"), (16, "any"), (0, "short"))


def note(*words: Node, warn: bool = False) -> Element:
    """A remark below a picture or table."""
    return tag("p", *words, class_="note warn" if warn else "note")


def percent(share: float, digits: int = 3) -> str:
    r"""A share as people write it.

    >>> percent(0.05), percent(1 / 3), percent(0.99951), percent(0.0)
    ('5\xa0%', '33.3\xa0%', '99.95\xa0%', '0\xa0%')
    """
    if share != share:
        return "–"
    if 0 < share < 1e-5:
        return "below 0.001\xa0%"
    digits = 4 if 0.995 < share < 1 else digits
    return f"{number(float(f'{100 * share:.{digits}g}'))}\xa0%"


def cell(value: Any) -> str:
    """A value of a table as it is printed."""
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number(value, 4)
    return f"{value:,}" if isinstance(value, int) else cut(str(value), 160)


def listing(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    name: str = "",
    caption: str,
    tall: bool = False,
    snug: bool = False,
) -> Element:
    """A table; with a name it can be sorted, searched, and downloaded as CSV.

    A cell is a value, an element, or a pair of both, of which the value is sorted by.
    """
    right = [all(_is_number(_value(row[j])) for row in rows) for j in range(len(columns))]
    heads = [
        tag(
            "th",
            tag("button", printable(text), type="button") if name else printable(text),
            class_="n" if right[j] and rows else None,
            scope="col",
            aria_sort="none" if name else None,
        )
        for j, text in enumerate(columns)
    ]
    lines = [tag("tr", [_cell(value, right[j]) for j, value in enumerate(row)]) for row in rows]
    table = tag(
        "table",
        tag("caption", caption, class_="skip"),
        tag("thead", tag("tr", heads)),
        tag("tbody", lines),
        id=f"table-{name}" if name else None,
        data_sorts=bool(name),
        class_="snug" if snug else "broad" if len(columns) > _MANY else None,
    )
    many = tall and len(rows) > 14
    # What scrolls is reached by the keyboard too.
    words = "scroll tall long" if len(rows) > 40 else "scroll tall"
    box = {"class_": words if many else "scroll", "tabindex": 0 if many else None}
    return tag("div", table, role="region", aria_label=caption, **box)


def _value(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) else value


def _is_number(value: Any) -> bool:
    """Whether it is a number, nothing, or the text of a number."""
    try:
        float(0 if value is None else value)
    except (TypeError, ValueError):
        return False
    return True


def _cell(value: Any, right: bool) -> Element:
    key, shown = value if isinstance(value, tuple) else (value, value)
    content = shown if isinstance(shown, (Element, str)) else cell(shown)
    letters = len(content) if isinstance(content, str) else 0
    kind = next((word for least, word in _WIDTHS if letters > least), None)
    kind = "n" if right else kind
    sorted_by = f"{float(key):.9g}" if right and key is not None else None
    return tag("td", content, class_=kind, data_v=sorted_by)


def tools(table: str, n: int, file: str) -> Element:
    """A search field and a download button of a table."""
    return tag(
        "div",
        tag(
            "input",
            type="search",
            placeholder="filter these rows",
            aria_label="filter the rows of the table",
            data_filters=f"table-{table}",
        ),
        tag("button", "Download CSV", type="button", data_csv=f"table-{table}", data_file=file),
        tag("span", f"{n:,} rows", class_="small", data_count=f"table-{table}"),
        class_="tools",
    )


def plain_value(value: Any) -> Any:
    """A value that a cell can hold: a number, a text, or None."""
    value = value.item() if hasattr(value, "item") else value
    return value if value is None or isinstance(value, (int, float, str)) else str(value)


def facts(rows: Sequence[tuple[str, Node]]) -> Element:
    """A table of two columns, names and values."""
    lines = [
        tag("tr", tag("th", key, scope="row"), tag("td", value, class_="any"))
        for key, value in rows
    ]
    return tag("div", tag("table", tag("tbody", lines), class_="facts"), class_="scroll")


def bar_table(rows: Sequence[Sequence[Node]], right: bool = False) -> Element:
    """A table of names, bars and texts."""
    lines = [
        tag(
            "tr",
            tag("th", name, scope="row"),
            tag("td", bar),
            tag("td", words, class_="n" if right else None),
        )
        for name, bar, words in rows
    ]
    return tag("table", tag("tbody", lines), class_="facts bars")


def slider(name: str, label: str, last: int, value: int, output: Element) -> Element:
    """A slider from 0 to ``last``, and the output beside it."""
    name = f"{name}-slider"
    return tag(
        "div",
        tag("label", label, for_=name),
        tag("input", type="range", id=name, min=0, max=last, value=value, step=1),
        output,
        class_="slide",
    )


def read_out(
    plot: Plot, name: str, xs: Any, texts: Sequence[str], description: str, **heading: str
) -> Picture:
    """A chart that shows, under the pointer, the text of the nearest of some positions."""
    chart = figure(plot.element(description, name), reads=True, **heading)
    return chart, {name: {"x": plot.across(xs).round(1), "text": texts}}


def attempt(method: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """What a method of a model returns; None where it is not made for such models or rows."""
    try:
        return method(*given, **named)
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return None
