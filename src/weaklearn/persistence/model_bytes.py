"""The bytes of a model's file, and the model that they hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from ..base.offered import fact
from ..files import ModelFileError, Writer, seal
from ..files.envelope import MODEL, ORIGIN, PROFILE, SETTINGS
from ..files.reader import read_model
from ..production.provenance import provenance_of
from ..registry import row_of
from .book import BOOK
from .profile_record import read_chosen_on, read_profile, read_provenance, taken


def written(model: Any, compact: bool = False) -> tuple[bytes, list[Any]]:
    """The bytes of a model's section, and the values that go to the settings section."""
    writer = Writer(BOOK, compact)
    writer.write(model)
    return writer.data, writer.aside


def sealed(model: Any, profile: bool = True) -> bytes:
    """The bytes of a model's file, with or without the description of the training rows."""
    body, aside = written(model, compact=True)
    settings, origin = Writer(BOOK), Writer(BOOK)
    settings.write(aside)
    known = provenance_of(model)
    known = known if profile else replace(known, row_sketch=None, profile=None)
    sketch = known.row_sketch
    chosen_on = model._decision.rows if profile and model._threshold is not None else None
    chosen = {} if chosen_on is None else {"chosen": chosen_on.to_bytes()}
    seen = {"seen": None if sketch is None else sketch.to_bytes()}
    origin.write(known.in_words() | seen | chosen)
    sections = {MODEL: body, SETTINGS: settings.data, ORIGIN: origin.data}
    in_columns = fact(model, "n_features_in_") is not None
    if known.profile is not None and known.fitted is not None and in_columns:
        histograms = Writer(BOOK)
        histograms.write(taken(known.profile))
        sections[PROFILE] = histograms.data
    return seal(sections)


def opened(envelope: Any) -> Any:
    """The fitted model of an envelope."""
    found = read_model(envelope, BOOK, lambda value: row_of(type(value)) is not None)
    try:
        check_is_fitted(found)
    except NotFittedError:
        raise ModelFileError(
            f"byte {envelope.sections[MODEL].start}: the model is not fitted"
        ) from None
    origin = read_provenance(envelope)
    if origin is not None and origin.fitted is not None:
        histograms = read_profile(envelope, found)
        found._origin = replace(origin, profile=histograms)
    if found._threshold is not None:
        found._decision = replace(found._decision, rows=read_chosen_on(envelope))
    return found
