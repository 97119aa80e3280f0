"""How many threads a process may use, by its affinity and the quotas of its control groups."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from weaklearn.engines import threads

if sys.platform == "linux":
    import resource


def quota(folder: Path, groups: dict[str, str], own: str) -> float:
    """The quota where the system has these files, and lists the groups of the process so."""
    for name, text in groups.items():
        place = folder / "groups" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    (folder / "own").write_text(own)
    return threads._quota(folder / "groups", folder / "own")


@pytest.mark.parametrize(
    ("groups", "own", "granted"),
    [
        ({"cpu.max": "100000 100000\n"}, "0::/\n", 1.0),  # a container's own
        ({"cpu.max": "max 100000\n"}, "0::/\n", math.inf),
        ({"a.slice/b/cpu.max": "50000 100000\n"}, "0::/a.slice/b\n", 0.5),
        (
            {"a.slice/cpu.max": "150000 100000\n", "a.slice/b/cpu.max": "max 1\n"},
            "0::/a.slice/b",
            1.5,
        ),
        ({"cpu.max": "200000 100000"}, "0::/hidden/from/here", 2.0),
        ({"cpu/cpu.cfs_quota_us": "300000", "cpu/cpu.cfs_period_us": "100000"}, "", 3.0),
        (
            {"cpu/x/cpu.cfs_quota_us": "100000", "cpu/x/cpu.cfs_period_us": "100000"},
            "9:name=systemd:/y\n4:cpu,cpuacct:/x\n",
            1.0,
        ),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, "4:cpu:/", math.inf),
        ({"cpu.max": "100000 0"}, "0::/", math.inf),
        ({"cpu.max": "what?"}, "no such line", math.inf),
        ({}, "0::/../..", math.inf),
    ],
)
def test_the_least_quota_around_a_process_holds(
    tmp_path: Path, groups: dict[str, str], own: str, granted: float
) -> None:
    assert quota(tmp_path, groups, own) == granted


@pytest.mark.parametrize(("granted", "used"), [(1.0, 1), (0.1, 1), (2.9, 2), (math.inf, 64)])
def test_threads_of_many_cores_by_quota(
    monkeypatch: pytest.MonkeyPatch, granted: float, used: int
) -> None:
    monkeypatch.delenv("WEAKLEARN_NUM_THREADS", raising=False)
    monkeypatch.setattr(threads, "_machine", None)
    monkeypatch.setattr(threads, "_affinity", lambda: 64)
    monkeypatch.setattr(threads, "_quota", lambda: granted)
    assert threads.available_threads() == used
    assert threads.resolve_threads(-1) == used


# A fit that is worth several threads: how many it started, and its fingerprint.
_FIT = """
import os, numpy as np, weaklearn as wl
X = np.random.default_rng(0).normal(size=(60_000, 6)).astype(np.float32)
y = X[:, 0] * X[:, 1] + X[:, 2] > 0.3
running = lambda: len(os.listdir("/proc/self/task"))
model, before = wl.GradientBoostingClassifier(n_estimators=3, early_stopping=False), running()
model.fit(X, y)
print(running() - before, model.fingerprint())
"""
_LARGE_STACKS = 2**34  # bytes that no thread gets
_NO_ROOM = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({_LARGE_STACKS // 2},) * 2)"
_ONE_CORE = "import os; os.sched_setaffinity(0, list(os.sched_getaffinity(0))[:1])"


def _fitted(before: str = "", threads: str = "", prepare: Callable[[], None] | None = None) -> str:
    """What a process of its own says of the fit."""
    environment = os.environ | {"WEAKLEARN_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"{before}\n{_FIT}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=prepare,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _large_stacks() -> None:
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (_LARGE_STACKS, hard))


@pytest.mark.skipif(sys.platform != "linux", reason="threads and affinity are told by Linux")
def test_without_threads_to_be_had_and_on_one_core_a_fit_is_the_same() -> None:
    several, fingerprint = _fitted(threads="3").split()
    assert several == "2"  # beside the one that was there
    assert _fitted(_NO_ROOM, "3", _large_stacks).split() == ["0", fingerprint]
    assert _fitted(_ONE_CORE).split() == ["0", fingerprint]
