"""Averages of classes, and of numbers."""

from __future__ import annotations

from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin

from ...base.numeric.magnitude import SQUARED, TINY
from ...base.offered import fact
from ...base.types import Floats
from ...intake.label_kind import score_of_labels
from ...prediction import averages
from ...prediction.outputs import numbers
from ...prediction.rows import predict_log_proba
from ...uncertainty.conformal import IntervalPrediction, SetPrediction, no_bags
from .. import thresholds
from .averaged_ensemble import Averaging
from .several_outputs import (
    all_right,
)


class ClassAverage(SetPrediction, ClassifierMixin, Averaging):
    """Averages of class shares, or of votes."""

    tune_threshold, set_threshold = thresholds.tune_threshold, thresholds.set_threshold
    threshold_, _binary_scores = property(thresholds.given_threshold), thresholds.share_scores
    _probability_at = thresholds.of_difference

    oob_decision_function_: Floats
    _oob_name = "oob_decision_function_"
    predict_proba = averages.predict_proba
    predict = averages.predict
    predict_log_proba = predict_log_proba
    score = score_of_labels

    def predict_std(self, X: Any) -> Any:
        """How much the members differ: the standard deviation of their shares of ``classes_[1]``.

        For more than two classes one column a class; of several outputs a list.
        """
        spread = self._spread(X)
        if isinstance(self.classes_, list):
            parts = np.split(spread, np.cumsum(self.n_classes_)[:-1], axis=1)
            return [part[:, -1] if part.shape[1] <= 2 else part for part in parts]
        return spread[:, -1] if len(self.classes_) <= 2 else spread

    def _label_scores(self, X: Any) -> Floats:
        return np.asarray(1 - averages.shares(self, X))  # as they are out of bag

    def _unseen_label_scores(self) -> Floats:
        if fact(self, self._oob_name) is None:
            raise no_bags(self)
        return np.asarray(1 - self.oob_decision_function_)

    def _decided(self, average: Floats, classes: NDArray[Any]) -> NDArray[Any]:
        return averages.largest(average, classes)

    def _scored(self, y: NDArray[Any], predicted: NDArray[Any], weights: Floats) -> float:
        if y.ndim == 2:
            return all_right(y, predicted, weights)
        return fsum(weights[predicted == y]) / fsum(weights)


class NumberAverage(IntervalPrediction, RegressorMixin, Averaging):
    """Averages of numbers."""

    _oob_name = "oob_prediction_"

    def predict(self, X: Any) -> Floats:
        """The average of the members' numbers; of several outputs a column each."""
        return numbers(self._average(X))

    def predict_std(self, X: Any) -> Floats:
        """How much the members differ: the standard deviation of their numbers."""
        return numbers(self._spread(X))

    def _decided(self, average: Floats, classes: NDArray[Any]) -> NDArray[Any]:
        return numbers(average)

    def _scored(self, y: NDArray[Any], predicted: NDArray[Any], weights: Floats) -> float:
        """R^2: 1 minus the squared error over that of the mean; of several outputs their mean."""
        if y.ndim == 2:
            each = [self._scored(*pair, weights) for pair in zip(y.T, predicted.T, strict=True)]
            return fsum(each) / len(each)
        if len(y) and np.abs(y).max() > SQUARED:
            y, predicted = y * TINY, predicted * TINY
        mean = fsum(weights * y) / fsum(weights)
        left, spread = fsum(weights * (y - predicted) ** 2), fsum(weights * (y - mean) ** 2)
        return 1 - left / spread if spread > 0 else float(left == 0)
