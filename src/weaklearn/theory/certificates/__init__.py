"""Theorems applied to the record of a fit: certificates with bounds and assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy_names import lazy_names

if TYPE_CHECKING:
    from .held_out import Held
    from .theorem import Evidence

__all__ = ["Evidence", "Held"]

__getattr__ = lazy_names(__name__, {"Evidence": "theorem", "Held": "held_out"})
