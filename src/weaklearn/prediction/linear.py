"""Classes by linear scores, or those of a circuit, of weights learnt one example at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.exponential import sigmoid
from ..base.types import Floats
from ..engines import choose
from .signs import labels_where


def weights(self: Any) -> Floats:
    """The weights that predict: their average, where one is kept, or the best of a pass."""
    state = self._standing
    if state.drift is None:
        return np.asarray(state.w)
    return np.asarray(state.average if self._pocket is None else self._pocket)


def scores(self: Any, X: Any) -> Floats:
    """The scores of each row, (n, 1) for two classes and else (n, K)."""
    rows = self._lines_to_predict(X)
    linear = choose(self.n_jobs).linear
    found: Floats = linear.scores(
        linear.rows(rows, self._standing.constant), self._standing.units, self._answer
    )
    self._refuse_unsound(rows, found)
    return found


def decision_function(self: Any, X: Any) -> Floats:
    """The score of each row for ``classes_[1]``; for more than two classes one column each."""
    found: Floats = self._scores(X)
    return found[:, 0] if found.shape[1] == 1 else found


def predict(self: Any, X: Any) -> NDArray[Any]:
    """The label of each row: that of the greatest score, ``classes_[0]`` for a lone 0."""
    return labels(self, self._scores(X))


def labels(self: Any, found: Floats) -> NDArray[Any]:
    """The labels of scores."""
    if found.shape[1] > 1:
        return np.asarray(self.classes_[found.argmax(axis=1)])
    return labels_where(found[:, 0] > 0, self.classes_)


def predict_proba(self: Any, X: Any) -> Floats:
    """The probability of each class: 1/(1 + exp(-f)); for more than two, shares of these."""
    F: Floats = self._scores(X)
    if len(self.classes_) == 1:
        return np.ones((len(F), 1))
    found = sigmoid(F)
    if F.shape[1] == 1:
        return np.hstack([1 - found, found])
    found += np.finfo(np.float64).tiny  # where all of them vanish, they are shared alike
    return np.asarray(found / found.sum(axis=1, keepdims=True))
