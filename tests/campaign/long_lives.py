"""``python -m tests.campaign.long_lives``: memory and file handles of a process that lives long.

Models of some estimators are fitted, asked, saved and loaded again and again, or all of it on
several threads at once: one of these a trial. After a warm-up nothing may grow: neither the objects
that Python knows and their bytes, nor the resident set, nor the open files, nor the threads.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import cycle, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from weakref import ReferenceType

import weaklearn
from tests.campaign import hunting
from tests.campaign.bits import METHODS
from tests.campaign.bits_cases import Case, cases
from tests.campaign.counts import Counts
from weaklearn.registry import ROWS as ESTIMATORS

ROWS = 60
GROUPS = 8  # of estimators, each of which lives by itself
PARTS = 4  # of a work, after each of which is measured
_KB = 1024
SPARE = {"objects": 300, "bytes": 256 * _KB, "resident": 16 * _KB * _KB, "files": 0, "threads": 0}


@dataclass(frozen=True)
class Footprint:
    """What a process holds after a collection."""

    objects: int
    bytes: int
    resident: int
    files: int
    threads: int

    @classmethod
    def now(cls) -> Footprint:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return cls(
            # A pandas table keeps weak references to its columns for a while.
            sum(type(thing) is not ReferenceType for thing in gc.get_objects()),
            tracemalloc.get_traced_memory()[0],
            pages * os.sysconf("SC_PAGE_SIZE"),
            len(os.listdir("/proc/self/fd")),
            len(os.listdir("/proc/self/task")),
        )

    def growth(self, before: Footprint) -> dict[str, int]:
        """What grew by more than chance explains, and by how much."""
        more = {name: getattr(self, name) - getattr(before, name) for name in SPARE}
        return {name: by for name, by in more.items() if by > SPARE[name]}


class Lives:
    """Fitted models of all estimators, and the things to do with them in turn."""

    def __init__(self, rows: int = ROWS, names: list[str] | None = None) -> None:
        self.cases = list(cases(rows, names))
        self.models = [case.fit(case.X, case.y) for case in self.cases]
        self.folder = TemporaryDirectory()
        self.files = []
        for k, model in enumerate(self.models):
            self.files.append(Path(self.folder.name, f"{k}.weak"))
            model.save(self.files[-1])

    def fit(self, k: int) -> None:
        case = self.cases[k % len(self.cases)]
        model = case.fit(case.X, case.y, threads=1 + k % 2)
        _ask(model, case)

    def predict(self, k: int) -> None:
        k %= len(self.cases)
        _ask(self.models[k], self.cases[k])

    def load(self, k: int) -> None:
        k %= len(self.cases)
        model = weaklearn.load(self.files[k])
        _ask(model, self.cases[k])
        mine = Path(self.folder.name, f"{k}-{threading.get_ident()}.weak")
        model.save(mine)
        mine.unlink()

    def refuse(self, k: int) -> None:
        """A fit that raises, whose traceback holds all that was at hand."""
        case = self.cases[k % len(self.cases)]
        try:
            case.fit(case.X, case.y[:-1])
        except Exception:
            return


def _ask(model: Any, case: Case) -> None:
    for name in METHODS:
        if hasattr(model, name):
            getattr(model, name)(case.X)


def grown_in_every(parts: Iterable[Callable[[], Any]]) -> dict[str, int]:
    """What grew in each of several parts of a work, and by how much in the last."""
    grown = None
    before = Footprint.now()
    for part in parts:
        part()
        after = Footprint.now()
        more, before = after.growth(before), after
        grown = more if grown is None else {name: more[name] for name in more if name in grown}
    return grown or {}


def repeat(act: Callable[[int], None], times: int, warm: int) -> dict[str, int]:
    """What grew in every part of so many calls; ``warm`` calls come before the first."""

    def some(first: int, last: int) -> None:
        for k in range(first, last):
            act(k)

    some(0, warm)
    steps = [times * k // PARTS for k in range(PARTS + 1)]
    return grown_in_every(partial(some, *ends) for ends in pairwise(steps))


def at_once(lives: Lives, threads: int, seconds: float) -> tuple[int, list[str]]:
    """All of it on several threads for a while; how often, and what went wrong."""
    calls: list[str] = []
    wrong: list[str] = []
    end = time.monotonic() + seconds
    acts = (lives.fit, lives.predict, lives.predict, lives.load, lives.refuse)

    def live(first: int) -> None:
        k = first
        for act in cycle(acts):
            if time.monotonic() > end:
                return
            try:
                act(k)
            except Exception as error:
                wrong.append(f"{act.__name__} of {lives.cases[k % len(lives.cases)]}: {error!r}")
            calls.append(act.__name__)
            k += 1

    workers = [threading.Thread(target=live, args=(17 * n,)) for n in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return len(calls), wrong


def attempt(number: int, names: list[str], times: dict[str, int], threads: int) -> Counts:
    """One act on some of the estimators; the acts come in turn, then the next estimators."""
    turn, k = divmod(number, len(times))
    act = list(times)[k]
    counts, wrong = Counts(), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lives = Lives(names=names[turn % GROUPS :: GROUPS])
        tracemalloc.start()
        if act == "at once":
            n = 0
            parts = [partial(at_once, lives, threads, times[act] / PARTS)] * PARTS

            def live(part: Callable[[], tuple[int, list[str]]]) -> None:
                nonlocal n
                more, complaints = part()
                n += more
                wrong.extend(complaints)

            grown = grown_in_every(partial(live, part) for part in parts)
        else:
            n = times[act]
            grown = repeat(getattr(lives, act), n, 2 * len(lives.cases))
        tracemalloc.stop()
        lives.folder.cleanup()
    wrong += [f"{name} grew by {by} in each of {PARTS} parts" for name, by in grown.items()]
    counts.add("answered", n - len(wrong))
    counts.details[act] += n
    for why in wrong:
        counts.fail(number, f"{act}, estimators {turn % GROUPS}::{GROUPS}: {why}")
    return counts


def main(arguments: list[str]) -> int:
    parser = hunting.parser(__doc__, usual=15 * GROUPS)
    parser.add_argument("--fits", type=int, default=400, help="in one trial")
    parser.add_argument("--predictions", type=int, default=4000, help="in one trial")
    parser.add_argument("--loads", type=int, default=400, help="in one trial")
    parser.add_argument("--refusals", type=int, default=400, help="in one trial")
    parser.add_argument("--at-once", type=int, default=20, help="seconds of a trial on threads")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--only", nargs="*", help="names of estimators")
    given = parser.parse_args(arguments)
    times = {"fit": given.fits, "predict": given.predictions, "load": given.loads}
    times |= {"refuse": given.refusals, "at once": given.at_once}
    names = given.only or list(ESTIMATORS)
    trial = partial(attempt, names=names, times=times, threads=given.threads)
    return hunting.main(hunting.Hunt(trial, patience=1800), given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
