"""How the values of this room stand in model files: schemas, calibrations, edits, origins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

import numpy as np

from ..files import Book, Envelope, ModelFileError, Reader
from ..files.array import narrow
from ..files.check import (
    flag,
    instance,
    maybe,
    named,
    need,
    of_type,
    one_of,
    real,
    text,
    whole,
)
from ..files.envelope import ORIGIN
from ..files.error import Flaw
from ..files.record import Record, expect, plain
from ..files.shape import Shape
from ..files.term import TERM, alike
from ..files.term import fits as terms_fit
from .column import NANOSECONDS, Kind
from .edit import Edit
from .intake import Schema
from .origin import Origin
from .schema import MOST_LEVELS, ColumnSchema

_ORDERED = (Kind.WIDE, Kind.MOMENT, Kind.DURATION)


def _take_schema(schema: Schema) -> list[Any]:
    places = sorted(schema.special)
    columns = [schema.special[j] for j in places]
    return [schema.n_features, schema.names, narrow(np.array(places, np.int64)), columns]


def _make_schema(fields: list[Any]) -> Schema:
    """A schema; whose it is, is said by the model that it belongs to."""
    expect(fields, 4)
    n_features, names, places, columns = fields
    whole(1)("n_features", n_features)
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
    special = {}
    for j, column in zip(listed, columns, strict=True):
        of_type(f"column {j}", column, ColumnSchema)
        special[j] = column if names is None else replace(column, name=names[j])
    return Schema(n_features, names, special)


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
    """A column; its name is the schema's to know."""
    expect(fields, 8)
    kind, levels, pooled, marks, unit, tz, date, joins = fields
    one_of("category", "wide", "moment", "duration")("kind", kind)
    for name, value in (("date", date), ("unseen_joins_pool", joins)):
        flag(name, value)
    maybe(text)("tz", tz)
    of_type("levels", levels, tuple)
    of_type("pooled", pooled, frozenset)
    found = Kind(kind)
    if found in _ORDERED:
        need(not levels and not pooled, "an ordered column has no levels")
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
            raise Flaw(f"a level is {named(value)}")
    texts = sum(type(value) is str for value in everything)
    need(texts in (0, len(everything)), "levels are texts and numbers")
    need(len(set(everything)) == len(everything), "a level stands twice")
    need(len(levels) <= MOST_LEVELS, f"there are more than {MOST_LEVELS} levels")


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


def _take_edit(edit: Edit) -> list[Any]:
    return [edit.term, edit.what, edit.place, edit.before, edit.after, edit.scores]


def _make_edit(fields: list[Any]) -> Edit:
    expect(fields, 6)
    term, what, place, before, after, scores = fields
    text("term", term)
    text("what", what)
    whole()("place", place)
    instance(TERM.home)("before", before)
    if after is not None:
        instance(TERM.home)("after", after)
        need(alike(before, after, cells_only=True), "a term has other cells after an edit")
    of_type("scores", scores, tuple)
    for score in scores:
        need(
            type(score) is tuple and list(map(type, score)) == [str, float, float],
            "a score is no name with two numbers",
        )
    return Edit(term, what, place, before, after, scores)


def _edits_fit(name: str, edits: Sequence[Edit], shape: Shape) -> None:
    for edit in edits:
        terms_fit(name, [term for term in (edit.before, edit.after) if term is not None], shape)


SCHEMA = Record(20, "weaklearn.estimators.intake.Schema", _take_schema, _make_schema)
COLUMN = Record(21, "weaklearn.estimators.schema.ColumnSchema", _take_column, _make_column)
CALIBRATION = plain(
    22, "weaklearn.estimators.calibration.Calibration", {"slope": real(), "shift": real()}
)
EDIT = Record(23, "weaklearn.estimators.edit.Edit", _take_edit, _make_edit, fits=_edits_fit)


def origin_in(envelope: Envelope) -> Origin | None:
    """The origin that a model file tells; None where it tells nothing of it."""
    section = envelope.sections.get(ORIGIN)
    if section is None:
        return None
    told = Reader(section.data, Book(()), section.start).only()
    words = type(told) is dict and {type(value) for value in told.values()}
    if not words or not words <= {str, int, type(None)}:
        raise ModelFileError(f"byte {section.start}: the origin is not told in words and numbers")
    known: dict[str, Any] = {field.name: told.get(field.name) for field in fields_of(Origin)}
    origin = Origin(**known)
    try:
        origin.rows_seen()
    except (AttributeError, ValueError) as error:
        raise ModelFileError(f"byte {section.start}: {error}") from None
    return origin
