"""Trees that are members of ensembles in a file: of classes, of numbers, of labels; splitters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.trees.label_tree import LabelTree
from ..base.trees.scored_tree import Partition, ScoredTree
from ..base.trees.split_search import CRITERIA
from ..base.trees.splitter import Splitter, test_of
from ..base.trees.tree_arrays import LEAF
from ..learners.tree import TreeHypothesis
from .array import narrow
from .check import MOST, columns, floats, integers, need, one_of
from .error import Flaw
from .held_tree import check_shares, known_reach
from .member import MEMBERS, Member
from .record import Record, expect, in_columns
from .shape import Shape
from .tree import TREE, check_trees
from .tree import fits as trees_fit


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
    check_criterion = one_of(*CRITERIA)
    for tree, K, criterion, missing in zip(trees, counts, criteria, gaps, strict=True):
        n_outputs = tree.n_outputs
        if n_outputs != K:
            raise Flaw(f"a tree of {K} classes has {n_outputs} outputs")
        check_shares(tree)
        check_criterion("criterion", criterion)
        columns("gaps", missing)
    return [TreeHypothesis(*each) for each in zip(trees, counts, criteria, gaps, strict=True)]


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


def _take_splitters(members: Sequence[Splitter]) -> list[Any]:
    places = np.array([h.after or (-1, 0) for h in members], np.int64).reshape(-1, 2)
    return [[h.tree for h in members], narrow(places[:, 0]), narrow(places[:, 1])]


def _make_splitters(n: int, fields: list[Any]) -> list[Any]:
    expect(fields, 3)
    trees = fields[0]
    check_trees(trees, n)
    for tree in trees:
        need(tree.n_outputs == 1, f"a tree of numbers has {tree.n_outputs} outputs")
        need(tree.ask[0] != LEAF, "a splitter asks nothing")
    above = integers("after", fields[1], n, -1, MOST, np.int64).tolist()
    outcome = integers("outcome", fields[2], n, 0, MOST, np.int64).tolist()
    places = zip(above, outcome, strict=True)
    after = [None if t < 0 else (t, o) for t, o in places]
    return [Splitter(*each) for each in zip(trees, after, strict=True)]


def splitters_fit(name: str, members: Sequence[Any], shape: Shape, n_outputs: int) -> None:
    """Refuses splitters whose tree does not lead to the outcome that they are attached to."""
    _trees_fit(name, [h for h in members if type(h) is Splitter], shape, n_outputs)
    for t, h in enumerate(members):
        if type(h) is not Splitter:
            raise Flaw(f"{name}: a member is a {type(h).__name__}, not a splitter")
        above: Splitter | None = None
        if h.after is not None:
            s, o = h.after
            need(s < t and o < len(members[s].outcomes), f"{name}: splitter {t} hangs nowhere")
            above = members[s]
        need(_goes_on(h, above), f"{name}: splitter {t} is not where it says")


def _goes_on(h: Splitter, above: Splitter | None) -> bool:
    """Whether the tree of a splitter is the path to its parent's outcome, and its own test."""
    tree, node = h.tree, h.node
    outcomes = h.outcomes
    if outcomes.stop != len(tree) or not tree.is_leaf[list(outcomes)].all():
        return False
    others = np.ones(len(tree), bool)
    others[list(outcomes)] = False
    if tree.values[tree.value[others & tree.is_leaf], 0].any():
        return False
    if above is None or h.after is None:
        return node == 0
    way, leaf = above.tree, above.outcomes[h.after[1]]
    if node != leaf or outcomes.start != len(way):
        return False
    inner = [k for k in range(len(way)) if k != leaf]
    same = (
        (getattr(tree, name)[inner] == getattr(way, name)[inner]).all()
        for name in ("ask", "feature", "threshold", "first", "width", "missing")
    )
    tests = (test_of(tree, k) == test_of(way, k) for k in inner if way.ask[k] != LEAF)
    return all(same) and all(tests)


def _trees_fit(name: str, members: Sequence[Any], shape: Shape, n_outputs: int) -> None:
    trees_fit(name, [h.tree for h in members], shape)


def _classes_fit(name: str, members: Sequence[Any], shape: Shape, n_outputs: int) -> None:
    """Refuses trees of other classes or columns than the ensemble."""
    _trees_fit(name, members, shape, n_outputs)
    for h in members:
        answers = h.n_classes if h.n_classes > 2 else 1
        need(answers == n_outputs, f"{name}: a tree of {h.n_classes} classes")
        need(max(h.gaps, default=0) < shape.n_features, f"{name}: a missing value in no column")


def _reach(h: Any) -> float:
    return known_reach(h.tree)


MEMBERS[TreeHypothesis] = Member(_classes_fit)
MEMBERS[Splitter] = Member(splitters_fit, _reach, together=True)
MEMBERS.update(dict.fromkeys((ScoredTree, Partition, LabelTree), Member(_trees_fit, _reach)))


def _around_trees(number: int, kind: type[Any], take: Any, make: Any) -> Record:
    return in_columns(number, kind, take, make, holds={0: {TREE.number}})


CLASS_TREE = _around_trees(6, TreeHypothesis, _take_classes, _make_classes)
NUMBER_TREE = _around_trees(
    7, ScoredTree, lambda members: [[h.tree for h in members]], _make_numbers
)
PARTITION = _around_trees(8, Partition, _take_criteria, _make_blocks)
LABEL_TREE = _around_trees(64, LabelTree, _take_criteria, _make_labels)
SPLITTER = _around_trees(65, Splitter, _take_splitters, _make_splitters)
