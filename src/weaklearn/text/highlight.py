"""A document with the contributions of its words to the score of a label."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..base.messages.table import Table, Tabular, printable
from .tokens import GAP
from .vectorizer import TermVectorizer

_KEPT = "\n\t\u200c\u200d"  # neither printable, in Python's words, nor harmful
_MOST = 20_000  # characters of a document that are shown, or tokens
_MORE: tuple[str, list[str]] = (" [...]", [])  # where there is more of it


@dataclass(frozen=True, repr=False)
class TextEvidence(Tabular):
    """What the terms of one document add to the score of a label.

    ``score`` is ``base``, that of a document without terms, plus the amounts of ``reasons``, the
    strongest first. ``highlighted()`` shows them in the text, and so does ``_repr_html_`` in
    colours: blue speaks for the label, red against it.
    """

    label: Any
    score: float
    base: float
    reasons: tuple[tuple[str, float], ...]
    pieces: tuple[tuple[str, float], ...]  # the text in parts, each with what its words add

    def table(self) -> Table:
        rows = [(term, round(amount, 4)) for term, amount in self.reasons]
        note = f"{self.label}: score {self.score:.4g}, without any term {self.base:.4g}"
        return Table("evidence", ["it contains", "adds"], rows, printable(note))

    def highlighted(self) -> str:
        """The text with the contribution of a word after it: ``the [bank +0.9] is closed``."""
        return "".join(
            f"[{_shown(part)} {amount:+.2g}]" if amount else _shown(part)
            for part, amount in self.pieces
        )

    def __str__(self) -> str:
        return f"{self.highlighted()}\n{super().__str__()}"

    def _repr_html_(self) -> str:
        most = max((abs(amount) for _, amount in self.pieces), default=0.0)
        body = "".join(_marked(part, amount, most) for part, amount in self.pieces)
        summary = html.escape(
            f"{self.label}: score {self.score:.4g}, without any term {self.base:.4g}"
        )
        return f'<div style="white-space: pre-wrap">{body}</div><p>{summary}</p>'


def _shown(part: str) -> str:
    """A part of a text with blanks and line ends kept and control characters escaped."""
    return "".join(
        c if c.isprintable() or c in _KEPT or unicodedata.category(c) == "Zs" else repr(c)[1:-1]
        for c in part.replace("\r\n", "\n")
    )


def _marked(part: str, amount: float, most: float) -> str:
    shown = html.escape(part)
    if not amount:
        return shown
    colour = "80, 130, 255" if amount > 0 else "255, 90, 80"
    depth = 0.15 + 0.6 * abs(amount) / most
    return (
        f'<mark style="background: rgba({colour}, {depth:.2f}); color: inherit" '
        f'title="{amount:+.3g}">{shown}</mark>'
    )


def pieces_of(
    text: Any, vectorizer: TermVectorizer, amounts: Mapping[str, float]
) -> Iterator[tuple[str, float]]:
    """The parts of a text, each with the sum of the contributions of its terms.

    Tokens never reach across blanks: each run of other characters has the tokens it would have by
    itself. Of a list of tokens, each is a part.
    """
    parts = _parts(vectorizer, text)
    tokens = [token for _, own in parts for token in own]
    added = [0.0] * len(tokens)
    gaps = int(vectorizer.gaps)
    where: dict[str, list[int]] = {}
    for k, token in enumerate(tokens):
        where.setdefault(token, []).append(k)
    for term, amount in amounts.items():
        words = term.split(" ")
        for place in (
            found for k in where.get(words[0], ()) for found in _from(k, words, tokens, gaps)
        ):
            for k in place:
                added[k] += amount
    k = 0
    for part, own in parts:
        yield part, sum(added[k : k + len(own)])
        k += len(own)


def _parts(vectorizer: TermVectorizer, text: Any) -> list[tuple[str, list[str]]]:
    """Parts of a document, blanks among them, each with its tokens."""
    parts: list[tuple[str, list[str]]] = []
    if isinstance(text, (list, tuple)):
        for token in text[:_MOST]:
            parts += [(str(token), [str(token)]), (" ", [])]
        return parts[:-1] if len(text) <= _MOST else [*parts, _MORE]
    given = str(vectorizer._terms().reader.one(text, "text"))
    split = re.findall(r"\s+|\S+", given[:_MOST])
    parts = [(part, [] if part.isspace() else vectorizer.tokens(part)) for part in split]
    return parts if len(given) <= _MOST else [*parts, _MORE]


def _from(first: int, words: list[str], tokens: list[str], gaps: int) -> Iterator[list[int]]:
    """The offsets of the words of a term from its first one."""
    if len(words) == 1:
        yield [first]
        return
    apart = words[1] == GAP
    rest = words[2:] if apart else words[1:]
    for step in range(2, gaps + 2) if apart else (1,):
        after = first + step
        if after < len(tokens) and tokens[after] == rest[0]:
            for later in _from(after, rest, tokens, gaps):
                yield [first, *later]
