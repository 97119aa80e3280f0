"""Classes by scores that have descended a loss; ``offset`` is a known score of every row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base.loss import CLASSES, Loss
from ..base.types import Floats
from ..intake.offset import read_offset
from ..losses.links import decide, of_sums
from .rows import by_threshold


def decision_function(self: Any, X: Any, offset: Any = None) -> Floats:
    """F: (n,) for two classes (above 0: ``classes_[1]``), else (n, K)."""
    F: Floats = self._scores(X, offset)
    return F[:, 0] if F.shape[1] == 1 else F


def staged_decision_function(self: Any, X: Any) -> Iterator[Floats]:
    """F after 1, 2, ... rounds."""
    for F in self._staged_scores(X):
        yield F[:, 0] if F.shape[1] == 1 else F


def predict(self: Any, X: Any, offset: Any = None) -> Any:
    """The label of each row; a table of 0 and 1, as y was, where rows may have several."""
    F = self.decision_function(X, offset)
    return labels(self, F) if self._threshold is None else by_threshold(self, F)


def staged_predict(self: Any, X: Any) -> Iterator[Any]:
    """The labels after 1, 2, ... rounds."""
    for F in self.staged_decision_function(X):
        yield labels(self, F)


def labels(self: Any, F: Floats) -> Any:
    """The labels of scores."""
    if self._indicator is not None:
        return self._written(F)
    return np.asarray(self.classes_[decide(F, len(self.classes_))])


def predict_proba(self: Any, X: Any, offset: Any = None) -> Floats:
    """The probability of each class, in the order of ``classes_``.

    Where rows may have several labels, that of each label by itself.
    """
    return probabilities(self, self._scores(X, offset))


def staged_predict_proba(self: Any, X: Any) -> Iterator[Floats]:
    """The probabilities after 1, 2, ... rounds."""
    for F in self._staged_scores(X):
        yield probabilities(self, F)


def probabilities(self: Any, F: Floats) -> Floats:
    """The probabilities of scores, by the link of the loss."""
    return of_sums(self._loss, F, len(self.classes_))


def scores(self: Any, X: Any, offset: Any = None) -> Floats:
    """F on rows, (n, outputs)."""
    rows = self._rows(X)
    F: Floats = self.ensemble_(rows)
    known = known_scores(self, offset, len(rows))
    return F if known is None else F + known[:, None]


def known_scores(self: Any, offset: Any, n: int) -> Floats | None:
    """The offset of n rows, (n,)."""
    if offset is None:
        return None
    refuse_offset(self._loss)
    return read_offset(offset, n, "offset")


def refuse_offset(loss: Loss) -> None:
    """An offset is added to one score a row."""
    if loss.target == CLASSES:
        raise ValueError(
            f"offset is given, and y holds {loss.n_outputs} classes: it is for two classes and for "
            "numbers."
        )
    if loss.n_targets > 1:
        raise ValueError(
            f"offset is given, and y holds {loss.n_targets} targets: it is for one; fit a model "
            "for each."
        )


def probability_at(self: Any, score: float) -> float:
    """The probability of ``classes_[1]`` at a score, by the link of the loss."""
    return float(probabilities(self, np.array([[score]]))[0, 1])
