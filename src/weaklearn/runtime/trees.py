"""Stumps, rules, trees and forests."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ..prediction import averages, outputs, rules, signs, stumps, trees
from .model import Model


class StumpClassifier(Model):
    """One stump."""

    _answers = stumps.answers
    predict = stumps.predict
    decision_function = stumps.decision_function


class RuleClassifier(Model):
    """One conjunction of tests."""

    decision_function = rules.decision_function
    predict = signs.predict


class TreeRegressor(Model):
    """One tree of numbers."""

    _tree_holder = "tree_"
    _values = trees.leaf_values

    def predict(self, X: Any) -> NDArray[Any]:
        """The number of each row; of several outputs a column each."""
        return outputs.numbers(self._values(X))


class TreeClassifier(Model):
    """One tree of classes."""

    _tree_holder = "tree_"
    _values = trees.leaf_values
    predict_proba = trees.predict_proba
    predict = trees.predict


class ForestRegressor(Model):
    """An average of trees of numbers."""

    _tree_holder = "trees_"
    _average = averages.forest_average

    def predict(self, X: Any) -> NDArray[Any]:
        """The number of each row; of several outputs a column each."""
        return outputs.numbers(self._average(X))


class ForestClassifier(Model):
    """An average of shares of classes."""

    _tree_holder = "trees_"
    _average = averages.forest_average
    predict_proba = averages.predict_proba
    predict = averages.predict
