"""The closed table of what the runtime reads, by the numbers of model files.

Every number of the whole library stands here, also those that the runtime refuses, so that the
refusal can name them. What reads a record is imported with the first file that holds one.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..files.check import real
from ..files.error import Flaw
from ..files.record import Book, Record, plain
from ..losses.links import Calibration
from ..persistence.column_record import COLUMN, make_schema
from ..registry import Row, booster_numbers
from .columns import Columns
from .held import held
from .kinds import KINDS

_HERE = __package__
_GAME = (3, 4, 9, 10, 11, 12, 15, 60, 61, 62, 63, 75, 76)
# The modules of the records of these numbers.
_SHELVES = {
    1: "files.stump",
    2: "files.tree",
    5: "files.history",
    **dict.fromkeys(_GAME, "files.game"),
    **dict.fromkeys((6, 7, 8, 64), "files.member"),
    **dict.fromkeys((13, 14), "files.term"),
    **dict.fromkeys(range(40, 60), "files.loss"),
    **dict.fromkeys((65, 66), "files.readable"),
    80: "files.online",
    **dict.fromkeys(range(85, 90), "files.kernel"),
    95: "text.sleepers",
    96: "text.handwritten",
}
# Records of learners that the runtime does not know, and whose they are.
_OTHERS = {
    77: "a model as a member of another",
    **dict.fromkeys((90, 91), "a detector"),
}


class Shelves(Book):
    """A book whose records are fetched when a file first names them."""

    def numbered(self, number: int) -> Record:
        """The record of a number."""
        if number not in self._by_number and number in _SHELVES:
            self.add(_fetched(number))
        return super().numbered(number)


def _fetched(number: int) -> Record:
    module = import_module(f"..{_SHELVES[number]}", __package__)
    for value in vars(module).values():
        for record in value if isinstance(value, tuple) else (value,):
            if isinstance(record, Record) and record.number == number:
                return record
    raise AssertionError(number)


def _of_texts(name: str, fields: list[Any]) -> Any:
    """A part of a model of texts, made by what reads them, imported with the first."""
    return getattr(import_module(".terms", __package__), name)(fields)


def _nothing(value: Any) -> list[Any]:
    raise TypeError("the runtime writes no files")


def _refused(number: int, what: str) -> Record:
    def make(fields: list[Any]) -> Any:
        raise Flaw(f"it holds {what}, which the runtime does not know; use weaklearn.load")

    return Record(number, f"{_HERE}.other{number}", _nothing, make)


def _aside(number: int) -> Record:
    """A record whose fields do not change what a model answers."""
    return Record(number, f"{_HERE}.aside{number}", _nothing, tuple)


def _estimator(number: int, row: Row) -> Record:
    def make(fields: list[Any]) -> Any:
        return held(row, fields, BOOK)

    return Record(number, f"{_HERE}.kind{number}", _nothing, make, sided=True)


_OWN = (
    Record(20, Columns, _nothing, lambda f: make_schema(f, Columns)),
    COLUMN,
    plain(22, Calibration, {"slope": real(), "shift": real()}),
    _aside(23),  # an edit
    Record(97, f"{_HERE}.terms.TextColumns", _nothing, lambda f: _of_texts("make_text_columns", f)),
    Record(98, f"{_HERE}.text_column", _nothing, lambda f: _of_texts("make_text_column", f)),
)

BOOK = Shelves(
    [
        *_OWN,
        *(_aside(number) for number in booster_numbers()),
        *(_refused(number, what) for number, what in _OTHERS.items()),
        *(_estimator(number, row) for number, row in KINDS.items()),
    ]
)
