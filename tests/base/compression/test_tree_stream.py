"""Trees in few bytes come back to the bit, whatever they hold."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier as Theirs

from tests.samples import same_bits
from tests.trees import random_tree
from weaklearn import RandomForestClassifier, RandomForestRegressor
from weaklearn.base.trees.tree import Tree, pack_trees, unpack_trees
from weaklearn.base.votes.tree_sum import AdditiveTrees

MIXED = np.array([0, 3, 0, 1, 200])


def same(a: Tree, b: Tree) -> bool:
    return all(same_bits(array, getattr(b, name)) for name, array in a.arrays().items())


def depth_first(tree: Tree) -> Tree:
    """The same tree with its nodes in the order in which a depth-first grower adds them."""
    number, waiting, taken = np.zeros(len(tree), int), [0], 1
    while waiting:
        node = waiting.pop()
        children = range(tree.first[node], tree.first[node] + tree.width[node])
        for child in children:
            number[child] = taken
            taken += 1
        waiting += reversed(children)
    moved = {name: array.copy() for name, array in tree.arrays().items()}
    for name, array in tree.arrays().items():
        if name not in ("subsets", "values"):
            moved[name][number] = array
    moved["first"] = np.where(moved["width"] > 0, number[moved["first"]], 0)
    return Tree.of(moved)


def with_shares(tree: Tree, rng: Any) -> Tree:
    """Whole counts that add up, and class shares made of them; pure nodes have a row together."""
    own = np.where(tree.is_leaf, rng.integers(1, 5, size=len(tree)), 0)
    first = np.where(tree.is_leaf & (rng.random(len(tree)) < 0.8), own, own // 2)
    for node in np.flatnonzero(~tree.is_leaf)[::-1]:
        children = slice(tree.first[node], tree.first[node] + tree.width[node])
        own[node], first[node] = own[children].sum(), first[children].sum()
    rows: list[Any] = []
    value = np.zeros(len(tree), np.int32)
    for node, share in enumerate(first / own):
        if share == 1 and [1.0, 0.0] in rows:
            value[node] = rows.index([1.0, 0.0])
        else:
            value[node] = len(rows)
            rows.append([share, (own[node] - first[node]) / own[node]])
    return replace(
        tree, count=own, weight=own.astype(np.float64), value=value, values=np.array(rows)
    )


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n_trees=st.integers(0, 5),
    n_outputs=st.integers(1, 3),
    numbers=st.booleans(),
    order=st.booleans(),
    shares=st.booleans(),
    spare=st.sets(st.sampled_from(["weight", "count", "gain"])),
)
def test_trees_come_back(
    seed: int,
    n_trees: int,
    n_outputs: int,
    numbers: bool,
    order: bool,
    shares: bool,
    spare: set[str],
) -> None:
    rng = np.random.default_rng(seed)
    n_categories = np.zeros(3, int) if numbers else MIXED
    trees = [
        random_tree(rng, n_categories, int(rng.integers(1, 60)), n_outputs, fraction=True)
        for _ in range(n_trees)
    ]
    if order:
        trees = [depth_first(tree) for tree in trees]
    if shares:
        trees = [with_shares(tree, rng) for tree in trees]
    trees = [replace(t, **{name: getattr(t, name)[:0] for name in spare}) for t in trees]
    again = unpack_trees(pack_trees(trees))
    assert len(again) == n_trees
    assert all(map(same, trees, again))
    assert pack_trees(again) == pack_trees(trees)


@pytest.mark.parametrize(
    ("array", "entry"),
    [
        ("threshold", -0.0),
        ("threshold", np.nan),
        ("feature", 4),
        ("first", 1),
        ("first", -7),
        ("width", 3),
        ("missing", 2),
        ("subset", 0),
        ("value", -1),
        ("value", 99),
        ("gain", -0.0),
        ("gain", np.inf),
        ("weight", np.nan),
        ("count", -5),
        ("ask", 9),
    ],
)
def test_what_no_grower_writes_comes_back_too(array: str, entry: float) -> None:
    tree = random_tree(np.random.default_rng(1), MIXED, 12)
    for node in (0, len(tree) - 1):
        odd = getattr(tree, array).copy()
        odd[node] = entry
        trees = [tree, replace(tree, **{array: odd})]
        assert all(map(same, trees, unpack_trees(pack_trees(trees))))


def test_trees_of_different_make() -> None:
    rng = np.random.default_rng(2)
    slim = replace(random_tree(rng, MIXED, 9), gain=np.empty(0))
    wide = random_tree(rng, MIXED, 9, n_outputs=4)
    trees = [random_tree(rng, MIXED, 9), slim, wide]
    assert all(map(same, trees, unpack_trees(pack_trees(trees))))


def test_pickles_and_copies() -> None:
    rng = np.random.default_rng(3)
    for n_leaves in (5, 400):
        tree = random_tree(rng, MIXED, n_leaves, multiway=False)
        assert same(pickle.loads(pickle.dumps(tree)), tree)
        assert same(copy.deepcopy(tree), tree)
    rounds = [(0.5, (tree, tree)), (-1.0, (tree, tree))]
    total = AdditiveTrees(np.array([1.0, 2.0]))
    for vote, trees in rounds:
        total = total.plus(vote, trees)
    again = pickle.loads(pickle.dumps(total))
    assert again.votes.tolist() == [0.5, -1.0]
    assert all(same(a, tree) for a in again.trees)
    assert len(again) == 2


def test_a_forest_is_an_order_of_magnitude_smaller_than_scikit_learns() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(3000, 10)).astype(np.float32)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=3000) > 0).astype(int)
    theirs = Theirs(10, random_state=0).fit(X, y)
    ours = RandomForestClassifier(10, random_state=0).fit(X, y)
    n_theirs = sum(tree.tree_.node_count for tree in theirs.estimators_)
    n_ours = sum(len(tree) for tree in ours.trees_)
    size = len(pickle.dumps(ours.trees_)) / n_ours
    assert size < 5  # bytes a node, counts, gains and the values of all nodes included
    assert 10 * size < len(pickle.dumps(theirs)) / n_theirs
    again = pickle.loads(pickle.dumps(ours))
    assert all(map(same, ours.trees_, again.trees_))
    assert same_bits(again.predict_proba(X), ours.predict_proba(X))


def test_numbers_that_are_no_counts() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(2000, 5))
    y = X[:, 0] * 3 + rng.normal(size=2000)
    forest = RandomForestRegressor(8, random_state=0).fit(X, y)
    packed = pack_trees(forest.trees_)
    assert all(map(same, forest.trees_, unpack_trees(packed)))
    assert len(packed) < 9 * sum(map(len, forest.trees_))
