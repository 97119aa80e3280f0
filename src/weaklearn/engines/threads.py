"""The number of threads this process may use."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from numbers import Integral, Real

from ..base.messages.value_text import show
from ..base.messages.warnings import ThreadsWarning, warn

_VARIABLE = "WEAKLEARN_NUM_THREADS"
_MOST = 1024  # threads at most, whatever the variable says


def _affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


GROUPS, OWN = "/sys/fs/cgroup", "/proc/self/cgroup"
Place = str | os.PathLike[str]


def _quota(groups: Place = GROUPS, own: Place = OWN) -> float:
    """The processors that a container or a control group grants, or infinity."""
    found = (_granted(group, first) for group, first in control_groups("cpu", groups, own))
    return min(found, default=float("inf"))


def control_groups(
    kind: str, groups: Place = GROUPS, own: Place = OWN
) -> Iterator[tuple[str, bool]]:
    """The control groups that may limit this process, and whether each is of the first version.

    The groups of this process are listed in ``own``; each of them, and each group around it, may
    have a limit, and the least one holds.
    """
    try:
        lines = text_of(own).splitlines()
    except (OSError, ValueError):
        lines = []
    for line in [*lines, "0::/", f"0:{kind}:/"]:  # in a container, its own group is the outermost
        _, _, listed = line.partition(":")
        kinds, _, path = listed.partition(":")
        if kinds and kind not in kinds.split(","):
            continue
        base = os.path.join(groups, kind) if kinds else os.fspath(groups)
        names = [name for name in path.split("/") if name]
        for n in range(len(names), -1, -1):
            yield os.path.join(base, *names[:n]), bool(kinds)


def text_of(path: Place, *names: str) -> str:
    """The text of a file, in a folder where names follow."""
    with open(os.path.join(path, *names)) as file:
        return file.read()


def _granted(group: str, is_first_version: bool) -> float:
    """The processors that one control group grants, or infinity."""
    try:
        if is_first_version:
            quota = text_of(group, "cpu.cfs_quota_us")
            period = text_of(group, "cpu.cfs_period_us")
        else:
            quota, period = text_of(group, "cpu.max").split()
        return int(quota) / int(period) if int(quota) > 0 else float("inf")
    except (OSError, ValueError, ZeroDivisionError):
        return float("inf")


def _inside_worker() -> bool:
    """Whether this is a worker of joblib or multiprocessing: siblings hold the other cores."""
    process = sys.modules.get("multiprocessing.process")  # loaded by whatever made a worker
    if process is not None and process.parent_process() is not None:
        return True
    joblib = sys.modules.get("joblib")
    if joblib is None:
        return False
    try:
        backend, _ = joblib.parallel.get_active_backend()
    except (AttributeError, TypeError):
        return False
    return bool(getattr(backend, "nesting_level", 0))


_machine: int | None = None  # affinity and quota do not change under a process: asked once


def available_threads() -> int:
    """All cores the process may use: affinity, container quota, ``WEAKLEARN_NUM_THREADS``."""
    global _machine
    asked = os.environ.get(_VARIABLE, "")
    if asked:
        if not asked.isdecimal() or int(asked) < 1:
            raise ValueError(
                f"{_VARIABLE} must be a whole number of at least 1, not {show(asked)}."
            )
        return min(int(asked), _MOST)
    if _machine is None:
        _machine = max(1, int(min(_affinity(), _quota())))
    return _machine


def resolve_threads(n_jobs: int | None) -> int:
    """Threads for ``n_jobs``: None means all (1 inside a worker), -1 all, -2 all but one."""
    if n_jobs is None:
        return 1 if _inside_worker() and not os.environ.get(_VARIABLE) else available_threads()
    is_integer = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if not is_integer or n_jobs == 0 or n_jobs < -_MOST:
        kind = ValueError if isinstance(n_jobs, Real) else TypeError
        raise kind(
            f"n_jobs={show(n_jobs)} is not allowed: it must be None, a whole number of at least 1, "
            "-1 for all cores or -2 for all but one."
        )
    available = available_threads()
    if n_jobs < 0:
        return max(1, available + 1 + n_jobs)
    if n_jobs > available:
        warn(
            f"n_jobs={n_jobs} is more than the {available} cores this process may use; "
            f"using {available}.",
            ThreadsWarning,
        )
        return available
    return int(n_jobs)
