"""How many threads a process may use, by the quotas of its control groups."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from weaklearn.engines import threads


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
