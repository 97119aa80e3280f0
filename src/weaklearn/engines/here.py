"""Partitions of the rows that are fitted in this process, a thread each."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import Any, TypeVar

from .collective import Collective, Operation, combined, running
from .supervisor import PartitionLost

T = TypeVar("T")


class _Meeting:
    """Where the threads of the partitions meet: the last to come combines, all take the answer."""

    def __init__(self, size: int) -> None:
        self._posted: dict[int, tuple[Operation, Any]] = {}
        self._size, self._turn, self._answer = size, 0, None
        self._left = False
        self._changed = threading.Condition()

    def exchange(self, rank: int, operation: Operation, value: Any) -> Any:
        with self._changed:
            turn = self._turn
            self._posted[rank] = (operation, value)
            if len(self._posted) == self._size:
                self._combine()
            while self._turn == turn and not self._left:
                self._changed.wait()
            if self._turn == turn:
                raise PartitionLost("another partition failed.")
            return self._answer  # nobody writes over it before all have posted again

    def leave(self) -> None:
        with self._changed:
            self._left = True
            self._changed.notify_all()

    def _combine(self) -> None:
        operations = {operation for operation, _ in self._posted.values()}
        if len(operations) > 1:
            raise RuntimeError(f"partitions took different steps: {sorted(operations)}.")
        values = [self._posted[rank][1] for rank in range(self._size)]
        self._answer = combined(operations.pop(), values)
        self._posted.clear()
        self._turn += 1
        self._changed.notify_all()


class Here(Collective):
    """A partition that runs in a thread of this process, beside the others."""

    def __init__(self, meeting: _Meeting, rank: int, size: int) -> None:
        self._meeting, self.rank, self.size = meeting, rank, size

    def exchange(self, operation: Operation, value: Any) -> Any:
        return self._meeting.exchange(self.rank, operation, value)


def run_here(programs: Sequence[Callable[[], T]]) -> list[T]:
    """What the programs of all partitions return, each run as a partition in a thread of its own.

    The first runs in this thread. Where some fail, the error of the first of them is raised.

    >>> import numpy as np
    >>> from weaklearn.engines.collective import collective
    >>> def n_rows(own):
    ...     return lambda: int(collective().sum(np.array([own]))[0])
    >>> run_here([n_rows(0), n_rows(5), n_rows(2)])
    [7, 7, 7]
    """
    size, meeting = len(programs), _Meeting(len(programs))
    results: dict[int, T] = {}
    errors: dict[int, BaseException] = {}

    def run(rank: int) -> None:
        try:
            with running(Here(meeting, rank, size)):
                results[rank] = programs[rank]()
        except BaseException as error:  # raised below, in the thread of the caller
            errors[rank] = error
            meeting.leave()

    threads = [
        threading.Thread(target=copy_context().run, args=(run, rank), daemon=True)
        for rank in range(1, size)
    ]
    for thread in threads:
        thread.start()
    run(0)
    for thread in threads:
        thread.join()
    lost = [errors[rank] for rank in sorted(errors)]
    for error in [each for each in lost if not isinstance(each, PartitionLost)] + lost:
        raise error
    return [results[rank] for rank in range(size)]
