"""Callbacks of a fit: progress and early stopping."""

from .early_stopping import EarlyStopping
from .progress import Progress
from .search import Search

__all__ = ["EarlyStopping", "Progress", "Search"]
