"""The one loop that runs every booster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from .hypothesis import NoHypothesis
from .record import History, Stop

if TYPE_CHECKING:
    from .booster import Booster, State
    from .hypothesis import Oracle
    from .record import Callback, Round
    from .sample import Sample


S = TypeVar("S")
L = TypeVar("L")
L_contra = TypeVar("L_contra", contravariant=True)


class Rounds(Protocol[S, L_contra]):
    """Whatever is played round by round: from a state S, with a learner L, to the next state.

    Boosters are, and so is gradient boosting, whose states hold no distribution.
    """

    def round(self, sample: Sample, learn: L_contra, state: S) -> tuple[S, Round]:
        """One round: the next state and the facts of the round."""
        ...


@contextmanager
def told(when: str) -> Iterator[None]:
    """Adds to an error when in a game it happened."""
    try:
        yield
    except Exception as error:
        error.add_note(f"weaklearn: this happened {when}.")
        if getattr(error, "of_loss", False):  # one of ours: logs shall have it too
            error.args = (f"{error.args[0]} (It happened {when}.)",)
        raise


@dataclass(frozen=True)
class Played(Generic[S]):
    """A game played to its end: the last state, the record, the reason, and an interrupt if any."""

    state: S
    history: History
    stop: Stop
    interrupt: BaseException | None = None


def rounds(
    booster: Booster, sample: Sample, learn: Oracle, state: State
) -> Iterator[tuple[State, Round]]:
    """The rounds of a game one after another, until the booster has a reason to stop."""
    while True:
        try:
            state, played = booster.round(sample, learn, state)
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
) -> Played[S]:
    """Plays until n_rounds stand in the history, the booster stops, or a callback asks to."""
    stop: Stop | None = None
    try:
        while stop is None and len(history) < n_rounds:
            t = len(history) + 1
            with told(f"in round {t}"):
                try:
                    later, played = booster.round(sample, learn, state)
                except NoHypothesis:
                    stop = Stop.LEARNER
                    break
                history.append(played.facts)  # first the record, so that it never lacks a member
                state = later
                stop = played.stop
                for callback in callbacks:
                    answer = callback(t, state, history)
                    if answer and stop is None:
                        stop = answer if isinstance(answer, Stop) else Stop.CALLBACK
    except KeyboardInterrupt as interrupt:
        return Played(state, history, stop or Stop.INTERRUPTED, interrupt)
    return Played(state, history, stop or Stop.ROUNDS)
