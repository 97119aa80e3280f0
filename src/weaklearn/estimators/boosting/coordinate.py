"""CoordinateBoostClassifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from ...base.booster import Booster
from ...base.hypothesis import Hypothesis, WeakLearner
from ...base.sample import Sample
from ...boosters import ConditionalGradient, CoordinateBoost
from ...intake import parameters
from ...intake.schema import Schema
from ...learners.hypothesis_pool import PoolLearner, StumpTurns
from ...learners.stump import StumpLearner
from .classifier import TwoClassBoosting

Selection = Literal["greedy", "cyclic", "least_z"]
LossName = Literal["exponential", "logistic", "log_loss"]
Step = Literal["line_search", "schedule"]

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
    step: Step = "line_search"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("selection", self.selection, Selection)
        parameters.one_of("loss", self.loss, LossName)
        parameters.one_of("step", self.step, Step)
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
                f"{name}={value!r} is not allowed with radius={self.radius!r}: it must be "
                f"{needed!r}."
            )

    @property
    def _listed(self) -> bool:
        return isinstance(self.estimator, (list, tuple))

    def _check_game(self, sample: Sample) -> None:
        super()._check_game(sample)
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
                f"selection={self.selection!r} needs all hypotheses to pick from: set estimator to "
                "'stump' or to a list of hypotheses, or selection='greedy'."
            )
        if self.selection == "cyclic":
            return StumpTurns(learner)
        if learner.missing == "abstain":
            raise ValueError(
                "selection='least_z' is not for stumps that are silent where a value is missing: "
                "set missing='branch', or selection='greedy'."
            )
        return learner  # of stumps that are never silent the most correlated has the least Z

    def _game_of_two(self, sample: Sample) -> Booster:
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
