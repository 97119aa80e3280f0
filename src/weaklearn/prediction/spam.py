"""Ham or spam, by trained rules and by the experts that updates made."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Floats


def decision_function(self: Any, X: Any) -> Floats:
    """The score of each message by the trained rules; above 0 it is in favour of spam."""
    terms = self._terms(X)
    return np.asarray(self.model_.decision_function(terms))


def predict_proba(self: Any, X: Any) -> Floats:
    """The probabilities of ham and of spam.

    After updates the trained filter counts by the share of its expert, and each awake expert of
    a term by its own. ``predict`` follows the majority of verdicts, so that near the threshold
    the two may differ then.
    """
    terms = self._terms(X)
    found: Floats = self.model_.predict_proba(terms)
    if self._sleepers.t == 0:
        return found
    p = self._sleepers.probabilities(terms, found[:, 1], self.threshold_)
    return np.column_stack([1 - p, p])


def predict(self: Any, X: Any) -> NDArray[Any]:
    """The label of each message; after updates that of the weighted majority of experts."""
    terms = self._terms(X)
    p = self.model_.predict_proba(terms)[:, 1]
    return np.asarray(self.classes_[self._sleepers.labels(terms, p, self.threshold_)])
