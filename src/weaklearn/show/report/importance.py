"""Importance of the columns."""

from __future__ import annotations

from typing import Any

from ...base.messages.number_text import number
from ...base.messages.table import printable
from ...page.element import Element, tag
from ...page.plot import meter
from ..data.importance import Importance
from .context import ReportContext
from .section import Absent, Part, Section, note, percent

_TITLE = "Importance"
_MOST = 20
_ROWS, _COLUMNS = 1_000, 60  # that are shuffled


def importance(context: ReportContext) -> Part:
    """Shares of what training gained; for other models, what shuffling a column costs."""
    found = _by_gain(context.model) or _by_permutation(context)
    if found is None or not found.columns:
        return Absent(_TITLE, "the model gives no importance of columns")
    most, shares = max(found.values), found.is_share
    if not any(value > 0 for value in found.values):
        return Absent(_TITLE, "the model uses no column")
    values = zip(found.columns, found.values, strict=True)
    used = [(column, value) for column, value in values if value > 0 or not shares]
    lines = [_line(column, value, most, shares) for column, value in used[:_MOST]]
    body = [tag("div", tag("table", tag("tbody", lines), class_="facts bars"), class_="scroll")]
    left, unused = [value for _, value in used[_MOST:]], len(found.columns) - len(used)
    if left:
        rest = f", together {percent(sum(left))}" if shares else ""
        body.append(note(f"{len(left)} more columns are not listed{rest}."))
    if unused:
        body.append(note(f"{unused:,} {'column is' if unused == 1 else 'columns are'} not used."))
    about = found.note[0].upper() + found.note[1:] + "." if found.note else ""
    return Section("importance", _TITLE, body, about)


def _line(column: str, value: float, most: float, shares: bool) -> Element:
    words = percent(value) if shares else number(value, 3)
    return tag(
        "tr",
        tag("th", printable(column), scope="row"),
        tag("td", meter(value / most, "blue", words)),
        tag("td", words, class_="n"),
    )


def _by_gain(model: Any) -> Importance | None:
    try:
        return Importance.from_model(model, by="gain")
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return None


def _by_permutation(context: ReportContext) -> Importance | None:
    if context.several_labels or context.table is None or context.table.shape[1] > _COLUMNS:
        return None
    rows = context.evaluated.sample(_ROWS)
    try:
        return Importance.from_model(context.model, rows.X, rows.y, by="permutation", n_repeats=3)
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return None
