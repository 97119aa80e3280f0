"""The hardest examples: those of the largest weight, or of the largest error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.value_text import row_number
from ...base.offered import offers
from ...base.sample import take_rows
from ...base.types import Floats
from ...inspection.importance import importances
from ...intake.dataset_batches import in_memory
from ...intake.raw_column import Kind, as_time
from ...intake.schema import open_table
from ...page.element import Node
from ..data.rows import EvaluatedRows
from .columns import raw_column, time_text
from .section import (
    SEVERAL,
    Absent,
    Part,
    ReportContext,
    Section,
    attempt,
    listing,
    note,
    percent,
    tools,
)

_TITLE = "Hardest examples"
_MOST = 20
_COLUMNS = 8  # of a row that is shown
_LARGEST = 200_000  # rows that are ranked


@dataclass(frozen=True, eq=False)
class Ranking:
    """The rows from the hardest on, and what they were ranked by."""

    heads: list[str]
    columns: list[Any]
    order: NDArray[np.intp]
    about: str


def ranking(context: ReportContext) -> Ranking | Absent:
    """The rows from the hardest on, by their weight or else by their error."""
    if context.several_labels or context.evaluated.n > _LARGEST:
        return Absent(_TITLE, "rows have several labels, or are too many to rank")
    if context.outputs:
        return Absent(_TITLE, SEVERAL)
    found = _by_weight(context) or _by_error(context)
    return found or Absent(_TITLE, "the model gives neither weights nor probabilities")


def hardest(context: ReportContext, ranked: Ranking | Absent) -> Part:
    """The rows of largest weight; their numbers alone, unless rows may be shown."""
    if isinstance(ranked, Absent):
        return ranked
    rows = context.evaluated
    heads, columns, order, about = ranked.heads, ranked.columns, ranked.order, ranked.about
    lines: list[list[Any]] = [
        [row_number(i), *(c[i] for c in columns)] for i in order[:_MOST].tolist()
    ]
    if context.examples:
        more, cells = _cells(context, rows, order[:_MOST])
        heads = [*heads, *more]
        lines = [[*line, *extra] for line, extra in zip(lines, cells, strict=True)]
    body: list[Node] = [tools("hardest", len(lines), "hardest.csv")] if context.examples else []
    how: dict[str, Any] = {"name": "hardest", "caption": "the hardest examples"}
    body.append(listing(["row", *heads], lines, snug=not context.examples, **how))
    first = row_number(0)
    counted = f"Rows are counted from {first}{', as by weaklearn explain --row' * first}."
    if context.test is not None:
        counted += " They are those of the test data."
    if not context.examples:
        counted += " The report shows no row of data; with examples=True it would."
    body.append(note(counted))
    return Section("hardest", _TITLE, body, about)


def _by_weight(context: ReportContext) -> Ranking | None:
    """Rows ranked by the weights that a further round would have."""
    rows = context.rows
    if (
        context.test is not None
        or rows.stay_in_files
        or rows.origin != "training"
        or not offers(context.model, "distributions")
    ):
        return None
    found = attempt(_weights_and_margins, context)
    if found is None:
        return None
    D, margins = found
    if not (np.isfinite(D).all() and D.sum() > 0 and np.isfinite(margins).all()):
        return None
    shares, order = D / D.sum(), np.argsort(-D, kind="stable")
    holds = percent(float(shares[order[:_MOST]].sum()), 2)
    few = f"{min(_MOST, rows.n)} of {rows.n:,} rows"
    about = f"After the last round these {few} hold {holds} of the weight."
    weights = [(float(s), percent(s)) for s in shares]
    times = [(float(s * rows.n), f"{s * rows.n:.1f} ×") for s in shares]
    heads = ["share of the weight", "times the average", "margin"]
    return Ranking(heads, [weights, times, margins.tolist()], order, about)


def _weights_and_margins(context: ReportContext) -> tuple[Floats, Floats]:
    model, rows = context.model, context.rows
    D = model.distributions(rows.X, rows.y, [int(model.n_iter_) + 1], context.weights)[0]
    return D, np.asarray(model.margins(rows.X, rows.y), np.float64)


def _by_error(context: ReportContext) -> Ranking | None:
    """Rows ranked by the size of their residuals, or by the probability of the true class."""
    rows = context.evaluated
    if context.classes is None:
        left = np.abs(rows.y.astype(np.float64) - rows.predictions.astype(np.float64))
        typical = float(np.sqrt((left**2).mean())) or 1.0
        sizes = [(float(e / typical), f"{e / typical:.1f} ×") for e in left]
        about = f"The {_which(context)} with the largest residuals, in units of the RMSE."
        return Ranking(["size of the residual"], [sizes], np.argsort(-left, kind="stable"), about)
    if rows.probabilities is None or (rows.codes < 0).any():
        return None
    p = rows.probabilities[np.arange(rows.n), rows.codes]
    about = f"The {_which(context)} whose true class is the least probable to the model."
    shown = [(float(q), percent(q)) for q in p]
    return Ranking(["probability of the true class"], [shown], np.argsort(p, kind="stable"), about)


def _which(context: ReportContext) -> str:
    return "rows" if context.test is None else "test rows"


def _cells(
    context: ReportContext, rows: EvaluatedRows, order: NDArray[np.intp]
) -> tuple[list[str], list[list[Any]]]:
    """True target, prediction, and the values of the most important columns."""
    part = in_memory(take_rows(rows.X, order))
    predicted, true = rows.predictions[order].tolist(), rows.y[order].tolist()
    lines: list[list[Any]] = [[_shown(a), _shown(b)] for a, b in zip(true, predicted, strict=True)]
    names = context.column_names()
    if context.table is None:
        texts = zip(lines, part, strict=True)
        return ["true", "predicted", "text"], [[*line, str(text)[:160]] for line, text in texts]
    chosen = _strongest(context, names)
    table = open_table(part)
    for j in chosen:
        for line, value in zip(lines, _column(table, j), strict=True):
            line.append(value)
    return ["true", "predicted", *(names[j] for j in chosen)], lines


def _strongest(context: ReportContext, names: Sequence[str]) -> list[int]:
    places = {name: j for j, name in enumerate(names)}
    known = attempt(importances, context.model, by="gain")
    found = places.values() if known is None else (places.get(str(row[0])) for row in known.rows)
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
        values = [time_text(as_time(raw.kind, value, raw.unit)) for value in values]
    return ["" if lost else str(value) for value, lost in zip(values, gone, strict=True)]


def _shown(value: Any) -> Any:
    return value if isinstance(value, (int, float, str)) else str(value)
