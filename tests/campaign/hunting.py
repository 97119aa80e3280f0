"""How every hunt runs: numbered trials, in processes that may hang or die, until time is over.

A hunt is a function of a number, so that a trial can be had again by its number, and a later call
goes on where an earlier one ended (``--outcome``). A process that dies or hangs is a failure of the
trial that it was at, and another takes its place.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import signal
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from tests.campaign.counts import COLUMNS, Counts, Outcome

_BEGINNING = 1800.0  # seconds in which a process is ready, or has failed
_ENDING = 0.15  # of the seconds of a hunt: no trial begins in them
_SAVED = 5.0  # seconds after which the outcome is written again
_SHOWN = 50  # failures that are printed
_KNOWN = 100  # trials after which a process is known to have short ones
_AHEAD, _MOST = 0.25, 32  # seconds of short trials, and trials, that a process is given ahead


def _details(counts: Counts) -> str:
    return "\n".join(f"{value:9g} {name}" for name, value in sorted(counts.details.items()))


@dataclass(frozen=True)
class Hunt:
    """Trials by their numbers, from 0 on; ``length`` of them, or as many as there is time for.

    ``begin`` prepares a process. A trial of more than ``patience`` seconds of the clock has failed.
    ``judge`` finds, in the counts of all trials, what no single trial can tell. ``told`` writes
    their details out.
    """

    trial: Callable[[int], Counts]
    length: int | None = None
    begin: Callable[[], None] | None = None
    patience: float = 600.0
    judge: Callable[[Counts], list[str]] | None = None
    told: Callable[[Counts], str] = _details


def tried(hunt: Hunt, number: int) -> Counts:
    """The counts of a trial; an error that it raises is a failure."""
    try:
        return hunt.trial(number)
    except Exception as error:
        counts = Counts()
        counts.fail(number, place(error))
        return counts


def place(error: BaseException) -> str:
    """The error, and the line of the library that it came from, or else the last line."""
    frames = traceback.extract_tb(error.__traceback__)
    last = ([f for f in frames if "/weaklearn/" in f.filename] or frames)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
    return f"{type(error).__name__} at {where}: {str(error)[:500]}{notes}"


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Ends what computes without end, by the clock of the processor."""

    def late(*_: Any) -> None:
        raise TimeoutError(f"it took more than {seconds} seconds")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _work(hunt: Hunt, pipe: Connection) -> None:
    if hunt.begin is not None:
        hunt.begin()
    pipe.send(None)
    try:
        while True:
            pipe.send(tried(hunt, pipe.recv()))
    except (EOFError, BrokenPipeError):  # whoever asked has gone
        return


class _Worker:
    """A process, the trial that it is at, and short ones that it is to go on with."""

    def __init__(self, hunt: Hunt) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(hunt, theirs))
        self.process.start()
        theirs.close()
        self.numbers: deque[int] = deque()
        self.is_ready, self.since = False, time.monotonic()
        self.ended, self.spent = 0, 0.0

    @property
    def is_idle(self) -> bool:
        return self.is_ready and not self.numbers

    @property
    def is_open(self) -> bool:
        """Whether it may be given another trial: one at a time, of short ones some ahead."""
        ahead = 0
        if self.ended >= _KNOWN and not self.is_idle:
            ahead = min(_MOST, int(_AHEAD * self.ended / self.spent))
        return self.is_ready and len(self.numbers) <= ahead

    def give(self, number: int) -> None:
        if not self.numbers:
            self.since = time.monotonic()
        self.numbers.append(number)
        with suppress(BrokenPipeError, ConnectionResetError):  # it is lost, as will be heard
            self.pipe.send(number)

    def done(self) -> int:
        """Its trial has ended, and the next one begins."""
        now = time.monotonic()
        self.spent += now - self.since
        self.ended, self.since = self.ended + 1, now
        return self.numbers.popleft()

    def end(self, *, kill: bool = False) -> None:
        self.pipe.close()
        if kill:
            self.process.kill()
        self.process.join()


