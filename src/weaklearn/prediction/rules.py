"""Classes by one conjunction of tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def decision_function(self: Any, X: Any) -> NDArray[np.float64]:
    """The confidence where the rule holds, and 0 elsewhere."""
    rows = self._rows(X)
    return np.asarray(self.confidence_ * self.rule_.covers(rows), np.float64)
