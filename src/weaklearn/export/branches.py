"""Trees for exports: tests in the column's own numbers, leaves with numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.trees.tree import MULTIWAY, THRESHOLD, Tree
from ..base.trees.tree_arrays import EVERY_CHILD, LEAF, SUBSET
from ..inspection.column_grid import own_cut
from ..inspection.tree_sum import LARGEST, Addend
from ..intake.column_schema import ColumnSchema

DEEPEST = 30  # tests in one another within a function; what lies deeper is a function of its own


@dataclass(frozen=True)
class Test:
    """One test. ``cut``: above it the second child, a number of the column; ``sets``: for each
    child the category codes that go there. With neither, all known values go to the first child.
    """

    feature: int
    children: tuple[int, ...]
    missing: int  # the child of missing values, or EVERY_CHILD
    cut: Any = None
    sets: tuple[tuple[int, ...], ...] | None = None
    parts: tuple[float, ...] = ()  # what goes to each child where all get some


@dataclass(frozen=True)
class Branching:
    """A tree: its vote, the first score it adds to, and a test or leaf values for each node."""

    vote: float
    output: int
    nodes: tuple[Test | tuple[float, ...], ...]
    functions: tuple[int, ...]  # nodes that are functions of their own, the root last

    def tests(self) -> Iterator[Test]:
        for node in self.nodes:
            if isinstance(node, Test):
                yield node


MISSING, ABOVE, UP_TO, AMONG, OTHERWISE = "missing", "above", "up to", "among", "otherwise"
NO_CATEGORY = -1  # the code of a missing or unknown category
Choice = tuple[
    str, Any, int
]  # what is asked, of which number or categories, and the child that gets it


def choices(test: Test, categorical: bool) -> list[Choice]:
    """A test as a chain of conditions, the last of which is OTHERWISE.

    EVERY_CHILD stands for all children. A missing number is neither above nor up to anything.
    """
    children, missing = test.children, test.missing
    to_missing = EVERY_CHILD if missing == EVERY_CHILD else children[missing]
    if test.sets is not None:
        return _among(test, to_missing)
    if test.cut is None:
        return [(MISSING, None, to_missing), (OTHERWISE, None, children[0])]
    if missing == 1 and not categorical:
        return [(UP_TO, test.cut, children[0]), (OTHERWISE, None, children[1])]
    asked = [(ABOVE, test.cut, children[1]), (OTHERWISE, None, children[0])]
    return asked if missing == 0 else [(MISSING, None, to_missing), *asked]


def _among(test: Test, to_missing: int) -> list[Choice]:
    assert test.sets is not None
    sets = [[*codes] for codes in test.sets]
    asked: list[Choice] = []
    if 0 <= test.missing < len(sets):
        sets[test.missing].append(NO_CATEGORY)
    else:
        asked.append((MISSING, None, to_missing))
    pairs = sorted(zip(sets, test.children, strict=False), key=lambda pair: len(pair[0]))
    pairs = [pair for pair in pairs if pair[0]]
    asked += [(AMONG, tuple(sorted(codes)), child) for codes, child in pairs[:-1]]
    return [*asked, (OTHERWISE, None, pairs[-1][1])]


def branching(addend: Addend, columns: Sequence[ColumnSchema]) -> Branching:
    """A tree of a sum, with thresholds in the numbers of its columns."""
    tree = addend.tree
    nodes = tuple(_node(tree, node, columns) for node in range(len(tree)))
    apart = {0}
    depth = np.zeros(len(tree), int)
    for node, content in enumerate(nodes):  # parents stand before their children
        if not isinstance(content, Test):
            continue
        for child in content.children:
            depth[child] = depth[node] + 1
            deep = depth[child] >= DEEPEST and isinstance(nodes[child], Test)
            if deep or content.missing == EVERY_CHILD:
                apart.add(child)
                depth[child] = 0
    return Branching(addend.vote, max(addend.output, 0), nodes, tuple(sorted(apart, reverse=True)))


def _node(tree: Tree, node: int, columns: Sequence[ColumnSchema]) -> Test | tuple[float, ...]:
    ask = int(tree.ask[node])
    if ask == LEAF:
        return tuple(tree.values[tree.value[node]].tolist())
    feature, first, width = int(tree.feature[node]), int(tree.first[node]), int(tree.width[node])
    children, missing = tuple(range(first, first + width)), int(tree.missing[node])
    parts: tuple[float, ...] = ()
    if missing == EVERY_CHILD:
        weight = tree.weight[first : first + width]
        total = weight.sum()
        parts = tuple((weight / total if total > 0 else np.full(width, 1 / width)).tolist())
    cut, sets = None, None
    if ask == THRESHOLD and columns[feature].marks is not None and tree.threshold[node] < 0:
        children = (children[1], children[0], *children[2:])  # below all ranks: a test of nothing
        missing = {0: 1, 1: 0}.get(missing, missing)
        parts = (*parts[1::-1], *parts[2:])
    elif ask == THRESHOLD and tree.threshold[node] != LARGEST:
        cut = own_cut(columns[feature], float(tree.threshold[node]))
    elif ask in (SUBSET, MULTIWAY):
        sets = _sets(tree, node, columns[feature].n_categories)
    return Test(feature, children, missing, cut, sets, parts)


def _sets(tree: Tree, node: int, n_categories: int) -> tuple[tuple[int, ...], ...]:
    if tree.ask[node] == MULTIWAY:
        return tuple((code,) for code in range(n_categories))
    words = tree.subsets[tree.subset[node]]
    inside = [bool(int(words[code >> 6]) >> (code & 63) & 1) for code in range(n_categories)]
    every = range(n_categories)
    return tuple(k for k in every if not inside[k]), tuple(k for k in every if inside[k])
