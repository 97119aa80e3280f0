"""Trees, forests, and sums of trees or of functions."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ..files.check import either, instance, need
from ..files.game import ADDITIVE, GROVE
from ..files.loss import LOSSES
from ..files.term import TERM_SUM
from ..files.tree import TREE
from ..losses.links import numbers_of
from ..persistence.whole_model import outputs_of_loss, tree_outputs
from ..prediction import averages, sums, trees
from .model import Classifier, Model, columns, labels


class TreeRegressor(Model):
    """One tree of numbers."""

    tree_: Any
    _needed = {"_schema": columns, "tree_": instance(TREE.home)}
    _values = trees.leaf_values

    def _check(self) -> None:
        super()._check()
        tree_outputs([self.tree_], 0)

    def predict(self, X: Any) -> NDArray[Any]:
        """The number of each row."""
        return self._values(X)[:, 0]


class TreeClassifier(Classifier):
    """One tree of classes."""

    tree_: Any
    _needed = {"_schema": columns, "classes_": labels, "tree_": instance(TREE.home)}
    _values = trees.leaf_values
    predict_proba = trees.predict_proba
    predict = trees.predict

    def _check(self) -> None:
        super()._check()
        tree_outputs([self.tree_], self._K)


class ForestRegressor(Model):
    """An average of trees of numbers."""

    trees_: Any
    _needed = {"_schema": columns, "trees_": instance(GROVE.home)}
    _average = averages.forest_average

    def _check(self) -> None:
        super()._check()
        need(len(self.trees_) > 0, "there is no tree")
        tree_outputs(self.trees_, 0)

    def predict(self, X: Any) -> NDArray[Any]:
        """The number of each row."""
        return self._average(X)[:, 0]


class ForestClassifier(Classifier):
    """An average of shares of classes."""

    trees_: Any
    _needed = {"_schema": columns, "classes_": labels, "trees_": instance(GROVE.home)}
    _average = averages.forest_average
    predict_proba = averages.predict_proba
    predict = averages.predict

    def _check(self) -> None:
        super()._check()
        need(len(self.trees_) > 0, "there is no tree")
        tree_outputs(self.trees_, self._K)


class SumRegressor(Model):
    """A sum that has descended a loss of numbers."""

    ensemble_: Any
    _loss: Any
    _needed = {
        "_schema": columns,
        "ensemble_": either(ADDITIVE.home, TERM_SUM.home),
        "_loss": either(*(record.home for record in LOSSES)),
    }
    _scores = sums.scores
    _whole = outputs_of_loss

    def predict(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """The number for each row; with several quantiles, a column each."""
        return numbers_of(self._loss, self._scores(X, offset))


class SumClassifier(SumRegressor, Classifier):
    """A sum that has descended a loss of classes."""

    _needed = SumRegressor._needed | {"classes_": labels}
    decision_function = sums.decision_function
    predict = sums.predict
    predict_proba = sums.predict_proba

    def _check(self) -> None:
        super()._check()
        K = self._K if self._K > 2 else 1
        need(self.ensemble_.n_outputs == K, f"{self._K} classes have not {K} scores")
