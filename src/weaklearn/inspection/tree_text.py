"""Trees as text (rules, indented lines, Graphviz source), and as tables of nodes."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Any

import numpy as np

from ..base.messages.table import Spelled, Table, printable
from ..base.trees.rule import Rule
from ..base.trees.splitter import asks_if_known
from ..base.trees.tree import MULTIWAY, THRESHOLD, Tree
from ..base.trees.tree_arrays import EVERY_CHILD, LEAF, SUBSET
from ..intake.raw_column import Kind
from ..intake.schema import Schema
from .rule_text import feature_name, interval_text, threshold_text
from .tree_sum import ALL, LARGEST, Addend, TreeSum

_OR_MISSING = " or missing"
_LISTED = 6  # categories named in one line of a text or drawing


@dataclass(frozen=True)
class Condition:
    """The values of one feature that lead to a node: an interval or a set of categories."""

    low: float = -inf
    high: float = inf
    categories: frozenset[int] | None = None
    known: bool = True
    missing: bool = True
    parts: bool = False  # missing values came in parts, as they do to every branch


@dataclass(frozen=True)
class Words:
    """Writes a tree as text, with the schema of X and the texts of the leaves.

    ``with_missing`` are the features with missing values in training; only for these it says where
    missing values go. ``answer`` gives a node's answer as text, or as a
    number with its text.
    """

    tree: Tree
    schema: Schema
    with_missing: frozenset[int]
    answer: Callable[[int], str | Spelled]
    error: Callable[[int], float | None]
    counted: bool = True

    # ------------------------------------------------------------------------------- conditions

    def _outcome(self, node: int, k: int, so_far: Condition) -> Condition:
        """The condition on the tested feature for rows that go to the k-th child."""
        tree = self.tree
        goes = int(tree.missing[node])
        missing = so_far.missing and goes in (k, EVERY_CHILD)
        so_far = replace(so_far, parts=goes == EVERY_CHILD)
        ask = int(tree.ask[node])
        if k >= self._n_outcomes(node):  # the branch of missing values
            return replace(so_far, known=False, missing=missing)
        if asks_if_known(self.tree, node):
            return replace(so_far, known=k == 0, missing=missing)
        if ask == THRESHOLD:
            t = float(tree.threshold[node])
            if k == 0:
                return replace(so_far, high=min(so_far.high, t), missing=missing)
            return replace(so_far, low=max(so_far.low, t), missing=missing)
        mine = self._categories(node, k)
        categories = mine if so_far.categories is None else so_far.categories & mine
        return replace(so_far, categories=categories, missing=missing)

    def _n_outcomes(self, node: int) -> int:
        """The number of children for known values."""
        if self.tree.ask[node] == MULTIWAY:
            return int(self._column(node).n_categories)
        return 2

    def _categories(self, node: int, k: int) -> frozenset[int]:
        """The categories that go to the k-th child."""
        if self.tree.ask[node] == MULTIWAY:
            return frozenset([k])
        words = self.tree.subsets[self.tree.subset[node]].tolist()
        every = range(self._column(node).n_categories)
        return frozenset(code for code in every if (words[code >> 6] >> (code & 63)) & 1 == k)

    def values(self, node: int) -> list[Any]:
        """The categories of a multiway test, child by child; None for missing values."""
        column = self._column(node)
        names = [
            *column.categories,
            *([column.describe(len(column.categories))] if column.pooled else []),
        ]
        return names + [None] * (int(self.tree.width[node]) - len(names))

    def _column(self, node: int) -> Any:
        return self.schema.columns[int(self.tree.feature[node])]

    def _text(self, j: int, where: Condition, listed: int | None = None) -> str:
        """A condition as text, with at most ``listed`` categories named."""
        name = printable(feature_name(self.schema, j))
        if not where.known:
            return f"{name} is missing"
        text = self._of_categories(j, name, where.categories, listed)
        if where.categories is None:
            low, high = (self._threshold(j, end) for end in (where.low, where.high))
            text = interval_text(name, low, high)
        shown = where.missing and not where.parts and j in self.with_missing
        return text + (_OR_MISSING if shown else "")

    def _threshold(self, j: int, t: float) -> str:
        return threshold_text(self.schema, j, t) if isfinite(t) else ""

    def _of_categories(
        self, j: int, name: str, chosen: frozenset[int] | None, most: int | None
    ) -> str:
        column = self.schema.columns[j]
        if chosen is None:
            return ""
        others = frozenset(range(column.n_categories)) - chosen
        if not others:
            return f"{name} is known"
        fewer, sign = (chosen, "") if len(chosen) <= len(others) else (others, "not ")
        named = sorted(fewer) if most is None or len(fewer) <= most + 1 else sorted(fewer)[:most]
        listed = ", ".join(printable(column.describe(code)) for code in named)
        if len(named) < len(fewer):
            listed += f" and {len(fewer) - len(named)} more"
        if len(fewer) == 1:
            return f"{name} {'is not' if sign else '='} {listed}"
        return f"{name} {sign}in {{{listed}}}"

    def _leaves(self) -> Iterator[tuple[int, dict[int, Condition]]]:
        """The leaves from left to right, each with the conditions that lead there."""
        waiting: list[tuple[int, dict[int, Condition]]] = [(0, {})]
        tree = self.tree
        while waiting:
            node, way = waiting.pop()
            if tree.ask[node] == LEAF:
                yield node, way
                continue
            j, first = int(tree.feature[node]), int(tree.first[node])
            for k in reversed(range(int(tree.width[node]))):
                so_far = way.get(j, Condition())
                waiting.append((first + k, {**way, j: self._outcome(node, k, so_far)}))

    def leaf_rules(
        self, only: Container[int] | None = None
    ) -> Iterator[tuple[str, str | Spelled, int, float | None]]:
        """Of every leaf, or only of some: its conditions, its answer, how many examples it had, and
        their error.
        """
        for leaf, way in self._leaves():
            if only is not None and leaf not in only:
                continue
            yield (
                self._conditions(way),
                self.answer(leaf),
                int(self.tree.count[leaf]),
                self.error(leaf),
            )

    def cells(self) -> Iterator[tuple[int, str]]:
        """The leaves, each with its conditions."""
        for leaf, way in self._leaves():
            yield leaf, self._conditions(way)

    def _conditions(self, way: dict[int, Condition]) -> str:
        texts = [self._text(j, where) for j, where in way.items()]
        if len(texts) > 1:
            texts = [f"({text})" if text.endswith(_OR_MISSING) else text for text in texts]
        return " and ".join(texts) or "always"

    def rules(self) -> Table:
        """One row per leaf: if, then, support, error."""
        rows = list(self.leaf_rules())
        names = ["if", "then", "support", "error"]
        if all(row[3] is None for row in rows):
            names = names[: 3 if self.counted else 2]
        return Table(
            "rules", names, [row[: len(names)] for row in rows], self.note_of_parts(), shown=30
        )

    def note_of_parts(self) -> str:
        """A note on missing values that go to every child; "" if there are none."""
        inner = np.flatnonzero(~self.tree.is_leaf & (self.tree.missing == EVERY_CHILD))
        split = sorted({int(j) for j in self.tree.feature[inner]} & self.with_missing)
        if not split:
            return ""
        names = ", ".join(printable(feature_name(self.schema, j)) for j in split)
        return (
            f"where {names} is missing, a part of the example goes down every branch, and it is "
            "counted at each"
        )

    # ------------------------------------------------------------------------------- text

    def _branch_text(self, node: int, k: int) -> str:
        """The test of one branch as text."""
        where = self._outcome(node, k, Condition())
        return self._text(int(self.tree.feature[node]), where, _LISTED)

    def _leaf_text(self, leaf: int) -> str:
        if not self.counted:
            return printable(str(self.answer(leaf)))
        count, error = int(self.tree.count[leaf]), self.error(leaf)
        if count == 0:  # a category that none of the examples here had: the node above answers
            return f"{printable(str(self.answer(leaf)))} (no examples)"
        wrong = f", error {error:.2g}" if error else ""
        return f"{printable(str(self.answer(leaf)))} ({count}{wrong})"

    def text(self, max_depth: int | None = None) -> str:
        """Indented lines, one per branch; a leaf shows its answer and its number of examples."""
        tree = self.tree
        lines: list[str] = [self._leaf_text(0)] if tree.ask[0] == LEAF else []
        waiting = self._branches(0, 0)
        leaves = _leaves_below(tree)
        while waiting:
            node, k, depth = waiting.pop()
            child = int(tree.first[node]) + k
            line = "|   " * depth + self._branch_text(node, k)
            if tree.ask[child] == LEAF:
                lines.append(f"{line}: {self._leaf_text(child)}")
            elif max_depth is not None and depth + 1 >= max_depth:
                lines.append(f"{line}: {self._leaf_text(child)} ... {leaves[child]} leaves below")
            else:
                lines.append(line)
                waiting += self._branches(child, depth + 1)
        return "\n".join([*lines, *self._notes(any(", error " in line for line in lines))])

    def _notes(self, errors: bool) -> list[str]:
        """The notes below the lines of a text."""
        wrong = ", and the share of their weight that is answered wrongly" if errors else ""
        parts = self.note_of_parts()
        counts = [f"(in brackets: training examples{wrong})"] if self.counted else []
        return [*counts, *([f"({parts})"] if parts else [])]

    def _branches(self, node: int, depth: int) -> list[tuple[int, int, int]]:
        """(node, child, depth) of the branches of a node, the last first."""
        return [(node, k, depth) for k in reversed(range(int(self.tree.width[node])))]

    # ------------------------------------------------------------------------------- Graphviz

    def graphviz(self, title: str = "") -> str:
        """The tree in the DOT language of Graphviz."""
        tree = self.tree
        lines = ["digraph tree {", '  node [shape=box, fontname="sans-serif"];']
        lines += [f'  graph [label={_quoted(title)}, labelloc=t, fontname="sans-serif"];'] * (
            title != ""
        )
        for node in range(len(tree)):
            if tree.ask[node] == LEAF:
                lines.append(f"  {node} [label={_quoted(self._leaf_text(node))}, style=rounded];")
            else:
                lines.append(f"  {node} [label={_quoted(self.question(node))}];")
        for node in np.flatnonzero(~tree.is_leaf).tolist():
            for k in range(int(tree.width[node])):
                child = int(tree.first[node]) + k
                lines.append(f"  {node} -> {child} [label={_quoted(self._edge(node, k))}];")
        return "\n".join([*lines, "}"])

    def question(self, node: int) -> str:
        """The test of a node as text; its edges are the outcomes."""
        if self.tree.ask[node] == MULTIWAY:
            return printable(feature_name(self.schema, int(self.tree.feature[node])))
        only = self._outcome(node, 1, Condition(missing=False))
        return self._text(int(self.tree.feature[node]), only, _LISTED)

    def _edge(self, node: int, k: int) -> str:
        if k >= self._n_outcomes(node):
            return "missing"
        if self.tree.ask[node] == MULTIWAY:
            text = printable(self._column(node).describe(k))
        else:
            text = ("no", "yes")[k]
        if asks_if_known(self.tree, node):
            return text
        goes = int(self.tree.missing[node])
        shown = int(self.tree.feature[node]) in self.with_missing
        return text + (_OR_MISSING if shown and goes == k else "")


def rule_condition(schema: Schema, rule: Rule) -> str:
    """The condition of a rule as text."""
    words = Words(rule.tree, schema, frozenset(), lambda _: "", lambda _: None)
    last = int(np.argmax(rule.tree.value))
    return next(words.leaf_rules(only=[last]))[0]


def _leaves_below(tree: Tree) -> list[int]:
    """The number of leaves below every node; a leaf counts itself."""
    found: list[int] = tree.is_leaf.astype(int).tolist()
    parents = tree.parents.tolist()
    for node in range(len(tree) - 1, 0, -1):  # children come after their parents
        found[parents[node]] += found[node]
    return found


def _quoted(text: str) -> str:
    """A text as a quoted string of DOT."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def test_bits(tree: Tree, schema: Schema, node: int) -> int:
    """The description length of a test in bits, once its feature is known.

    A threshold is a number of 64 bits, a set has a bit per category, a multiway test
    needs none, nor does a set of a feature with two categories.
    """
    ask = int(tree.ask[node])
    if ask == THRESHOLD:
        return 64
    n_categories = schema.columns[int(tree.feature[node])].n_categories
    return n_categories if ask == SUBSET and n_categories > 2 else 0


