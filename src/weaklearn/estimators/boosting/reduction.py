"""Estimators around any booster: Boosted, and more classes by problems of two."""

from __future__ import annotations

import copy
import functools
import os
from dataclasses import field, replace
from typing import Any, ClassVar, Literal, NoReturn, Self

from sklearn.base import ClassifierMixin, clone, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from ...base.booster import Booster
from ...base.hypothesis import Form, FormError, WeakLearner
from ...base.messages.value_text import show
from ...base.messages.warnings import BoostingWarning, warn
from ...base.offered import fact
from ...base.sample import Sample
from ...boosters import AllPairs, OneVsRest
from ...boosters.parts.single_round import Once
from ...files.error import ModelFileError
from ...intake import parameters
from ...intake.label_kind import score_of_labels
from ...intake.schema import Schema
from ...learners.foreign import WholeModelLearner
from ...production.provenance import Provenance
from ...registry import ROWS, booster_numbers
from ...uncertainty.conformal import SetPrediction
from .. import later
from ..model import Method, Model, in_one_step
from .classifier import BoostingClassifier, Multiclass, TwoClassBoosting
from .weak_regressor import learner_of_numbers

# Attributes that are those of the fitted model.
_DELEGATED = (
    *("classes_", "n_features_in_", "feature_names_in_", "n_iter_", "stop_reason_"),
    *("history_", "ensemble_", "estimators_", "estimator_weights_", "estimator_errors_"),
    *("edges_", "feature_importances_", "validation_scores_"),
)


def _delegated(method: Method, spoken: bool = False) -> Method:
    """A method of boosters, done by the fitted model; if ``spoken``, of the reduction's class."""

    @functools.wraps(method)
    def done(self: Reduction, *args: Any, **kwargs: Any) -> Any:
        positive = kwargs.pop("positive", None) if spoken else None
        found = getattr(self._fitted(), method.__name__)(*args, **kwargs)
        return found.of_positive(self, positive) if spoken else found

    return done  # type: ignore[return-value]


@parameters.declared
class WholeModels(TwoClassBoosting):
    """A copy of ``estimator`` per binary problem: any classifier with scores, as log-odds."""

    saved_in_files: ClassVar[bool] = False

    n_estimators: int = 1

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        return WholeModelLearner(self.estimator)

    def _booster_of_two(self, sample: Sample) -> Booster:
        return Once()

    @property
    def _odds(self) -> float:
        return 0.5  # scores are whole log-odds


