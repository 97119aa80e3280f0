"""OneVsRestBooster and AllPairsBooster: more classes by problems of two, for any booster."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any, ClassVar, Self

from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from ...base.booster import Booster
from ...base.certificate import Certificates
from ...base.hypothesis import WeakLearner
from ...base.messages.table import Table
from ...base.messages.value_text import show
from ...base.sample import Sample
from ...base.types import Floats
from ...boosters.parts.single_round import Once
from ...inspection.explanation import Explanation
from ...inspection.shapley import Interactions
from ...intake import parameters
from ...intake.schema import Schema
from ...learners.whole_model import WholeModelLearner
from ...production.provenance import Provenance
from ...uncertainty.conformal import SetPrediction
from ..model import Model, in_one_step
from .classifier import Multiclass, TwoClassBoosting

# Attributes that are those of the fitted model.
_DELEGATED = (
    *("classes_", "n_features_in_", "feature_names_in_", "n_iter_", "stop_reason_"),
    *("history_", "ensemble_", "estimators_", "estimator_weights_", "estimator_errors_"),
    *("edges_", "feature_importances_", "validation_scores_"),
)


@parameters.declared
class WholeModels(TwoClassBoosting):
    """A copy of ``estimator`` per binary problem: any classifier with scores, as log-odds."""

    saved_in_files: ClassVar[bool] = False

    n_estimators: int = 1

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        return WholeModelLearner(self.estimator)

    def _game_of_two(self, sample: Sample) -> Booster:
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

    booster: Any = field(default=None, kw_only=False)

    _multiclass: ClassVar[Multiclass]

    def _check_parameters(self) -> None:
        booster = self._booster()
        if isinstance(booster, TwoClassBoosting):
            booster._check_parameters()

    def _booster(self) -> Any:
        """The booster: any classifier with scores or probabilities."""
        booster = self.booster
        if booster is None:
            from .adaboost import AdaBoostClassifier

            return AdaBoostClassifier()
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
        if booster.warm_start and hasattr(self, "model_"):
            settings = clone(booster).get_params(deep=False) | {"multiclass": self._multiclass}
            return copy.copy(self.model_).set_params(**settings)
        return clone(booster).set_params(multiclass=self._multiclass)

    # --------------------------------------------------------------------------------- predicting

    def _fitted(self) -> Any:
        check_is_fitted(self, "model_")
        return self.model_

    def decision_function(self, X: Any) -> Floats:
        """The scores of the classes, (n, K); (n,) for two classes."""
        scores: Floats = self._fitted().decision_function(X)
        return scores

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of the largest score, the smallest on ties."""
        labels: NDArray[Any] = self._fitted().predict(X)
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class, in the order of ``classes_``."""
        probabilities: Floats = self._fitted().predict_proba(X)
        return probabilities

    def predict_log_proba(self, X: Any) -> Floats:
        """The logarithm of the probabilities."""
        logarithms: Floats = self._fitted().predict_log_proba(X)
        return logarithms

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """The scores after 1, 2, ... rounds."""
        yield from self._fitted().staged_decision_function(X)

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """The labels after 1, 2, ... rounds."""
        yield from self._fitted().staged_predict(X)

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """The probabilities after 1, 2, ... rounds."""
        yield from self._fitted().staged_predict_proba(X)

    # ------------------------------------------------------------------------------------ telling

    def margins(self, X: Any, y: Any) -> Floats:
        """Normalised margins in [-1, 1]: how clearly the vote is right (wrong where negative)."""
        found: Floats = self._fitted().margins(X, y)
        return found

    def explain(self, X: Any) -> Explanation:
        """What every column adds to the scores of every class or pair, as the booster explains it.

        The scores of pairs of classes are explained one by one, before wins are counted.
        """
        found: Explanation = self._fitted().explain(X)
        return found

    def interactions(self, X: Any) -> Interactions:
        """What every two columns do together, as ``interactions`` of the booster has it."""
        found: Interactions = self._fitted().interactions(X)
        return found

    def to_c(self, path: Any = None, *, name: str = "model") -> str:
        """C99, as ``to_c`` of the booster writes it."""
        source: str = self._fitted().to_c(path, name=name)
        return source

    def to_onnx(self, path: Any = None) -> Any:
        """An ONNX model, as ``to_onnx`` of the booster makes it."""
        return self._fitted().to_onnx(path)

    def to_python(self, path: Any = None) -> str:
        """Plain Python, as ``to_python`` of the booster writes it."""
        source: str = self._fitted().to_python(path)
        return source

    def rules(
        self, n: int | None = None, *, merge: bool = False, feature_names: Any = None
    ) -> Table:
        """The rules of the first n rounds for every class or pair, as ``rules`` of the booster."""
        table: Table = self._fitted().rules(n, merge=merge, feature_names=feature_names)
        return table

    def certify(
        self,
        X: Any = None,
        y: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        delta: float = 0.05,
        sample_weight: Any = None,
    ) -> Certificates:
        """The certificates of the fitted model, by ``certify`` of the booster."""
        found: Certificates = self._fitted().certify(X, y, X_test, y_test, delta, sample_weight)
        return found

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

    Two classes are learnt from their own rows alone. ``decision_function`` counts wins,
    and the smallest of the classes with most wins is predicted. Games are small, and each has an
    easy task: where classes are many and rows scarce this often errs less than one against the
    rest, at the price of more fits. Wins are coarse, and so are the probabilities made from them;
    ``calibrate="slope"`` in the booster makes them as sharp as they should be.

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
    >>> model.decision_function(X[:1]).tolist()  # the first class wins both its games
    [[2.0, 1.0, 0.0]]
    """

    _multiclass = "pairs"
