"""Sums, maxima and lists over all partitions of the rows of a fit.

A fit over several partitions runs the same program on each of them, from reading the rows to the
last round. Where it needs a number of all rows, it makes that of its own and asks the collective,
which answers every partition with the same; so all of them come to the same model. What is summed
are whole numbers: how the rows are divided changes no bit.

``running`` sets the collective of the engines that ``choose`` makes in this thread. Without it
there is one partition, and its numbers are those of all rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import _core

if TYPE_CHECKING:
    from .supervisor import Supervisor

T = TypeVar("T")
Numbers = TypeVar("Numbers", bound=NDArray[Any])

Operation = Literal["sum", "maximum", "gather", "first", "scatter"]


class Collective(ABC):
    """The partition that runs in this thread, as one of several.

    ``rank`` is its number, from 0 on, ``size`` how many there are. A step that asks in one
    partition must ask in all, in the same order and for arrays of one shape: what decides whether
    to ask must itself be a number of all rows.
    """

    rank: int
    size: int
    supervisor: Supervisor | None = None

    @abstractmethod
    def exchange(self, operation: Operation, value: Any) -> Any:
        """What ``combined`` makes of the values of all partitions."""

    def sum(self, numbers: Numbers) -> Numbers:
        """The sums of integers over all partitions, entry by entry."""
        return self.exchange("sum", numbers)  # type: ignore[no-any-return]

    def maximum(self, numbers: Numbers) -> Numbers:
        """The largest of numbers over all partitions, entry by entry."""
        return self.exchange("maximum", numbers)  # type: ignore[no-any-return]

    def gather(self, value: T) -> list[T]:
        """The values of all partitions, by rank: for what is small, as names and counts are."""
        return self.exchange("gather", value)  # type: ignore[no-any-return]

    def first(self, value: T) -> T:
        """The value of partition 0: for what comes from outside, as a callback's wish to stop."""
        return self.exchange("first", value)  # type: ignore[no-any-return]

    def scatter(self, values: Sequence[T]) -> list[T]:
        """What all partitions have for this one, by rank, given what this one has for each.

        Of the answer of ``exchange`` only the entry of this partition is looked at: others need
        not be sent to it.
        """
        return self.exchange("scatter", list(values))[self.rank]  # type: ignore[no-any-return]

    def once(self, make: Callable[[], T], again: Callable[[T], T]) -> T:
        """What ``make`` gives; in a fit that is begun again ``again`` of what it gave before."""
        return make()

    @property
    def core(self) -> _core.Collective | None:
        """The collective as kernels take it; None where there is one partition.

        It is made anew each time: the two would keep each other alive for ever.
        """
        return _core.Collective(self)


class Alone(Collective):
    """The collective of one partition, which holds all rows.

    >>> ALONE.sum(np.array([1, 2])), ALONE.gather("a")
    (array([1, 2]), ['a'])
    """

    rank, size = 0, 1
    core = None

    def exchange(self, operation: Operation, value: Any) -> Any:
        return combined(operation, [value])


ALONE = Alone()


def combined(operation: Operation, values: Sequence[Any]) -> Any:
    """The answer to an operation, of the values of all partitions by rank.

    >>> combined("sum", [np.array([1, 2]), np.array([3, 4])])
    array([4, 6])
    >>> combined("gather", ["a", "b"])
    ['a', 'b']
    >>> combined("scatter", [["a0", "a1"], ["b0", "b1"]])
    [['a0', 'b0'], ['a1', 'b1']]
    """
    if operation == "gather":
        return list(values)
    if operation == "scatter":
        return [list(received) for received in zip(*values, strict=True)]
    if operation == "first" or len(values) == 1:
        return values[0]
    shapes = {(np.shape(value), np.asarray(value).dtype) for value in values}
    if len(shapes) > 1:
        raise RuntimeError(f"partitions ask for the {operation} of different arrays: {shapes}.")
    add = np.add if operation == "sum" else np.maximum
    return add.reduce(np.asarray(values), axis=0, dtype=np.asarray(values[0]).dtype)


# ----------------------------------------------------------------------------------- which is used

RUNNING: ContextVar[Collective] = ContextVar("collective", default=ALONE)  # in this thread


def collective() -> Collective:
    """The collective of this thread."""
    return RUNNING.get()


@contextmanager
def running(one: Collective) -> Iterator[Collective]:
    """Context manager: engines made within it belong to this partition."""
    token = RUNNING.set(one)
    try:
        yield one
    finally:
        RUNNING.reset(token)
