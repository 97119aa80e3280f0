"""Columns and schemas in model files; needs numpy alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ..files.array import narrow
from ..files.check import flag, integer, maybe, named, need, of_type, one_of, text
from ..files.error import Flaw
from ..files.record import Record, expect
from ..files.shape import Shape
from ..intake.cells import KnownColumns
from ..intake.column_schema import MOST_LEVELS, ColumnSchema
from ..intake.raw_column import NANOSECONDS, Kind

T = TypeVar("T", bound=KnownColumns)

_ORDERED = (Kind.WIDE, Kind.DATETIME, Kind.TIMEDELTA)
_EMPTY = ColumnSchema(None, Kind.CATEGORY)  # a column without a value in training


def take_schema(schema: KnownColumns) -> list[Any]:
    columns_by_place = {**dict.fromkeys(schema.empty, _EMPTY), **schema.special}
    places = sorted(columns_by_place)
    columns = [columns_by_place[j] for j in places]
    return [schema.n_features, schema.names, narrow(np.array(places, np.int64)), columns]


def make_schema(fields: list[Any], form: type[T]) -> T:
    """A schema of the given class, from its fields in a file."""
    expect(fields, 4)
    n_features, names, places, columns = fields
    integer(1)("n_features", n_features)
    if names is not None:
        need(
            type(names) is tuple and len(names) == n_features,
            f"there are {n_features} features and not as many names",
        )
        for name in names:
            text("a name", name)
        need(len(set(names)) == len(names), "a column's name stands twice")
    of_type("columns", columns, list)
    need(
        isinstance(places, np.ndarray)
        and places.ndim == 1
        and places.dtype.kind in "iu"
        and len(places) == len(columns),
        "the special columns have no places",
    )
    listed = places.tolist()
    need(
        all(a < b for a, b in zip([-1, *listed], listed, strict=False)),
        "the special columns are not in order",
    )
    need(not listed or listed[-1] < n_features, f"there is no column {listed and listed[-1]}")
    special, empty = {}, set()
    for j, column in zip(listed, columns, strict=True):
        of_type(f"column {j}", column, ColumnSchema)
        if column.n_categories == 0 and (column.marks is None or len(column.marks) == 0):
            empty.add(j)
        else:
            special[j] = column if names is None else replace(column, name=names[j])
    return form(n_features, names, special, empty=frozenset(empty))


def _take_column(column: ColumnSchema) -> list[Any]:
    return [
        column.kind.value,
        column.levels,
        column.pooled,
        column.marks,
        column.unit,
        column.tz,
        column.date,
        column.unseen_joins_pool,
    ]


def _make_column(fields: list[Any]) -> ColumnSchema:
    """A column schema from its fields; the schema adds the name."""
    expect(fields, 8)
    kind, levels, pooled, marks, unit, tz, date, joins = fields
    one_of("category", "wide", "moment", "duration")("kind", kind)
    for name, value in (("date", date), ("unseen_joins_pool", joins)):
        flag(name, value)
    maybe(text)("tz", tz)
    of_type("categories", levels, tuple)
    of_type("pooled", pooled, frozenset)
    found = Kind(kind)
    if found in _ORDERED:
        need(not levels and not pooled, "an ordered column has no categories")
        _check_marks(found, marks)
        units = NANOSECONDS if found is not Kind.WIDE else [""]
        one_of(*units)("unit", unit)
    else:
        need(marks is None and unit == "", "a column of categories has no marks")
        _check_levels(levels, pooled)
    return ColumnSchema(None, found, levels, pooled, marks, unit, tz, date, joins)


def _check_levels(levels: tuple[Any, ...], pooled: frozenset[Any]) -> None:
    everything = [*levels, *pooled]
    for value in everything:
        if type(value) not in (str, int, float, bool) or value != value:
            raise Flaw(f"a category is {named(value)}")
    texts = sum(type(value) is str for value in everything)
    need(texts in (0, len(everything)), "categories are both texts and numbers")
    need(len(set(everything)) == len(everything), "a category stands twice")
    need(len(levels) <= MOST_LEVELS, f"there are more than {MOST_LEVELS} categories")


def _check_marks(kind: Kind, marks: Any) -> None:
    wide = kind is Kind.WIDE
    need(
        isinstance(marks, np.ndarray)
        and marks.ndim == 1
        and (marks.dtype == np.int64 or (wide and marks.dtype in (np.uint64, object))),
        "the marks are not whole numbers",
    )
    if marks.dtype == object:
        need(all(type(mark) is int for mark in marks), "a mark is no whole number")
    need((marks[1:] > marks[:-1]).all(), "the marks do not rise")


COLUMN = Record(21, ColumnSchema, _take_column, _make_column)


def shape_of(schema: KnownColumns, n_classes: int) -> Shape:
    """The ``Shape`` that the parts of a model with this schema must fit."""
    columns = schema.special
    return Shape(
        schema.n_features,
        {j: c.n_categories for j, c in columns.items() if c.kind is Kind.CATEGORY},
        {j: len(c.marks) for j, c in columns.items() if c.marks is not None}
        | dict.fromkeys(schema.empty, 0),
        n_classes,
    )
