"""Suggestions for misspelt names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def nearest(word: Any, known: Sequence[str], alike: float = 0.6) -> str:
    """ "Did you mean ...?" with the known word nearest to a misspelt one; "" if none is near.

    ``alike``: how near, from 0 to 1 for equal words.

    >>> nearest("hubert", ["huber", "quantile"]), nearest("age", ["target", "Age"])
    (" Did you mean 'huber'?", " Did you mean 'Age'?")
    """
    import difflib  # for a slip of the pen alone

    if not isinstance(word, str):
        return ""
    spelt = {each.casefold(): each for each in reversed(known)}
    near = difflib.get_close_matches(word.casefold(), list(spelt), 1, alike)
    return f" Did you mean {spelt[near[0]]!r}?" if near else ""


def listed(names: Sequence[str]) -> str:
    """Names in quotation marks; of many the first and the last few.

    >>> listed([f"x{k}" for k in range(30)])
    "'x0', 'x1', 'x2', 'x3', 'x4', ..., 'x27', 'x28', 'x29'"
    """
    shown = list(map(repr, names))
    return ", ".join(shown if len(shown) <= 10 else [*shown[:5], "...", *shown[-3:]])
