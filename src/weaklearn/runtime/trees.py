"""Trees, forests, and sums of trees or of functions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files.check import either, instance, need
from ..files.game import ADDITIVE, GROVE
from ..files.loss import LOSSES
from ..files.member import check_shares
from ..files.term import TERM_SUM
from ..files.tree import TREE
from ..learners.tree import answers_of, packed_once
from ..losses import links
from ..losses.links import decide
from .model import Classifier, Floats, Model, columns, labels

_loss = either(*(record.home for record in LOSSES))


class _OneTree(Model):
    tree_: Any

    def _values(self, X: Any) -> Floats:
        rows = self._rows(X)
        values: Floats = packed_once(self.tree_, rows).sum(rows.cells, rows.engine.threads)
        return values


class TreeRegressor(_OneTree):
    """One tree of numbers."""

    _needed = {"_schema": columns, "tree_": instance(TREE.home)}

    def _check(self) -> None:
        super()._check()
        need(self.tree_.n_outputs == 1, f"a tree of numbers has {self.tree_.n_outputs} outputs")

    def predict(self, X: Any) -> NDArray[Any]:
        """The number of each row."""
        return self._values(X)[:, 0]


class TreeClassifier(_OneTree, Classifier):
    """One tree of classes."""

    _needed = {"_schema": columns, "classes_": labels, "tree_": instance(TREE.home)}

    def _check(self) -> None:
        super()._check()
        need(self.tree_.n_outputs == self._K, f"a tree has {self.tree_.n_outputs} outputs")
        check_shares(self.tree_)

    def predict_proba(self, X: Any) -> Floats:
        """The shares of the classes at each row's leaf, in the order of ``classes_``."""
        values = self._values(X)
        return values if self._K > 1 else np.ones((len(values), 1))

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of the largest share; of two in equal shares the second, of more the first."""
        answers = answers_of(self._values(X), self._K)
        if self._K <= 2:
            answers = np.asarray(answers > 0).astype(np.intp) * (self._K - 1)
        return np.asarray(self.classes_[answers])


class ForestRegressor(Model):
    """An average of trees of numbers."""

    trees_: Any
    _needed = {"_schema": columns, "trees_": instance(GROVE.home)}
    _outputs = 1

    def _check(self) -> None:
        super()._check()
        need(len(self.trees_) > 0, "there is no tree")
        for tree in self.trees_:
            need(tree.n_outputs == self._outputs, f"a tree has {tree.n_outputs} outputs")

    def predict(self, X: Any) -> NDArray[Any]:
        """The number of each row."""
        rows = self._rows(X)
        return np.asarray(self.trees_.average(rows)[:, 0])


class ForestClassifier(Classifier):
    """An average of shares of classes."""

    trees_: Any
    _needed = {"_schema": columns, "classes_": labels, "trees_": instance(GROVE.home)}

    def _check(self) -> None:
        super()._check()
        need(len(self.trees_) > 0, "there is no tree")
        for tree in self.trees_:
            need(tree.n_outputs == self._K, f"a tree has {tree.n_outputs} outputs")
            check_shares(tree)

    def predict_proba(self, X: Any) -> Floats:
        """The average share of each class, in the order of ``classes_``."""
        rows = self._rows(X)
        average: Floats = self.trees_.average(rows)
        return average

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of the largest average, the smallest on ties."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])


class _Sum(Model):
    ensemble_: Any
    _loss: Any

    def _check(self) -> None:
        super()._check()
        outputs = self.ensemble_.n_outputs
        need(outputs == self._loss.n_outputs, f"the loss has not {outputs} outputs")

    def _scores(self, X: Any) -> Floats:
        rows = self._rows(X)
        F: Floats = self.ensemble_(rows)
        return F


class SumRegressor(_Sum):
    """A sum that has descended a loss of numbers."""

    _needed = {
        "_schema": columns,
        "ensemble_": either(ADDITIVE.home, TERM_SUM.home),
        "_loss": _loss,
    }

    def predict(self, X: Any) -> NDArray[Any]:
        """The number for each row; with several quantiles, a column each."""
        return links.numbers_of(self._loss, self._scores(X))


class SumClassifier(_Sum, Classifier):
    """A sum that has descended a loss of classes."""

    _needed = SumRegressor._needed | {"classes_": labels}

    def _check(self) -> None:
        super()._check()
        K = self._K if self._K > 2 else 1
        need(self.ensemble_.n_outputs == K, f"{self._K} classes have not {K} scores")

    def decision_function(self, X: Any) -> Floats:
        """F: (n,) for two classes (above 0: ``classes_[1]``), else (n, K)."""
        F = self._scores(X)
        return F[:, 0] if F.shape[1] == 1 else F

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row."""
        return np.asarray(self.classes_[decide(self.decision_function(X), self._K)])

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class, in the order of ``classes_``."""
        return links.of_sums(self._loss, self._scores(X), self._K)
