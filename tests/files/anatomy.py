"""Model files as trees of values, altered in one place or a few and put together again.

A file of bytes changed at random is nearly always refused at once. Here the values of a file are
changed instead: a number becomes an extreme one, an array gets another dtype or length, a field is
dropped, doubled or exchanged with another. The file that comes of it is well formed, with a right
checksum, so that the rules which hold its values against each other are what is tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from weaklearn.files import Book, Flaw, ModelFileError, Reader, unseal
from weaklearn.files.envelope import MODEL, ORIGIN, PROFILE, REQUIRED, SETTINGS, packed
from weaklearn.files.value import Part
from weaklearn.persistence.book import BOOK

from .forge import assembled, mutated, stored, written

INTEGERS = (
    *(0, 1, -1, 2, 3, 7, 64, 127, 128, 255, 256, 1000, 2**16, 2**20, 2**24, 2**31 - 1, 2**31),
    *(2**32 - 1, 2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64, 2**1000),
    *(-2, -(2**31), -(2**53), -(2**63)),
)
REALS = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-9, 1e9, 1e16, 1e100, 1e200, -1e200, 1e300, 1e308),
    *(-1e308, 5e-324, 1e-300, float("inf"), float("-inf"), float("nan")),
)
TEXTS = ("", "a", "x" * 70_000, "<b>&\"'</b>", "é\u202e\U0001f600", "auto", "error", "t", "nan")
OTHERS = (None, True, False, 0, 1.5, "a", b"a", [], (), {}, frozenset(), [[]], {"a": 1})
DTYPES = (
    "?",
    "i1",
    "i2",
    "i4",
    "i8",
    "u1",
    "u2",
    "u4",
    "u8",
    "f2",
    "f4",
    "f8",
    "U3",
    "M8[ns]",
    "m8",
)
_SECTIONS = (MODEL, MODEL, MODEL, MODEL, SETTINGS, ORIGIN, PROFILE)
_MOST_BYTES = 2**18  # of an altered file
_SHORT = 2**13  # bytes of a section


@cache
def unspelled() -> Book:
    """The table of records by which packed fields are left as bytes."""
    return Book(record._replace(spell=None, make=list) for record in BOOK.records)


@dataclass(frozen=True)
class Anatomy:
    """The values of the sections of a file, and of those that are as they were the bytes."""

    values: dict[int, Any]
    kept: Mapping[int, tuple[int, bytes]] = field(default_factory=dict)

    @classmethod
    def of(cls, data: bytes, spelled: bool) -> Anatomy:
        """The values of a file, with packed fields as bytes or in full."""
        book = BOOK if spelled else unspelled()
        found = {}
        for number, section in unseal(data).sections.items():
            found[number] = Reader(section.data, book, build=False).only()
        return cls(found, stored(data))

    def sealed(self) -> bytes:
        """A file of these values."""
        parts = []
        for number, value in self.values.items():
            parts.append((number, *(self.kept.get(number) or _packed(number, written(value)))))
        return assembled(parts)

    def replaced(self, values: Mapping[int, Any]) -> Anatomy:
        """The same with other values of some sections."""
        kept = {number: part for number, part in self.kept.items() if number not in values}
        return Anatomy(self.values | values, kept)


def _packed(number: int, data: bytes) -> tuple[int, bytes]:
    """The flags and the bytes of a section; a short one is not compressed, which takes long."""
    return packed(number, data) if len(data) > _SHORT else (REQUIRED, data)


def altered(rng: random.Random, own: Anatomy, other: Anatomy) -> bytes | None:
    """A file with one to three places altered, some with parts of another; None where none can be.

    Places are chosen so that each section, and at each depth each child, has its turn.
    """
    values: dict[int, Any] = {}
    for _ in range(rng.choice([1, 1, 1, 1, 2, 3])):
        number = rng.choice([n for n in _SECTIONS if n in own.values])
        value = values.get(number, own.values[number])
        donor = rng.choice([value, other.values.get(number)])
        values[number] = _changed(rng, value, donor)
    try:
        data = own.replaced(values).sealed()
    except (ModelFileError, Flaw, OverflowError, RecursionError, TypeError, ValueError):
        return None  # what no file can hold
    return data if len(data) <= _MOST_BYTES else None


def _changed(rng: random.Random, value: Any, donor: Any) -> Any:
    """The value with one place of it altered."""
    inner = _children(value)
    if inner and rng.random() < 0.93:
        key = rng.choice(inner)
        return _with(value, key, _changed(rng, _child(value, key), donor))
    if rng.random() < 0.08:
        return rng.choice(list(_within(donor)))
    if rng.random() < 0.05:
        return rng.choice(OTHERS)
    return _alteration(value)(rng, value)


def _children(value: Any) -> list[Any]:
    if type(value) is Part:
        return list(range(len(value.fields) - value.record.sided))
    if type(value) is dict:
        return list(value)
    return list(range(len(value))) if type(value) in (list, tuple) else []


def _child(value: Any, key: Any) -> Any:
    return value.fields[key] if type(value) is Part else value[key]


def _with(value: Any, key: Any, child: Any) -> Any:
    if type(value) is dict:
        return {**value, key: child}
    items = list(value.fields if type(value) is Part else value)
    items[key] = child
    if type(value) is Part:
        return replace(value, fields=items)
    return type(value)(items)


def _within(value: Any) -> Iterator[Any]:
    yield value
    for key in _children(value):
        yield from _within(_child(value, key))


def _alteration(value: Any) -> Callable[[random.Random, Any], Any]:
    if isinstance(value, np.ndarray):
        return _array
    if isinstance(value, np.generic):
        return _scalar
    return _ALTERATIONS.get(type(value), lambda rng, _: rng.choice(OTHERS))


def _integer(rng: random.Random, value: int) -> Any:
    near = (value + 1, value - 1, -value, 2 * value, value // 2)
    return rng.choice([rng.choice(INTEGERS), rng.choice(near), float(value % 2**60)])


def _real(rng: random.Random, value: float) -> Any:
    near = (-value, value * 2, value / 3, value + 1, np.nextafter(value, 1.0).item())
    return rng.choice([rng.choice(REALS), rng.choice(REALS), rng.choice(near), np.float32(0.5)])


def _text(rng: random.Random, value: str) -> Any:
    return rng.choice([rng.choice(TEXTS), value + "x", value[:-1], value.upper()])


def _items(rng: random.Random, value: Any) -> Any:
    """Items dropped, doubled, exchanged, repeated, or in a container of another kind."""
    items = list(value)
    k = rng.randrange(len(items) + 1)
    other = rng.randrange(len(items) + 1)
    swapped = list(items)
    if items:
        swapped[k - 1], swapped[other - 1] = swapped[other - 1], swapped[k - 1]
    found = rng.choice(
        [
            items[:k] + items[k + 1 :],
            items[:k] + items[k - 1 : k] + items[k:],
            swapped,
            items[::-1],
            items[:k],
            items * rng.choice([2, 3, 300]),
            [*items, rng.choice([*OTHERS, *REALS, *INTEGERS])],
        ]
    )
    kind = rng.choice([list, tuple]) if rng.random() < 0.05 else type(value)
    return kind(found)


def _set(rng: random.Random, value: frozenset[Any]) -> Any:
    return frozenset([*list(value)[1:], rng.choice([*INTEGERS, *TEXTS])])


def _dict(rng: random.Random, value: dict[Any, Any]) -> Any:
    """Keys dropped, renamed, exchanged or added."""
    names = list(value) or ["a"]
    a, b = rng.choice(names), rng.choice(names)
    found = dict(value)
    way = rng.randrange(4)
    if way == 0:
        found.pop(a, None)
    elif way == 1:
        found[a], found[b] = found.get(b), found.get(a)
    elif way == 2:
        found[rng.choice(["a", f"{a}_", "_seed", "classes_", 3])] = rng.choice(OTHERS)
    else:
        found[f"{a}x"] = found.pop(a, None)
    return found


def _part(rng: random.Random, value: Part) -> Any:
    """Fields dropped, doubled or exchanged, another number of values, or another record."""
    fields, side = list(value.fields), []
    if value.record.sided and fields:
        side = [fields.pop()]
    way = rng.randrange(6)
    if way == 0 and value.listed:
        return replace(value, n=rng.choice([0, 1, value.n + 1, value.n * 300, 2**14 + 1, 2**20]))
    if way == 1:
        return replace(value, record=rng.choice(BOOK.records), fields=fields)
    if way == 2:
        return replace(value, listed=not value.listed)
    if way == 3 and value.listed:
        return repeated(value, rng.choice([2, 10, 1000, 10_000]))
    return replace(value, fields=[*_items(rng, fields), *side])


def repeated(part: Part, times: int) -> Part:
    """A list of records so many times as long, or a record of columns that are."""
    fields: list[Any] = []
    for one in part.fields:
        if isinstance(one, np.ndarray):
            fields.append(np.tile(one, (times,) + (1,) * (one.ndim - 1)))
        elif type(one) is list:
            arrays = bool(one) and isinstance(one[0], np.ndarray)
            fields.append([np.tile(x, times) for x in one] if arrays else one * times)
        elif type(one) is Part and one.listed:
            fields.append(repeated(one, times))
        else:
            fields.append(one)
    return replace(part, fields=fields, n=part.n * times)


def _scalar(rng: random.Random, value: np.generic) -> Any:
    return _array(rng, np.asarray(value).reshape(1))[:1]


def _array(rng: random.Random, value: np.ndarray[Any, Any]) -> Any:
    if value.dtype == object:
        return np.array([*_items(rng, value.tolist()), None], object)[:-1]
    way = rng.random()
    if way < 0.45 and value.size:
        return _entry(rng, value)
    if way < 0.6:
        try:
            with np.errstate(all="ignore"):
                return value.astype(rng.choice(DTYPES))
        except (TypeError, ValueError, OverflowError):
            return value.astype("U8")
    return _reshaped(rng, value)


def _entry(rng: random.Random, value: np.ndarray[Any, Any]) -> Any:
    """One entry, a few, or all of them made another; whole numbers get room for it."""
    new: Any
    if value.dtype.kind == "f":
        new, kind = rng.choice(REALS), value.dtype
    elif value.dtype.kind in "iu":
        new = rng.choice([n for n in INTEGERS if -(2**63) <= n < 2**63])
        fits = np.iinfo(value.dtype).min <= new <= np.iinfo(value.dtype).max
        kind = value.dtype if fits else np.dtype(np.int64)
    elif value.dtype.kind == "b":
        new, kind = rng.random() < 0.5, value.dtype
    else:
        new, kind = value.ravel()[rng.randrange(value.size)], value.dtype
    found = value.astype(kind)
    flat = found.reshape(-1)
    for _ in range(rng.choice([1, 1, 1, 3])):
        flat[rng.randrange(value.size)] = new
    if rng.random() < 0.1:
        flat[:] = new
    return found


def _reshaped(rng: random.Random, value: np.ndarray[Any, Any]) -> Any:
    n = len(value)
    k = rng.randrange(n + 1)
    ways: list[Callable[[], Any]] = [
        lambda: value[:k],
        lambda: value[::-1],
        lambda: np.concatenate([value, value[:1]]),
        lambda: np.delete(value, min(k, n - 1), axis=0) if n else value,
        lambda: np.repeat(value, rng.choice([2, 50, 3000]), axis=0),
        lambda: value[None],
        lambda: value.reshape(-1),
        lambda: value[:0],
        lambda: np.empty((0, 2**20), value.dtype),
        lambda: value.T,
        lambda: np.sort(value, axis=0),
        lambda: np.tile(value, 2),
    ]
    return np.ascontiguousarray(rng.choice(ways)())


_ALTERATIONS: dict[type, Callable[[random.Random, Any], Any]] = {
    int: _integer,
    float: _real,
    str: _text,
    bool: lambda rng, value: rng.choice([not value, 1, None]),
    bytes: mutated,
    list: _items,
    tuple: _items,
    frozenset: _set,
    dict: _dict,
    Part: _part,
}
