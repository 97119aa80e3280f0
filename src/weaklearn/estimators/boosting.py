"""What every boosted classifier shares: fitting and predicting."""

from __future__ import annotations

import copy
import logging
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from ..base.booster import Booster, State
from ..base.hypothesis import WeakLearner
from ..base.notice import BoostingWarning, warn
from ..base.record import Callback, History, Stop
from ..base.rounds import Played, play, replayed
from ..base.sample import Rows, Sample
from ..boosters import OneVsRest
from ..callbacks import EarlyStopping, Progress
from ..engines import LocalEngine, resolve_threads
from . import parameters
from .calibration import Calibration, calibrate
from .calibration import check as check_calibration
from .html import with_summary
from .setup import Game, Prepared, as_table, prepare, read_validation, refuse_missing
from .telling import Telling
from .watching import (
    CallbackSupportMixin,
    bridge,
    check_callbacks,
    decide,
    is_protocol_callback,
    protocol_callbacks,
    validation_score,
    with_callbacks,
    without_callbacks,
)
from .weak import is_foreign, learner_for, refuses_missing, refuses_unseen

log = logging.getLogger("weaklearn")
Floats = NDArray[np.float64]


class BoostingClassifier(Telling, CallbackSupportMixin, ClassifierMixin, BaseEstimator):
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
    unseen: str

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
        parameters.whole(
            "verbose", int(self.verbose) if self.verbose is True else self.verbose or 0, 0
        )
        parameters.switch("early_stopping", self.early_stopping)
        parameters.switch("warm_start", self.warm_start)
        parameters.real("validation_fraction", self.validation_fraction, 0.0, 0.999999)
        parameters.whole("n_iter_no_change", self.n_iter_no_change, 1)
        parameters.real("tol", self.tol, None, 1e300, least=0.0)
        parameters.one_of("calibrate", self.calibrate, [None, "slope", "platt"])
        parameters.one_of("unseen", self.unseen, ["missing", "error"])
        check_callbacks(self.callbacks)

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
            Numbers, strings, categories, booleans, dates; missing values are allowed. A learner
            outside this library gets X as it came, and may take texts or arrays of any shape.
        y : array-like of n labels
        sample_weight : array-like of n weights, optional
            Whole numbers count as repetitions of rows; a row of weight 0 is left out.
        X_val, y_val, sample_weight_val : optional
            Rows to score every round on, in place of a held-out fraction.
        """
        self._check_parameters()
        resumed = bool(self.warm_start) and hasattr(self, "ensemble_")
        game = self._game(X, y, sample_weight, X_val, y_val, sample_weight_val, resumed)
        if resumed and self._final:
            return self
        state, history = self._resume(game) if resumed else (game.begin(), History())
        early = self._early_stopping(game, history, state)
        played = self._play(game, state, history, early, X, y, sample_weight)
        if played.interrupt is None or len(played.history) > 0:
            self._keep(game, played, early)
        if played.interrupt is not None:
            raise played.interrupt
        if self.calibrate is not None and self.n_iter_ > 0:  # last, so that nothing played is lost
            rounds = len(self.history_) if self._perfect else self.n_iter_
            self.calibration_ = self._calibrated(game, rounds)
        return self

    def _game(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        weight_val: Any = None,
        resumed: bool = False,
    ) -> Game:
        """Everything a game needs: rows, learner, booster."""
        if X_val is None and y_val is not None:
            raise ValueError("y_val is given without X_val: pass the validation rows too.")
        if resumed and self.n_estimators < self.n_iter_:
            raise ValueError(
                f"n_estimators={self.n_estimators} must be larger or equal to the {self.n_iter_} "
                "rounds already played when warm_start is True."
            )
        seed = self._seed if resumed else parameters.seed("random_state", self.random_state)
        split = self.early_stopping and X_val is None
        held_out = (float(self.validation_fraction), seed) if split else None
        if resumed and split and self._held_out is not None:
            held_out = self._held_out  # the rows held out stay held out
        prepared = self._prepare(X, y, sample_weight, held_out, resumed)
        if X_val is not None:
            validation = read_validation(
                X_val, y_val, weight_val, prepared, is_foreign(self.estimator)
            )
            prepared = replace(prepared, validation=validation)
        learner = learner_for(
            self.estimator,
            getattr(self, "resample", False),
            self.n_estimators,
            seed,
            getattr(self, "min_weight_fraction_leaf", 0.0),
        )
        check_calibration(self.calibrate, prepared.sample)
        booster = self._make_booster(prepared.sample, learner)
        scheme = type(booster).__name__
        if resumed and scheme != self._scheme:
            raise ValueError(
                f"warm_start=True goes on with a game of {self._scheme}, but the parameters now "
                f"ask for {scheme}; set warm_start=False to begin anew."
            )
        return Game(prepared, learner, booster, seed, held_out)

    def _prepare(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        held_out: tuple[float, int] | None,
        resumed: bool,
    ) -> Prepared:
        return prepare(
            X,
            y,
            sample_weight,
            engine=LocalEngine(resolve_threads(self.n_jobs)),
            class_weight=self.class_weight,
            name=type(self).__name__,
            categorical_features=getattr(self.estimator, "categorical_features", "from_dtype"),
            refuses_missing=refuses_missing(self.estimator),
            any_shape=is_foreign(self.estimator),
            held_out=held_out,
            known=(self._schema, self.classes_) if resumed else None,
        )

    def _prepare_again(self, X: Any, y: Any, sample_weight: Any) -> Prepared:
        """The sample of the fit, from the same arguments."""
        return self._prepare(X, y, sample_weight, self._held_out, True)

    def _resume(self, game: Game) -> tuple[State, History]:
        """The state after the rounds already played, rebuilt by playing their members again."""
        sample, history = game.prepared.sample, self.history_.first(self.n_iter_)
        if isinstance(game.booster, OneVsRest):
            return game.booster.replay_panel(sample, self.ensemble_, history), history
        state = replayed(game.booster, sample, self.ensemble_)
        if sample.binary and history and "train_error" in history:
            errors = state.D.standing()[1] / sample.m
            if errors != history["train_error"][-1]:
                warn(
                    "warm_start=True goes on with rows that are not those of the rounds already "
                    f"played: the vote so far errs on {errors:.4g} of them, and erred on "
                    f"{history['train_error'][-1]:.4g} then. Pass the same X and y, or set "
                    "warm_start=False to begin anew.",
                    BoostingWarning,
                )
        return state, history

    def _early_stopping(self, game: Game, history: History, state: State) -> EarlyStopping | None:
        validation = game.prepared.validation
        if validation is None:
            return None

        def model(state: State) -> Any:
            return self._standing(game, state, history)

        early = EarlyStopping(
            validation.rows,
            validation_score(self, validation, model, len(game.prepared.classes)),
            self.n_iter_no_change if self.early_stopping else None,
            self.tol,
        )
        early.resume(history, state.ensemble)
        return early

    def _play(
        self,
        game: Game,
        state: State,
        history: History,
        early: EarlyStopping | None,
        X: Any,
        y: Any,
        sample_weight: Any,
    ) -> Played:
        """The rounds, with all who watch."""
        done, n_rounds = len(history), self.n_estimators
        plain = [c for c in self.callbacks or () if not is_protocol_callback(c)]
        watchers: list[Callback] = [*([] if early is None else [early]), *plain]
        with protocol_callbacks(self):
            tasks = bridge(
                self, X, y, sample_weight, n_rounds - done, lambda s: self._facts(game, s, history)
            )
            watchers += [] if tasks is None else [tasks]
            progress = Progress(n_rounds, type(self).__name__, done) if self.verbose else None
            watchers += [] if progress is None else [progress]
            try:
                played = play(
                    game.booster,
                    game.prepared.sample,
                    game.learner.bind(game.prepared.sample),
                    state=state,
                    history=history,
                    n_rounds=n_rounds,
                    callbacks=watchers,
                )
            finally:
                if progress is not None:
                    progress.close()
            if tasks is not None:
                tasks.close(played.state)
        return played

    def _facts(
        self, game: Game, state: State, history: History, stop: Stop | None = None
    ) -> dict[str, Any]:
        """The fitted names, as a state gives them."""
        prepared, ensemble = game.prepared, state.ensemble
        facts: dict[str, Any] = {
            "_schema": prepared.schema,
            "_seed": game.seed,
            "_held_out": game.held_out,
            "_scheme": type(game.booster).__name__,
            "_any_shape": is_foreign(self.estimator),
            "_weighted": prepared.sample.importance is not None,
            "_resumed": bool(self.warm_start) and hasattr(self, "ensemble_"),
            "_final": stop in (Stop.PERFECT, Stop.NO_EDGE, Stop.WORSE, Stop.LEARNER),
            "_perfect": len(ensemble) == 1 and np.isinf(history["alpha"][-1]),
            "classes_": prepared.classes,
            "n_features_in_": prepared.schema.n_features,
            "ensemble_": ensemble,
            "history_": history,
            "n_iter_": len(ensemble),
            "stop_reason_": str(stop or Stop.ROUNDS),
            "calibration_": Calibration(),
        }
        if prepared.schema.names is not None:
            facts["feature_names_in_"] = np.array(prepared.schema.names, dtype=object)
        return facts

    def _standing(self, game: Game, state: State, history: History) -> Any:
        """A copy of this model as if the game had ended here."""
        model = copy.copy(self)
        model.__dict__.update(self._facts(game, state, history))
        return model

    def _keep(self, game: Game, played: Played, early: EarlyStopping | None) -> None:
        """Assigns every fitted name in one step."""
        state, history, stop = played.state, played.history, played.stop
        facts = self._facts(game, state, history, stop)
        if early is not None and self.early_stopping and early.best is not None:
            kept = early.best
            facts["_perfect"] = facts["_perfect"] and kept is state.ensemble
            facts |= {"ensemble_": kept, "n_iter_": len(kept)}
        n_members, n_rounds = facts["n_iter_"], len(history)
        facts["_train_accuracy"] = _accuracy(facts["ensemble_"], game.prepared.sample, history)
        if early is not None:
            facts["validation_scores_"] = history["validation_score"]
        for name in ("feature_names_in_", "validation_scores_", "_estimators"):
            self.__dict__.pop(name, None)
        self.__dict__.update(facts)
        log.debug("%s: %d members, %s", type(self).__name__, n_members, stop)
        if n_members == 0:
            warn(
                f"nothing was learnt: {stop} (round {n_rounds}); every row will be given the class "
                f"{game.prepared.classes.tolist()[0]!r}. Try deeper learners or other features.",
                BoostingWarning,
            )

    def _calibrated(self, game: Game, n_rounds: int) -> Calibration:
        """A link fitted on scores of models that play the same game without the rows they score."""
        settings = {
            "calibrate": None,
            "warm_start": False,
            "early_stopping": False,
            "n_estimators": n_rounds,
            "class_weight": None,
            "callbacks": None,
            "random_state": game.seed,
            "verbose": 0,
        }

        def refit(X: Any, y: Any, weights: Floats) -> Any:
            model = without_callbacks(clone(self)).set_params(**settings)
            return model.fit(X, y, sample_weight=weights)

        return calibrate(self.calibrate, game.prepared.sample, game.seed, refit, self._link_some)

    # --------------------------------------------------------------------------------- predicting

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "ensemble_")
        strict = refuses_missing(self.estimator)
        unseen = "error" if strict or refuses_unseen(self.estimator) else self.unseen
        cells = self._schema.read(as_table(X) if self._any_shape else X, unseen=unseen)
        if strict:
            refuse_missing(cells, self._schema)
        return Rows(cells, X, LocalEngine(resolve_threads(self.n_jobs)))

    def decision_function(self, X: Any) -> Floats:
        """F, the sum of the votes: (n,) for two classes (above 0: ``classes_[1]``), else (n, K)."""
        rows = self._rows(X)
        return np.asarray(self.ensemble_(rows))

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row."""
        F = self.decision_function(X)
        return np.asarray(self.classes_[decide(F, len(self.classes_))])

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class, in the order of ``classes_``."""
        F = self.decision_function(X)
        return self._link(self.calibration_(F))

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
        yield from self.ensemble_.stages(rows)

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """The labels after 1, 2, ... members."""
        for F in self.staged_decision_function(X):
            yield self.classes_[decide(F, len(self.classes_))]

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
        if hasattr(self.estimator, "__sklearn_tags__"):  # it reads what its learner can read
            tags.input_tags = get_tags(self.estimator).input_tags
        else:
            tags.input_tags.sparse = tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_estimators"}

    def _repr_html_inner(self) -> str:
        return with_summary(self, BaseEstimator._repr_html_inner(self))

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_inner()}


def _accuracy(ensemble: Any, sample: Sample, history: History) -> float | None:
    """The share of the training examples that the vote gets right; None where it is dear to ask."""
    if "train_error" in history:
        return float(1 - history["train_error"][min(len(ensemble), len(history)) - 1])
    if not all(hasattr(h, "packed") for h in ensemble.members):
        return None
    right = decide(np.asarray(ensemble(sample)), sample.n_classes) == sample.y
    return float(np.average(right, weights=sample.copies))
