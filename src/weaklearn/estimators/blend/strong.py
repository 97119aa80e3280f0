"""StrongClassifier and StrongRegressor: many kinds of models, blended by unseen examples."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ...base.added_field import ADDED
from ...base.messages.table import Table, Tabular
from ...base.messages.warnings import BoostingWarning, deferred_warnings, warn
from ...base.numeric.magnitude import SQUARED
from ...base.rows import Rows
from ...base.types import Floats
from ...callbacks import Line
from ...engines import choose
from ...export import methods as export
from ...intake import parameters
from ...intake.label_kind import score_of_labels
from ...intake.prepare import RARE, Prepared, Reading, Target, prepare
from ...intake.schema import Schema
from ...prediction import blends
from ...prediction.rows import predict_log_proba
from ...production.provenance import after_fit
from ...uncertainty.conformal import IntervalPrediction, SetPrediction
from .. import thresholds
from ..fit import column_names
from ..model import Model, assign, in_one_step
from . import blend_export
from .candidates import check_names, kind_of, rounds_in, usual
from .cross_fit import Clock, CrossFit, Played
from .selection import Scale, weights_of

log = logging.getLogger("weaklearn")


@dataclass(frozen=True)
class Parts(Tabular, Sequence[str]):
    """The models that a fit has played, by name, and the weight of each in the blend.

    It is a sequence of the names, and prints as a table. A fit with ``parts=`` of the names gives
    the same blend again, to the bit.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    weights: tuple[float, ...]
    losses: tuple[float, ...]  # NaN where nothing was held out

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: Any) -> Any:
        return self.names[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def table(self) -> Table:
        rows = list(zip(self.names, self.kinds, self.weights, self.losses, strict=True))
        note = "loss: on examples that the model did not learn from; weights sum to 1"
        return Table("parts", ["part", "model", "weight", "loss"], rows, note)


@parameters.declared_in_order
class Strong(Model):
    """A blend of many kinds of models; subclasses say what is predicted.

    Parameters
    ----------
    max_time : float, optional
        Seconds that the fit may take. A model that is not complete by then is left out; models are
        not cut short, so that a fit may take longer by a part of one. Without, the model depends
        on nothing but the data and the parameters.
    parts : list of names, optional
        The models to play, as ``parts_`` names them; all that suit the number of rows by default.
    """

    max_time: float | None = None
    parts: Any = None
    categorical_features: Any = "from_dtype"
    class_weight: Any = field(default=None, init=False)  # the classifier declares it
    unseen: parameters.Unseen = "missing"
    columns: parameters.Matching = field(default="strict", metadata=ADDED)
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0

    # Set by fit.
    estimators_: list[Any] = field(init=False)
    weights_: Floats = field(init=False)
    factors_: Floats = field(init=False)
    intercept_: Floats = field(init=False)
    n_features_in_: int = field(init=False)
    _schema: Schema = field(init=False)
    _seed: int = field(init=False)
    _played: list[str] = field(init=False)
    _losses: Floats = field(init=False)
    _methods: list[str] = field(init=False)

    explain = blend_export.explain
    to_c = export.to_c
    to_javascript = export.to_javascript
    to_json = export.to_json
    to_onnx = export.to_onnx
    to_pmml = export.to_pmml
    to_python = export.to_python
    to_sql = export.to_sql
    _model_ir = blend_export.model_ir

    _regression = False

    # ------------------------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        if self.max_time is not None:
            parameters.real("max_time", self.max_time, 0.0, 1e9, others="None")
        if self.parts is not None:
            check_names(self.parts, self._regression)
        parameters.reading(self)
        parameters.verbosity(self.verbose)

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fits every model on all examples and on those of each fold, and blends them.

        Parameters
        ----------
        X : array, DataFrame, Arrow table or sparse matrix of shape (n, d)
            Numbers, strings, categories, booleans, dates; missing values are allowed.
        y : array-like of n labels or numbers
        sample_weight : array-like of n weights, optional
            Whole numbers count as repetitions of rows; a row of weight 0 is left out.
        """
        self._check_parameters()
        clock = Clock(self.max_time)
        seed = parameters.seed("random_state", self.random_state)
        with deferred_warnings():
            prepared = self._prepare(X, y, sample_weight)
        shared = {
            "categorical_features": self.categorical_features,
            "unseen": self.unseen,
            "random_state": seed,
            "n_jobs": self.n_jobs,
        }
        fits = CrossFit(prepared.sample, shared, seed, clock)
        played = self._play(fits)
        facts = column_names(prepared.schema) | {"_seed": seed, "_schema": prepared.schema}
        if not self._regression:
            facts["classes_"] = prepared.classes
        facts |= _blended(fits, played)
        facts["_origin"] = after_fit(prepared.sample)
        assign(self, facts, forget=("feature_names_in_",))
        return self

    def _prepare(self, X: Any, y: Any, sample_weight: Any) -> Prepared:
        return prepare(
            X,
            y,
            sample_weight,
            engine=choose(self.n_jobs),
            name=type(self).__name__,
            target=Target(
                class_weight=self.class_weight, regression=self._regression, largest=SQUARED
            ),
            reading=Reading(
                categorical_features=self.categorical_features, rare=RARE, names_aside=True
            ),
        )

    def _play(self, fits: CrossFit) -> list[Played]:
        """The models that are complete in time, at least a small one."""
        names = usual(self._regression, fits.sample.m) if self.parts is None else list(self.parts)
        if rounds_in(names[0]) is not None:
            return [fits.play_once(names[0])]
        quick = None if self.max_time is None else fits.play_quickly()
        names = names if fits.folds else names[:1]
        found: list[Played] = []
        line = Line()
        for k, name in enumerate(names, start=1):
            if self.verbose:
                line.write(f"{type(self).__name__}: {name}, {k} of {len(names)}")
            played = fits.play(name) if fits.clock.left > 0 else None
            found += [] if played is None else [played]
        line.close()
        if quick is not None and not found:
            warn(
                f"max_time={self.max_time:g} was over before one model was complete: what is left "
                f"is gradient boosting of {rounds_in(quick.name)} rounds; allow more time.",
                BoostingWarning,
            )
            return [quick]
        return found

    # --------------------------------------------------------------------------------- predicting

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "estimators_")
        X = self._schema.matched(X, self.columns)
        return Rows(self._schema.read(X, unseen=self.unseen), X, choose(self.n_jobs))

    # ------------------------------------------------------------------------------------ telling

    @property
    def parts_(self) -> Parts:
        """The models that were played, and the weight of each."""
        check_is_fitted(self, "estimators_")
        kinds = [kind_of(name, self._regression) for name in self._played]
        weights, losses = self.weights_.tolist(), self._losses.tolist()
        return Parts(tuple(self._played), tuple(kinds), tuple(weights), tuple(losses))

    @property
    def feature_importances_(self) -> Floats:
        """The mean of the models' importances, by their weights."""
        check_is_fitted(self, "estimators_")
        each = [model.feature_importances_ for model in self.estimators_]
        return np.asarray(self.weights_[self.weights_ > 0] @ np.array(each))

    def _repr_html_inner(self) -> str:
        page = str(BaseEstimator._repr_html_inner(self))
        return page + self.parts_._repr_html_() if self.__sklearn_is_fitted__() else page

    def __sklearn_is_fitted__(self) -> bool:
        return "estimators_" in vars(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags


def _blended(fits: CrossFit, played: list[Played]) -> dict[str, Any]:
    """The fitted names of a blend: models, their weights, and what makes a score of their answers.

    A model whose unseen scores are not finite has no weight.
    """
    outputs = fits.sample.n_classes if fits.sample.n_classes > 2 else 1
    losses, weights = np.full(len(played), np.nan), np.eye(len(played))[0]
    scales = [Scale(float(fits.sample.n_classes != 1), np.zeros(outputs))] * len(played)
    unseen = {k: p.unseen for k, p in enumerate(played) if p.unseen is not None}
    unseen = {k: F for k, F in unseen.items() if np.isfinite(F).all()}
    if unseen:
        judge, places = fits.judge(), list(unseen)
        for k, F in unseen.items():
            scales[k] = judge.scale(F)
        scored = [scales[k](F) for k, F in unseen.items()]
        losses[places] = [judge.mean_loss(F) for F in scored]
        weights = np.zeros(len(played))
        weights[places] = weights_of(scored, judge)
    used = np.flatnonzero(weights).tolist()
    log.debug("blend of %s", [played[k].name for k in used])
    return {
        "_played": [p.name for p in played],
        "_losses": losses,
        "_methods": [played[k].method for k in used],
        "estimators_": [played[k].model for k in used],
        "weights_": weights,
        "factors_": np.array([weights[k] * scales[k].factor for k in used]),
        "intercept_": np.sum([weights[k] * scales[k].shift for k in used], axis=0),
    }


@parameters.declared_in_order
class StrongClassifier(SetPrediction, ClassifierMixin, Strong):
    """The strongest classifier without tuning: a blend of many kinds of models.

    Gradient boosting in several settings, a forest, the glass box, boosted trees and, where rows
    are few, stumps are each fitted on all examples, and once more without each of five folds. Their
    scores for the examples left out are calibrated and blended: F = sum_i w_i (a_i F_i + b_i),
    where F_i are log-odds, or one score a class. Weights are chosen step by step, by the log-loss
    of the blend on examples that no model of it has learnt from.

    **Guarantee.** With several folds (up to 50,000 examples), where blends found without a fold do
    no better on it, over all folds, than the best single models found so, a single model is taken.
    The same data give the same model, bit for bit, in any order of
    rows and on any number of threads, unless ``max_time`` is set; ``parts_`` tells which models
    were played, from which the same bits come again.

    Attributes
    ----------
    parts_, estimators_, weights_, factors_, intercept_, classes_, n_features_in_,
    feature_names_in_, feature_importances_

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from weaklearn import StrongClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = StrongClassifier(parts=["gradient", "forest"]).fit(X[:400], y[:400])
    >>> round(model.score(X[400:], y[400:]), 2)
    0.97
    >>> list(model.parts_)
    ['gradient', 'forest']

    Reference: Caruana, Niculescu-Mizil, Crew and Ksikes (2004), Ensemble selection from libraries
    of models.
    """

    tune_threshold, set_threshold = thresholds.tune_threshold, thresholds.set_threshold
    threshold_, _binary_scores = property(thresholds.given_threshold), thresholds.decision_scores
    _probability_at = blends.probability_at

    class_weight: Any = None

    classes_: NDArray[Any] = field(init=False)

    decision_function = blends.decision_function
    predict = blends.predict
    predict_proba = blends.predict_proba
    predict_log_proba = predict_log_proba
    score = score_of_labels


@parameters.declared_in_order
class StrongRegressor(IntervalPrediction, RegressorMixin, Strong):
    """The strongest regressor without tuning: a blend of many kinds of models.

    Gradient boosting in several settings, a forest and the glass box are each fitted on all
    examples, and once more without each of five folds. The prediction is the mean of theirs, by
    weights that are chosen step by step, by the squared error of the blend on examples that no
    model of it has learnt from.

    Attributes
    ----------
    parts_, estimators_, weights_, factors_, intercept_, n_features_in_, feature_names_in_,
    feature_importances_

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from weaklearn import StrongRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = StrongRegressor(parts=["gradient", "forest"]).fit(X[:300], y[:300])
    >>> round(model.score(X[300:], y[300:]), 1)
    0.5

    Reference: Caruana, Niculescu-Mizil, Crew and Ksikes (2004), Ensemble selection from libraries
    of models.
    """

    predict = blends.predict

    _regression = True
