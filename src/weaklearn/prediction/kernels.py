"""Scores by a halfspace, or by a sum of kernels with examples that were kept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import row_number
from ..base.offered import fact
from ..engines import on_threads, resolve_threads
from ..online.kernels import KernelSum


def decision_function(self: Any, X: Any) -> NDArray[np.float64]:
    """The score of each row, above 0 for ``classes_[1]``."""
    points, threads = self._points(X), resolve_threads(self.n_jobs)
    if fact(self, "coef_") is None:
        score = KernelSum(self._kernel, self.support_vectors_, self.dual_coef_)
        return _sound(score.scores(points, threads))
    w = np.ascontiguousarray(self.coef_[0], np.float64)
    products: NDArray[np.float64] = on_threads(threads).svm.rows(points).along(w, threads)
    return _sound(products + float(self.intercept_[0]))


def _sound(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores, those beyond the largest float as that; refused where a row has none."""
    bad = np.flatnonzero(np.isnan(scores))
    if len(bad):
        raise ValueError(
            f"Input X contains values too large: row {row_number(bad[0])} has no score; scale "
            "the columns."
        )
    most = np.finfo(np.float64).max
    return np.asarray(np.clip(scores, -most, most))
