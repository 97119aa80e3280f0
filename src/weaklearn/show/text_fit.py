"""Names cut to the room that a picture has for them; for matplotlib, with dollars escaped."""

from __future__ import annotations

from ..base.messages.table import printable
from ..inspection.shape import PAIR

LONGEST = 28  # letters of a name


def cut(name: str, most: int = 18) -> str:
    """At most so many letters of a name.

    >>> cut("a very long name of a column", 12)
    'a very long…'
    """
    return name if len(name) <= most else name[: most - 1] + "…"


def plain(text: str) -> str:
    """A text that matplotlib prints as it stands: a dollar would begin a formula."""
    return printable(text).replace("$", r"\$")


def short(text: str, most: int = LONGEST) -> str:
    """At most so many letters of a text, for matplotlib."""
    return plain(cut(printable(text), most))


def short_inside(text: str, most: int = LONGEST) -> str:
    """At most so many letters, cut in the middle: the number at the end of a question stays.

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
    """At most so many letters of the name of a pair, where both columns are cut.

    >>> short_pair("the age of the owner x the age of the car", 20)
    'the age… x the age…'
    """
    if len(text) <= most or PAIR not in text:
        return short(text, most)
    return PAIR.join(short(part, (most - len(PAIR)) // 2) for part in text.split(PAIR, 1))
