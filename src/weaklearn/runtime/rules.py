"""Models of one rule."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..estimators.array_table import labeller
from ..estimators.probability import stump_answers
from ..files.check import instance, need, real, whole
from ..files.readable import RULE
from ..files.stump import STUMP
from .model import Classifier, Floats, columns, labels


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
        above = self.decision_function(X) > 0
        return np.asarray(self.classes_[above.astype(np.intp) * (self._K - 1)])


class ThresholdClassifier(Classifier):
    """One threshold on one column of numbers."""

    feature_: int
    threshold_: float
    _needed = {
        "_schema": columns,
        "classes_": labels,
        "feature_": whole(),
        "threshold_": real(),
    }

    def _check(self) -> None:
        super()._check()
        need(self.feature_ < self._schema.n_features, "feature_ is no column")
        need(self._K <= 2, "there are more than two classes")
        need(not self._schema.special, "a column holds no numbers")

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row."""
        rows = self._rows(X)
        for j in range(self._schema.n_features):
            gaps = np.flatnonzero(np.isnan(rows.column(j)))
            if len(gaps):
                raise ValueError(
                    f"Input X contains NaN: row {gaps[0]}, {labeller(self._schema.names)(j)} is "
                    "missing, and a threshold rule needs a number there; fill it in."
                )
        above = rows.column(self.feature_) >= self.threshold_
        return np.asarray(self.classes_[above.astype(np.intp) * (self._K - 1)])
