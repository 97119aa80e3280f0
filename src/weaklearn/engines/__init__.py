"""Where the work runs: here, on the C++ core."""

from .local import LocalEngine
from .threads import available_threads, resolve_threads

__all__ = ["LocalEngine", "available_threads", "resolve_threads"]
