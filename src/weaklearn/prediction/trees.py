"""Classes by one tree, and the values that any tree has for rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.trees.packed import answers_of, packed_once
from ..base.types import Floats
from .outputs import labels_by_output, shares_by_output
from .rows import by_threshold, share_difference


def leaf_values(self: Any, X: Any) -> Floats:
    """The value where each row ends up; the mean over leaves for a row of several."""
    rows = self._rows(X)
    values: Floats = packed_once(self.tree_, rows).sum(rows.cells, rows.engine.threads)
    return values


def predict_proba(self: Any, X: Any) -> Any:
    """The shares of the classes at each row's leaf, in the order of ``classes_``.

    Of several outputs a list, an array each.
    """
    values: Floats = self._values(X)
    if isinstance(self.classes_, list):
        return shares_by_output(self.classes_, values)
    if len(self.classes_) == 1:
        return np.ones((len(values), 1))
    return np.minimum(values, 1.0)  # the parts of a row sum to one but for rounding


def predict(self: Any, X: Any) -> NDArray[Any]:
    """The class of the largest share; of two in equal shares the second, of more the first.

    Of several outputs a column each.
    """
    if self._threshold is not None:
        return by_threshold(self, share_difference(predict_proba(self, X)))
    values = self._values(X)
    if isinstance(self.classes_, list):
        return labels_by_output(self.classes_, values, _chosen)
    return np.asarray(self.classes_[class_numbers(values, len(self.classes_))])


def _chosen(shares: Floats) -> NDArray[np.intp]:
    return class_numbers(shares, shares.shape[1])


def class_numbers(values: Floats, n_classes: int) -> NDArray[np.intp]:
    """The class of each row of shares, by its number."""
    answers = answers_of(values, n_classes)
    if n_classes > 2:
        return answers
    return np.asarray(answers > 0).astype(np.intp) * (n_classes - 1)
