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
    seed, hashes = data.draw(st.integers(0, 3)), hashes_of(content.tolist())
    parts = dealt(n, data.draw(st.sampled_from([1, 3, 7, 16])), seed)
    if weights is not None:
        content = content * 10 + copies  # rows of different weights are no duplicates
    counts = None if weights is not None else copies

    def split(rows: Any) -> Any:
        own = None if counts is None else counts[rows]
        mine = None if weights is None else weights[rows]
        given = (hashes[rows], labels[rows], own, mine)
        held = hold_out(*given, 0.3, seed, choose(1))
        return np.column_stack([held, deal(*given, 5, seed, choose(1))])

    found, alone = by_row(parts, split), split(np.arange(n))
    for each in np.unique(content):  # rows of equal content are interchangeable
        alike = content == each
        assert found[alike].sum(axis=0).tolist() == alone[alike].sum(axis=0).tolist()
    everyone = np.ones(n, int) if counts is None else counts
    assert (found[:, 1:].sum(axis=1) == everyone).all()
    assert ((found[:, 0] >= 0) & (found[:, 0] <= everyone)).all()
