"""Drift: new rows compared with the training rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.table import Table, Tabular
from ..intake.cells import Cells, KnownColumns, split
from ..intake.column_schema import ColumnSchema, in_unit
from ..intake.dataset_batches import tables_of
from ..intake.raw_column import Kind, Raw
from .profile import FEWEST, Histogram, Profile, psi

SHIFTED, SHIFTING = 0.25, 0.1  # the customary thresholds of the index
OFTEN, SOMETIMES = 0.05, 0.01  # of shares of rows
FINE, LOOK, ALARM, TOO_FEW = "ok", "warning", "alarm", "too few rows"


@dataclass(frozen=True)
class ColumnDrift:
    """The drift of one column, or of the scores.

    ``shift`` is the population stability index less what chance would give, None where there were
    fewer than 20 values to compare; ``missing``, ``missing_before``, ``unseen`` and ``outside`` are
    shares of the rows: values that are missing, now and in training, categories not seen
    in training, values below its least or above its greatest.
    """

    name: str
    shift: float | None
    missing: float
    missing_before: float
    unseen: float
    outside: float
    verdict: str
    why: str


@dataclass(frozen=True, repr=False)
class Drift(Tabular):
    """The result of ``check``; printing shows it, columns with the largest drift first.

    ``ok`` is False where a column, or the scores, has a verdict of "alarm": a shift above 0.25, or
    more than 5 % of the rows with values that training never had. "warning" is a shift above 0.1,
    or more than 1 %. A column that the model does not use is "ok", whatever its values. Shares
    must be surely as large, by three standard deviations. Of fewer than 20 rows every verdict is
    "too few rows".
    """

    n_rows: int
    columns: tuple[ColumnDrift, ...]
    scores: ColumnDrift | None
    note: str

    @property
    def ok(self) -> bool:
        """Whether no column, nor the scores, has the verdict "alarm"."""
        return self.verdict != ALARM

    @property
    def verdict(self) -> str:
        """The worst verdict of all: "ok", "warning" or "alarm"; or "too few rows"."""
        found = {part.verdict for part in self._parts()}
        return next((word for word in (TOO_FEW, ALARM, LOOK) if word in found), FINE)

    def _parts(self) -> list[ColumnDrift]:
        return [*([] if self.scores is None else [self.scores]), *self.columns]

    def to_dict(self) -> dict[str, Any]:
        """All fields as values that JSON can hold."""
        return {
            "ok": self.ok,
            "verdict": self.verdict,
            "n_rows": self.n_rows,
            "scores": None if self.scores is None else asdict(self.scores),
            "columns": [asdict(column) for column in self.columns],
            "note": self.note,
        }

    def to_json(self) -> str:
        """The fields as a JSON text."""
        return json.dumps(self.to_dict(), indent=2)

    def table(self) -> Table:
        grave = {ALARM: 0, LOOK: 1, FINE: 2, TOO_FEW: 2}
        order = sorted(
            self._parts(), key=lambda p: (p is not self.scores, grave[p.verdict], -(p.shift or 0.0))
        )
        rows = [
            (p.name, p.shift, p.missing, p.missing_before, p.unseen, p.outside, p.verdict, p.why)
            for p in order
        ]
        head = ["column", "shift", "missing", "before", "unseen", "outside", "verdict", "why"]
        return Table(f"{self.n_rows} rows: {self.verdict}", head, rows, note=self.note)


def reference_scores(model: Any, X: Any, score: Callable[[Any], NDArray[Any]]) -> NDArray[Any]:
    """What ``score`` says of all rows to compare with."""
    found = np.concatenate([score(table) for table in tables_of(model, X)])
    refuse_nothing("reference", len(found))
    return found


def drift_of(
    model: Any,
    profile: Profile,
    X: Any,
    scores: Histogram | None,
    score: Callable[[Any], NDArray[Any]],
    note: str,
) -> Drift:
    """The drift of rows, in memory or read batch by batch, against the training histograms; that of
    what ``score`` says of them too, where ``scores`` were kept.
    """
    schema: KnownColumns = model._schema
    found: list[_Counts] | None = None
    moved: Histogram | None = None
    for table in tables_of(model, X):
        if scores is not None:
            now = scores.count(_as_scores(score(table)))
            moved = now if moved is None else _both(moved, now)
        counts = _counts(schema, profile, table)
        found = counts if found is None else [a + b for a, b in zip(found, counts, strict=True)]
    n = 0 if found is None else found[0].n
    refuse_nothing("X", n)
    assert found is not None
    names = [column_name(schema, j) for j in range(len(found))]
    of_columns = zip(names, profile.columns, found, strict=True)
    used = _used(model, len(found))
    columns = tuple(
        _column(name, then, counts, uses)
        for (name, then, counts), uses in zip(of_columns, used, strict=True)
    )
    shift = None
    if scores is not None and moved is not None:
        shift = _judged("scores", psi(scores, moved), n, (0.0, 0.0, 0.0, 0.0))
    if n < FEWEST:
        few = f"fewer than {FEWEST} rows are too few to measure drift"
        note = f"{few}; {note}" if note else few
    return Drift(n, columns, shift, note)


@dataclass(frozen=True)
class _Counts:
    """The values of a column: their histogram, and how many are missing for being categories not
    seen in training, are such categories, or are outside the range of training.
    """

    n: int
    now: Histogram
    joined: int
    unknown: int
    outside: int

    def __add__(self, other: _Counts) -> _Counts:
        return _Counts(
            self.n + other.n,
            _both(self.now, other.now),
            self.joined + other.joined,
            self.unknown + other.unknown,
            self.outside + other.outside,
        )


def _both(one: Histogram, other: Histogram) -> Histogram:
    return replace(one, counts=one.counts + other.counts, missing=one.missing + other.missing)


def _counts(schema: KnownColumns, profile: Profile, X: Any) -> list[_Counts]:
    """What is counted of every column of a table."""
    cells, raws = schema.read(X), _raws(schema, X)
    refuse_nothing("X", cells.n_rows)
    found = []
    for j, (then, raw) in enumerate(zip(profile.columns, raws, strict=True)):
        values, column = _cells(cells, j), schema.special.get(j)
        unknown = 0 if column is None or raw is None else int(_unseen(column, raw).sum())
        joined = unknown if not _joins(column) else 0
        outside = int(_outside(then, values, column, raw).sum())
        found.append(_Counts(len(values), then.count(values), joined, unknown, outside))
    return found


def refuse_nothing(name: str, n_rows: int) -> None:
    """Raises ValueError for an empty table."""
    if n_rows == 0:
        raise ValueError(f"{name} has 0 rows, so that nothing can be compared; pass some.")


def _as_scores(F: NDArray[Any]) -> NDArray[Any]:
    if F.ndim == 2 and F.shape[1] > 1:
        return np.asarray(F.argmax(axis=1))
    return np.asarray(F, np.float64).reshape(len(F))


def _cells(cells: Cells, j: int) -> NDArray[Any]:
    dense = 0
    if cells.columns is not None:
        dense = len(cells.columns)
        if j < dense:
            return cells.columns[j]
    elif cells.matrix is not None:
        return np.asarray(cells.matrix[:, j], np.float64)
    return np.asarray(cells.sparse[:, [j - dense]].toarray(), np.float64).ravel()


def _used(model: Any, n_columns: int) -> NDArray[np.bool_]:
    """Which columns the model uses; all of them where it does not tell."""
    try:
        shares = np.asarray(model.feature_importances_)
    except (AttributeError, NotImplementedError):
        return np.ones(n_columns, bool)
    return shares != 0 if shares.shape == (n_columns,) else np.ones(n_columns, bool)


def _column(name: str, then: Histogram, counts: _Counts, used: bool) -> ColumnDrift:
    total, before = max(1, counts.n), then.n + then.missing
    shares = (
        max(0, counts.now.missing - counts.joined) / total,
        then.missing / max(1, before),
        counts.unknown / total,
        counts.outside / total,
    )
    found = _judged(name, psi(then, counts.now), counts.n, shares, before)
    if used or found.verdict in (FINE, TOO_FEW):
        return found
    return replace(found, verdict=FINE, why=f"the model does not use it; {found.why}")


def _joins(column: ColumnSchema | None) -> bool:
    """Whether unknown categories are pooled with rare ones, and so are not missing."""
    return column is not None and bool(column.pooled) and column.unseen_joins_pool


def flags_of(schema: KnownColumns, profile: Profile, X: Any) -> list[dict[str, str]]:
    """For each row its values that training never had: the names of columns, and what is odd."""
    cells, raws = schema.read(X), _raws(schema, X)
    refuse_nothing("X", cells.n_rows)
    found: list[dict[str, str]] = [{} for _ in range(cells.n_rows)]
    for j in range(schema.n_features):
        then, column, raw = profile.columns[j], schema.special.get(j), raws[j]
        values, name = _cells(cells, j), column_name(schema, j)
        unseen = np.zeros(len(values), bool)
        if column is not None and raw is not None:
            unseen = _unseen(column, raw)
        missing = np.isnan(values) & ~unseen & (then.missing == 0)
        odd = {
            "category not seen in training": unseen,
            "outside the training range": _outside(then, values, column, raw),
            "missing, and never in training": missing,
        }
        for text, mask in odd.items():
            for row in np.flatnonzero(mask).tolist():
                found[row][name] = text
    return found


def _raws(schema: KnownColumns, X: Any) -> list[Raw | None]:
    """The columns of X as they are given, None for those of an array of numbers."""
    table = schema._open(X)
    raws: list[Raw | None] = list(table.raws or ())
    if schema.special and table.raws is None and table.matrix is not None:
        raws = list(split(table, schema.label))
    raws += [None] * (schema.n_features - len(raws))  # terms of texts have no values of their own
    return raws


def column_name(schema: KnownColumns, j: int) -> str:
    """The name of a column, or its number where columns have none."""
    return schema.names[j] if schema.names is not None else f"x[{j}]"


def _unseen(column: ColumnSchema, raw: Raw) -> NDArray[np.bool_]:
    """Which values are categories not seen in training."""
    if column.kind is not Kind.CATEGORY:
        return np.zeros(len(raw.values), bool)
    if raw.kind is not Kind.CATEGORY:  # numbers as categories
        present = np.ones(len(raw.values), bool)
        if raw.kind is Kind.NUMBER:
            present = ~np.isnan(raw.values)
        return present & ~np.isin(raw.values, list(column._code_of))
    unknown = np.array([*(label not in column._code_of for label in raw.labels), False])
    return np.asarray(unknown[raw.values])


def _outside(
    then: Histogram, values: NDArray[Any], column: ColumnSchema | None, raw: Raw | None
) -> NDArray[np.bool_]:
    """Which values lie below the least or above the greatest training value."""
    if then.cuts is None or then.n == 0:
        return np.zeros(len(values), bool)
    if column is None:
        with np.errstate(invalid="ignore"):
            return np.asarray((values < then.low) | (values > then.high))
    if raw is None or column.marks is None or raw.kind is not column.kind or not len(column.marks):
        return np.zeros(len(values), bool)
    found = raw.values if raw.kind is Kind.WIDE else in_unit(raw.values, raw.unit, column.unit)
    low, high = int(column.marks[0]), int(column.marks[-1])
    beyond = np.array([not low <= int(v) <= high for v in found.tolist()], bool)
    return beyond if raw.missing is None else beyond & ~raw.missing


def _judged(
    name: str,
    shift: float | None,
    n: int,
    shares: tuple[float, float, float, float],
    n_before: int = 0,
) -> ColumnDrift:
    """The drift of a column with its verdict and the reasons, the worst first."""
    missing, before, unseen, outside = shares
    found = []
    if shift is not None and shift > SHIFTING:
        found.append((ALARM if shift > SHIFTED else LOOK, f"its values have drifted ({shift:.2f})"))
    risen = sqrt(_variance(missing, n) + _variance(before, n_before))
    for share, deviation, what in (
        (missing - before, risen, "more values are missing"),
        (unseen, sqrt(_variance(unseen, n)), "categories not seen in training"),
        (outside, sqrt(_variance(outside, n)), "values outside the training range"),
    ):
        least = share - 3 * deviation
        if least > SOMETIMES:
            found.append((ALARM if least > OFTEN else LOOK, f"{what} ({share:.1%})"))
    found.sort(key=lambda reason: reason[0] != ALARM)
    verdict = TOO_FEW if n < FEWEST else found[0][0] if found else FINE
    return ColumnDrift(
        name, shift, missing, before, unseen, outside, verdict, "; ".join(w for _, w in found)
    )


def _variance(share: float, n: int) -> float:
    """The variance of a share of n rows."""
    return share * (1 - share) / max(1, n)
