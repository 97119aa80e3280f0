"""Groves: averages, leaves and single answers of trees written by hand."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from weaklearn.base import Rows
from weaklearn.base.trees.grove import Grove
from weaklearn.base.trees.tree import THRESHOLD, Tree
from weaklearn.base.trees.tree_arrays import LEAF
from weaklearn.engines import Engine
from weaklearn.intake.cells import Cells


def split(feature: int, threshold: float, low: list[float], high: list[float]) -> Tree:
    """One test, two leaves."""
    return Tree.of(
        {
            "ask": [THRESHOLD, LEAF, LEAF],
            "feature": [feature, -1, -1],
            "threshold": [threshold, 0, 0],
            "first": [1, 0, 0],
            "width": [2, 0, 0],
            "missing": [1, 0, 0],
            "subset": [-1, -1, -1],
            "value": [0, 1, 2],
            "weight": [1, 0.5, 0.5],
            "count": [2, 1, 1],
            "gain": [1, 0, 0],
            "subsets": np.zeros((0, 4)),
            "values": [[0.5, 0.5], low, high],
        }
    )


def rows_of(X: Any) -> Rows:
    matrix = np.array(X, float)
    return Rows(Cells(*matrix.shape, matrix), matrix, Engine())


TREES = [split(k % 2, k / 10, [1.0, 0.0], [k / 40, 1 - k / 40]) for k in range(40)]
ROWS = rows_of([[0.0, 5.0], [2.05, -1.0], [np.nan, 1.0]])


def expected(tree: Tree, row: Any) -> Any:
    x = row[tree.feature[0]]
    return tree.values[2 if np.isnan(x) or x > tree.threshold[0] else 1]


def test_answers_tree_by_tree_and_their_average() -> None:
    grove = Grove(TREES)
    wanted = np.array([[expected(tree, row) for row in ROWS.raw] for tree in TREES])
    said = np.array(list(grove.answers(ROWS)))
    assert said.tolist() == wanted.tolist()
    assert grove.average(ROWS) == pytest.approx(wanted.mean(axis=0))
    leaves = grove.apply(ROWS)
    assert leaves.shape == (3, 40)
    assert [tree.values[tree.value[leaf]].tolist() for tree, leaf in zip(TREES, leaves[1])] == [
        tree.tolist() for tree in wanted[:, 1]
    ]


def test_a_grove_grows_and_is_a_sequence() -> None:
    grove = Grove(TREES[:30])
    grove.average(ROWS)
    grown = grove.plus(TREES[30:])
    assert len(grove) == 30
    assert list(grown) == TREES
    assert grown[3] is TREES[3]
    assert grown.average(ROWS).tolist() == Grove(TREES).average(ROWS).tolist()


def test_no_rows() -> None:
    grove = Grove(TREES)
    nobody = rows_of(np.zeros((0, 2)))
    assert grove.average(nobody).shape == (0, 2)
    assert grove.apply(nobody).shape == (0, 40)
    assert [part.shape for part in grove.answers(nobody)] == [(0, 2)] * 40


def test_a_pickle_holds_the_trees_alone() -> None:
    grove = Grove(TREES)
    before = len(pickle.dumps(grove))
    average = grove.average(ROWS)
    assert len(pickle.dumps(grove)) == before
    again = pickle.loads(pickle.dumps(grove))
    assert again.average(ROWS).tolist() == average.tolist()
