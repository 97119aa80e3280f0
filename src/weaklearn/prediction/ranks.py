"""Scores by which the items of a query are put in order."""

from __future__ import annotations

from typing import Any

from ..base.types import Floats


def predict(self: Any, X: Any) -> Floats:
    """The score of each item: within its query, the higher, the further up."""
    F: Floats = self._scores(X)
    return F[:, 0]
