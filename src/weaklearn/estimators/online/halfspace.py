"""What classifiers by one score share: labels by its sign, and a constant feature."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ...base.types import Floats
from ...online.points import Points
from ...prediction import signs


class BySign:
    """``predict`` by a score; more than two classes are refused at fit."""

    classes_: NDArray[Any]

    @abstractmethod
    def decision_function(self, X: Any) -> Floats:
        """The score of each row, above 0 for ``classes_[1]``."""

    predict = signs.predict

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags


def with_constant(rows: Points) -> Points:
    """Rows with a constant feature of 1 behind the others."""
    ones = np.ones((rows.shape[0], 1))
    if isinstance(rows, np.ndarray):
        return np.ascontiguousarray(np.hstack([rows, ones]))
    stacked: Any = sp.hstack([rows, sp.csr_array(ones)])
    return stacked.tocsr()
