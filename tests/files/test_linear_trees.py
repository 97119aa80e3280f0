"""Sums of trees with slopes in a file: they come back, and what is off in them is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.files.forge import reread, written
from tests.files.test_tree import tree
from weaklearn.base.trees.linear_tree import LinearTree, Slopes
from weaklearn.base.trees.tree_arrays import EVERY_CHILD
from weaklearn.base.votes.linear_trees import LinearTrees
from weaklearn.files import Flaw, ModelFileError, Shape
from weaklearn.files.linear_trees import LINEAR_TREES

ONE = tree(9, n_outputs=1)


def slopes(**others: Any) -> Slopes:
    count = np.zeros(len(ONE), np.int32)
    count[np.flatnonzero(ONE.is_leaf)[:2]] = (2, 1)
    numbers = {"slope": [0.5, -1.0, 2.0], "centre": [0.0, 1.0, 2.0]}
    ends = {"low": [-1.0, 0.0, 2.0], "high": [1.0, 2.0, 2.0]}
    arrays = {name: np.array(of) for name, of in (numbers | ends).items()}
    plain = Slopes(count=count, feature=np.array([0, 1, 1], np.int32), **arrays)
    return replace(plain, **others)


def ensemble(**others: Any) -> LinearTrees:
    grown = LinearTree.with_slopes(ONE, slopes(**others))
    return LinearTrees(np.array([0.5, -1.0])).plus(0.1, [grown, grown]).plus(0.2, [grown] * 2)


def test_they_come_back() -> None:
    again = reread(written(ensemble()))
    assert type(again) is LinearTrees
    assert again.votes.tolist() == [0.1, 0.2]
    assert again.weight.tolist() == ensemble().weight.tolist()
    for one, other in zip(again.trees, ensemble().trees, strict=True):
        for name, array in one.arrays().items():
            assert np.array_equal(array, getattr(other, name))
        for own, first in zip(one.slopes.arrays(), other.slopes.arrays(), strict=True):
            assert own.dtype == first.dtype
            assert np.array_equal(own, first)
    nothing = reread(written(LinearTrees(np.zeros(1))))
    assert type(nothing) is LinearTrees
    assert len(nothing) == 0


INNER = np.where(ONE.is_leaf, 0, 1).astype(np.int32)
OFF: dict[str, tuple[dict[str, Any], str]] = {
    "slopes of inner nodes": (
        {"count": INNER * (INNER.cumsum() <= 3)},
        "no leaf has slopes",
    ),
    "too few counts": ({"count": slopes().count[:-1]}, "count of slopes"),
    "a negative count": ({"count": -slopes().count}, "count of slopes"),
    "too few columns": ({"feature": np.zeros(2, np.int32)}, "feature of a slope"),
    "a negative column": ({"feature": np.array([0, -1, 1])}, "feature of a slope"),
    "a column twice": ({"feature": np.array([0, 0, 1])}, "order of their columns"),
    "columns that descend": ({"feature": np.array([1, 0, 1])}, "order of their columns"),
    "a slope of 0": ({"slope": np.array([0.5, -0.0, 2.0])}, "a slope is 0"),
    "a slope that is NaN": ({"slope": np.array([0.0, np.nan, 0.0])}, "slope"),
    "an infinite centre": ({"centre": np.array([0.0, np.inf, 0.0])}, "centre"),
    "an end before the beginning": ({"high": np.array([1.0, -2.0, 2.0])}, "before it begins"),
    "a reach beyond all numbers": (
        {"slope": np.full(3, 1e300), "high": np.full(3, 1e300)},
        "reach|finite sum",
    ),
}


@pytest.mark.parametrize("name", OFF)
def test_what_is_off_is_refused(name: str) -> None:
    others, words = OFF[name]
    with pytest.raises(ModelFileError, match=words):
        reread(written(ensemble(**others)))


def test_rows_end_in_one_leaf() -> None:
    parts = replace(ONE, missing=np.where(ONE.is_leaf, 0, EVERY_CHILD).astype(np.int32))
    whole = LinearTrees(np.zeros(1)).plus(0.1, [LinearTree.with_slopes(parts, slopes())])
    with pytest.raises(ModelFileError, match="every child"):
        reread(written(whole))


def test_slopes_are_along_columns_of_numbers() -> None:
    fits = LINEAR_TREES.fits
    assert fits is not None
    plain = LinearTree.with_slopes(tree(1, n_outputs=1), slopes(count=np.array([3], np.int32)))
    some = [LinearTrees(np.zeros(1)).plus(1.0, [plain])]
    fits("sum", some, Shape(2, {}, {}, 0))
    for shape, words in (
        (Shape(1, {}, {}, 0), "feature of a slope"),
        (Shape(2, {1: 3}, {}, 0), "column of categories"),
    ):
        with pytest.raises(Flaw, match=words):
            fits("sum", some, shape)
