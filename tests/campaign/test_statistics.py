"""A few worlds of each kind: the program plays, counts, and finds out what is wrong on purpose."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tests.campaign.statistics import Count, Kind, kinds, main, play

FOUND_AT_ONCE = ("test-exact, copies taken for draws", "gen-bits, weights taken for draws")
PLAYED = [name for name, kind in kinds().items() if not kind.control]
CONTROLS = [name for name, kind in kinds().items() if kind.control]


def counted(names: Iterable[str], worlds: int) -> list[Count]:
    """The counts of some kinds, over so many worlds each."""
    played = {name: play(name, range(worlds)) for name in names}
    return [Count(kinds()[n], worlds, w, a / worlds) for n, (w, a) in played.items()]


def test_a_few_worlds_of_each_kind() -> None:
    run = [name for name in PLAYED if not name.startswith("training")]
    theorems = [name for name in PLAYED if name.startswith("training")]
    counts = [*counted(run, 4), *counted(theorems, 1)]
    assert [count.kind.name for count in counts if not count.as_it_should_be] == []


def test_controls_are_found_out() -> None:
    assert all(count.found_out for count in counted(FOUND_AT_ONCE, 8))


def test_the_count() -> None:
    kind = Kind("coin", lambda: lambda rng: (rng.random() < 0.3, 0.1))
    assert not Count(kind, 2000, 200, 0.1).found_out
    assert Count(kind, 2000, 270, 0.1).found_out
    assert Count(kind, 2000, 1, 0.0).found_out
    assert not Count(kind, 2000, 0, 0.0).found_out
    low, high = Count(kind, 2000, 200, 0.1).interval
    assert low < 0.1 < high
    assert high - low < 0.03


def test_the_program(capsys: Any) -> None:
    assert main(["--worlds", "8", "--only", "gen-bits"]) == 0
    told = capsys.readouterr().out
    assert "| gen-bits, best of 32 rules | 8 |" in told
    assert "3 kinds" in told
    assert "24 tried, 0 refused, 24 answered, 0 failed" in told


@pytest.mark.long
@pytest.mark.parametrize("name", PLAYED)
def test_many_worlds(name: str) -> None:
    (count,) = counted([name], 200)
    assert count.as_it_should_be


@pytest.mark.long
@pytest.mark.parametrize("name", CONTROLS)
def test_every_control_is_found_out(name: str) -> None:
    (count,) = counted([name], 1200)
    assert count.as_it_should_be
