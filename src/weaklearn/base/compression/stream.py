"""Lossless compression of arrays of numbers.

A stream is a row of such arrays, one after another; who reads it asks in the order of writing. A
reader trusts no byte: it is told how many entries the bytes may ask for, as a row of equal numbers
takes no room, and answers bytes that nobody can have written with a StreamError.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

_SIGN = np.uint64(1 << 63)
_PLAIN, _LISTED = 0, 1  # numbers themselves, or places in a list of the different ones
_AS_THEY_ARE, _BESIDE_GUESSES = 0, 1
_NARROW = 16  # bits: words below are counted, not sorted
_SOME = 4096  # words that stand for all
_BITS_OF_EXCEPTION = 96  # roughly what a number far from its guess costs
_SHORT = 256  # words that are unpacked bit by bit
_DEEPEST = 4  # lists of the differences in a list
_FREE_TABLES = 2**21  # entries of tables that any stream may ask for


class StreamError(ValueError):
    """The bytes are no valid stream, or decode to more entries than allowed."""


def must(condition: Any, message: str) -> None:
    """Raises StreamError with the message unless the condition holds."""
    if not condition:
        raise StreamError(message)


class Writer:
    """Compresses arrays to bytes.

    >>> writer = Writer()
    >>> writer.integers(np.arange(100) % 5)
    >>> writer.doubles(np.array([0.5, -2.0, 0.5]))
    >>> reader = Reader(bytes(writer))
    >>> reader.integers()[:7].tolist(), reader.doubles().tolist()
    ([0, 1, 2, 3, 4, 0, 1], [0.5, -2.0, 0.5])
    >>> len(bytes(writer))  # 100 numbers of 3 bits, and 3 numbers
    50
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.entries = 0  # that a reader will need room for

    def __bytes__(self) -> bytes:
        return b"".join(self._parts)

    def append(self, other: Writer) -> None:
        """Appends the parts of another writer."""
        self._parts += other._parts
        self.entries += other.entries

    def number(self, n: int) -> None:
        """Writes one integer from 0 on, seven bits per byte."""
        while n > 127:
            self._parts.append(bytes([n & 127 | 128]))
            n >>= 7
        self._parts.append(bytes([n]))

    def integers(self, x: NDArray[Any]) -> None:
        """Writes integers of either sign."""
        low = int(x.min()) if len(x) else 0
        self.number(2 * low if low >= 0 else -2 * low - 1)
        self._words((np.ascontiguousarray(x, np.int64) - low).view(np.uint64))

    def doubles(self, x: NDArray[np.float64]) -> None:
        """Writes doubles, without the zero bits that all of them end in."""
        bits = _bits(x)
        zeros = _trailing_zeros(int(np.bitwise_or.reduce(bits & ~_SIGN, initial=np.uint64(0))))
        self.number(zeros)
        self._words(((bits & ~_SIGN) >> np.uint64(zeros)) << np.uint64(1) | bits >> np.uint64(63))

    def guessed(self, x: NDArray[np.float64], guess: NDArray[np.float64]) -> None:
        """Writes doubles as differences from guesses that the reader can compute too."""
        steps = (_bits(x) - _bits(guess)).view(np.int64)
        apart: Words = ((steps << 1) ^ (steps >> 63)).view(np.uint64)  # 0, -1, 1, -2, ...
        lengths = np.sort(np.frexp(apart.astype(np.float64))[1])
        most = np.unique(lengths)
        beyond = len(apart) - np.searchsorted(lengths, most, side="right")
        cost = len(apart) * most + _BITS_OF_EXCEPTION * beyond
        width = int(most[np.argmin(cost)]) if len(most) else 0
        far = np.flatnonzero(apart >> np.uint64(width)) if width < 64 else np.empty(0, np.intp)
        beside, plain = Writer(), Writer()
        beside.integers(far)
        beside._words(apart[far])
        apart[far] = 0
        beside._words(apart)
        guesses_help = len(bytes(beside)) <= len(x)  # a byte each, or fewer
        if not guesses_help:
            plain.doubles(x)
            guesses_help = len(bytes(beside)) < len(bytes(plain))
        self.number(_BESIDE_GUESSES if guesses_help else _AS_THEY_ARE)
        self.append(beside if guesses_help else plain)

    def _words(self, x: Words, depth: int = 0) -> None:
        self.number(len(x))
        self.entries += len(x)
        if len(x) == 0:
            return
        low = x.min()
        above = x - low
        width = int(above.max()).bit_length()
        listed = _listed(above, width) if depth < _DEEPEST else None
        self.number(_PLAIN if listed is None else _LISTED)
        self.number(int(low))
        if listed is None:
            self.number(width)
            self._parts.append(_pack(above, width))
        else:
            different, places = listed
            self._words(np.diff(different), depth + 1)
            self._words(places, depth + 1)