class _Team:
    """The processes of a hunt; a trial counts when it ends, whether or not earlier ones have."""

    def __init__(self, hunt: Hunt, outcome: Outcome, last: float, jobs: int) -> None:
        self.hunt, self.outcome, self.last = hunt, outcome, last
        self.next_given = outcome.next
        self.beyond = set(outcome.beyond)
        self.left: list[int] = []  # trials that a process was given ahead when it was lost
        self.workers = [_Worker(hunt) for _ in range(jobs)]

    def give_out(self) -> None:
        for worker in self.workers:
            while worker.is_open and (number := self._next()) is not None:
                worker.give(number)

    def _next(self) -> int | None:
        if self.left:
            return self.left.pop(0)
        while self.next_given < self.outcome.next or self.next_given in self.beyond:
            self.next_given += 1
        if self.next_given >= self.last:
            return None
        self.next_given += 1
        return self.next_given - 1

    @property
    def is_busy(self) -> bool:
        return any(not worker.is_idle for worker in self.workers)

    def listen(self, seconds: float) -> None:
        """Takes what the processes report within so many seconds."""
        reported = wait([w.pipe for w in self.workers if not w.is_idle], max(0.0, seconds))
        for worker in list(self.workers):
            if worker.pipe in reported:
                try:
                    self._heard(worker, worker.pipe.recv())
                except (EOFError, ConnectionResetError):
                    worker.process.join(5)
                    self._lost(worker, f"the process ended with status {worker.process.exitcode}")
            elif not worker.is_idle:
                patience = self.hunt.patience if worker.is_ready else _BEGINNING
                if time.monotonic() - worker.since > patience:
                    self._lost(worker, f"it took more than {patience:g} seconds")

    def _heard(self, worker: _Worker, counts: Counts | None) -> None:
        if counts is None:
            worker.is_ready = True
            return
        self.beyond.add(worker.done())
        self.outcome.counts += counts
        self.outcome.counts.failures.sort()
        while self.outcome.next in self.beyond:
            self.beyond.remove(self.outcome.next)
            self.outcome.next += 1
        self.outcome.beyond = sorted(self.beyond)

    def _lost(self, worker: _Worker, why: str) -> None:
        worker.end(kill=True)
        self.workers.remove(worker)
        if not worker.numbers:
            raise SystemExit(f"before its first trial {why}")
        counts = Counts()
        counts.fail(worker.numbers[0], why)
        self._heard(worker, counts)
        self.left += worker.numbers
        self.workers.append(_Worker(self.hunt))

    def leave(self) -> None:
        for worker in self.workers:
            worker.end(kill=not worker.is_idle)


def run(
    hunt: Hunt,
    outcome: Outcome,
    *,
    count: float = math.inf,
    jobs: int = 1,
    seconds: float = math.inf,
    path: Path | None = None,
) -> None:
    """Adds to an outcome so many trials, or those that end within so many seconds.

    None begins in the last of these seconds; a trial that has not ended after them is given up, and
    left for a later call. The outcome is written to ``path`` every few seconds.
    """
    began, before = time.monotonic(), outcome.seconds
    end, given_up = began + (1 - _ENDING) * seconds, began + seconds
    last = min(outcome.next + count, hunt.length or math.inf)
    team = _Team(hunt, outcome, last, int(max(1, min(jobs, last - outcome.next))))
    saved = began

    def note() -> None:
        outcome.seconds = before + time.monotonic() - began
        outcome.complete = hunt.length is not None and outcome.next >= hunt.length
        if path is not None:
            outcome.write(path)

    try:
        while (now := time.monotonic()) < given_up:
            if now < end:
                team.give_out()
            if not team.is_busy:
                break
            team.listen(min(_SAVED, (end if now < end else given_up) - now))
            if now - saved > _SAVED:
                saved = now
                note()
    finally:
        team.leave()
        if hunt.judge is not None:
            found = hunt.judge(outcome.counts)
            outcome.counts.failures = [(0, why) for why in found]
            outcome.counts.failed = len(found)
        note()


def parser(doc: str | None, usual: int | None = None) -> argparse.ArgumentParser:
    """The options that every hunt has; ``usual`` trials where neither count nor time is given."""
    found = argparse.ArgumentParser(description=(doc or "").strip())
    words = "all" if usual is None else f"{usual}, or those there is time for"
    found.add_argument("--count", type=int, help=f"trials at most (default: {words})")
    found.add_argument("--first", type=int, default=0, help="the number of the first trial")
    found.add_argument("--seed", type=int, default=0, help="another seed, other trials")
    found.add_argument(
        "--seconds", type=float, default=math.inf, help="of the clock, for all of it"
    )
    found.add_argument("--jobs", type=int, default=1, help="processes at a time")
    found.add_argument(
        "--outcome", type=Path, help="a file of counts, to which this call adds what comes after"
    )
    found.set_defaults(usual=usual)
    return found


def main(hunt: Hunt, given: argparse.Namespace) -> int:
    """Runs a hunt as its options say and prints its counts; the status is 1 where one failed."""
    outcome = Outcome(next=given.first) if given.outcome is None else Outcome.read(given.outcome)
    count = given.count or (given.usual if math.isinf(given.seconds) else None) or math.inf
    run(hunt, outcome, count=count, jobs=given.jobs, seconds=given.seconds, path=given.outcome)
    counts = outcome.counts
    print(hunt.told(counts))
    listed = ", ".join(f"{getattr(counts, name)} {name}" for name in COLUMNS)
    print(f"{listed}; {outcome.seconds:.0f} s, numbers up to {outcome.next}")
    for number, why in counts.failures[:_SHOWN]:
        print(f"FAILED {why} (--seed {given.seed} --first {number} --count 1)")
    return int(counts.failed > 0)
