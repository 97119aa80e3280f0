"""Suggestions for misspelt names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def nearest(word: Any, known: Sequence[str]) -> str:
    """ "Did you mean ...?" with the known word nearest to a misspelt one; "" if none is near.

    >>> nearest("hubert", ["huber", "quantile"])
    " Did you mean 'huber'?"
    """
    import difflib  # for a slip of the pen alone

    near = difflib.get_close_matches(word, known, 1) if isinstance(word, str) else []
    return f" Did you mean {near[0]!r}?" if near else ""
