"""One fit, of votes as of gradients: rounds are played and watched, and their outcome is kept."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np

from .. import callbacks
from ..base.booster import History, Played, Rounds, Stop, match, play
from ..intake.prepare import Prepared
from .callback_support import bridge, is_protocol_callback, protocol_callbacks

if TYPE_CHECKING:
    from ..base.booster import Booster, State
    from ..base.hypothesis import WeakLearner
    from ..base.sample import Sample
    from ..callbacks import EarlyStopping
    from ..intake.schema import Schema

S = TypeVar("S")
L = TypeVar("L")

# Fitted names that not every fit sets: those of an earlier one are forgotten.
_NOT_ALWAYS = ("feature_names_in_", "validation_scores_", "validation_losses_", "_estimators")


@dataclass(frozen=True)
class Game:
    """Rows, weak learner, booster and seed of a fit; fraction and seed of rows held out."""

    prepared: Prepared
    learner: WeakLearner
    booster: Booster
    seed: int
    held_out: tuple[float, int] | None

    def __post_init__(self) -> None:
        match(self.booster, self.learner)

    def begin(self) -> State:
        state: State = self.booster.begin(self.prepared.sample)
        return state


class Prepares(Protocol):
    """What holds the rows of a fit."""

    @property
    def prepared(self) -> Prepared: ...


@dataclass(frozen=True)
class Fit(Generic[S, L]):
    """A fit that is ready for its rounds: booster, rows, first state and number of rounds.

    ``game`` is what was prepared for it, the rows in ``game.prepared``. ``early`` judges rounds by
    rows held out, and may stop them; ``searched``: the number of rounds was found by folds;
    ``streamed``: examples came one by one, and their rows are not described.
    """

    game: Prepares
    booster: Rounds[S, L]
    learn: L
    state: S
    history: History
    n_rounds: int
    early: EarlyStopping[S] | None = None
    searched: bool = False
    resumed: bool = False
    streamed: bool = False

    @property
    def sample(self) -> Sample:
        return self.game.prepared.sample


class Fitted(Protocol[S]):
    """An estimator that ``run`` can fit."""

    callbacks: Any
    verbose: int

    def _facts(self, game: Any, state: S, history: History) -> dict[str, Any]:
        """The fitted names that a state would give."""

    def _outcome(self, fit: Any, played: Played[S]) -> dict[str, Any]:
        """The fitted attributes after the last round."""

    def _kept(self, fit: Any, played: Played[S]) -> None:
        """Looks at what was kept: warns where nothing was learnt."""


def run(model: Fitted[S], fit: Fit[S, L], data: tuple[Any, Any, Any]) -> None:
    """Runs the rounds of a fit and assigns every fitted attribute in one step.

    ``data`` are X, y and weights as given. An interrupt keeps the rounds played before it, and goes
    on as the interrupt that it is.
    """
    played = _played(model, fit, data)
    if played.interrupt is None or len(played.history) > 0:
        found = model._outcome(fit, played)
        found["_origin"] = _described(model, fit, found["ensemble_"])
        for name in _NOT_ALWAYS:
            model.__dict__.pop(name, None)
        model.__dict__.update(found)
        model._kept(fit, played)
    if played.interrupt is not None:
        raise played.interrupt


def _played(model: Fitted[S], fit: Fit[S, L], data: tuple[Any, Any, Any]) -> Played[S]:
    """The rounds, with all who watch: who stops early, the callbacks of the model, progress."""
    done = len(fit.history)
    watchers: list[Any] = [] if fit.early is None else [fit.early]
    watchers += [each for each in model.callbacks or () if not is_protocol_callback(each)]
    with protocol_callbacks(model):
        names = functools.partial(_names, model, fit)
        tasks = bridge(model, *data, fit.n_rounds - done, names)
        watchers += [] if tasks is None else [tasks]
        progress = (
            callbacks.Progress(fit.n_rounds, type(model).__name__, done) if model.verbose else None
        )
        watchers += [] if progress is None else [progress]
        try:
            played = play(
                fit.booster,
                fit.sample,
                fit.learn,
                state=fit.state,
                history=fit.history,
                n_rounds=fit.n_rounds,
                callbacks=watchers,
            )
        finally:
            if progress is not None:
                progress.close()
        if tasks is not None:
            tasks.close(played.state)
    if fit.searched and played.stop is Stop.ROUNDS:
        return replace(played, stop=Stop.FOUND)
    return played


def _names(model: Fitted[S], fit: Fit[S, L], state: S) -> dict[str, Any]:
    return model._facts(fit.game, state, fit.history)


def _described(model: Any, fit: Fit[S, L], ensemble: Any) -> Any:
    """The rows of the fit described, which is no part of fitting."""
    from ..production.describe import after_fit, after_stream
    from ..production.provenance import provenance_of

    before = provenance_of(model) if fit.resumed else None
    if fit.streamed:
        return after_stream(fit.sample, before)
    held_out = fit.game.prepared.validation
    rows = None if held_out is None else held_out.rows
    return after_fit(fit.sample, held_out=rows, before=before, ensemble=ensemble)


def column_names(schema: Schema) -> dict[str, Any]:
    """``n_features_in_``, and ``feature_names_in_`` where columns have names."""
    found: dict[str, Any] = {"_schema": schema, "n_features_in_": schema.n_features}
    if schema.names is not None:
        found["feature_names_in_"] = np.array(schema.names, dtype=object)
    return found
