"""Trees, forests, and sums of trees or of functions."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ..files.check import either, instance, need
from ..files.game import ADDITIVE, GROVE
from ..files.loss import LOSSES
from ..files.member import check_shares
from ..files.term import TERM_SUM
from ..files.tree import TREE
from ..losses.links import numbers_of
from ..prediction import averages, sums, trees
from .model import Classifier, Model, columns, labels


class TreeRegressor(Model):
    """One tree of numbers."""

    tree_: Any
    _needed = {"_schema": columns, "tree_": instance(TREE.home)}
    _values = trees.leaf_values

    def _check(self) -> None:
        super()._check()
        need(self.tree_.n_outputs == 1, f"a tree of numbers has {self.tree_.n_outputs} outputs")

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
        need(self.tree_.n_outputs == self._K, f"a tree has {self.tree_.n_outputs} outputs")
        check_shares(self.tree_)


class ForestRegressor(Model):
    """An average of trees of numbers."""

    trees_: Any
    _needed = {"_schema": columns, "trees_": instance(GROVE.home)}
    _average = averages.forest_average

    def _check(self) -> None:
        super()._check()
        _check_trees(self.trees_, 1)

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
        _check_trees(self.trees_, self._K)
        for tree in self.trees_:
            check_shares(tree)


def _check_trees(forest: Any, n_outputs: int) -> None:
    need(len(forest) > 0, "there is no tree")
    for tree in forest:
        need(tree.n_outputs == n_outputs, f"a tree has {tree.n_outputs} outputs")


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

    def _check(self) -> None:
        super()._check()
        outputs = self.ensemble_.n_outputs
        need(outputs == self._loss.n_outputs, f"the loss has not {outputs} outputs")

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
