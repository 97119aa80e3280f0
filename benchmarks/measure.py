"""How time and memory are taken: in turns, the best of several, memory in fresh processes."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

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


@contextmanager
def quota_of_one() -> Iterator[Path | None]:
    """A control group that grants one processor; None where the system lets us make none."""
    groups = Path("/sys/fs/cgroup")
    if (groups / "cpu").is_dir():  # the first version of control groups
        group = groups / "cpu" / f"benchmarks-{os.getpid()}"
        settings = {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "100000"}
    else:
        group = groups / f"benchmarks-{os.getpid()}"
        settings = {"cpu.max": "100000 100000"}
    try:
        group.mkdir()
    except OSError:
        yield None
        return
    try:
        yield group if _written(group, settings) else None
    finally:
        group.rmdir()


def _written(group: Path, settings: Mapping[str, str]) -> bool:
    try:
        for name, value in settings.items():
            (group / name).write_text(value)
    except OSError:
        return False
    return True


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
    return float(child("-c", code))


# VmHWM rather than ru_maxrss: the latter starts at the size of the process that spawned this one.
_FIT = """
import sys, time, numpy as np
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
before, begin = peak(), time.perf_counter()
contender.make(int(rounds), int(threads)).fit(X, y)
print(peak() - before, time.perf_counter() - begin)
"""


class FreshFit(NamedTuple):
    """What a fit in a fresh process took, beyond its input and the loaded libraries."""

    megabytes: float  # at the peak
    seconds: float


def fresh_fit(
    folder: str, contender: str, leaves: int, rounds: int, threads: int, group: Path | None = None
) -> FreshFit:
    """A fit of ``X.npy`` and ``y.npy`` in a process of its own, which joins the group."""
    numbers = map(str, (leaves, rounds, threads))
    code = ("-W", "ignore", "-c", _FIT)
    told = child(*code, folder, contender, *numbers, threads=threads, group=group)
    return FreshFit(*map(float, told.split()))


def child(*arguments: str, threads: int | None = None, group: Path | None = None) -> str:
    """What a fresh interpreter prints; ``group`` is a control group that it joins."""
    # Compiled bytecode is kept, as in any installation, whatever this shell says of it.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    if threads is not None:
        environment["OMP_NUM_THREADS"] = str(threads)
    enter = ["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', str(group)] if group else []
    done = subprocess.run(
        [*enter, sys.executable, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=3600,
    )
    if done.returncode != 0:
        raise RuntimeError(f"a measuring process failed:\n{done.stderr}")
    return done.stdout
