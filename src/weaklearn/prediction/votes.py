"""Classes by a vote: scores, labels and probabilities, after all members or after each.

Rows may have several labels: then ``_indicator`` is not None, and ``_cut`` is the score above
which a row has a label.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base.types import Floats
from ..losses.links import ALL_PAIRS, decide, link_scale
from .rows import by_threshold
from .vote_links import of_each_label, of_votes, softmax


def decision_function(self: Any, X: Any) -> Floats:
    """F, the sum of the votes: (n,) for two classes (above 0: ``classes_[1]``), else (n, K)."""
    rows = self._rows(X)
    F = np.asarray(self.ensemble_(rows))
    return F if self._indicator is None else F - self._cut


def staged_decision_function(self: Any, X: Any) -> Iterator[Floats]:
    """F after 1, 2, ... members."""
    rows = self._rows(X)
    for F in self.ensemble_.stages(rows):
        yield F if self._indicator is None else F - self._cut


def predict(self: Any, X: Any) -> Any:
    """The label of each row, or an indicator matrix where rows may have several."""
    F = self.decision_function(X)
    return labels(self, F) if self._threshold is None else by_threshold(self, F)


def staged_predict(self: Any, X: Any) -> Iterator[Any]:
    """The labels after 1, 2, ... members."""
    for F in self.staged_decision_function(X):
        yield labels(self, F)


def predict_proba(self: Any, X: Any) -> Floats:
    """The probability of each class, in the order of ``classes_``."""
    F = self.decision_function(X)
    return probabilities(self, self.calibration_(F))


def staged_predict_proba(self: Any, X: Any) -> Iterator[Floats]:
    """The probabilities after 1, 2, ... members."""
    for F in self.staged_decision_function(X):
        yield probabilities(self, self.calibration_(F))


def labels(self: Any, F: Floats) -> Any:
    """The labels of scores."""
    if self._indicator is not None:
        return self._written(F)
    return np.asarray(self.classes_[decide(F, len(self.classes_))])


def probabilities(self: Any, F: Floats) -> Floats:
    """The probabilities of calibrated scores: of several labels each by itself, of wins a softmax.

    ``self._link_some`` has those of all other votes.
    """
    if self._indicator is not None:
        return of_each_label(F, link_scale(self._scheme, several=True))
    if len(self.classes_) == 1:
        return np.ones((len(F), 1))
    return np.asarray(softmax(F) if self._scheme == ALL_PAIRS else self._link_some(F))


def link_votes(self: Any, F: Floats) -> Floats:
    """1/(1 + exp(-2F)) for two classes, for more by the scheme."""
    return of_votes(self._odds * F, self._scheme, link_scale(self._scheme, several=False))


def probability_at(self: Any, score: float) -> float:
    """The probability of ``classes_[1]`` at a score of the vote."""
    return float(probabilities(self, self.calibration_(np.array([score])))[0, 1])
