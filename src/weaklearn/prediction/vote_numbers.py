"""Numbers by a vote, after all members or after each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base.types import Floats


def predict(self: Any, X: Any) -> Floats:
    """The number of each row."""
    rows = self._rows(X)
    return np.asarray(self._prediction(np.asarray(self.ensemble_(rows))))


def staged_predict(self: Any, X: Any) -> Iterator[Floats]:
    """The numbers after 1, 2, ... members."""
    rows = self._rows(X)
    for F in self.ensemble_.stages(rows):
        yield self._prediction(F)
