"""A model of lists of candidates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..prediction import rerank
from .model import Model


class Reranker(Model):
    """Scores of candidates by what they show."""

    _reads = "candidates"
    _schema: Any = None

    decision_function = rerank.decision_function

    def predict(self, X: Any) -> NDArray[np.int64]:
        """The number of the best candidate of each list."""
        return rerank.predict(self, X)
