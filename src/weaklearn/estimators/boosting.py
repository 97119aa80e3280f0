"""What every boosted classifier shares: fitting, predicting, and telling what happened."""

from __future__ import annotations

import copy
import logging
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from ..base.booster import Booster, State
from ..base.certificate import Certificates
from ..base.hypothesis import WeakLearner
from ..base.notice import BoostingWarning, warn
from ..base.record import Callback, History, Stop
from ..base.rounds import Played, play, replayed
from ..base.sample import Rows, Sample
from ..base.table import Table
from ..callbacks import EarlyStopping, Progress
from ..engines import LocalEngine, resolve_threads
from . import parameters
from .calibration import Calibration, calibrate
from .html import with_summary
from .labels import read_labels, read_weights
from .reading import rule_table, stump_estimator
from .setup import Prepared, Validation, coded_labels, prepare, read_validation
from .watching import CallbackSupportMixin, bridge, is_protocol_callback, with_callbacks
from .weak import learner_for

log = logging.getLogger("weaklearn")
Floats = NDArray[np.float64]


class BoostingClassifier(CallbackSupportMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier made by playing a boosting game; subclasses name the booster."""

    # Set by the constructors of subclasses.
    estimator: Any
    n_estimators: int
    learning_rate: float
    random_state: Any
    n_jobs: int | None
    verbose: int
    class_weight: Any
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    tol: float
    scoring: Any
    warm_start: bool
    callbacks: Any
    calibrate: str | None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "__init__" in cls.__dict__:
            cls.__init__ = parameters.suggesting(cls.__init__)  # type: ignore[method-assign]

    # ------------------------------------------------------------------------------------ fitting

    @abstractmethod
    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        """The booster for this sample."""

    def _check_parameters(self) -> None:
        parameters.whole("n_estimators", self.n_estimators, 1)
        parameters.real("learning_rate", self.learning_rate, 0.0, 1e6)
        if self.n_jobs is not None and (
            parameters.whole("n_jobs", self.n_jobs, -(10**9)) == 0 or self.n_jobs < -1024
        ):
            raise ValueError(
                f"n_jobs={self.n_jobs!r} is not allowed: it must be None, a number of threads of at "
                "least 1, or -1 for all."
            )
        parameters.whole(
            "verbose", int(self.verbose) if self.verbose is True else self.verbose or 0, 0
        )
        parameters.switch("early_stopping", self.early_stopping)
        parameters.switch("warm_start", self.warm_start)
        parameters.real("validation_fraction", self.validation_fraction, 0.0, 0.999999)
        parameters.whole("n_iter_no_change", self.n_iter_no_change, 1)
        parameters.real("tol", self.tol, None, 1e300, least=0.0)
        parameters.one_of("calibrate", self.calibrate, [None, "slope", "platt"])
        for callback in self.callbacks or ():
            if not callable(callback) and not is_protocol_callback(callback):
                raise TypeError(
                    f"callbacks holds {callback!r}; each must be callable as "
                    "callback(t, state, history), or follow scikit-learn's FitCallback protocol."
                )

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
    ) -> Any:
        """Plays the game on X and y.

        Parameters
        ----------
        X : array, DataFrame, Arrow table or sparse matrix of shape (n, d)
            Numbers, strings, categories, booleans, dates; missing values are allowed.
        y : array-like of n labels
        sample_weight : array-like of n weights, optional
            Whole numbers count as repetitions of rows; a row of weight 0 is left out.
        X_val, y_val, sample_weight_val : optional
            Rows to score every round on, in place of a held-out fraction.
        """
        self._check_parameters()
        seed = parameters.seed("random_state", self.random_state)
        prepared = self._prepare(X, y, sample_weight, X_val, y_val, sample_weight_val, seed)
        learner = self._learner(seed, prepared.sample)
        booster = self._make_booster(prepared.sample, learner)
        oracle = learner.bind(prepared.sample)
        state, history = self._start(booster, prepared)
        early, watchers, close = self._watchers(prepared, X, y)
        try:
            played = play(
                booster,
                prepared.sample,
                oracle,
                state=state,
                history=history,
                n_rounds=self.n_estimators,
                callbacks=watchers,
            )
        finally:
            for watcher in close:
                watcher.close()
        self._keep(prepared, booster, played, early)
        if played.interrupt is not None:
            raise played.interrupt
        return self

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, X_val: Any, y_val: Any, weight_val: Any, seed: int
    ) -> Prepared:
        if X_val is None and y_val is not None:
            raise ValueError("y_val is given without X_val: pass the validation rows too.")
        engine = LocalEngine(resolve_threads(self.n_jobs))
        split = self.early_stopping and X_val is None
        prepared = prepare(
            X,
            y,
            sample_weight,
            engine=engine,
            class_weight=self.class_weight,
            name=type(self).__name__,
            held_out=(self.validation_fraction, seed) if split else None,
        )
        if X_val is None:
            return prepared
        validation = read_validation(
            X_val, y_val, weight_val, prepared.schema, prepared.classes, engine
        )
        return Prepared(prepared.schema, prepared.classes, prepared.sample, validation)

    def _learner(self, seed: int, sample: Sample) -> WeakLearner:
        return learner_for(
            self.estimator, getattr(self, "resample", False), self.n_estimators, seed, sample
        )

    def _start(self, booster: Booster, prepared: Prepared) -> tuple[State, History]:
        """The first state, or with warm_start the state after the rounds already played."""
        if not (self.warm_start and hasattr(self, "ensemble_")):
            return booster.begin(prepared.sample), History()
        if not np.array_equal(self.classes_, prepared.classes):
            raise ValueError(
                f"warm_start=True continues a fit on the classes {self.classes_.tolist()[:10]}, but y "
                f"holds {prepared.classes.tolist()[:10]}; set warm_start=False to begin anew."
            )
        if prepared.schema.n_features != self._schema.n_features:
            raise ValueError(
                f"X has {prepared.schema.n_features} features, but {type(self).__name__} is expecting "
                f"{self._schema.n_features} features as input; set warm_start=False to begin anew."
            )
        if self.n_estimators < self.n_iter_:
            raise ValueError(
                f"n_estimators={self.n_estimators} must be larger or equal to the {self.n_iter_} "
                "rounds already played when warm_start is True."
            )
        if self._final:
            return State(prepared.sample.prior, self.ensemble_), self.history_.first(
                len(self.history_)
            )
        replay = getattr(booster, "replay_panel", None)
        state = (
            replay(prepared.sample, self.ensemble_)
            if replay is not None
            else replayed(booster, prepared.sample, self.ensemble_)
        )
        return state, self.history_.first(self.n_iter_)

    def _watchers(
        self, prepared: Prepared, X: Any, y: Any
    ) -> tuple[EarlyStopping | None, list[Callback], list[Any]]:
        watchers: list[Callback] = []
        close: list[Any] = []
        early = None
        if prepared.validation is not None:
            early = EarlyStopping(
                prepared.validation.rows,
                self._validation_score(prepared),
                self.n_iter_no_change if self.early_stopping else None,
                self.tol,
            )
            watchers.append(early)
        protocol = [c for c in self.callbacks or () if is_protocol_callback(c)]
        watchers += [c for c in self.callbacks or () if not is_protocol_callback(c)]
        if protocol and hasattr(self, "set_callbacks"):
            self.set_callbacks(*protocol)
        fitted = bridge(self, X, y, self.n_estimators, lambda state: self._facts(prepared, state))
        if fitted is not None:
            watchers.append(fitted)
            close.append(fitted)
        if self.verbose:
            progress = Progress(self.n_estimators, type(self).__name__)
            watchers.append(progress)
            close.append(progress)
        return early, watchers, close

    def _validation_score(self, prepared: Prepared) -> Any:
        validation: Validation = prepared.validation  # type: ignore[assignment]
        if self.scoring is not None:
            from sklearn.metrics import check_scoring  # heavy, and rarely needed

            scorer = check_scoring(self, scoring=self.scoring)

            def by_scorer(F: Floats, state: State) -> float:
                model = copy.copy(self)
                model.__dict__.update(self._facts(prepared, state))
                return float(scorer(model, validation.rows.raw, validation.y))

            return by_scorer

        def accuracy(F: Floats, state: State) -> float:
            right = _decide(F, len(prepared.classes)) == validation.codes
            return float(np.average(right, weights=validation.weights))

        return accuracy

    def _facts(self, prepared: Prepared, state: State) -> dict[str, Any]:
        """The fitted names, as a state gives them."""
        facts: dict[str, Any] = {
            "_schema": prepared.schema,
            "classes_": prepared.classes,
            "n_features_in_": prepared.schema.n_features,
            "ensemble_": state.ensemble,
            "n_iter_": len(state.ensemble),
            "calibration_": Calibration(),
        }
        if prepared.schema.names is not None:
            facts["feature_names_in_"] = np.array(prepared.schema.names, dtype=object)
        return facts

    def _keep(
        self, prepared: Prepared, booster: Booster, played: Played, early: EarlyStopping | None
    ) -> None:
        """Assigns every fitted name in one step."""
        ensemble = booster.finish(prepared.sample, played.state)
        stop = played.stop
        if early is not None and self.early_stopping and early.best < len(ensemble):
            ensemble = ensemble.staged(early.best)
        facts = self._facts(prepared, State(played.state.D, ensemble))
        if self.calibrate is not None and played.interrupt is None and len(ensemble) > 0:
            facts["calibration_"] = self._calibrated(prepared, len(ensemble))
        facts |= {
            "history_": played.history,
            "stop_reason_": str(stop),
            "_final": stop in (Stop.PERFECT, Stop.NO_EDGE, Stop.WORSE, Stop.LEARNER),
        }
        if early is not None:
            facts["validation_scores_"] = np.array(early.scores)
        if "feature_names_in_" not in facts:
            self.__dict__.pop("feature_names_in_", None)
        self.__dict__.update(facts)
        self.__dict__.pop("_estimators", None)
        log.debug("%s: %d members, %s", type(self).__name__, len(ensemble), stop)
        if len(ensemble) == 0:
            warn(
                f"nothing was learnt: {stop} (round {len(played.history)}); every row will be given "
                f"the class {_default_class(prepared.classes)!r}. Try deeper learners or other "
                "features.",
                BoostingWarning,
            )

    def _calibrated(self, prepared: Prepared, n_rounds: int) -> Calibration:
        """A link fitted on scores of models that play the same game without the rows they score."""
        settings = {
            "calibrate": None,
            "warm_start": False,
            "early_stopping": False,
            "n_estimators": n_rounds,
            "class_weight": None,
            "callbacks": None,
            "verbose": 0,
        }

        def refit(X: Any, y: Any, weights: Floats) -> Any:
            return clone(self).set_params(**settings).fit(X, y, sample_weight=weights)

        seed = parameters.seed("random_state", self.random_state)
        return calibrate(self.calibrate, prepared.sample, seed, refit, self._link_some)

    # --------------------------------------------------------------------------------- predicting

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "ensemble_")
        cells = self._schema.read(as_table(X) if self._any_shape else X)
        return Rows(cells, X, LocalEngine(resolve_threads(self.n_jobs)))

    def decision_function(self, X: Any) -> Floats:
        """F, the unnormalised score: (n,) for two classes (positive means ``classes_[1]``), else (n, K)."""
        rows = self._rows(X)
        return np.asarray(self.ensemble_(rows))

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row."""
        F = self.decision_function(X)
        return np.asarray(self.classes_[_decide(F, len(self.classes_))])

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class, in the order of ``classes_``."""
        return self._link(self.calibration_(self.decision_function(X)))

    def predict_log_proba(self, X: Any) -> Floats:
        """The logarithm of the probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @property
    def _link_scale(self) -> float:
        return 1.0

    def _link(self, F: Floats) -> Floats:
        """Scores to probabilities: 1/(1 + exp(-2F)) for two classes."""
        if len(self.classes_) == 1:
            return np.ones((len(F), 1))
        return self._link_some(F)

    def _link_some(self, F: Floats) -> Floats:
        if F.ndim == 1:
            with np.errstate(over="ignore"):
                p = 1 / (1 + np.exp(-2 * F))
                return np.column_stack([1 / (1 + np.exp(2 * F)), p])
        return self._link_many(F)

    def _link_many(self, F: Floats) -> Floats:
        shifted = F - F.max(axis=1, keepdims=True)
        e = np.exp(self._link_scale * shifted)
        return np.asarray(e / e.sum(axis=1, keepdims=True))

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """F after 1, 2, ... members."""
        rows = self._rows(X)
        for F in self.ensemble_.stages(rows):
            yield F

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """The labels after 1, 2, ... members."""
        for F in self.staged_decision_function(X):
            yield self.classes_[_decide(F, len(self.classes_))]

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """The probabilities after 1, 2, ... members."""
        for F in self.staged_decision_function(X):
            yield self._link(self.calibration_(F))

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The accuracy after 1, 2, ... members."""
        from sklearn.metrics import accuracy_score  # heavy, and rarely needed

        for labels in self.staged_predict(X):
            yield float(accuracy_score(y, labels, sample_weight=sample_weight))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "ensemble_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = input_tags(self.estimator)
        for name in ("sparse", "allow_nan", "string", "categorical"):
            setattr(tags.input_tags, name, inner is None or getattr(inner, name))
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_estimators"}

    def _repr_html_inner(self) -> str:
        return with_summary(self, BaseEstimator._repr_html_inner(self))

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_inner()}


def _decide(F: Floats, n_classes: int) -> NDArray[np.intp]:
    """Class numbers from scores: sign(0) = -1, the smallest label on ties."""
    if n_classes == 1:
        return np.zeros(len(F), np.intp)
    return (F > 0).astype(np.intp) if F.ndim == 1 else np.argmax(F, axis=1)


def _default_class(classes: NDArray[Any]) -> Any:
    return classes[0]
