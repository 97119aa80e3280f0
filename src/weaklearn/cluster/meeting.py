"""How the partitions of a fit on a Dask cluster exchange numbers: over Dask's own connections.

A meeting is an actor on one of the workers. The program of a partition runs in a thread of its
worker and waits there for an answer, while the event loops of the workers stay free.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Container, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from ..engines.collective import Collective, Operation
from ..engines.narrowed import combined_narrowed, narrowed, widened
from ..engines.supervisor import PartitionLost, Supervisor

T = TypeVar("T")
Wish = Literal["go on", "stop", "interrupt"]  # what the client wants after the current round

_LOOKED_AFTER = 5.0  # seconds of waiting, after which one looks whether the client is still there
_PLAIN = (int, float, str, bool)  # which messages hold as they are
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
            value = combined_narrowed(operations.pop(), [value for _, value in posted])
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
    args = [each if type(each) in _PLAIN else to_serialize(each) for each in arguments]
    answer = await rpc.actor_execute(function=method, actor=place.key, args=args, kwargs={})
    if answer["status"] != "OK":
        raise answer["exception"]
    return answer["result"]


def outcome_of(called: Future[T]) -> T | None:
    """What a called method gave, once it is done; None where its worker was lost."""
    if called.cancelled():
        return None
    error = called.exception()
    if error is None:
        return called.result()
    if isinstance(error, (OSError, KeyError, TimeoutError, CancelledError)):
        return None
    raise error


@dataclass(frozen=True)
class _Sent:
    """What a partition had for each of all in a ``scatter``; None: only another one knows it."""

    values: tuple[Any, ...] | None


class OnCluster(Collective):
    """A partition whose program runs on a worker of a Dask cluster.

    A fit that has lost a worker begins again in a new meeting, which the partition joins. What
    steps gave before is kept (``once``), with the answers that they got: whoever takes over a lost
    partition takes these steps with the answers of another partition. What partitions have for one
    another (``scatter``) goes to the receiver alone; the sender keeps it, and sends it again to
    whoever takes the step again. So a partition holds no more than belongs to its own rows.
    """

    def __init__(self, worker: Any) -> None:
        self.rank, self.size, self._worker = 0, 1, worker
        self._meeting, self._past = Place("", ""), set[str]()
        self._received: dict[tuple[str, int], dict[int, Any]] = {}  # by meeting and turn, by rank
        self._steps: list[tuple[Any, list[Any]]] = []  # what they gave, and their answers
        self._asked: list[Future[Any]] = []

    def join(
        self, meeting: Place, rank: int, places: Sequence[Place], supervisor: Supervisor
    ) -> None:
        """Joins the meeting of the parts at these places, as the one of this rank."""
        self.rank, self.size, self.supervisor = rank, len(places), supervisor
        self._past.add(self._meeting.key)
        self._meeting, self._places, self._turn, self._step = meeting, places, 0, 0
        self._received = {
            key: each for key, each in list(self._received.items()) if key[0] == meeting.key
        }
        self._replayed: list[Any] | None = None  # answers still to be given, last first
        self._recorded: list[Any] | None = None
        self.wish: Wish = "go on"
        self.model_due = False
        self._kept: list[int] = self.gather(len(self._steps))  # by rank
        self._known: list[list[Any]] = []  # answers to the steps that this partition has not kept
        own, most = len(self._steps), max(self._kept)
        if own < most:
            knows = places[self._kept.index(most)]
            self._known = self._called([(knows, "answers", (own, most))])[0]

    @property
    def core(self) -> Any:
        return super().core if self.size > 1 else None

    def answers(self, begin: int, end: int) -> list[list[Any]]:
        """The answers to some of the steps that are kept, without what was sent in them."""
        return [
            [_Sent(None) if isinstance(each, _Sent) else each for each in answers]
            for _, answers in self._steps[begin:end]
        ]

    def exchange(self, operation: Operation, value: Any) -> Any:
        answer = self._met(operation, value) if self._replayed is None else self._replayed.pop()
        if self._recorded is not None:
            self._recorded.append(answer)
        return answer

    def scatter(self, values: Sequence[T]) -> list[T]:
        to: Container[int] = range(self.size)
        if self._recorded is not None:
            self._recorded.append(_Sent(tuple(values)))
        if self._replayed is not None:
            self._replayed.pop()
            to = self._take_again(self._step - 1)
        return self._delivered(values, to)

    def receive(self, meeting: str, turn: int, rank: int, value: Any) -> None:
        """Takes what a partition sends in a turn of a meeting, which may not be joined yet."""
        if meeting not in self._past:
            self._received.setdefault((meeting, turn), {})[rank] = value

    def ask(self, method: str, *arguments: Any) -> Any:
        """What a method of the meeting returns."""
        return self._called([(self._meeting, method, arguments)])[0]

    def leave(self, meeting: str) -> None:
        """Ends the program of a meeting at its next question, or at the one that it waits for."""
        self._past.add(meeting)
        if meeting == self._meeting.key:
            for each in self._asked:
                each.cancel()

    def once(self, make: Callable[[], T], again: Callable[[T], T]) -> T:
        number, self._step = self._step, self._step + 1
        own = self._kept[self.rank]
        if number < own:
            if to := self._take_again(number):
                self._send_again(number, to)
            return again(self._steps[number][0])
        is_known = number < max(self._kept)
        recorded: list[Any] = []
        self._recorded = recorded
        self._replayed = self._known[number - own][::-1] if is_known else None
        try:
            found = make()
        finally:
            self._recorded = self._replayed = None
        self._steps.append((found, recorded))
        return again(found) if is_known else found

    def _take_again(self, step: int) -> set[int]:
        """The partitions that take a step again which others have kept."""
        return {rank for rank, kept in enumerate(self._kept) if kept <= step}

    def _send_again(self, step: int, to: Container[int]) -> None:
        """Sends what this partition sent in a step to those that take it again."""
        for each in self._steps[step][1]:
            if isinstance(each, _Sent):
                assert each.values is not None
                self._delivered(each.values, to)

    def _delivered(self, values: Sequence[Any], to: Container[int]) -> list[Any]:
        """What all have for this partition, by rank; some of them, to whom alone is sent."""
        receivers = [rank for rank in range(self.size) if rank in to and rank != self.rank]
        head = self._meeting.key, self._turn
        self._called(
            [(self._places[k], "receive", (*head, self.rank, values[k])) for k in receivers]
        )
        self._met("gather", None)  # after which all have sent theirs
        if self.rank not in to:
            return []
        received = self._received.pop(head, {}) | {self.rank: values[self.rank]}
        return [received[rank] for rank in range(self.size)]

    def _met(self, operation: Operation, value: Any) -> Any:
        """The answer to an operation in the meeting."""
        sent = narrowed(operation, value)
        answer = self.ask("exchange", self.rank, self._turn, operation, sent)
        self._turn += 1
        self.wish, self.model_due = answer.wish, answer.model_due
        return widened(answer.value)

    def _called(self, calls: Sequence[tuple[Place, str, tuple[Any, ...]]]) -> list[Any]:
        """What methods of actors return: each call names the place and the method."""
        self._asked = asked = [
            call(self._worker, place, method, *arguments) for place, method, arguments in calls
        ]
        if self._meeting.key in self._past:
            for each in asked:
                each.cancel()
        try:
            return [each.result() for each in asked]
        except (OSError, KeyError) as error:  # its worker is gone, or it was released
            raise PartitionLost(f"another partition is gone: {error}") from None
        except CancelledError:
            raise PartitionLost("another partition is gone.") from None
