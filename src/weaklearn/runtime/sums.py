"""Sums of trees or of functions that have descended a loss."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from numpy.typing import NDArray

from ..losses.links import numbers_of
from ..prediction import ranks, sums, survival
from ..prediction.rows import written
from .model import Model


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
