"""AdaBoostRegressor."""

from __future__ import annotations

from typing import Any

from ..base.booster import Booster
from ..base.hypothesis import WeakLearner
from ..base.sample import Sample
from ..boosters import AdaBoostR2
from . import parameters
from .regression import BoostingRegressor


class AdaBoostRegressor(BoostingRegressor):
    """AdaBoost.R2: the weighted median of regressors, each fitted to what the others miss.

    In every round a regressor is fitted under the present weights; its losses are its absolute
    errors over the largest of them; the examples it meets lose weight; and it gets the vote
    ln((1 - epsilon) / epsilon), with epsilon the mean loss under the weights.

    Parameters
    ----------
    estimator : "tree", "stump", DecisionTreeRegressor, any regressor or Pipeline, or a function
        The weak learner; trees of depth 3 by default. A regressor that takes no weights is trained
        on rows drawn by weight. A function maps (X, y, D) to a function from X to numbers.
    n_estimators : int, default 50
        Rounds to play at most.
    learning_rate : float, default 1.0
        Factor on every vote.
    loss : {"linear", "square", "exponential"}, default "linear"
        How an example's loss L in [0, 1] counts: L, L^2 or 1 - exp(-L).
    random_state : None, int below 2**32, RandomState or Generator
        Seeds held-out rows, redrawn rows and foreign learners; trees use no randomness. None is 0.
    early_stopping, validation_fraction, n_iter_no_change, tol, scoring, warm_start, callbacks,
    unseen, n_jobs, verbose
        As in ``AdaBoostClassifier``; early stopping looks at the mean squared error.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_, estimators_,
    estimator_weights_, estimator_errors_, feature_importances_

    Examples
    --------
    >>> from weaklearn import AdaBoostRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0.0, 1.0, 4.0, 9.0, 16.0]
    >>> model = AdaBoostRegressor(n_estimators=20).fit(X, y)
    >>> model.predict([[0.0], [4.0]]).tolist()
    [0.0, 16.0]
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        loss: str = "linear",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 0.0,
        scoring: Any = None,
        warm_start: bool = False,
        callbacks: Any = None,
        unseen: str = "missing",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.loss = loss
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.scoring = scoring
        self.warm_start = warm_start
        self.callbacks = callbacks
        self.unseen = unseen
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.real("learning_rate", self.learning_rate, 0.0, 1e6)
        parameters.one_of("loss", self.loss, ["linear", "square", "exponential"])

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        return AdaBoostR2(float(self.learning_rate), self.loss)
