"""Callbacks of a fit: progress and early stopping."""

from .early_stopping import EarlyStopping, Patience, Tally
from .progress import Progress, Search

__all__ = ["EarlyStopping", "Patience", "Progress", "Search", "Tally"]
