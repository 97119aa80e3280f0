"""Values to bytes: equal values give equal bytes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import array as arrays
from . import value as form
from .array import check_text, narrow
from .check import named
from .error import Flaw, ModelFileError
from .record import Book, Record
from .value import Part


class Writer:
    """Writes values one after another, and collects in ``aside`` what goes to another section.

    ``compact``: records that can be packed are. What is written in full is canonical.
    """

    def __init__(self, book: Book, compact: bool = False) -> None:
        self._book = book
        self._compact = compact
        self._out = bytearray()
        self._path: list[str] = []
        self._depth = 0
        self.aside: list[Any] = []

    @property
    def data(self) -> bytes:
        return bytes(self._out)

    def write(self, value: Any) -> None:
        """Writes one value; an error names the part of it that no file can hold."""
        try:
            self._value(value)
        except Flaw as flaw:
            where = "".join(self._path).lstrip(".")
            raise ModelFileError(f"{where}: {flaw}" if where else str(flaw)) from None

    @contextmanager
    def _inside(self, step: str) -> Iterator[None]:
        self._path.append(step)
        self._depth += 1
        if self._depth > form.DEEPEST:
            raise Flaw(f"it is nested more than {form.DEEPEST} deep")
        yield  # an error leaves the path as it is: it says where
        self._path.pop()
        self._depth -= 1

    def _value(self, value: Any) -> None:
        write = _WRITERS.get(type(value))
        if write is not None:
            return write(self, value)
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, np.generic):
            return self._scalar(value)
        if type(value) is Part:
            return self._part(value)
        record = self._book.of(value)
        if record is None:
            raise Flaw(_refusal(value))
        return self._record(record, value)

    def _tag(self, tag: int, *counts: int) -> None:
        self._out.append(tag)
        for count in counts:
            self._out += _varint(count)

    def _integer(self, value: int) -> None:
        body = value.to_bytes((value.bit_length() + 8) // 8, "little", signed=True)
        self._tag(form.INTEGER, len(body))
        self._out += body

    def _real(self, value: float) -> None:
        self._tag(form.REAL)
        self._out += form.DOUBLE.pack(value)

    def _text(self, value: str) -> None:
        body = check_text(value)
        if len(body) > form.LONGEST_TEXT:
            raise Flaw(f"a text takes {len(body)} bytes; {form.LONGEST_TEXT} are allowed")
        self._tag(form.TEXT, len(body))
        self._out += body

    def _bytes(self, value: bytes) -> None:
        self._tag(form.BYTES, len(value))
        self._out += value

    def _ordered(self, value: frozenset[Any]) -> list[Any]:
        """The items of a frozenset in a fixed order, whatever the hash seed."""
        return sorted(value, key=lambda item: (type(item).__name__, self._alone(item), item))

    def _alone(self, value: Any) -> bytes:
        if type(value) in (int, float, str):  # which have an order, and packed ones keep it
            return b""
        other = Writer(self._book)
        other._value(value)
        return other.data

    def _sequence(self, tag: int, items: Sequence[Any]) -> None:
        if self._packed(tag, items) or self._records(tag, items):
            return
        self._tag(tag, len(items))
        for k, item in enumerate(items):
            with self._inside(f"[{k}]"):
                self._value(item)

    def _packed(self, tag: int, items: Sequence[Any]) -> bool:
        """Writes integers, floats or texts as one block; False where the items are others."""
        kinds = set(map(type, items))
        if kinds == {float}:
            block, body = np.array(items, "<f8"), form.REALS
        elif kinds == {int} and -(2**63) <= min(items) and max(items) < 2**63:
            block, body = narrow(np.array(items, np.int64)), form.INTEGERS
        elif kinds == {str}:
            texts = [check_text(item) for item in items]
            if max(map(len, texts)) > form.LONGEST_TEXT:
                raise Flaw(f"a text takes more than {form.LONGEST_TEXT} bytes")
            block, body = narrow(np.array([len(item) for item in texts], np.int64)), form.TEXTS
        else:
            return False
        self._tag(form.PACKED, tag, body)
        self._block(block)
        if body == form.TEXTS:
            self._out += b"".join(texts)
        return True

    def _records(self, tag: int, items: Sequence[Any]) -> bool:
        """Writes records of one class column by column; False where the items are others."""
        if tag != form.LIST or not items or len(set(map(type, items))) != 1:
            return False
        record = self._book.of(items[0])
        if record is None or record.take_many is None:
            return False
        fields = self._packed_record(record, items)
        if fields is None:
            fields = record.take_many(items)
        self._fields(form.RECORDS, record, fields, len(items))
        return True

    def _packed_record(self, record: Record, items: Sequence[Any]) -> Sequence[Any] | None:
        return record.pack(items) if self._compact and record.pack is not None else None

    def _dict(self, value: dict[Any, Any]) -> None:
        self._tag(form.DICT, len(value))
        for key, item in value.items():
            with self._inside(f".{key}" if isinstance(key, str) else f"[{named(key)}]"):
                self._value(key)
                self._value(item)

    def _array(self, value: NDArray[Any]) -> None:
        if isinstance(value, np.ma.MaskedArray):
            raise Flaw("a masked array has no place in a model file")
        if value.dtype == object:
            if value.ndim != 1:
                raise Flaw("an array of objects must have one dimension")
            return self._sequence(form.OBJECTS, value.tolist())
        self._tag(form.ARRAY)
        return self._block(np.asarray(value))

    def _block(self, value: NDArray[Any]) -> None:
        code, detail = arrays.code_of(value.dtype)
        if value.ndim > arrays.MOST_DIMENSIONS:
            raise Flaw(f"an array has {value.ndim} dimensions; {arrays.MOST_DIMENSIONS} at most")
        for number in (code, detail, value.ndim, *value.shape):
            self._out += _varint(number)
        self._out += arrays.to_bytes(value)

    def _scalar(self, value: np.generic) -> None:
        self._tag(form.SCALAR)
        self._block(np.asarray(value))

    def _date(self, value: dt.date) -> None:
        self._tag(form.DATE, value.toordinal())

    def _datetime(self, value: dt.datetime) -> None:
        if value.tzinfo is not None:
            raise Flaw("a datetime with a time zone has no place in a model file")
        self._tag(form.DATETIME, value.fold)
        self._integer((value - form.EPOCH) // form.MICROSECOND)

    def _timedelta(self, value: dt.timedelta) -> None:
        self._tag(form.TIMEDELTA)
        self._integer(value // form.MICROSECOND)

    def _record(self, record: Record, value: Any) -> None:
        packed = self._packed_record(record, [value])
        fields = list(record.take(value) if packed is None else packed)
        if record.sided:
            self.aside.append(fields.pop())
        self._fields(form.RECORD, record, fields)

    def _part(self, part: Part) -> None:
        """Writes a record as it was read, without building it."""
        fields = part.fields[:-1] if part.record.sided else part.fields
        if part.listed:
            self._fields(form.RECORDS, part.record, fields, part.n)
        else:
            self._fields(form.RECORD, part.record, fields)

    def _fields(self, tag: int, record: Record, fields: Sequence[Any], *count: int) -> None:
        self._tag(tag, record.number, *count, len(fields))
        for field in fields:
            with self._inside(""):
                self._value(field)


_WRITERS: dict[type, Callable[[Writer, Any], None]] = {
    type(None): lambda writer, _: writer._tag(form.NONE),
    bool: lambda writer, value: writer._tag(form.TRUE if value else form.FALSE),
    int: Writer._integer,
    float: Writer._real,
    str: Writer._text,
    bytes: Writer._bytes,
    list: lambda writer, value: writer._sequence(form.LIST, value),
    tuple: lambda writer, value: writer._sequence(form.TUPLE, value),
    frozenset: lambda writer, value: writer._sequence(form.SET, writer._ordered(value)),
    dict: Writer._dict,
    dt.date: Writer._date,
    dt.datetime: Writer._datetime,
    dt.timedelta: Writer._timedelta,
}


def _refusal(value: Any) -> str:
    """Why no file can hold a value, and what to do instead."""
    advice = "which no model file can hold; use pickle for this model"
    if hasattr(value, "fit"):
        module = type(value).__module__.partition(".")[0]
        return f"{type(value).__name__} is an estimator of {module}, {advice}"
    if callable(value):
        name = getattr(value, "__name__", type(value).__name__)
        return f"{name} is a Python function, {advice}"
    return f"a value of type {type(value).__name__}, {advice}"


def _varint(number: int) -> bytes:
    """A non-negative integer in groups of seven bits, the lowest first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)
