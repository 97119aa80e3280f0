"""Sums and averages of trees in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.trees.grove import Grove
from ..base.trees.tree import Tree
from ..base.votes.tree_sum import AdditiveTrees
from .check import array, floats, need, of_type
from .ensembles import as_many_as, must_be_finite, outputs_fit
from .held_tree import known_reach
from .record import Record, expect
from .shape import Shape
from .tree import TREE
from .tree import fits as trees_fit


def _make_trees(fields: list[Any]) -> AdditiveTrees:
    expect(fields, 3)
    base, votes, trees = fields
    array("f")("base", base)
    K = len(base)
    need(K > 0, "there is no output")
    of_type("trees", trees, list)
    need(len(trees) % K == 0, f"{len(trees)} trees are not so many rounds of {K}")
    for tree in trees:
        need(type(tree) is Tree and tree.n_outputs == 1, "a tree has several outputs")
    rounds = [trees[k : k + K] for k in range(0, len(trees), K)]
    ensemble = AdditiveTrees(base)
    votes = floats("votes", votes, len(rounds)).tolist()
    flat = [vote for vote in votes for _ in range(K)]
    reach = (vote * known_reach(tree) for vote, tree in zip(map(abs, flat), trees, strict=True))
    must_be_finite(float(np.abs(base).sum()) + sum(reach))
    for vote, each in zip(votes, rounds, strict=True):
        ensemble = ensemble.plus(vote, each)
    return ensemble


def _trees_fit(name: str, ensembles: Sequence[AdditiveTrees], shape: Shape) -> None:
    for ensemble in ensembles:
        if shape.several:
            n, n_labels = ensemble.n_outputs, shape.n_classes
            need(n == n_labels, f"{name} has {n} outputs; the model has {n_labels} labels")
        elif shape.n_classes:
            outputs_fit(name, ensemble.n_outputs, shape)
        if len(ensemble):
            trees_fit(name, ensemble.trees, shape)


def _make_grove(fields: list[Any]) -> Grove:
    expect(fields, 1)
    trees = of_type("trees", fields[0], list)
    need(trees and all(type(tree) is Tree for tree in trees), "there is no tree")
    need(len({tree.n_outputs for tree in trees}) == 1, "trees have different outputs")
    return Grove(trees)


def _groves_fit(name: str, groves: Sequence[Grove], shape: Shape) -> None:
    for grove in groves:
        trees_fit(name, list(grove), shape)


ADDITIVE = Record(
    11,
    AdditiveTrees,
    lambda e: [e.base, e.votes.astype(np.float64), e.trees],
    _make_trees,
    fits=_trees_fit,
    n_items=as_many_as(0, 1),
    holds={2: {TREE.number}},
)
GROVE = Record(
    12,
    Grove,
    lambda grove: [list(grove)],
    _make_grove,
    fits=_groves_fit,
    holds={0: {TREE.number}},
)
