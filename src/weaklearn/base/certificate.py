"""Certificates: theorems applied to a fitted model, the guarantee beside the observed value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .messages.table import Table, Tabular
from .messages.value_text import show


@dataclass(frozen=True)
class Certificate:
    """One guarantee: its statement and source, the hypotheses checked and assumed, and the numbers.

    ``holds`` is None where the theorem does not apply; ``note`` says why, and there is no bound.
    A certificate about the truth bounds the true error, which is not observed: it fails with
    probability ``delta`` at most, and an interval has a ``lower`` end too.
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
    about: str = "training"  # or "truth": what holds for rows to come
    delta: float | None = None
    lower: float | None = None

    @property
    def holds(self) -> bool | None:
        """Whether the observed value is within the bound; None where either is missing."""
        if self.bound is None or self.observed is None:
            return None
        return self.observed <= self.bound + 1e-9 * abs(self.bound) + 1e-12

    @property
    def applies(self) -> bool:
        """Whether the theorem's conditions are met, so that there is a bound."""
        return self.bound is not None

    @property
    def vacuous(self) -> bool:
        """Whether the bound on a share is 1 or more, and so excludes nothing."""
        return self.bound is not None and self.unit == "share" and self.bound >= 1

    @property
    def verdict(self) -> str:
        """The result as text: "holds", "VIOLATED" or the note, and whether the bound is vacuous."""
        word = self.note or ("holds" if self.holds else "VIOLATED")
        nothing = "vacuous" if self.about == "truth" else "says nothing"
        return word + (f", {nothing}" if self.vacuous else "")

    @classmethod
    def not_applicable(
        cls, id: str, statement: str, source: str, why: str, about: str = "training"
    ) -> Certificate:
        """A certificate without a bound, whose note is the reason."""
        return cls(id, statement, source, note=f"{_NOT}{why}", about=about)

    def __str__(self) -> str:
        if self.bound is None or self.observed is None:
            bound = "" if self.bound is None else f": {self.bound:.6g}"
            return f"{self.id}: {self.statement}{bound} ({self.verdict})"
        numbers = f"{self.observed:.6g} <= {self.bound:.6g}"
        return f"{self.id}: {self.statement}: {numbers} ({self.verdict})"


class Certificates(Tabular, Sequence[Certificate]):
    """A sequence of certificates that prints as a table, with an optional note below."""

    def __init__(self, items: Sequence[Certificate], note: str = "") -> None:
        self._items, self.note = tuple(items), note

    @classmethod
    def ranked(cls, items: Sequence[Certificate], note: str = "", whose: str = "") -> Certificates:
        """The strongest statement about the true error first: the line to quote.

        Then what holds of the training rows, in the order given; then what is vacuous, and what
        does not apply. The ``note`` tells how probable all is, and is left out where nothing is
        left to chance; ``whose`` tells whose errors are counted.
        """
        chancy = any(c.delta and c.bound is not None for c in items)
        notes = [note if chancy else "", whose]
        return cls(sorted(items, key=_rank), "; ".join(each for each in notes if each))

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: Any) -> Any:
        return self._items[index]

    @property
    def training(self) -> Certificates:
        """The certificates about the training rows."""
        return Certificates([c for c in self if c.about == "training"])

    @property
    def truth(self) -> Certificates:
        """The certificates about the true error."""
        return Certificates([c for c in self if c.about == "truth"], self.note)

    def of(self, id: str) -> Certificate:
        """The first certificate of this id."""
        for certificate in self:
            if certificate.id == id:
                return certificate
        known = ", ".join(dict.fromkeys(c.id for c in self))
        raise KeyError(f"there is no certificate {show(id)} here; there are {known}.")

    def table(self) -> Table:
        """A row per certificate; a reason not to apply is given once, then by the first's id."""
        return self._table(self._verdicts())

    def to_frame(self) -> Any:
        """A row per certificate as a pandas DataFrame, each with its reason in full."""
        return self._table([c.verdict for c in self]).to_frame()

    def _verdicts(self) -> list[str]:
        first: dict[str, Certificate] = {}
        found = [first.setdefault(c.verdict, c) for c in self]
        return [
            c.verdict if c.applies or c is same else f"{_NOT}as for {same.id}"
            for c, same in zip(self, found, strict=True)
        ]

    def _table(self, verdicts: Sequence[str]) -> Table:
        rows = [
            (c.id, c.statement, c.observed, c.bound, verdict)
            for c, verdict in zip(self, verdicts, strict=True)
        ]
        columns = ["id", "guarantee", "observed", "bound", "verdict"]
        applies = any(c.bound is not None for c in self)
        note = self.note if applies or not rows else ""
        return Table("certificates", columns, rows, note, max(12, len(rows)), _WIDTH)


_WIDTH = 110  # letters in a line
_NOT = "does not apply: "


def _rank(certificate: Certificate) -> tuple[int, float]:
    if certificate.about == "training":
        return 1, 0.0
    if certificate.bound is None:
        return 3, 0.0
    return (2 if certificate.vacuous else 0), certificate.bound
