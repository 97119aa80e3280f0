"""Messages as documents: the tokens of body, subject and sender."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from email.message import Message
from email.utils import parseaddr
from typing import Any

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
