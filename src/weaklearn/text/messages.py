"""Messages as documents, and the prediction for one with its reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from email.message import Message
from email.utils import parseaddr
from typing import Any

from ..base.messages.table import Table, Tabular, printable
from ..base.messages.warnings import warn
from ..intake.object_column import is_missing
from .documents import items
from .mail import Mail, read_mail


@dataclass(frozen=True)
class Messages:
    """How messages are read: the size limit, the encoding, and the tokens."""

    max_bytes: int
    encoding: str
    tokens: Callable[[Any], list[str]]

    def listed(self, X: Any) -> list[list[str]]:
        """The documents of a list of messages; a single one is refused."""
        if isinstance(X, (str, bytes, Message)):
            raise TypeError("X is one message; pass a list of messages: [message].")
        return self.read(items(X, "X"))

    def read(self, messages: Iterable[Any]) -> list[list[str]]:
        """The documents of messages, with a warning if some were truncated."""
        found, cut = [], 0
        for i, message in enumerate(messages):
            mail = self._mail(message, f"X[{i}]")
            cut += mail.cut
            found.append(_document(mail, self.tokens))
        if cut:
            some = f"{cut} messages are" if cut > 1 else "one message is"
            warn(
                f"{some} longer than max_bytes={self.max_bytes} or of more parts than are read: "
                "only the beginning counts."
            )
        return found

    def _mail(self, message: Any, where: str) -> Mail:
        if not isinstance(message, (str, bytes, Message)) and is_missing(message):
            return Mail("", "", "")
        return read_mail(message, max_bytes=self.max_bytes, encoding=self.encoding, where=where)


def _document(mail: Mail, tokens: Callable[[Any], list[str]]) -> list[str]:
    """The tokens of a message, those of subject and sender marked; parts do not run together."""
    name, address = _sender(mail.sender)
    address = address.lower()
    sender = [f"from:{token}" for token in tokens(name)]
    if address:
        sender += ["", f"from:{address}"]
    if "@" in address:
        sender += ["", f"from:@{address.rpartition('@')[2]}"]
    subject = [f"subject:{token}" for token in tokens(mail.subject)]
    return [*tokens(mail.body), "", *subject, "", *sender]


def _sender(header: str) -> tuple[str, str]:
    """The name and the address of a sender; all of it is the name where it cannot be parsed."""
    try:
        return parseaddr(header)
    except (RecursionError, ValueError, IndexError):  # comments in comments without end
        return header, ""


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
