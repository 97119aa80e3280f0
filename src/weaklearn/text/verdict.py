"""The prediction for a message, with its reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..base.messages.table import Table, Tabular, printable


@dataclass(frozen=True, repr=False)
class Verdict(Tabular):
    """The prediction of a filter for a message, with its reasons.

    ``score`` is ``base``, that of a message without any word of the rules, plus the amounts of
    ``reasons``: the terms of the message that the rules ask for, the strongest first. Above 0 it
    speaks for spam; ``probability`` is that of spam. After updates the label is that of the
    weighted majority of experts, on whichever side of the threshold the probability is.
    """

    label: Any
    probability: float
    threshold: float
    score: float
    base: float
    reasons: tuple[tuple[str, float], ...]
    labels: tuple[Any, Any]
    shown: int = 5
    n_updates: int = 0

    def table(self) -> Table:
        ham, spam = self.labels
        rows = [
            (term, str(spam if amount > 0 else ham), round(amount, 4))
            for term, amount in self.reasons[: self.shown]
        ]
        left = len(self.reasons) - len(rows)
        others = f"; {left} weaker reasons are not shown" if left > 0 else ""
        decided = f"threshold {self.threshold:.3f}"
        if self.n_updates:
            updates = "an update" if self.n_updates == 1 else f"{self.n_updates} updates"
            decided = f"by the majority of experts after {updates}"
        note = f"{self.label}: probability of {spam} {self.probability:.3f}, {decided}{others}"
        return Table("verdict", ["it contains", "speaks for", "by"], rows, printable(note))
