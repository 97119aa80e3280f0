"""Groups of equal rows over partitions: the places and sums that they have in one table."""

from __future__ import annotations

from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.partitions import by_row, dealt, on_each
from weaklearn.base.numeric.hashing import mixed
from weaklearn.engines import choose
from weaklearn.engines.collective import collective
from weaklearn.engines.joint_rows import Owners, group_places


@pytest.mark.parametrize("n_parts", [1, 3, 7, 16])
def test_numbers_come_back_from_the_owners_of_their_keys(n_parts: int) -> None:
    keys = mixed(np.arange(500, dtype=np.uint64))

    def program(rows):
        owners = Owners(keys[rows], collective())
        received = owners.send(np.stack([keys[rows], rows.astype(np.uint64)]))
        kept.append(received[0])
        return owners.back(received + np.uint64(1))[1]

    kept: list[np.ndarray] = []
    assert (by_row(dealt(500, n_parts), program) == np.arange(500) + 1).all()
    ranges = sorted((own.min(), own.max()) for own in kept if len(own))
    assert sum(map(len, kept)) == 500
    assert all(low[1] < high[0] for low, high in pairwise(ranges))


@given(st.data())
def test_groups_have_the_places_of_one_table(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 60))
    some = st.lists(st.integers(0, 12), min_size=n, max_size=n)
    keys = mixed(np.array(data.draw(some), np.uint64))
    labels = np.array(data.draw(some)) % 3
    counts = np.array(data.draw(some)) + 1
    parts = dealt(n, data.draw(st.sampled_from([2, 3, 7, 16])), data.draw(st.integers(0, 9)))

    def program(rows):
        places = group_places(keys[rows], labels[rows], counts[rows], 3, collective())
        totals.append((places.n_groups.tolist(), places.n_examples.tolist()))
        return np.column_stack([places.number, places.below, places.beside])

    totals: list[tuple[list[int], list[int]]] = []
    found = by_row(parts, program)
    rank = np.empty(n, int)
    for k, rows in enumerate(parts):
        rank[rows] = k
    for i in range(n):
        of_class = labels == labels[i]
        lesser = of_class & (keys < keys[i])
        alike = of_class & (keys == keys[i])
        before = alike & ((rank < rank[i]) | ((rank == rank[i]) & (np.arange(n) < i)))
        assert found[i].tolist() == [
            len(np.unique(keys[lesser])) + 1,
            counts[lesser].sum(),
            counts[before].sum(),
        ]
    n_groups = [len(np.unique(keys[labels == k])) for k in range(3)]
    n_examples = [int(counts[labels == k].sum()) for k in range(3)]
    assert totals == [(n_groups, n_examples)] * len(parts)


@pytest.mark.parametrize("n_parts", [2, 3, 7, 16])
@pytest.mark.parametrize("weighed", [False, True])
def test_copies_of_equal_rows_are_numbered_once(n_parts: int, weighed: bool) -> None:
    rng = np.random.default_rng(n_parts)
    keys = mixed(rng.integers(0, 80, 200).astype(np.uint64))
    copies = rng.integers(0, 4, 200) if weighed else None

    def program(rows):
        own = None if copies is None else copies[rows]
        return choose(1).rows.copies_before(keys[rows], own)

    found = by_row(dealt(200, n_parts), program).astype(int)
    counts = np.ones(200, int) if copies is None else copies
    for key in np.unique(keys):
        alike = np.flatnonzero(keys == key)
        numbers = [found[i] + k for i in alike for k in range(counts[i])]
        assert sorted(numbers) == list(range(counts[alike].sum()))


def test_rows_that_differ_have_no_copies_before_them() -> None:
    keys = mixed(np.arange(9, dtype=np.uint64))
    assert choose(1).rows.copies_before(keys, None) is None
    assert choose(1).rows.copies_before(keys[:0], None) is None
    before = on_each(dealt(9, 3), lambda rows: choose(1).rows.copies_before(keys[rows], None))
    assert np.concatenate(before).tolist() == [0] * 9


@pytest.mark.parametrize("n_parts", [1, 3, 7, 16])
def test_sums_over_equal_rows_are_those_of_all_partitions(n_parts: int) -> None:
    rng = np.random.default_rng(n_parts)
    keys = mixed(rng.integers(0, 50, 200).astype(np.uint64))
    values = rng.integers(-(2**60), 2**60, (3, 200))
    found = by_row(
        dealt(200, n_parts),
        lambda rows: choose(1).rows.sums_over_equal(keys[rows], values[:, rows]).T,
    )
    with np.errstate(over="ignore"):
        wanted = np.array([values[:, keys == key].sum(axis=1) for key in keys])
    assert np.array_equal(found, wanted)
    assert np.array_equal(choose(1).rows.sums_over_equal(keys, values).T, wanted)
