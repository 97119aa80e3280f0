"""Holding rows out in an order that does not depend on how the rows are ordered."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A good 64-bit mixing function, the same on every machine."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def copy_ranks(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    copies: NDArray[np.int64],
    importance: NDArray[np.float64] | None,
    seed: int,
) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
    """For every copy of every row: its row, and a random key that identical rows share out fairly.

    Identical rows (same content, label and weight) are one heap of copies, numbered from 0; a copy's
    key depends on the heap, its number and the seed alone.
    """
    heap = _mixed(hashes + _GOLDEN * (labels.astype(np.uint64) + np.uint64(1)))
    if importance is not None:
        heap = _mixed(heap ^ importance.astype(np.float64).view(np.uint64))
    rows = np.repeat(np.argsort(heap, kind="stable"), copies[np.argsort(heap, kind="stable")])
    heaps = heap[rows]
    starts = np.flatnonzero(np.r_[True, heaps[1:] != heaps[:-1]])
    lengths = np.diff(np.r_[starts, len(heaps)])
    number = (np.arange(len(heaps)) - np.repeat(starts, lengths)).astype(np.uint64)
    salt = _mixed(np.array([seed + 1], np.uint64) * _GOLDEN)
    return rows, _mixed(_mixed(heaps + number * _GOLDEN) ^ salt)


def hold_out(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    copies: NDArray[np.int64] | None,
    importance: NDArray[np.float64] | None,
    fraction: float,
    seed: int,
) -> NDArray[np.int64]:
    """How many copies of each row to hold out: the fraction of every class, rounded up, never all."""
    n = len(hashes)
    counts = np.ones(n, np.int64) if copies is None else copies
    rows, keys = copy_ranks(hashes, labels, counts, importance, seed)
    held = np.zeros(n, np.int64)
    for label in np.unique(labels):
        mine = np.flatnonzero(labels[rows] == label)
        wanted = min(ceil(fraction * len(mine)), len(mine) - 1)
        chosen = mine[np.argsort(keys[mine], kind="stable")[:wanted]]
        np.add.at(held, rows[chosen], 1)
    return held
