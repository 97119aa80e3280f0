"""Trees in files: whole, small, and refused where a step would lead astray."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from tests.files.forge import reread, written
from weaklearn.base.trees.tree import MULTIWAY, THRESHOLD, Tree
from weaklearn.base.trees.tree_arrays import EVERY_CHILD, LEAF, SUBSET
from weaklearn.files import Flaw, ModelFileError, Shape
from weaklearn.files.tree import fits, make_many, take_many


def tree(n: int = 7, seed: int = 0, n_outputs: int = 2, **others: Any) -> Tree:
    """A tree of n nodes (an odd number), grown at random by tests of thresholds."""
    rng = np.random.default_rng(seed)
    ask, first = np.zeros(n, np.uint8), np.zeros(n, np.int32)
    leaves, size = [0], 1
    while size < n:
        node = leaves.pop(rng.integers(len(leaves)))
        ask[node], first[node] = THRESHOLD, size
        leaves += [size, size + 1]
        size += 2
    inner = ask != LEAF
    arrays = {
        "ask": ask,
        "feature": np.where(inner, rng.integers(0, 5, n), -1),
        "threshold": np.where(inner, rng.normal(size=n), 0.0),
        "first": first,
        "width": np.where(inner, 2, 0),
        "missing": np.where(inner, rng.integers(0, 2, n), 0),
        "subset": np.full(n, -1),
        "value": np.arange(n),
        "weight": rng.random(n),
        "count": rng.integers(1, 50, n),
        "gain": np.where(inner, rng.random(n), 0.0),
        "subsets": np.zeros((0, 4)),
        "values": rng.random((n, n_outputs)),
    }
    return Tree.of(arrays | others)


def families() -> Tree:
    """A test of three branches on levels, one of a set, and leaves that share their values."""
    return Tree.of(
        {
            "ask": [MULTIWAY, LEAF, SUBSET, LEAF, LEAF, LEAF, LEAF],
            "feature": [1, -1, 1, -1, -1, -1, -1],
            "threshold": np.zeros(7),
            "first": [1, 0, 4, 0, 0, 0, 0],
            "width": [3, 0, 3, 0, 0, 0, 0],
            "missing": [EVERY_CHILD, 0, 2, 0, 0, 0, 0],
            "subset": [-1, -1, 0, -1, -1, -1, -1],
            "value": [0, 1, 0, 1, 1, 0, 1],
            "weight": np.ones(7),
            "count": np.ones(7),
            "gain": [0.5, 0, 0.25, 0, 0, 0, 0],
            "subsets": [[5, 0, 0, 2**63]],
            "values": [[0.25], [1.0]],
        }
    )


SHAPE = Shape(5, {1: 3}, {}, 2)


def same(a: Tree, b: Tree) -> bool:
    ours, theirs = a.arrays(), b.arrays()
    return all(
        ours[name].dtype == theirs[name].dtype
        and ours[name].shape == theirs[name].shape
        and ours[name].tobytes() == theirs[name].tobytes()
        for name in ours
    )


@pytest.mark.parametrize(
    "trees",
    [
        [tree(1)],
        [tree(7)],
        [tree(n, seed=n) for n in (1, 3, 301, 9)],
        [families(), families()],
        [tree(5, n_outputs=1), families()],
        [tree(5, weight=np.arange(5.0), count=np.arange(5))],
    ],
    ids=["a leaf", "one", "many", "families", "mixed", "whole weights"],
)
def test_trees_come_back(trees: list[Tree]) -> None:
    again = reread(written(trees))
    assert type(again) is list
    assert all(map(same, trees, again))
    assert same(reread(written(trees[0])), trees[0])


def test_a_forest_takes_little_room() -> None:
    whole = {"weight": np.full(401, 3.0), "count": np.full(401, 3)}
    forest = [tree(401, seed, n_outputs=1, **whole) for seed in range(50)]
    bytes_a_node = len(written(forest)) / (50 * 401)
    assert bytes_a_node < 22
    assert len(written(forest)) < len(pickle.dumps([t.arrays() for t in forest])) / 2


def changed(name: str, place: Any, value: Any) -> Tree:
    """The tree of seven nodes with one entry of one column changed."""
    arrays = {key: array.copy() for key, array in tree().arrays().items()}
    arrays[name][place] = value
    return Tree(**arrays)


ROOT = 0
WRONG = {
    "child before its parent": ("first", ROOT, -1),
    "child equal to its parent": ("first", ROOT, 0),
    "child outside": ("first", ROOT, 6),
    "child far outside": ("first", ROOT, 2**30),
    "child of two parents": ("first", ROOT, 3),
    "too many children": ("width", ROOT, 3),
    "no children": ("width", ROOT, 0),
    "one child": ("width", ROOT, 1),
    "missing beyond the children": ("missing", ROOT, 2),
    "missing below -1": ("missing", ROOT, -2),
    "feature below 0": ("feature", ROOT, -1),
    "NaN threshold": ("threshold", ROOT, np.nan),
    "infinite threshold": ("threshold", ROOT, -np.inf),
    "NaN value": ("values", (3, 1), np.nan),
    "infinite value": ("values", (0, 0), np.inf),
    "value beyond": ("value", 2, 7),
    "value below": ("value", 2, -1),
    "NaN gain": ("gain", ROOT, np.nan),
    "NaN weight": ("weight", 2, np.nan),
    "negative weight": ("weight", 2, -1.0),
    "negative count": ("count", 2, -1),
    "a test of no kind": ("ask", ROOT, 9),
    "a leaf that has children": ("ask", ROOT, LEAF),
}


@pytest.mark.parametrize("name", WRONG)
def test_trees_that_lead_astray_are_refused(name: str) -> None:
    with pytest.raises(ModelFileError):
        reread(written(changed(*WRONG[name])))


def test_cycles_cannot_be_written() -> None:
    """Two nodes that are each other's children leave somebody without a parent."""
    fields = take_many([tree()])
    steps = fields[4].astype(np.int64)
    for k in range(len(steps)):
        for step in (-5, -1, 0):
            other = steps.copy()
            other[k] = step
            with pytest.raises(Flaw):
                make_many(1, [*fields[:4], other, *fields[5:]])


