"""What every boosted regressor shares; AdaBoostRegressor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Self

from sklearn.base import RegressorMixin

from ...base.booster import Booster, State
from ...base.hypothesis import WeakLearner
from ...base.numeric.magnitude import SQUARED
from ...base.numeric.total import mean
from ...base.sample import Sample
from ...base.types import Floats
from ...boosters import AdaBoostR2
from ...intake import parameters
from ...intake.prepare import Prepared, Target
from ...intake.schema import Schema
from ...intake.validation import Validation
from ...prediction import vote_numbers
from ...uncertainty.conformal import IntervalPrediction
from ..fit import with_callbacks
from .base import Boosting, Score
from .weak_regressor import regressor_for


@parameters.declared
class BoostingRegressor(IntervalPrediction, RegressorMixin, Boosting):
    """A regressor fitted in boosting rounds; subclasses name the booster."""

    _binned_by_learner = True

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
        groups: Any = None,
    ) -> Self:
        """Fits the boosting rounds on X and y.

        Parameters
        ----------
        X : array, DataFrame, Arrow table or sparse matrix of shape (n, d)
            Numbers, strings, categories, booleans, dates; missing values are allowed. A learner
            outside this library gets X as it came, and may take texts or arrays of any shape.
        y : array-like of n numbers
        sample_weight : array-like of n weights, optional
            Whole numbers count as repetitions of rows; a row of weight 0 is left out.
        X_val, y_val, sample_weight_val : optional
            Rows to score every round on, in place of a held-out fraction. With early_stopping=True
            they choose the number of rounds; otherwise their score is only recorded. Dicts hold
            several sets by name: the first judges, and all are in ``history_``, as "name_score".
        groups : array-like of n ids, optional
            Rows of a group are held out together; handed to ``cv`` where that is set.
        """
        return self._fit(X, y, sample_weight, X_val, y_val, sample_weight_val, groups)

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        return regressor_for(self.estimator, seed, schema)

    def _target(self) -> Target:
        return Target(regression=True, largest=SQUARED)

    def _default_score(self, prepared: Prepared, validation: Validation) -> Score:
        """Minus the mean squared error."""

        def score(F: Floats, state: State) -> float:
            r = validation.y - self._prediction(F)
            return -mean(r * r, validation.weights)

        return score

    def _nothing_learnt(self, prepared: Prepared) -> str:
        return "every row will be given the same number"

    def _prediction(self, F: Floats) -> Floats:
        """What the scores of an ensemble predict."""
        return F

    predict = vote_numbers.predict
    staged_predict = vote_numbers.staged_predict

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """R^2 after 1, 2, ... members."""
        from sklearn.metrics import r2_score  # heavy, and rarely needed

        for numbers in self.staged_predict(X):
            yield float(r2_score(y, numbers, sample_weight=sample_weight))


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
