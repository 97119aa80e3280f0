"""AnyBoostClassifier and AnyBoostRegressor: any loss, any weak learner."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from typing import Any, Literal

import numpy as np

from ...base.booster import Booster, History, State, Stop
from ...base.hypothesis import WeakLearner
from ...base.loss import Loss
from ...base.numeric.total import mean
from ...base.sample import Sample
from ...base.types import Floats
from ...boosters import AnyBoost
from ...intake import parameters
from ...intake.magnitude import CUBED
from ...intake.prepare import Prepared, Target
from ...intake.schema import Schema
from ...intake.validation import Validation
from ...learners.regression_adapter import SignedLearner
from ...losses import Squared, named
from ...losses.links import of_any_loss
from ..fit import Game
from ..gradient.check_gradient import doubt_gradient
from .base import Score
from .classifier import Multiclass, TwoClassBoosting
from .regressor import BoostingRegressor
from .weak_learner import learner_for
from .weak_regressor import is_of_numbers, regressor_for

Step = Literal["constant", "line_search"]
Init = Literal["zero", "constant"]


def _booster(model: Any, loss: Loss, real: bool) -> AnyBoost:
    """The booster of the parameters, which have been checked."""
    if loss.n_outputs != 1:
        raise ValueError(
            f"loss={loss!r} has {loss.n_outputs} scores an example, and this estimator fits one; "
            "use GradientBoostingClassifier or GradientBoostingRegressor."
        )
    rate = None if model.learning_rate is None else float(model.learning_rate)
    if model.step == "constant":
        return AnyBoost(loss, 0.1 if rate is None else rate, 1.0, real, model.init)
    return AnyBoost(loss, None, 1.0 if rate is None else rate, real, model.init)


def _check_parameters(model: Any) -> None:
    parameters.one_of("step", model.step, Step)
    parameters.one_of("init", model.init, Init)


@parameters.declared
class AnyBoostClassifier(TwoClassBoosting):
    """Boosting as gradient descent in the space of functions, for any loss and any weak learner.

    H starts at 0. In every round r is the gradient of the loss at the scores H(x_i); a weak learner
    of labels is asked for a rule under the weights abs(r) with the labels -sign(r), a regressor is
    fitted to -r; and H takes a step along the answer, as long as that lowers the loss.

    Parameters
    ----------
    estimator : "stump", "tree", any classifier or regressor, Pipeline, or a function
        The weak learner; exact decision stumps by default. A function maps (X, z, D), with z in
        {-1, +1}, to a hypothesis, itself a function from X to {-1, +1}.
    loss : str or object, default "log_loss"
        "log_loss", "exponential", "hinge" or "squared_error" of labels -1 and +1, a loss object, or
        a tuple of functions (gradient, curvature, value) of (y, F), the last two optional.
    step : {"constant", "line_search"}, default "constant"
        Steps of one length, or the best length along each hypothesis.
    n_estimators : int, default 100
        Steps to take at most.
    learning_rate : float, optional
        The constant step, 0.1 by default; or a factor on the best step, 1 by default.
    init : {"zero", "constant"}, default "zero"
        Where H starts: at 0, or at the best constant.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_, loss_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_

    Examples
    --------
    >>> from weaklearn import AnyBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = AnyBoostClassifier(loss="exponential", step="line_search", n_estimators=3).fit(X, y)
    >>> [round(float(a), 2) for a in model.estimator_weights_]  # as AdaBoost's
    [0.42, 0.65, 0.92]
    """

    _rate_by_step = True

    loss: Any = "log_loss"
    step: Step = "constant"
    n_estimators: int = 100
    learning_rate: float | None = None  # type: ignore[assignment]  # by the kind of step
    init: Init = "zero"
    multiclass: Multiclass = "ovr"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        _check_parameters(self)
        self._loss()

    def _loss(self) -> Loss:
        if isinstance(self.loss, Squared):
            return self.loss
        if isinstance(self.loss, str) and self.loss in ("squared_error", "squared"):
            return Squared()
        return named(self.loss, n_classes=2)

    _binned_by_learner = True

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        if is_of_numbers(self.estimator):
            return regressor_for(self.estimator, seed, schema)
        share = float(self.min_weight_fraction_leaf)
        return learner_for(self.estimator, False, self.n_estimators, seed, share, schema)

    def _game_of_two(self, sample: Sample) -> Booster:
        return _booster(self, self._loss(), is_of_numbers(self.estimator))

    def _check_game(self, sample: Sample) -> None:
        super()._check_game(sample)
        if sample.binary:
            self._loss().check_target(sample.y)
            doubt_gradient(self._loss(), sample.y, sample.weights)

    def _facts(
        self, game: Game, state: State, history: History, stop: Stop | None = None
    ) -> dict[str, Any]:
        return super()._facts(game, state, history, stop) | {"loss_": self._loss()}

    def _link_some(self, F: Floats) -> Floats:
        return of_any_loss(self.loss_, F)


@parameters.declared
class AnyBoostRegressor(BoostingRegressor):
    """Boosting as gradient descent in the space of functions, for any loss and any weak learner.

    F starts at the best constant. In every round r is the gradient of the loss at the scores
    F(x_i); the weak learner is fitted to -r by least squares, and F takes a step along the answer,
    as long as that lowers the loss.

    Parameters
    ----------
    estimator : "tree", "stump", any regressor or classifier, Pipeline, or a function
        The weak learner; trees of depth 3 by default. A classifier is asked for -sign(r) under the
        weights abs(r). A function maps (X, z, D) to a hypothesis, a function from X to numbers.
    loss : str or object, default "squared_error"
        "squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma", "tweedie", a
        loss object such as ``losses.Quantile(0.9)``, or a tuple of functions (gradient, curvature,
        value) of (y, F), the last two optional.
    step : {"line_search", "constant"}, default "line_search"
        The best length along each hypothesis, or steps of one length. Gradients have the scale of
        y, or any other: a constant step that suits one table may be far too long for another.
    n_estimators : int, default 100
        Steps to take at most.
    learning_rate : float, default 0.1
        The factor on the best step, or the constant step.
    init : {"constant", "zero"}, default "constant"
        Where F starts: at the best constant, or at 0.
    scoring : None, str or callable
        What early stopping looks at; the loss by default.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_, loss_,
    estimators_, estimator_weights_, feature_importances_

    Examples
    --------
    >>> from weaklearn import AnyBoostRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 4.0, 9.0]
    >>> model = AnyBoostRegressor(n_estimators=200).fit(X, y)
    >>> model.predict([[2.0]]).round(3).tolist()
    [4.0]
    """

    loss: Any = "squared_error"
    step: Step = "line_search"
    n_estimators: int = 100
    learning_rate: float = 0.1
    init: Init = "constant"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        _check_parameters(self)
        named(self.loss)

    def _target(self) -> Target:
        if named(self.loss).constant_curvature:
            return super()._target()
        return replace(super()._target(), largest=CUBED)  # curvature times the square of a step

    @property
    def _of_labels(self) -> bool:
        """Whether the weak learner is a classifier."""
        foreign = hasattr(self.estimator, "fit") and not isinstance(self.estimator, type)
        return foreign and not is_of_numbers(self.estimator)

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        if not self._of_labels:
            return super()._make_learner(seed, schema)
        return SignedLearner(
            learner_for(self.estimator, False, self.n_estimators, seed, 0.0, schema)
        )

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        return _booster(self, named(self.loss), not self._of_labels)

    def _check_game(self, sample: Sample) -> None:
        named(self.loss).check_target(sample.y)
        doubt_gradient(named(self.loss), sample.y, sample.weights)

    def _facts(
        self, game: Game, state: State, history: History, stop: Stop | None = None
    ) -> dict[str, Any]:
        return super()._facts(game, state, history, stop) | {"loss_": named(self.loss)}

    def _prediction(self, F: Floats) -> Floats:
        return np.asarray(self.loss_.inverse_link(F))

    def _default_score(self, prepared: Prepared, validation: Validation) -> Score:
        """Minus the mean loss; the mean squared error for a loss without a value.

        A loss with a scale keeps the one that it has where the descent begins, so that rounds
        compare.
        """
        loss, sample = named(self.loss), prepared.sample
        start = 0.0
        if self.init == "constant":
            start = float(loss.best_constant(sample.y, sample.weights)[0])
        loss = loss.adapted(sample.y, np.full(len(sample), start), sample.weights)
        y, w = validation.y, validation.weights

        def score(F: Floats, state: State) -> float:
            cost = mean(loss.value(y, F), w)
            return -mean((y - F) ** 2, w) if isnan(cost) else -cost

        return score
