"""The type of an utterance, or none where the best is not probable enough."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.types import Floats
from ..intake import parameters


def check_rejection(threshold: Any, other: Any) -> None:
    """Checks the probability below which an utterance is rejected, and the label it then has."""
    parameters.real("threshold", threshold, None, 1.0, least=0.0)
    if not isinstance(other, Hashable) or isinstance(other, tuple):
        raise ValueError(f"other={show(other)} is not allowed: it must be one label.")


def decision_function(self: Any, X: Any) -> Floats:
    """The score of every type; for two types that of the second."""
    rows = self._rows(X)
    return np.asarray(self.model_.decision_function(rows))


def predict_proba(self: Any, X: Any) -> Floats:
    """The probability of every type, in the order of ``classes_``."""
    rows = self._rows(X)
    return np.asarray(self.model_.predict_proba(rows))


def predict(self: Any, X: Any) -> NDArray[Any]:
    """The type of each utterance, or ``other`` where none is probable enough."""
    rows = self._rows(X)
    check_rejection(self.threshold, self.other)
    found = np.asarray(self.model_.predict(rows))
    unsure = best_probabilities(self, rows) < self.threshold
    if unsure.any():
        found = found.astype(object)
        found[unsure] = self.other
    return found


def best_probabilities(self: Any, rows: Any) -> Floats:
    """The probability of the best type."""
    return np.asarray(self.model_.predict_proba(rows).max(axis=1, initial=0.0))
