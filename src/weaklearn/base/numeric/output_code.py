"""Output codes: a word of bits -1 and +1 for every class."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from .hashing import stream

Code = NDArray[np.int8]

_TRIES = 64  # random codes, of which the one whose words differ most is taken
_BITS_PER_DIGIT = 10  # of a random code, for each binary digit of the number of classes
_PURPOSE = 0x434F4445  # "CODE": random numbers for codes


def one_vs_all(K: int) -> Code:
    """The code with one bit per class.

    >>> one_vs_all(3).tolist()
    [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    """
    return np.where(np.eye(K, dtype=bool), 1, -1).astype(np.int8)


def all_pairs(K: int) -> Code:
    """The code with one bit per pair of classes; 0 for the other classes.

    >>> all_pairs(3).tolist()
    [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]
    """
    if K == 1:
        return np.ones((1, 1), np.int8)
    pairs = list(combinations(range(K), 2))
    code = np.zeros((K, len(pairs)), np.int8)
    for j, (a, b) in enumerate(pairs):
        code[a, j], code[b, j] = 1, -1
    return code


def exhaustive(K: int) -> Code:
    """All splits of the classes in two: 2^(K-1) - 1 bits, +1 for the first class in each.

    >>> exhaustive(3).tolist()
    [[1, 1, 1], [1, -1, -1], [-1, 1, -1]]
    """
    if K == 1:
        return np.ones((1, 1), np.int8)
    ways = [(1, *rest) for rest in product((1, -1), repeat=K - 1)]
    return np.array(ways[1:], np.int8).T.copy()


def random_code(K: int, seed: int) -> Code:
    """A random code of about 10 lg K bits, in each of which both signs occur.

    Of several codes the one with the largest least distance between two words is taken. Where there
    are no more ways to part the classes than that many bits, each is taken once.
    """
    bits = max(1, int(np.ceil(_BITS_PER_DIGIT * np.log2(max(K, 2)))))
    if K == 1 or 2 ** (K - 1) - 1 <= bits:
        return exhaustive(K)
    best, most = exhaustive(2), -1
    for attempt in range(_TRIES):
        code = _drawn(K, bits, seed, attempt)
        if least_distance(code) > most:
            best, most = code, least_distance(code)
    return best


def _drawn(K: int, bits: int, seed: int, attempt: int) -> Code:
    """Distinct random splits of the classes in two, +1 for the first class in each."""
    ways: dict[tuple[int, ...], None] = {}
    block = 0
    while len(ways) < bits:
        numbers = stream(K * bits, seed, attempt, _PURPOSE, block * K * bits)
        drawn = np.where((numbers >> np.uint64(63)).reshape(bits, K) > 0, 1, -1)
        drawn = drawn * drawn[:, :1]
        ways.update((tuple(way), None) for way in drawn.tolist() if -1 in way)
        block += 1
    return np.array(list(ways)[:bits], np.int8).T.copy()


def least_distance(code: Code) -> int:
    """rho: the least number of bits in which two words differ; with 0 as a sign of its own.

    >>> least_distance(one_vs_all(4))
    2
    """
    K = len(code)
    if K < 2:
        return int(code.shape[1])
    return min(int(np.count_nonzero(code[a] != code[b])) for a, b in combinations(range(K), 2))
