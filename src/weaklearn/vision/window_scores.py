"""What a classifier of windows predicts: functions that estimator and runtime have as methods."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Floats
from ..engines import choose
from .boosting import scores_of
from .pixels import windows_of


def decision_function(self: Any, X: Any) -> Floats:
    """F: the weighted vote of each window; above b the class is ``classes_[1]``."""
    windows = self._windows(X)
    return scores_of(self.cascade_, windows, choose(self.n_jobs))[:, 0]


def windows_to_score(self: Any, X: Any) -> NDArray[Any]:
    """The windows to score, of the size of training."""
    return windows_of("X", X, (self.cascade_.height, self.cascade_.width))


def predict(self: Any, X: Any) -> NDArray[Any]:
    """The label of each window."""
    above = self.decision_function(X) > self.b
    return np.asarray(self.classes_[above.astype(np.intp)])
