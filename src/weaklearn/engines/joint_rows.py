"""Groups of equal rows that lie in several partitions.

Rows have keys, hashes of their content. Each partition owns a range of keys: all send it how many
rows of each key they have, it sorts them out and sends back what each asks. Rows of equal keys are
interchangeable: those of the partition with the lesser rank come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.hashing import Keys
from ..base.types import Ints
from .collective import Collective


class Owners:
    """Sends numbers of keys, an array (n, keys), to the owners of the keys, and answers back."""

    def __init__(self, keys: Keys, over: Collective) -> None:
        half = np.uint64(32)
        owner = ((keys >> half) * np.uint64(over.size) >> half).astype(np.intp)
        self._over, self._order = over, np.argsort(owner, kind="stable")
        self._ends = np.cumsum(np.bincount(owner, minlength=over.size))
        self._received_ends = np.zeros(over.size, np.intp)

    def send(self, values: NDArray[Any]) -> NDArray[Any]:
        """The numbers of the keys that this partition owns, from all partitions by rank."""
        parts = np.split(values[:, self._order], self._ends[:-1], axis=1)
        received = self._over.scatter(parts)
        self._received_ends = np.cumsum([part.shape[1] for part in received])
        return np.concatenate(received, axis=1)

    def back(self, answers: NDArray[Any]) -> NDArray[Any]:
        """The owners' answers for the keys of this partition, given those for keys received."""
        parts = self._over.scatter(np.split(answers, self._received_ends[:-1], axis=1))
        found = np.empty((len(answers), len(self._order)), answers.dtype)
        found[:, self._order] = np.concatenate(parts, axis=1)
        return found


@dataclass(frozen=True)
class GroupPlaces:
    """Where groups of equal keys stand among all of their class, in the order of keys.

    Of each group its number in its class, from 1 on, and how many examples of its class come
    before those of this partition: in lesser groups (``below``), and beside them in the same
    group (``beside``). Of each class how many groups and examples there are.
    """

    number: Ints
    below: Ints
    beside: Ints
    n_groups: Ints
    n_examples: Ints


def group_places(
    keys: Keys, classes: Ints, counts: Ints, n_classes: int, over: Collective
) -> GroupPlaces:
    """The places of groups, each one's key, class and number of examples given."""
    owners = Owners(keys, over)
    sent = owners.send(np.stack([keys, classes.astype(np.uint64), counts.astype(np.uint64)]))
    order = np.lexsort((sent[0], sent[1]))  # of equal ones the partition of the lesser rank first
    key, of_class, count = sent[0, order], *sent[1:, order].astype(np.int64)
    n = len(order)
    new_class = np.diff(of_class, prepend=-1) > 0
    new = new_class | (key != np.roll(key, 1))
    before = np.cumsum(count) - count
    first = np.maximum.accumulate(np.where(new, np.arange(n), 0))  # of its group
    class_first = np.maximum.accumulate(np.where(new_class, np.arange(n), 0))
    number = np.cumsum(new)
    of_owner = np.stack(  # groups and examples of each class
        [np.bincount(of_class[new], minlength=n_classes), _sums(of_class, count, n_classes)]
    )
    of_owners = np.stack(over.gather(of_owner))
    lesser = of_owners[: over.rank].sum(axis=0)
    answers = np.empty((3, n), np.int64)
    answers[0, order] = number - number[class_first] + 1 + lesser[0, of_class]
    answers[1, order] = before[first] - before[class_first] + lesser[1, of_class]
    answers[2, order] = before - before[first]
    return GroupPlaces(*owners.back(answers), *of_owners.sum(axis=0))


def group_sums(keys: Keys, values: Ints, over: Collective) -> Ints:
    """Sums of whole numbers (n, rows) over all rows of the same key, for each row."""
    if over.size == 1:
        return _sums_of_groups(keys, values)
    own, place = np.unique(keys, return_inverse=True)
    owners = Owners(own, over)
    sums = np.stack([_sums(place, row, len(own)) for row in values]).view(np.uint64)
    sent = owners.send(np.concatenate([own[None, :], sums]))
    return owners.back(_sums_of_groups(sent[0], sent[1:].view(np.int64)))[:, place]


def _sums_of_groups(keys: Keys, values: Ints) -> Ints:
    own, place = np.unique(keys, return_inverse=True)
    return np.stack([_sums(place, row, len(own))[place] for row in values])


def _sums(places: Ints, values: Ints, n: int) -> Ints:
    """The sums of whole numbers by place.

    >>> _sums(np.array([0, 2, 0]), np.array([1, 2, 2**62]), 3).tolist()
    [4611686018427387905, 0, 2]
    """
    sums = np.zeros(n, np.int64)
    np.add.at(sums, places, values)
    return sums
