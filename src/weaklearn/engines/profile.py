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
    """A method that prints its time to standard error: outside kernels, and in them by phase.

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
    """The seconds of each phase as lines of text; "calls" is the caller's time in kernels.

    >>> print(table("AdaBoostClassifier", 0.5, {"coding": 0.2, "splits": 0.7, "calls": 0.46}))
    AdaBoostClassifier: 0.500 s by the clock, 0.040 s of it outside kernels; in them, over threads:
      coding              0.200 s    22 %
      splits              0.700 s    78 %
    """
    work = {phase: seconds for phase, seconds in phases.items() if phase != "calls"}
    total, outside = sum(work.values()) or 1.0, max(wall - phases["calls"], 0.0)
    clock = f"{wall:.3f} s by the clock, {outside:.3f} s of it outside kernels"
    lines = [f"{name}: {clock}; in them, over threads:"]
    lines += [
        f"  {phase:<16}{seconds:>9.3f} s {100 * seconds / total:>5.0f} %"
        for phase, seconds in work.items()
    ]
    return "\n".join(lines)
