"""The requests of the page: its tables, a recording, a page that replays it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from .choices import BOOSTERS, LEARNERS, METHODS, MOST_POINTS, RANGES, SPAN
from .exhibits import exhibit
from .recording import record
from .refusal import Refusal
from .replay import page
from .scenes import OWN, SCENES
from .setting import Setting

MOST_WAITING = 4
_MOST_WAIT = 60.0  # seconds in the queue
_CLOSING = 2.0  # seconds that the last run may take to end


class Api:
    """Answers requests one at a time; a few may wait, others are refused."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._waiting = threading.BoundedSemaphore(MOST_WAITING)
        self._closed = threading.Event()
        self._worker: threading.Thread | None = None  # of the last run

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        if not self._waiting.acquire(blocking=False):
            raise Refusal("the lab is busy: ask again in a moment.", 503)
        try:
            if not self._turn.acquire(timeout=_MOST_WAIT):
                raise Refusal("the lab is busy: ask again in a moment.", 503)
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._waiting.release()

    def recording(self, asked: Any) -> dict[str, Any]:
        """The recording of a setting, or what a scene beside the plane shows."""
        if isinstance(asked, Mapping) and "exhibit" in asked:
            with self._in_turn():
                return exhibit(asked)
        return self._run(asked, lambda shown: shown)

    def page(self, asked: Any) -> dict[str, Any]:
        """The HTML page that replays the recording of a setting."""
        return self._run(asked, lambda shown: {"page": page(shown)})

    def _run(self, asked: Any, then: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
        setting = Setting.read(asked)
        with self._in_turn():
            if self._closed.is_set():
                raise Refusal("the lab is closed.", 503)
            self._worker = threading.current_thread()
            return then(record(setting, given_up=self._closed.is_set))

    def close(self) -> None:
        """Cancels the current run, and waits shortly for its thread."""
        self._closed.set()
        if self._worker is not None:
            self._worker.join(_CLOSING)

    def tables(self) -> dict[str, Any]:
        """All options of the page, with their defaults."""
        first = Setting()
        sets = [[key, scene.name, scene.sized] for key, scene in SCENES.items()]
        return {
            "data": [*sets, [OWN, "your own points", False]],
            "boosters": [[key, row.name, row.summary] for key, row in (BOOSTERS | METHODS).items()],
            "knobs": {key: [k._asdict() for k in row.knobs] for key, row in BOOSTERS.items()},
            "learners": [[key, learner.name] for key, learner in LEARNERS.items()],
            "ranges": {name: asdict(allowed) for name, allowed in RANGES.items()},
            "span": SPAN,
            "most": MOST_POINTS,
            "first": asdict(first),
        }
