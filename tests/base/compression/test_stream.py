"""Numbers in few bits come back as they were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tests.samples import same_bits
from weaklearn.base.compression import stream
from weaklearn.base.compression.stream import Reader, Writer

WHOLES = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.integers(-3, 3), st.sampled_from([0, 255, 256, 65536])
)


@given(x=arrays.arrays(np.int64, st.integers(0, 80), elements=WHOLES))
def test_whole_numbers(x: Any) -> None:
    writer = Writer()
    writer.integers(x)
    writer.number(len(x))
    reader = Reader(bytes(writer))
    assert same_bits(reader.integers(), x)
    assert reader.number() == len(x)  # nothing was left unread


@given(
    x=arrays.arrays(np.float64, st.integers(0, 80)),  # NaN of any kind, both zeros, infinities
    repeat=st.integers(1, 3),
)
def test_doubles(x: Any, repeat: int) -> None:
    x = np.tile(x, repeat)
    guess = np.where(np.arange(len(x)) % 3, x, 1.5)
    writer = Writer()
    writer.doubles(x)
    writer.guessed(x, guess)
    writer.guessed(x, x)
    reader = Reader(bytes(writer))
    assert same_bits(reader.doubles(), x)
    assert same_bits(reader.guessed(guess), x)
    assert same_bits(reader.guessed(x), x)


def written(write: Any) -> int:
    writer = Writer()
    write(writer)
    return len(bytes(writer))


def test_bits_are_saved() -> None:
    rng = np.random.default_rng(0)
    n = 4000
    few = rng.integers(5, size=n) + 1000  # 3 bits each
    assert written(lambda w: w.integers(few)) < n * 3 / 8 + 20
    scattered = rng.choice([3, 10**6, 10**12], size=n)  # 2 bits each, and the three
    assert written(lambda w: w.integers(scattered)) < n * 2 / 8 + 50
    singles = rng.normal(size=n).astype(np.float32).astype(np.float64)
    assert written(lambda w: w.doubles(singles)) < 4.6 * n
    close = singles * (1 + rng.integers(-2, 3, size=n) * 2.0**-52)
    close[:7] = -3.0  # but for a few
    assert written(lambda w: w.guessed(singles, close)) < n * 5 / 8 + 150
    assert written(lambda w: w.integers(np.full(n, 7))) < 10


@pytest.mark.parametrize("width", [1, 2, 7, 8, 9, 16, 17, 31, 32, 33, 63])
def test_every_width(width: int) -> None:
    rng = np.random.default_rng(width)
    x = rng.integers(0, 2**width, size=101, dtype=np.int64, endpoint=False)
    x[:2] = 0, 2**width - 1
    writer = Writer()
    writer.integers(x)
    assert same_bits(Reader(bytes(writer)).integers(), x)
    assert len(bytes(writer)) <= (101 * width + 7) // 8 + 6


@given(
    width=st.integers(1, 64),
    n=st.integers(0, 600),
    ends=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_ranges_of_words_few_or_many(width: int, n: int, ends: tuple[float, float]) -> None:
    x = np.random.default_rng(n).integers(0, 2**64, n, np.uint64) >> np.uint64(64 - width)
    data = memoryview(stream._pack(x, width))
    start, stop = sorted(int(end * n) for end in ends)
    assert same_bits(stream._unpack(data, width, start, stop), x[start:stop])
    assert same_bits(stream._unpack_few(data, width, start, stop), x[start:stop])