class Run:
    """Words of a stream; those of a range are decoded when they are asked for."""

    def __init__(self, n: int, low: int, width: int, data: memoryview) -> None:
        self._n, self._low = n, np.uint64(low)
        self._width, self._data = width, data
        self._listed: tuple[Words, Run] | None = None  # the different ones, and their places

    @classmethod
    def listed(cls, low: int, different: Words, places: Run) -> Run:
        """Words that are places in a list of the different ones."""
        found = cls(len(places), low, 0, memoryview(b""))
        found._listed = different, places
        return found

    def __len__(self) -> int:
        return self._n

    def words(self, start: int = 0, stop: int | None = None) -> Words:
        """The words from ``start`` to ``stop``, as a new array."""
        stop = self._n if stop is None else stop
        must(start <= stop <= self._n, f"{stop} numbers are asked for, there are {self._n}")
        if self._listed is None:
            above = _unpack(self._data, self._width, start, stop)
        else:
            different, places = self._listed
            place = places.words(start, stop).view(np.int64)
            must_index(place, len(different))
            above = different[place]
        above += self._low
        return above


class Integers:
    """Integers of a stream, decoded by ranges."""

    def __init__(self, low: int, run: Run) -> None:
        self._low, self._run = low // 2 if low % 2 == 0 else -(low // 2) - 1, run

    def __len__(self) -> int:
        return len(self._run)

    def read(self, start: int = 0, stop: int | None = None) -> NDArray[np.int64]:
        found = self._run.words(start, stop).view(np.int64)
        found += self._low
        return found


class Doubles:
    """Doubles of a stream, decoded by ranges."""

    def __init__(self, zeros: int, run: Run) -> None:
        self._zeros, self._run = np.uint64(zeros), run

    def __len__(self) -> int:
        return len(self._run)

    def read(self, start: int = 0, stop: int | None = None) -> NDArray[np.float64]:
        words = self._run.words(start, stop)
        sign = words << np.uint64(63)
        words >>= np.uint64(1)
        words <<= self._zeros
        words |= sign
        return words.view(np.float64)


class Guessed:
    """Doubles of a stream beside guesses: as they are, or as steps from these."""

    def __init__(
        self, plain: Doubles | None, steps: Run, far: NDArray[np.int64], away: Words
    ) -> None:
        self._plain, self._steps, self._far, self._away = plain, steps, far, away

    def __len__(self) -> int:
        return len(self._steps if self._plain is None else self._plain)

    def read(self, guess: NDArray[np.float64], start: int = 0) -> NDArray[np.float64]:
        """The doubles from ``start`` on of which these are the guesses."""
        stop = start + len(guess)
        if self._plain is not None:
            return self._plain.read(start, stop)
        apart = self._steps.words(start, stop)
        a, b = np.searchsorted(self._far, [start, stop])
        apart[self._far[a:b] - start] = self._away[a:b]
        back = apart & np.uint64(1)
        np.subtract(np.uint64(0), back, out=back)
        apart >>= np.uint64(1)
        apart ^= back
        apart += _bits(guess)
        return apart.view(np.float64)


class Reader:
    """Decompresses arrays, in the order in which they were written.

    ``entries``: how many the bytes may ask for, of all arrays together; None: any number.
    """

    def __init__(self, data: bytes, entries: int | None = None) -> None:
        self._data = memoryview(data)
        self._at = 0
        self._entries = entries
        self._tables = None if entries is None else _FREE_TABLES + len(data) // 8

    def room(self, entries: int) -> None:
        """Counts n entries against the limit; raises StreamError beyond it."""
        if self._entries is not None:
            self._entries -= entries
            must(self._entries >= 0, "few bytes ask for very many numbers")

    def table(self, entries: int) -> None:
        """Counts n entries that stay in memory while others are decoded by ranges."""
        if self._tables is not None:
            self._tables -= entries
            must(self._tables >= 0, "few bytes ask for very large tables of numbers")

    def end(self) -> None:
        """Raises StreamError if bytes are left."""
        must(self._at == len(self._data), f"{len(self._data) - self._at} bytes are left over")

    def number(self) -> int:
        n = shift = 0
        while True:
            must(self._at < len(self._data), "the bytes end too early")
            byte = self._data[self._at]
            self._at += 1
            n |= (byte & 127) << shift
            shift += 7
            must(n < 2**64 and shift <= 70, "a number takes more than 64 bits")
            if byte < 128:
                return n

    def integers(self) -> NDArray[np.int64]:
        return self.later_integers().read()

    def doubles(self) -> NDArray[np.float64]:
        return self.later_doubles().read()

    def guessed(self, guess: NDArray[np.float64]) -> NDArray[np.float64]:
        found = self.later_guessed()
        must(len(found) == len(guess), "there are not as many numbers as guesses")
        return found.read(guess)

    def later_integers(self) -> Integers:
        """Integers that are decoded when they are asked for."""
        return Integers(self.number(), self._run())

    def later_doubles(self) -> Doubles:
        """Doubles that are decoded when they are asked for."""
        zeros = self.number()
        must(zeros < 64, "doubles end in more zeros than they have bits")
        return Doubles(zeros, self._run())

    def later_guessed(self) -> Guessed:
        """Doubles beside guesses that are given when they are asked for."""
        nothing = Run(0, 0, 0, memoryview(b""))
        if self.number() == _AS_THEY_ARE:
            plain = self.later_doubles()
            return Guessed(plain, nothing, np.empty(0, np.int64), np.empty(0, np.uint64))
        places, away, steps = self.later_integers(), self._run(), self._run()
        must(len(places) == len(away), "steps are lacking")
        self.table(2 * len(places))
        far = places.read()
        must_index(far, len(steps))
        must((far[1:] > far[:-1]).all(), "places do not rise")
        return Guessed(None, steps, far, away.words())

    def _run(self, depth: int = 0) -> Run:
        n = self.number()
        self.room(n)
        if n == 0:
            return Run(0, 0, 0, memoryview(b""))
        form, low = self.number(), self.number()
        if form == _PLAIN:
            width = self.number()
            must(width <= 64, "a number takes more than 64 bits")
            size = (n * width + 7) // 8
            must(size <= len(self._data) - self._at, "the bytes end too early")
            self._at += size
            return Run(n, low, width, self._data[self._at - size : self._at])
        must(form == _LISTED and depth < _DEEPEST, "numbers have no such form")
        steps, places = self._run(depth + 1), self._run(depth + 1)
        must(len(places) == n, "places are lacking")
        self.table(2 * len(steps))
        different = np.cumsum(np.concatenate([np.zeros(1, np.uint64), steps.words()]))
        return Run.listed(low, different, places)


