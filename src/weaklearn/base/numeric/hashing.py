"""Counter-based random numbers: functions of seed and place, the same on every machine."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SEED, _COLUMNS = 0x5EE4, 7  # of the factors of columns

Keys = NDArray[np.uint64]


def mixed(x: Keys) -> Keys:
    """A 64-bit mixing hash (a bijection)."""
    mix = x ^ (x >> np.uint64(30))
    mix *= np.uint64(0xBF58476D1CE4E5B9)  # in place: fresh memory costs more than the sums
    mix ^= mix >> np.uint64(27)
    mix *= np.uint64(0x94D049BB133111EB)
    mix ^= mix >> np.uint64(31)
    return mix


def keys_of_numbers(y: NDArray[np.float64]) -> Keys:
    """The bits of each number, -0 as 0; of several numbers a row, a hash of its row.

    >>> keys_of_numbers(np.array([0.0, -0.0])).tolist()
    [0, 0]
    """
    bits = np.ascontiguousarray(y + 0.0).view(np.uint64)
    if bits.ndim == 1:
        return bits
    keys = np.zeros(len(bits), np.uint64)
    for column in bits.T:
        keys = mixed(keys + mixed(column + GOLDEN))
    return keys


def stream(n: int, seed: int, member: int, purpose: int, first: int = 0) -> Keys:
    """n random numbers, starting at ``first``, of the generator of (seed, member, purpose)."""
    places = np.arange(first + 1, first + n + 1, dtype=np.uint64)
    return mixed(np.uint64(_state(seed, member, purpose)) + GOLDEN * places)


def single(seed: int, member: int, purpose: int, place: int = 0) -> int:
    """The random number at one place of a stream, without an array.

    >>> single(3, 1, 4, 15) == int(stream(16, 3, 1, 4)[15])
    True
    """
    return mixed_integer(_state(seed, member, purpose) + int(GOLDEN) * (place + 1))


def _state(seed: int, member: int, purpose: int) -> int:
    """Where the generator of (seed, member, purpose) starts."""
    state = mixed_integer(seed + int(GOLDEN))
    state = mixed_integer(state + member + int(GOLDEN))
    return mixed_integer(state + purpose)


def mixed_integer(x: int) -> int:
    """``mixed`` of one number."""
    x %= 2**64
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % 2**64
    return x ^ (x >> 31)


def share(number: int) -> float:
    """A random number as a share in [0, 1)."""
    return (number >> 11) * 2.0**-53


def shares(numbers: Keys) -> NDArray[np.float64]:
    """Random numbers as shares in [0, 1)."""
    return np.asarray((numbers >> np.uint64(11)) * 2.0**-53, np.float64)


def places(numbers: Keys, n: int) -> NDArray[np.int64]:
    """Random numbers as indices 0 .. n-1; n is below 2^53."""
    return np.minimum((shares(numbers) * n).astype(np.int64), n - 1)


@lru_cache(maxsize=8)
def column_factors(n_features: int) -> Keys:
    """An odd number for each column, by which keys of rows are made."""
    factors = stream(n_features, _SEED, 0, _COLUMNS) | np.uint64(1)
    factors.flags.writeable = False
    return factors
