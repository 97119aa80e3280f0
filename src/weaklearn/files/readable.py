"""Rules and the splitters of alternating trees in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.trees.rule import ABOVE, CATEGORY, MISSING, Demand, Rule
from ..base.trees.splitter import Splitter, test_of
from ..base.trees.tree import LEAF
from .array import narrow
from .check import MOST, floats, integers, need
from .error import Flaw
from .record import expect, in_columns
from .shape import Shape
from .tree import check_trees

_MOST_LEVEL = 255
_MOST_COUNT = 2**53


def _take_rules(rules: Sequence[Rule]) -> list[Any]:
    demands = [demand for h in rules for demand in h.demands]
    asks = np.array([demand.asks for demand in demands], np.int64)
    threshold = np.array([demand.threshold for demand in demands], np.float64)
    level = np.array([demand.category for demand in demands], np.int64)
    return [
        narrow(np.array([len(h.demands) for h in rules], np.int64)),
        narrow(np.array([h.right for h in rules], np.int64)),
        narrow(np.array([h.wrong for h in rules], np.int64)),
        narrow(np.array([demand.feature for demand in demands], np.int64)),
        narrow(asks),
        threshold[asks <= ABOVE],
        narrow(level[asks == CATEGORY]),
    ]


def _make_rules(n: int, fields: list[Any]) -> list[Any]:
    expect(fields, 7)
    length = integers("length", fields[0], n, 0, MOST, np.int64)
    right = integers("right", fields[1], n, 0, _MOST_COUNT, np.int64).tolist()
    wrong = integers("wrong", fields[2], n, 0, _MOST_COUNT, np.int64).tolist()
    total = int(length.sum())
    need(np.shape(fields[3]) == (total,), f"the rules have not {total} demands")
    feature = integers("feature", fields[3], total, 0, MOST, np.int64)
    asks = integers("asks", fields[4], total, 0, MISSING, np.int64)
    cuts, of_levels = asks <= ABOVE, asks == CATEGORY
    threshold, level = np.zeros(total), np.zeros(total, np.int64)
    threshold[cuts] = floats("threshold", fields[5], int(cuts.sum()))
    level[of_levels] = integers("level", fields[6], int(of_levels.sum()), -1, _MOST_LEVEL, np.int64)
    columns = (feature.tolist(), asks.tolist(), threshold.tolist(), level.tolist())
    demands = [Demand(*each) for each in zip(*columns, strict=True)]
    ends = np.cumsum(length).tolist()
    parts = (tuple(demands[end - k : end]) for end, k in zip(ends, length.tolist(), strict=True))
    return [Rule(*each) for each in zip(parts, right, wrong, strict=True)]


def rules_fit(name: str, rules: Sequence[Rule], shape: Shape) -> None:
    """Refuses rules with conditions that do not fit their columns."""
    demands = [demand for h in rules for demand in h.demands]
    cuts = [demand for demand in demands if demand.asks <= ABOVE]
    shape.check_thresholds(
        name,
        np.array([demand.feature for demand in cuts], np.int64),
        np.array([demand.threshold for demand in cuts], np.float64),
    )
    for demand in demands:
        j = demand.feature
        need(j < shape.n_features, f"{name}: a rule asks for column {j}, which is none")
        n_categories = shape.n_categories.get(j, 0)
        of_level = demand.asks == CATEGORY
        need(of_level == (n_categories > 0), f"{name}: a condition does not suit column {j}")
        need(not of_level or demand.category < n_categories, f"{name}: an unknown category")


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


def splitters_fit(name: str, members: Sequence[Any]) -> None:
    """Refuses splitters whose tree does not lead to the outcome that they are attached to."""
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


SPLITTER = in_columns(65, Splitter, _take_splitters, _make_splitters)
RULE = in_columns(66, Rule, _take_rules, _make_rules, fits=rules_fit)
