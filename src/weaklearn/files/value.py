"""Values as bytes and back: a tag of one byte, then what the tag calls for.

The encoding is canonical: equal values give equal bytes on every machine, so that a hash of the
bytes is a fingerprint of the model. Reading trusts nothing: every count is held against the bytes
left before anything is made, nesting ends at a fixed depth, and the number of Python objects that a
file may ask for is bounded by its size.
"""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import array as arrays
from .array import check_text, narrow
from .check import named
from .error import Flaw, ModelFileError
from .record import Book, Record

DEEPEST = 64
LONGEST_TEXT = 2**24  # bytes

(
    NONE,
    FALSE,
    TRUE,
    WHOLE,
    REAL,
    TEXT,
    BYTES,
    LIST,
    TUPLE,
    SET,
    DICT,
    ARRAY,
    OBJECTS,
    SCALAR,
    PACKED,
    DATE,
    MOMENT,
    DURATION,
    RECORD,
    RECORDS,
) = range(20)
SEQUENCES = (LIST, TUPLE, SET, OBJECTS)
WHOLES, REALS, TEXTS = range(3)  # what a packed sequence holds

_EPOCH = dt.datetime(1970, 1, 1)
_MICROSECOND = dt.timedelta(microseconds=1)
_DOUBLE = struct.Struct("<d")
_COST, _MODEL_COST = 8, 24  # what a record takes to make, and an estimator, in plain objects


