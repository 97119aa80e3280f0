"""Misspelt words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def nearest(word: Any, known: Sequence[str]) -> str:
    """A question that names the known word nearest to a misspelt one, if there is one.

    >>> nearest("hubert", ["huber", "quantile"])
    " Did you mean 'huber'?"
    """
    import difflib  # for a slip of the pen alone

    near = difflib.get_close_matches(word, known, 1) if isinstance(word, str) else []
    return f" Did you mean {near[0]!r}?" if near else ""
