"""Provenance and training histograms in model files."""

from __future__ import annotations

from dataclasses import fields as fields_of
from typing import Any

import numpy as np

from ..base.offered import fact
from ..files import Book, Envelope, Flaw, ModelFileError, Reader
from ..files.array import narrow
from ..files.check import array, inside, integer, maybe, named, need, of_type, text
from ..files.envelope import ORIGIN, PROFILE, Section
from ..files.error import MISLED, misled
from ..intake.raw_column import Kind
from ..production.methods import of_columns
from ..production.profile import Histogram, Profile
from ..production.provenance import Provenance
from ..production.row_sketch import RowSketch


def taken(profile: Profile) -> list[Any]:
    """A profile as lists and arrays, ready to be written."""
    scores = None if profile.scores is None else _row(profile.scores)
    return [[_row(histogram) for histogram in profile.columns], scores]


def _row(h: Histogram) -> list[Any]:
    return [narrow(h.counts), h.missing, h.cuts, float(h.low), float(h.high)]


def made(value: Any, model: Any) -> Profile:
    """A profile from the values of a file, all of them checked, and against the columns."""
    n_features = fact(model, "n_features_in_")
    need(n_features is not None, "a model without columns has no histograms of them")
    of_type("profile", value, list)
    need(len(value) == 2, "the profile has not two parts")
    of_type("columns", value[0], list)
    need(len(value[0]) == n_features, f"there are not {n_features} histograms")
    columns = tuple(_histogram(row) for row in value[0])
    scores = None if value[1] is None else _histogram(value[1])
    reader = of_columns(model)
    voting = "ensemble_" in vars(reader)
    need(scores is None or voting, "a model without a vote has no histogram of scores")
    special, empty = reader._schema.special, reader._schema.empty
    categories = {j for j, column in special.items() if column.kind is Kind.CATEGORY}
    for j, histogram in enumerate(columns):
        alike = (j in categories) == (histogram.cuts is None)
        need(alike or j in empty, f"column {j} is of another kind")
    # Earlier files describe a column without a value as one of categories.
    return Profile(tuple(_of_empty(h) if j in empty else h for j, h in enumerate(columns)), scores)


def _of_empty(histogram: Histogram) -> Histogram:
    return Histogram(np.zeros(1, np.int64), histogram.missing, np.empty(0))


def _histogram(row: Any) -> Histogram:
    need(type(row) is list and len(row) == 5, "a histogram has not five parts")
    counts, missing, cuts, low, high = row
    array("iu")("counts", counts)
    inside("counts", counts, 0, 2**53)
    need(int(counts.astype(np.float64).sum()) < 2**60, "counts are of too many rows")
    integer(0, 2**53)("missing", missing)
    need(type(low) is float and type(high) is float, "the ends of a column are no numbers")
    if cuts is not None:
        array("f")("cuts", cuts)
        need(len(counts) == len(cuts) + 1, "counts and cuts differ")
        need((cuts[1:] > cuts[:-1]).all(), "cuts do not rise")
        need(np.isfinite([low, high]).all() == bool(counts.any()), "the ends are not finite")
    return Histogram(
        counts.astype(np.int64),
        int(missing),
        None if cuts is None else cuts.astype(np.float64),
        low,
        high,
    )


def read_provenance(envelope: Envelope) -> Provenance | None:
    """The provenance in a model file, or None."""
    section = envelope.sections.get(ORIGIN)
    if section is None:
        return None
    fields = _fields(section)
    row_sketch = fields.get("seen")
    names = {field.name for field in fields_of(Provenance)} - {"row_sketch", "profile"}
    known: dict[str, Any] = {name: fields.get(name) for name in names}
    try:
        for name, value in known.items():
            maybe(integer(0, 2**62) if name == "n_examples" else text)(name, value)
    except Flaw as flaw:
        raise ModelFileError(f"byte {section.start}: the origin: {flaw}") from None
    return Provenance(**known, row_sketch=_row_sketch(section.start, row_sketch))


def read_chosen_on(envelope: Envelope) -> RowSketch | None:
    """The sketch of the rows that the threshold was chosen on in a model file, or None."""
    section = envelope.sections.get(ORIGIN)
    return None if section is None else _row_sketch(section.start, _fields(section).get("chosen"))


def _fields(section: Section) -> dict[Any, Any]:
    fields = Reader(section.data, Book(()), section.start).only()
    if type(fields) is not dict:
        raise ModelFileError(f"byte {section.start}: the origin is no dict")
    return fields


def _row_sketch(at: int, value: Any) -> RowSketch | None:
    """A sketch of rows in a model file, or None."""
    if value is None:
        return None
    if type(value) is not bytes:
        raise ModelFileError(f"byte {at}: the hashes of the training rows are {named(value)}")
    try:
        return RowSketch.from_bytes(value)
    except ValueError as error:
        raise ModelFileError(f"byte {at}: {error}") from None


def read_profile(envelope: Envelope, model: Any) -> Profile | None:
    """The training histograms in a model file, or None."""
    section = envelope.sections.get(PROFILE)
    if section is None:
        return None
    value = Reader(section.data, Book(()), section.start).only()
    try:
        return made(value, model)
    except Flaw as flaw:
        raise ModelFileError(f"byte {section.start}: {flaw}") from None
    except MISLED as error:
        raise ModelFileError(f"byte {section.start}: {misled(error)}") from None