@parameters.declared
class Reduction(SetPrediction, ClassifierMixin, Model):
    """Several classes as problems of two classes, each boosted by a copy of the booster.

    Parameters
    ----------
    booster : a boosted classifier, not fitted; by default AdaBoostClassifier()
        Any classifier of this library, or another one with ``decision_function`` (or, failing
        that, ``predict_proba``): of one that boosts two classes round by round all problems are
        boosted side by side, of any other a copy is fitted for each problem. Its own parameters
        apply to every problem, ``class_weight`` among them.
    """

    score = score_of_labels

    booster: Any = field(default=None, kw_only=False)

    _within = property(lambda self: self.model_)
    _multiclass: ClassVar[Multiclass]

    def _check_parameters(self) -> None:
        booster = self._booster()
        if isinstance(booster, TwoClassBoosting):
            booster._check_parameters()

    def _booster(self) -> Any:
        """The booster: any classifier with scores or probabilities."""
        booster = self.booster
        if booster is None:
            return later.AdaBoostClassifier()
        if isinstance(booster, type):
            name = booster.__name__
            raise TypeError(f"booster={name} is a class; pass an instance, {name}().")
        scores = hasattr(booster, "decision_function") or hasattr(booster, "predict_proba")
        if not (hasattr(booster, "fit") and scores) or is_regressor(booster):
            raise TypeError(
                f"booster={show(booster)} is not allowed: it must be a boosted classifier, such as "
                "AdaBoostClassifier(), or another classifier with decision_function."
            )
        return booster

    @in_one_step
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
    ) -> Self:
        """Fits all binary problems; the arguments are those of the boosters of this library."""
        self._check_parameters()
        model = self._model()
        model.fit(X, y, sample_weight, X_val, y_val, sample_weight_val)
        self._keep(model)
        return self

    def _keep(self, model: Any) -> None:
        """Keeps the fitted model; messages about the columns of X name this estimator."""
        model._schema = replace(model._schema, estimator_name=type(self).__name__)
        self.model_ = model

    def _model(self) -> Any:
        """The model to fit: a new one, or that of the fit before where it is to go on."""
        booster = self._booster()
        if not isinstance(booster, TwoClassBoosting):
            return WholeModels(clone(booster), multiclass=self._multiclass)
        if booster.warm_start and fact(self, "model_") is not None:
            settings = clone(booster).get_params(deep=False) | {"multiclass": self._multiclass}
            return copy.copy(self.model_).set_params(**settings)
        return clone(booster).set_params(multiclass=self._multiclass)

    # --------------------------------------------------------------------------------- predicting

    def _fitted(self) -> Any:
        check_is_fitted(self, "model_")
        return self.model_

    decision_function = _delegated(TwoClassBoosting.decision_function)
    predict = _delegated(TwoClassBoosting.predict)
    predict_proba = _delegated(TwoClassBoosting.predict_proba)
    predict_log_proba = _delegated(TwoClassBoosting.predict_log_proba)
    staged_decision_function = _delegated(TwoClassBoosting.staged_decision_function)
    staged_predict = _delegated(TwoClassBoosting.staged_predict)
    staged_predict_proba = _delegated(TwoClassBoosting.staged_predict_proba)

    # --------------------------------------------------------------------------------- describing

    margins = _delegated(TwoClassBoosting.margins)
    rules = _delegated(TwoClassBoosting.rules)
    certify = _delegated(TwoClassBoosting.certify)

    explain = _delegated(TwoClassBoosting.explain, spoken=True)
    interactions = _delegated(TwoClassBoosting.interactions, spoken=True)
    to_c = _delegated(TwoClassBoosting.to_c)
    to_javascript = _delegated(TwoClassBoosting.to_javascript)
    to_json = _delegated(TwoClassBoosting.to_json)
    to_onnx = _delegated(TwoClassBoosting.to_onnx)
    to_pmml = _delegated(TwoClassBoosting.to_pmml)
    to_python = _delegated(TwoClassBoosting.to_python)
    to_scorecard = _delegated(TwoClassBoosting.to_scorecard)
    to_sql = _delegated(TwoClassBoosting.to_sql)

    @property
    def _origin(self) -> Provenance:
        """The provenance of the fitted model."""
        origin: Provenance = self.model_._origin
        return origin

    @_origin.setter
    def _origin(self, origin: Provenance) -> None:
        self.model_._origin = origin

    def __getattr__(self, name: str) -> Any:
        if name in _DELEGATED and "model_" in self.__dict__:
            return getattr(self.model_, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._booster()).input_tags
        return tags


@parameters.declared
class OneVsRestBooster(Reduction):
    """Every class against the rest: K problems of two classes; the largest score wins.

    For the boosters of two classes of this library it does what ``multiclass="ovr"`` does there.

    Attributes
    ----------
    model_ : the fitted model of all problems
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_
        Those of ``model_``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from weaklearn import MadaBoostClassifier, OneVsRestBooster
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OneVsRestBooster(MadaBoostClassifier(n_estimators=20)).fit(X, y)
    >>> model.decision_function(X).shape, model.score(X, y) > 0.95
    ((150, 3), True)
    """

    _multiclass = "ovr"


@parameters.declared
class AllPairsBooster(Reduction):
    """Every two classes against one another: K (K - 1)/2 problems; the class of most wins.

    Two classes are learnt from their own rows alone. ``decision_function`` counts wins, and the
    smallest of the classes with most wins is predicted. Problems are small, and each has an easy
    task: where classes are many and rows scarce this often errs less than one against the rest, at
    the price of more fits. Probabilities made from wins are coarse unless ``calibrate="slope"``.

    For the boosters of two classes of this library it does what ``multiclass="pairs"`` does there.

    Attributes
    ----------
    model_ : the fitted model of all problems
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_
        Those of ``model_``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from weaklearn import AllPairsBooster, MadaBoostClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AllPairsBooster(MadaBoostClassifier(n_estimators=20)).fit(X, y)
    >>> model.decision_function(X[:1]).tolist()  # the first class wins both its comparisons
    [[2.0, 1.0, 0.0]]
    """

    _multiclass = "pairs"


