"""Classes by one stump."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..losses.links import stump_answers


def answers(self: Any, X: Any) -> NDArray[np.int64]:
    """What the stump answers to each row."""
    rows = self._rows(X)
    return np.asarray(self.stump_(rows))


def predict(self: Any, X: Any) -> NDArray[Any]:
    """The label of each row."""
    found = self._answers(X)
    return np.asarray(self.classes_[stump_answers(self.classes_, found)])


def decision_function(self: Any, X: Any) -> NDArray[np.float64]:
    """-1, 0 or +1 for two classes; for more, 1 in the column of the answer."""
    found: NDArray[np.int64] = self._answers(X)
    if len(self.classes_) <= 2:
        return found.astype(np.float64)
    return np.asarray(found[:, None] == np.arange(len(self.classes_)), np.float64)
