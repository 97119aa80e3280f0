"""How the partitions of a fit on a Dask cluster exchange numbers: over Dask's own connections.

A meeting is an actor on one of the workers. The program of a partition runs in a thread of its
worker and waits there for an answer, while the event loops of the workers stay free.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from ..engines.collective import Collective, Operation, combined
from ..engines.supervisor import PartitionLost, Supervisor

T = TypeVar("T")
Wish = Literal["go on", "stop", "interrupt"]  # what the client wants after the current round

_LOOKED_AFTER = 5.0  # seconds of waiting, after which one looks whether the client is still there
_BETWEEN_MODELS = 1.0  # seconds, at least, between two models that are sent to the client


@dataclass(frozen=True)
class Answer:
    """What a partition is answered: the same for all of them.

    ``model_due``: after this round the client is to be sent the model so far.
    """

    value: Any
    wish: Wish
    model_due: bool


class Meeting:
    """Where the partitions meet, and the client hears of their rounds. An actor of Dask's.

    Its methods run in the event loop of its worker, one at a time.
    """

    def __init__(self, size: int) -> None:
        from distributed import get_worker

        self._size, self._worker = size, get_worker()
        self._key = self._worker.get_current_task()
        self._posted: dict[int, tuple[Operation, Any]] = {}
        self._turn, self._left = 0, False
        self._answer: asyncio.Future[Answer] | None = None
        self._wish: Wish = "go on"
        self._next_model = time.monotonic() + _BETWEEN_MODELS
        self._notes: list[Any] = []
        self._changed: asyncio.Event | None = None  # notes, wishes and replies
        self._replies: dict[int, bool] = {}

    async def exchange(self, rank: int, turn: int, operation: Operation, value: Any) -> Answer:
        """The answer to all partitions, once all have asked."""
        if self._left or turn != self._turn:
            raise PartitionLost("another partition failed.")
        if self._answer is None:
            self._answer = asyncio.get_running_loop().create_future()
        answer = self._answer
        self._posted[rank] = (operation, value)
        if len(self._posted) == self._size:
            self._turn, self._answer = self._turn + 1, None
            posted, self._posted = self._posted, {}
            self._combine(answer, [posted[rank] for rank in range(self._size)])
        while not answer.done():
            await asyncio.wait([answer], timeout=_LOOKED_AFTER)
            if not answer.done() and self._key not in self._worker.state.actors:
                await self.leave()  # the client has gone, and with it the fit
        return answer.result()

    async def leave(self) -> None:
        """Ends the meeting: whoever waits or asks is told that a partition was lost."""
        self._left = True
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(PartitionLost("another partition failed."))
        self._tell()

    async def note(self, message: Any, seconds: float = 0.0) -> None:
        """Leaves a message for the client; ``seconds``: how long it took to make a model."""
        if seconds:
            self._next_model = time.monotonic() + max(_BETWEEN_MODELS, 20 * seconds)
        self._notes.append(message)
        self._tell()

    async def news(self, seconds: float) -> list[Any]:
        """The messages for the client, once there are some or the time is over."""
        until = time.monotonic() + seconds
        while not self._notes and not self._left and (left := until - time.monotonic()) > 0:
            await self._wait(left)
        notes, self._notes = self._notes, []
        return notes

    async def wish(self, wish: Wish) -> None:
        """Sets what the client wants."""
        self._wish = wish

    async def reply(self, t: int, stop: bool) -> None:
        """The answer of the client's callbacks to round t."""
        self._replies[t] = stop
        self._tell()

    async def replied(self, t: int) -> bool:
        """Whether the client's callbacks want to stop after round t, once they have answered."""
        while t not in self._replies:
            if self._left:
                raise PartitionLost("another partition failed.")
            await self._wait(_LOOKED_AFTER)
            if self._key not in self._worker.state.actors:
                await self.leave()
        return self._replies.pop(t)

    def _combine(self, answer: asyncio.Future[Answer], posted: list[tuple[Operation, Any]]) -> None:
        operations = {operation for operation, _ in posted}
        try:
            if len(operations) > 1:
                raise RuntimeError(f"partitions took different steps: {sorted(operations)}.")
            value = combined(operations.pop(), [value for _, value in posted])
        except Exception as error:
            answer.set_exception(error)
        else:
            answer.set_result(Answer(value, self._wish, time.monotonic() >= self._next_model))

    def _tell(self) -> None:
        if self._changed is not None:
            self._changed.set()

    async def _wait(self, seconds: float) -> None:
        if self._changed is None:
            self._changed = asyncio.Event()
        self._changed.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)


