"""Bags as transcripts: the trees of all members, told in the columns and levels of the bag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.term import TermSum
from ..base.tree import EVERY_CHILD
from .bagged_sum import says_its_score, sum_of_member
from .branching import Branching, Test, branching
from .column import Kind, show
from .link import IDENTITY, MEANS, SURE, Link
from .reading import feature_name
from .schema import MOST_LEVELS, ColumnSchema
from .transcript import Source, Transcript
from .tree_sum import TreeSum
from .tree_transcript import of_terms

if TYPE_CHECKING:
    from .bagging import Bagging

UNSEEN = frozenset(["values never seen"])  # which make up a level of their own


def bag_transcript(model: Bagging) -> Transcript:
    """The transcript of a bag of trees, of stumps, or of regressors that are sums of them."""
    schema, classes = model._schema, model._known_classes
    members = [
        (member, [int(j) for j in columns], _sum_of(member)) for member, columns in model._members()
    ]
    used = sorted(
        {
            columns[j]
            for _, columns, summed in members
            for tree in summed.trees
            for j in np.unique(tree.feature)
            if j >= 0
        }
    )
    asked = {j: _column(schema.columns[j], j, members) for j in used}
    K = max(1, len(classes))
    base, branches = np.zeros(K), list[Branching]()
    for member, columns, summed in members:
        said = np.searchsorted(classes, member.classes_) if len(classes) else np.arange(1)
        base[said] += summed.base
        told = _Member(member, columns, asked, said.tolist(), K)
        branches += [told.branching(addend) for addend in summed.addends]
    n = len(members)
    noun = type(members[0][0]).__name__
    link = Link(IDENTITY if not len(classes) else SURE if K == 1 else MEANS)
    return Transcript(
        f"{type(model).__name__}, the mean of {n} models of type {noun}",
        schema.n_features,
        tuple(Source(j, feature_name(schema, j), asked[j]) for j in used),
        (),
        tuple(base.tolist()),
        link,
        tuple(classes.tolist()),
        branches=tuple(branches),
        divisor=n,
    )


def _sum_of(member: Any) -> TreeSum:
    ensemble = getattr(member, "ensemble_", None)
    if isinstance(ensemble, TermSum) and says_its_score(member):
        return of_terms(ensemble)
    return sum_of_member(member)


def _column(column: ColumnSchema, j: int, members: Sequence[Any]) -> ColumnSchema:
    """A column as an export reads it: every level that some member may tell apart."""
    if column.kind is not Kind.CATEGORY:
        return column
    levels = tuple(sorted([*column.levels, *column.pooled]))
    if len(levels) > MOST_LEVELS:
        raise ValueError(
            f"column {show(column.name)} has {len(levels):,} categories, more than the "
            f"{MOST_LEVELS} that the export of a bag can tell apart; merge rare ones and fit again."
        )
    own = [m._schema.columns[cs.index(j)] for m, cs, _ in members if j in cs]
    apart = any(each.pooled and each.unseen_joins_pool for each in own)
    return replace(
        column, levels=levels, pooled=UNSEEN if apart else frozenset(), unseen_joins_pool=apart
    )


class _Member:
    """One member: what it calls its columns, levels and classes, and what the bag calls them."""

    def __init__(
        self,
        member: Any,
        columns: Sequence[int],
        asked: dict[int, ColumnSchema],
        said: Sequence[int],
        n_outputs: int,
    ) -> None:
        self.schema, self.columns, self.asked = member._schema, columns, asked
        self.said, self.n_outputs = said, n_outputs

    def branching(self, addend: Any) -> Branching:
        """A tree in the words of the bag."""
        found = branching(addend, self.schema.columns)
        return replace(found, nodes=tuple(map(self._node, found.nodes)))

    def _node(self, node: Test | tuple[float, ...]) -> Test | tuple[float, ...]:
        if not isinstance(node, Test):
            return self._leaf(node)
        own, feature = self.schema.columns[node.feature], self.columns[node.feature]
        column = self.asked[feature]
        if (own.kind, own.unit, own.tz) != (column.kind, column.unit, column.tz):
            raise TypeError(
                f"column {show(column.name)} was read in another way by some members than by the "
                "bag as a whole, so that it cannot be written; give it one type throughout."
            )
        if column.kind is not Kind.CATEGORY:
            return replace(node, feature=feature)
        return replace(node, feature=feature, cut=None, sets=self._sets(node, own, column))

    def _leaf(self, values: tuple[float, ...]) -> tuple[float, ...]:
        """A number for every class of the bag; a member may have met some of them only."""
        if len(values) == self.n_outputs:
            return values
        wide = [0.0] * self.n_outputs
        for k, value in zip(self.said, values, strict=True):
            wide[k] = value
        return tuple(wide)

    def _sets(
        self, test: Test, own: ColumnSchema, column: ColumnSchema
    ) -> tuple[tuple[int, ...], ...]:
        """For every child the levels of the bag that go there."""
        sets: list[list[int]] = [[] for _ in test.children]
        for level, code in enumerate(_own_codes(own, column)):
            child = test.missing if code < 0 else _child(test, code)
            if child == EVERY_CHILD:
                raise TypeError(
                    f"column {show(column.name)} holds categories that some bags lack, and "
                    "missing='fraction' sends such rows down several branches at once, which no "
                    "export of a bag writes; fit with missing='side' or 'branch'."
                )
            sets[child].append(level)
        return tuple(map(tuple, sets))


def _own_codes(own: ColumnSchema, column: ColumnSchema) -> list[int]:
    """A member's numbers of the levels of the bag, -1 where it takes them for missing."""
    codes = {level: code for code, level in enumerate(own.levels)}
    codes |= dict.fromkeys(own.pooled, len(own.levels))
    never = len(own.levels) if own.pooled and own.unseen_joins_pool else -1
    found = [codes.get(level, never) for level in column.levels]
    return [*found, never] if column.pooled else found


def _child(test: Test, code: int) -> int:
    """The child that a level of the member's own goes to."""
    if test.sets is not None:
        return next(child for child, levels in enumerate(test.sets) if code in levels)
    return 0 if test.cut is None else int(code > test.cut)
