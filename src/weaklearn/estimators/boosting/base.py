"""How every boosted estimator is fitted: a game, prepared, played and kept."""

from __future__ import annotations

import copy
import logging
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from ...base.booster import Booster, State
from ...base.hypothesis import WeakLearner
from ...base.messages.warnings import BoostingWarning, held, warn
from ...base.record import History, Stop
from ...base.rounds import Played
from ...base.sample import Binning, Rows, Sample
from ...callbacks import EarlyStopping
from ...engines import choose
from ...inspection.html_summary import with_summary
from ...intake import parameters
from ...intake.changed_parameters import refuse_changes, settled
from ...intake.missing import refuse_missing
from ...intake.prepare import Game, Prepared, Validation, as_table, prepare, read_validation
from ...intake.schema import Cells, Schema
from ...persistence.save_load import Saving
from ...production.profile import one_column_each, reads_cells, with_scores
from ...production.provenance import Origin, earlier, origin_of
from ..callback_support import (
    CallbackSupportMixin,
    check_callbacks,
    play_watched,
    scorer_score,
    with_callbacks,
)
from .weak_learner import binning_for, is_foreign, refuses_missing, refuses_unseen

log = logging.getLogger("weaklearn")
Floats = NDArray[np.float64]
Score = Callable[[Floats, State], float]

# Reasons that come from outside the game: more rounds can be played after them.
_GOES_ON = (Stop.ROUNDS, Stop.FOUND, Stop.EARLY, Stop.CALLBACK, Stop.INTERRUPTED, None)


