"""A game of votes made ready: rows, learner and booster; where it begins, and who judges it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...base.booster import History, State
from ...base.messages.warnings import BoostingWarning, warn
from ...callbacks import EarlyStopping, Patience, Tally
from ...intake import parameters
from ...intake.prepare import read_validation
from ..callback_support import scorer_score
from ..fit import Fit, Game
from .weak_learner import is_foreign

if TYPE_CHECKING:
    from .base import Boosting


def game_of(
    model: Boosting,
    X: Any,
    y: Any,
    sample_weight: Any,
    X_val: Any,
    y_val: Any,
    weight_val: Any,
    resumed: bool,
) -> Game:
    """Reads the rows, and finds the learner and the booster that the parameters name."""
    if X_val is None and y_val is not None:
        raise ValueError("y_val is given without X_val: pass the validation rows too.")
    if resumed:
        model._check_going_on()
    if resumed and model._most_rounds < model.n_iter_:
        raise ValueError(
            f"n_estimators={model.n_estimators} must be larger or equal to the {model.n_iter_} "
            "rounds already played when warm_start is True."
        )
    seed = model._seed if resumed else parameters.seed("random_state", model.random_state)
    split = model.early_stopping and X_val is None
    held_out = (float(model.validation_fraction), seed) if split else None
    if resumed and split and model._held_out is not None:
        held_out = model._held_out  # the rows held out stay held out
    prepared = model._prepare(X, y, sample_weight, held_out, resumed)
    if X_val is not None:
        validation = read_validation(
            X_val, y_val, weight_val, prepared, is_foreign(model.estimator)
        )
        prepared = replace(prepared, validation=validation)
    model._check_game(prepared.sample)
    learner = model._make_learner(seed, prepared.schema)
    booster = model._make_booster(prepared.sample, learner)
    answers = model._answers_for(booster)
    if answers is not model._answers:
        learner = model._learner_answering(answers, seed, prepared.schema)
    scheme = type(booster).__name__
    if resumed and scheme != model._scheme:
        raise ValueError(
            f"warm_start=True goes on with a game of {model._scheme}, but the parameters now "
            f"ask for {scheme}; set warm_start=False to begin anew."
        )
    return Game(prepared, learner, booster, seed, held_out)


def fit_of(model: Boosting, game: Game, resumed: bool) -> Fit[State, Any]:
    """The fit from its first round, or from the last round of an earlier fit."""
    state, history = _resumed(model, game) if resumed else (game.begin(), History())
    early = _early_stopping(model, game, history, state)
    return Fit(
        game,
        game.booster,
        game.learner.bind(game.prepared.sample),
        state,
        history,
        model._rounds_to_play(game),
        early,
        searched=model._finds_rounds,
        resumed=resumed,
    )


def _resumed(model: Boosting, game: Game) -> tuple[State, History]:
    """The state after the rounds of an earlier fit, rebuilt by replaying their members."""
    sample, history = game.prepared.sample, model.history_.first(model.n_iter_)
    state = game.booster.resume(sample, model.ensemble_, history)
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


def _early_stopping(
    model: Boosting, game: Game, history: History, state: State
) -> EarlyStopping[State] | None:
    validation = game.prepared.validation
    if validation is None:
        return None

    def model_after(state: State) -> Any:
        return model._model_after(game, state, history)

    score = (
        model._default_score(game.prepared, validation)
        if model.scoring is None
        else scorer_score(model, validation, model_after)
    )
    tally = Tally(validation.rows)
    early: EarlyStopping[State] = EarlyStopping(
        lambda state: score(tally(state.ensemble), state),
        "validation_score",
        Patience(model.n_iter_no_change, model.tol, larger=True),
        stops=model.early_stopping,
    )
    early.resume(history, state.ensemble)
    return early
