"""Classes by the average of what members answer: shares of classes, or votes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.offered import fact, offers
from ..base.types import Floats
from ..losses.links import powers_of_shares
from .outputs import labels_by_output, shares_by_output
from .rows import by_threshold, share_difference


def predict_proba(self: Any, X: Any) -> Any:
    """The probability of each class, in the order of ``classes_``: its average share, calibrated
    where the fit has found how. Of several outputs a list.
    """
    calibration = fact(self, "calibration_")
    found = shares(self, X)
    return found if calibration is None else powers_of_shares(found, calibration.slope)


def shares(self: Any, X: Any) -> Any:
    """The average share of each class; of several outputs a list."""
    average: Floats = self._average(X)
    if isinstance(self.classes_, list):
        return shares_by_output(self.classes_, average)
    return np.minimum(average, 1.0)  # by rounding, a share may be more


def predict(self: Any, X: Any) -> NDArray[Any]:
    """The class of the largest average, the smallest on ties; of several outputs a column each."""
    if self._threshold is not None:
        return by_threshold(self, share_difference(predict_proba(self, X)))
    return largest(self._average(X), self.classes_)


def decision_function(self: Any, X: Any) -> Floats:
    """The average vote: in [-1, 1] for two classes (above 0: ``classes_[1]``), else (n, K)."""
    proba: Floats = self.predict_proba(X)
    if isinstance(self.classes_, list):
        raise AttributeError(
            f"decision_function is of one output a row, and this model has {len(self.classes_)}; "
            "use predict_proba."
        )
    return share_difference(proba) if len(self.classes_) == 2 else proba


def largest(average: Floats, classes: NDArray[Any] | list[NDArray[Any]]) -> NDArray[Any]:
    """The class of the largest average in each row."""
    if isinstance(classes, list):
        return labels_by_output(classes, average, lambda part: part.argmax(axis=1))
    return np.asarray(classes[average.argmax(axis=1)])


def mean(answers: Iterable[Floats]) -> Floats:
    """The mean of what members answer, summed in their order."""
    each = iter(answers)
    total, n = next(each), 1
    for answer in each:
        total, n = total + answer, n + 1
    return total / n


def forest_average(self: Any, X: Any) -> Floats:
    """The average over trees, (rows, outputs)."""
    rows = self._rows(X)
    return np.asarray(self.trees_.average(rows))


def member_shares(member: Any, X: Any, classes: Any) -> Floats:
    """What a classifier answers for each of the classes: its shares or probabilities, or its vote.

    Averages of averages are those of all members: what calibrates one of them is left out. Of
    several outputs, whose classes are a sequence, the shares of all are side by side.
    """
    several = isinstance(classes, (list, tuple))
    if not offers(member, "predict_proba"):
        labels = np.asarray(member.predict(X))
        pairs = zip(labels.T, classes, strict=True) if several else [(labels, classes)]
        return np.hstack([_voted(member, *pair) for pair in pairs])
    forest = fact(member, "trees_") is not None
    proba = shares(member, X) if forest else member.predict_proba(X)
    if not several:
        return _widened(proba, member.classes_, classes)
    if not (isinstance(proba, list) and len(proba) == len(classes)):
        name = type(member).__name__
        raise TypeError(
            f"{name} does not give a list with the probabilities of each of {len(classes)} "
            f"outputs; bag MultiOutputClassifier({name}(...)), or fit a model for each output."
        )
    parts = zip(proba, member.classes_, classes, strict=True)
    return np.hstack([_widened(*part) for part in parts])


def _widened(proba: Any, own: Any, classes: NDArray[Any]) -> Floats:
    """Probabilities of some classes as those of all."""
    proba = np.asarray(proba, np.float64)
    wide = np.zeros((len(proba), len(classes)))
    wide[:, np.searchsorted(classes, own)] = proba
    return wide


def _voted(member: Any, labels: NDArray[Any], classes: NDArray[Any]) -> Floats:
    """1 for the class that is predicted."""
    voted = np.asarray(labels[:, None] == classes)
    if np.count_nonzero(voted) < len(labels):
        row = int(np.argmin(voted.any(axis=1)))
        raise ValueError(
            f"{type(member).__name__} predicted {show(labels[row])} in row {row}, which is not "
            f"among the classes {classes.tolist()[:10]}; bagging needs a classifier."
        )
    return voted.astype(np.float64)


def member_numbers(member: Any, X: Any) -> Floats:
    """What a regressor answers, a column for each output."""
    numbers = np.asarray(member.predict(X), np.float64)
    if numbers.ndim not in (1, 2):
        raise ValueError(
            f"{type(member).__name__} predicted an array of shape {numbers.shape}; bagging needs "
            "one number a row, or a column for each output."
        )
    return numbers.reshape(len(numbers), -1)
