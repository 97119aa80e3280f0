"""Lists of whole numbers as they travel between workers: in as few bytes as they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .collective import Operation, combined

_FEW = 512  # numbers, below which they are sent as they are


@dataclass(frozen=True)
class Narrowed:
    """A list of int64: how many numbers, and the bytes."""

    size: int
    content: NDArray[np.uint8]


def narrowed(operation: Operation, value: Any) -> Any:
    """What a partition sends in an operation: a long list that is to be summed takes less bytes.

    >>> numbers = np.arange(1000)
    >>> narrowed("sum", numbers).content.nbytes < numbers.nbytes / 3
    True
    >>> bool((widened(narrowed("sum", numbers)) == numbers).all())
    True
    """
    if operation != "sum" or value.dtype != np.int64 or value.ndim > 1 or value.size < _FEW:
        return value
    return Narrowed(value.size, _core.narrowed(np.ascontiguousarray(value)))


def widened(value: Any) -> Any:
    """What was narrowed, or what was not."""
    return _core.widened(value.content) if isinstance(value, Narrowed) else value


def combined_narrowed(operation: Operation, values: Sequence[Any]) -> Any:
    """What ``combined`` makes of values as they are sent, to be sent back."""
    lists = [value for value in values if isinstance(value, Narrowed)]
    if len(lists) == len(values) and len({each.size for each in lists}) == 1:
        sums = _core.sums_of_narrowed([each.content for each in lists])
        return Narrowed(lists[0].size, sums)
    return combined(operation, [widened(value) for value in values])
