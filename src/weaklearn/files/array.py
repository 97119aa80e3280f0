"""Arrays and numpy's scalars as bytes: a closed list of types, always little-endian."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .error import Flaw
from .value import LONGEST_TEXT

# The number of a type is its place here; places are never given to another type.
PLAIN = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")
DATETIME, TIMEDELTA, TEXT = 12, 13, 14
UNITS = ("generic", "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as")
MOST_DIMENSIONS = 4
_LAST_CHARACTER = 0x10FFFF

_CODES = {np.dtype(name): code for code, name in enumerate(PLAIN)}
_CODE_OF_TIME = {"M": DATETIME, "m": TIMEDELTA}


def code_of(dtype: np.dtype[Any]) -> tuple[int, int]:
    """(code, detail) of a dtype; detail: unit of a time, width of a text in characters, else 0."""
    native = dtype.newbyteorder("=")
    if native in _CODES:
        return _CODES[native], 0
    if dtype.kind == "U" and dtype.itemsize > 0:
        return TEXT, dtype.itemsize // 4
    if dtype.kind in "mM":
        unit, step = np.datetime_data(dtype)
        if step == 1 and unit in UNITS:
            return _CODE_OF_TIME[dtype.kind], UNITS.index(unit)
    raise Flaw(f"an array of type {dtype} has no place in a model file")


@lru_cache(256)
def dtype_of(code: int, detail: int) -> np.dtype[Any]:
    """The little-endian dtype of a code and its detail."""
    if code < len(PLAIN) and detail == 0:
        return np.dtype("<" + PLAIN[code] if code else "?")
    if code == TEXT and 0 < detail < 2**24:
        return np.dtype(f"<U{detail}")
    if code in (DATETIME, TIMEDELTA) and detail < len(UNITS):
        letter = "M" if code == DATETIME else "m"
        return np.dtype(f"<{letter}8" + (f"[{UNITS[detail]}]" if detail else ""))
    raise Flaw(f"there is no type of array {code} ({detail})")


def to_bytes(array: NDArray[Any]) -> bytes:
    """The entries of an array in C order, little-endian."""
    if array.dtype.kind == "U":
        check_texts(array)
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()


def from_bytes(data: memoryview, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """A new array from bytes, in the byte order of this machine."""
    array = np.frombuffer(data, dtype) if len(data) else np.empty(shape, dtype)
    if dtype.kind in "iuf":
        return array.astype(_native(dtype)).reshape(shape)
    if dtype.kind == "b" and len(data) and np.frombuffer(data, np.uint8).max() > 1:
        raise Flaw("an array of flags holds a byte other than 0 and 1")
    if dtype.kind == "U":
        if len(data) and np.frombuffer(data, "<u4").max() > _LAST_CHARACTER:
            raise Flaw("an array of texts holds what is no character")
        check_texts(array)
    found = array.astype(_native(dtype), copy=True)
    return found if found.shape == shape else found.reshape(shape)


@lru_cache(256)
def _native(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return dtype.newbyteorder("=")


def check_texts(array: NDArray[Any]) -> None:
    """Refuses an array with a text that no file can hold."""
    for item in array.ravel().tolist():
        check_text(item)


def check_text(item: str) -> bytes:
    """The text as UTF-8; refused if it holds NUL or half a surrogate pair."""
    if "\0" in item:
        raise Flaw("a text holds the character NUL, which no model file may hold")
    try:
        return item.encode()
    except UnicodeEncodeError:
        raise Flaw("a text holds half a surrogate pair, which has no form in UTF-8") from None


def decoded_text(body: bytes) -> str:
    """The text of UTF-8; refused if it holds NUL."""
    if b"\0" in body:
        raise Flaw("a text holds the character NUL")
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise Flaw("a text is not UTF-8") from None


def narrow(values: NDArray[Any]) -> NDArray[Any]:
    """Integers in the smallest dtype that holds them all; equal numbers get equal dtypes."""
    low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
    for name in ("u1", "i1", "u2", "i2", "u4", "i4", "i8"):
        limits = np.iinfo(name)
        if limits.min <= low and high <= limits.max:
            return values.astype(name)
    return values.astype(np.uint64)


def length_of_texts(lengths: list[int]) -> int:
    """The bytes that texts of these lengths take together."""
    if min(lengths) < 0 or max(lengths) > LONGEST_TEXT:
        raise Flaw(f"a text takes a number of bytes outside 0 to {LONGEST_TEXT}")
    return sum(lengths)


def divided_texts(body: bytes, lengths: list[int]) -> list[str]:
    """Texts that lie one behind another, by how many bytes each takes."""
    text, stops = decoded_text(body), list(accumulate(lengths))
    starts = [0, *stops[:-1]]
    if len(text) == len(body):  # one byte a character
        return [text[a:b] for a, b in zip(starts, stops, strict=True)]
    return [decoded_text(body[a:b]) for a, b in zip(starts, stops, strict=True)]
