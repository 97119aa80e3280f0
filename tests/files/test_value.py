"""Values to bytes and back: exact, canonical, and refused where they are not."""

from __future__ import annotations

import datetime as dt
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.files.forge import reread, written
from weaklearn.files import ModelFileError
from weaklearn.files.error import Flaw
from weaklearn.files.reader import Reader
from weaklearn.files.value import DEEPEST, DICT, LIST, PACKED, RECORD, RECORDS, TEXT, TUPLE
from weaklearn.persistence.book import BOOK

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
labels = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(2**200), max_value=2**200),
    st.floats(allow_nan=False),
    texts,
    st.binary(max_size=8),
    st.dates(),
    st.datetimes(),
    st.timedeltas(),
)
values = st.recursive(
    labels | st.just(float("nan")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.frozensets(labels, max_size=4),
        st.dictionaries(labels, inner, max_size=4),
    ),
    max_leaves=12,
)


def same(a: Any, b: Any) -> bool:
    """The same value, type by type and bit by bit."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return struct.pack("<d", a) == struct.pack("<d", b)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same(list(a), list(b)) and same(list(a.values()), list(b.values()))
    if isinstance(a, np.ndarray) and a.dtype == object:
        return b.dtype == object and same(a.tolist(), b.tolist())
    if isinstance(a, (np.ndarray, np.generic)):
        return (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())
    return bool(a == b)


@settings(max_examples=150, deadline=None)
@given(values)
def test_values_come_back(value: Any) -> None:
    data = written(value)
    assert same(reread(data), value)
    assert written(reread(data)) == data  # equal values, equal bytes


ARRAYS = [
    *(np.arange(6).astype(kind).reshape(2, 3) for kind in ("?", "i1", "i2", "i4", "i8")),
    *(np.arange(6).astype(kind).reshape(2, 3) for kind in ("u1", "u2", "u4", "u8")),
    *(np.array([0.0, -0.0, np.nan, np.inf, 1.5], kind) for kind in ("f2", "f4", "f8")),
    np.array(["", "a", "äöü", "日本", "x" * 30]),
    np.array(["2024-01-01", "NaT"], "M8[D]"),
    np.array([1, -5], "m8[ns]"),
    np.empty((0, 4), np.uint64),
    np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    np.arange(10)[::2],
    np.array([1, 2], ">i4"),
    np.array(["a", 3, None, (1, "b")], object),
    np.array(["a", "b"], object),
    np.array([2**70, 1], object),
    np.array([], object),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda a: f"{a.dtype}{a.shape}")
def test_arrays_come_back(array: Any) -> None:
    again = reread(written(array))
    native = array.astype(array.dtype.newbyteorder("=")) if array.dtype != object else array
    assert same(again, native)
    assert again.flags.writeable
    assert again.flags.owndata or again.base is None or again.base.flags.owndata


@pytest.mark.parametrize(
    "scalar",
    [
        np.float64(-0.0),
        np.float32(2.5),
        np.int8(-3),
        np.uint64(2**63),
        np.bool_(True),
        np.str_("ä"),
    ],
)
def test_scalars_come_back(scalar: Any) -> None:
    assert same(reread(written(scalar)), scalar)


def test_sets_have_one_order() -> None:
    words = [f"w{k}" for k in range(200)]
    assert written(frozenset(words)) == written(frozenset(reversed(words)))
    assert written(frozenset([3, "a", 2.5])) == written(frozenset(["a", 2.5, 3]))


def test_a_million_names_are_read_at_once() -> None:
    names = tuple(f"column {k}" for k in range(200_000))
    assert reread(written(names)) == names


STRANGERS = [
    (len, "len is a Python function"),
    (lambda x: x, "is a Python function"),
    ({1, 2}, "a value of type set"),
    (1j, "a value of type complex"),
    (np.array([1j]), "complex128"),
    (np.zeros((1, 1, 1, 1, 1)), "5 dimensions"),
    (np.array([[None]], object), "one dimension"),
    (np.ma.masked_array([1.0], [True]), "masked"),
    (np.array([(1, 2)], dtype=[("a", int), ("b", int)]), "has no place"),
    ("nul\0", "NUL"),
    (["a", "nul\0"], "NUL"),
    (np.array(["a\0b"]), "NUL"),
    ("\ud800", "surrogate"),
    ("x" * (2**24 + 1), "16777217 bytes"),
    (dt.datetime(2024, 1, 1, tzinfo=dt.UTC), "time zone"),
]


@pytest.mark.parametrize(("value", "words"), STRANGERS, ids=[w for _, w in STRANGERS])
def test_what_no_file_holds_is_refused_by_name(value: Any, words: str) -> None:
    with pytest.raises(ModelFileError, match=words):
        written(value)


def test_the_place_of_a_stranger_is_named() -> None:
    with pytest.raises(ModelFileError, match=r"outer\[2\]\.inner: len is a Python function"):
        written({"outer": [None, 1, {"inner": len}]})


def nested(n: int) -> Any:
    value: Any = None
    for _ in range(n):
        value = [value]
    return value


def test_nesting_ends() -> None:
    assert reread(written(nested(DEEPEST))) == nested(DEEPEST)
    with pytest.raises(ModelFileError, match="nested more than 64"):
        written(nested(DEEPEST + 1))
    for depth in (DEEPEST + 1, 100_000):
        with pytest.raises(ModelFileError, match="nested more than 64"):
            reread(bytes([LIST, 1]) * depth + b"\0")


HUGE = b"\xff\xff\xff\xff\xff\xff\xff\x7f"
BAD = {
    "nothing": (b"", "1 byte is announced, 0 are left"),
    "no such tag": (b"\x20", "no kind of value 32"),
    "more after": (b"\0\0", "1 bytes follow"),
    "list of many": (bytes([LIST]) + HUGE, "entries are announced"),
    "tuple of many": (bytes([TUPLE]) + HUGE, "entries are announced"),
    "dict of many": (bytes([DICT]) + HUGE, "entries are announced"),
    "text of many": (bytes([TEXT]) + HUGE, "entries are announced"),
    "count of 70 bits": (bytes([TEXT]) + b"\xff" * 9 + b"\1", "more than 63 bits"),
    "count not shortest": (bytes([TEXT, 0x80, 0]), "more bytes than it needs"),
    "whole not shortest": (b"\3\2\1\0", "more bytes than it needs"),
    "not UTF-8": (bytes([TEXT, 2, 0xC3, 0x28]), "not UTF-8"),
    "NUL": (bytes([TEXT, 1, 0]), "NUL"),
    "key twice": (bytes([DICT, 2, 1, 0, 1, 0]), "stands twice"),
    "key of no kind": (bytes([DICT, 1, LIST, 0, 0]), "cannot be a key"),
    "array beyond": (b"\x0b\x0b\0\1" + HUGE, "bytes are announced"),
    "array that wraps": (b"\x0b\x0b\0\4" + HUGE * 4, "bytes are announced"),
    "empty array of a shape": (b"\x0b\x0b\0\2\0" + HUGE, "empty array has the shape"),
    "array of no type": (b"\x0b\x63\0\1\0", "no type of array 99"),
    "array of five dimensions": (b"\x0b\x0b\0\5", "5 dimensions"),
    "flags of 2": (b"\x0b\0\0\1\1\2", "other than 0 and 1"),
    "text array of no character": (b"\x0b\x0e\1\1\1\xff\xff\xff\xff", "no character"),
    "packed of nothing": (bytes([PACKED, 0, 0]), "no packed sequence"),
    "packed texts of -1 bytes": (
        bytes([PACKED, LIST, 2]) + b"\1\0\1\1\xff" + b"a" * 255,
        "a number of bytes outside",
    ),
    "packed texts beyond": (bytes([PACKED, LIST, 2]) + b"\5\0\1\1\x63", "bytes are announced"),
    "packed texts cut in a character": (
        bytes([PACKED, LIST, 2]) + b"\5\0\1\2\1\1" + "ä".encode(),
        "not UTF-8",
    ),
    "set with twins": (bytes([9, 2, 1, 1]), "a value twice"),
    "date beyond": (b"\x0f" + HUGE, "outside the years"),
    "record of no number": (bytes([RECORD, 99, 0]), "no record number 99"),
    "records never in columns": (bytes([RECORDS, 5, 1, 0]), "never written in columns"),
    "records of many": (bytes([RECORDS, 1]) + HUGE, "entries are announced"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_bytes_are_refused(name: str) -> None:
    data, words = BAD[name]
    with pytest.raises(ModelFileError, match=rf"byte \d+: .*{words}"):
        reread(data)


def test_objects_are_bounded_by_bytes() -> None:
    with pytest.raises(ModelFileError, match="more objects than one of its size"):
        reread(bytes([LIST]) + b"\x80\xb5\x18" + b"\0" * 400_000)


@pytest.mark.parametrize("key", [bytes([LIST, 0]), bytes([TUPLE, 1, LIST, 0])])
def test_names_that_cannot_be_keys_are_refused_where_they_are_checked_too(key: bytes) -> None:
    reader = Reader(memoryview(bytes([1]) + key + b"\0"), BOOK)
    n = reader._count()
    with pytest.raises(Flaw, match="cannot be a key"):
        reader._kernels.pairs(reader, reader._data, n, 1, set(), lambda name: None)
