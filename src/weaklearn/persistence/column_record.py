"""Columns and schemas in model files; needs numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ..files.array import narrow
from ..files.check import flag, integer, named, need, of_type, one_of, text
from ..files.error import Flaw
from ..files.record import Record, expect
from ..files.shape import Shape
from ..intake.cells import KnownColumns
from ..intake.column_schema import MOST_CATEGORIES, ColumnSchema
from ..intake.raw_column import NANOSECONDS, Kind

T = TypeVar("T", bound=KnownColumns)

SCHEMAS: set[type[KnownColumns]] = set()  # classes of columns of which none are texts
_SCHEMA, TEXT_COLUMN_NUMBER = 20, 98
PARTS_OF_TEXTS = {0: {_SCHEMA}, 1: {TEXT_COLUMN_NUMBER}}  # what a schema with texts holds
_ORDERED = (Kind.WIDE, Kind.DATETIME, Kind.TIMEDELTA)
_EMPTY = ColumnSchema(None, Kind.CATEGORY)  # a column without a value in training


def schema_record(form: type[KnownColumns]) -> Record:
    """The record of schemas, which are read as instances of a class."""
    SCHEMAS.add(form)
    return Record(
        _SCHEMA,
        form,
        _take_schema,
        lambda f: _make_schema(f, form),
        columns=_columns,
        n_items=_n_special,
        holds={3: {COLUMN.number}},
    )


def _n_special(fields: Sequence[Any]) -> int | None:
    """The number of columns that are not plain numbers, once their places are known."""
    return len(_places(fields[0], fields[2])) if len(fields) == 3 else None


def _places(n_features: Any, places: Any) -> list[int]:
    """The places of the columns that are not plain numbers, if they are sound."""
    integer(1)("n_features", n_features)
    need(
        isinstance(places, np.ndarray) and places.ndim == 1 and places.dtype.kind in "iu",
        "the special columns have no places",
    )
    listed: list[int] = places.tolist()
    rising = all(a < b for a, b in zip([-1, *listed], listed, strict=False))
    need(rising, "the special columns are not in order")
    need(not listed or listed[-1] < n_features, f"there is no column {listed and listed[-1]}")
    return listed


def _columns(fields: Sequence[Any]) -> tuple[int | None, tuple[Any, ...] | None]:
    """The number and the names of the columns of a schema that was not made."""
    if len(fields) != 4:
        return None, None
    n_features, names = fields[:2]
    known = n_features if type(n_features) is int else None
    return known, names if type(names) is tuple else None


def _take_schema(schema: KnownColumns) -> list[Any]:
    columns_by_place = {**dict.fromkeys(schema.empty, _EMPTY), **schema.special}
    places = sorted(columns_by_place)
    columns = [columns_by_place[j] for j in places]
    return [schema.n_features, schema.names, narrow(np.array(places, np.int64)), columns]


def _make_schema(fields: list[Any], form: type[T]) -> T:
    """A schema of the given class, from its fields in a file."""
    expect(fields, 4)
    n_features, names, places, columns = fields
    listed = _places(n_features, places)
    if names is not None:
        need(
            type(names) is tuple and len(names) == n_features,
            f"there are {n_features} features and not as many names",
        )
        for name in names:
            text("a name", name)
        need(len(set(names)) == len(names), "a column's name stands twice")
    of_type("columns", columns, list)
    need(len(listed) == len(columns), "the special columns have no places")
    special, empty = {}, set()
    for j, column in zip(listed, columns, strict=True):
        of_type(f"column {j}", column, ColumnSchema)
        if column.n_categories == 0 and (column.marks is None or len(column.marks) == 0):
            empty.add(j)
        else:
            special[j] = column if names is None else replace(column, name=names[j])
    return form(n_features, names, special, empty=frozenset(empty))


_KIND = one_of("category", "wide", "moment", "duration")
_FIELDS = ("categories", "pooled", "marks", "unit", "tz", "date", "unseen_joins_pool")


def _take_column(column: ColumnSchema) -> list[Any]:
    return [column.kind.value, *(getattr(column, name) for name in _FIELDS)]


def _make_column(fields: list[Any]) -> ColumnSchema:
    """A column schema from its fields; the schema adds the name."""
    expect(fields, 8)
    kind, categories, pooled, marks, unit, tz, date, joins = fields
    _KIND("kind", kind)
    for name, value in (("date", date), ("unseen_joins_pool", joins)):
        flag(name, value)
    if tz is not None:
        text("tz", tz)
    of_type("categories", categories, tuple)
    of_type("pooled", pooled, frozenset)
    found = Kind(kind)
    if found in _ORDERED:
        need(not categories and not pooled, "an ordered column has no categories")
        _check_marks(found, marks)
        units = NANOSECONDS if found is not Kind.WIDE else [""]
        one_of(*units)("unit", unit)
    else:
        need(marks is None and unit == "", "a column of categories has no marks")
        _check_categories(categories, pooled)
    return ColumnSchema(None, found, categories, pooled, marks, unit, tz, date, joins)


def _check_categories(categories: tuple[Any, ...], pooled: frozenset[Any]) -> None:
    everything = [*categories, *pooled]
    for value in everything:
        if type(value) not in (str, int, float, bool) or value != value:
            raise Flaw(f"a category is {named(value)}")
    texts = sum(type(value) is str for value in everything)
    need(texts in (0, len(everything)), "categories are both texts and numbers")
    need(len(set(everything)) == len(everything), "a category stands twice")
    need(len(categories) <= MOST_CATEGORIES, f"there are more than {MOST_CATEGORIES} categories")


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


def shape_of(schema: KnownColumns, n_classes: int, several: bool = False) -> Shape:
    """The ``Shape`` that the parts of a model with this schema must fit."""
    columns = schema.special
    return Shape(
        schema.n_features,
        {j: c.n_categories for j, c in columns.items() if c.kind is Kind.CATEGORY},
        {j: len(c.marks) for j, c in columns.items() if c.marks is not None}
        | dict.fromkeys(schema.empty, 0),
        n_classes,
        several,
    )
