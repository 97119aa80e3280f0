"""Held-out parts and folds that do not depend on the order of the rows.

Identical rows (same values, label and weight) form a group of duplicates, and a row with integer
weight k counts as k of them. Groups are sorted by a hash of their content and the seed, and parts
are taken by place in that order. So neither the order of rows matters, nor whether a row is
repeated or weighted; duplicates are counted, not listed, so that a weight of a million costs no
more than a weight of one.

A group of duplicates stays together, unless its copies are examples of their own: where the same
value of X comes with different labels, or makes up a large share of all examples, they are divided
in proportion. A fold with all of them would be judged by a point of which its model knows nothing.
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

    Rows whose copies are draws of their own are a class beside the others of their label.
    ``group`` is the number of each row's group, from 1 on, of ``n_groups``. Of several partitions
    these are the own rows, and numbers of those of all.
    """

    rows: Ints
    counts: Ints
    group: Ints
    n_groups: int
    n_examples: int
    unit: int  # how many copies are one example; 0 where groups of duplicates stay together
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
    values: Keys | None,
) -> Iterator[_Class]:
    """The classes that have rows here."""
    group = mixed(hashes + GOLDEN * (labels.astype(np.uint64) + np.uint64(1)))
    if importance is not None:
        group = mixed(group ^ importance.astype(np.float64).view(np.uint64))
    salt = mixed(np.array([seed + 1], np.uint64) * GOLDEN)
    keys = mixed(group ^ salt)
    classes, unit = labels.astype(np.int64) * 2, 1
    if values is not None:
        alike = draws_alike(values, group, counts, engine)
        if engine.collective.maximum(np.array([alike.any()], np.int64))[0]:
            classes, unit = classes + alike, _unit(group, counts, engine)
    order = engine.rows.order_by_keys(keys)
    keys, in_order = keys[order], classes[order]
    found = []
    for label in np.unique(classes):
        here = in_order == label
        rows, groups = order[here], keys[here]
        new = np.concatenate([[True], groups[1:] != groups[:-1]])
        one = 0 if label % 2 == 0 else unit
        of = _Class(rows, counts[rows], np.cumsum(new), int(new.sum()), 0, one)
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


_FREQUENT = 200  # a value is frequent that makes up more than one in so many examples,
_MANY = 4  # and so many times the examples that a value has on average


def draws_alike(values: Keys, groups: Keys, counts: Ints, engine: Engine) -> NDArray[np.bool_]:
    """Which rows hold a value of X whose copies are draws of their own, and no repetitions.

    They are where their labels differ, or where the value is frequent: were they all left out at
    once, a model would know nothing of a large share of the examples, or of one of the labels.
    ``groups`` are keys of duplicates, whose labels are equal too.
    """
    over, ranked = engine.collective, engine.rows.sort_keys(values)
    new = np.append(np.ones(min(len(ranked), 1), bool), ranked[1:] != ranked[:-1])
    if new.all() and over.size == 1:
        return np.zeros(len(values), bool)
    each = np.stack([np.ones(len(values), np.int64), groups.view(np.int64), counts])
    n_rows, keys, examples = engine.rows.sums_over_equal(values, each)
    differ: NDArray[np.bool_] = n_rows.view(np.uint64) * groups != keys.view(np.uint64)
    n_values, n_examples = int(new.sum()), int(over.sum(np.array([counts.sum()]))[0])
    if over.size > 1:
        none = np.zeros(n_values, np.int64)
        n_values = int(later.group_places(ranked[new], none, none, 1, over).n_groups[0])
    typical = -(-n_examples // max(n_values, 1))
    differ |= (examples > n_examples // _FREQUENT) & (examples >= _MANY * typical)
    return differ


def _unit(groups: Keys, counts: Ints, engine: Engine) -> int:
    """What the sizes of all groups of duplicates are multiples of: 3 where all rows weigh 3."""
    own = int(np.gcd.reduce(engine.rows.sums_over_equal(groups, counts[None])[0], initial=0))
    return max(1, int(np.gcd.reduce(engine.collective.gather(own))))


def hold_out(
    hashes: NDArray[np.uint64],
    labels: NDArray[Any],
    copies: Ints | None,
    importance: NDArray[np.float64] | None,
    fraction: float,
    seed: int,
    engine: Engine = ONE_THREAD,
    values: Keys | None = None,
) -> Ints:
    """How many of each row to hold out: the fraction of every class, rounded up, never all.

    Duplicates are held out together, so that no validation row is also a training row. Only where
    a class consists of one group of duplicates is it divided, and where copies are draws of their
    own (``draws_alike``): ``values`` are hashes of what X holds, without label and weight.
    """
    counts = np.ones(len(hashes), np.int64) if copies is None else copies
    held = np.zeros(len(hashes), np.int64)
    for of in _classes(hashes, labels, counts, importance, seed, engine, values):
        if of.unit == 0 and of.n_groups > 1:
            up_to, before = (_taken(k, fraction, of.n_groups) for k in (of.group, of.group - 1))
            held[of.rows] = of.counts * (up_to > before)
        else:
            up_to = _taken_of_units(of.ends, fraction, of)
            held[of.rows] = up_to - _taken_of_units(of.ends - of.counts, fraction, of)
    return held


def _taken_of_units(places: Ints, fraction: float, of: _Class) -> Ints:
    """How many copies are held out up to each place, unit by unit."""
    size = max(1, of.unit)
    unit, within = places // size, places % size
    before, after = (_taken(k, fraction, of.n_examples // size) for k in (unit, unit + 1))
    return before * size + (after - before) * within


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
    values: Keys | None = None,
) -> Ints:
    """How many of each row go to each fold, an array (rows, folds); folds are stratified.

    Duplicates go to the same fold, so that no test row is also a training row; only a class with
    fewer groups of duplicates than folds is divided within groups, and copies that are draws of
    their own (``draws_alike``): ``values`` are hashes of what X holds, without label and weight.
    """
    counts = np.ones(len(hashes), np.int64) if copies is None else copies
    folds = np.zeros((len(hashes), n_folds), np.int64)
    for of in _classes(hashes, labels, counts, importance, seed, engine, values):
        if of.unit == 0 and of.n_groups >= n_folds:
            folds[of.rows, (of.group - 1) % n_folds] = of.counts
        else:
            size = max(1, of.unit)
            dealt = _dealt(of.ends, size, n_folds)
            folds[of.rows] = dealt - _dealt(of.ends - of.counts, size, n_folds)
    return folds


def _dealt(places: Ints, size: int, n_folds: int) -> Ints:
    """How many copies each fold has got up to each place, (places, folds), dealt in turn.

    >>> _dealt(np.array([3, 7]), 2, 2).tolist()
    [[2, 1], [4, 3]]
    """
    turns, rest = np.divmod(places[:, None], size * n_folds)
    own: Ints = turns * size + np.clip(rest - size * np.arange(n_folds), 0, size)
    return own


def unfitted_copy(estimator: Any) -> Any:
    """A clone with the same parameters, without scikit-learn's callbacks."""
    copy = clone(estimator)
    copy.__dict__.pop("_skl_callbacks", None)
    return copy
