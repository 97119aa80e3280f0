"""GradientBoostingClassifier and GradientBoostingRegressor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from .. import losses
from ..base.certificate import Certificates
from ..base.loss import CLASSES, SIGNS, Loss
from ..base.notice import BoostingWarning, warn
from . import parameters
from .column import show
from .gradient import Floats, GradientBoostingModel
from .setup import Prepared, coded_labels, codes_among
from .watching import decide

_PARAMETERS = """
    n_estimators : "auto" or int, default "auto"
        Rounds. "auto" finds the number on examples not learnt from: up to 50,000 of them by five
        folds, after which one model learns from all; beyond that by one held-out fraction. A
        number means exactly that many.
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
    max_features : float, default 0.5 (classifier), 1.0 (regressor)
        The share of the columns that each round may use.
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


def _documented(cls: type) -> type:
    cls.__doc__ = (cls.__doc__ or "").replace("\n    PARAMETERS\n", _PARAMETERS)
    return cls


@_documented
class GradientBoostingClassifier(ClassifierMixin, GradientBoostingModel):
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
        max_features: float = 0.5,
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

    def _resolve_loss(self, prepared: Prepared) -> Loss:
        K = prepared.sample.n_classes
        if K > 2 and self.monotonic_cst is not None:
            raise ValueError(
                f"monotonic_cst is set, and y holds {K} classes: it is for two classes and for "
                "numbers."
            )
        loss = self._named_loss(K)
        if loss.n_outputs != (K if K > 2 else 1):
            raise ValueError(
                f"loss {loss.name!r} is of {loss.n_outputs} score(s) a row, and y holds {K} "
                "classes; use loss='log_loss'."
            )
        return super()._resolve_loss(prepared)

    def _output_name(self, k: int) -> str:
        return str(self.classes_[k])

    def decision_function(self, X: Any, offset: Any = None) -> Floats:
        """F: (n,) for two classes (above 0: ``classes_[1]``), else (n, K)."""
        F = self._scores(X, offset)
        return F[:, 0] if F.shape[1] == 1 else F

    def predict(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """The label of each row."""
        F = self.decision_function(X, offset)
        return np.asarray(self.classes_[decide(F, len(self.classes_))])

    def predict_proba(self, X: Any, offset: Any = None) -> Floats:
        """The probability of each class, in the order of ``classes_``."""
        return self._link(self._scores(X, offset))

    def predict_log_proba(self, X: Any, offset: Any = None) -> Floats:
        """The logarithm of the probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, offset))

    def _link(self, F: Floats) -> Floats:
        if len(self.classes_) == 1:
            return np.ones((len(F), 1))
        if F.shape[1] > 1:
            return np.asarray(self._loss.inverse_link(F))
        return np.column_stack([losses.probability(self._loss, s * F[:, 0]) for s in (-1, 1)])

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """F after 1, 2, ... rounds."""
        for F in self._staged_scores(X):
            yield F[:, 0] if F.shape[1] == 1 else F

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """The labels after 1, 2, ... rounds."""
        for F in self.staged_decision_function(X):
            yield self.classes_[decide(F, len(self.classes_))]

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """The probabilities after 1, 2, ... rounds."""
        for F in self._staged_scores(X):
            yield self._link(F)

    def score(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> float:
        """The share of the labels that are right."""
        from sklearn.metrics import accuracy_score  # heavy, and rarely needed

        return float(accuracy_score(y, self.predict(X, offset), sample_weight=sample_weight))

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The accuracy after 1, 2, ... rounds."""
        from sklearn.metrics import accuracy_score  # heavy, and rarely needed

        for labels in self.staged_predict(X):
            yield float(accuracy_score(y, labels, sample_weight=sample_weight))

    def certify(
        self,
        X: Any = None,
        y: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        delta: float = 0.05,
    ) -> Certificates:
        """What rows the model has never seen say of its true error, with probability 1 - delta.

        X and y, the rows of fit, are taken as elsewhere; no theorem here asks for them.
        """
        from ..theory.certificates import test_set

        check_is_fitted(self, "ensemble_")
        parameters.real("delta", delta, 0.0, 0.999999)
        if (X is None) != (y is None) or (X_test is None) != (y_test is None):
            raise ValueError("pass X together with y, and X_test together with y_test.")
        if X_test is None:
            return Certificates([])
        error = 1 - float(self.score(X_test, y_test))
        return Certificates([test_set(error, len(np.asarray(y_test)), delta)])

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


@_documented
class GradientBoostingRegressor(RegressorMixin, GradientBoostingModel):
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

    _regression = True

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
        max_features: float = 1.0,
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

    def _named_loss(self, n_classes: int) -> Loss:
        name = self.loss if isinstance(self.loss, str) else ""
        if name == "huber":
            return losses.Huber(parameters.real("alpha", self.alpha, 0.0, 1.0, strict=True))
        if name == "tweedie":
            return losses.Tweedie(parameters.real("power", self.power, 1.0, 2.0, strict=True))
        if name == "quantile":
            return self._quantile_loss()
        if np.ndim(self.quantile) > 0 or self.quantile != 0.5:
            warn(
                f"quantile={show(self.quantile)} is set, but loss={show(self.loss)} does not "
                "use it; pass loss='quantile' to have that quantile learnt.",
                BoostingWarning,
            )
        loss = super()._named_loss(n_classes)
        if loss.target in (SIGNS, CLASSES):
            raise ValueError(f"loss {loss.name!r} is for classes; use a loss for numbers.")
        return loss

    def _quantile_loss(self) -> Loss:
        if not isinstance(self.quantile, (list, tuple, np.ndarray)):
            level = parameters.real("quantile", self.quantile, 0.0, 1.0, strict=True)
            return losses.Quantile(level)
        if np.ndim(self.quantile) != 1 or len(self.quantile) == 0:
            raise ValueError(
                f"quantile={show(self.quantile)} is not allowed: it must be one number above 0 and "
                "below 1, or a list of one or more."
            )
        levels = [parameters.real("quantile", q, 0.0, 1.0, strict=True) for q in self.quantile]
        return losses.Quantiles(tuple(levels))

    def predict(self, X: Any, offset: Any = None) -> Floats:
        """The number for each row; with several quantiles, a column each."""
        return self._answer(self._scores(X, offset))

    def _output_name(self, k: int) -> str:
        return f"quantile {self._loss.levels[k]:g}"

    def _answer(self, F: Floats) -> Floats:
        if not isinstance(self._loss, losses.Quantiles):
            return np.asarray(self._loss.inverse_link(F[:, 0]))
        # Put in order, quantiles that cross by chance come no further from the truth.
        in_order = np.empty_like(F)
        in_order[:, np.argsort(self._loss.levels, kind="stable")] = np.sort(F, axis=1)
        return in_order

    def score(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> float:
        """R^2; of quantiles the share of the loss of the best constants that is gone."""
        return self._scored(self.predict(X, offset), y, sample_weight)

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """The numbers after 1, 2, ... rounds."""
        for F in self._staged_scores(X):
            yield self._answer(F)

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The score after 1, 2, ... rounds."""
        for numbers in self.staged_predict(X):
            yield self._scored(numbers, y, sample_weight)

    def _scored(self, numbers: Floats, y: Any, sample_weight: Any) -> float:
        from sklearn.metrics import d2_pinball_score, r2_score  # heavy, and rarely needed

        levels = self._loss.leaf_quantiles if self.loss == "quantile" else None
        if levels is None:
            return float(r2_score(y, numbers, sample_weight=sample_weight))
        columns = numbers.reshape(len(numbers), -1).T
        scores = [
            d2_pinball_score(y, column, sample_weight=sample_weight, alpha=level)
            for column, level in zip(columns, levels, strict=True)
        ]
        return float(np.mean(scores))
