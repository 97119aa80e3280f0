"""Checks of parts that others write."""

from .loss import check_loss

__all__ = ["check_loss"]
