"""GradientBoostingClassifier and GradientBoostingRegressor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...intake.docstring import with_parameters
from ...intake.prepare import coded_labels, codes_among
from ...prediction import sums
from .base import Floats
from .model import GradientBoostingModel
from .predictions import ClassAnswers, NumberAnswers

_PARAMETERS = """
    n_estimators : "auto" or int, default "auto"
        Rounds. "auto" finds the number on examples not learnt from: up to 50,000 of them by five
        folds, after which one model learns from all; beyond that by one held-out fraction, and so
        where classes times examples exceed 1,000,000: then for 2,000 rounds at most, or as many as
        classes times examples times columns have place in 4e9, but 50 in any case. A number means
        exactly that many.
    learning_rate : "auto" or float, default "auto"
        How far each round goes; "auto" is 0.05, and 0.1 from 10,000 examples on.
    max_leaf_nodes : "auto", int or None, default "auto"
        The most leaves of a tree; "auto" is 15, and 31 from 10,000 examples on.
    max_depth : int or None, default None
    min_samples_leaf : int, default 5
    l2_regularization : float, default 1.0
        Added to the curvature of every leaf, in examples of the mean curvature.
    min_gain : float, default 0.0
        What a split must gain.
    subsample : float, default 0.7
        The share of the examples that each round learns from.
    max_features : int or float, default 0.5 (classifier), 1.0 (regressor)
        How many columns each round may use, or their share.
    max_bins : int, default 255
        Columns of more different values are cut between so many groups of neighbours.
    monotonic_cst : sequence of -1, 0, 1 a column, or dict from name to these, optional
    interaction_cst : "no_interactions", "pairwise", or groups of columns, optional
        Columns that may stand on one path of a tree.
    categorical_features : "from_dtype", None, or columns by mask, number or name
    early_stopping : bool, default False
        Hold rows out (or judge by X_val), and stop when the loss there no longer falls.
    validation_fraction : float, default 0.1
    n_iter_no_change : int, default 50
        Rounds to wait for a smaller loss.
    tol : float, default 0.0
    warm_start : bool, default False
        Go on from the rounds already played.
    callbacks : list, optional
        Functions of (t, state, history) that may return True to stop, or scikit-learn callbacks.
    unseen : {"missing", "error"}, default "missing"
        A category that training never saw joins the rare ones or is taken for missing, or is
        refused.
    random_state : None, int below 2**32, RandomState or Generator
        Seeds the draws of rows and columns; None is 0. Draws depend on what a row holds, so that
        the order of rows does not matter.
    n_jobs : int, optional
        Threads; None means all this process may use. The model is the same for any number.
    verbose : int, default 0
        1 shows a progress bar.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    validation_losses_, feature_importances_
"""


@with_parameters(_PARAMETERS)
class GradientBoostingClassifier(ClassAnswers, GradientBoostingModel):
    """Trees that descend the log-loss, Newton step by Newton step; untuned, it is meant to do well.

    F_0 is the log-odds; every round adds ``learning_rate`` times a tree fitted to the slope of the
    loss, for more than two classes a tree a class. Probabilities are 1/(1 + exp(-F)), or the
    softmax of the scores.

    **Guarantee.** Every round's step goes downhill on the examples it learns from. The same data
    give the same model, bit for bit, in any order of rows and on any number of threads.

    Parameters
    ----------
    loss : "log_loss", "exponential", a loss object, or functions (gradient, curvature, value)
        "exponential" is for two classes; its probabilities are 1/(1 + exp(-2F)).
    class_weight : None, "balanced" or dict
    PARAMETERS
    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from weaklearn import GradientBoostingClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = GradientBoostingClassifier(n_estimators=50).fit(X[:400], y[:400])
    >>> round(model.score(X[400:], y[400:]), 2)
    0.96
    """

    def __init__(
        self,
        loss: Any = "log_loss",
        *,
        n_estimators: int | str = "auto",
        learning_rate: float | str = "auto",
        max_leaf_nodes: int | str | None = "auto",
        max_depth: int | None = None,
        min_samples_leaf: int = 5,
        l2_regularization: float = 1.0,
        min_gain: float = 0.0,
        subsample: float = 0.7,
        max_features: int | float = 0.5,
        max_bins: int = 255,
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        categorical_features: Any = "from_dtype",
        class_weight: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 50,
        tol: float = 0.0,
        warm_start: bool = False,
        callbacks: Any = None,
        unseen: str = "missing",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.loss = loss
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.min_gain = min_gain
        self.subsample = subsample
        self.max_features = max_features
        self.max_bins = max_bins
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.warm_start = warm_start
        self.callbacks = callbacks
        self.unseen = unseen
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    staged_decision_function = sums.staged_decision_function
    staged_predict = sums.staged_predict
    staged_predict_proba = sums.staged_predict_proba

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The accuracy after 1, 2, ... rounds."""
        from sklearn.metrics import accuracy_score  # heavy, and rarely needed

        for labels in self.staged_predict(X):
            yield float(accuracy_score(y, labels, sample_weight=sample_weight))

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


@with_parameters(_PARAMETERS)
class GradientBoostingRegressor(NumberAnswers, GradientBoostingModel):
    """Trees that descend a loss of numbers; untuned, it is meant to do well.

    F_0 is the best constant; every round adds ``learning_rate`` times a tree fitted to the slope of
    the loss. Several quantiles may be learnt in one fit; their predictions never cross.

    Parameters
    ----------
    loss : "squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma", "tweedie",
        a loss object, or functions (gradient, curvature, value)
    quantile : float or sequence of floats in (0, 1), default 0.5
        For loss="quantile". Several give a column each.
    alpha : float, default 0.9
        For loss="huber": the share of the residuals that count by their square.
    power : float in (1, 2), default 1.5
        For loss="tweedie".
    PARAMETERS
    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from weaklearn import GradientBoostingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = GradientBoostingRegressor(n_estimators=50).fit(X[:300], y[:300])
    >>> round(model.score(X[300:], y[300:]), 1)
    0.5
    """

    def __init__(
        self,
        loss: Any = "squared_error",
        *,
        quantile: Any = 0.5,
        alpha: float = 0.9,
        power: float = 1.5,
        n_estimators: int | str = "auto",
        learning_rate: float | str = "auto",
        max_leaf_nodes: int | str | None = "auto",
        max_depth: int | None = None,
        min_samples_leaf: int = 5,
        l2_regularization: float = 1.0,
        min_gain: float = 0.0,
        subsample: float = 0.7,
        max_features: int | float = 1.0,
        max_bins: int = 255,
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        categorical_features: Any = "from_dtype",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 50,
        tol: float = 0.0,
        warm_start: bool = False,
        callbacks: Any = None,
        unseen: str = "missing",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.loss = loss
        self.quantile = quantile
        self.alpha = alpha
        self.power = power
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.min_gain = min_gain
        self.subsample = subsample
        self.max_features = max_features
        self.max_bins = max_bins
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.categorical_features = categorical_features
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.warm_start = warm_start
        self.callbacks = callbacks
        self.unseen = unseen
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """The numbers after 1, 2, ... rounds."""
        for F in self._staged_scores(X):
            yield self._answer(F)

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The score after 1, 2, ... rounds."""
        for numbers in self.staged_predict(X):
            yield self._scored(numbers, y, sample_weight)
