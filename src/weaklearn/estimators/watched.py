"""A game played before all who watch: callbacks, progress, scikit-learn's protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ..base.record import Callback, History
from ..base.rounds import Played, Rounds, play
from ..base.sample import Sample
from ..callbacks import Progress
from .watching import bridge, is_protocol_callback, protocol_callbacks

S = TypeVar("S")
L = TypeVar("L")


def play_watched(
    model: Any,
    booster: Rounds[S, L],
    sample: Sample,
    learn: L,
    *,
    state: S,
    history: History,
    n_rounds: int,
    judges: Sequence[Callback[S]],
    data: tuple[Any, Any, Any],
    facts: Callable[[S], Any],
) -> Played[S]:
    """Plays the rounds of a model's fit.

    ``judges`` look first, then the callbacks of the model, then progress; ``data`` are X, y and
    weights as given, ``facts`` the fitted names that a state would give.
    """
    done, name = len(history), type(model).__name__
    watchers = [*judges, *(c for c in model.callbacks or () if not is_protocol_callback(c))]
    with protocol_callbacks(model):
        tasks = bridge(model, *data, n_rounds - done, facts)
        watchers += [] if tasks is None else [tasks]
        progress = Progress(n_rounds, name, done) if model.verbose else None
        watchers += [] if progress is None else [progress]
        try:
            played = play(
                booster,
                sample,
                learn,
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
