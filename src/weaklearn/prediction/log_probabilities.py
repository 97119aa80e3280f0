"""Logarithms of probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def predict_log_proba(self: Any, X: Any) -> NDArray[np.float64]:
    """The logarithm of the probabilities."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(self.predict_proba(X)))
