"""Saving, loading and inspecting models, their fingerprint, and the version in their pickles."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from ..base.messages.warnings import InconsistentVersionWarning, warn

if TYPE_CHECKING:
    from .fitted_model import FittedModel
    from .inspect_file import Contents

PICKLED_BY = "_weaklearn_version"  # in the state of an estimator, beside its attributes


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
    from .model_bytes import opened, sealed

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
    from .model_bytes import written

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
    from .model_bytes import opened

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


def with_version(state: Mapping[str, Any]) -> dict[str, Any]:
    """The state of an estimator, with the version of this library that pickles it."""
    return {**state, PICKLED_BY: _version()}


def without_version(name: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes in the state of an estimator; warns where another version pickled it."""
    found = dict(state)
    theirs, ours = found.pop(PICKLED_BY, None), _version()
    if theirs != ours:
        by = "an early version of weaklearn" if theirs is None else f"weaklearn {theirs}"
        warn(
            f"this {name} was pickled by {by} and is read by weaklearn {ours}: it may fail, or "
            "answer otherwise. Fit it again; for models that outlive a version use save() and "
            "weaklearn.load, whose files every later version reads.",
            InconsistentVersionWarning,
        )
    return found


def _version() -> str:
    return str(sys.modules["weaklearn"].__version__)
