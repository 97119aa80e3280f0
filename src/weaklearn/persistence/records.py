"""Schemas, calibrations, edits, provenance and training histograms in model files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields as fields_of
from typing import Any

from ..base.trees.term_edit import Edit
from ..files import Book, Envelope, Flaw, ModelFileError, Reader
from ..files.check import instance, integer, named, need, of_type, real, text
from ..files.envelope import ORIGIN, PROFILE
from ..files.record import Record, expect, plain
from ..files.shape import Shape
from ..files.term import TERM, alike
from ..files.term import fits as terms_fit
from ..intake.schema import Schema
from ..losses.links import Calibration
from ..production.profile import Profile
from ..production.provenance import Provenance
from ..production.row_sketch import RowSketch
from .column_record import make_schema, take_schema
from .profile_record import made


def _take_edit(edit: Edit) -> list[Any]:
    return [edit.term, edit.what, edit.place, edit.before, edit.after, edit.scores]


def _make_edit(fields: list[Any]) -> Edit:
    expect(fields, 6)
    term, what, place, before, after, scores = fields
    text("term", term)
    text("what", what)
    integer()("place", place)
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


def _columns(fields: Sequence[Any]) -> tuple[int | None, tuple[Any, ...] | None]:
    if len(fields) != 4:
        return None, None
    n_features, names = fields[:2]
    known = n_features if type(n_features) is int else None
    return known, names if type(names) is tuple else None


SCHEMA = Record(
    20,
    Schema,
    take_schema,
    lambda fields: make_schema(fields, Schema),
    columns=_columns,
)
CALIBRATION = plain(22, Calibration, {"slope": real(), "shift": real()})
EDIT = Record(23, Edit, _take_edit, _make_edit, fits=_edits_fit)


def read_provenance(envelope: Envelope) -> Provenance | None:
    """The provenance in a model file, or None."""
    section = envelope.sections.get(ORIGIN)
    if section is None:
        return None
    fields = Reader(section.data, Book(()), section.start).only()
    if type(fields) is not dict:
        raise ModelFileError(f"byte {section.start}: the origin is no dict")
    row_sketch = fields.pop("seen", None)
    if not {type(value) for value in fields.values()} <= {str, int, type(None)}:
        raise ModelFileError(f"byte {section.start}: the origin holds more than texts and numbers")
    names = {field.name for field in fields_of(Provenance)} - {"row_sketch", "profile"}
    known: dict[str, Any] = {name: fields.get(name) for name in names}
    return Provenance(**known, row_sketch=_row_sketch(section.start, row_sketch))


def _row_sketch(at: int, value: Any) -> RowSketch | None:
    """The sketch of the training rows in a model file, or None."""
    if value is None:
        return None
    if type(value) is not bytes:
        raise ModelFileError(f"byte {at}: the hashes of the training rows are {named(value)}")
    try:
        return RowSketch.from_bytes(value)
    except ValueError as error:
        raise ModelFileError(f"byte {at}: {error}") from None


def read_profile(envelope: Envelope, n_features: int | None) -> Profile | None:
    """The training histograms in a model file, or None."""
    section = envelope.sections.get(PROFILE)
    if section is None:
        return None
    value = Reader(section.data, Book(()), section.start).only()
    try:
        need(n_features is not None, "a model without columns has no histograms of them")
        return made(value, n_features or 0)
    except Flaw as flaw:
        raise ModelFileError(f"byte {section.start}: {flaw}") from None
