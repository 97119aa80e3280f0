"""The closed table of what the runtime reads, by the numbers of model files.

Every number of the whole library stands here, also those that the runtime refuses, so that the
refusal can name them.
"""

from __future__ import annotations

from typing import Any

from ..estimators.column_record import COLUMN, make_schema
from ..files.check import real
from ..files.error import Flaw
from ..files.game import (
    ADDITIVE,
    CODED_SCORES,
    ENSEMBLE,
    FADING,
    FOREKNOWN,
    GROVE,
    HISTORY,
    LABEL_SCORES,
    LABEL_SUM,
    MEDIAN,
    PAIRWISE,
    REVOTED,
    STACKED,
    WEIGHTED_SUM,
)
from ..files.loss import LOSSES
from ..files.member import CLASS_TREE, LABEL_TREE, NUMBER_TREE, PARTITION
from ..files.online import STANDING
from ..files.readable import RULE, SPLITTER
from ..files.record import Book, Record, plain
from ..files.stump import STUMP
from ..files.term import TERM, TERM_SUM
from ..files.tree import TREE
from .columns import Columns
from .held import held
from .kinds import KINDS

_HERE = "weaklearn.runtime"
# Records of learners that the runtime does not know, and whose they are.
_OTHERS = {
    77: "a model as a member of another",
    **dict.fromkeys(range(85, 90), "a kernel"),
    **dict.fromkeys((95, 96), "a part of a model of texts"),
}


def _nothing(value: Any) -> list[Any]:
    raise TypeError("the runtime writes no files")


def _refused(number: int, what: str) -> Record:
    def make(fields: list[Any]) -> Any:
        raise Flaw(f"it holds {what}, which the runtime does not know; use weaklearn.load")

    return Record(number, f"{_HERE}.other{number}", _nothing, make)


def _estimator(number: int, name: str) -> Record:
    def make(fields: list[Any]) -> Any:
        return held(name, fields, BOOK)

    return Record(number, f"{_HERE}.kind{number}", _nothing, make, sided=True)


_OWN = (
    Record(20, f"{_HERE}.columns.Columns", _nothing, lambda f: make_schema(f, Columns)),
    COLUMN,
    plain(22, "weaklearn.estimators.probability.Calibration", {"slope": real(), "shift": real()}),
    Record(23, f"{_HERE}.edit", _nothing, tuple),  # of no concern to answers
)
_VOTES = (
    *(ENSEMBLE, STACKED, REVOTED, PAIRWISE, MEDIAN, WEIGHTED_SUM, FADING, FOREKNOWN),
    *(LABEL_SUM, LABEL_SCORES, CODED_SCORES, ADDITIVE, GROVE, TERM_SUM),
)
_MEMBERS = (STUMP, TREE, CLASS_TREE, NUMBER_TREE, PARTITION, LABEL_TREE, SPLITTER, RULE, TERM)

BOOK = Book(
    [
        *(*_OWN, *_VOTES, *_MEMBERS, *LOSSES, HISTORY, STANDING),
        *(_refused(number, what) for number, what in _OTHERS.items()),
        *(_estimator(number, kind.name) for number, kind in KINDS.items()),
    ]
)
