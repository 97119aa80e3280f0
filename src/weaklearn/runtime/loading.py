"""From a file to a model that predicts.

Every number of the library is in the book, also those that the runtime refuses, so that the refusal
can name them.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, NoReturn

from ..files.check import need
from ..files.envelope import MODEL, Envelope, read
from ..files.error import MISLED, Flaw, ModelFileError, misled
from ..files.loss_record import loss_record
from ..files.reader import Reader, read_model
from ..files.record import MODELS, NumbersOf, Record, RegisteredBook
from ..losses import numbered
from ..persistence.column_record import schema_record
from ..persistence.kept import Held, estimator_fields, kept_of
from ..persistence.records import LATER, LOSSES, PLACES
from ..registry import AROUND, ROWS, Row, booster_numbers, class_at
from .columns import Columns
from .model import Model

KINDS: dict[int, Row] = {row.number: row for row in ROWS.values() if row.number is not None}
_HERE = __package__
_LOSSES = NumbersOf("files.loss")
# Modules with records of windows and texts, imported with the first file that holds one.
_OF_APPLICATIONS = ("vision.record", "text.sleepers", "text.handwritten", "runtime.terms")
# Records that the runtime does not know, and what they are.
_OTHERS = {77: "a model as a member of another"}


def _nothing(value: Any) -> NoReturn:
    raise TypeError("the runtime writes no files")


def _refused(number: int, what: str) -> Record:
    def make(fields: list[Any]) -> Any:
        raise Flaw(f"it holds {what}, which the runtime does not know; use weaklearn.load")

    return Record(number, f"{_HERE}.other{number}", _nothing, make, holds={0: MODELS})


def _aside(number: int) -> Record:
    """A record whose fields do not change what a model answers."""
    return Record(number, f"{_HERE}.aside{number}", _nothing, tuple, holds={0: _LOSSES})


def _estimator(number: int, row: Row) -> Record:
    def make(fields: list[Any]) -> Held:
        given, state, aside = estimator_fields(fields)
        for name in ("_conformity", "_settled"):
            aside[1].pop(name, None)
        decision = aside[1].pop("_decision", None)
        state = state | aside[1]
        if state and (row.runtime is not None or row.name == "TermVectorizer"):
            state = kept_of(row).checked(row.name, state, BOOK)
        return Held(row, given, state, decision)

    def knows(k: int, name: Any) -> None:
        if k == 1 and row.runtime is not None:
            kept_of(row).knows(row.name, name)

    return Record(number, f"{_HERE}.kind{number}", _nothing, make, sided=True, knows=knows)


class _Book(RegisteredBook):
    """Records of values by their modules; those of estimators are made when a file holds them."""

    def numbered(self, number: int) -> Record:
        if number not in self._by_number and (found := _own(number)) is not None:
            self.add(found)
        return super().numbered(number)


def _own(number: int) -> Record | None:
    """A record that the runtime has in its own form; None where the number is none of them."""
    if number in KINDS:
        return _estimator(number, KINDS[number])
    if number in _OTHERS:
        return _refused(number, _OTHERS[number])
    if number in LOSSES and (loss := numbered(number)) is not None:
        return loss_record(loss)
    return _aside(number) if number in booster_numbers() else None


BOOK = _Book([schema_record(Columns)], (*LATER, *_OF_APPLICATIONS), PLACES)


def load(path: str | os.PathLike[str]) -> Model:
    """The model in a file that ``save`` wrote, ready to predict.

    Files are trusted in nothing, as by ``weaklearn.load``: what is no sound model is refused with a
    ``ModelFileError``, and so is, by its name, an estimator that the runtime does not know.

    >>> import tempfile, os, weaklearn
    >>> X, y = weaklearn.datasets.toy()
    >>> path = os.path.join(tempfile.mkdtemp(), "model.weak")
    >>> weaklearn.AdaBoostClassifier(n_estimators=3).fit(X, y).save(path)
    >>> from weaklearn import runtime
    >>> model = runtime.load(path)
    >>> model.predict(X[:3]).tolist(), round(model.predictor()(X[0].tolist()), 3)
    ([1, 1, 1], 0.909)
    """
    try:
        return opened(read(os.fspath(path)))
    except ModelFileError as error:
        raise ModelFileError(f"{os.fspath(path)}: {error}") from None


def opened(envelope: Envelope) -> Model:
    """The model of an envelope."""
    model = envelope.sections[MODEL]
    number = Reader(model.data, BOOK, model.start).record_number()
    if number in KINDS and KINDS[number].runtime is None:
        raise ModelFileError(_unknown(KINDS[number].name))
    found = read_model(envelope, BOOK, lambda value: isinstance(value, Held))
    try:
        return model_of(found)
    except Flaw as flaw:
        raise ModelFileError(f"byte {model.start}: {flaw}") from None
    except MISLED as error:
        raise ModelFileError(f"byte {model.start}: {misled(error)}") from None


def model_of(source: Held) -> Model:
    """The model of an estimator in a file."""
    row = source.row
    if row.runtime == AROUND:
        inner = source.state.get("model_")
        if not isinstance(inner, Held) or inner.row.runtime == AROUND:
            raise Flaw("the binary problems are not fitted")
        return model_of(inner._replace(state=_renamed(inner.state, source.name)))
    if row.runtime is None:
        raise Flaw(_unknown(source.name))
    need(source.state, "the model is not fitted")
    return form_of(row).of(source)


def form_of(row: Row) -> type[Model]:
    """The class of the runtime that predicts for an estimator, imported with its first file."""
    found: type[Model] = class_at(f"runtime.{row.runtime}")
    return found


def _renamed(state: dict[str, Any], name: str) -> dict[str, Any]:
    """What is said of the columns of X is said in the name of the whole."""
    if "_schema" not in state:
        return state
    return state | {"_schema": replace(state["_schema"], estimator_name=name)}


def _unknown(name: str) -> str:
    return f"it holds a {name}, which the runtime does not know; use weaklearn.load"
