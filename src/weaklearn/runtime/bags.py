"""Averages of whole models."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.warnings import suppressed_warnings
from ..base.types import Floats
from ..files.check import need
from ..prediction import averages, outputs
from ..prediction.outputs import class_names
from . import later
from .model import Model


class OfModels(Model):
    """What is made of whole models."""

    estimators_: list[Any]

    def _restore(self) -> None:
        need(self.estimators_, "there is no member")
        self.estimators_ = [later.model_of(member) for member in self.estimators_]


class BagRegressor(OfModels):
    """An average of numbers."""

    def _reading(self) -> tuple[str, bool]:
        need(self.estimators_, "there is no member")
        base = self.estimators_[0]
        return ("error" if "error" in (base.missing, base.unseen) else "missing"), (
            base.missing == "error"
        )

    def _average(self, X: Any) -> Floats:
        n = len(self._rows(X))
        if n == 0:
            return np.zeros((0, self._n_outputs))
        with suppressed_warnings():  # of single bags: reading all of X has warned
            return averages.mean(
                self._answer(member, self._part(X, places))
                for member, places in zip(self.estimators_, self.estimators_features_, strict=True)
            )

    @property
    def _n_outputs(self) -> int:
        return outputs.n_outputs(self)

    def _part(self, X: Any, places: NDArray[Any]) -> Any:
        """Some columns of X; X itself where that is all of them, or where columns have names."""
        named = isinstance(X, dict) or (isinstance(X, (list, tuple)) and isinstance(X[0], dict))
        if len(places) == self._schema.n_features or named:
            return X
        if isinstance(X, np.ndarray):
            return X[:, places]
        return [[row[j] for j in places.tolist()] for row in X]

    def _answer(self, member: Any, X: Any) -> Floats:
        return averages.member_numbers(member, X)

    def predict(self, X: Any) -> NDArray[Any]:
        """The average of the members' numbers; of several outputs a column each."""
        return outputs.numbers(self._average(X))


class BagClassifier(BagRegressor):
    """An average of probabilities, or of votes."""

    predict_proba = averages.predict_proba
    predict = averages.predict
    decision_function = averages.decision_function

    @property
    def _n_outputs(self) -> int:
        return sum(map(len, class_names(self)))

    def _answer(self, member: Any, X: Any) -> Floats:
        return averages.member_shares(member, X, self.classes_)
