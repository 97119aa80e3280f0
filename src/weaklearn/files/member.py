"""The members of ensembles in a file: stumps, trees of classes, trees of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.trees.label_tree import LabelTree
from ..base.trees.rule import Rule
from ..base.trees.scored_tree import Partition, ScoredTree
from ..base.trees.splitter import Splitter
from ..base.trees.stump import Stump
from ..base.trees.tree import Tree
from ..learners.tree import TreeHypothesis
from .array import narrow
from .check import MOST, floats, integers, need, of_type, one_of
from .readable import rules_fit, splitters_fit
from .record import expect, in_columns
from .shape import Shape
from .stump import stumps_fit
from .tree import check_trees
from .tree import fits as trees_fit

CRITERIA = ("error", "gini", "entropy", "gain_ratio", "sqrt", "squared_error")


def _take_classes(members: Sequence[TreeHypothesis]) -> list[Any]:
    return [
        [h.tree for h in members],
        narrow(np.array([h.n_classes for h in members])),
        [h.criterion for h in members],
        [h.gaps for h in members],
    ]


def _make_classes(n: int, fields: list[Any]) -> list[Any]:
    expect(fields, 4)
    trees, n_classes, criteria, gaps = fields
    check_trees(trees, n)
    counts = integers("n_classes", n_classes, n, 1, MOST, np.int64).tolist()
    need(type(criteria) is list and len(criteria) == n, f"there are not {n} criteria")
    need(type(gaps) is list and len(gaps) == n, f"there are not {n} sets of gaps")
    for tree, K, criterion, columns in zip(trees, counts, criteria, gaps, strict=True):
        need(tree.n_outputs == K, f"a tree of {K} classes has {tree.n_outputs} outputs")
        check_shares(tree)
        one_of(*CRITERIA)("criterion", criterion)
        check_columns("gaps", columns)
    return [TreeHypothesis(*each) for each in zip(trees, counts, criteria, gaps, strict=True)]


def check_shares(tree: Tree) -> None:
    """Refuses a classification tree whose leaf values are no distributions over the classes."""
    values = tree.values
    inside = values.min() >= 0 and (np.abs(values.sum(axis=1) - 1) <= 1e-6).all()
    need(inside, "the shares of the classes do not sum to 1")


def check_columns(name: str, columns: Any) -> None:
    """Refuses anything but a frozenset of column numbers."""
    of_type(name, columns, frozenset)
    need(all(type(j) is int and 0 <= j <= MOST for j in columns), f"{name} holds no columns")


def _make_numbers(n: int, fields: list[Any]) -> list[Any]:
    expect(fields, 1)
    check_trees(fields[0], n)
    for tree in fields[0]:
        need(tree.n_outputs == 1, f"a tree of numbers has {tree.n_outputs} outputs")
    return [ScoredTree(tree) for tree in fields[0]]


def _take_criteria(members: Sequence[Partition | LabelTree]) -> list[Any]:
    return [[h.tree for h in members], np.array([h.criterion for h in members], np.float64)]


def _make_blocks(n: int, fields: list[Any]) -> list[Any]:
    expect(fields, 2)
    trees = _make_numbers(n, fields[:1])
    criteria = floats("criterion", fields[1], n).tolist()
    return [Partition(h.tree, criterion) for h, criterion in zip(trees, criteria, strict=True)]


def _make_labels(n: int, fields: list[Any]) -> list[Any]:
    expect(fields, 2)
    trees, criteria = fields
    check_trees(trees, n)
    need(
        isinstance(criteria, np.ndarray)
        and criteria.dtype == np.float64
        and criteria.shape == (n,)
        and not (np.isinf(criteria) | (criteria < 0)).any(),
        f"there are not {n} criteria",
    )
    return [LabelTree(*each) for each in zip(trees, criteria.tolist(), strict=True)]


def members_fit(name: str, members: Sequence[Any], shape: Shape, n_outputs: int) -> None:
    """Refuses members that do not fit the columns and outputs of the model."""
    models = [h for h in members if type(h) in MODEL_MEMBERS]
    _models_fit(name, models, shape, n_outputs)
    members = [h for h in members if type(h) not in MODEL_MEMBERS]
    for h in members:
        need(type(h) in MEMBERS, f"{name}: a member is a {type(h).__name__}")
    stumps_fit(name, [h for h in members if type(h) is Stump], shape, n_outputs)
    rules_fit(name, [h for h in members if type(h) is Rule], shape)
    trees = [h for h in members if type(h) not in (Stump, Rule)]
    if trees:
        trees_fit(name, [h.tree for h in trees], shape)
    if any(type(h) is Splitter for h in trees):
        splitters_fit(name, members)
    for h in trees:
        if type(h) is TreeHypothesis:
            answers = h.n_classes if h.n_classes > 2 else 1
            need(answers == n_outputs, f"{name}: a tree of {h.n_classes} classes")
            need(max(h.gaps, default=0) < shape.n_features, f"{name}: a missing value in no column")


def _models_fit(name: str, models: Sequence[Any], shape: Shape, n_outputs: int) -> None:
    """Refuses members that are models of other columns or classes than the ensemble."""
    for h in models:
        n, K = h.estimator.n_features_in_, len(h.classes)
        need(h.constant or n == shape.n_features, f"{name}: a member has {n} columns")
        need((K if K > 2 else 1) == n_outputs, f"{name}: a member of {K} classes")


# Classes of members that are models themselves; whoever reads such files adds them.
MODEL_MEMBERS: set[type[Any]] = set()
MEMBERS = (Stump, TreeHypothesis, ScoredTree, Partition, Splitter, Rule, LabelTree)


CLASS_TREE = in_columns(6, TreeHypothesis, _take_classes, _make_classes)
NUMBER_TREE = in_columns(7, ScoredTree, lambda members: [[h.tree for h in members]], _make_numbers)
PARTITION = in_columns(8, Partition, _take_criteria, _make_blocks)
LABEL_TREE = in_columns(64, LabelTree, _take_criteria, _make_labels)
