"""``python -m tests.campaign.statistics``: how often certificates and conformal sets are wrong.

Each kind of statement is made in many simulated worlds in which the truth is known, made so that
the statement is wrong nearly as often as it may be: a constant that is too small would show. Beside
the share of wrong statements stand its exact interval (Clopper and Pearson, 95 %) and the share
allowed. Controls are statements that are wrong on purpose, as when copies are taken for draws: they
must be found out.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
import warnings
import zlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import beta, binom

LEVEL = 1e-5  # the chance that a true statement is called wrong, for each kind
_AT_ONCE = 100  # worlds of one kind that a process plays at a time

World = Callable[[np.random.Generator], tuple[bool, float]]  # whether wrong, and the share allowed


@dataclass(frozen=True)
class Kind:
    """A kind of statement: ``begin`` prepares what all its worlds share, and returns their player.

    ``expected``: the probability of a wrong statement, where it is known. ``control``: the
    statement is wrong on purpose.
    """

    name: str
    begin: Callable[[], World]
    expected: float | None = None
    control: bool = False


@dataclass(frozen=True)
class Count:
    """How many worlds there were, in how many the statement was wrong, and what is allowed."""

    kind: Kind
    worlds: int
    wrong: int
    allowed: float

    @property
    def interval(self) -> tuple[float, float]:
        """The exact interval of the probability of a wrong statement, at 95 %."""
        n, k = self.worlds, self.wrong
        low = float(beta.ppf(0.025, k, n - k + 1)) if k else 0.0
        high = float(beta.ppf(0.975, k + 1, n - k)) if k < n else 1.0
        return low, high

    @property
    def found_out(self) -> bool:
        """Whether so many wrong statements are no chance, if each is as probable as allowed."""
        if self.wrong == 0:
            return False
        return bool(binom.sf(self.wrong - 1, self.worlds, self.allowed) < LEVEL)

    @property
    def as_it_should_be(self) -> bool:
        """Whether the statement is found wrong if it is a control, and only then."""
        return self.found_out == self.kind.control


@cache
def kinds() -> dict[str, Kind]:
    """All kinds by their names."""
    from tests.campaign import certificate_worlds, conformal_worlds

    found = [*certificate_worlds.kinds(), *conformal_worlds.kinds()]
    return {kind.name: kind for kind in found}


@cache
def _player(name: str) -> World:
    return kinds()[name].begin()


def play(name: str, first: int, last: int) -> tuple[int, float]:
    """Plays worlds first .. last - 1 of a kind: how many were wrong, and the shares allowed."""
    wrong, allowed = 0, 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        world = _player(name)
        for t in range(first, last):
            missed, share = world(np.random.default_rng([zlib.crc32(name.encode()), t]))
            wrong, allowed = wrong + bool(missed), allowed + share
    return wrong, allowed


def counted(names: Iterable[str], worlds: int, jobs: int = 1) -> list[Count]:
    """The counts of some kinds, over so many worlds each."""
    names = list(names)
    steps = range(0, worlds, _AT_ONCE)
    parts = [(name, first, min(first + _AT_ONCE, worlds)) for name in names for first in steps]
    if jobs == 1:
        found = [play(*part) for part in parts]
    else:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, context) as pool:
            found = list(pool.map(play, *zip(*parts, strict=True)))
    sums = {name: np.zeros(2) for name in names}
    for (name, _, _), part in zip(parts, found, strict=True):
        sums[name] += part
    return [
        Count(kinds()[name], worlds, int(sums[name][0]), sums[name][1] / worlds) for name in names
    ]


def table(counts: Sequence[Count]) -> str:
    """The counts as a table in Markdown."""
    lines = [
        "| kind | worlds | wrong | share | 95 % interval | expected | allowed |",
        "|---|---:|---:|---:|---|---:|---:|",
    ]
    for count in counts:
        low, high = count.interval
        expected = "" if count.kind.expected is None else f"{count.kind.expected:.4f}"
        name = f"*{count.kind.name}*" if count.kind.control else count.kind.name
        lines.append(
            f"| {name} | {count.worlds} | {count.wrong} | {count.wrong / count.worlds:.4f} "
            f"| {low:.4f} to {high:.4f} | {expected} | {count.allowed:.4f} |"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table; the status is 1 where a kind is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=2000, help="worlds of each kind")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--only", default="", help="kinds whose names hold this text")
    asked = parser.parse_args(arguments)
    start = time.perf_counter()
    counts = counted((name for name in kinds() if asked.only in name), asked.worlds, asked.jobs)
    print(table(counts))
    bad = [count.kind.name for count in counts if not count.as_it_should_be]
    words = f"not as they should be: {', '.join(bad)}" if bad else "all as they should be"
    print(f"\n{len(counts)} kinds, {time.perf_counter() - start:.0f} s: {words}")
    return 1 if bad else 0


def any_of(wrong: Any) -> bool:
    """Whether any statement of a world was wrong."""
    return bool(np.any(wrong))


if __name__ == "__main__":
    sys.exit(main())
