"""Splitting rows in an order that does not depend on how the rows are ordered.

Identical rows (same content, label and weight) form one heap, and a row of weight k is a heap of k
copies. Heaps are laid out in an order given by their content and the seed; which copies are taken
depends on their place there alone. So neither the order of rows nor copies against weights matter,
and counting instead of listing copies keeps weights of a million as cheap as weights of one.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.hashing import GOLDEN, Keys, mixed

Whole = NDArray[np.int64]


def _layout(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    importance: NDArray[np.float64] | None,
    seed: int,
) -> tuple[NDArray[np.intp], Keys]:
    """The rows, heap after heap, and the key of each one's heap."""
    heap = mixed(hashes + GOLDEN * (labels.astype(np.uint64) + np.uint64(1)))
    if importance is not None:
        heap = mixed(heap ^ importance.astype(np.float64).view(np.uint64))
    salt = mixed(np.array([seed + 1], np.uint64) * GOLDEN)
    keys = mixed(heap ^ salt)
    order = np.argsort(keys, kind="stable")
    return order, keys[order]


def _classes(
    order: NDArray[np.intp], keys: Keys, labels: NDArray[Any]
) -> Iterator[tuple[NDArray[np.intp], Whole]]:
    """The rows of each class as they are laid out, and the number of each one's heap, from 1 on."""
    for label in np.unique(labels):
        here = labels[order] == label
        mine, heaps = order[here], keys[here]
        new = np.concatenate([[True], heaps[1:] != heaps[:-1]])
        yield mine, np.cumsum(new)


def hold_out(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    copies: Whole | None,
    importance: NDArray[np.float64] | None,
    fraction: float,
    seed: int,
) -> Whole:
    """How many copies of each row to hold out: the fraction of every class, rounded up, not all.

    A heap is held out whole: of an example that is learnt from, no copy may judge. Only the heap of
    a class that has no other is divided.
    """
    counts = np.ones(len(hashes), np.int64) if copies is None else copies
    held = np.zeros(len(hashes), np.int64)
    for mine, heap in _classes(*_layout(hashes, labels, importance, seed), labels):
        if heap[-1] > 1:
            held[mine] = counts[mine] * (_taken(heap, fraction) > _taken(heap - 1, fraction, heap))
        else:
            held[mine] = np.diff(_taken(np.cumsum(counts[mine]), fraction), prepend=0)
    return held


def _taken(places: Whole, fraction: float, everyone: Whole | None = None) -> Whole:
    """How many are taken up to each place, evenly."""
    total = int((places if everyone is None else everyone)[-1])
    wanted = min(ceil(fraction * total * (1 - 1e-12)), total - 1)  # 0.1 * 30 exceeds 3
    exact = places.astype(object) if total * wanted >= 2**63 else places
    return np.asarray(exact * wanted // total).astype(np.int64)


def deal(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    copies: Whole | None,
    importance: NDArray[np.float64] | None,
    n_folds: int,
    seed: int,
) -> Whole:
    """How many copies of each row go to each fold, (rows, folds); every class is dealt round.

    Heaps are dealt whole, so that no copy of an example judges what its like has taught; only a
    class of fewer heaps than folds is dealt copy by copy.
    """
    counts = np.ones(len(hashes), np.int64) if copies is None else copies
    folds = np.zeros((len(hashes), n_folds), np.int64)
    for mine, heap in _classes(*_layout(hashes, labels, importance, seed), labels):
        if heap[-1] >= n_folds:
            folds[mine, (heap - 1) % n_folds] = counts[mine]
        else:
            ends = np.cumsum(counts[mine])[:, None]
            before = (ends + np.arange(n_folds)[::-1]) // n_folds
            folds[mine] = np.diff(before, axis=0, prepend=0)
    return folds
