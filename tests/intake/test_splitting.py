"""Rows held out and dealt to folds: by content, heap by heap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.partitions import by_row, dealt
from weaklearn import GradientBoostingClassifier
from weaklearn.base.numeric.hashing import mixed
from weaklearn.engines import choose
from weaklearn.intake.prepare import prepare
from weaklearn.intake.splitting import deal, hold_out


def hashes_of(content: list[int]) -> Any:
    return mixed(np.array(content, np.uint64) + np.uint64(1))


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=120),
    st.integers(1, 4),
    st.integers(2, 6),
    st.integers(0, 3),
)
def test_a_heap_goes_to_one_fold(content: list[int], weight: int, n_folds: int, seed: int) -> None:
    hashes, labels = hashes_of(content), np.array(content) % 2
    copies = np.full(len(content), weight)
    folds = deal(hashes, labels, copies, None, n_folds, seed)
    assert (folds.sum(axis=1) == copies).all()
    for label in np.unique(labels):
        heaps = np.unique(np.array(content)[labels == label])
        if len(heaps) < n_folds:
            continue
        for heap in heaps:
            of_heap = folds[np.array(content) == heap].sum(axis=0)
            assert np.count_nonzero(of_heap) == 1


@given(
    st.lists(st.integers(0, 40), min_size=2, max_size=120),
    st.sampled_from([0.1, 0.3, 0.5]),
    st.integers(0, 3),
)
def test_a_heap_is_held_out_whole(content: list[int], fraction: float, seed: int) -> None:
    hashes, labels = hashes_of(content), np.zeros(len(content), int)
    held = hold_out(hashes, labels, None, None, fraction, seed)
    n_heaps = len(set(content))
    assert 0 < held.sum() < len(content)
    if n_heaps > 1:
        chosen = {c for c, h in zip(content, held, strict=True) if h}
        assert all(h for c, h in zip(content, held, strict=True) if c in chosen)
        assert len(chosen) == min(int(np.ceil(fraction * n_heaps * (1 - 1e-12))), n_heaps - 1)


@pytest.mark.parametrize("weight", [2, 5])
def test_weights_alike_split_as_no_weights(weight: int) -> None:
    content = np.random.default_rng(0).integers(0, 200, 300).tolist()
    hashes, labels = hashes_of(content), np.arange(300) % 3
    copies = np.full(300, weight)
    for split in (
        lambda c: deal(hashes, labels, c, None, 5, 1),
        lambda c: hold_out(hashes, labels, c, None, 0.2, 1),
    ):
        assert (split(copies) == weight * split(None)).all()


def test_weights_do_not_hide_that_a_model_learns_noise() -> None:
    """Were copies of one example in several folds, more rounds would always look better."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 5)), rng.integers(0, 2, 200)
    model = GradientBoostingClassifier(n_iter_no_change=20).fit(X, y, sample_weight=np.full(200, 3))
    assert model.n_iter_ < 50


