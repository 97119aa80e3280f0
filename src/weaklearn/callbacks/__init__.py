"""Callbacks of a fit: progress and early stopping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .early_stopping import EarlyStopping, Patience, Tally
    from .progress import Progress
    from .search import Search

__all__ = ["EarlyStopping", "Patience", "Progress", "Search", "Tally"]

__getattr__ = lazy_names(
    __name__,
    {
        "EarlyStopping": "early_stopping",
        "Patience": "early_stopping",
        "Progress": "progress",
        "Search": "search",
        "Tally": "early_stopping",
    },
)
