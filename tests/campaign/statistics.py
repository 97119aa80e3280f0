"""``python -m tests.campaign.statistics``: how often certificates and conformal sets are wrong.

Each kind of statement is made in many simulated worlds in which the truth is known, made so that
the statement is wrong nearly as often as it may be: a constant that is too small would show. Beside
the share of wrong statements stand its exact interval (Clopper and Pearson, 95 %) and the share
allowed. Controls are statements that are wrong on purpose, as when copies are taken for draws: they
must be found out.
"""

from __future__ import annotations

import sys
import warnings
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.stats import beta, binom

from tests.campaign import hunting
from tests.campaign.counts import Counts

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


def play(name: str, worlds: range, seed: int = 0) -> tuple[int, float]:
    """Plays some worlds of a kind: how many were wrong, and the sum of the shares allowed."""
    wrong, allowed = 0, 0.0
    key = [zlib.crc32(name.encode()), *([seed] if seed else [])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        world = _player(name)
        for t in worlds:
            missed, share = world(np.random.default_rng([*key, t]))
            wrong, allowed = wrong + bool(missed), allowed + share
    return wrong, allowed


def attempt(number: int, names: list[str], seed: int = 0, at_once: int = _AT_ONCE) -> Counts:
    """The next worlds of a kind, kind after kind."""
    time, k = divmod(number, len(names))
    wrong, allowed = play(names[k], range(time * at_once, (time + 1) * at_once), seed)
    counts = Counts()
    counts.add("answered", at_once)
    counts.details.update({f"{names[k]}: worlds": at_once, f"{names[k]}: wrong": wrong})
    counts.details[f"{names[k]}: allowed"] += allowed
    return counts


def of_kinds(counts: Counts) -> list[Count]:
    """What was counted of each kind."""
    found = []
    for name, kind in kinds().items():
        worlds = counts.details[f"{name}: worlds"]
        if worlds:
            allowed = counts.details[f"{name}: allowed"] / worlds
            found.append(Count(kind, worlds, counts.details[f"{name}: wrong"], allowed))
    return found


def judge(counts: Counts) -> list[str]:
    """The kinds that are not as they should be."""
    enough = [count for count in of_kinds(counts) if not count.kind.control or count.worlds >= 1200]
    return [f"{c.kind.name}: {c.wrong} of {c.worlds}" for c in enough if not c.as_it_should_be]


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


def _told(counts: Counts) -> str:
    found = of_kinds(counts)
    return f"{table(found)}\n\n{len(found)} kinds"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table; the status is 1 where a kind is not as it should be."""
    parser = hunting.parser(__doc__)
    parser.add_argument("--worlds", type=int, default=2000, help="worlds of each kind")
    parser.add_argument("--only", default="", help="kinds whose names hold this text")
    given = parser.parse_args(arguments)
    names = [name for name in kinds() if given.only in name]
    at_once = min(_AT_ONCE, given.worlds)
    given.usual = -(-given.worlds // at_once) * len(names)
    trial = partial(attempt, names=names, seed=given.seed, at_once=at_once)
    return hunting.main(hunting.Hunt(trial, judge=judge, told=_told), given)


def any_of(wrong: Any) -> bool:
    """Whether any statement of a world was wrong."""
    return bool(np.any(wrong))


if __name__ == "__main__":
    sys.exit(main())
