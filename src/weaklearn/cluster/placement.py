"""Which worker holds which pieces."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from traceback import format_exception_only
from typing import Any, TypeVar

from .meeting import Place

E = TypeVar("E", bound=BaseException)

_MORE = 1.1  # how much more than its share a worker may hold of what lies with it already


@dataclass
class Placed:
    """A part, the numbers of its pieces, and where it is."""

    learnt: list[int]
    judged: list[int]
    worker: str  # its address
    future: Any = None
    place: Place = field(default_factory=lambda: Place("", ""))
    name: str = ""  # that of the worker, the same after it was started again

    @property
    def is_there(self) -> bool:
        """Whether its actor is."""
        return self.future is not None and self.future.status == "finished"


def with_places(error: E, parts: Sequence[Placed]) -> E:
    """An error that names partitions of a fit, with a note which ones of X these hold.

    >>> error = with_places(ValueError("a gap in partition 1"), [Placed([0], [], ""),
    ...                                                          Placed([1, 2], [], "")])
    >>> error.__notes__
    ['Partition 1 of the fit holds the partitions 1, 2 of X, one after another.']
    """
    text = "".join(format_exception_only(error))  # with its notes
    for rank in sorted({int(number) for number in re.findall(r"\bpartition (\d+)", text)}):
        if rank < len(parts):
            held = parts[rank].learnt
            listed = ", ".join(map(str, held[:20])) + (", ..." if len(held) > 20 else "")
            each = "partition" if len(held) == 1 else "partitions"
            after = "" if len(held) == 1 else ", one after another"
            error.add_note(f"Partition {rank} of the fit holds the {each} {listed} of X{after}.")
    return error


def placed(
    sizes: Sequence[int], homes: Sequence[Sequence[str]], threads: Mapping[str, int]
) -> dict[str, list[int]]:
    """The pieces of each worker that has some: where they are, as long as loads stay even.

    ``sizes`` are the rows of the pieces, ``homes`` the workers that hold them now. A worker's share
    is in proportion to its threads.

    >>> placed([5, 5, 5, 5], [["a"], ["a"], ["a"], ["b"]], {"a": 1, "b": 1})
    {'a': [0, 1], 'b': [2, 3]}
    >>> placed([5, 0], [["a"], ["a"]], {"a": 1, "b": 1})
    {'a': [1], 'b': [0]}
    """
    total, everyone = sum(sizes), sum(threads.values())
    share = {worker: max(1.0, total * n / everyone) for worker, n in threads.items()}
    load = dict.fromkeys(threads, 0)
    found: dict[str, list[int]] = {worker: [] for worker in threads}
    away: list[int] = []
    for k in sorted(range(len(sizes)), key=lambda k: (-sizes[k], k)):
        near = [worker for worker in homes[k] if worker in load]
        near = [worker for worker in near if load[worker] + sizes[k] <= _MORE * share[worker]]
        if not near:
            away.append(k)
            continue
        best = min(near, key=lambda worker: load[worker] / share[worker])
        found[best].append(k)
        load[best] += sizes[k]
    for k in away:
        best = min(
            load, key=lambda worker: ((load[worker] + sizes[k]) / share[worker], len(found[worker]))
        )
        found[best].append(k)
        load[best] += sizes[k]
    return {worker: sorted(pieces) for worker, pieces in found.items() if pieces}