class Writer:
    """Writes values one after another; what is set aside is collected beside them."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._out = bytearray()
        self._path: list[str] = []
        self._depth = 0
        self.aside: list[Any] = []

    @property
    def data(self) -> bytes:
        return bytes(self._out)

    def write(self, value: Any) -> None:
        """Writes one value, or says which part of it no file can hold."""
        try:
            self._value(value)
        except Flaw as flaw:
            where = "".join(self._path).lstrip(".")
            raise ModelFileError(f"{where}: {flaw}" if where else str(flaw)) from None

    @contextmanager
    def _inside(self, step: str) -> Iterator[None]:
        self._path.append(step)
        self._depth += 1
        if self._depth > DEEPEST:
            raise Flaw(f"it is nested more than {DEEPEST} deep")
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
        record = self._book.of(value)
        if record is None:
            raise Flaw(_stranger(value))
        return self._record(record, value)

    def _tag(self, tag: int, *counts: int) -> None:
        self._out.append(tag)
        for count in counts:
            self._out += _varint(count)

    def _whole(self, value: int) -> None:
        body = value.to_bytes((value.bit_length() + 8) // 8, "little", signed=True)
        self._tag(WHOLE, len(body))
        self._out += body

    def _real(self, value: float) -> None:
        self._tag(REAL)
        self._out += _DOUBLE.pack(value)

    def _text(self, value: str) -> None:
        body = check_text(value)
        if len(body) > LONGEST_TEXT:
            raise Flaw(f"a text takes {len(body)} bytes; {LONGEST_TEXT} are allowed")
        self._tag(TEXT, len(body))
        self._out += body

    def _bytes(self, value: bytes) -> None:
        self._tag(BYTES, len(value))
        self._out += value

    def _list(self, value: list[Any]) -> None:
        self._sequence(LIST, value)

    def _tuple(self, value: tuple[Any, ...]) -> None:
        self._sequence(TUPLE, value)

    def _set(self, value: frozenset[Any]) -> None:
        self._sequence(SET, self._ordered(value))

    def _ordered(self, value: frozenset[Any]) -> list[Any]:
        """The items of a set in an order of their own, which no hash seed changes."""
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
        """Whether the items are whole numbers, numbers or texts, written as one block."""
        kinds = set(map(type, items))
        if kinds == {float}:
            block, body = np.array(items, "<f8"), REALS
        elif kinds == {int} and -(2**63) <= min(items) and max(items) < 2**63:
            block, body = narrow(np.array(items, np.int64)), WHOLES
        elif kinds == {str}:
            texts = [check_text(item) for item in items]
            if max(map(len, texts)) > LONGEST_TEXT:
                raise Flaw(f"a text takes more than {LONGEST_TEXT} bytes")
            block, body = narrow(np.array([len(item) for item in texts], np.int64)), TEXTS
        else:
            return False
        self._tag(PACKED, tag, body)
        self._block(block)
        if body == TEXTS:
            self._out += b"".join(texts)
        return True

    def _records(self, tag: int, items: Sequence[Any]) -> bool:
        """Whether the items are records of one class that is written column by column."""
        if tag != LIST or not items or len(set(map(type, items))) != 1:
            return False
        record = self._book.of(items[0])
        if record is None or record.take_many is None:
            return False
        self._fields(RECORDS, record, record.take_many(items), len(items))
        return True

    def _dict(self, value: dict[Any, Any]) -> None:
        self._tag(DICT, len(value))
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
            return self._sequence(OBJECTS, value.tolist())
        self._tag(ARRAY)
        return self._block(np.asarray(value))

    def _block(self, value: NDArray[Any]) -> None:
        code, detail = arrays.code_of(value.dtype)
        if value.ndim > arrays.MOST_DIMENSIONS:
            raise Flaw(f"an array has {value.ndim} dimensions; {arrays.MOST_DIMENSIONS} at most")
        for number in (code, detail, value.ndim, *value.shape):
            self._out += _varint(number)
        self._out += arrays.to_bytes(value)

    def _scalar(self, value: np.generic) -> None:
        self._tag(SCALAR)
        self._block(np.asarray(value))

    def _date(self, value: dt.date) -> None:
        self._tag(DATE, value.toordinal())

    def _moment(self, value: dt.datetime) -> None:
        if value.tzinfo is not None:
            raise Flaw("a datetime with a time zone has no place in a model file")
        self._tag(MOMENT, value.fold)
        self._whole((value - _EPOCH) // _MICROSECOND)

    def _duration(self, value: dt.timedelta) -> None:
        self._tag(DURATION)
        self._whole(value // _MICROSECOND)

    def _record(self, record: Record, value: Any) -> None:
        fields = list(record.take(value))
        if record.sided:
            self.aside.append(fields.pop())
        self._fields(RECORD, record, fields)

    def _fields(self, tag: int, record: Record, fields: Sequence[Any], *count: int) -> None:
        self._tag(tag, record.number, *count, len(fields))
        for field in fields:
            with self._inside(""):
                self._value(field)


_WRITERS: dict[type, Callable[[Writer, Any], None]] = {
    type(None): lambda writer, _: writer._tag(NONE),
    bool: lambda writer, value: writer._tag(TRUE if value else FALSE),
    int: Writer._whole,
    float: Writer._real,
    str: Writer._text,
    bytes: Writer._bytes,
    list: Writer._list,
    tuple: Writer._tuple,
    frozenset: Writer._set,
    dict: Writer._dict,
    dt.date: Writer._date,
    dt.datetime: Writer._moment,
    dt.timedelta: Writer._duration,
}


def _stranger(value: Any) -> str:
    """Why a value has no place in a file, and what to do instead."""
    advice = "which no model file can hold; use pickle for this model"
    if hasattr(value, "fit"):
        module = type(value).__module__.partition(".")[0]
        return f"{type(value).__name__} is an estimator of {module}, {advice}"
    if callable(value):
        name = getattr(value, "__name__", type(value).__name__)
        return f"{name} is a Python function, {advice}"
    return f"a value of type {type(value).__name__}, {advice}"


def _varint(number: int) -> bytes:
    """A whole number from 0 in groups of seven bits, the lowest first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


@dataclass(frozen=True, eq=False)
class Part:
    """A record, or n of them, as they stand in a file: not made, not checked."""

    record: Record
    fields: list[Any]
    n: int = 1


