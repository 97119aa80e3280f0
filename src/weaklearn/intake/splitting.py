"""Held-out parts and folds that do not depend on the order of the rows.

Identical rows (same values, label and weight) form a group of duplicates, and a row with integer
weight k counts as k of them. Groups are sorted by a hash of their content and the seed, and parts
are taken by place in that order. So neither the order of rows matters, nor whether a row is
repeated or weighted; duplicates are counted, not listed, so that a weight of a million costs no
more than a weight of one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ..base.numeric.hashing import GOLDEN, Keys, mixed
from ..base.types import Ints
from ..engines import Engine, later, on_threads
from ..engines.collective import Collective

ONE_THREAD = on_threads()


@dataclass(frozen=True)
class _Class:
    """The rows of a class in the order of their groups of duplicates, and how many each counts.

    ``group`` is the number of each row's group, from 1 on, of ``n_groups``. Of several partitions
    these are the own rows, and numbers of those of all.
    """

    rows: Ints
    counts: Ints
    group: Ints
    n_groups: int
    n_examples: int
    elsewhere: Ints | None = None  # examples before each row that lie in other partitions

    @property
    def ends(self) -> Ints:
        """How many examples of the class come up to each row, itself included."""
        own = np.cumsum(self.counts)
        return own if self.elsewhere is None else own + self.elsewhere


def _classes(
    hashes: Keys,
    labels: NDArray[Any],
    counts: Ints,
    importance: NDArray[np.float64] | None,
    seed: int,
    engine: Engine,
) -> Iterator[_Class]:
    """The classes that have rows here."""
    group = mixed(hashes + GOLDEN * (labels.astype(np.uint64) + np.uint64(1)))
    if importance is not None:
        group = mixed(group ^ importance.astype(np.float64).view(np.uint64))
    salt = mixed(np.array([seed + 1], np.uint64) * GOLDEN)
    keys = mixed(group ^ salt)
    order = engine.rows.order_by_keys(keys)
    keys, in_order = keys[order], labels[order]
    found = []
    for label in np.unique(labels):
        here = in_order == label
        rows, groups = order[here], keys[here]
        new = np.concatenate([[True], groups[1:] != groups[:-1]])
        of = _Class(rows, counts[rows], np.cumsum(new), int(new.sum()), 0)
        found.append((label, groups[new], of))
    if engine.collective.size > 1:
        return _among_all(found, engine.collective)
    return (replace(of, n_examples=int(of.counts.sum())) for _, _, of in found)


def _among_all(found: list[tuple[Any, Keys, _Class]], over: Collective) -> Iterator[_Class]:
    """The classes of this partition, their groups numbered among those of all partitions.

    Each comes with its label and the keys of its groups.
    """
    everywhere = np.unique(
        [label for part in over.gather([each[0] for each in found]) for label in part]
    )
    own = [np.zeros(0, np.int64)]  # examples of each group
    keys, of_class = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    for label, groups, of in found:
        starts = np.flatnonzero(np.diff(of.group, prepend=0))
        own.append(np.add.reduceat(of.counts, starts))
        keys.append(groups)
        of_class.append(np.full(len(groups), np.searchsorted(everywhere, label)))
    places = later.group_places(
        np.concatenate(keys), np.concatenate(of_class), np.concatenate(own), len(everywhere), over
    )
    begin = 0
    for (label, groups, of), counts in zip(found, own[1:], strict=True):
        mine, k = slice(begin, begin := begin + len(groups)), np.searchsorted(everywhere, label)
        others = places.below[mine] + places.beside[mine] - (np.cumsum(counts) - counts)
        yield replace(
            of,
            group=places.number[mine][of.group - 1],
            n_groups=int(places.n_groups[k]),
            n_examples=int(places.n_examples[k]),
            elsewhere=others[of.group - 1],
        )


def hold_out(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    copies: Ints | None,
    importance: NDArray[np.float64] | None,
    fraction: float,
    seed: int,
    engine: Engine = ONE_THREAD,
) -> Ints:
    """How many of each row to hold out: the fraction of every class, rounded up, never all.

    Duplicates are held out together, so that no validation row is also a training row. Only where
    a class consists of one group of duplicates is it divided.
    """
    counts = np.ones(len(hashes), np.int64) if copies is None else copies
    held = np.zeros(len(hashes), np.int64)
    for of in _classes(hashes, labels, counts, importance, seed, engine):
        if of.n_groups > 1:
            up_to, before = (_taken(k, fraction, of.n_groups) for k in (of.group, of.group - 1))
            held[of.rows] = of.counts * (up_to > before)
        else:
            up_to = _taken(of.ends, fraction, of.n_examples)
            held[of.rows] = up_to - _taken(of.ends - of.counts, fraction, of.n_examples)
    return held


def _taken(places: Ints, fraction: float, total: int) -> Ints:
    """How many are held out up to each place, evenly spaced."""
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
    engine: Engine = ONE_THREAD,
) -> Ints:
    """How many of each row go to each fold, an array (rows, folds); folds are stratified.

    Duplicates go to the same fold, so that no test row is also a training row; only a class with
    fewer groups of duplicates than folds is divided within groups.
    """
    counts = np.ones(len(hashes), np.int64) if copies is None else copies
    folds = np.zeros((len(hashes), n_folds), np.int64)
    for of in _classes(hashes, labels, counts, importance, seed, engine):
        if of.n_groups >= n_folds:
            folds[of.rows, (of.group - 1) % n_folds] = of.counts
        else:
            ends, turn = of.ends[:, None], np.arange(n_folds)[::-1]
            folds[of.rows] = (ends + turn) // n_folds - (
                ends - of.counts[:, None] + turn
            ) // n_folds
    return folds


def unfitted_copy(estimator: Any) -> Any:
    """A clone with the same parameters, without scikit-learn's callbacks."""
    copy = clone(estimator)
    copy.__dict__.pop("_skl_callbacks", None)
    return copy
