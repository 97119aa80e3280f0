"""Saving, loading and inspecting models, and their fingerprint."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from ..base.offered import fact
from ..registry import row_of

if TYPE_CHECKING:
    from .fitted_model import FittedModel
    from .inspect_file import Contents


def save(self: Any, path: str | os.PathLike[str], *, profile: bool = True) -> None:
    """Writes the fitted model to a file, atomically; names end in ``.weak`` by convention.

    The file holds no code: parameters, what was learnt, the record, and where the model comes
    from. ``weaklearn.load`` gives the model back, and it predicts the same to the bit. Of the
    parameters, ``callbacks`` are left out, and a random generator becomes the seed that the
    fit drew from it. A learner from outside this library, or a function, is refused: use
    pickle for such a model. ``profile=False`` leaves out what is said of the training rows
    themselves: the histograms of columns, which ``check`` compares new rows with, and the
    hashes of rows, by which certificates tell test rows that were trained on. What the model
    needs to read rows stays: the labels of categories, and the marks (values of training) of
    columns of dates, durations and very large integers.

    >>> import tempfile, os, weaklearn
    >>> X, y = weaklearn.datasets.toy()
    >>> model = weaklearn.AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> path = os.path.join(tempfile.mkdtemp(), "model.weak")
    >>> model.save(path)
    >>> weaklearn.load(path).fingerprint() == model.fingerprint()
    True
    """
    from ..files import ModelFileError, unseal, write
    from ..files.disk import writable_path

    check_is_fitted(self)
    place = writable_path(path)
    data = sealed(self, profile)
    try:
        opened(unseal(data))  # what cannot be read again takes no file's place
    except ModelFileError as error:
        raise ModelFileError(f"{type(self).__name__} cannot be saved as it is: {error}") from None
    write(place, data)


def fingerprint(self: Any) -> str:
    """SHA-256 of the canonical model, in hexadecimal: parameters, what was learnt, the record.

    Equal for equal data, whatever their order, the number of threads or the processor.
    Provenance, ``n_jobs``, ``verbose``, ``warm_start`` and callbacks are no part of it.
    """
    check_is_fitted(self)
    return hashlib.sha256(written(self)[0]).hexdigest()


def load(path: str | os.PathLike[str]) -> FittedModel:
    """The model in a file that ``save`` wrote, ready to predict, explain and fit further.

    Nothing in a file is ever run or imported, and everything is checked before it is used: what is
    no sound model is refused with a ``ModelFileError`` that says what is wrong, and where.

    >>> import tempfile
    >>> from weaklearn import AdaBoostClassifier, datasets, load
    >>> X, y = datasets.toy()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     AdaBoostClassifier(n_estimators=3).fit(X, y).save(f"{folder}/toy.weak")
    ...     model = load(f"{folder}/toy.weak")
    >>> model.score(X, y)
    1.0
    """
    from ..files import ModelFileError, read

    try:
        model: FittedModel = opened(read(Path(path)))
    except ModelFileError as error:
        raise ModelFileError(f"{os.fspath(path)}: {error}") from None
    return model


def inspect(path: str | os.PathLike[str]) -> Contents:
    """A summary of a model file, without building the model: kind, versions, parameters, sizes."""
    from ..files import ModelFileError, read
    from .inspect_file import contents_of

    try:
        return contents_of(read(Path(path)))
    except ModelFileError as error:
        raise ModelFileError(f"{os.fspath(path)}: {error}") from None


def written(model: Any, compact: bool = False) -> tuple[bytes, list[Any]]:
    """The bytes of a model's section, and the values that go to the settings section."""
    from ..files import Writer
    from .book import BOOK

    writer = Writer(BOOK, compact)
    writer.write(model)
    return writer.data, writer.aside


def sealed(model: Any, profile: bool = True) -> bytes:
    """The bytes of a model's file, with or without the description of the training rows."""
    from ..files import Writer, seal
    from ..files.envelope import MODEL, ORIGIN, PROFILE, SETTINGS
    from ..production.provenance import provenance_of
    from .book import BOOK
    from .profile_record import taken

    body, aside = written(model, compact=True)
    settings, origin = Writer(BOOK), Writer(BOOK)
    settings.write(aside)
    known = provenance_of(model)
    known = known if profile else replace(known, row_sketch=None, profile=None)
    sketch = known.row_sketch
    origin.write(known.in_words() | {"seen": None if sketch is None else sketch.to_bytes()})
    sections = {MODEL: body, SETTINGS: settings.data, ORIGIN: origin.data}
    in_columns = fact(model, "n_features_in_") is not None
    if known.profile is not None and known.fitted is not None and in_columns:
        histograms = Writer(BOOK)
        histograms.write(taken(known.profile))
        sections[PROFILE] = histograms.data
    return seal(sections)


def opened(envelope: Any) -> Any:
    """The fitted model of an envelope."""
    from ..files import ModelFileError
    from ..files.envelope import MODEL
    from ..files.reader import read_model
    from .book import BOOK
    from .profile_record import read_profile, read_provenance

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
    return found