@given(st.data())
def test_partitions_split_as_one_table_does(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 80))
    most = data.draw(st.sampled_from([1, 3, 40]))  # few groups of duplicates are divided
    content = np.array(data.draw(st.lists(st.integers(0, most), min_size=n, max_size=n)))
    labels = content % 3 - 1
    copies = np.array(data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n)))
    weights = data.draw(st.sampled_from([None, copies / 8]))
    values = hashes_of((content // data.draw(st.sampled_from([1, 2, 8]))).tolist())
    seed, hashes = data.draw(st.integers(0, 3)), hashes_of(content.tolist())
    parts = dealt(n, data.draw(st.sampled_from([1, 3, 7, 16])), seed)
    if weights is not None:
        content = content * 10 + copies  # rows of different weights are no duplicates
    counts = None if weights is not None else copies

    def split(rows: Any) -> Any:
        own = None if counts is None else counts[rows]
        mine = None if weights is None else weights[rows]
        given = (hashes[rows], labels[rows], own, mine)
        held = hold_out(*given, 0.3, seed, choose(1), values[rows])
        return np.column_stack([held, deal(*given, 5, seed, choose(1), values[rows])])

    found, alone = by_row(parts, split), split(np.arange(n))
    for each in np.unique(content):  # rows of equal content are interchangeable
        alike = content == each
        assert found[alike].sum(axis=0).tolist() == alone[alike].sum(axis=0).tolist()
    everyone = np.ones(n, int) if counts is None else counts
    assert (found[:, 1:].sum(axis=1) == everyone).all()
    assert ((found[:, 0] >= 0) & (found[:, 0] <= everyone)).all()


@given(st.data())
def test_a_weight_is_so_many_copies(data: st.DataObject) -> None:
    """Of a value of X with several labels too, and of a frequent one."""
    n = data.draw(st.integers(2, 40))
    content = np.array(data.draw(st.lists(st.integers(0, 30), min_size=n, max_size=n)))
    copies = np.array(data.draw(st.lists(st.integers(1, 30), min_size=n, max_size=n)))
    share = data.draw(st.sampled_from([1, 2, 8]))
    rows = np.repeat(np.arange(n), copies)

    def split(rows: Any, copies: Any) -> Any:
        own = content[rows]
        given = hashes_of(own.tolist()), own % 3, copies, None
        values = hashes_of((own // share).tolist())
        held = hold_out(*given, 0.3, 1, values=values)
        return np.column_stack([held, deal(*given, 5, 1, values=values)])

    weighed, repeated = split(np.arange(n), copies), split(rows, None)
    for each in np.unique(content):
        alike = content == each
        found = repeated[alike[rows]].sum(axis=0)
        assert weighed[alike].sum(axis=0).tolist() == found.tolist()


@pytest.mark.parametrize("weight", [1, 3])
def test_copies_with_several_labels_are_dealt_in_proportion(weight: int) -> None:
    """Left out at once, the copies of a label would make the model sure of the other."""
    value = np.append(np.repeat(np.arange(20), 30), np.arange(20, 27))
    labels = (np.arange(607) % 30 < 10).astype(int)
    values, counts = hashes_of(value.tolist()), np.full(607, weight)
    given = values + labels.astype(np.uint64), labels, counts, None
    folds = deal(*given, 5, 0, values=values)
    held = hold_out(*given, 0.2, 0, values=values)
    for each in range(20):
        for label, size in ((0, 4), (1, 2)):
            here = (value == each) & (labels == label)
            assert set(folds[here].sum(axis=0) // weight) == {size}
            assert abs(held[here].sum() / weight - size) <= 1
    assert set(np.unique(folds)) == set(np.unique(held)) == {0, weight}


def test_rows_that_all_come_twice_are_split_as_if_once() -> None:
    content = np.append(np.random.default_rng(0).integers(0, 40, 200), np.arange(40, 60))
    labels, twice = np.arange(220) % 2, np.repeat(np.arange(220), 2)
    values = hashes_of(content.tolist())
    once = deal(values, labels, None, None, 5, 0, values=values)
    folds = deal(values[twice], labels[twice], None, None, 5, 0, values=values[twice])
    for each in np.unique(content):
        for label in (0, 1):
            here = (content == each) & (labels == label)
            assert (folds[here[twice]].sum(axis=0) == 2 * once[here].sum(axis=0)).all()


def test_rows_are_held_out_for_votes_in_proportion_too() -> None:
    X, y = np.arange(500.0)[:, None], np.arange(500) % 2
    X[:200], y[:200] = -1, np.arange(200) < 130
    held = prepare(X, y, None, engine=choose(1), name="", held_out=(0.2, 0)).validation
    assert held is not None
    assert held.weights is not None
    assert held.weights[held.rows.raw[:, 0] == -1].sum() == pytest.approx(40, abs=2)


@pytest.mark.parametrize(("n_alike", "divided"), [(300, True), (4, False)])
def test_copies_are_divided_where_they_are_many(n_alike: int, divided: bool) -> None:
    content = [0] * n_alike + list(range(1, 701))
    hashes, labels = hashes_of(content), np.zeros(len(content), int)
    of_value = deal(hashes, labels, None, None, 5, 0, values=hashes)[:n_alike].sum(axis=0)
    assert sorted(of_value) == ([60] * 5 if divided else [0, 0, 0, 0, 4])


def test_weights_that_are_all_alike_make_no_value_frequent() -> None:
    hashes, labels = hashes_of(list(range(40))), np.zeros(40, int)
    folds = deal(hashes, labels, np.full(40, 25), None, 5, 0, values=hashes)
    assert set(np.unique(folds)) == {0, 25}
