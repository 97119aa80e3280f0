"""The proof that trees of a file are sound, in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.base.compression.batch import Batch
from weaklearn.base.trees.tree import MULTIWAY
from weaklearn.base.trees.tree_arrays import EVERY_CHILD, LEAF
from weaklearn.files.check import MOST, all_finite, inside, need
from weaklearn.files.tree_proof import NEARLY, Proof, Tests

_MOST_WEIGHT = 1e290  # so that sums stay finite


def proof_of(batch: Batch) -> Proof:
    """What is known of trees; they are refused unless they are sound."""
    columns, total = batch.columns, int(batch.length.sum())
    for name, column in columns.items():
        if name not in ("subsets", "values"):
            need(len(column) == total, f"{name} has not one entry a node")
    inside("ask", columns["ask"], LEAF, MULTIWAY)
    _children_hold(columns, batch.length, total)
    _numbers_hold(columns)
    _rows_are_there(batch)
    return Proof(Tests.asked(columns), *_reach_and_shares(columns["values"], batch.rows))


def _children_hold(columns: Mapping[str, NDArray[Any]], length: NDArray[Any], total: int) -> None:
    """Refuses tests whose children are not those of a tree, or that send values to none."""
    tests = np.flatnonzero(columns["ask"])
    start = np.cumsum(length) - length
    root, end = np.repeat(start, length)[tests], np.repeat(start + length, length)[tests]
    first, width = columns["first"][tests] + root, columns["width"][tests].astype(np.int64)
    need((first > tests).all(), "a child stands before its parent")
    need((width >= 2).all(), "a test has fewer than two children")
    need((first + width <= end).all(), "a child stands outside of its tree")
    _one_parent(first, width, start, total)
    missing = columns["missing"][tests]
    inside("missing", missing, EVERY_CHILD, MOST)
    need((missing < width).all(), "missing values go to a child that there is not")
    inside("feature", columns["feature"][tests], 0, MOST)
    _heavy_children(columns["weight"], first, width, missing)


def _one_parent(
    first: NDArray[np.int64], width: NDArray[np.int64], roots: NDArray[np.int64], total: int
) -> None:
    """Refuses trees in which a node other than a root has not exactly one parent."""
    need(int(width.sum()) == total - len(roots), "some node has no parent, or several")
    children = np.repeat(first - np.cumsum(width) + width, width)
    children += np.arange(len(children))
    parents = np.bincount(children, minlength=total)
    parents[roots] += 1
    need((parents == 1).all(), "some node has no parent, or several")


def _heavy_children(
    weight: NDArray[np.float64],
    first: NDArray[np.int64],
    width: NDArray[np.int64],
    missing: NDArray[Any],
) -> None:
    """Refuses a test that sends missing values to all children if these have no weight."""
    shared = missing == EVERY_CHILD
    if shared.any():
        before = np.concatenate([[0], np.cumsum(weight > 0)])  # a sum of weights would round
        heavy = before[(first + width)[shared]] > before[first[shared]]
        need(heavy.all(), "a row is to be shared out among children without weight")


def _numbers_hold(columns: Mapping[str, NDArray[Any]]) -> None:
    """Refuses numbers that are not finite, or too large to add up."""
    inside("count", columns["count"], 0, 2**62)
    for name in ("weight", "threshold", "gain", "values"):
        all_finite(name, columns[name])
    weight = columns["weight"]
    need(weight.min() >= 0 and weight.max() <= _MOST_WEIGHT, "a node's weight cannot be")
    gain = columns["gain"]
    need(max(-gain.min(), gain.max()) <= _MOST_WEIGHT, "a test's gain cannot be")


def _rows_are_there(batch: Batch) -> None:
    """Refuses nodes that name a value that there is not."""
    columns, rows = batch.columns, batch.rows
    need(columns["values"].shape[1] >= 1 and rows.min() >= 1, "a tree has no values")
    inside("value", columns["value"], 0, MOST)
    there = columns["value"] < np.repeat(rows, batch.length)
    need(there.all(), "a node answers with a value that there is not")


def _reach_and_shares(
    values: NDArray[np.float64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Of each tree: the greatest absolute value, and whether all rows are distributions."""
    starts = np.cumsum(rows) - rows
    low, high = values.min(axis=1), values.max(axis=1)
    even = (low >= 0) & (np.abs(values.sum(axis=1) - 1) <= NEARLY)
    reach = np.maximum(-low, high)
    return np.maximum.reduceat(reach, starts), np.logical_and.reduceat(even, starts)
