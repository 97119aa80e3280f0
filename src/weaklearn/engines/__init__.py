"""The engine: the C++ core behind Python interfaces."""

from .engine import Engine, choose, on_threads
from .threads import available_threads, resolve_threads

__all__ = ["Engine", "available_threads", "choose", "on_threads", "resolve_threads"]
