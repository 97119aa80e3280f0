"""A value, and the number of a row, as messages print them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from sys import maxsize
from typing import Any

import numpy as np

_NUMBERS: ContextVar[Sequence[int]] = ContextVar("rows", default=range(maxsize))


@contextmanager
def rows_numbered(numbers: Sequence[int]) -> Iterator[None]:
    """Context manager: messages give these numbers to the rows of X, in place of 0, 1, 2 ..."""
    before = _NUMBERS.set(numbers)
    try:
        yield
    finally:
        _NUMBERS.reset(before)


def rows_counted_from(first: int) -> AbstractContextManager[None]:
    """Context manager: in messages the first row of X has this number.

    The command line counts the rows of a file from 1, the header left out.
    """
    return rows_numbered(range(first, maxsize))


def row_number(row: int) -> int:
    """The number that messages give to a row of X.

    >>> with rows_counted_from(1):
    ...     print(row_number(0), row_number(4))
    1 5
    >>> row_number(4)
    4
    """
    return _NUMBERS.get()[row]


def show(value: Any) -> str:
    """The value's repr: escaped, cut to 80 characters, and with numpy's numbers as plain ones.

    >>> show([np.float64(0.5), np.int64(3)])
    '[0.5, 3]'
    """
    try:
        text = repr(_plain(value))
    except Exception:  # an integer of thousands of digits, or an object that cannot show itself
        text = f"<{type(value).__name__}>"
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= 80 else text[:60] + f"... ({len(text)} characters)"


def _plain(value: Any) -> Any:
    """A value, or a short list or tuple of values, without numpy's scalars."""
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (list, tuple) and len(value) <= 20:
        return type(value)(map(_plain, value))
    return value
