"""Held-out parts and folds that do not depend on the order of the rows.

Identical rows (same values, label and weight) form a group of duplicates, and a row with integer
weight k counts as k of them. Groups are sorted by a hash of their content and the seed, and parts
are taken by place in that order. So neither the order of rows matters, nor whether a row is
repeated or weighted; duplicates are counted, not listed, so that a weight of a million costs no
more than a weight of one.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ..base.numeric.hashing import GOLDEN, Keys, mixed
from ..base.types import Ints
from ..engines import on_threads


def _layout(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    importance: NDArray[np.float64] | None,
    seed: int,
    threads: int = 1,
) -> tuple[Ints, Keys]:
    """The rows sorted by group of duplicates, and the key of each one's group."""
    group = mixed(hashes + GOLDEN * (labels.astype(np.uint64) + np.uint64(1)))
    if importance is not None:
        group = mixed(group ^ importance.astype(np.float64).view(np.uint64))
    salt = mixed(np.array([seed + 1], np.uint64) * GOLDEN)
    keys = mixed(group ^ salt)
    order = on_threads(threads).rows.order_by_keys(keys)
    return order, keys[order]


def _classes(order: Ints, keys: Keys, labels: NDArray[Any]) -> Iterator[tuple[Ints, Ints]]:
    """The rows of each class in their order, and the number of each one's group, from 1 on."""
    in_order = labels[order]
    for label in np.unique(labels):
        here = in_order == label
        mine, groups = order[here], keys[here]
        new = np.concatenate([[True], groups[1:] != groups[:-1]])
        yield mine, np.cumsum(new)


def hold_out(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    copies: Ints | None,
    importance: NDArray[np.float64] | None,
    fraction: float,
    seed: int,
    threads: int = 1,
) -> Ints:
    """How many of each row to hold out: the fraction of every class, rounded up, never all.

    Duplicates are held out together, so that no validation row is also a training row. Only where
    a class consists of one group of duplicates is it divided.
    """
    counts = np.ones(len(hashes), np.int64) if copies is None else copies
    held = np.zeros(len(hashes), np.int64)
    layout = _layout(hashes, labels, importance, seed, threads)
    for mine, group in _classes(*layout, labels):
        if group[-1] > 1:
            taken = _taken(group, fraction) > _taken(group - 1, fraction, group)
            held[mine] = counts[mine] * taken
        else:
            held[mine] = np.diff(_taken(np.cumsum(counts[mine]), fraction), prepend=0)
    return held


def _taken(places: Ints, fraction: float, everyone: Ints | None = None) -> Ints:
    """How many are held out up to each place, evenly spaced."""
    total = int((places if everyone is None else everyone)[-1])
    wanted = min(ceil(fraction * total * (1 - 1e-12)), total - 1)  # 0.1 * 30 exceeds 3
    exact = places.astype(object) if total * wanted >= 2**63 else places
    return np.asarray(exact * wanted // total).astype(np.int64)


def deal(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    copies: Ints | None,
    importance: NDArray[np.float64] | None,
    n_folds: int,
    seed: int,
) -> Ints:
    """How many of each row go to each fold, an array (rows, folds); folds are stratified.

    Duplicates go to the same fold, so that no test row is also a training row; only a class with
    fewer groups of duplicates than folds is divided within groups.
    """
    counts = np.ones(len(hashes), np.int64) if copies is None else copies
    folds = np.zeros((len(hashes), n_folds), np.int64)
    for mine, group in _classes(*_layout(hashes, labels, importance, seed), labels):
        if group[-1] >= n_folds:
            folds[mine, (group - 1) % n_folds] = counts[mine]
        else:
            ends = np.cumsum(counts[mine])[:, None]
            before = (ends + np.arange(n_folds)[::-1]) // n_folds
            folds[mine] = np.diff(before, axis=0, prepend=0)
    return folds


def unfitted_copy(estimator: Any) -> Any:
    """A clone with the same parameters, without scikit-learn's callbacks."""
    copy = clone(estimator)
    copy.__dict__.pop("_skl_callbacks", None)
    return copy