test_bits.__test__ = False  # type: ignore[attr-defined]  # no test, though pytest thinks so


_COLUMNS = [
    *("tree", "node", "depth", "vote", "output", "column", "test", "threshold", "categories"),
    *("children", "missing", "count", "weight", "gain"),
]


def node_table(summed: TreeSum, schema: Schema, outputs: list[str]) -> Table:
    """Every node of every tree: its test, its children, and its values.

    ``children`` are numbers of nodes of the same tree, in the order of outcomes: of a threshold up
    to it and above it, of categories those not listed and those listed, or one each. ``missing`` is
    the child of missing values. The last columns hold what a leaf answers, before its vote.
    """
    names = outputs if summed.n_outputs > 1 else ["value"]
    rows = [row for t, a in enumerate(summed.addends) for row in _nodes(t, a, schema, names)]
    return Table("nodes", [*_COLUMNS, *names], rows)


def _nodes(t: int, addend: Addend, schema: Schema, names: list[str]) -> list[tuple[Any, ...]]:
    tree, rows = addend.tree, []
    known = addend.cover is not None
    depths = tree.depths
    output = None if addend.output == ALL else addend.output
    for node in range(len(tree)):
        leaf = tree.width[node] == 0
        children = tuple(range(tree.first[node], tree.first[node] + tree.width[node]))
        missing = None
        if not leaf:
            side = int(tree.missing[node])
            missing = "every child" if side == EVERY_CHILD else children[side]
        answers: list[float | None] = [None] * len(names)
        if leaf:
            values = tree.values[tree.value[node]].tolist()
            answers[slice(None) if output is None else slice(output, output + 1)] = values
        rows.append(
            (
                *(t, node, int(depths[node]), addend.vote, output),
                *((None,) * 4 if leaf else _test(tree, node, schema)),
                *(None if leaf else children, missing),
                *(int(tree.count[node]) if known else None,),
                *(float(tree.weight[node]) if known else None,),
                *(float(tree.gain[node]) if known and not leaf else None,),
                *answers,
            )
        )
    return rows


def _test(tree: Any, node: int, schema: Schema) -> tuple[Any, ...]:
    """Column, kind of test, threshold in the column's own values, categories."""
    j = int(tree.feature[node])
    name, column, ask = feature_name(schema, j), schema.columns[j], int(tree.ask[node])
    if ask == MULTIWAY:
        return name, "each category", None, tuple(map(column.describe, range(column.n_categories)))
    if ask == SUBSET:
        words = tree.subsets[tree.subset[node]]
        inside = [k for k in range(column.n_categories) if int(words[k >> 6]) >> (k & 63) & 1]
        return name, "among", None, tuple(map(column.describe, inside))
    assert ask == THRESHOLD
    threshold = float(tree.threshold[node])
    if threshold == LARGEST:
        return name, "known", None, None
    special = column.kind not in (Kind.NUMBER, Kind.CATEGORY)
    return name, "above", column.threshold(threshold) if special else np.float64(threshold), None
