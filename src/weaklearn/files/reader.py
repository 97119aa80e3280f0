"""Bytes to values, each checked.

Nothing is trusted: every count is held against the bytes left before anything is made, nesting ends
at a fixed depth, and the number of Python objects that a file may ask for is bounded by its size.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engines import on_threads
from . import array as arrays
from . import value as form
from .check import refuse_key
from .envelope import MODEL, SETTINGS, Envelope
from .error import MISLED, Flaw, ModelFileError, misled
from .place import Place
from .record import MODELS, Book, Record
from .value import Part

_MOST_FIELDS = 32  # of a record
_MOST_NAMES = 256  # parameters or fitted names of an estimator
_COST, _MODEL_COST = 8, 64  # what a record takes to make, and an estimator, in plain objects
_ROOM = 2**24  # bytes of what is decoded before it is used


class Reader:
    """Reads the values of one section; ``start`` is where in the file the section begins.

    ``aside`` yields what sided records have in another section. With ``build=False`` records are
    left as ``Part``.
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
        self._end = len(data)
        self._build = build
        self._book = book
        self._start = start
        self._at = 0
        self._fuel = form.most_objects(len(data)) if fuel is None else fuel
        self._aside = iter(()) if aside is None else aside
        self._room = _ROOM
        self._settled: list[Callable[[], None]] = []  # what is decoded once all is read
        self._place = Place()
        self._kernels = on_threads().files
        self._outermost: Any = None  # what the outermost record has in another section
        self._known: dict[tuple[int, int], set[str]] = {}  # names of estimators that were met

    def only(self) -> Any:
        """The one value of the section; refused if bytes are left after it."""
        begun = self._at
        try:
            value = self._value(0)
            if self._left():
                raise Flaw(f"{self._left()} bytes follow the value")
            for decode in self._settled:
                decode()
            return value
        except Flaw as flaw:
            raise ModelFileError(f"byte {self._start + self._at}: {flaw}") from None
        except RecursionError:  # the caller's own stack is nearly spent
            raise ModelFileError(f"byte {self._start + begun}: no stack left to read it") from None

    def record_number(self) -> int | None:
        """The number of the record that the section begins with, or None; nothing is consumed."""
        ahead = Reader(self._data, self._book, self._start)
        try:
            return ahead._varint() if ahead._byte() == form.RECORD else None
        except Flaw:
            return None

    def _left(self) -> int:
        return self._end - self._at

    def _take(self, n: int) -> memoryview:
        at = self._at
        if n > self._end - at:
            raise Flaw(f"{n} bytes are announced, {self._left()} are left")
        self._at += n
        return self._data[at : at + n]

    def _spend(self, n: int = 1) -> None:
        self._fuel -= n
        if self._fuel < 0:
            raise Flaw("the file asks for more objects than one of its size may")

    def _byte(self) -> int:
        at = self._at
        if at == self._end:
            raise Flaw("1 byte is announced, 0 are left")
        self._at = at + 1
        return self._data[at]

    def _varint(self) -> int:
        at = self._at
        if at == self._end:
            raise Flaw("1 byte is announced, 0 are left")
        self._at = at + 1
        number = byte = self._data[at]
        if byte < 128:
            return byte
        shift = 0
        while byte > 127:
            byte = self._byte()
            shift += 7
            if shift > 56:
                raise Flaw("a count takes more than 63 bits")
            number += (byte - 1) << shift  # less the mark of the byte before
        if byte == 0:
            raise Flaw("a count is written in more bytes than it needs")
        return number

    def _count(self, least_bytes: int = 1) -> int:
        """A count of items, refused if so many cannot fit into the bytes that are left."""
        n = self._varint()
        if n * least_bytes > self._end - self._at:
            raise Flaw(f"{n} entries are announced, but {self._left()} bytes are left")
        return n

    def _value(self, depth: int) -> Any:
        if depth > form.DEEPEST:
            raise Flaw(f"values are nested more than {form.DEEPEST} deep")
        self._fuel -= 1  # as by _spend and _byte, which most of the time would go to
        if self._fuel < 0:
            self._spend()
        at = self._at
        if at == self._end:
            raise Flaw("1 byte is announced, 0 are left")
        self._at = at + 1
        tag = self._data[at]
        if tag >= len(_READERS):
            raise Flaw(f"there is no kind of value {tag}")
        return _READERS[tag](self, depth)

    def _integer(self, depth: int = 0) -> int:
        n = self._count()
        value = int.from_bytes(self._take(n), "little", signed=True)
        if n != (value.bit_length() + 8) // 8:
            raise Flaw("a whole number is written in more bytes than it needs")
        return value

    def _real(self, depth: int) -> float:
        return float(form.DOUBLE.unpack(self._take(8))[0])

    def _text(self, depth: int) -> str:
        n = self._count()
        if n > form.LONGEST_TEXT:
            raise Flaw(f"a text takes {n} bytes; {form.LONGEST_TEXT} are allowed")
        return arrays.decoded_text(bytes(self._take(n)))

    def _bytes(self, depth: int) -> bytes:
        return bytes(self._take(self._count()))

    def _items(self, depth: int) -> list[Any]:
        self._spend()  # a container takes more than what is no container
        return self._kernels.items(self, self._data, self._count(), depth + 1)

    def _dict(self, depth: int) -> dict[Any, Any]:
        self._spend()
        return self._kernels.pairs(self, self._data, self._count(2), depth + 1)

    _no_key = staticmethod(refuse_key)

    def _block(self) -> NDArray[Any]:
        dtype = arrays.dtype_of(self._varint(), self._varint())
        n_dimensions = self._varint()
        if n_dimensions > arrays.MOST_DIMENSIONS:
            raise Flaw(f"an array has {n_dimensions} dimensions; {arrays.MOST_DIMENSIONS} at most")
        shape = tuple([self._varint() for _ in range(n_dimensions)])
        size = dtype.itemsize * prod(shape)  # of Python's whole numbers, which do not overflow
        if size == 0 and max(shape) > 2**20:
            raise Flaw(f"an empty array has the shape {shape}")
        return arrays.from_bytes(self._take(size), dtype, shape)

    def _array(self, depth: int) -> NDArray[Any]:
        if (found := self._block()).ndim == 0:
            raise Flaw("an array has no dimension")
        return found

    def _scalar(self, depth: int) -> Any:
        if (found := self._block()).ndim != 0:
            raise Flaw("a scalar has dimensions")
        return found[()]

    def _packed(self, depth: int) -> Any:
        tag, body = self._varint(), self._varint()
        if tag not in form.SEQUENCES or body not in (form.INTEGERS, form.REALS, form.TEXTS):
            raise Flaw(f"there is no packed sequence {tag} of {body}")
        block = self._block()
        right = block.dtype == np.float64 if body == form.REALS else block.dtype.kind in "iu"
        if block.ndim != 1 or len(block) == 0 or not right:
            raise Flaw("a packed sequence is not one of numbers")
        self._spend(len(block) // 3)
        return form.contained(tag, self._texts(block) if body == form.TEXTS else block.tolist())

    def _texts(self, lengths: NDArray[Any]) -> list[str]:
        listed = lengths.tolist()
        return arrays.divided_texts(bytes(self._take(arrays.length_of_texts(listed))), listed)

    def _date(self, depth: int) -> dt.date:
        try:
            return dt.date.fromordinal(self._varint())
        except (ValueError, OverflowError):
            raise Flaw("a date lies outside the years 1 to 9999") from None

    def _datetime(self, depth: int) -> dt.datetime:
        fold = self._varint()
        if fold > 1:
            raise Flaw("the fold of a datetime is 0 or 1")
        span = self._timedelta()
        try:
            return (form.EPOCH + span).replace(fold=fold)
        except OverflowError:
            raise Flaw("a datetime lies outside the years 1 to 9999") from None

    def _timedelta(self, depth: int = 0) -> dt.timedelta:
        if self._byte() != form.INTEGER:
            raise Flaw("a time is a whole number of microseconds")
        try:
            return dt.timedelta(microseconds=self._integer())
        except OverflowError:
            raise Flaw("a timedelta is longer than any can be") from None

    def _record(self, depth: int) -> Any:
        at = self._at - 1
        record = self._admitted()
        aside = next(self._aside, None) if record.sided else None
        self._outermost = aside if depth == 0 else self._outermost
        self._spend(_MODEL_COST if record.sided else _COST)
        fields = self._fields(depth, record)
        if record.sided:
            if not (len(fields) == 2 and type(fields[1]) is dict and fields[1]):
                self._place.admit_unfitted()
            fields.append(aside)
        if not self._build:
            return Part(record, self._spelled(record, at, 1, fields))
        made = self._made(record, at, lambda: record.make(fields))
        self._settle(record, [made])
        return made

    def _records(self, depth: int) -> Any:
        at = self._at - 1
        record = self._admitted()
        many = record.make_many
        if many is None:
            raise Flaw(f"a {record.name} is never written in columns")
        n = self._count()
        self._spend(n * record.cost)
        fields = self._fields(depth, record, n)
        if not self._build:
            return Part(record, self._spelled(record, at, n, fields), n, listed=True)
        made = self._made(record, at, lambda: many(n, fields))
        self._settle(record, made)
        return made

    def _admitted(self) -> Record:
        record = self._book.numbered(self._varint())
        self._place.admit(record)
        return record

    def _settle(self, record: Record, made: list[Any]) -> None:
        """Notes values that are decoded as soon as all is read, while there is room for them."""
        if record.settle is not None and (taken := record.settle(made, self._room)):
            self._room -= taken
            self._settled.append(partial(record.decode, made))

    def _fields(self, depth: int, record: Record, n_values: int = 1) -> list[Any]:
        n = self._count()
        if n > _MOST_FIELDS:
            raise Flaw(f"a record has {n} fields; {_MOST_FIELDS} are allowed")
        around, self._place = self._place, Place()
        found: list[Any] = []
        for k in range(n):
            if record.sided:
                found.append(self._names(depth + 1, record, k))
                continue
            tag = self._data[self._at] if self._left() else form.NONE
            if tag in form.HOLDING:
                self._place = Place.inside(record, k)
            if tag in (form.LIST, form.RECORDS):
                self._must_list(n_values if record.make_many else record.n_items(found))
            found.append(self._kernels.value(self, self._data, depth + 1))
        self._place = around
        return found

    def _must_list(self, expected: int | None) -> None:
        """Refuses a list of more items than there can be before any of them is read."""
        if expected is None:
            return
        at = self._at
        if self._byte() == form.RECORDS:
            self._varint()
        n = self._varint()
        if n > expected:
            raise Flaw(f"a list has {n} items where there must be {expected}")
        self._at = at

    def _names(self, depth: int, record: Record, k: int) -> Any:
        """Parameters or fitted names: a dict of few, or what is refused later."""
        self._place.fitted = k == 1
        if depth > form.DEEPEST or self._left() == 0 or self._data[self._at] != form.DICT:
            return self._value(depth)
        self._spend(2)
        self._at += 1
        n = self._count(2)
        if n > _MOST_NAMES:
            raise Flaw(f"an estimator has {n} names; {_MOST_NAMES} are allowed")
        names = self._known.setdefault((record.number, k), set())
        check = partial(self._meet, record, k, names) if self._build else None
        found = self._kernels.pairs(self, self._data, n, depth + 1, names, check)
        if k == 0 and depth == 1 and self._build:
            self._made(record, 0, lambda: record.begins(found, self._outermost))
        return found

    @staticmethod
    def _meet(record: Record, k: int, names: set[str], name: Any) -> None:
        """Refuses what is no name of an estimator, and keeps those that are."""
        record.knows(k, name)
        if type(name) is str:
            names.add(name)

    def _spelled(self, record: Record, at: int, n: int, fields: list[Any]) -> list[Any]:
        spell = record.spell
        return fields if spell is None else self._made(record, at, lambda: spell(n, fields))

    def _made(self, record: Record, at: int, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except Flaw as flaw:
            self._at = at
            raise Flaw(f"{record.name}: {flaw}") from None
        except MISLED as error:
            self._at = at
            raise Flaw(f"{record.name}: {misled(error)}") from None


_READERS: tuple[Callable[[Reader, int], Any], ...] = (
    lambda reader, depth: None,
    lambda reader, depth: False,
    lambda reader, depth: True,
    Reader._integer,
    Reader._real,
    Reader._text,
    Reader._bytes,
    Reader._items,
    lambda reader, depth: tuple(reader._items(depth)),
    lambda reader, depth: form.contained(form.SET, reader._items(depth)),
    Reader._dict,
    Reader._array,
    lambda reader, depth: form.contained(form.OBJECTS, reader._items(depth)),
    Reader._scalar,
    Reader._packed,
    Reader._date,
    Reader._datetime,
    Reader._timedelta,
    Reader._record,
    Reader._records,
)


def read_model(envelope: Envelope, book: Book, is_model: Callable[[Any], bool]) -> Any:
    """The model of an envelope, with what the section of settings holds of it."""
    model, settings = envelope.sections[MODEL], envelope.sections[SETTINGS]
    aside = Reader(settings.data, book, settings.start).only()
    if type(aside) is not list or not all(type(part) is list for part in aside):
        raise ModelFileError(f"byte {settings.start}: the settings are no list of lists")
    kept = iter(aside)
    reader = Reader(model.data, book, model.start, aside=kept)
    found = reader.only() if reader.record_number() in MODELS else None
    if not is_model(found):
        raise ModelFileError(f"byte {model.start}: the section of the model holds none")
    if next(kept, None) is not None:
        raise ModelFileError(f"byte {settings.start}: there are settings of nothing")
    return found