@dataclass(frozen=True)
class Place:
    """Where an actor of Dask's is: the address of its worker, and its key."""

    address: str
    key: str


def call(owner: Any, place: Place, method: str, *arguments: Any) -> Future[Any]:
    """Calls a method of an actor from a thread; ``owner`` is a worker of Dask's, or a client.

    On the worker where the actor is, nothing is sent. The result raises OSError where its worker
    cannot be reached, and KeyError where the actor is there no more.
    """
    actors = getattr(getattr(owner, "state", None), "actors", {})
    if place.key in actors:
        answer = getattr(actors[place.key], method)(*arguments)
    else:
        answer = _sent(owner, place, method, arguments)
    return asyncio.run_coroutine_threadsafe(answer, owner.loop.asyncio_loop)


async def _sent(owner: Any, place: Place, method: str, arguments: tuple[Any, ...]) -> Any:
    from distributed import Client
    from distributed.actor import ProxyRPC
    from distributed.protocol.serialize import to_serialize

    rpc = owner.rpc(place.address)
    if isinstance(owner, Client) and not owner.direct_to_workers:
        rpc = ProxyRPC(owner.scheduler, place.address)
    args = [to_serialize(each) for each in arguments]
    answer = await rpc.actor_execute(function=method, actor=place.key, args=args, kwargs={})
    if answer["status"] != "OK":
        raise answer["exception"]
    return answer["result"]


class OnCluster(Collective):
    """A partition whose program runs on a worker of a Dask cluster.

    A fit that has lost a worker begins again in a new meeting, which the partition joins. What
    steps gave before is kept (``once``), with the answers that they got: whoever takes over a lost
    partition takes these steps with the answers of another partition, and asks nobody.
    """

    def __init__(self, worker: Any) -> None:
        self.rank, self.size, self._worker = 0, 1, worker
        self._steps: list[tuple[Any, list[Any]]] = []  # what they gave, and their answers
        self._asked: Future[Any] = Future()

    def join(
        self, meeting: Place, rank: int, size: int, supervisor: Supervisor, steps: list[list[Any]]
    ) -> None:
        """Joins a meeting; ``steps``: the answers to the steps that are not to be taken anew."""
        self.rank, self.size, self.supervisor = rank, size, supervisor
        self._meeting, self._turn, self._left = meeting, 0, False
        self._known, self._step = steps, 0
        self._steps = self._steps[: len(steps)]
        self._replayed: list[Any] | None = None  # answers still to be given, last first
        self._recorded: list[Any] | None = None
        self.wish: Wish = "go on"
        self.model_due = False

    @property
    def core(self) -> Any:
        return super().core if self.size > 1 else None

    @property
    def answers(self) -> list[list[Any]]:
        """The answers to the steps that are kept."""
        return [answers for _, answers in self._steps]

    def exchange(self, operation: Operation, value: Any) -> Any:
        if self._replayed is not None:
            return self._replayed.pop()
        answer = self.ask("exchange", self.rank, self._turn, operation, value)
        self._turn += 1
        self.wish, self.model_due = answer.wish, answer.model_due
        if self._recorded is not None:
            self._recorded.append(answer.value)
        return answer.value

    def ask(self, method: str, *arguments: Any) -> Any:
        """What a method of the meeting returns."""
        self._asked = asked = call(self._worker, self._meeting, method, *arguments)
        if self._left:
            asked.cancel()
        try:
            return asked.result()
        except (OSError, KeyError) as error:  # its worker is gone, or it was released
            raise PartitionLost(f"the meeting of the partitions is gone: {error}") from None
        except CancelledError:
            raise PartitionLost("another partition is gone.") from None

    def leave(self) -> None:
        """Ends the program at its next question, or at the one that it waits for."""
        self._left = True
        self._asked.cancel()

    def once(self, make: Callable[[], T], again: Callable[[T], T]) -> T:
        number, self._step = self._step, self._step + 1
        if number >= len(self._known):
            answers: list[Any] = []
            self._recorded = answers
            try:
                found = make()
            finally:
                self._recorded = None
            self._steps.append((found, answers))
            return found
        if number >= len(self._steps):
            answers = self._known[number]
            self._replayed = answers[::-1]
            try:
                self._steps.append((make(), answers))
            finally:
                self._replayed = None
        return again(self._steps[number][0])
