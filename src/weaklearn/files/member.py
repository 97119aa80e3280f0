"""The members of ensembles in a file: trees of classes, of numbers, of labels, and rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.hypothesis import Stump
from ..base.trees.grower_settings import OF_NUMBERS
from ..base.trees.label_tree import LabelTree
from ..base.trees.rule import ABOVE, CATEGORY, MISSING, Demand, Rule
from ..base.trees.scored_tree import Partition, ScoredTree
from ..base.trees.splitter import Splitter, test_of
from ..base.trees.tree import Tree
from ..base.trees.tree_arrays import LEAF
from ..base.votes.graded_rules import GradedRules
from ..learners.tree import TreeHypothesis
from .array import narrow
from .check import MOST, floats, integers, need, of_type, one_of
from .error import Flaw
from .graded_rules import GRADED_RULES, graded_fit
from .held_tree import has_shares, has_shares_of, known_reach
from .record import Record, expect, in_columns
from .shape import Shape
from .stump import STUMP, stumps_fit
from .tree import TREE, check_trees
from .tree import fits as trees_fit

MOST_SCORE = 1e300  # so that differences of scores, and their multiples, stay finite
_MOST_LEVEL = 255
_MOST_COUNT = 2**53
CRITERIA = ("error", "gini", "entropy", "gain_ratio", "sqrt", *OF_NUMBERS)


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
    for tree, K, criterion, columns in zip(trees, counts, criteria, gaps, strict=True):
        n_outputs = tree.n_outputs
        if n_outputs != K:
            raise Flaw(f"a tree of {K} classes has {n_outputs} outputs")
        check_shares(tree)
        check_criterion("criterion", criterion)
        check_columns("gaps", columns)
    return [TreeHypothesis(*each) for each in zip(trees, counts, criteria, gaps, strict=True)]


def check_shares(tree: Tree) -> None:
    """Refuses a classification tree whose leaf values are no distributions over the classes."""
    need(has_shares(tree), "the shares of the classes do not sum to 1")


def check_shares_of(tree: Tree, sizes: Sequence[int]) -> None:
    """Refuses a tree of several outputs whose values are no distributions over their classes."""
    need(has_shares_of(tree, sizes), "the shares of the classes of an output do not sum to 1")


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


def reach_of(h: Any) -> float:
    """The greatest absolute value that a member answers; 1 where its answers are labels."""
    if type(h) is GradedRules:
        return h.reach
    tree = h if type(h) is Tree else h.tree if type(h) in _VALUED else None
    return 1.0 if tree is None else known_reach(tree)


def members_fit(name: str, members: Sequence[Any], shape: Shape, n_outputs: int) -> None:
    """Refuses members that do not fit the columns and outputs of the model."""
    models = [h for h in members if type(h) in MODEL_MEMBERS]
    _models_fit(name, models, shape, n_outputs)
    members = [h for h in members if type(h) not in MODEL_MEMBERS]
    for h in members:
        need(type(h) in MEMBERS, f"{name}: a member is a {type(h).__name__}")
    stumps_fit(name, [h for h in members if type(h) is Stump], shape, n_outputs)
    rules_fit(name, [h for h in members if type(h) is Rule], shape)
    graded_fit(name, [h for h in members if type(h) is GradedRules], shape)
    trees = [h for h in members if type(h) not in (Stump, Rule, GradedRules)]
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
_VALUED = (ScoredTree, Partition, Splitter, LabelTree)
MEMBERS = (Stump, TreeHypothesis, ScoredTree, Partition, Splitter, Rule, LabelTree, GradedRules)


def _around_trees(number: int, kind: type[Any], take: Any, make: Any) -> Record:
    return in_columns(number, kind, take, make, holds={0: {TREE.number}})


CLASS_TREE = _around_trees(6, TreeHypothesis, _take_classes, _make_classes)
NUMBER_TREE = _around_trees(
    7, ScoredTree, lambda members: [[h.tree for h in members]], _make_numbers
)
PARTITION = _around_trees(8, Partition, _take_criteria, _make_blocks)
LABEL_TREE = _around_trees(64, LabelTree, _take_criteria, _make_labels)
SPLITTER = _around_trees(65, Splitter, _take_splitters, _make_splitters)
RULE = in_columns(66, Rule, _take_rules, _make_rules, fits=rules_fit, cost=6)
MODEL_MEMBER = 77  # the number of models that are members
_OWN = (STUMP, CLASS_TREE, NUMBER_TREE, PARTITION, LABEL_TREE, SPLITTER, RULE, GRADED_RULES)
NUMBERS = frozenset({MODEL_MEMBER, *(record.number for record in _OWN)})
