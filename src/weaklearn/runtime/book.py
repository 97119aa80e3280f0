"""What the runtime reads of model files: every value of the library, and estimators as they are.

Every number of the library is here, also those that the runtime refuses, so that the refusal can
name them.
"""

from __future__ import annotations

from typing import Any, NoReturn

from ..files.error import Flaw
from ..files.record import Record, RegisteredBook
from ..persistence.column_record import schema_record
from ..persistence.kept import Held, estimator_fields, kept_of
from ..persistence.records import RECORDS
from ..registry import ROWS, Row, booster_numbers
from .columns import Columns

KINDS: dict[int, Row] = {row.number: row for row in ROWS.values() if row.number is not None}
_HERE = __package__
# Modules with records of texts, imported with the first file that holds one.
_OF_TEXTS = ("text.sleepers", "text.handwritten", "runtime.terms")
# Records that the runtime does not know, and whose they are.
_OTHERS = {77: "a model as a member of another", **dict.fromkeys((90, 91), "a detector")}


def _nothing(value: Any) -> NoReturn:
    raise TypeError("the runtime writes no files")


def _refused(number: int, what: str) -> Record:
    def make(fields: list[Any]) -> Any:
        raise Flaw(f"it holds {what}, which the runtime does not know; use weaklearn.load")

    return Record(number, f"{_HERE}.other{number}", _nothing, make)


def _aside(number: int) -> Record:
    """A record whose fields do not change what a model answers."""
    return Record(number, f"{_HERE}.aside{number}", _nothing, tuple)


def _estimator(number: int, row: Row) -> Record:
    def make(fields: list[Any]) -> Held:
        given, state, aside = estimator_fields(fields)
        for name in ("_conformity", "_settled"):
            aside[1].pop(name, None)
        state = state | aside[1]
        if state and (row.runtime is not None or row.name == "TermVectorizer"):
            state = kept_of(row).checked(row.name, state, BOOK)
        return Held(row, given, state)

    return Record(number, f"{_HERE}.kind{number}", _nothing, make, sided=True)


BOOK = RegisteredBook(
    [
        *RECORDS,
        *(_aside(number) for number in booster_numbers()),
        schema_record(Columns),
        *(_refused(number, what) for number, what in _OTHERS.items()),
        *(_estimator(number, row) for number, row in KINDS.items()),
    ],
    _OF_TEXTS,
)
