"""What every boosted regressor shares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from sklearn.base import RegressorMixin

from ...base.booster import State
from ...base.hypothesis import WeakLearner
from ...base.numeric.total import mean
from ...base.types import Floats
from ...intake import parameters
from ...intake.magnitude import SQUARED
from ...intake.prepare import Prepared, Target
from ...intake.schema import Schema
from ...intake.validation import Validation
from ...prediction import vote_numbers
from ...uncertainty import conformal
from ..fit import with_callbacks
from .base import Boosting, Score
from .weak_regressor import regressor_for


@parameters.declared
class BoostingRegressor(RegressorMixin, Boosting):
    """A regressor fitted in boosting rounds; subclasses name the booster."""

    conformalize = conformal.conformalize
    conformal_certificate = conformal.conformal_certificate
    predict_interval = conformal.predict_interval
    _hows = conformal.HOWS
    _binned_by_learner = True
    _judged_cells = conformal.cells_of

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
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
            Rows to score every round on, in place of a held-out fraction.
        """
        return self._fit(X, y, sample_weight, X_val, y_val, sample_weight_val)

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
