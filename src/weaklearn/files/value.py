"""The encoding of values in a file: a tag of one byte, then what the tag calls for.

The encoding is canonical: equal values give equal bytes on every machine, so that a hash of the
bytes is a fingerprint of the model. ``writer`` has one way, ``reader`` the other.
"""

from __future__ import annotations

import datetime as dt
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from .error import Flaw
from .record import Record

DEEPEST = 64
LONGEST_TEXT = 2**24  # bytes

NONE, FALSE, TRUE, INTEGER, REAL, TEXT, BYTES = range(7)
LIST, TUPLE, SET, DICT, ARRAY, OBJECTS, SCALAR, PACKED = range(7, 15)
DATE, DATETIME, TIMEDELTA, RECORD, RECORDS = range(15, 20)
SEQUENCES = (LIST, TUPLE, SET, OBJECTS)
HOLDING = (*SEQUENCES, DICT, RECORD, RECORDS)  # what may hold records, and these
INTEGERS, REALS, TEXTS = range(3)  # what a packed sequence holds

EPOCH = dt.datetime(1970, 1, 1)
MICROSECOND = dt.timedelta(microseconds=1)
DOUBLE = struct.Struct("<d")


@dataclass(frozen=True, eq=False)
class Part:
    """A record, or a list of n records, as read from a file and not yet built or checked."""

    record: Record
    fields: list[Any]
    n: int = 1
    listed: bool = False

    def columns(self) -> tuple[int | None, tuple[Any, ...] | None]:
        """Number and names of the columns that the record holds; None where it holds none."""
        read = self.record.columns
        return (None, None) if read is None else read(self.fields)


def most_objects(n_bytes: int) -> int:
    """The number of objects that a file of ``n_bytes`` may create: bounds memory and time."""
    return 2**16 + n_bytes // 2


def contained(tag: int, items: list[Any]) -> Any:
    """Items as a list, tuple, object array or frozenset, by tag."""
    if tag == LIST:
        return items
    if tag == TUPLE:
        return tuple(items)
    if tag == OBJECTS:
        array = np.empty(len(items), object)
        for k, item in enumerate(items):  # one by one: an item may be a tuple
            array[k] = item
        return array
    try:
        found = frozenset(items)
    except TypeError:
        raise Flaw("a set holds what cannot be in one") from None
    if len(found) != len(items):
        raise Flaw("a set holds a value twice")
    return found
