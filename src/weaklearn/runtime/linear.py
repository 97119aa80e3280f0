"""Linear scores, and circuits, learnt one example at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Floats
from ..files.check import array, instance, maybe, need, real
from ..files.online import STANDING
from ..online.experts import Mixture
from ..persistence import whole_model
from ..prediction import kernels, linear, signs
from .held import Held
from .model import Classifier, Model, labels, numbers


class LinearClassifier(Classifier):
    """Scores of weights, a row for two classes or one a class."""

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

    _whole = whole_model.pocket
    decision_function = linear.decision_function
    predict = linear.predict
    _scores = linear.scores
    _answer = property(linear.weights)

    def _lines_to_predict(self, X: Any) -> Floats:
        cells = self._schema.read(X).matrix
        assert cells is not None
        return cells

    def _refuse_unsound(self, rows: Floats, scores: Floats) -> None:
        bad = np.flatnonzero(np.isnan(scores).any(axis=1))
        if len(bad):
            raise ValueError(
                f"Input X contains NaN, or values too large: row {bad[0]} has no score; "
                f"{self.kind} needs a number in every column."
            )


class LogisticClassifier(LinearClassifier):
    """The same, with probabilities."""

    predict_proba = linear.predict_proba


class HalfspaceClassifier(Classifier):
    """One halfspace."""

    _needed = {
        "_schema": numbers,
        "classes_": labels,
        "coef_": array("f", 2),
        "intercept_": array("f"),
    }

    def _check(self) -> None:
        super()._check()
        self._check_two()

    _whole = whole_model.halfspace

    decision_function = kernels.decision_function
    predict = signs.predict

    def _points(self, X: Any) -> Floats:
        return full_rows(self, X)


class Hedge(Model):
    """A mixture of actions."""

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
