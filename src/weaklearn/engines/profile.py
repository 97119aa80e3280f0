"""Where the time of a fit goes: printed after it where ``WEAKLEARN_PROFILE`` is set, but to 0."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from .. import _core

VARIABLE = "WEAKLEARN_PROFILE"  # in the environment: any text but 0 asks for it

_running = False


def profiled(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that prints its time to standard error, by phase and summed over threads.

    Of such methods within one another the outermost prints.
    """

    @functools.wraps(method)
    def timed(self: Any, *args: Any, **kwargs: Any) -> Any:
        global _running
        if _running:
            return method(self, *args, **kwargs)
        _running = True
        start = perf_counter()
        _core.profile(True)
        try:
            return method(self, *args, **kwargs)
        finally:
            _running = False
            seconds, phases = perf_counter() - start, _core.profile(False)
            if sys.stderr is not None:  # as in a program without a console
                sys.stderr.write(table(type(self).__name__, seconds, phases) + "\n")

    return timed


def table(name: str, wall: float, phases: dict[str, float]) -> str:
    """The seconds of each phase as lines of text.

    >>> print(table("AdaBoostClassifier", 0.5, {"coding": 0.2, "splits": 0.7}))
    AdaBoostClassifier: 0.500 s by the clock; in kernels, summed over threads:
      coding              0.200 s    22 %
      splits              0.700 s    78 %
    """
    total = sum(phases.values()) or 1.0
    lines = [f"{name}: {wall:.3f} s by the clock; in kernels, summed over threads:"]
    lines += [
        f"  {phase:<16}{seconds:>9.3f} s {100 * seconds / total:>5.0f} %"
        for phase, seconds in phases.items()
    ]
    return "\n".join(lines)
