"""Boosting as descent: along coordinates, or in the space of functions for any loss and learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from ...base.booster import Booster, State, Stop
from ...base.history import History
from ...base.hypothesis import Hypothesis, WeakLearner
from ...base.loss import Loss
from ...base.messages.value_text import show
from ...base.numeric.magnitude import CUBED
from ...base.numeric.total import mean
from ...base.sample import Sample
from ...base.types import Floats
from ...boosters import AnyBoost, ConditionalGradient, CoordinateBoost
from ...intake import parameters
from ...intake.prepare import Prepared, Target
from ...intake.schema import Schema
from ...intake.validation import Validation
from ...learners.adapters import SignedLearner
from ...learners.hypothesis_pool import PoolLearner, StumpTurns
from ...learners.stump import StumpLearner
from ...losses import Squared, named
from ...losses.links import of_any_loss
from ..fit import FitInputs
from ..gradient.base import doubt_gradient
from .base import Facts, Score
from .classifier import Multiclass, TwoClassBoosting
from .regressor import BoostingRegressor
from .weak_learner import learner_for
from .weak_regressor import is_of_numbers, regressor_for

Selection = Literal["greedy", "cyclic", "least_z"]
LossName = Literal["exponential", "logistic", "log_loss"]
BallStep = Literal["line_search", "schedule"]

_LOSSES = {"exponential": "exponential", "logistic": "logistic", "log_loss": "logistic"}


@parameters.declared
class CoordinateBoostClassifier(TwoClassBoosting):
    """Boosting as coordinate descent: in each round one vote moves to where the loss is least.

    The hypotheses to vote for are all that the weak learner can answer with, or a list of them. The
    vote of one is moved by the step that makes the mean of exp(-y F), or of ln(1 + exp(-y F)),
    least; with ``radius`` the votes stay in an L1 ball, and all shrink a little whenever one grows.

    Parameters
    ----------
    estimator : "stump", "tree", any weak learner, or a list of hypotheses
        Exact decision stumps by default; "tree" is a C4.5-style tree. Or a stump or tree of this
        library, a scikit-learn classifier or Pipeline, or a function that maps (X, y, D), with y
        in {-1, +1}, to a function from X to {-1, +1}. A list holds fitted classifiers, and
        functions that map X to -1, 0 (silent) and +1, and is for two classes. Scikit-learn's
        clone forgets what a classifier in a list has learnt, unless it is wrapped in a
        ``FrozenEstimator``.
    selection : {"greedy", "cyclic", "least_z"}, default "greedy"
        Which hypothesis is next: the one most correlated with the labels under the present weights,
        as the weak learner finds it or of either sign in a list; one after another in a list, the
        best stump of one feature after another; or the one whose best vote leaves the least weight,
        which is another than the first where hypotheses may be silent. The last two are for stumps
        and lists.
    loss : {"exponential", "logistic"}, default "exponential"
        "log_loss" is "logistic".
    radius : float, optional
        The most that the absolute votes may sum up to, above 0 and at most 500; it needs
        ``selection="greedy"``.
    step : {"line_search", "schedule"}, default "line_search"
        How far the votes move within the ball in round t: as far as is best, or by 2 / (t + 1).
    learning_rate : float, default 1.0
        Factor on every step (shrinkage).

    Examples
    --------
    >>> from weaklearn import CoordinateBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = CoordinateBoostClassifier(n_estimators=3).fit(X, y)
    >>> [round(float(a), 2) for a in model.estimator_weights_]  # as AdaBoost's
    [0.42, 0.65, 0.92]
    >>> ball = CoordinateBoostClassifier(radius=1.0, loss="logistic").fit(X, y)
    >>> bool(abs(ball.estimator_weights_).sum() <= 1 + 1e-9)
    True
    """

    selection: Selection = "greedy"
    loss: LossName = "exponential"
    radius: float | None = None
    step: BallStep = "line_search"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("selection", self.selection, Selection)
        parameters.one_of("loss", self.loss, LossName)
        parameters.one_of("step", self.step, BallStep)
        if self.radius is not None:
            parameters.real("radius", self.radius, 0.0, 500.0)
        if self.radius is None:
            self._check_with_radius("step", "line_search")
        else:
            self._check_with_radius("selection", "greedy")
        if self._listed:
            _check_list(self.estimator)

    def _check_with_radius(self, name: str, needed: str) -> None:
        """Refuses what is for an L1 ball alone, or what the ball leaves no room for."""
        value = getattr(self, name)
        if value != needed:
            raise ValueError(
                f"{name}={show(value)} is not allowed with radius={show(self.radius)}: it must be "
                f"{show(needed)}."
            )

    @property
    def _listed(self) -> bool:
        return isinstance(self.estimator, (list, tuple))

    def _check_sample(self, sample: Sample) -> None:
        super()._check_sample(sample)
        if self._listed and not sample.binary:
            raise ValueError(
                f"estimator is a list of hypotheses, which are about two classes, and y holds "
                f"{sample.n_classes}; pass a weak learner such as 'stump'."
            )

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        if self._listed:
            return PoolLearner(tuple(self.estimator), self.selection)
        learner = super()._make_learner(seed, schema)
        if self.selection == "greedy":
            return learner
        if not isinstance(learner, StumpLearner):
            raise ValueError(
                f"selection={show(self.selection)} needs all hypotheses to pick from: set "
                "estimator to 'stump' or to a list of hypotheses, or selection='greedy'."
            )
        if self.selection == "cyclic":
            return StumpTurns(learner)
        if learner.missing == "abstain":
            raise ValueError(
                "selection='least_z' is not for stumps that are silent where a value is missing: "
                "set missing='branch', or selection='greedy'."
            )
        return learner  # of stumps that are never silent the most correlated has the least Z

    def _booster_of_two(self, sample: Sample) -> Booster:
        loss, rate = _LOSSES[self.loss], float(self.learning_rate)
        if self.radius is not None:
            return ConditionalGradient(loss, float(self.radius), self.step, rate)
        return CoordinateBoost(loss, rate)


def _check_list(rules: Sequence[Any]) -> None:
    """Refuses an empty list, and in a list what is neither fitted nor a function."""
    if len(rules) == 0:
        raise ValueError(
            "estimator is an empty list; pass at least one hypothesis, a fitted classifier or a "
            "function of X."
        )
    for j, rule in enumerate(rules):
        if hasattr(rule, "predict") and not isinstance(rule, type):
            try:
                check_is_fitted(rule)
            except NotFittedError:
                raise ValueError(
                    f"estimator[{j}] is {type(rule).__name__}(), which is not fitted: fit it, and "
                    "wrap it in sklearn.frozen.FrozenEstimator where this classifier is to be "
                    "cloned, as cross-validation does."
                ) from None
        elif isinstance(rule, type) or not (callable(rule) or isinstance(rule, Hypothesis)):
            raise TypeError(
                f"estimator[{j}] is {rule!r}; a list holds fitted classifiers, and functions that "
                "map X to -1, 0 and +1."
            )


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

    def _booster_of_two(self, sample: Sample) -> Booster:
        loss = self._loss().settled(sample.y, 2)
        return _booster(self, loss, is_of_numbers(self.estimator))

    def _check_sample(self, sample: Sample) -> None:
        super()._check_sample(sample)
        if sample.binary:
            self._loss().check_target(sample.y)
            doubt_gradient(self._loss(), sample.y, sample.weights)

    def _facts(
        self, inputs: FitInputs, state: State, history: History, stop: Stop | None = None
    ) -> Facts:
        return super()._facts(inputs, state, history, stop) | {"loss_": self._loss()}

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
        One of ``weaklearn.losses.FOR_NUMBERS``, a loss object such as ``losses.Quantile(0.9)``,
        or a tuple of functions (gradient, curvature, value) of (y, F), the last two optional.
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

    def _check_sample(self, sample: Sample) -> None:
        named(self.loss).check_target(sample.y)
        doubt_gradient(named(self.loss), sample.y, sample.weights)

    def _facts(
        self, inputs: FitInputs, state: State, history: History, stop: Stop | None = None
    ) -> Facts:
        return super()._facts(inputs, state, history, stop) | {"loss_": named(self.loss)}

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
