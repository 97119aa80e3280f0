"""The choice of the engine; the only place that makes it."""

from __future__ import annotations

from .engine import Engine
from .threads import resolve_threads


def choose(n_jobs: int | None) -> Engine:
    """The engine for an estimator's ``n_jobs``.

    >>> choose(1).threads
    1
    """
    return on_threads(resolve_threads(n_jobs))


def on_threads(threads: int = 1) -> Engine:
    """The engine on so many threads.

    >>> on_threads(2).threads
    2
    """
    return Engine(threads)
