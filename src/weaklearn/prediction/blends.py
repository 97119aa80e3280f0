"""Classes and numbers by the weighted sum of what several models answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.warnings import suppressed_warnings
from ..base.types import Floats
from ..losses.links import decide
from .rows import by_threshold, classes_of
from .vote_links import of_votes


def scores_of(model: Any, method: str, X: Any) -> Floats:
    """What a model answers by a method, (n, outputs); of the shares of two classes the second."""
    F = np.asarray(getattr(model, method)(X), np.float64)
    if F.ndim == 1:
        return F[:, None]
    return F[:, 1:] if method == "predict_proba" and F.shape[1] == 2 else F


def scores(self: Any, X: Any) -> Floats:
    """F on rows, (n, outputs): what the models answer, each by its factor, and the intercept."""
    rows = self._rows(X)
    F: Floats = np.tile(self.intercept_, (len(rows), 1))
    if len(F) == 0:  # which some models refuse
        return F
    with suppressed_warnings():  # of single models: reading X has warned
        parts = zip(self.estimators_, self.factors_.tolist(), self._methods, strict=True)
        for model, factor, method in parts:
            if factor:
                F += factor * scores_of(model, method, rows.raw)
    return F


def decision_function(self: Any, X: Any) -> Floats:
    """F: log-odds, (n,), of two classes (above 0: ``classes_[1]``), else (n, K)."""
    F = scores(self, X)
    return F[:, 0] if F.shape[1] == 1 else F


def predict(self: Any, X: Any) -> NDArray[Any]:
    """The label of each row, or the number."""
    if classes_of(self) is None:
        return np.asarray(scores(self, X)[:, 0])
    F = decision_function(self, X)
    if self._threshold is not None:
        return by_threshold(self, F)
    return np.asarray(self.classes_[decide(F, len(self.classes_))])


def predict_proba(self: Any, X: Any) -> Floats:
    """The probability of each class, in the order of ``classes_``."""
    F = decision_function(self, X)
    if len(self.classes_) == 1:
        return np.ones((len(F), 1))
    return of_votes(F / 2 if F.ndim == 1 else F, "blend")


def probability_at(self: Any, score: float) -> float:
    """The probability of ``classes_[1]`` at log-odds."""
    return float(of_votes(np.array([score / 2]), "blend")[0, 1])