class Reader:
    """Reads the values of one section; ``start`` is where in the file the section begins.

    ``aside`` gives what sided records have in another section. Unless told to ``build``, it leaves
    records as they stand in the file.
    """

    def __init__(
        self,
        data: memoryview,
        book: Book,
        start: int = 0,
        fuel: int | None = None,
        aside: Iterator[Any] | None = None,
        build: bool = True,
    ) -> None:
        self._data = data
        self._build = build
        self._book = book
        self._start = start
        self._at = 0
        self._fuel = most_objects(len(data)) if fuel is None else fuel
        self._aside = iter(()) if aside is None else aside

    def only(self) -> Any:
        """The one value of the section, which it must fill."""
        begun = self._at
        try:
            value = self._value(0)
            if self._at != len(self._data):
                raise Flaw(f"{len(self._data) - self._at} bytes follow the value")
            return value
        except Flaw as flaw:
            raise ModelFileError(f"byte {self._start + self._at}: {flaw}") from None
        except RecursionError:  # the caller's own stack is nearly spent
            raise ModelFileError(f"byte {self._start + begun}: no stack left to read it") from None

    def _left(self) -> int:
        return len(self._data) - self._at

    def _take(self, n: int) -> memoryview:
        if n > self._left():
            raise Flaw(f"{n} bytes are announced, {self._left()} are left")
        self._at += n
        return self._data[self._at - n : self._at]

    def _spend(self, n: int = 1) -> None:
        self._fuel -= n
        if self._fuel < 0:
            raise Flaw("the file asks for more objects than one of its size may")

    def _byte(self) -> int:
        if self._at == len(self._data):
            raise Flaw("1 byte is announced, 0 are left")
        self._at += 1
        return self._data[self._at - 1]

    def _varint(self) -> int:
        number = byte = self._byte()
        shift = 0
        while byte > 127:
            byte = self._byte()
            shift += 7
            if shift > 56:
                raise Flaw("a count takes more than 63 bits")
            number += (byte - 1) << shift  # less the mark of the byte before
        if byte == 0 and shift:
            raise Flaw("a count is written in more bytes than it needs")
        return number

    def _count(self, least_bytes: int = 1) -> int:
        """A number of things, each of which takes so many bytes at least."""
        n = self._varint()
        if n * least_bytes > self._left():
            raise Flaw(f"{n} entries are announced, but {self._left()} bytes are left")
        return n

    def _value(self, depth: int) -> Any:
        if depth > DEEPEST:
            raise Flaw(f"values are nested more than {DEEPEST} deep")
        self._spend()
        tag = self._byte()
        if tag >= len(_READERS):
            raise Flaw(f"there is no kind of value {tag}")
        return _READERS[tag](self, depth)

    def _whole(self, depth: int = 0) -> int:
        n = self._count()
        body = bytes(self._take(n))
        value = int.from_bytes(body, "little", signed=True)
        if n != (value.bit_length() + 8) // 8:
            raise Flaw("a whole number is written in more bytes than it needs")
        return value

    def _real(self, depth: int) -> float:
        return float(_DOUBLE.unpack(self._take(8))[0])

    def _text(self, depth: int) -> str:
        n = self._count()
        if n > LONGEST_TEXT:
            raise Flaw(f"a text takes {n} bytes; {LONGEST_TEXT} are allowed")
        return _decoded(bytes(self._take(n)))

    def _bytes(self, depth: int) -> bytes:
        return bytes(self._take(self._count()))

    def _items(self, depth: int) -> list[Any]:
        self._spend()  # a container takes more than what is no container
        n = self._count()
        return [self._value(depth + 1) for _ in range(n)]

    def _list(self, depth: int) -> Any:
        return self._items(depth)

    def _tuple(self, depth: int) -> Any:
        return _contained(TUPLE, self._items(depth))

    def _set(self, depth: int) -> Any:
        return _contained(SET, self._items(depth))

    def _objects(self, depth: int) -> Any:
        return _contained(OBJECTS, self._items(depth))

    def _dict(self, depth: int) -> dict[Any, Any]:
        self._spend()
        n = self._count(2)
        found: dict[Any, Any] = {}
        for _ in range(n):
            key = self._value(depth + 1)
            try:
                known = key in found
            except TypeError:
                raise Flaw(f"a value of type {type(key).__name__} cannot be a key") from None
            if known:
                raise Flaw(f"the key {named(key)} stands twice")
            found[key] = self._value(depth + 1)
        return found

    def _block(self) -> NDArray[Any]:
        dtype = arrays.dtype_of(self._varint(), self._varint())
        n_dimensions = self._varint()
        if n_dimensions > arrays.MOST_DIMENSIONS:
            raise Flaw(f"an array has {n_dimensions} dimensions; {arrays.MOST_DIMENSIONS} at most")
        shape = tuple(self._varint() for _ in range(n_dimensions))
        size = dtype.itemsize
        for n in shape:
            size *= n  # of Python's whole numbers, which do not overflow
        if size == 0 and max(shape) > 2**20:
            raise Flaw(f"an empty array has the shape {shape}")
        return arrays.from_bytes(self._take(size), dtype, shape)

    def _array(self, depth: int) -> NDArray[Any]:
        found = self._block()
        if found.ndim == 0:
            raise Flaw("an array has no dimension")
        return found

    def _scalar(self, depth: int) -> Any:
        found = self._block()
        if found.ndim != 0:
            raise Flaw("a scalar has dimensions")
        return found[()]

    def _packed(self, depth: int) -> Any:
        tag, body = self._varint(), self._varint()
        if tag not in SEQUENCES or body not in (WHOLES, REALS, TEXTS):
            raise Flaw(f"there is no packed sequence {tag} of {body}")
        block = self._block()
        right = block.dtype == np.float64 if body == REALS else block.dtype.kind in "iu"
        if block.ndim != 1 or len(block) == 0 or not right:
            raise Flaw("a packed sequence is not one of numbers")
        self._spend(len(block) // 3)
        return _contained(tag, self._texts(block) if body == TEXTS else block.tolist())

    def _texts(self, lengths: NDArray[Any]) -> list[str]:
        if lengths.min() < 0 or lengths.max() > LONGEST_TEXT:
            raise Flaw(f"a text takes a number of bytes outside 0 to {LONGEST_TEXT}")
        ends = np.cumsum(lengths, dtype=np.int64)
        body = bytes(self._take(int(ends[-1])))
        text, stops = _decoded(body), ends.tolist()
        starts = [0, *stops[:-1]]
        if len(text) == len(body):  # one byte a character
            return [text[a:b] for a, b in zip(starts, stops, strict=True)]
        return [_decoded(body[a:b]) for a, b in zip(starts, stops, strict=True)]

    def _date(self, depth: int) -> dt.date:
        try:
            return dt.date.fromordinal(self._varint())
        except (ValueError, OverflowError):
            raise Flaw("a date lies outside the years 1 to 9999") from None

    def _moment(self, depth: int) -> dt.datetime:
        fold = self._varint()
        if fold > 1:
            raise Flaw("the fold of a moment is 0 or 1")
        span = self._microseconds()
        try:
            return (_EPOCH + span).replace(fold=fold)
        except OverflowError:
            raise Flaw("a moment lies outside the years 1 to 9999") from None

    def _duration(self, depth: int) -> dt.timedelta:
        return self._microseconds()

    def _microseconds(self) -> dt.timedelta:
        if self._byte() != WHOLE:
            raise Flaw("a time is a whole number of microseconds")
        try:
            return dt.timedelta(microseconds=self._whole())
        except OverflowError:
            raise Flaw("a duration is longer than any can be") from None

    def _record(self, depth: int) -> Any:
        at = self._at - 1
        record = self._book.numbered(self._varint())
        aside = next(self._aside, None) if record.sided else None
        self._spend(_MODEL_COST if record.sided else _COST)
        fields = self._items(depth)
        if record.sided:
            fields.append(aside)
        if not self._build:
            return Part(record, fields)
        return self._made(record, at, lambda: record.make(fields))

    def _records(self, depth: int) -> Any:
        at = self._at - 1
        record = self._book.numbered(self._varint())
        many = record.make_many
        if many is None:
            raise Flaw(f"a {record.name} is never written in columns")
        n = self._count()
        fields = self._items(depth)
        self._spend(n)
        if not self._build:
            return Part(record, fields, n)
        return self._made(record, at, lambda: many(n, fields))

    def _made(self, record: Record, at: int, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except Flaw as flaw:
            self._at = at
            raise Flaw(f"{record.name}: {flaw}") from None


_READERS: tuple[Callable[[Reader, int], Any], ...] = (
    lambda reader, depth: None,
    lambda reader, depth: False,
    lambda reader, depth: True,
    Reader._whole,
    Reader._real,
    Reader._text,
    Reader._bytes,
    Reader._list,
    Reader._tuple,
    Reader._set,
    Reader._dict,
    Reader._array,
    Reader._objects,
    Reader._scalar,
    Reader._packed,
    Reader._date,
    Reader._moment,
    Reader._duration,
    Reader._record,
    Reader._records,
)


def most_objects(n_bytes: int) -> int:
    """How many objects a file of so many bytes may ask for: memory and time stay in proportion."""
    return 2**17 + n_bytes // 16


def _decoded(body: bytes) -> str:
    if b"\0" in body:
        raise Flaw("a text holds the character NUL")
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise Flaw("a text is not UTF-8") from None


def _contained(tag: int, items: list[Any]) -> Any:
    """Items as the sequence that a tag names."""
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
