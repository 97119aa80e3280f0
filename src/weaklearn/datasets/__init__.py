"""Small data sets to learn from."""

from .toy import toy

__all__ = ["toy"]
