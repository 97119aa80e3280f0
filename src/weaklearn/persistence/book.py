"""The table of all that model files may hold: values by their records, estimators by their rows."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..files.booster import BOOSTERS
from ..files.game import (
    ADDITIVE,
    CODED_SCORES,
    ENSEMBLE,
    FADING,
    FOREKNOWN,
    GROVE,
    LABEL_SCORES,
    LABEL_SUM,
    MEDIAN,
    PAIRWISE,
    REVOTED,
    STACKED,
    WEIGHTED_SUM,
)
from ..files.history import HISTORY
from ..files.kernel import KERNELS
from ..files.loss import LOSSES
from ..files.member import CLASS_TREE, LABEL_TREE, NUMBER_TREE, PARTITION
from ..files.online import STANDING
from ..files.readable import RULE, SPLITTER
from ..files.record import Book, Record
from ..files.stump import STUMP
from ..files.term import TERM, TERM_SUM
from ..files.tree import TREE
from ..registry import RECORDS as REGISTERED
from ..registry import ROWS
from .column_record import COLUMN
from .kept_estimator import KeptEstimator
from .nested_model import MODEL_MEMBER
from .records import CALIBRATION, EDIT, SCHEMA

RECORDS = (
    *(STUMP, TREE, ENSEMBLE, STACKED, HISTORY, CLASS_TREE, NUMBER_TREE, PARTITION),
    *(LABEL_TREE, LABEL_SCORES, CODED_SCORES),
    *(WEIGHTED_SUM, REVOTED, PAIRWISE, LABEL_SUM, MEDIAN, ADDITIVE, GROVE, TERM, TERM_SUM),
    *(FADING, FOREKNOWN, SPLITTER, RULE, SCHEMA, COLUMN, CALIBRATION, EDIT, STANDING, *LOSSES),
    MODEL_MEMBER,
    *KERNELS,
    *BOOSTERS,
)


class RegisteredBook(Book):
    """A book that imports the records of registered packages on first use."""

    @property
    def records(self) -> tuple[Record, ...]:
        """All records, those of registered packages included."""
        self._complete()
        return super().records

    def of(self, value: Any) -> Record | None:
        """The record of a value's class, or None."""
        found = super().of(value)
        if found is None and type(value).__module__.startswith(_PACKAGES):
            self._complete()
            found = super().of(value)
        return found

    def numbered(self, number: int) -> Record:
        """The record of a number; a ``Flaw`` if there is none."""
        if number not in self._by_number:
            self._complete()
        return super().numbered(number)

    def _complete(self) -> None:
        for home in REGISTERED:
            for value in vars(import_module(f"{_LIBRARY}.{home}")).values():
                if isinstance(value, Record) and value.number not in self._by_number:
                    self.add(value)


_LIBRARY = __name__.partition(".")[0]
_PACKAGES = tuple({f"{_LIBRARY}.{home.partition('.')[0]}." for home in REGISTERED})
KEPT = tuple(KeptEstimator(row) for row in ROWS.values() if row.number is not None)
BOOK: Book = RegisteredBook([*RECORDS, *(kind.record(lambda: BOOK) for kind in KEPT)])
