"""The hardest examples: those that the game put its weight on, or that are missed by most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.sample import take_rows
from ...inspection.importance import importances
from ...intake.containers import open_table
from ...intake.raw_column import Kind, as_time
from ...page.element import Node
from .columns import raw_column
from .moment import told_time
from .section import Absent, Part, Section, listing, note, percent, tools
from .subject import Judged, Subject

Floats = NDArray[np.float64]

_TITLE = "Hardest examples"
_MOST = 20
_COLUMNS = 8  # of a row that is shown
_LARGEST = 200_000  # rows that are weighed


def hardest(subject: Subject) -> Part:
    """The rows of largest weight; their numbers alone, unless rows may be shown."""
    rows = subject.rows
    if subject.several_labels or rows.n > _LARGEST:
        return Absent(_TITLE, "rows have several labels, or are too many to be weighed one by one")
    told = _weighed(subject) or _missed(subject)
    if told is None:
        return Absent(_TITLE, "nothing says how hard a row is for this model")
    heads, columns, order, about = told
    lines: list[list[Any]] = [[int(i), *(c[i] for c in columns)] for i in order[:_MOST].tolist()]
    if subject.examples:
        more, cells = _cells(subject, rows, order[:_MOST])
        heads = [*heads, *more]
        lines = [[*line, *extra] for line, extra in zip(lines, cells, strict=True)]
    body: list[Node] = []
    if subject.examples:
        body.append(tools("hardest", len(lines), "hardest.csv"))
    body.append(
        listing(
            ["row", *heads],
            lines,
            name="hardest",
            caption="the hardest examples",
            snug=not subject.examples,
        )
    )
    counted = "Rows of X are counted from 0 (those of weaklearn explain --row from 1)."
    if not subject.examples:
        counted += " The report shows no row of data; with examples=True it would."
    body.append(note(counted))
    return Section("hardest", _TITLE, body, about)


Told = tuple[list[str], list[Any], NDArray[np.intp], str]


def _weighed(subject: Subject) -> Told | None:
    """By the weights that a further round would have."""
    model, rows = subject.model, subject.rows
    if rows.where != "training" or not hasattr(model, "distributions"):
        return None
    try:
        D = model.distributions(rows.X, rows.y, [int(model.n_iter_) + 1], subject.weights)[0]
        margins = np.asarray(model.margins(rows.X, rows.y), np.float64)
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return None
    if not (np.isfinite(D).all() and D.sum() > 0 and np.isfinite(margins).all()):
        return None
    shares, order = D / D.sum(), np.argsort(-D, kind="stable")
    holds = percent(float(shares[order[:_MOST]].sum()), 2)
    few = f"{min(_MOST, rows.n)} of {rows.n:,} rows"
    told = f"After the last round these {few} hold {holds} of the weight."
    weights = [(float(s), percent(s)) for s in shares]
    times = [(float(s * rows.n), f"{s * rows.n:.1f} ×") for s in shares]
    return (
        ["share of the weight", "of the average", "margin"],
        [weights, times, margins.tolist()],
        order,
        told,
    )


def _missed(subject: Subject) -> Told | None:
    """By probability of the true class, by margin, or by the size of the residual."""
    rows = subject.rows
    if subject.classes is None:
        left = np.abs(rows.y.astype(np.float64) - rows.said.astype(np.float64))
        typical = float(np.sqrt((left**2).mean())) or 1.0
        sizes = [(float(e / typical), f"{e / typical:.1f} ×") for e in left]
        told = "The rows with the largest residuals, measured in typical errors (RMSE)."
        return ["size of the residual"], [sizes], np.argsort(-left, kind="stable"), told
    if rows.shares is None or (rows.codes < 0).any():
        return None
    p = rows.shares[np.arange(rows.n), rows.codes]
    told = "The rows whose true class the model thinks least likely."
    shown = [(float(q), percent(q)) for q in p]
    return ["probability of the true class"], [shown], np.argsort(p, kind="stable"), told


def _cells(
    subject: Subject, rows: Judged, order: NDArray[np.intp]
) -> tuple[list[str], list[list[Any]]]:
    """True target, answer, and the cells of the columns that matter most."""
    part = take_rows(rows.X, order)
    said, true = rows.said[order].tolist(), rows.y[order].tolist()
    lines: list[list[Any]] = [[_shown(a), _shown(b)] for a, b in zip(true, said, strict=True)]
    names = subject.column_names()
    if subject.table is None:
        texts = [str(text)[:160] for text in part]
        return ["true", "predicted", "text"], [
            [*line, text] for line, text in zip(lines, texts, strict=True)
        ]
    chosen = _strongest(subject, names)
    table = open_table(part)
    for j in chosen:
        for line, value in zip(lines, _column(table, j), strict=True):
            line.append(value)
    return ["true", "predicted", *(names[j] for j in chosen)], lines


def _strongest(subject: Subject, names: Sequence[str]) -> list[int]:
    places = {name: j for j, name in enumerate(names)}
    try:
        found = [places.get(str(row[0])) for row in importances(subject.model, by="gain").rows]
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        found = list(range(len(names)))
    return [j for j in found if j is not None][:_COLUMNS]


def _column(table: Any, j: int) -> list[Any]:
    raw = raw_column(table, j)
    if raw.kind is Kind.CATEGORY:
        return ["" if k < 0 else _shown(raw.labels[k]) for k in raw.values.tolist()]
    if raw.kind is Kind.NUMBER:
        return [_shown(value) for value in raw.values.tolist()]
    gone = np.zeros(len(raw.values), bool) if raw.missing is None else raw.missing
    values = raw.values.tolist()
    if raw.kind is not Kind.WIDE:
        values = [told_time(as_time(raw.kind, value, raw.unit)) for value in values]
    return ["" if lost else str(value) for value, lost in zip(values, gone, strict=True)]


def _shown(value: Any) -> Any:
    return value if isinstance(value, (int, float, str)) else str(value)
