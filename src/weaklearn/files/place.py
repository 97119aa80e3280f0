"""Which records may stand where in a file: any other is refused before it is read."""

from __future__ import annotations

from collections.abc import Container

from .error import Flaw
from .record import Record

_MOST_ALONE = 32  # records that the names of one estimator hold, but for lists of several


class Place:
    """Where a value is read: in the fields of a record, or among the names of an estimator.

    A record holds those that it says. The names of an estimator hold any, but few: only fitted
    ones have lists of them, of fitted models and of ``several``.
    """

    def __init__(self, holds: Container[int] | None = None) -> None:
        self._holds = holds
        self._left = _MOST_ALONE
        self.fitted = False  # whether the value is one of the fitted names

    @staticmethod
    def inside(record: Record, k: int) -> Place:
        """The place of a field of a record that is no estimator."""
        return Place(record.holds[k]) if k in record.holds else _NOWHERE

    def admit(self, record: Record) -> None:
        """Refuses a record that no writer puts here."""
        if self._holds is None:
            if not (self.fitted and (record.sided or record.several)):
                self._count()
        elif record.number not in self._holds:
            raise Flaw(f"a {record.name} has no place here")

    def admit_unfitted(self) -> None:
        """Refuses unfitted models among the fitted names, where there are many."""
        if self.fitted:
            self._count()

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise Flaw(f"one estimator holds more than {_MOST_ALONE} records")


_NOWHERE = Place(())
