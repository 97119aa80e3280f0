"""Importance of the columns."""

from __future__ import annotations

from ...base.messages.number_text import number
from ...base.messages.table import printable
from ...page.element import tag
from ...page.plot import meter
from ..data.importance import Importance
from .section import Absent, Part, ReportContext, Section, attempt, bar_table, note, percent

_TITLE = "Importance"
_MOST = 20
_ROWS, _COLUMNS = 1_000, 60  # that are shuffled


def importance(context: ReportContext) -> Part:
    """Shares of what training gained; for other models, what shuffling a column costs."""
    found = attempt(Importance.from_model, context.model, by="gain") or _by_permutation(context)
    if found is None or not found.columns:
        return Absent(_TITLE, "the model gives no importance of columns")
    most, shares = max(found.values), found.is_share
    if not any(value > 0 for value in found.values):
        return Absent(_TITLE, "the model uses no column")
    values = zip(found.columns, found.values, strict=True)
    used = [(column, value) for column, value in values if value > 0 or not shares]
    words = [percent(value) if shares else number(value, 3) for _, value in used[:_MOST]]
    lines = [
        (printable(column), meter(value / most, "blue", text), text)
        for (column, value), text in zip(used, words, strict=False)
    ]
    body = [tag("div", bar_table(lines, right=True), class_="scroll")]
    left, unused = [value for _, value in used[_MOST:]], len(found.columns) - len(used)
    if left:
        rest = f", together {percent(sum(left))}" if shares else ""
        body.append(note(f"{len(left)} more columns are not listed{rest}."))
    if unused:
        body.append(note(f"{unused:,} {'column is' if unused == 1 else 'columns are'} not used."))
    about = found.note[0].upper() + found.note[1:] + "." if found.note else ""
    return Section("importance", _TITLE, body, about)


def _by_permutation(context: ReportContext) -> Importance | None:
    if context.several_labels or context.table is None or context.table.shape[1] > _COLUMNS:
        return None
    rows, how = context.evaluated.sample(_ROWS), {"by": "permutation", "n_repeats": 3}
    found: Importance | None = attempt(Importance.from_model, context.model, rows.X, rows.y, **how)
    return found
