"""E-mail read with the standard library, within bounds: subject, sender and text."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from typing import Any

from ..base.messages.value_text import show
from .markup import words_of

MAX_BYTES = 1_000_000
MOST_BYTES = 2**31 - 1  # of a message that a model may be set to read
MAX_PARTS = 100
MAX_DEPTH = 10
_LONGEST_HEADER = 10_000
_MOST_LOOKS = 2_000_000  # lines held against the ends of parts they may be

# A text is taken for an e-mail where it begins with headers, and one of these is among them.
_TELLING = (
    *("from", "to", "subject", "date", "received", "return-path", "message-id", "mime-version"),
    *("content-type", "delivered-to", "reply-to", "x-mailer"),
)
_HEADER = re.compile(rb"[!-9;-~]{1,76}:")
# Encodings that are no character sets, or cost more than their bytes.
_STRANGE = ("idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem")


@dataclass(frozen=True)
class Mail:
    """Subject, sender and text of a message; ``cut`` where some of it was left out as too long."""

    subject: str
    sender: str
    body: str
    cut: bool = False

    @property
    def text(self) -> str:
        """Everything as one text, line by line."""
        return "\n".join(part for part in (self.sender, self.subject, self.body) if part)


def read_mail(
    message: Any,
    *,
    max_bytes: int = MAX_BYTES,
    max_parts: int = MAX_PARTS,
    max_depth: int = MAX_DEPTH,
    encoding: str = "utf-8",
    where: str = "message",
) -> Mail:
    """Subject, sender and text of a message: a text, bytes, or an ``email.message.Message``.

    A text or bytes that begin with the headers of an e-mail are read as one, and are the body
    otherwise. Of the parts of an e-mail, plain texts and HTML (without its tags, scripts and
    styles) make up the body; of alternatives that say the same, the plain text. Attachments are
    left out. At most ``max_bytes`` bytes are looked at, ``max_parts`` parts, and parts inside parts
    down to ``max_depth``. Nothing in a message is an error: bytes that are no text in the encoding
    they claim become a mark that belongs to no word.

    >>> mail = read_mail(b"From: ann@example.org\\nSubject: =?utf-8?q?Caf=C3=A9?=\\n\\nAt six?")
    >>> mail.subject, mail.sender, mail.body
    ('Café', 'ann@example.org', 'At six?')
    >>> read_mail("Just a few words").body
    'Just a few words'
    """
    bounds = _Bounds(max_parts, max_depth, max_bytes)
    if isinstance(message, Message):
        return _opened(message, bounds, encoding, False)
    if isinstance(message, str):
        cut = len(message) > max_bytes
        text = message[:max_bytes]
        raw = text.encode("utf-8", "surrogateescape" if _escaped(text) else "replace")
        encoding = "utf-8"
    elif isinstance(message, (bytes, bytearray, memoryview)):
        cut = len(message) > max_bytes
        raw = bytes(message[:max_bytes])
    else:
        raise TypeError(
            f"{where} is {show(message)}, of type {type(message).__name__}; pass a text, bytes or "
            "an email.message.Message."
        )
    if not _is_mail(raw):
        return Mail("", "", raw.decode(encoding, "replace"), cut)
    parser = BytesParser(policy=compat32)
    try:
        # The parser holds each line against the ends of all parts around it.
        if raw.lower().count(b"boundary") * raw.count(b"\n") <= _MOST_LOOKS:
            return _opened(parser.parsebytes(raw), bounds, encoding, cut)
    except (RecursionError, MessageError, ValueError, LookupError, TypeError):
        pass  # parts nested without end
    return _unparted(parser.parsebytes(raw, headersonly=True), bounds, encoding)


def _escaped(text: str) -> bool:
    """Whether all lone surrogates of a text are undecoded bytes, as in texts read from files."""
    lone = re.findall("[\ud800-\udfff]", text)
    return all("\udc80" <= c <= "\udcff" for c in lone)


def _is_mail(raw: bytes) -> bool:
    """Whether bytes begin with headers, of which one is known."""
    lines = raw[:20_000].replace(b"\r\n", b"\n").split(b"\n")
    if lines[0].startswith(b"From "):  # the line between messages of a mailbox
        lines = lines[1:]
    for line in lines:
        if line[:1] in (b" ", b"\t"):
            continue
        if not _HEADER.match(line):
            return False
        if line.partition(b":")[0].decode("ascii").lower() in _TELLING:
            return True
    return False


@dataclass
class _Bounds:
    parts: int
    depth: int
    bytes: int
    reached: bool = False


def _opened(message: Message, bounds: _Bounds, encoding: str, cut: bool) -> Mail:
    subject, sender = (_header(message, name, encoding) for name in ("Subject", "From"))
    texts = _texts(message, bounds, encoding)
    return Mail(subject, sender, "\n".join(texts), cut or bounds.reached)


def _unparted(message: Message, bounds: _Bounds, encoding: str) -> Mail:
    """A message with too many parts to parse: all of it as one text."""
    if _kind(message).startswith(("multipart/", "message/")):
        for name in ("Content-Type", "Content-Transfer-Encoding"):
            del message[name]
    return _opened(message, bounds, encoding, True)


def _texts(message: Message, bounds: _Bounds, encoding: str) -> list[str]:
    """The texts of all displayed parts, in their order."""
    texts: list[str] = []
    waiting: list[tuple[Message, int]] = [(message, 0)]
    while waiting:
        part, depth = waiting.pop()
        if bounds.parts == 0 or depth > bounds.depth or bounds.bytes <= 0:
            bounds.reached = True
            continue
        bounds.parts -= 1
        if part.is_multipart():
            inner: Any = part.get_payload()
            chosen = _chosen(part, [p for p in inner if isinstance(p, Message)])
            waiting += [(each, depth + 1) for each in reversed(chosen)]
        elif _is_text(part):
            texts.append(_text(part, encoding, bounds))
    return texts


def _chosen(part: Message, inner: list[Message]) -> list[Message]:
    """The plain-text alternatives where there are any, else all parts."""
    if _kind(part) == "multipart/alternative":
        plain = [each for each in inner if _kind(each) == "text/plain"]
        return plain or inner
    return inner


def _kind(part: Message) -> str:
    try:
        return part.get_content_type()
    except (TypeError, ValueError, AttributeError):
        return "text/plain"


def _is_text(part: Message) -> bool:
    try:
        attached = part.get_content_disposition() == "attachment"
    except (TypeError, ValueError, AttributeError):
        attached = False
    return _kind(part).startswith("text/") and not attached


def _text(part: Message, encoding: str, bounds: _Bounds) -> str:
    try:
        raw = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError, AttributeError):
        return ""
    if not isinstance(raw, bytes):
        return ""
    bounds.reached |= len(raw) > bounds.bytes
    raw = raw[: bounds.bytes]
    bounds.bytes -= len(raw)
    text = _decoded(raw, _charset(part), encoding)
    return words_of(text) if _kind(part) == "text/html" else text


def _charset(part: Message) -> str | None:
    try:
        found = part.get_content_charset()
    except (TypeError, ValueError, LookupError):
        return None
    return found if isinstance(found, str) else None


def _decoded(raw: bytes, claimed: str | None, otherwise: str) -> str:
    """Bytes decoded by their declared encoding, or by another where it is unknown."""
    for name in (claimed, otherwise):
        try:
            if name is not None and codecs.lookup(name).name not in _STRANGE:
                return raw.decode(name, "replace")
        except (LookupError, ValueError):
            continue
    return raw.decode("utf-8", "replace")


def _header(message: Message, name: str, encoding: str) -> str:
    """The decoded value of a header."""
    try:
        given: Any = message.get(name, "")
    except (ValueError, LookupError, TypeError, IndexError):
        return ""
    if isinstance(given, str):  # else a Header, where there are bytes of no known encoding
        given = given[:_LONGEST_HEADER]
    try:
        pieces = decode_header(given)
    except (MessageError, ValueError, LookupError, TypeError):  # its base64 is none
        pieces = [(str(given), None)]
    parts = []
    for piece, charset in pieces:
        if isinstance(piece, bytes):
            parts.append(_decoded(piece, charset, encoding))
        else:
            raw = piece.encode("utf-8", "surrogateescape" if _escaped(piece) else "replace")
            parts.append(_decoded(raw, None, encoding))
    return " ".join("".join(parts).split())