def must_index(places: NDArray[Any], n: int) -> None:
    """Raises StreamError unless every place is one of 0 .. n-1."""
    inside = len(places) == 0 or (int(places.min()) >= 0 and int(places.max()) < n)
    must(inside, f"a place is none of {n}")


def _bits(x: NDArray[np.float64]) -> Words:
    return np.ascontiguousarray(x, np.float64).view(np.uint64)


def _trailing_zeros(word: int) -> int:
    return (word & -word).bit_length() - 1 if word else 62


def _listed(x: Words, width: int) -> tuple[Words, Words] | None:
    """The distinct words and the index of each word among them; None unless that is smaller."""
    if width < 2 or len(x) < 16:
        return None
    if width <= _NARROW:
        seen = np.bincount(x.view(np.int64)) > 0
        different, places = np.flatnonzero(seen), (np.cumsum(seen) - 1)[x.view(np.int64)]
    else:
        some = x[:: 1 + len(x) // _SOME]
        if 2 * len(np.unique(some)) > len(some) > _SOME // 2:
            return None  # most are different
        different, places = np.unique(x, return_inverse=True)
    room = len(different) * width + len(x) * (len(different) - 1).bit_length()
    if room >= len(x) * width:
        return None
    return different.astype(np.uint64), places.astype(np.uint64)


def _size_of(width: int) -> int:
    """The bytes of the smallest integer type with so many bits."""
    return 1 if width <= 8 else 2 if width <= 16 else 4 if width <= 32 else 8


def _pack(x: Words, width: int) -> bytes:
    size = _size_of(width)
    narrow = x.astype(f"<u{size}")
    if width == 8 * size:
        return narrow.tobytes()
    bits = np.unpackbits(narrow.view(np.uint8).reshape(-1, size), axis=1, bitorder="little")
    return np.packbits(bits[:, :width], bitorder="little").tobytes()


def _unpack(data: memoryview, width: int, start: int, stop: int) -> Words:
    """Words of so many bits each, from one place to another; eight take ``width`` bytes."""
    if width == 0 or start == stop:
        return np.zeros(stop - start, np.uint64)
    if stop - start <= _SHORT:
        return _unpack_few(data, width, start, stop)
    first, groups = start // 8, -(-stop // 8) - start // 8
    some = np.frombuffer(data[first * width : (first + groups) * width], np.uint8)
    padded = np.zeros(groups * width + 8, np.uint8)
    padded[: len(some)] = some
    words = np.empty(8 * groups, np.uint64)
    for k in range(8):
        place, shift = divmod(k * width, 8)
        own = words[k::8]
        apart = np.ndarray((groups,), "<u8", padded, place, (width,))
        np.right_shift(apart, np.uint64(shift), out=own)
        if shift + width > 64:  # it ends in a ninth byte
            last = np.ndarray((groups,), np.uint8, padded, place + 8, (width,)).astype(np.uint64)
            last <<= np.uint64(64 - shift)
            own |= last
    words &= np.uint64((1 << width) - 1)
    return words[start - 8 * first : stop - 8 * first]


def _unpack_few(data: memoryview, width: int, start: int, stop: int) -> Words:
    """The same for few words, by their bits: fewer calls, and more memory a word."""
    n, begun = stop - start, start * width
    own = np.frombuffer(data[begun // 8 : (stop * width + 7) // 8], np.uint8)
    bits = np.unpackbits(own, bitorder="little")[begun % 8 :][: n * width].reshape(n, width)
    padded = np.zeros((n, 64), np.uint8)
    padded[:, :width] = bits
    words: Words = np.packbits(padded, axis=1, bitorder="little").view("<u8").ravel()
    return words.astype(np.uint64, copy=False)
