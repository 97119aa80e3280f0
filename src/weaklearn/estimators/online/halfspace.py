"""What classifiers by one score share: labels by its sign, and scores of a halfspace."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ...engines import on_threads
from ...online.kernels import Points

Floats = NDArray[np.float64]


class BySign:
    """``predict`` by a score; more than two classes are refused at fit."""

    classes_: NDArray[Any]

    @abstractmethod
    def decision_function(self, X: Any) -> Floats:
        """The score of each row, above 0 for ``classes_[1]``."""

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row; that of a score of 0 is ``classes_[0]``."""
        above = self.decision_function(X) > 0
        return np.asarray(self.classes_[above.astype(np.intp) * (len(self.classes_) - 1)])

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


def halfspace_scores(rows: Points, w: Floats, constant: float, threads: int) -> Floats:
    """w.x + constant of every row."""
    products: Floats = on_threads(threads).svm.rows(rows).along(w, threads)
    return products + constant
