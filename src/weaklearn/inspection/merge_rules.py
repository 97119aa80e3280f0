"""Members that ask the same, as one: their votes are added up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..base.messages.table import Table
from ..base.trees.label_tree import LabelTree
from ..base.trees.rule import Rule
from ..base.trees.scored_tree import ScoredTree
from ..base.trees.stump import Stump
from ..base.trees.tree import Tree
from ..intake import parameters
from ..learners.tree import TreeHypothesis

_TESTS = ("ask", "feature", "threshold", "first", "width", "missing", "subset", "subsets")
_TOLD = 3  # rounds
Voting = tuple[Any, float, Any]  # the round or rounds, the vote, and the member


class Rounds(tuple[int, ...]):
    """The rounds in which a rule came up; printed, of many the first.

    >>> print(Rounds([1, 4]))
    1, 4
    >>> print(Rounds(range(2, 30)))
    2, 3, 4 and 25 more
    """

    __slots__ = ()

    def __str__(self) -> str:
        told = self if len(self) <= _TOLD + 1 else self[:_TOLD]
        more = f" and {len(self) - len(told)} more" if len(told) < len(self) else ""
        return ", ".join(map(str, told)) + more


def refuse_merge(merge: Any, reason: str) -> None:
    """Refuses ``merge=True`` where no rule comes up twice."""
    if parameters.switch("merge", merge):
        raise ValueError(f"merge=True is not allowed: {reason}; leave it at False.")


def first_rows(table: Table, n: int | None, merge: Any) -> Table:
    """The first n rules (None: all) of a model that was learnt in one round."""
    refuse_merge(merge, "rules of several rounds can be merged, and the model has one round")
    if n is None:
        return table
    parameters.whole("n", n, 0, None, "None")
    return Table(table.title, table.columns, table.rows[:n], table.note, shown=table.shown)


def votes_of(ensemble: Any, n: int | None, merge: bool) -> list[Voting]:
    """The members of the first n rounds (None: all) with their votes, merged where asked.

    Members that answer alike have the sum of their votes; those that ask the same questions and
    answer with numbers have the sum of their numbers times votes, and the vote 1.
    """
    single = [(t, vote, h) for t, (vote, h) in enumerate(ensemble, start=1)][:n]
    if not merge:
        return single
    heaps: dict[Any, list[Voting]] = {}
    for t, vote, h in single:
        heaps.setdefault(_content(h), []).append((t, vote, h))
    return [_joined(heap) for heap in heaps.values()]


def _joined(heap: list[Voting]) -> Voting:
    rounds, (_, _, first) = Rounds(t for t, _, _ in heap), heap[0]
    if len(heap) == 1 or not isinstance(first, (ScoredTree, LabelTree)):
        return rounds, sum(vote for _, vote, _ in heap), first
    numbers = sum(vote * h.tree.values[h.tree.value] for _, vote, h in heap)
    place = np.arange(len(first.tree), dtype=np.int32)
    return rounds, 1.0, replace(first, tree=replace(first.tree, value=place, values=numbers))


def _content(h: Any) -> Any:
    """What a member asks, and what it answers unless that is a number."""
    if isinstance(h, Stump):
        return h
    if isinstance(h, Rule):
        return h.demands
    if isinstance(h, TreeHypothesis):
        return _questions(h.tree), h.answers.tobytes()
    return _questions(h.tree) if isinstance(h, (ScoredTree, LabelTree)) else id(h)


def _questions(tree: Tree) -> tuple[Any, ...]:
    return tuple(getattr(tree, name).tobytes() for name in _TESTS)
