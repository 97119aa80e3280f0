"""Splitting rows in an order that does not depend on how the rows are ordered.

Identical rows (same content, label and weight) form one heap, and a row of weight k is a heap of k
copies. Heaps are laid out in an order given by their content and the seed; which copies are taken
depends on their place there alone. So neither the order of rows nor copies against weights matter,
and counting instead of listing copies keeps weights of a million as cheap as weights of one.
"""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.mixing import GOLDEN, mixed

Whole = NDArray[np.int64]


def _layout(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    importance: NDArray[np.float64] | None,
    seed: int,
) -> NDArray[np.intp]:
    """The rows, heap after heap."""
    heap = mixed(hashes + GOLDEN * (labels.astype(np.uint64) + np.uint64(1)))
    if importance is not None:
        heap = mixed(heap ^ importance.astype(np.float64).view(np.uint64))
    salt = mixed(np.array([seed + 1], np.uint64) * GOLDEN)
    return np.argsort(mixed(heap ^ salt), kind="stable")


def hold_out(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    copies: Whole | None,
    importance: NDArray[np.float64] | None,
    fraction: float,
    seed: int,
) -> Whole:
    """How many copies of each row to hold out: the fraction of every class, rounded up, not all."""
    counts = np.ones(len(hashes), np.int64) if copies is None else copies
    order = _layout(hashes, labels, importance, seed)
    held = np.zeros(len(hashes), np.int64)
    for label in np.unique(labels):
        mine = order[labels[order] == label]
        ends = np.cumsum(counts[mine])
        total = int(ends[-1])
        wanted = min(ceil(fraction * total * (1 - 1e-12)), total - 1)  # 0.1 * 30 exceeds 3
        if total * wanted >= 2**63:
            ends = ends.astype(object)
        taken = (ends * wanted // total).astype(np.int64)  # evenly over the places
        held[mine] = np.diff(taken, prepend=0)
    return held


def deal(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    copies: Whole | None,
    importance: NDArray[np.float64] | None,
    n_folds: int,
    seed: int,
) -> Whole:
    """How many copies of each row go to each fold, (rows, folds); every class is dealt round."""
    counts = np.ones(len(hashes), np.int64) if copies is None else copies
    order = _layout(hashes, labels, importance, seed)
    folds = np.zeros((len(hashes), n_folds), np.int64)
    for label in np.unique(labels):
        mine = order[labels[order] == label]
        ends = np.cumsum(counts[mine])[:, None]
        before = (ends + np.arange(n_folds)[::-1]) // n_folds
        folds[mine] = np.diff(before, axis=0, prepend=0)
    return folds
