"""What a worker does in a fit on a Dask cluster: holds some of the rows, and runs their program."""

from __future__ import annotations

import asyncio
import hashlib
import pickle
import platform
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ..base.booster import Stop
from ..base.messages.warnings import DataWarning, collected_warnings
from ..engines.collective import running
from ..engines.supervisor import PartitionLost
from ..engines.threads import resolve_threads
from ..production.profile import KEPT
from .meeting import OnCluster, Place, Wish, call
from .pieces import Piece, joined

_STOPS: dict[Wish, Stop] = {"stop": Stop.CALLBACK, "interrupt": Stop.INTERRUPTED}


@dataclass(frozen=True)
class Version:
    """What must be the same on all workers for them to come to the same model."""

    weaklearn: str
    core: str
    platform: str
    byteorder: str

    def differs(self, own: Version) -> str | None:
        """How another version differs from this one, in words; None where it does not."""
        if self.weaklearn != own.weaklearn:
            return f"weaklearn {own.weaklearn}, and here is {self.weaklearn}"
        if self.byteorder != own.byteorder:
            return f"{own.byteorder}-endian numbers, and here are {self.byteorder}-endian ones"
        if self.platform == own.platform and self.core != own.core:
            return f"the compiled core {own.core[:12]}, and here is {self.core[:12]}"
        return None


@cache
def _core_hash() -> str:
    return hashlib.sha256(
        Path(sys.modules["weaklearn._core"].__file__ or "").read_bytes()
    ).hexdigest()


def own_version() -> Version:
    """The version of this process."""
    return Version(
        sys.modules["weaklearn"].__version__,
        _core_hash(),
        f"{sysconfig.get_platform()} {platform.python_implementation()} {sys.version_info[:2]}",
        sys.byteorder,
    )


@dataclass(frozen=True)
class Job:
    """What all partitions do: fit a copy of a model.

    ``asks``: the client has callbacks, which are called after every round; ``tells``: it shows
    progress; ``profile``: what of the rows is described after the fit.
    """

    model: Any
    asks: bool
    tells: bool
    profile: tuple[bool, bool]


@dataclass(frozen=True)
class Done:
    """The end of a program: the attributes of the fitted model (of partition 0), and warnings.

    Partition 0 gives those of the fit, the others those about their workers.
    """

    fitted: dict[str, Any] | None
    warned: list[tuple[str, type[Warning]]] = field(default_factory=list)


@dataclass(frozen=True)
class Failed:
    """The end of a program that raised an error."""

    error: BaseException


@dataclass(frozen=True)
class Lost:
    """The end of a program because another one was lost: the rounds so far."""

    n_rounds: int
    so_far: Any


@dataclass(frozen=True)
class RoundNote:
    """A message to the client after round t; ``ensemble`` where it has callbacks."""

    t: int
    n_rounds: int
    metrics: Mapping[str, float]
    ensemble: Any = None


@dataclass(frozen=True)
class ModelNote:
    """A message to the client: attributes of the model so far, and rounds so far, pickled."""

    t: int
    pickled: bytes


Outcome = Done | Failed | Lost


class Watch:
    """The supervisor of the program of one partition."""

    def __init__(self, collective: OnCluster, job: Job, so_far: Any) -> None:
        self.so_far = so_far
        self._collective, self._job, self._over = collective, job, False
        # Rounds so far, and what gives them: after the last round, and after the one before it.
        self._now = self._before = (0, _nothing)

    def after_round(
        self,
        t: int,
        n_rounds: int,
        metrics: Mapping[str, float],
        state: Any,
        so_far: Callable[[], Any],
        model: Callable[[], Any],
    ) -> Any:
        one, stop = self._collective, False
        if one.size == 1:
            one.first(None)  # what the client wishes comes with answers
        if one.rank == 0 and (self._job.asks or self._job.tells):
            ensemble = state.ensemble if self._job.asks else None
            one.ask("note", RoundNote(t, n_rounds, metrics, ensemble))
        if self._job.asks:
            stop = one.first(one.rank == 0 and one.ask("replied", t))
        self._before, self._now = self._now, (t, so_far)
        if one.model_due:
            begin, kept = time.monotonic(), vars(model())
            if one.rank == 0:
                pickled = pickle.dumps((kept, self._before[1]()))
                one.ask("note", ModelNote(t, pickled), time.monotonic() - begin)
        return Stop.CALLBACK if stop else _STOPS.get(one.wish)

    def after_rounds(self) -> None:
        self._over = True

    def lost(self) -> Lost:
        """The outcome where another partition was lost.

        After the last round it is the one before: the reason to stop is found anew in the last.
        """
        n_rounds, so_far = self._before if self._over else self._now
        return Lost(n_rounds, so_far())


def _nothing() -> None:
    return None


class Part:
    """The rows of one partition of a fit, and its program. An actor of Dask's.

    ``judged`` are the pieces of rows that the rounds are judged by.
    """

    def __init__(self, pieces: Sequence[Piece], judged: Sequence[Piece], version: Version) -> None:
        from distributed import get_worker

        self._worker = get_worker()
        difference = version.differs(own_version())
        if difference is not None:
            raise RuntimeError(
                f"the worker {self._worker.address} has {difference}: install the same version on "
                "all workers, so that they come to the same model."
            )
        self._rows = joined(pieces) | {f"{name}_val": v for name, v in joined(judged).items()}
        self._collective = OnCluster(self._worker)
        self._warned: list[tuple[str, type[Warning]]] = []
        if version.platform != own_version().platform:
            told = (
                f"the worker {self._worker.address} runs {own_version().platform}, and the client "
                f"{version.platform}: models are meant to be the same bits on all platforms, but "
                "that is not checked between them."
            )
            self._warned.append((told, DataWarning))

    async def run(
        self, job: Job, meeting: Place, rank: int, places: Sequence[Place], so_far: Any
    ) -> Outcome:
        """Runs the program in a thread of its own, beside the tasks of the worker.

        ``places`` are those of all parts, by rank; ``so_far`` the rounds that an earlier generation
        has played, or None.
        """
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[Outcome] = loop.create_future()

        def run() -> None:
            found = self._outcome(job, meeting, rank, places, so_far)
            loop.call_soon_threadsafe(outcome.set_result, found)

        threading.Thread(target=copy_context().run, args=(run,), daemon=True).start()
        return await outcome

    async def answers(self, begin: int, end: int) -> list[list[Any]]:
        """The answers to some of the steps that are kept."""
        return self._collective.answers(begin, end)

    async def receive(self, meeting: str, turn: int, rank: int, value: Any) -> None:
        """Takes what another part has for this one."""
        self._collective.receive(meeting, turn, rank, value)

    async def leave(self, meeting: str) -> None:
        """Ends the program of a meeting, because another part was lost."""
        self._collective.leave(meeting)

    def _outcome(
        self, job: Job, meeting: Place, rank: int, places: Sequence[Place], so_far: Any
    ) -> Outcome:
        one, watch = self._collective, Watch(self._collective, job, so_far)
        try:
            one.join(meeting, rank, places, watch)
            model = job.model
            wanted = resolve_threads(-1 if model.n_jobs is None else model.n_jobs)
            model.n_jobs = min(wanted, self._worker.state.nthreads)
            KEPT.set(job.profile)
            with running(one), collected_warnings() as warned:
                try:
                    model.fit(**self._rows)
                finally:
                    self._warned += warned
            return Done(vars(model) if rank == 0 else None, self._warned)
        except PartitionLost:
            return watch.lost()
        except BaseException as error:
            call(self._worker, meeting, "leave")
            return Failed(error)
