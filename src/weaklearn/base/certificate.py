"""A theorem applied to a record: what is guaranteed beside what was observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .table import Table, Tabular


@dataclass(frozen=True)
class Certificate:
    """One guarantee: its statement and source, the hypotheses checked and assumed, and the numbers.

    ``holds`` is None where the theorem does not apply; ``note`` says why, and there is no bound.
    """

    id: str
    statement: str
    source: str
    checked: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    bound: float | None = None
    observed: float | None = None
    note: str = ""
    unit: str = "share"  # what is bounded: a share of examples, or a number of "rounds"

    @property
    def holds(self) -> bool | None:
        if self.bound is None or self.observed is None:
            return None
        return self.observed <= self.bound * (1 + 1e-9) + 1e-12

    @property
    def applies(self) -> bool:
        return self.bound is not None

    @property
    def vacuous(self) -> bool:
        """Whether the bound says nothing that was not known before."""
        return self.bound is not None and self.unit == "share" and self.bound >= 1

    @property
    def verdict(self) -> str:
        """One word or more: holds, VIOLATED, or the note; and whether the bound says anything."""
        word = self.note or ("holds" if self.holds else "VIOLATED")
        return word + (", says nothing" if self.vacuous else "")

    @classmethod
    def not_applicable(cls, id: str, statement: str, source: str, why: str) -> Certificate:
        return cls(id, statement, source, note=f"does not apply: {why}")

    def __str__(self) -> str:
        if self.bound is None or self.observed is None:
            bound = "" if self.bound is None else f": {self.bound:.6g}"
            return f"{self.id}: {self.statement}{bound} ({self.verdict})"
        numbers = f"{self.observed:.6g} <= {self.bound:.6g}"
        return f"{self.id}: {self.statement}: {numbers} ({self.verdict})"


class Certificates(Tabular, Sequence[Certificate]):
    """Certificates in order; prints as a table, with a note such as what more would need."""

    def __init__(self, items: Sequence[Certificate], note: str = "") -> None:
        self._items, self.note = tuple(items), note

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: Any) -> Any:
        return self._items[index]

    def table(self) -> Table:
        rows = [(c.id, c.statement, c.observed, c.bound, c.verdict) for c in self]
        columns = ["id", "guarantee", "observed", "bound", "verdict"]
        return Table("certificates", columns, rows, self.note)
