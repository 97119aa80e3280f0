"""How time and memory are taken: in turns, the best of several, memory in fresh processes."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

PAUSE = 0.2  # seconds between two contenders, for threads of the last one that still spin


def interleaved(
    calls: Mapping[str, Callable[[], Any]], repeat: int, least: float = 0.0
) -> tuple[dict[str, float], dict[str, Any]]:
    """Seconds a call, the best of ``repeat`` turns, taken in turn; and what the last call returned.

    With ``least``, every turn calls as often as it takes to fill so many seconds.
    """
    best = dict.fromkeys(calls, float("inf"))
    results: dict[str, Any] = {}
    for _ in range(repeat):
        for name, call in calls.items():
            gc.collect()
            time.sleep(PAUSE if repeat > 1 else 0)
            seconds, results[name] = _timed(call, least)
            best[name] = min(best[name], seconds)
    return best, results


def _timed(call: Callable[[], Any], least: float) -> tuple[float, Any]:
    begin = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - begin
    if seconds >= least:
        return seconds, result
    count = max(1, int(least / max(seconds, 1e-7)))
    begin = time.perf_counter()
    for _ in range(count):
        result = call()
    return (time.perf_counter() - begin) / count, result


_SPIN = """
import os, sys
parent = int(sys.argv[1])
while os.getppid() == parent:  # ends by itself if it is orphaned
    for _ in range(1_000_000):
        pass
"""


@contextmanager
def busy_neighbour() -> Iterator[int]:
    """A process that keeps one core busy meanwhile; gives its id."""
    process = subprocess.Popen([sys.executable, "-c", _SPIN, str(os.getpid())])
    try:
        time.sleep(0.3)
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=10)


def amount(value: float, unit: str) -> str:
    """A time or a size with three digits."""
    if unit != "s":
        return f"{value:.0f} {unit}"
    if value >= 1:
        return f"{value:.3g} s"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} µs"


def import_seconds(statement: str) -> float:
    """Seconds a fresh interpreter needs for an import statement."""
    code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    return float(_child("-c", code))


# VmHWM rather than ru_maxrss: the latter starts at the size of the process that spawned this one.
_PEAK = """
import sys, numpy as np
from benchmarks import peers, tree_peers

def peak():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
    except OSError:
        import resource
        unit = 2**20 if sys.platform == "darwin" else 2**10
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit

folder, name, leaves, rounds, threads = sys.argv[1:]
stumps = {c.name: c for c in vars(peers).values() if isinstance(c, peers.Contender)}
contender = (stumps if leaves == "2" else tree_peers.contenders(int(leaves)))[name]
contender.load()
X, y = np.load(f"{folder}/X.npy"), np.load(f"{folder}/y.npy")
before = peak()
contender.make(int(rounds), int(threads)).fit(X, y)
print(peak() - before)
"""


def peak_megabytes(folder: str, contender: str, leaves: int, rounds: int, threads: int) -> float:
    """Peak memory of a fit beyond its input and the loaded libraries, in a fresh process."""
    numbers = map(str, (leaves, rounds, threads))
    return float(_child("-W", "ignore", "-c", _PEAK, folder, contender, *numbers))


def _child(*arguments: str) -> str:
    # Compiled bytecode is kept, as in any installation, whatever this shell says of it.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=3600,
    )
    if done.returncode != 0:
        raise RuntimeError(f"a measuring process failed:\n{done.stderr}")
    return done.stdout
