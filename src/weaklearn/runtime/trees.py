"""Trees, forests, and sums of trees or of functions."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ..files.check import either, instance
from ..files.game import ADDITIVE, GROVE
from ..files.loss import LOSSES
from ..files.term import TERM_SUM
from ..files.tree import TREE
from ..losses.links import numbers_of
from ..persistence import whole_model
from ..prediction import averages, sums, trees
from .model import Classifier, Model, columns, labels


class TreeRegressor(Model):
    """One tree of numbers."""

    _needed = {"_schema": columns, "tree_": instance(TREE.home)}
    _whole = whole_model.one_tree
    _values = trees.leaf_values

    def predict(self, X: Any) -> NDArray[Any]:
        """The number of each row."""
        return self._values(X)[:, 0]


class TreeClassifier(Classifier):
    """One tree of classes."""

    _needed = TreeRegressor._needed | {"classes_": labels}
    _whole = whole_model.one_tree
    _values = trees.leaf_values
    predict_proba = trees.predict_proba
    predict = trees.predict


class ForestRegressor(Model):
    """An average of trees of numbers."""

    _needed = {"_schema": columns, "trees_": instance(GROVE.home)}
    _whole = whole_model.forest
    _average = averages.forest_average

    def predict(self, X: Any) -> NDArray[Any]:
        """The number of each row."""
        return self._average(X)[:, 0]


class ForestClassifier(Classifier):
    """An average of shares of classes."""

    _needed = ForestRegressor._needed | {"classes_": labels}
    _whole = whole_model.forest
    _average = averages.forest_average
    predict_proba = averages.predict_proba
    predict = averages.predict


class SumRegressor(Model):
    """A sum that has descended a loss of numbers."""

    _needed = {
        "_schema": columns,
        "ensemble_": either(ADDITIVE.home, TERM_SUM.home),
        "_loss": either(*(record.home for record in LOSSES)),
    }
    _whole = whole_model.outputs_of_loss
    _scores = sums.scores

    def predict(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """The number for each row, ``offset`` added to its score; of several quantiles, a column
        each.
        """
        return numbers_of(self._loss, self._scores(X, offset))


class SumClassifier(Classifier):
    """A sum that has descended a loss of classes."""

    _needed = SumRegressor._needed | {"classes_": labels}
    _whole = whole_model.scores_of_classes
    _scores = sums.scores
    decision_function = sums.decision_function
    predict = sums.predict
    predict_proba = sums.predict_proba
