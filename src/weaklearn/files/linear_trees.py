"""Sums of trees whose leaves have slopes in a file: the trees as ever, and the slopes of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.trees.linear_tree import LinearTree, Slopes
from ..base.trees.tree_arrays import EVERY_CHILD
from ..base.types import Floats
from ..base.votes.linear_trees import LinearTrees
from .array import narrow
from .check import floats, inside, integers, need
from .member import MOST_SCORE
from .record import Record, expect
from .shape import Shape
from .tree_votes import ADDITIVE

_NUMBERS = ("slope", "centre", "low", "high")


def _take(ensemble: LinearTrees) -> list[Any]:
    slopes = [tree.slopes for tree in ensemble.trees]

    def joined(name: str, dtype: Any) -> Any:
        return np.concatenate([np.zeros(0, dtype), *(getattr(of, name) for of in slopes)])

    whole = [narrow(joined(name, np.int32)) for name in ("count", "feature")]
    base, votes, trees = ADDITIVE.take(ensemble)
    plain = [tree.plain for tree in trees]
    return [base, votes, plain, *whole, *(joined(name, np.float64) for name in _NUMBERS)]


def _make(fields: list[Any]) -> LinearTrees:
    expect(fields, 9)
    plain = ADDITIVE.make(fields[:3])
    length = [len(tree) for tree in plain.trees]
    count = integers("count of slopes", fields[3], sum(length), 0, 2**20, np.int32)
    n = int(count.sum())
    feature = integers("feature of a slope", fields[4], n, 0, 2**31 - 1, np.int32)
    numbers = [floats(name, each, n) for name, each in zip(_NUMBERS, fields[5:], strict=True)]
    _check(count, feature, numbers)
    nodes = np.cumsum([0, *length])
    starts = np.concatenate([[0], np.cumsum(count)])[nodes].tolist()
    K, most, ensemble = plain.n_outputs, np.abs(plain.base).max(), LinearTrees(plain.base)
    for t, (vote, trees) in enumerate(plain):
        grown = []
        for k, tree in enumerate(trees, start=t * K):
            own = slice(starts[k], starts[k + 1])
            counts = count[nodes[k] : nodes[k + 1]]
            need(not counts[~tree.is_leaf].any(), "a node that is no leaf has slopes")
            need(
                (tree.missing != EVERY_CHILD).all(),
                "rows go to every child, and leaves have slopes",
            )
            slopes = Slopes(counts, feature[own], *(each[own] for each in numbers))
            grown.append(LinearTree.with_slopes(tree, slopes))
        ensemble = ensemble.plus(vote, grown)
    with np.errstate(all="ignore"):
        most += float(ensemble.weight.max(initial=0.0))
    need(most <= MOST_SCORE, "the votes have no finite sum")
    return ensemble


def _check(count: NDArray[np.int32], feature: NDArray[np.int32], numbers: list[Floats]) -> None:
    """Refuses slopes that no fit finds: loops by columns and by leaves add them up differently."""
    slope, _, low, high = numbers
    node = np.repeat(np.arange(len(count)), count)
    ascend = (np.diff(node) > 0) | (np.diff(feature) > 0)
    need(ascend.all(), "the slopes of a leaf are not in the order of their columns")
    need((slope != 0).all(), "a slope is 0")
    need((low <= high).all(), "a slope ends before it begins")


def _fits(name: str, ensembles: Sequence[LinearTrees], shape: Shape) -> None:
    assert ADDITIVE.fits is not None
    ADDITIVE.fits(name, ensembles, shape)
    for ensemble in ensembles:
        for tree in ensemble.trees:
            feature = tree.slopes.feature
            inside(f"{name}: feature of a slope", feature, 0, shape.n_features - 1)
            numbers = shape.n_categories_of(feature) == 0
            need(numbers.all(), f"{name}: a slope is along a column of categories")


LINEAR_TREES = Record(
    78, LinearTrees, _take, _make, fits=_fits, n_items=ADDITIVE.n_items, holds=ADDITIVE.holds
)
