"""Equal members of an ensemble merged into one, with the sum of their votes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..base.hypothesis import Stump
from ..base.messages.table import Table
from ..base.numeric.total import added_in_order
from ..base.trees.label_tree import LabelTree
from ..base.trees.rule import Rule
from ..base.trees.scored_tree import ScoredTree
from ..base.trees.tree import Tree
from ..intake import parameters
from ..learners.tree import TreeHypothesis

_TESTS = ("ask", "feature", "threshold", "first", "width", "missing", "subset", "subsets")
_SHOWN = 3  # rounds
Voting = tuple[Any, float, Any]  # the round or rounds, the vote, and the member


class MergedRounds(tuple[int, ...]):
    """The rounds of a merged rule; of many, only the first are printed.

    >>> print(MergedRounds([1, 4]))
    1, 4
    >>> print(MergedRounds(range(2, 30)))
    2, 3, 4 and 25 more
    """

    __slots__ = ()

    def __str__(self) -> str:
        shown = self if len(self) <= _SHOWN + 1 else self[:_SHOWN]
        more = f" and {len(self) - len(shown)} more" if len(shown) < len(self) else ""
        return ", ".join(map(str, shown)) + more


def refuse_merge(merge: Any, reason: str) -> None:
    """Refuses ``merge=True`` where no rule comes up twice."""
    if parameters.switch("merge", merge):
        raise ValueError(f"merge=True is not allowed: {reason}; leave it at False.")


def first_rows(table: Table, n: int | None, merge: Any) -> Table:
    """The first n rules (None: all) of a model that was learnt in one round."""
    refuse_merge(merge, "rules of several rounds can be merged, and the model has one round")
    if n is None:
        return table
    parameters.integer("n", n, 0, None, "None")
    return Table(table.title, table.columns, table.rows[:n], table.note, shown=table.shown)


def votes_of(ensemble: Any, n: int | None, merge: bool) -> list[Voting]:
    """(round or rounds, vote, member) of the first n rounds (None: all), merged if asked.

    Members that answer alike have the sum of their votes; those that ask the same questions and
    answer with numbers have the sum of their numbers times votes, and the vote 1.
    """
    single = [(t, vote, h) for t, (vote, h) in enumerate(ensemble, start=1)][:n]
    if not merge:
        return single
    groups: dict[Any, list[Voting]] = {}
    for t, vote, h in single:
        groups.setdefault(_merge_key(h), []).append((t, vote, h))
    return [_joined(group) for group in groups.values()]


def _joined(group: list[Voting]) -> Voting:
    rounds, (_, _, first) = MergedRounds(t for t, _, _ in group), group[0]
    if len(group) == 1 or not isinstance(first, (ScoredTree, LabelTree)):
        return rounds, added_in_order(vote for _, vote, _ in group), first
    numbers = sum(vote * h.tree.values[h.tree.value] for _, vote, h in group)
    place = np.arange(len(first.tree), dtype=np.int32)
    return rounds, 1.0, replace(first, tree=replace(first.tree, value=place, values=numbers))


def _merge_key(h: Any) -> Any:
    """A key that is equal for members that can be merged."""
    if isinstance(h, Stump):
        return h
    if isinstance(h, Rule):
        return h.demands
    if isinstance(h, TreeHypothesis):
        return _questions(h.tree), h.answers.tobytes()
    return _questions(h.tree) if isinstance(h, (ScoredTree, LabelTree)) else id(h)


def _questions(tree: Tree) -> tuple[Any, ...]:
    return tuple(getattr(tree, name).tobytes() for name in _TESTS)
