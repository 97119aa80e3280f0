"""Which columns the model relies on."""

from __future__ import annotations

from typing import Any

from ...base.messages.number_text import number
from ...base.messages.table import Table, printable
from ...inspection.importance import importances
from ...page.element import Element, tag
from ...page.plot import meter
from .section import Absent, Part, Section, note, percent
from .subject import Subject

_TITLE = "Importance"
_MOST = 20
_ROWS, _COLUMNS = 1_000, 60  # that are shuffled


def importance(subject: Subject) -> Part:
    """Shares of what training gained; for other models, what shuffling a column costs."""
    found = _by_training(subject.model)
    if found is None:
        found = _by_shuffling(subject)
    if found is None or not len(found):
        return Absent(_TITLE, "nothing is known of single columns")
    name, values = found.columns[1], [(str(row[0]), float(row[1])) for row in found.rows]
    if not any(value > 0 for _, value in values):
        return Absent(_TITLE, "the model relies on no column")
    most = max(value for _, value in values)
    shares = name in ("gain", "vote")
    used = [(column, value) for column, value in values if value > 0 or not shares]
    lines = [_line(column, value, most, shares) for column, value in used[:_MOST]]
    body = [tag("div", tag("table", tag("tbody", lines), class_="facts bars"), class_="scroll")]
    left, idle = [value for _, value in used[_MOST:]], len(values) - len(used)
    if left:
        rest = f", together {percent(sum(left))}" if shares else ""
        body.append(note(f"{len(left)} more columns are not listed{rest}."))
    if idle:
        body.append(note(f"{idle:,} {'column is' if idle == 1 else 'columns are'} not used."))
    about = found.note[0].upper() + found.note[1:] + "." if found.note else ""
    return Section("importance", _TITLE, body, about)


def _line(column: str, value: float, most: float, shares: bool) -> Element:
    told = percent(value) if shares else number(value, 3)
    return tag(
        "tr",
        tag("th", printable(column), scope="row"),
        tag("td", meter(value / most, "blue", told)),
        tag("td", told, class_="n"),
    )


def _by_training(model: Any) -> Table | None:
    try:
        return importances(model, by="gain")
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return None


def _by_shuffling(subject: Subject) -> Table | None:
    if subject.several_labels or subject.table is None or subject.table.shape[1] > _COLUMNS:
        return None
    rows = subject.judged.part(_ROWS)
    try:
        return importances(subject.model, rows.X, rows.y, by="permutation", n_repeats=3)
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return None
