"""The boosting algorithms, one per file.

Their names come from the registry; ``__init__.pyi``, made by ``make stub``, lists them.
"""

from __future__ import annotations

from ..lazy_names import lazy_names
from ..registry import booster_homes

__all__ = sorted(booster_homes())

__getattr__ = lazy_names(__name__, booster_homes)
