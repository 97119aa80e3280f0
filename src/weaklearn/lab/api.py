"""What the page can ask of the library: its tables, a film, a page to keep."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from .choices import BOOSTERS, LEARNERS, MOST_POINTS, RANGES, SPAN
from .recording import film
from .refusal import Refusal
from .replay import page
from .scenes import OWN, SCENES
from .setting import Setting

MOST_WAITING = 4
_PATIENCE = 60.0  # seconds of waiting for one's turn
_FAREWELL = 2.0  # seconds that a last game may take to end


class Desk:
    """One game is played at a time; a few may wait, others are sent away."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._waiting = threading.BoundedSemaphore(MOST_WAITING)
        self._closed = threading.Event()
        self._player: threading.Thread | None = None  # who had the turn last

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        if not self._waiting.acquire(blocking=False):
            raise Refusal("the lab is busy: ask again in a moment.", 503)
        try:
            if not self._turn.acquire(timeout=_PATIENCE):
                raise Refusal("the lab is busy: ask again in a moment.", 503)
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._waiting.release()

    def film(self, asked: Any) -> dict[str, Any]:
        """The film of a setting."""
        return self._played(asked, lambda shown: shown)

    def page(self, asked: Any) -> dict[str, Any]:
        """The same as a page that replays it."""
        return self._played(asked, lambda shown: {"page": page(shown)})

    def _played(
        self, asked: Any, then: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> dict[str, Any]:
        setting = Setting.read(asked)
        with self._in_turn():
            if self._closed.is_set():
                raise Refusal("the lab is closed.", 503)
            self._player = threading.current_thread()
            return then(film(setting, given_up=self._closed.is_set))

    def close(self) -> None:
        """Ends the game that is being played, and waits a moment for whoever asked for it."""
        self._closed.set()
        if self._player is not None:
            self._player.join(_FAREWELL)

    def tables(self) -> dict[str, Any]:
        """Everything on offer."""
        first = Setting()
        sets = [[key, scene.name, scene.sized] for key, scene in SCENES.items()]
        return {
            "data": [*sets, [OWN, "points of your own", False]],
            "boosters": [[key, row.name, row.said] for key, row in BOOSTERS.items()],
            "knobs": {key: [asdict(k) for k in row.knobs] for key, row in BOOSTERS.items()},
            "learners": [[key, learner.name] for key, learner in LEARNERS.items()],
            "ranges": {name: asdict(allowed) for name, allowed in RANGES.items()},
            "span": SPAN,
            "most": MOST_POINTS,
            "first": asdict(first),
        }
