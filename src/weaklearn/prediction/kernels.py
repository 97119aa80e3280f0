"""Scores by a halfspace, or by a sum of kernels with examples that were kept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engines import on_threads, resolve_threads
from ..online.kernels import KernelSum


def decision_function(self: Any, X: Any) -> NDArray[np.float64]:
    """The score of each row, above 0 for ``classes_[1]``."""
    points, threads = self._points(X), resolve_threads(self.n_jobs)
    if not hasattr(self, "coef_"):
        score = KernelSum(self._kernel, self.support_vectors_, self.dual_coef_)
        return score.scores(points, threads)
    w = np.ascontiguousarray(self.coef_[0], np.float64)
    products: NDArray[np.float64] = on_threads(threads).svm.rows(points).along(w, threads)
    return products + float(self.intercept_[0])
