"""Base conditions: the best test, the lowest of equals, and one where nothing gains."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.samples import sample_of
from weaklearn.base.trees.splitter import LARGEST, asks_if_known, lowered, middle
from weaklearn.base.trees.tree import THRESHOLD
from weaklearn.base.trees.tree_arrays import SUBSET
from weaklearn.learners.partition import CONDITION, ConditionLearner

LEARNER = ConditionLearner()


def asked(X: Any, y: Any, w: Any, categorical: Any = None, learner: Any = LEARNER) -> Any:
    """The test of rows by their weights, alone and in a list."""
    sample = sample_of(np.asarray(X, float), y, categorical=categorical, binning=learner.binning)
    learn = learner.bind(sample)
    w = np.asarray(w, float)
    h = learn(sample.weighed(w / w.sum()), sample.y)
    rows = np.flatnonzero(w).astype(np.int32)
    tree, share = learn.within(w, [rows])[0]
    assert share == pytest.approx(h.criterion, abs=1e-12)
    if len(tree) > 1:
        assert (tree.ask[0], tree.feature[0]) == (h.tree.ask[0], h.tree.feature[0])
    return lowered(h.tree, sample, rows), h


def test_rows_without_weight_supply_thresholds() -> None:
    X = [[0.0], [1], [2], [3], [4]]
    tree, _ = asked(X, [-1, -1, -1, 1, 1], [1, 0, 0, 0, 1])
    assert (tree.ask[0], tree.threshold[0]) == (THRESHOLD, 0.5)


def test_where_nothing_gains_the_first_test_is_asked() -> None:
    X = [[7.0, 0, 0], [7, 0, 1], [7, 1, 0], [7, 1, 1]]
    tree, h = asked(X, [-1, 1, 1, -1], [1, 1, 1, 1])  # the first feature is constant
    assert (tree.feature[0], tree.threshold[0], h.criterion) == (1, 0.5, 1.0)
    tree, _ = asked(X, [-1, 1, 1, -1], [1, 1, 1, 1], categorical=[1])
    assert tree.ask[0] == SUBSET
    assert tree.subsets[0].tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("X", [[[1.0], [1.0], [1.0]], [[np.nan], [1.0], [1.0]]])
def test_without_two_values_there_is_no_threshold(X: Any) -> None:
    tree, _ = asked(X, [1, 1, -1], [0, 1, 1])
    assert len(tree) == 1


def test_a_least_share_is_one_of_the_rows_that_are_asked() -> None:
    learner = ConditionLearner(replace(CONDITION, least_share=0.4))
    X, y = [[0.0], [1], [2], [3], [4], [9]], [1, -1, -1, -1, -1, 1]
    assert asked(X, y, [1, 1, 1, 1, 1, 0])[0].threshold[0] == 0.5
    assert asked(X, y, [1, 1, 1, 1, 1, 0], learner=learner)[0].threshold[0] == 1.5


def test_missing_values_may_be_told_from_all_others() -> None:
    tree, _ = asked([[np.nan], [np.nan], [1.0], [1.0]], [1, 1, -1, -1], [1, 1, 1, 1])
    assert asks_if_known(tree, 0)
    assert tree.threshold[0] == LARGEST


@pytest.mark.parametrize("threads", [1, 2])
def test_lists_of_rows_do_not_know_of_one_another(threads: int) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 5)), rng.choice([-1, 1], 2000)
    sample = sample_of(X, y, rng.integers(1, 4, 2000), threads=threads, binning=LEARNER.binning)
    learn = LEARNER.bind(sample)
    w = rng.random(2000)
    lists = [np.sort(rng.permutation(2000)[:n]).astype(np.int32) for n in (2000, 700, 30, 1)]
    together = learn.within(w, lists)
    for rows, (tree, share) in zip(lists, together, strict=True):
        elsewhere = np.where(np.isin(np.arange(2000), rows), w, 5.0)
        alone, same = learn.within(elsewhere * 4, [rows])[0]
        assert same == share
        assert all(a.tobytes() == b.tobytes() for a, b in pairs(tree, alone))


def pairs(tree: Any, other: Any) -> Any:
    return zip(tree.arrays().values(), other.arrays().values(), strict=True)


@pytest.mark.parametrize(
    ("w", "rows", "words"),
    [
        ([1.0, 0.0], [1], "has weight"),
        ([1.0, -1.0], [0], "negative"),
        ([1.0, np.inf], [0], "finite"),
        ([1.0, 1.0], [2], "row that there is not"),
        ([1.0, 1.0], [-1], "row that there is not"),
        ([1.0], [0], "expected 2"),
    ],
)
def test_the_kernel_refuses_what_cannot_be(w: Any, rows: Any, words: str) -> None:
    sample = sample_of(np.array([[0.0], [1.0]]), [-1, 1], binning=LEARNER.binning)
    with pytest.raises(ValueError, match=words):
        LEARNER.bind(sample).within(np.array(w), [np.array(rows, np.int32)])


def test_the_middle_of_neighbours_is_the_lower_one() -> None:
    assert middle(1.0, np.nextafter(1.0, 2)) == 1.0
    assert middle(-1e308, 1e308) == 0.0
    assert middle(1.6e308, 1.7e308) == 1.6e308  # the sum overflows
