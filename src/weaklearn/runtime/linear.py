"""Linear scores, and circuits, learnt one example at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Floats
from ..online.experts import Mixture
from ..persistence.kept import Held
from ..prediction import linear
from .model import Model


class LinearClassifier(Model):
    """Scores of weights, a row for two classes or one a class."""

    @classmethod
    def of(cls, source: Held) -> LinearClassifier:
        """With probabilities where the loss was one of them."""
        logistic = source.parameters.get("loss") == "logistic"
        return (LogisticClassifier if logistic else LinearClassifier)(source)

    decision_function = linear.decision_function
    predict = linear.predict
    _scores = linear.scores
    _answer = property(linear.weights)

    def _lines_to_predict(self, X: Any) -> Floats:
        return self._numbers(X)

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


class Hedge(Model):
    """A mixture of actions."""

    def _restore(self) -> None:
        mixture = Mixture(self._schema.n_features, float(self.eta_))
        mixture.totals = np.asarray(self.losses_, np.float64)
        self.p_ = mixture.p

    def predict(self, X: Any) -> NDArray[Any]:
        """The mixture of numbers, one an action: p.x of each row."""
        return np.asarray((self._complete(X) * self.p_).sum(axis=1))
