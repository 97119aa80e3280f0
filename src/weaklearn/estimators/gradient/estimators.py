"""GradientBoostingClassifier and GradientBoostingRegressor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any

import numpy as np

from ...base.types import Floats
from ...intake import parameters
from ...intake.label_kind import label_score
from ...intake.labels import coded_labels, codes_among
from ...prediction import sums
from .model import GradientBoostingModel
from .predictions import ClassAnswers, NumberAnswers


@parameters.declared_in_order
class GradientBoostingClassifier(ClassAnswers, GradientBoostingModel):
    """Trees that descend the log-loss, Newton step by Newton step; untuned, it is meant to do well.

    F_0 is the log-odds; every round adds ``learning_rate`` times a tree fitted to the slope of the
    loss, for more than two classes a tree a class. Probabilities are 1/(1 + exp(-F)), or the
    softmax of the scores.

    **Guarantee.** Every round's step goes downhill on the examples it learns from, but for
    ``path_smoothing`` and ``dropout``, which may ask for another one. The same data give the same
    model, bit for bit, in any order of rows and on any number of threads.

    Parameters
    ----------
    loss : "log_loss", "exponential", a loss object, or functions (gradient, curvature, value)
        "exponential" is for two classes; its probabilities are 1/(1 + exp(-2F)).

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    validation_losses_, feature_importances_

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from weaklearn import GradientBoostingClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = GradientBoostingClassifier(n_estimators=50).fit(X[:400], y[:400])
    >>> round(model.score(X[400:], y[400:]), 2)
    0.96
    """

    loss: Any = field(default="log_loss", kw_only=False)
    max_features: int | float = 0.5
    class_weight: Any = None

    staged_decision_function = sums.staged_decision_function
    staged_predict = sums.staged_predict
    staged_predict_proba = sums.staged_predict_proba

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The accuracy after 1, 2, ... rounds."""
        for labels in self.staged_predict(X):
            yield label_score(self.classes_, y, labels, sample_weight)

    def margins(self, X: Any, y: Any) -> Floats:
        """In [-1, 1]: the score of the true class above the others', over the most there can be."""
        F = self._scores(X)
        codes = codes_among(self.classes_, y, len(F), "y")
        most = self.ensemble_.weight + np.abs(self.ensemble_.base)
        if F.shape[1] == 1:
            signs = coded_labels(codes, len(self.classes_))
            return signs * F[:, 0] / max(float(most[0]), 1e-300)
        everyone = np.arange(len(F))
        mine = F[everyone, codes]
        others = F.copy()
        others[everyone, codes] = -np.inf
        return np.asarray((mine - others.max(axis=1)) / (2 * max(float(most.max()), 1e-300)))


@parameters.declared_in_order
class GradientBoostingRegressor(NumberAnswers, GradientBoostingModel):
    """Trees that descend a loss of numbers; untuned, it is meant to do well.

    F_0 is the best constant; every round adds ``learning_rate`` times a tree fitted to the slope of
    the loss. Several quantiles may be learnt in one fit; their predictions never cross.

    Parameters
    ----------
    loss : "squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma", "tweedie",
        a loss object, or functions (gradient, curvature, value)
        What is minimised; "squared_error" by default.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    validation_losses_, feature_importances_

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from weaklearn import GradientBoostingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = GradientBoostingRegressor(n_estimators=50).fit(X[:300], y[:300])
    >>> round(model.score(X[300:], y[300:]), 1)
    0.5
    """

    loss: Any = field(default="squared_error", kw_only=False)
    quantile: Any = 0.5
    alpha: float = 0.9
    power: float = 1.5

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """The numbers after 1, 2, ... rounds."""
        for F in self._staged_scores(X):
            yield self._answer(F)

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The score after 1, 2, ... rounds."""
        for numbers in self.staged_predict(X):
            yield self._scored(numbers, y, sample_weight)
