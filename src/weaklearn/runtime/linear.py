"""Linear scores, and circuits, learnt one example at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.exponential import sigmoid
from ..engines import choose, on_threads, resolve_threads
from ..files.check import array, instance, maybe, need, real
from ..files.online import STANDING
from ..online.hedge import Mixture
from .held import Held
from .model import Classifier, Floats, Model, labels, numbers


class LinearClassifier(Classifier):
    """Scores of weights, a row for two classes or one a class."""

    _standing: Any
    _pocket: Any
    _needed = {
        "_schema": numbers,
        "classes_": labels,
        "_standing": instance(STANDING.home),
        "_pocket": maybe(array("f")),
    }

    @classmethod
    def of(cls, source: Held) -> LinearClassifier:
        """With probabilities where the loss was one of them."""
        logistic = source.parameters.get("loss") == "logistic"
        return (LogisticClassifier if logistic else LinearClassifier)(source)

    def _check(self) -> None:
        super()._check()
        averaged = self._standing.drift is not None
        fits = self._pocket is None or (averaged and len(self._pocket) == len(self._standing.w))
        need(fits, "the weights in the pocket do not fit")

    def _weights(self) -> Floats:
        standing = self._standing
        if standing.drift is None:
            weights: Floats = standing.w
            return weights
        return np.asarray(standing.average if self._pocket is None else self._pocket)

    def _scores(self, X: Any) -> Floats:
        cells = self._schema.read(X).matrix
        assert cells is not None
        engine = choose(self.n_jobs)
        lines = engine.linear.rows(cells, self._standing.constant)
        scores = engine.linear.scores(lines, self._standing.units, self._weights())
        bad = np.flatnonzero(np.isnan(scores).any(axis=1))
        if len(bad):
            raise ValueError(
                f"Input X contains NaN, or values too large: row {bad[0]} has no score; "
                f"{self.kind} needs a number in every column."
            )
        return scores

    def decision_function(self, X: Any) -> Floats:
        """The score of each row for ``classes_[1]``; for more than two classes one column each."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row: that of the greatest score, ``classes_[0]`` for a lone 0."""
        scores = self._scores(X)
        if scores.shape[1] > 1:
            return np.asarray(self.classes_[scores.argmax(axis=1)])
        return self._labels(scores[:, 0] > 0)


class LogisticClassifier(LinearClassifier):
    """The same, with probabilities."""

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class: 1/(1 + exp(-f)); for more than two, shares of these."""
        scores = self._scores(X)
        if self._K == 1:
            return np.ones((len(scores), 1))
        found = sigmoid(scores)
        if scores.shape[1] == 1:
            return np.hstack([1 - found, found])
        found += np.finfo(np.float64).tiny  # where all of them vanish, they are shared alike
        return np.asarray(found / found.sum(axis=1, keepdims=True))


class HalfspaceClassifier(Classifier):
    """One halfspace."""

    coef_: Floats
    intercept_: Floats
    _needed = {
        "_schema": numbers,
        "classes_": labels,
        "coef_": array("f", 2),
        "intercept_": array("f"),
    }

    def _check(self) -> None:
        super()._check()
        width = self._schema.n_features
        self._check_two()
        need(self.coef_.shape == (1, width), f"coef_ has not {width} columns")
        need(len(self.intercept_) == 1, "there is not one intercept")

    def decision_function(self, X: Any) -> Floats:
        """w.x of each row, above 0 for ``classes_[1]``."""
        rows = full_rows(self, X)
        threads = resolve_threads(self.n_jobs)
        w = np.ascontiguousarray(self.coef_[0], np.float64)
        products: Floats = on_threads(threads).svm.rows(rows).along(w, threads)
        return products + float(self.intercept_[0])

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row; that of a score of 0 is ``classes_[0]``."""
        return self._labels(self.decision_function(X) > 0)


class Hedge(Model):
    """A mixture of actions."""

    losses_: Floats
    eta_: float
    _needed = {"_schema": numbers, "losses_": array("f"), "eta_": real(0.0)}

    def _check(self) -> None:
        n = self._schema.n_features
        need(len(self.losses_) == n, f"there are not losses of {n} actions")
        mixture = Mixture(n, float(self.eta_))
        mixture.totals = np.asarray(self.losses_, np.float64)
        self.p_ = mixture.p

    def predict(self, X: Any) -> NDArray[Any]:
        """The mixture of numbers, one an action: p.x of each row."""
        rows = self._schema.read(X).matrix
        assert rows is not None
        return np.asarray((rows * self.p_).sum(axis=1))


def full_rows(model: Model, X: Any) -> Floats:
    """Rows of numbers, none of them missing."""
    rows = model._schema.read(X).matrix
    assert rows is not None
    gaps = np.flatnonzero(np.isnan(rows).any(axis=1))
    if len(gaps):
        raise ValueError(
            f"Input X contains NaN: row {gaps[0]} has no score; {model.kind} needs a number in "
            "every column."
        )
    return np.ascontiguousarray(rows, np.float64)
