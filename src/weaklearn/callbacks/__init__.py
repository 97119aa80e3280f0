"""Who watches, and who stops."""

from .early_stopping import EarlyStopping
from .progress import Progress

__all__ = ["EarlyStopping", "Progress"]
