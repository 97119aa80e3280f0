"""Prediction through trees: the kernel against its twin, and the same bits however it is asked."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import forest as twin
from tests.samples import same_bits
from tests.trees import random_rows, random_tree
from weaklearn.base.trees.tree import THRESHOLD, Tree
from weaklearn.base.trees.tree_arrays import EVERY_CHILD
from weaklearn.engines import Engine

NUMBERS = np.zeros(5, int)
MIXED = np.array([0, 3, 0, 1, 200, 7])


def cells_of(X: Any, n_categories: Any = None, form: str = "table") -> Any:
    """X as cells of one form; -1 and NaN are the same missing level."""
    n, d = X.shape
    cells = SimpleNamespace(
        n_rows=n, n_features=d, matrix=None, sparse=None, columns=None, n_categories=None
    )
    if form == "matrix":
        cells.matrix = X
    elif form == "sparse":
        cells.sparse = scipy.sparse.csc_array(X)
    else:
        levels = np.zeros(d, int) if n_categories is None else n_categories
        cells.columns = [
            np.nan_to_num(X[:, j], nan=-1).astype(np.int32)
            if levels[j]
            else X[:, j].astype(np.float64)
            for j in range(d)
        ]
        cells.n_categories = levels
    return cells


def packed(trees: Any, n_categories: Any, **more: Any) -> Any:
    return Engine().prediction.forest(trees, len(n_categories), n_categories, **more)


def several(rng: Any, n_trees: int, n_categories: Any, **kinds: Any) -> list[Tree]:
    return [
        random_tree(rng, n_categories, int(rng.integers(1, 40)), **kinds) for _ in range(n_trees)
    ]


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n=st.sampled_from([1, 7, 15, 16, 127, 128, 130]),
    n_trees=st.integers(1, 12),
    n_outputs=st.integers(1, 3),
    numbers=st.booleans(),
    fraction=st.booleans(),
)
def test_sums_leaves_and_values_are_those_of_the_twin(
    seed: int, n: int, n_trees: int, n_outputs: int, numbers: bool, fraction: bool
) -> None:
    rng = np.random.default_rng(seed)
    n_categories = NUMBERS if numbers else MIXED
    X = random_rows(rng, n, n_categories)
    votes, base = rng.normal(size=n_trees), rng.normal(size=n_outputs)
    for outputs in (np.full(n_trees, -1), rng.integers(n_outputs, size=n_trees)):
        k = 1 if outputs[0] >= 0 else n_outputs
        trees = several(rng, n_trees, n_categories, n_outputs=k, fraction=fraction)
        forest = packed(trees, n_categories, votes=votes, outputs=outputs, n_outputs=n_outputs)
        cells = cells_of(X, n_categories)
        found = forest.sum(cells, 2, base)
        expected = twin.forest_sum(trees, X, n_categories, votes, outputs, n_outputs, base)
        assert same_bits(found, expected)
        assert same_bits(forest.apply(cells, 2), twin.forest_apply(trees, X, n_categories))
        if k == 1:
            by_tree = [[twin.value(tree, x, n_categories)[0] for tree in trees] for x in X]
            assert same_bits(forest.each(cells, 2), np.array(by_tree))


@pytest.mark.parametrize("n_leaves", [2, 31, 64, 200, 400])
def test_the_same_bits_in_any_form_batch_and_number_of_threads(n_leaves: int) -> None:
    rng = np.random.default_rng(n_leaves)
    X = random_rows(rng, 2500, NUMBERS, missing=0.05).astype(np.float32)
    X[rng.random(X.shape) < 0.4] = 0
    # Thresholds beside, at and between the values, and far outside of them.
    cuts = np.concatenate([X[:300].ravel(), X[:300].ravel() + 1e-12, [1e300, -1e300, 0.0]])
    cuts = cuts[~np.isnan(cuts)]
    trees = [random_tree(rng, NUMBERS, n_leaves, cuts=cuts) for _ in range(30)]
    forest = packed(trees, NUMBERS)
    whole = forest.sum(cells_of(X, form="matrix"), 1, 0.5)
    wide = X.astype(np.float64)
    for other in (
        cells_of(np.asfortranarray(X), form="matrix"),
        cells_of(wide, form="matrix"),
        cells_of(np.repeat(wide, 2, axis=1)[:, ::2], form="matrix"),
        cells_of(wide, form="table"),
        cells_of(wide, form="sparse"),
        cells_of(X, form="sparse"),
    ):
        for threads in (1, 3):
            assert same_bits(forest.sum(other, threads, 0.5), whole)
    for size in (1, 5, 100, 1300):
        for begin in (0, 1111):
            part = cells_of(wide[begin : begin + size], form="matrix")
            assert same_bits(forest.sum(part, 2, 0.5), whole[begin : begin + size])
    staged = forest.sum(cells_of(X, form="matrix"), 2, 0.5, 0, 11)
    for i in range(0, 2500, 500):  # one row's base is another's stage
        row = cells_of(X[i : i + 1], form="matrix")
        assert same_bits(forest.sum(row, 1, staged[i], 11), whole[i : i + 1])


def test_a_single_is_compared_as_it_is() -> None:
    tree = stump(threshold=0.1)  # the single nearest to 0.1 lies above it
    forest = packed([tree], [0])
    x = np.array([[0.1], [0.05], [np.nan]] * 30, np.float32)
    assert forest.apply(cells_of(x, form="matrix"), 1)[:3, 0].tolist() == [2, 1, 1]
    assert forest.apply(cells_of(x[:3], form="matrix"), 1)[:, 0].tolist() == [2, 1, 1]


def test_many_thresholds_and_unsorted_sparse_columns() -> None:
    rng = np.random.default_rng(7)
    trees = [random_tree(rng, NUMBERS, 60) for _ in range(60)]  # some 700 thresholds a feature
    X = random_rows(rng, 300, NUMBERS)
    X[rng.random(X.shape) < 0.5] = 0
    forest = packed(trees, NUMBERS)
    sparse = scipy.sparse.csc_array(X)
    for j in range(5):
        entries = slice(sparse.indptr[j], sparse.indptr[j + 1])
        order = rng.permutation(sparse.indptr[j + 1] - sparse.indptr[j])
        sparse.indices[entries] = sparse.indices[entries][order]
        sparse.data[entries] = sparse.data[entries][order]
    cells = cells_of(X, form="table")
    cells.columns, cells.sparse = None, sparse
    expected = twin.forest_sum(trees, X, NUMBERS, np.ones(60), np.full(60, -1), 1, 0.0)
    assert same_bits(forest.sum(cells, 2), expected)


def test_a_share_goes_to_every_child() -> None:
    tree = replace(
        stump(0.0),
        missing=np.array([EVERY_CHILD, 0, 0], np.int32),
        weight=np.array([4.0, 1.0, 3.0]),
    )
    forest = packed([tree], [0])
    x = np.array([[np.nan], [1.0], [-1.0]])
    assert forest.sum(cells_of(x, form="matrix"), 1).ravel().tolist() == [0.25 * 1 + 0.75 * 2, 2, 1]
    assert forest.apply(cells_of(x, form="matrix"), 1).ravel().tolist() == [2, 2, 1]


@pytest.mark.parametrize("form", ["matrix", "sparse by rows"])
def test_a_range_of_trees_and_none(form: str) -> None:
    rng = np.random.default_rng(3)
    trees = several(rng, 6, NUMBERS)
    X = random_rows(rng, 40, NUMBERS)
    cells = cells_of(X, form="matrix")
    if form == "sparse by rows":
        cells.matrix, cells.sparse = None, scipy.sparse.csr_array(X)
    forest = packed(trees, NUMBERS)
    assert len(forest) == 6
    assert same_bits(
        forest.sum(cells, 1, 1.0, 2, 5), packed(trees[2:5], NUMBERS).sum(cells, 1, 1.0)
    )
    assert (forest.sum(cells, 1, 7.0, 3, 3) == 7).all()
    assert (packed([], NUMBERS).sum(cells, 1, 7.0) == 7).all()
    with pytest.raises(ValueError, match="range of trees"):
        forest.sum(cells, 1, 0.0, 2, 7)


def test_no_rows() -> None:
    forest = packed([stump(0.0)], [0])
    none = cells_of(np.empty((0, 1)), form="matrix")
    assert forest.sum(none, 2).shape == (0, 1)
    assert forest.apply(none, 2).shape == (0, 1)


def stump(threshold: float) -> Tree:
    return Tree.of(
        {
            "ask": [THRESHOLD, 0, 0],
            "feature": [0, -1, -1],
            "threshold": [threshold, 0, 0],
            "first": [1, 0, 0],
            "width": [2, 0, 0],
            "missing": [0, 0, 0],
            "subset": [-1, -1, -1],
            "value": [0, 1, 2],
            "weight": [2.0, 1, 1],
            "count": [2, 1, 1],
            "gain": [1.0, 0, 0],
            "subsets": np.empty((0, 4)),
            "values": [[0.0], [1.0], [2.0]],
        }
    )


@pytest.mark.parametrize(
    ("array", "found", "complaint"),
    [
        ("ask", [4, 0, 0], "test of node 0"),
        ("ask", [2, 0, 0], "kind of feature"),
        ("feature", [1, -1, -1], "feature of node 0"),
        ("feature", [-1, -1, -1], "feature of node 0"),
        ("threshold", [np.nan, 0, 0], "threshold of node 0"),
        ("threshold", [np.inf, 0, 0], "threshold of node 0"),
        ("first", [0, 0, 0], "first child of node 0"),
        ("first", [2, 0, 0], "first child of node 0"),
        ("first", [2**31 - 1, 0, 0], "first child of node 0"),
        ("width", [3, 0, 0], "width of node 0"),
        ("width", [1, 0, 0], "width of node 0"),
        ("width", [-1, 0, 0], "width of node 0"),
        ("width", [2, 2, 0], "width of node 1"),
        ("missing", [2, 0, 0], "side of missing values of node 0"),
        ("missing", [-2, 0, 0], "side of missing values of node 0"),
        ("value", [0, 3, 0], "value of node 1"),
        ("value", [0, -1, 0], "value of node 1"),
        ("value", [0, -2, 0], "value of node 1"),
        ("ask", np.empty(0), "feature has 3 entries"),
        ("weight", [1.0, 2.0], "weight has 2 entries"),
        ("values", np.zeros((3, 2)), "wrong width"),
    ],
)
def test_a_false_array_is_refused(array: str, found: Any, complaint: str) -> None:
    tree = stump(0.5)
    false = replace(tree, **{array: np.array(found, getattr(tree, array).dtype)})
    with pytest.raises(ValueError, match=complaint):
        packed([tree, false], [0])


def test_false_shapes_of_trees_are_refused() -> None:
    tree = random_tree(np.random.default_rng(0), NUMBERS, 3, branch=False)
    inner = np.flatnonzero(tree.first)
    twice = tree.first.copy()
    twice[inner[1]] = twice[0]
    if twice[inner[1]] <= inner[1]:
        twice[inner[1]] = 3  # its own children, shifted by none: keep it after its parent
        twice[0] = 3
    with pytest.raises(ValueError, match="two parents"):
        packed([replace(tree, first=twice)], NUMBERS)
    lonely = {name: array[:1] for name, array in stump(0.0).arrays().items()}
    lonely["ask"] = np.zeros(1, np.uint8)
    lonely["feature"], lonely["width"] = np.array([-1], np.int32), np.zeros(1, np.int32)
    assert len(packed([Tree.of(lonely)], [0])) == 1
    two = {
        name: np.repeat(array, 2, axis=0) if name not in ("values", "subsets") else array
        for name, array in lonely.items()
    }
    with pytest.raises(ValueError, match="node 1 has no parent"):
        packed([Tree.of(two)], [0])


def test_false_cells_are_refused() -> None:
    forest = packed([stump(0.0)], [0])
    with pytest.raises(ValueError, match="a row has 2 cells, expected 1"):
        forest.sum(cells_of(np.zeros((3, 2)), form="matrix"), 1)
    sparse = cells_of(np.ones((3, 1)), form="sparse")
    sparse.sparse.indices[1] = 3
    with pytest.raises(ValueError, match="row index"):
        forest.sum(sparse, 1)
    levels = packed([random_tree(np.random.default_rng(1), [3], 4)], [3])
    with pytest.raises(ValueError, match="column 0 holds numbers, expected categories"):
        levels.sum(cells_of(np.zeros((3, 1)), form="matrix"), 1)
