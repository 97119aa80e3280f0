"""The client's side of a fit on a Dask cluster: places the rows, runs their programs, mends losses.

Every part of the rows lies on a worker, as an actor. In a generation the programs of all parts run
until they are done, or until a worker is lost. Then the parts that were lost are made again from
the graph of the collection, on other workers, and the next generation goes on from the last
complete round. So a model does not depend on which workers were lost, and when.
"""

from __future__ import annotations

import concurrent.futures
import pickle
import time
import uuid
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy
from types import SimpleNamespace
from typing import Any

from ..base.history import History
from ..base.messages.warnings import DataWarning, warn
from ..callbacks import Checkpoint, Progress
from ..engines.supervisor import WorkersLost
from ..production.profile import KEPT
from .current_client import current_client
from .meeting import Meeting, Place, Wish, call, outcome_of
from .part import Done, Failed, Job, Lost, ModelNote, Outcome, Part, RoundNote, own_version
from .pieces import Piece, check_extents, extent_of, pieces_of
from .placement import Placed, placed, with_places

_FEW = 1_000_000  # rows, below which one machine is faster
_MOST_LOSSES = 3  # of one worker
_ROOM = 1.5  # times the bytes of its rows that a worker needs
_WAIT = 60.0  # seconds that one waits for a worker where there is none
_SECOND = 0.8  # of waiting for the programs to stop after an interrupt

Fitted = dict[str, Any]


def fit(model: Any, given: Mapping[str, Any], keep: Callable[[Any, Fitted], None]) -> None:
    """Fits a model on dask collections, on the cluster of the current client.

    ``given`` are the arguments of ``fit`` by name. ``keep`` gives a model the fitted attributes: at
    the end, or before an interrupt or ``WorkersLost`` is raised those of the rounds so far; copies
    of the model get them for checkpoints.
    """
    client = current_client()
    scheduler = client.scheduler.address
    learnt, judged, _, no_judged = pieces_of(given)
    coordinator = _Coordinator(client, model, keep)
    try:
        coordinator.place(learnt, judged, no_judged)
        coordinator.run()
    except (OSError, concurrent.futures.CancelledError):
        coordinator.keep_so_far()
        if client.status == "running":
            raise
        raise WorkersLost(
            f"the scheduler of the Dask cluster, {scheduler}, cannot be reached any "
            "more; the rounds so far are kept."
        ) from None
    except (KeyboardInterrupt, WorkersLost):
        coordinator.keep_so_far()
        raise
    finally:
        coordinator.close()


