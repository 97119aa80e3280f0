"""Sums of trees: rounds share one list, and every way to add up a score gives the same bits."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from tests.samples import same_bits, sample_of
from weaklearn.base.rows import CUT
from weaklearn.base.votes.tree_sum import AdditiveTrees
from weaklearn.learners.gradient_tree import GradientTreeLearner


def grown(K: int = 2, T: int = 5) -> tuple[Any, AdditiveTrees, Any]:
    """A sample, a sum of T rounds of K trees on it, and its scores as the grower moved them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    X[rng.random((200, 3)) < 0.1] = np.nan
    sample = sample_of(X, rng.normal(size=200), regression=True, binning=CUT)
    learn = GradientTreeLearner(subsample=0.7).bind(sample)
    base = np.arange(1.0, K + 1) / 3
    F = np.repeat(base[:, None], 200, axis=1)
    trees = AdditiveTrees(base)
    for t in range(T):
        g = rng.normal(size=(K, 200))
        found = learn(g, None, F, vote=0.1 * (t + 1), key=t, bounded=False, copies=[None] * K)
        trees = trees.plus(0.1 * (t + 1), found)
    return sample, trees, F


@pytest.mark.parametrize("K", [1, 3])
def test_scores_are_those_of_the_grower_in_every_way(K: int) -> None:
    sample, trees, F = grown(K)
    expected = np.ascontiguousarray(F.T)
    assert same_bits(trees(sample), expected)
    stages = list(trees.stages(sample))
    assert len(stages) == len(trees) == 5
    assert same_bits(stages[-1], expected)
    scores = np.tile(trees.base, (200, 1))
    for t, stage in enumerate(stages):
        scores = trees.add_round(sample, scores, t)
        assert same_bits(scores, stage)
        assert same_bits(trees.staged(t + 1)(sample), stage)
    by_hand = np.tile(trees.base, (200, 1))
    leaves = trees.leaves(sample)
    for t, (vote, members) in enumerate(trees):
        for k, tree in enumerate(members):
            by_hand[:, k] += vote * tree.values[leaves[:, t * K + k], 0]
    assert same_bits(by_hand, expected)


def test_a_sum_that_grew_twice_parts_company() -> None:
    _, trees, _ = grown()
    first = next(iter(trees))[1]
    one, other = trees.plus(1.0, first), trees.plus(2.0, first)
    assert (len(trees), len(one), len(other)) == (5, 6, 6)
    assert one.votes.tolist()[:5] == other.votes.tolist()[:5] == trees.votes.tolist()
    assert (one.votes[5], other.votes[5]) == (1.0, 2.0)
    short = one.staged(2).plus(9.0, first)
    assert short.votes.tolist() == [*trees.votes[:2], 9.0]
    assert one.votes[2] == trees.votes[2]
    assert len(one.staged(99)) == 6


def test_nothing_added_yet() -> None:
    sample, trees, _ = grown()
    empty = trees.staged(0)
    assert (len(empty), empty.trees, list(empty.stages(sample))) == (0, [], [])
    assert same_bits(empty(sample), np.tile(trees.base, (200, 1)))
    assert empty.leaves(sample).shape == (200, 0)
    assert empty.weight.tolist() == [0, 0]


def test_the_most_that_trees_can_add_up_to() -> None:
    _, trees, F = grown()
    assert (np.abs(F.T - trees.base) <= trees.weight * (1 + 1e-12)).all()
    assert trees.weight.shape == (2,)


def test_pickled_without_what_others_added_to_the_list() -> None:
    sample, trees, _ = grown()
    part = trees.staged(3)
    again = pickle.loads(pickle.dumps(part))
    assert len(again) == 3
    assert len(again._rounds) == 3
    assert same_bits(again(sample), part(sample))
