"""The loop that runs every booster: ``play`` for fits, ``rounds`` one round at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from .booster import Booster, State, match_member
from .ensemble import Ensemble
from .hypothesis import FormError, NoHypothesis
from .record import History, Round, Stop

if TYPE_CHECKING:
    from .hypothesis import Oracle
    from .record import Callback
    from .sample import Sample


S = TypeVar("S")
L = TypeVar("L")
L_contra = TypeVar("L_contra", contravariant=True)


class Rounds(Protocol[S, L_contra]):
    """An algorithm that runs round by round: from a state S, with a learner L, to the next state.

    Boosters do, and so does gradient boosting, whose states hold no distribution.
    """

    def round(self, sample: Sample, learn: L_contra, state: S) -> tuple[S, Round]:
        """One round: the next state and the metrics of the round."""


@contextmanager
def error_context(when: str) -> Iterator[None]:
    """Context manager: adds to exceptions in which round they happened."""
    try:
        yield
    except Exception as error:
        error.add_note(f"weaklearn: this happened {when}.")
        ours = isinstance(error, FormError) or getattr(error, "of_loss", False)
        if ours and when not in str(error):  # logs shall have it too
            error.args = (f"{error.args[0]} (It happened {when}.)",)
        raise


@dataclass(frozen=True)
class Played(Generic[S]):
    """The result of a run: the last state, the history, why it stopped, an interrupt if any."""

    state: S
    history: History
    stop: Stop
    interrupt: BaseException | None = None


def checked_round(booster: Any, given: Any, t: int) -> Any:
    """The (state, Round) that a booster's round returned; raises where it is anything else."""
    name = type(booster).__name__
    if not (isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], Round)):
        what = "None" if given is None else f"a {type(given).__name__}"
        if isinstance(given, tuple):
            what = f"({', '.join(type(part).__name__ for part in given)})"
        raise TypeError(
            f"{name}.round gave {what} in round {t}; it must give two things, the next state and a "
            "Round of the metrics."
        )
    state = given[0]
    if not isinstance(state, State) or not isinstance(state.ensemble, Ensemble):
        return given  # a sum of trees, or games side by side that were looked at one by one
    if isinstance(booster, Booster) and len(state.ensemble):
        match_member(booster, state.ensemble.members[-1], t)
    vote = state.ensemble.latest
    if not isfinite(vote):
        raise ValueError(
            f"{name}.round gave a hypothesis the vote {vote} in round {t}; votes must be finite "
            "numbers (a rule without error, whose vote would be infinite, may stand alone with 1)."
        )
    return given


def rounds(
    booster: Booster, sample: Sample, learn: Oracle, state: State
) -> Iterator[tuple[State, Round]]:
    """Yields the state and the metrics of one round after another, until the booster stops."""
    while True:
        try:
            given = booster.round(sample, learn, state)
            state, played = checked_round(booster, given, len(state.ensemble) + 1)
        except NoHypothesis:
            return
        yield state, played
        if played.stop is not None:
            return


def play(
    booster: Rounds[S, L],
    sample: Sample,
    learn: L,
    *,
    state: S,
    history: History,
    n_rounds: int,
    callbacks: Sequence[Callback[S]] = (),
    stage: str = "",
) -> Played[S]:
    """Runs rounds until the history has n_rounds, the booster stops, or a callback stops it.

    ``stage`` names a part of a fit in errors: " of the folds".
    """
    stop: Stop | None = None
    try:
        while stop is None and len(history) < n_rounds:
            t = len(history) + 1
            with error_context(f"in round {t}{stage}"):
                try:
                    given = booster.round(sample, learn, state)
                    later, played = checked_round(booster, given, t)
                except NoHypothesis:
                    stop = Stop.LEARNER
                    break
                history.append(played.metrics)  # first the record, so that it never lacks a member
                state = later
                stop = played.stop
                for callback in callbacks:
                    answer = callback(t, state, history)
                    if answer and stop is None:
                        stop = answer if isinstance(answer, Stop) else Stop.CALLBACK
    except KeyboardInterrupt as interrupt:
        return Played(state, history, stop or Stop.INTERRUPTED, interrupt)
    return Played(state, history, stop or Stop.ROUNDS)
