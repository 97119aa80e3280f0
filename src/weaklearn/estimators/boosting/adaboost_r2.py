"""AdaBoostRegressor."""

from __future__ import annotations

from typing import Literal

from ...base.booster import Booster
from ...base.hypothesis import WeakLearner
from ...base.sample import Sample
from ...boosters import AdaBoostR2
from ...intake import parameters
from .regressor import BoostingRegressor

WeightLoss = Literal["linear", "square", "exponential"]


@parameters.declared
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
    loss : {"linear", "square", "exponential"}, default "linear"
        How an example's loss L in [0, 1] counts: L, L^2 or 1 - exp(-L).
    random_state : None, int below 2**32, RandomState or Generator
        Seeds held-out rows, redrawn rows and foreign learners; trees use no randomness. None is 0.
    scoring : None, str or callable
        What early stopping looks at; the mean squared error by default.

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

    n_estimators: int = 50
    learning_rate: float = 1.0
    loss: WeightLoss = "linear"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("loss", self.loss, WeightLoss)

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        return AdaBoostR2(float(self.learning_rate), self.loss)
