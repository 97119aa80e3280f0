"""Stumps, rules, trees, forests, and sums of trees or of functions."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from numpy.typing import NDArray

from ..losses.links import numbers_of
from ..prediction import averages, outputs, ranks, rules, signs, stumps, sums, survival, trees
from ..prediction.rows import written
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


class SumRegressor(Model):
    """A sum that has descended a loss of numbers."""

    _edits = ()
    _ensemble = property(attrgetter("ensemble_"))
    _scores = sums.scores

    def predict(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """The number for each row, ``offset`` added to its score; of several quantiles, a column
        each.
        """
        return numbers_of(self._loss, self._scores(X, offset))

    predict_survival = survival.predict_survival


class SumRanker(Model):
    """A sum that puts the items of queries in order."""

    _ensemble = property(attrgetter("ensemble_"))
    _scores = sums.scores
    predict = ranks.predict


class SumClassifier(Model):
    """A sum that has descended a loss of classes."""

    _edits = ()
    _ensemble = property(attrgetter("ensemble_"))
    _scores = sums.scores
    decision_function = sums.decision_function
    predict = sums.predict
    predict_proba = sums.predict_proba
    _written = written
