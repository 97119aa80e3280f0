"""The schema of a table that comes in parts: of each part what the schema needs, then all joined.

``part_of`` looks at the rows of one part, ``joined`` makes of all parts the schema that
``Schema.learn`` finds on all rows in one table, and ``encode`` reads the rows of a part by it, to
the same cells. A part is small where the schema is: the values of numbers are not in it, those of
categories, dates and integers beyond 2**53 are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..base.types import Array
from .arrays import Names, Table, labeller
from .cells import Cells, all_missing, split
from .column_schema import ColumnSchema, in_nanoseconds
from .numeric_text import doubted_texts, warn_of_numerals
from .raw_column import NANOSECONDS, Kind, Raw, warn_rounded
from .schema import (
    Schema,
    as_numbers,
    check_not_empty,
    empty_columns,
    forced_columns,
    forced_raw,
    open_table,
    warn_of_empty_columns,
)

_WORDS = {
    Kind.NUMBER: "numbers",
    Kind.WIDE: "integers",
    Kind.DATETIME: "dates",
    Kind.TIMEDELTA: "durations",
}


@dataclass(frozen=True, eq=False)
class ColumnPart:
    """What one part of the rows holds in a column; ``kind`` is None where it holds nothing.

    NUMBER: ``single`` tells float32 from float64. CATEGORY: ``rows`` counts the rows of every
    value, ``examples`` their frequency weights. WIDE, DATETIME, TIMEDELTA: ``values`` are the
    distinct ones, sorted. The other fields are those of ``Raw``.
    """

    kind: Kind | None = None
    single: bool = True
    integers: str = ""
    rows: Mapping[Any, int] = field(default_factory=dict)
    examples: Mapping[Any, int] = field(default_factory=dict)
    declared: bool = False
    values: Array | None = None
    unit: str = ""
    tz: str | None = None


@dataclass(frozen=True, eq=False)
class SchemaPart:
    """What a schema needs to know of some of the rows: a ``ColumnPart`` for every column."""

    n_rows: int
    names: Names
    columns: Sequence[ColumnPart]

    @property
    def n_features(self) -> int:
        return len(self.columns)


_NOTHING = ColumnPart()


def part_of(
    X: Any,
    *,
    categorical_features: Any = "from_dtype",
    repeats: NDArray[np.int64] | None = None,
    wide: Collection[int] = (),
) -> SchemaPart:
    """What ``joined`` needs to know of these rows; X is any container, or a table opened before.

    ``repeats`` are their frequency weights. ``wide`` lists columns of integers whose values are
    wanted too (``undecided``).
    """
    table = X if isinstance(X, Table) else open_table(X)
    if table.sparse is not None:
        raise ValueError("X is sparse, and comes in several parts; pass dense parts.")
    forced = forced_columns(categorical_features, table)
    if table.raws is None and not forced.any() and not len(wide):
        columns = _number_parts(table)
    else:
        raws = table.raws or split(table, labeller(table.names))
        plain = categorical_features is None
        columns = [
            _column_part(_read_as(raw, bool(forced[j]), plain), repeats, j in wide)
            for j, raw in enumerate(raws)
        ]
    return SchemaPart(table.shape[0], table.names, columns)


def _number_parts(table: Table) -> list[ColumnPart]:
    """The columns of a matrix: two parts, which its columns share."""
    assert table.matrix is not None
    if table.shape[0] == 0:
        return [_NOTHING] * table.shape[1]
    single = table.matrix.dtype == np.float32
    columns = [ColumnPart(Kind.NUMBER, single, table.integers)] * table.shape[1]
    for j in empty_columns(Cells(*table.shape, matrix=table.matrix)):
        columns[j] = ColumnPart(None, single)
    return columns


def _read_as(raw: Raw, forced: bool, plain: bool) -> Raw:
    """The column as ``categorical_features`` asks for it."""
    if forced:
        return forced_raw(raw)
    if plain and raw.kind is Kind.CATEGORY and raw.first_present() is not None:
        return as_numbers(raw)
    return raw


def _column_part(raw: Raw, repeats: NDArray[np.int64] | None, wide: bool) -> ColumnPart:
    if raw.first_present() is None:
        return _NOTHING
    if raw.kind is Kind.CATEGORY:
        rows = _frequencies(raw, None)
        examples = rows if repeats is None else _frequencies(raw, repeats)
        return ColumnPart(raw.kind, rows=rows, examples=examples, declared=raw.declared)
    if raw.kind is Kind.NUMBER:
        single = raw.values.dtype == np.float32
        values = _integers(raw) if wide and raw.integers else None
        return ColumnPart(raw.kind, single, raw.integers, values=values)
    present = raw.values if raw.missing is None else raw.values[~raw.missing]
    return ColumnPart(
        raw.kind,
        single=False,
        integers=raw.integers,
        values=np.unique(present),
        unit=raw.unit,
        tz=raw.tz,
    )


def _frequencies(raw: Raw, repeats: NDArray[np.int64] | None) -> dict[Any, int]:
    # One more count than labels, the first one for the code -1 of a missing value.
    found = np.bincount(raw.values + 1, weights=repeats, minlength=len(raw.labels) + 1)[1:]
    return {raw.labels[k]: int(found[k]) for k in np.flatnonzero(found)}


def _integers(raw: Raw) -> Array:
    """The distinct values of a column of numbers that came as integers."""
    found = np.unique(raw.values[~np.isnan(raw.values)])
    return found.astype(np.uint64 if raw.integers == "u" else np.int64)


# ---------------------------------------------------------------------------------------- joining


def undecided(parts: Sequence[SchemaPart]) -> frozenset[int]:
    """The columns of integers that are beyond 2**53 in some parts only.

    All their values must be known: ask every part for them, by ``part_of(..., wide=columns)``.
    """
    n_features = max((part.n_features for part in parts if part.n_rows), default=0)
    found = [_kinds(parts, j) for j in range(n_features)]
    return frozenset(j for j, kinds in enumerate(found) if _is_mixed_integers(kinds))


def joined(
    parts: Sequence[SchemaPart],
    *,
    rare: int = 1,
    estimator_name: str = "",
) -> Schema:
    """The schema of the rows of all parts; warns of what is odd in their columns.

    Parts have the same columns in the same order; one without rows says nothing.
    """
    n_rows = sum(part.n_rows for part in parts)
    first = next((part for part in parts if part.n_rows), parts[0])
    check_not_empty((n_rows, first.n_features))
    names, label = first.names, labeller(first.names)
    special: dict[int, ColumnSchema] = {}
    empty: list[int] = []
    texts = []
    for j in range(first.n_features):
        kinds = _kinds(parts, j)
        if not kinds:
            empty.append(j)
            continue
        kind = _common_kind(kinds, label(j))
        name = names[j] if names else None
        found = list(kinds.values())
        if kind is Kind.CATEGORY:
            special[j] = ColumnSchema.of_categories(name, _added(p.examples for p in found), rare)
            if not all(part.declared for part in found):
                rows = _added(part.rows for part in found)
                texts.append((label(j), tuple(rows), partial(np.array, list(rows.values()))))
        elif kind is not Kind.NUMBER:
            special[j] = _ordered(name, kind, found)
        elif any(part.kind is Kind.WIDE for part in found):
            _warn_of_rounding(found, label(j))
    warn_of_numerals(doubted_texts(texts))
    warn_of_empty_columns(empty, label)
    return Schema(first.n_features, names, special, estimator_name or "estimator", frozenset(empty))


def _kinds(parts: Sequence[SchemaPart], j: int) -> dict[int, ColumnPart]:
    """The parts in which a column holds something, by their number."""
    return {
        k: part.columns[j]
        for k, part in enumerate(parts)
        if part.n_rows and part.columns[j].kind is not None
    }


def _is_mixed_integers(kinds: Mapping[int, ColumnPart]) -> bool:
    """Whether a column holds integers, beyond 2**53 in some parts and below it in others."""
    found = {part.kind for part in kinds.values()}
    return found == {Kind.NUMBER, Kind.WIDE} and all(part.integers for part in kinds.values())


def _common_kind(kinds: Mapping[int, ColumnPart], place: str) -> Kind:
    """The one kind of a column; numbers of both kinds are numbers where one part has fractions."""
    found = {part.kind for part in kinds.values()}
    if found == {Kind.NUMBER, Kind.WIDE}:
        return Kind.WIDE if _is_mixed_integers(kinds) else Kind.NUMBER
    k, first = next(iter(kinds.items()))
    for other, part in kinds.items():
        if _word(part) != _word(first):
            _refuse_kinds(place, (k, _word(first)), (other, _word(part)))
        if part.tz != first.tz:
            zones = [f"dates of the time zone {one.tz or 'none'}" for one in (first, part)]
            _refuse_kinds(place, (k, zones[0]), (other, zones[1]))
    assert first.kind is not None
    return first.kind


def _word(part: ColumnPart) -> str:
    if part.kind is Kind.CATEGORY:
        texts = any(isinstance(label, str) for label in part.rows)
        return "texts" if texts else "categories that are numbers"
    assert part.kind is not None
    return "numbers" if part.kind is Kind.WIDE else _WORDS[part.kind]


def _refuse_kinds(place: str, *found: tuple[int, str]) -> NoReturn:
    (i, one), (k, other) = found
    raise ValueError(
        f"X, {place} holds {one} in partition {i} and {other} in partition {k}; convert the "
        "column to one kind in every partition, with None or NaN where a value is missing."
    )


def _added(counted: Any) -> Counter[Any]:
    everything: Counter[Any] = Counter()
    for counts in counted:
        everything.update(counts)
    return everything


def _ordered(name: str | None, kind: Kind, found: Sequence[ColumnPart]) -> ColumnSchema:
    """The schema of dates, durations or integers beyond 2**53, which are kept by rank."""
    arrays = [part.values for part in found if part.values is not None]
    if kind is Kind.WIDE:
        return ColumnSchema(name, kind, marks=_joined_integers(arrays))
    unit = _common_unit(found)
    arrays = [_in_unit(values, part.unit, unit) for values, part in zip(arrays, found, strict=True)]
    marks, unit = in_nanoseconds(Raw("", kind, np.unique(np.concatenate(arrays)), unit=unit))
    return ColumnSchema(name, kind, marks=marks, unit=unit, tz=found[0].tz)


def _joined_integers(arrays: Sequence[Array]) -> Array:
    """The distinct integers in order, of the type of all, or of one that holds them."""
    if len({values.dtype for values in arrays}) == 1:
        return np.unique(np.concatenate(arrays))
    everything = sorted(set().union(*(values.tolist() for values in arrays)))
    signed = everything[0] >= -(2**63) and everything[-1] < 2**63
    unsigned = everything[0] >= 0 and everything[-1] < 2**64
    return np.array(everything, np.int64 if signed else np.uint64 if unsigned else object)


def _common_unit(found: Sequence[ColumnPart]) -> str:
    """The unit of all parts; where they differ, the finest in which all values fit."""
    units = {part.unit for part in found}
    if len(units) == 1:
        return units.pop()
    for unit in NANOSECONDS:  # from the finest on
        if all(_fits(part, unit) for part in found):
            return unit
    return max(units, key=NANOSECONDS.__getitem__)


def _fits(part: ColumnPart, unit: str) -> bool:
    assert part.values is not None
    limit = np.iinfo(np.int64).max * NANOSECONDS[unit] // NANOSECONDS[part.unit]
    return bool(-limit <= int(part.values[0]) and int(part.values[-1]) <= limit)


def _in_unit(values: Array, unit: str, wanted: str) -> Array:
    """Whole numbers of another unit of time; those of a finer one are rounded down."""
    have, want = NANOSECONDS[unit], NANOSECONDS[wanted]
    return values * (have // want) if have >= want else values // (want // have)


def _warn_of_rounding(found: Sequence[ColumnPart], place: str) -> None:
    """Warns of integers beyond 2**53 that became floats, as others in their column are."""
    arrays = [part.values.tolist() for part in found if part.values is not None]
    exact = set().union(*arrays)
    rounded = set(map(float, exact))
    if any(int(value) not in exact for value in rounded):
        warn_rounded(place, len(exact) - len(rounded))


# --------------------------------------------------------------------------------------- encoding


def encode(schema: Schema, table: Table, parts: Sequence[SchemaPart]) -> Cells:
    """The cells of the rows of one part, as they are in those of all rows."""
    if table.raws is not None or schema.special:
        raws = table.raws or split(table, schema.label)
        columns = schema.columns
        table = table._replace(
            matrix=None,
            raws=[_settled(raw, columns[j]) for j, raw in enumerate(raws)],
        )
    cells = schema.encode(table)
    if cells.matrix is None:
        return cells
    single = all(column.single for part in parts for column in part.columns)
    wanted = np.float32 if single else np.float64
    return replace(cells, matrix=cells.matrix.astype(wanted, copy=False))


def _settled(raw: Raw, column: ColumnSchema) -> Raw:
    """A column of one part, of the kind that it has in all parts."""
    if raw.first_present() is None:
        return Raw(raw.place, Kind.NUMBER, all_missing(len(raw.values)))
    if raw.kind is Kind.WIDE and column.kind is Kind.NUMBER:
        floats = raw.values.astype(np.float64)
        if raw.missing is not None:
            floats[raw.missing] = np.nan
        return Raw(raw.place, Kind.NUMBER, floats)
    if raw.kind in (Kind.DATETIME, Kind.TIMEDELTA) and raw.kind is column.kind:
        values = raw.values
        if raw.missing is not None:
            values = np.where(raw.missing, 0, values)
        return raw._replace(values=_in_unit(values, raw.unit, column.unit), unit=column.unit)
    return raw