@parameters.declared
class Boosted(BoostingClassifier):
    """Runs a booster of your own with all that estimators have.

    A booster is a subclass of ``weaklearn.base.Booster`` with two methods: ``begin(sample)`` gives
    the first state, and ``round(sample, learn, state)`` the next state and the facts of the round.
    Data of any kind, progress, early stopping, staged prediction, callbacks and warm start are the
    business of the loop around it. A run is resumed by ``booster.replay``, which tilts D by every
    vote in turn; a booster whose weights move otherwise overrides it.

    Parameters
    ----------
    booster : an object of a subclass of weaklearn.base.Booster
        The algorithm: how weights begin, and what a round does.
    multiclass : {"ovr", "pairs", "native"}, default "ovr"
        More than two classes are boosted one against the rest or every two against one another,
        as the booster takes labels -1 and +1; or, if it can, at once with labels 0, 1, 2,
        ....

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_
        The record holds the facts that the booster tells; a fact it does not tell is NaN.

    Examples
    --------
    A booster that counts every rule alike, and doubles the weight of what the last one missed:

    >>> from weaklearn import Boosted, datasets
    >>> from weaklearn.base import WRONG, Booster, Ensemble, Round, State
    >>> class Doubling(Booster):
    ...     def begin(self, sample):
    ...         return State(sample.prior, Ensemble())
    ...     def round(self, sample, learn, state):
    ...         h = learn(state.D, sample.y, len(state.ensemble))
    ...         error = state.D.mass(sample.correctness(h), WRONG)
    ...         return self.replay(sample, state, 1.0, h), Round({"epsilon": error, "alpha": 1.0})
    ...     def step(self, vote):
    ...         return 0.34657359  # wrong over right weighs exp(2 step) = 2
    >>> X, y = datasets.toy()
    >>> model = Boosted(Doubling(), n_estimators=7).fit(X, y)
    >>> model.score(X, y)
    1.0
    """

    booster: Any = field(default=None, kw_only=False)
    multiclass: Literal["ovr", "pairs", "native"] = "ovr"
    resample: Any = False

    learning_rate = None  # votes are the booster's own
    _rate_by_step = True

    _product_bounds = False  # what a booster of one's own calls Z is not known here

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._check_booster()
        parameters.one_of("multiclass", self.multiclass, ["ovr", "pairs", "native"])
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)

    def _check_booster(self) -> None:
        given, wanted = self.booster, "an object of a subclass of weaklearn.base.Booster"
        if isinstance(given, type):
            name = given.__name__
            raise TypeError(f"booster={name} is a class; pass an instance, {name}().")
        if not isinstance(given, Booster):
            hint = " An estimator boosts by itself: call its fit." * hasattr(given, "fit")
            raise TypeError(f"booster={show(given)} is not allowed: it must be {wanted}.{hint}")

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        learner = None
        if Form.NUMBERS in self.booster.needs:
            learner = learner_of_numbers(self.estimator, seed, schema)
        return super()._make_learner(seed, schema) if learner is None else learner

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        booster: Booster = self.booster
        native = self.multiclass == "native" and not sample.binary
        if booster.target is not None and not (booster.target == "class numbers" and native):
            self._refuse_target(booster.target)
        if sample.binary or native:
            return booster
        return (AllPairs if self.multiclass == "pairs" else OneVsRest)(booster, learner)

    def _check_sample(self, sample: Sample) -> None:
        super()._check_sample(sample)
        planned = self.booster.planned_rounds
        if planned is not None and self.n_estimators < planned:
            name = type(self.booster).__name__
            warn(
                f"n_estimators={self.n_estimators} ends {name} before the {planned} rounds that "
                f"its weights are planned for: what it guarantees is of all {planned}. Set "
                f"n_estimators={planned}, or plan for fewer.",
                BoostingWarning,
            )

    def _refuse_target(self, target: str) -> NoReturn:
        name = type(self.booster).__name__
        known = [row.name for row in ROWS.values() for home in row.boosters if home.endswith(name)]
        remedy = f"; use {known[0]}" if known else ""
        if target == "class numbers":
            remedy += ", or set multiclass='native' where there are more than two classes"
        raise FormError(
            f"{name} is a booster for {target}, and Boosted trains it on labels -1 and +1{remedy}."
        )

    _own_booster = True

    @property
    def _booster_name(self) -> str:
        return type(self.booster).__name__

    def save(self, path: str | os.PathLike[str], *, profile: bool = True) -> None:
        """Writes the fitted model to a file, where the booster is one of this library.

        A model file holds no code, and a booster of your own is code: use pickle for it.
        """
        self._check_booster_in_files()
        super().save(path, profile=profile)

    def fingerprint(self) -> str:
        """SHA-256 of the canonical model, where ``save`` can write it."""
        self._check_booster_in_files()
        return super().fingerprint()

    def _check_booster_in_files(self) -> None:
        kind = type(self.booster)
        home = f"{kind.__module__}.{kind.__qualname__}".partition(".boosters.")[2]
        if home not in booster_numbers().values():
            raise ModelFileError(
                f"Boosted cannot be written to a model file: booster is an object of class "
                f"{kind.__name__}, which is code, and files of this library hold none; use pickle "
                f"for this model, with {kind.__name__} in a module that can be imported."
            )


@fact.register
def _(model: Reduction, name: str) -> Any:
    own = vars(model)
    return fact(own.get("model_"), name) if name in _DELEGATED else own.get(name)
