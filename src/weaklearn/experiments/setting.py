"""What an experiment is given: where data is found, a seed, and whether it shall be quick."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from .data_folder import DataFolder
from .parts import Parts

T = TypeVar("T")


def silent(text: str) -> None:
    """Says nothing."""


@dataclass(frozen=True)
class Setting:
    """The input of an experiment.

    ``parts`` is a file in which an experiment of many parts keeps those that are done, so that an
    interrupted run goes on from there; ``runs`` is the most repetitions of a trial; ``say`` takes a
    line about the progress.
    """

    data: DataFolder
    seed: int = 0
    quick: bool = False
    parts: Parts | None = None
    runs: int | None = None
    say: Callable[[str], None] = silent

    def choose(self, long: T, quick: T) -> T:
        """The first in a full run, the second in a quick one."""
        return quick if self.quick else long

    def repeats(self, long: int, quick: int) -> int:
        """How often a trial is repeated: as often as the source says, or at most ``runs`` times."""
        wanted = self.choose(long, quick)
        return wanted if self.runs is None else min(wanted, self.runs)

    def part(self, name: str, work: Callable[[], Any]) -> Any:
        """What ``work()`` returns, made of JSON's types; kept, and read where it was kept."""
        known = {} if self.parts is None else self.parts.known()
        if name in known:
            return known[name]
        self.say(name)
        found = work()
        if self.parts is not None:
            self.parts.keep(name, found)
        return found
