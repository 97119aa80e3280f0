"""Names and numbers as pictures print them: one line, no formulas, not too long."""

from __future__ import annotations

from ...base.messages.table import printable
from ...inspection.shape import PAIR

LONGEST = 28  # letters of a name


def plain(text: str) -> str:
    """A text as it stands: a dollar would begin a formula."""
    return printable(text).replace("$", r"\$")


def short(text: str, most: int = LONGEST) -> str:
    """At most so many letters.

    >>> short("a very long name of a column", 12)
    'a very long…'
    """
    clean = printable(text)
    clean = clean if len(clean) <= most else clean[: most - 1] + "…"
    return clean.replace("$", r"\$")


def short_inside(text: str, most: int = LONGEST) -> str:
    """At most so many letters of which the last stay, such as the number a question ends in.

    >>> short_inside("the age of the owner of the car > 37.5", 24)
    'the age of the o… > 37.5'
    """
    clean = printable(text)
    if len(clean) > most:
        tail = clean[-(most * 2 // 5) :]
        tail = tail[tail.find(" ") :] if " " in tail else tail  # from a word on
        clean = f"{clean[: most - 1 - len(tail)].rstrip()}…{tail}"
    return clean.replace("$", r"\$")


def short_pair(text: str, most: int = LONGEST) -> str:
    """At most so many letters of the name of two columns, of both of them.

    >>> short_pair("the age of the owner x the age of the car", 20)
    'the age… x the age…'
    """
    if len(text) <= most or PAIR not in text:
        return short(text, most)
    return PAIR.join(short(part, (most - len(PAIR)) // 2) for part in text.split(PAIR, 1))
