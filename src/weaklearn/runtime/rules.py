"""Models of one rule."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files.check import instance, integer, need, real
from ..files.readable import RULE
from ..files.stump import STUMP
from ..intake.missing import refuse_gaps
from ..losses.links import stump_answers
from .model import Classifier, Floats, columns, labels, numbers


class StumpClassifier(Classifier):
    """One stump."""

    stump_: Any
    _needed = {"_schema": columns, "classes_": labels, "stump_": instance(STUMP.home)}

    def _answers(self, X: Any) -> NDArray[np.int64]:
        rows = self._rows(X)
        return np.asarray(self.stump_(rows))

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row."""
        return np.asarray(self.classes_[stump_answers(self.classes_, self._answers(X))])

    def decision_function(self, X: Any) -> Floats:
        """-1, 0 or +1 for two classes; for more, 1 in the column of the answer."""
        answers = self._answers(X)
        if self._K <= 2:
            return answers.astype(np.float64)
        return np.asarray(answers[:, None] == np.arange(self._K), np.float64)


class RuleClassifier(Classifier):
    """One conjunction of tests."""

    rule_: Any
    confidence_: float
    _needed = {
        "_schema": columns,
        "classes_": labels,
        "rule_": instance(RULE.home),
        "confidence_": real(),
    }

    def decision_function(self, X: Any) -> Floats:
        """The confidence where the rule holds, and 0 elsewhere."""
        rows = self._rows(X)
        return np.asarray(self.confidence_ * self.rule_.covers(rows), np.float64)

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row."""
        return self._labels(self.decision_function(X) > 0)


class ThresholdClassifier(Classifier):
    """One threshold on one column of numbers."""

    feature_: int
    threshold_: float
    _needed = {
        "_schema": numbers,
        "classes_": labels,
        "feature_": integer(),
        "threshold_": real(),
    }

    def _check(self) -> None:
        super()._check()
        need(self.feature_ < self._schema.n_features, "feature_ is no column")
        self._check_two()

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row."""
        rows = self._rows(X)
        refuse_gaps(rows, self._schema, "a threshold rule")
        return self._labels(rows.column(self.feature_) >= self.threshold_)