class _Coordinator:
    """One fit: its parts, what is known of its rounds, and its callbacks."""

    def __init__(self, client: Any, model: Any, keep: Callable[[Any, Fitted], None]) -> None:
        self._client, self._model, self._keep = client, model, keep
        self._id, self._n_actors = uuid.uuid4().hex[:12], 0
        given = list(model.callbacks or ()) if "callbacks" in vars(model) else []
        self._callbacks = [each for each in given if not isinstance(each, Checkpoint)]
        self._checkpoints = [each.of(None) for each in given if isinstance(each, Checkpoint)]
        self._verbose = bool(getattr(model, "verbose", 0))
        self._name = type(model).__name__
        self._progress: Progress | None = None
        # Of rounds 0, 1, ... that were heard of, after those of a fit that this one goes on with.
        done = model.n_iter_ if vars(model).get("warm_start") and "n_iter_" in vars(model) else 0
        self._history = model.history_.first(done) if done else History()
        self._replies = [False] * (done + 1)
        remote = copy(model)
        for name, value in (("callbacks", None), ("verbose", 0)):
            if name in vars(model):
                setattr(remote, name, value)
        self._job = Job(remote, bool(self._callbacks), self._verbose, KEPT.get())
        self._parts: list[Placed] = []
        self._so_far, self._n_so_far = None, 0  # rounds where the next generation begins
        self._latest: ModelNote | None = None
        self._meeting = Place("", "")
        self._losses: Counter[str] = Counter()
        self._futures: list[Any] = []
        self._left: set[Place] = set()  # parts whose programs were asked to end
        self._news: Any = None  # asked for, and not there yet
        self._is_kept = self._is_over = False

    # ------------------------------------------------------------------------------------- placing

    def place(self, learnt: list[Any], judged: list[Any], no_judged: Piece) -> None:
        """Computes the pieces, divides them among the workers, and makes the parts."""
        self._learnt, self._judged, self._no_judged = learnt, judged, no_judged
        self._workers()  # waits for some
        pieces, others = self._client.compute(learnt), self._client.compute(judged)
        looked_at = self._there(lambda: self._client.map(extent_of, [*pieces, *others], pure=False))
        extents = [future.result() for future in looked_at]
        own = extents[: len(pieces)]
        check_extents(own, extents[len(pieces) :])
        threads = {address: each["nthreads"] for address, each in self._workers().items()}
        homes = [tuple(self._client.who_has(future).get(future.key, ())) for future in pieces]
        found = placed([each.n_rows for each in own], homes, threads)
        for worker, numbers in found.items():
            self._parts.append(Placed(numbers, [], worker))
        for k in range(len(others)):
            self._parts[k % len(self._parts)].judged.append(k)
        self._check_memory([sum(own[k].n_bytes for k in part.learnt) for part in self._parts])
        self._make(self._parts, pieces, others)
        for future in (*looked_at, *pieces, *others):  # the parts have what they need of them
            future.release()
        total = sum(each.n_rows for each in own)
        if total < _FEW:
            warn(
                f"{total} rows are few for a cluster: below a million, a fit in the memory of one "
                "machine, on X.compute() and y.compute(), is faster and gives the same model.",
                DataWarning,
            )

    def _check_memory(self, sizes: list[int]) -> None:
        workers = self._workers()
        for part, size in zip(self._parts, sizes, strict=True):
            limit = workers.get(part.worker, {}).get("memory_limit") or 0
            if 0 < limit < _ROOM * size:
                raise MemoryError(
                    f"the rows of worker {part.worker} take {size / 2**30:.1f} GiB, and its memory "
                    f"is {limit / 2**30:.1f} GiB: repartition X into smaller partitions, or add "
                    "workers."
                )

    def _make(self, parts: list[Placed], learnt: list[Any], judged: list[Any]) -> None:
        """Makes parts of pieces, on their workers or, where these are gone, on others."""
        version = own_version()

        def made(part: Placed) -> Any:
            no_rows = [self._no_judged] if self._no_judged else []
            pieces = [learnt[k] for k in part.learnt], [judged[k] for k in part.judged] or no_rows
            return self._actor("part", part.worker, Part, *pieces, version)

        for part, future in zip(parts, self._there(lambda: list(map(made, parts))), strict=True):
            part.future = future
        workers = self._workers()
        for part in parts:
            part.place = self._placed_at(part.future)
            part.name = str(workers.get(part.place.address, {}).get("name", part.place.address))

    def _actor(self, kind: str, worker: str, made: type, *arguments: Any) -> Any:
        """The future of an actor on a worker, or on another one where that is gone."""
        self._n_actors += 1
        return self._client.submit(
            made,
            *arguments,
            key=f"weaklearn-{kind}-{self._id}-{self._n_actors}",
            actor=True,
            workers=[worker],
            allow_other_workers=True,
        )

    def _there(self, made: Callable[[], list[Any]]) -> list[Any]:
        """Futures of what is there: made again where a worker is lost meanwhile."""
        while True:
            try:
                return self._finished(made())
            except (RuntimeError, concurrent.futures.CancelledError) as error:
                if str(error) != "lost" and "Actor was lost" not in str(error):  # Dask's words
                    raise

    def _placed_at(self, future: Any) -> Place:
        found = self._client.who_has([future]).get(future.key, ())
        return Place(found[0] if found else "", future.key)

    def _workers(self) -> dict[str, Any]:
        """The workers that run, by address; waits for one where there is none."""
        import dask

        wait = float(dask.config.get("weaklearn.wait-for-workers", _WAIT))
        until = time.monotonic() + wait
        while True:
            info = self._client.scheduler_info(n_workers=-1).get("workers", {})
            if self._client.status != "running":
                raise OSError("the scheduler is gone.")
            found = {a: each for a, each in info.items() if each.get("status") == "running"}
            if found:
                return found
            if time.monotonic() > until:
                raise WorkersLost(
                    f"the Dask cluster has had no worker for {wait:g} seconds; the rounds so far "
                    "are kept. Start workers, and fit again."
                )
            time.sleep(0.1)

    def _finished(self, futures: list[Any]) -> list[Any]:
        """The futures, once all are finished; raises the first error of one."""
        from distributed import wait

        while any(future.status == "pending" for future in futures):
            with suppress(TimeoutError):
                wait(futures, timeout=0.5)
            self._workers()
        for future in futures:
            if future.status == "error":
                raise future.exception()
            if future.status != "finished":
                raise concurrent.futures.CancelledError(future.status)
        return futures

    # ------------------------------------------------------------------------------------- playing

    def run(self) -> None:
        """Runs generations until one of them ends with a model."""
        while True:
            outcomes = self._generation()
            for outcome in outcomes:
                if isinstance(outcome, Failed):
                    raise with_places(outcome.error, self._parts)
            if all(isinstance(outcome, Done) for outcome in outcomes):
                self._take(outcomes)
                return
            self._mend(outcomes)

    def _take(self, outcomes: list[Outcome | None]) -> None:
        """Keeps the fitted attributes, and gives the warnings."""
        first = outcomes[0]
        assert isinstance(first, Done)
        assert first.fitted is not None
        self._keep(self._model, first.fitted)
        self._is_kept = self._is_over = True
        warned = [each for done in outcomes if isinstance(done, Done) for each in done.warned]
        for message, category in dict.fromkeys(warned):
            warn(message, category)

    def _generation(self) -> list[Outcome | None]:
        """What the programs of all parts came to; None where their worker was lost."""
        places = [part.place for part in self._parts]
        made = "meeting", places[0].address, Meeting, len(places)
        (future,) = self._there(lambda: [self._actor(*made)])
        self._futures, self._left, self._news = [future], set(), None
        self._meeting = meeting = self._placed_at(future)
        calls = [
            call(self._client, place, "run", self._job, meeting, rank, places, self._so_far)
            for rank, place in enumerate(places)
        ]
        interrupt: KeyboardInterrupt | None = None
        until = float("inf")
        while not all(each.done() for each in calls) and time.monotonic() < until:
            try:
                self._listen(meeting, calls)
            except KeyboardInterrupt as error:
                if interrupt is not None:
                    raise
                interrupt, until = error, time.monotonic() + _SECOND
                self._wish(meeting, "interrupt")
        if interrupt is None:
            return [outcome_of(each) for each in calls]
        outcomes = [outcome_of(each) if each.done() else None for each in calls]
        if all(isinstance(each, Done) for each in outcomes):
            self._take(outcomes)
        raise interrupt

    def _listen(self, meeting: Place, calls: list[Any]) -> None:
        """Hears the news of a meeting; ends it where a part is lost."""
        waiting = [each for each in calls if not each.done()]
        gone = {
            part.place.address
            for part, each in zip(self._parts, calls, strict=True)
            if part.future.status != "finished" or (each.done() and outcome_of(each) is None)
        }
        if self._client.status != "running":
            raise OSError("the scheduler is gone.")
        # One that ended otherwise than with a model asks no more: the others would wait for it.
        if gone or any(each.done() and not isinstance(outcome_of(each), Done) for each in calls):
            self._leave(calls, gone)
            concurrent.futures.wait(waiting, 0.2, concurrent.futures.FIRST_COMPLETED)
            return
        if self._news is None:
            self._news = call(self._client, meeting, "news", 0.5)
        wanted = [self._news, *waiting]
        concurrent.futures.wait(wanted, 1.0, concurrent.futures.FIRST_COMPLETED)
        if self._news.done():  # else it is waited for again: what it brings is brought once
            notes, news, self._news = [], self._news, None
            with suppress(OSError, KeyError):
                notes = news.result()
            for note in notes:
                self._hear(meeting, note)

    def _leave(self, calls: list[Any], gone: set[str]) -> None:
        """Ends the programs of the parts that are left, and does not wait for the others."""
        for part, each in zip(self._parts, calls, strict=True):
            if part.place.address in gone:
                each.cancel()
            elif not each.done() and part.place not in self._left:
                self._left.add(part.place)
                call(self._client, part.place, "leave", self._meeting.key)

    def _wish(self, meeting: Place, wish: Wish) -> None:
        with suppress(OSError, KeyError, TimeoutError):
            call(self._client, meeting, "wish", wish).result(timeout=_SECOND)

    def _hear(self, meeting: Place, note: RoundNote | ModelNote) -> None:
        """Takes a message: shows progress, and asks the callbacks once about every round."""
        if isinstance(note, ModelNote):
            self._latest = note
            self._save(note)
            return
        if note.t >= len(self._replies):  # beyond: rounds between were lost with their meeting
            self._replies += [False] * (note.t - len(self._replies))
            self._history.append(note.metrics)
            if self._verbose:
                if self._progress is None:
                    self._progress = Progress(note.n_rounds, self._name, note.t - 1)
                self._progress(note.t, None, self._history)
            state = SimpleNamespace(ensemble=note.ensemble)
            stops = [bool(each(note.t, state, self._history)) for each in self._callbacks]
            self._replies.append(any(stops))
        if self._job.asks:
            call(self._client, meeting, "reply", note.t, self._replies[note.t])

    def _save(self, note: ModelNote) -> None:
        """Hands the model so far to the checkpoints that are due."""
        for each in self._checkpoints:
            if each.is_due:
                begin, later = time.monotonic(), copy(self._model)
                self._keep(later, pickle.loads(note.pickled)[0])
                each.hand_out(later, begin)

    # ------------------------------------------------------------------------------------- mending

    def _mend(self, outcomes: list[Outcome | None]) -> None:
        """Makes the lost parts again, and notes where the next generation goes on."""
        lost = [part for part, each in zip(self._parts, outcomes, strict=True) if each is None]
        left = [each for each in outcomes if isinstance(each, Lost)]
        best = max(left, key=lambda each: each.n_rounds, default=None)
        if best is not None and best.n_rounds > self._n_so_far:
            self._n_so_far, self._so_far = best.n_rounds, best.so_far
        elif best is None and self._latest is not None and self._latest.t - 1 > self._n_so_far:
            self._n_so_far = self._latest.t - 1
            _, self._so_far = pickle.loads(self._latest.pickled)
        for part in lost:
            self._losses[part.name] += 1
            if self._losses[part.name] >= _MOST_LOSSES:
                raise WorkersLost(
                    f"the worker {part.name} was lost {_MOST_LOSSES} times during this fit; the "
                    "rounds so far are kept. Its rows may need more memory than it has: "
                    "repartition X into smaller partitions, or use workers with more memory."
                )
        self._remake(lost)

    def _remake(self, lost: list[Placed]) -> None:
        """Computes the pieces of lost parts again, on the workers that hold the fewest parts."""
        workers = self._workers()
        held = Counter(part.place.address for part in self._parts if part not in lost)
        for part in lost:
            part.worker = min(workers, key=lambda a: (held[a] / workers[a]["nthreads"], a))
            held[part.worker] += 1
        learnt = sorted({k for part in lost for k in part.learnt})
        judged = sorted({k for part in lost for k in part.judged})
        pieces = dict(zip(learnt, self._client.compute([self._learnt[k] for k in learnt])))
        others = dict(zip(judged, self._client.compute([self._judged[k] for k in judged])))
        self._make(lost, pieces, others)  # type: ignore[arg-type]

    def keep_so_far(self) -> None:
        """Keeps the latest model that the client was sent, where there is no later one."""
        if not self._is_kept and self._latest is not None:
            self._is_kept = True
            self._keep(self._model, pickle.loads(self._latest.pickled)[0])

    def close(self) -> None:
        """Ends the programs that still run, and lets the cluster forget the rows."""
        if self._progress is not None:
            self._progress.close()
        if self._client.status == "running":
            present = [part.place for part in self._parts if part.is_there]
            places = [] if self._is_over else present
            asked = [call(self._client, each, "leave", self._meeting.key) for each in places]
            if self._news is not None:  # nothing is left under way when the client closes next
                asked += [call(self._client, self._meeting, "leave"), self._news]
            concurrent.futures.wait(asked, _SECOND if self._is_over else 0)
        for future in [*self._futures, *(part.future for part in self._parts)]:
            if future is not None:
                future.release()