@pytest.mark.parametrize("column", range(14))
def test_columns_of_another_length_or_kind_are_refused(column: int) -> None:
    whole = take_many([tree(), families_with_two_outputs()])
    make_many(2, whole)
    for other in (None, 3, "x", [], np.zeros(2), np.zeros((2, 2)), np.array(["a"]), whole[0][:0]):
        if other is None and column in (5, 8, 11):  # which stands for the usual
            continue
        fields = [*whole[:column], other, *whole[column + 1 :]]
        with pytest.raises(Flaw):
            make_many(2, fields)
    with pytest.raises(Flaw):
        make_many(3, whole)
    with pytest.raises(Flaw):
        make_many(2, whole[:column] + whole[column + 1 :])


def families_with_two_outputs() -> Tree:
    arrays = families().arrays() | {"values": np.array([[0.25, 0.75], [1.0, 0.0]])}
    return Tree(**arrays)


def astray(other: dict[str, Any], shape: Shape = SHAPE) -> None:
    with pytest.raises(Flaw):
        fits("tree", [Tree(**(families().arrays() | other))], shape)


def test_trees_fit_their_columns() -> None:
    fits("tree", [families()], SHAPE)
    fits("tree", [tree()], Shape(5, {}, {}, 2))
    for n in (4, 0):
        if (tree().feature >= n).any():
            with pytest.raises(Flaw, match="feature"):
                fits("tree", [tree()], Shape(n, {}, {}, 2))
    astray({}, Shape(5, {1: 4}, {}, 2))  # four levels, three branches
    astray({}, Shape(5, {1: 300}, {}, 2))
    astray({}, Shape(5, {}, {}, 2))  # no levels at all
    with pytest.raises(Flaw, match="kind of its column"):
        fits("tree", [tree()], Shape(5, dict.fromkeys(range(5), 2), {}, 2))
    astray({"missing": np.array([0, 0, 0, 0, 0, 0, 0], np.int32)})  # avoids the branch of its own


def test_thresholds_on_ranks_lie_between_ranks() -> None:
    one = tree(3, feature=[0, -1, -1], threshold=[1.5, 0, 0])
    fits("tree", [one], Shape(1, {}, {0: 3}, 2))
    for ranks in (0, 1, 2):
        with pytest.raises(Flaw, match="between no two values"):
            fits("tree", [one], Shape(1, {}, {0: ranks}, 2))


def test_rows_are_not_shared_out_among_nobody() -> None:
    with pytest.raises(ModelFileError, match="without weight"):
        reread(written(Tree(**(families().arrays() | {"weight": np.zeros(7)}))))
    light = np.array([1.0, *[1e-20] * 6])  # which rounds away beside those that stand before
    reread(written(Tree(**(families().arrays() | {"weight": light}))))


def test_known_against_missing_is_a_test_of_any_column() -> None:
    last = np.finfo(float).max
    one = tree(3, feature=[0, -1, -1], threshold=[last, 0, 0])
    for shape in (Shape(1, {}, {}, 2), Shape(1, {0: 3}, {}, 2), Shape(1, {}, {0: 3}, 2)):
        fits("tree", [one], shape)
