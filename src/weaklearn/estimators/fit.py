"""The driver of every fit, of votes and of gradients: runs the rounds and assigns the outcome.

What a fit of votes begins with is made here too (``inputs_of``, then ``fit_of``).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np

from .. import callbacks
from ..base.booster import Played, Rounds, Stop, match, play
from ..base.history import History, remembered
from ..base.messages.warnings import BoostingWarning, warn
from ..callbacks import EarlyStopping, Patience, Tally
from ..intake import parameters
from ..intake.prepare import Prepared
from ..production.profile import without_profile
from ..production.provenance import after_fit, after_stream, provenance_of
from . import later
from .boosting.weak_learner import is_foreign
from .callback_support import (
    SUPPORTED,
    ProtocolBridge,
    is_protocol_callback,
    protocol_callbacks,
    scorer_score,
)
from .model import assign, in_one_step

if TYPE_CHECKING:
    from ..base.booster import Booster, State
    from ..base.hypothesis import WeakLearner
    from ..base.sample import Sample
    from ..engines.supervisor import Supervisor
    from ..intake.schema import Schema
    from ..intake.validation import Validation
    from .boosting.base import Boosting

S = TypeVar("S")
L = TypeVar("L")
Method = TypeVar("Method", bound=Callable[..., Any])

# Fitted names that not every fit sets: those of an earlier one are forgotten.
_JUDGED = ("validation_scores_", "validation_losses_", "position_bias_", "_dropping")
_NOT_ALWAYS = ("feature_names_in_", *_JUDGED, "_estimators", "_target_names", "_indicator")


@dataclass(frozen=True)
class FitInputs:
    """Rows, weak learner, booster and seed of a fit; fraction and seed of rows held out."""

    prepared: Prepared
    learner: WeakLearner
    booster: Booster
    seed: int
    held_out: tuple[float, int] | None

    def __post_init__(self) -> None:
        match(self.booster, self.learner)
        if self.prepared.sample.engine.collective.size > 1:
            later.refuse_parts(self.booster, self.learner)

    def begin(self) -> State:
        state: State = self.booster.begin(self.prepared.sample)
        return state


def with_callbacks(method: Method) -> Method:
    """A method that fits, run on a copy of the model (``in_one_step``).

    Where the model has callbacks of scikit-learn's protocol, it runs within scikit-learn's
    management of them.
    """

    @functools.wraps(method)
    def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        listed = self.callbacks if isinstance(self.callbacks, (list, tuple)) else ()
        protocol = any(is_protocol_callback(callback) for callback in listed)
        given = protocol or hasattr(self, "_skl_callbacks")  # set by scikit-learn
        if not SUPPORTED or not given:
            return method(self, *args, **kwargs)
        from sklearn.callback import with_callbacks as managed

        return managed(method)(self, *args, **kwargs)

    return in_one_step(watched)  # type: ignore[return-value]


class Prepares(Protocol):
    """The inputs of a fit of any kind: they hold its rows."""

    @property
    def prepared(self) -> Prepared: ...


@dataclass(frozen=True)
class Fit(Generic[S, L]):
    """A fit that is ready for its rounds: booster, rows, first state and number of rounds.

    ``inputs`` is what was prepared for it, the rows in ``inputs.prepared``. ``early`` judges rounds
    by rows held out, and may stop them; ``searched``: the number of rounds was found by folds;
    ``streamed``: examples came one by one, and their rows are not described;
    ``needed``: what the folds found, where they did.
    """

    inputs: Prepares
    booster: Rounds[S, L]
    learn: L
    state: S
    history: History
    n_rounds: int
    early: EarlyStopping[S] | None = None
    searched: bool = False
    resumed: bool = False
    streamed: bool = False
    needed: Any = None

    @property
    def sample(self) -> Sample:
        return self.inputs.prepared.sample


@dataclass(frozen=True)
class SoFar:
    """The rounds of a fit that was cut short, from which another run goes on to the same model."""

    ensemble: Any
    history: History
    needed: Any = None  # what the folds found, where they did


def rounds_so_far(sample: Sample) -> SoFar | None:
    """The rounds that an earlier run of this fit has played; None where this is the first run."""
    supervisor = sample.engine.collective.supervisor
    return None if supervisor is None else supervisor.so_far


class Fitted(Protocol[S]):
    """An estimator that ``run`` can fit."""

    callbacks: Any
    verbose: int

    def _facts(self, inputs: Any, state: S, history: History) -> dict[str, Any]:
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
    if played.interrupt is not None and fit.sample.engine.collective.size > 1:
        raise played.interrupt  # the other partitions go on, and cannot describe the rows
    if played.interrupt is None or len(played.history) > 0:
        found = model._outcome(fit, played)
        found["_origin"] = _described(model, fit, found["ensemble_"])
        assign(model, found, forget=_NOT_ALWAYS)
        model._kept(fit, played)
    if played.interrupt is not None:
        raise played.interrupt


def _played(model: Fitted[S], fit: Fit[S, L], data: tuple[Any, Any, Any]) -> Played[S]:
    """Runs the rounds, with early stopping, the callbacks of the model and progress."""
    watchers: list[Any] = [] if fit.early is None else [fit.early]
    model_after = functools.partial(_model_after, model, fit)
    partitions = fit.sample.engine.collective
    watchers += [
        each.of(model_after, partitions)
        if isinstance(each, callbacks.Checkpoint)
        else callbacks.by_first(each, partitions)
        for each in model.callbacks or ()
        if not is_protocol_callback(each)
    ]
    with protocol_callbacks(model) if model.callbacks else nullcontext():
        tasks: ProtocolBridge | None = None
        if getattr(model, "_skl_callbacks", None):  # set by scikit-learn
            names = functools.partial(_names, model, fit)
            tasks = ProtocolBridge(model, data, fit.n_rounds - len(fit.history), names)
            watchers.append(callbacks.by_first(tasks, partitions))
        progress: callbacks.Progress | None = None
        if model.verbose and partitions.rank == 0:
            name, done = type(model).__name__, len(fit.history)
            progress = callbacks.Progress(fit.n_rounds, name, done)
        watchers += [] if progress is None else [progress]
        supervisor = fit.sample.engine.collective.supervisor
        if supervisor is not None:
            watchers.append(functools.partial(_report, supervisor, model, fit))
        try:
            played = play(
                fit.booster,
                fit.inputs.prepared.sample,
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
        if supervisor is not None:
            supervisor.after_rounds()
    if fit.searched and played.stop is Stop.ROUNDS:
        return replace(played, stop=Stop.FOUND)
    return played


def _report(
    supervisor: Supervisor, model: Fitted[S], fit: Fit[S, L], t: int, state: S, history: History
) -> Any:
    """Reports a round to the supervisor; its reason to stop after it, or None."""
    ensemble = state.ensemble  # type: ignore[attr-defined]

    def model_after() -> Any:
        with without_profile(rows=False):
            return _model_after(model, fit, state, history)

    def so_far() -> SoFar:
        return SoFar(ensemble, history.first(t), fit.needed)

    return supervisor.after_round(t, fit.n_rounds, history.last(), state, so_far, model_after)


def _model_after(model: Fitted[S], fit: Fit[S, L], state: S, history: History) -> Any:
    """The model that an interrupt at this state would leave; the one that is fitted stays."""
    found = model._outcome(fit, Played(state, history, Stop.INTERRUPTED))
    found["_origin"] = _described(model, fit, found["ensemble_"])
    later = copy(model)
    assign(later, found, forget=_NOT_ALWAYS)
    return later


def _names(model: Fitted[S], fit: Fit[S, L], state: S) -> dict[str, Any]:
    return model._facts(fit.inputs, state, fit.history)


def _described(model: Any, fit: Fit[S, L], ensemble: Any) -> Any:
    """The provenance of the fit: a description of its rows, which is no part of fitting."""
    before = provenance_of(model) if fit.resumed else None
    if fit.streamed:
        return after_stream(fit.sample, before)
    held_out = fit.inputs.prepared.validation
    rows = None if held_out is None else held_out.rows
    return after_fit(fit.sample, held_out=rows, before=before, ensemble=ensemble)


def inputs_of(
    model: Boosting,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    X_val: Any = None,
    y_val: Any = None,
    weight_val: Any = None,
    groups: Any = None,
    resumed: bool = False,
) -> FitInputs:
    """Reads the rows, and finds the learner and the booster that the parameters name."""
    judged = {"y_val": y_val, "sample_weight_val": weight_val}
    given = X_val is not None or any(each is not None for each in judged.values())
    sets = later.validation_sets(X_val, judged) if given else []
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
    if split and (groups is not None or model.cv is not None):
        held_out, data = None, (X, y, sample_weight)
        how = (model.cv, groups, float(model.validation_fraction), seed)
        (X, y, sample_weight), sets = later.rows_held_out(
            model._prepare(*data, None, False), data, *how
        )
    elif resumed and split and model._held_out is not None:
        held_out = model._held_out  # the rows held out stay held out
    prepared = model._prepare(X, y, sample_weight, held_out, resumed)
    if sets:
        if not model.early_stopping:
            warn_unused_patience(model)
        prepared = later.with_sets(prepared, sets, model.columns, is_foreign(model.estimator))
    model._check_sample(prepared.sample)
    learner = model._make_learner(seed, prepared.schema)
    booster = model._make_booster(prepared.sample, learner)
    answers = model._answers_for(booster)
    if answers is not model._answers:
        learner = model._learner_answering(answers, seed, prepared.schema)
    scheme = type(booster).__name__
    if resumed and scheme != model._scheme:
        raise ValueError(
            f"warm_start=True goes on with a fit of {model._scheme}, but the parameters now "
            f"ask for {scheme}; set warm_start=False to begin anew."
        )
    return FitInputs(prepared, learner, booster, seed, held_out)


def warn_unused_patience(model: Any) -> None:
    """Warns that a waiting time was set, though validation rows are only recorded."""
    if model.n_iter_no_change != type(model).n_iter_no_change:
        warn(
            f"n_iter_no_change={model.n_iter_no_change} has no effect: the validation rows are "
            "only recorded. Set early_stopping=True to stop by them.",
            BoostingWarning,
        )


def fit_of(model: Boosting, inputs: FitInputs, resumed: bool) -> Fit[State, Any]:
    """The fit from its first round, or from the last round of an earlier fit."""
    begun = rounds_so_far(inputs.prepared.sample)
    if begun is not None:
        state = inputs.booster.resume(inputs.prepared.sample, begun.ensemble, begun.history)
        history = begun.history
    elif resumed:
        state, history = _resumed(model, inputs)
    else:
        state, history = inputs.begin(), History()
    judged = inputs.prepared.validation
    early = None if judged is None else _early_stopping(model, inputs, judged, history, state)
    return Fit(
        inputs,
        inputs.booster,
        inputs.learner.bind(inputs.prepared.sample),
        state,
        history,
        model._rounds_to_play(inputs),
        early,
        searched=model._finds_rounds,
        resumed=resumed,
    )


@remembered()
def _resumed(model: Boosting, inputs: FitInputs) -> tuple[State, History]:
    """The state after the rounds of an earlier fit, rebuilt by replaying their members."""
    sample, history = inputs.prepared.sample, model.history_.first(model.n_iter_)
    state = inputs.booster.resume(sample, model.ensemble_, history)
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
    model: Boosting, inputs: FitInputs, validation: Validation, history: History, state: State
) -> EarlyStopping[State]:
    """Judges every round by rows that were held out, and stops where asked."""

    def judge_of(validation: Validation) -> Callable[[State], float]:
        if model.scoring is not None:
            asked = scorer_score(model, validation.rows.raw, validation.y, validation.weights)
            return lambda state: asked(model._model_after(inputs, state, history))
        score, tally = model._default_score(inputs.prepared, validation), Tally(validation.rows)
        return lambda state: score(tally(state.ensemble), state)

    recorded = inputs.prepared.recorded
    early: EarlyStopping[State] = EarlyStopping(
        judge_of(validation),
        "validation_score",
        Patience(model.n_iter_no_change, model.tol, larger=True),
        stops=model.early_stopping,
        named=((validation.name, None), *((each.name, judge_of(each)) for each in recorded)),
    )
    early.resume(history, state.ensemble)
    return early


def column_names(schema: Schema) -> dict[str, Any]:
    """``n_features_in_``, and ``feature_names_in_`` where columns have names."""
    names = schema.names
    named = {} if names is None else {"feature_names_in_": np.array(names, dtype=object)}
    return {"_schema": schema, "n_features_in_": schema.n_features, **named}
