"""Who watches, and who stops."""

from .early_stopping import EarlyStopping, Patience, Tally
from .progress import Progress
from .search import Search

__all__ = ["EarlyStopping", "Patience", "Progress", "Search", "Tally"]