class Playing(Saving, CallbackSupportMixin, BaseEstimator):
    """Fits by playing a boosting game; subclasses name the booster, the learner and the target."""

    # Set by the constructors of subclasses.
    estimator: Any
    n_estimators: int
    learning_rate: Any
    _rate_by_step = False  # whether None leaves the rate to the kind of step
    _rounds_by_folds = False  # whether "auto" leaves the number of rounds to folds
    _product_bounds = True  # whether the training error is at most the product of the Z recorded
    random_state: Any
    n_jobs: int | None
    verbose: int
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    tol: float
    scoring: Any
    warm_start: bool
    callbacks: Any
    unseen: str
    # Set by fit.
    ensemble_: Any
    history_: History
    n_iter_: int
    _schema: Schema
    _final: bool
    _seed: int
    _scheme: str
    _any_shape: bool
    _held_out: tuple[float, int] | None
    _origin: Origin
    _settled: dict[str, Any]

    # ------------------------------------------------------------------------- what subclasses say

    @abstractmethod
    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        """The booster for this sample."""

    @abstractmethod
    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        """The weak learner for columns of this schema."""

    @abstractmethod
    def _target(self) -> dict[str, Any]:
        """How y is to be read, in the words of ``prepare``."""

    @abstractmethod
    def _default_score(self, prepared: Prepared, validation: Validation) -> Score:
        """What early stopping looks at, of the scores F of held-out rows; larger is better."""

    @abstractmethod
    def _nothing_learnt(self, prepared: Prepared) -> str:
        """What a model without members answers, in words."""

    def _advice(self, stop: Stop) -> str:
        """What may help where nothing was learnt."""
        return "Try deeper learners or other features."

    def _suited(
        self, learner: WeakLearner, booster: Booster, seed: int, schema: Schema
    ) -> WeakLearner:
        """The learner for a booster; one that asks for other answers may need another."""
        return learner

    def _check_game(self, sample: Sample) -> None:
        """Refuses, before a long fit, what could not be done with this sample."""

    def _train_score(self, ensemble: Any, sample: Sample, history: History) -> float | None:
        """How well the training rows are met, where that is cheap to say."""
        return None

    @property
    def _binning(self) -> Binning:
        """How the columns are coded for the weak learner."""
        return binning_for(self.estimator)

    @property
    def _known_classes(self) -> NDArray[Any]:
        return np.array([])

    @property
    def _finds_rounds(self) -> bool:
        """Whether folds are to find the number of rounds."""
        n: Any = self.n_estimators
        return self._rounds_by_folds and isinstance(n, str) and n == "auto"

    @property
    def _most_rounds(self) -> int:
        """How many rounds there can be."""
        return self.n_estimators

    def _rounds_to_play(self, game: Game) -> int:
        """How many rounds shall stand in the history at most."""
        return self.n_estimators

    def _settings(self) -> dict[str, Any]:
        """The parameters that define the game; a warm start may not change them."""
        return settled(self.get_params(deep=False))

    def _check_going_on(self) -> None:
        """Refuses to go on with a game that is another by now."""
        refuse_changes(self._settled, self._settings())

    # ------------------------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        if not self._finds_rounds:
            others = "'auto'" if self._rounds_by_folds else ""
            parameters.whole("n_estimators", self.n_estimators, 1, None, others)
        if self.learning_rate is not None or not self._rate_by_step:
            parameters.real("learning_rate", self.learning_rate, 0.0, 1e6)
        parameters.verbosity(self.verbose)
        parameters.switch("early_stopping", self.early_stopping)
        parameters.switch("warm_start", self.warm_start)
        parameters.real("validation_fraction", self.validation_fraction, 0.0, 0.999999)
        parameters.whole("n_iter_no_change", self.n_iter_no_change, 1)
        parameters.real("tol", self.tol, None, 1e300, least=0.0)
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
        y : array-like of n labels, or numbers for a regressor
        sample_weight : array-like of n weights, optional
            Whole numbers count as repetitions of rows; a row of weight 0 is left out.
        X_val, y_val, sample_weight_val : optional
            Rows to score every round on, in place of a held-out fraction.
        """
        resumed = bool(self.warm_start) and hasattr(self, "ensemble_")
        with held():
            self._check_parameters()
            game = self._game(X, y, sample_weight, X_val, y_val, sample_weight_val, resumed)
        return self._run(game, resumed, X, y, sample_weight)

    def _run(self, game: Game, resumed: bool, X: Any, y: Any, sample_weight: Any) -> Any:
        """Plays a game that is ready, and keeps what came of it."""
        if resumed and self._final:
            return self
        state, history = self._resume(game) if resumed else (game.begin(), History())
        early = self._early_stopping(game, history, state)
        played = self._play(game, state, history, early, X, y, sample_weight)
        if played.interrupt is None or len(played.history) > 0:
            self._keep(game, played, early)
        if played.interrupt is not None:
            raise played.interrupt
        return self._finished(game)

    def _finished(self, game: Game) -> Any:
        """What remains to be done once the rounds are played and kept."""
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
        if resumed:
            self._check_going_on()
        if resumed and self._most_rounds < self.n_iter_:
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
        self._check_game(prepared.sample)
        learner = self._make_learner(seed, prepared.schema)
        booster = self._make_booster(prepared.sample, learner)
        learner = self._suited(learner, booster, seed, prepared.schema)
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
            engine=choose(self.n_jobs),
            name=type(self).__name__,
            categorical_features=getattr(self.estimator, "categorical_features", "from_dtype"),
            refuses_missing=refuses_missing(self.estimator),
            any_shape=is_foreign(self.estimator),
            held_out=held_out,
            known=(self._schema, self._known_classes) if resumed else None,
            binning=self._binning,
            learn=self._learn_schema,
            **self._target(),
        )

    def _learn_schema(self, X: Any, **how: Any) -> tuple[Schema, Cells]:
        """What X is, and its cells."""
        return Schema.learn(X, **how)

    def _prepare_again(self, X: Any, y: Any, sample_weight: Any) -> Prepared:
        """The sample of the fit, from the same arguments."""
        return self._prepare(X, y, sample_weight, self._held_out, True)

    def _resume(self, game: Game) -> tuple[State, History]:
        """The state after the rounds already played, rebuilt by playing their members again."""
        sample, history = game.prepared.sample, self.history_.first(self.n_iter_)
        state = game.booster.resume(sample, self.ensemble_, history)
        if history and "train_error" in history:
            errors = state.train_error(sample)
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
            self._default_score(game.prepared, validation)
            if self.scoring is None
            else scorer_score(self, validation, model),
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
    ) -> Played[State]:
        """The rounds, with all who watch."""
        sample = game.prepared.sample
        return play_watched(
            self,
            game.booster,
            sample,
            game.learner.bind(sample),
            state=state,
            history=history,
            n_rounds=self._rounds_to_play(game),
            judges=[] if early is None else [early],
            data=(X, y, sample_weight),
            facts=lambda s: self._facts(game, s, history),
        )

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
            "_final": stop not in _GOES_ON,
            "_perfect": len(ensemble) == 1
            and "alpha" in history
            and bool(np.isinf(history["alpha"][-1])),
            "n_features_in_": prepared.schema.n_features,
            "ensemble_": ensemble,
            "history_": history,
            "n_iter_": len(ensemble),
            "stop_reason_": str(stop or Stop.ROUNDS),
        }
        if prepared.schema.names is not None:
            facts["feature_names_in_"] = np.array(prepared.schema.names, dtype=object)
        return facts

    def _standing(self, game: Game, state: State, history: History) -> Any:
        """A copy of this model as if the game had ended here."""
        model = copy.copy(self)
        model.__dict__.update(self._facts(game, state, history))
        return model

    def _keep(self, game: Game, played: Played[State], early: EarlyStopping | None) -> None:
        """Assigns every fitted name in one step."""
        state, history, stop = played.state, played.history, played.stop
        facts = self._facts(game, state, history, stop)
        if early is not None and self.early_stopping and early.best is not None:
            kept = early.best
            facts["_perfect"] = facts["_perfect"] and kept is state.ensemble
            facts |= {"ensemble_": kept, "n_iter_": len(kept)}
        n_members, n_rounds = facts["n_iter_"], len(history)
        facts["_train_accuracy"] = self._train_score(
            facts["ensemble_"], game.prepared.sample, history
        )
        if early is not None:
            facts["validation_scores_"] = history["validation_score"]
        validation = game.prepared.validation
        facts["_origin"] = origin_of(
            game.prepared.sample,
            judged=[] if validation is None else [validation.rows.cells],
            before=earlier(self) if facts["_resumed"] else None,
        )
        self._note_scores(facts, game.prepared)
        for name in ("feature_names_in_", "validation_scores_", "_estimators"):
            self.__dict__.pop(name, None)
        self.__dict__.update(facts)
        self._settled = self._settings()
        log.debug("%s: %d members, %s", type(self).__name__, n_members, stop)
        if n_members == 0 and stop not in (Stop.FLAT, Stop.DECIDED):  # nothing was left to learn
            warn(
                f"nothing was learnt: {stop} (round {n_rounds}); "
                f"{self._nothing_learnt(game.prepared)}. {self._advice(stop)}",
                BoostingWarning,
            )

    def _note_scores(self, facts: dict[str, Any], prepared: Prepared) -> None:
        """Adds the scores of rows held out to the profile, or of training where these will do."""
        vote, origin = facts["ensemble_"], facts["_origin"]
        if not reads_cells(vote):
            return
        rows: Rows | None = prepared.sample if one_column_each(vote) else None
        if prepared.validation is not None:
            rows = prepared.validation.rows
        profile = with_scores(origin.profile, vote, rows)
        facts["_origin"] = replace(origin, profile=profile)

    # --------------------------------------------------------------------------------- predicting

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "ensemble_")
        strict = refuses_missing(self.estimator)
        unseen = "error" if strict or refuses_unseen(self.estimator) else self.unseen
        cells = self._schema.read(as_table(X) if self._any_shape else X, unseen=unseen)
        if strict:
            refuse_missing(cells, self._schema)
        return Rows(cells, X, choose(self.n_jobs))

    # ------------------------------------------------------------------------ scikit-learn's wishes

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
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_estimators"}

    def _repr_html_inner(self) -> str:
        return with_summary(self, BaseEstimator._repr_html_inner(self))

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_inner()}
