r"""A prefix code for the members of a vote, fixed before the data, for Occam and PAC-Bayes bounds.

Numbers of a machine are a grid that no data have chosen. A number takes 1 bit for its sign, 11 for
its exponent, 6 for the length of its significand, and as many as that has digits after the first;
so 2596.5 takes 30 bits, and no number takes more than 70. A node begins with a bit that tells
leaves from tests. A test names its feature and threshold, and what becomes of missing values; an
answer of K classes, or silence, takes lg(K + 1) bits, rounded up. No code is the beginning of
another, so that 2^-bits sums to 1 at most over all members there are.

A rule that asks for a category spells its name, eight bits a byte and a byte to end it. It has no
code where names unknown to training are answered otherwise than other categories, since then it
depends on all the names that training knew; dates have none, since their codes are the data's.

A tree with scores :math:`c_1, \dots, c_L` at its leaves, times its vote, is at most
:math:`M = \max_l |c_l|`. Draw u evenly from [0, 1], and let leaf l answer +1 where
:math:`(1 + c_l/M)/2 > u` and -1 elsewhere: the mean of these voters is :math:`c_l/M`. So a sum of
such trees is a weighted vote of trees that answer -1 or +1, with the same sign everywhere and the
margins :math:`y F(x) / \sum_t M_t`, and what is known of votes holds of it. A tree of L leaves has
at most L + 1 voters, of which the two that are constant are one and the same for all trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, log, log2
from typing import Any

import numpy as np

from ...base import Ensemble, StackedEnsemble
from ...base.hypothesis import CONSTANT, EQUALITY, THRESHOLD, Stump
from ...base.trees.label_tree import LabelTree
from ...base.trees.scored_tree import ScoredTree
from ...base.trees.tree import THRESHOLD as TREE_THRESHOLD
from ...base.trees.tree_arrays import EVERY_CHILD, LEAF
from ...base.votes.label_scores import LabelScores
from ...base.votes.pairwise import PairwiseEnsemble
from ...base.votes.reweighted import Revoted
from ...base.votes.weighted_sum import WeightedSum
from ...learners.tree import TreeHypothesis
from .. import bounds

LN2 = log(2)
_VOTES = (Ensemble, LabelScores, Revoted, WeightedSum)
CONSTANT_BITS = 2.0  # a leaf, and its answer
_GRID = 64  # bits of a number, whatever its value


@dataclass(frozen=True)
class Table:
    """The columns as known before the data: their number, and which are not plain numbers."""

    n_features: int
    special: frozenset[int] = frozenset()
    n_classes: int = 2
    spell: Callable[[int, int], str | None] = lambda feature, category: None  # its name


@dataclass(frozen=True)
class Member:
    """One member: how many tests it has, and the bits of its code; None where it has none.

    Of a tree whose ``leaves`` answer with numbers, ``voter_bits`` are those of each of the voters
    that it is a mixture of; other members have none.
    """

    tests: int
    bits: float | None
    answers: int  # how many different answers each of its leaves may give
    doubles: bool = True  # whether it is one of the members whose numbers are those of a machine
    leaves: int = 0  # times the labels, where each leaf has a number for every one
    voter_bits: float = 0.0
    by_label: bool = False  # whether it has


def number_bits(x: float) -> int:
    """The bits of one number.

    >>> number_bits(2596.5), number_bits(0.1), number_bits(0.0)
    (30, 69, 18)
    """
    significand = int(np.float64(x).view(np.uint64)) & (2**52 - 1)
    digits = 52 - ((significand & -significand).bit_length() - 1) if significand else 0
    return 18 + digits


def integer_bits(n: int) -> int:
    """The bits of an integer of at least 1, by the Elias code.

    >>> [integer_bits(n) for n in (1, 2, 3, 100)]
    [1, 3, 3, 13]
    """
    return 2 * (n.bit_length() - 1) + 1


def parts_of(ensemble: Any) -> Sequence[Any] | None:
    """The plain weighted votes that a vote is made of; None where it is made otherwise."""
    if isinstance(ensemble, StackedEnsemble):
        if type(ensemble) not in (StackedEnsemble, PairwiseEnsemble):
            return None
    elif ensemble.several:
        return None
    found = list(ensemble.parts)
    return found if all(type(part) in _VOTES for part in found) else None


def member_of(h: Any, table: Table) -> Member | str:
    """The code of a member, or the reason why it has none."""
    answers = table.n_classes + 1
    per_answer, feature = ceil(log2(answers)), log2(table.n_features)
    if isinstance(h, Stump):
        if h.test == CONSTANT:
            return Member(1, 1 + feature + 3 * per_answer, answers)
        if h.test == EQUALITY:
            if h.missing != h.low:
                return "a rule answers categories unknown to training otherwise than known ones"
            name = table.spell(h.feature, h.category)
            spelt = None if name is None else 8 * (len(name.encode()) + 1)
            bits = None if spelt is None else 1 + feature + spelt + 3 * per_answer
            return Member(1, bits, answers, False)
        if h.test != THRESHOLD:
            return "a rule has a branch for every category"
        plain = h.feature not in table.special
        bits = 1 + feature + number_bits(h.threshold) + 3 * per_answer
        return Member(1, bits if plain else None, answers, plain)
    if isinstance(h, TreeHypothesis):
        return _tree(h, table, per_answer, feature)
    if isinstance(h, (ScoredTree, LabelTree)):
        return scored_member(h, table)
    return f"a member is {type(h).__name__}, of which no class of rules is known"


def _tree(h: TreeHypothesis, table: Table, per_answer: int, feature: float) -> Member | str:
    tree, inner = h.tree, h.tree.ask != LEAF
    if (tree.ask[inner] != TREE_THRESHOLD).any() or (tree.width[inner] != 2).any():
        return "a tree has tests other than thresholds of two outcomes"
    if (tree.missing[inner] == EVERY_CHILD).any():
        return "rows with a missing value go down several branches of a tree"
    tests = int(np.count_nonzero(inner))
    plain = not table.special.intersection(tree.feature[inner].tolist())
    numbers = sum(number_bits(t) for t in tree.threshold[inner].tolist())
    leaves = len(tree) - tests
    bits = len(tree) + tests * (feature + 1) + numbers + leaves * per_answer
    return Member(tests, bits if plain else None, table.n_classes, plain)


def scored_member(h: Any, table: Table) -> Member | str:
    """A tree of scores as the code sees it, or why it has no place there."""
    tree, inner = h.tree, ~h.tree.is_leaf
    width, tests = tree.width[inner], int(np.count_nonzero(inner))
    if (tree.ask[inner] != TREE_THRESHOLD).any() or not np.isin(width, (2, 3)).all():
        return "a tree has tests other than thresholds"
    if (tree.missing[inner] == EVERY_CHILD).any():
        return "rows with a missing value go down several branches of a tree"
    plain = not table.special.intersection(tree.feature[inner].tolist())
    # Of each test: its feature, its threshold, whether missing values have a branch of their own,
    # and if not, which one they follow.
    asked = tests * (log2(table.n_features) + 1) + int(np.count_nonzero(width == 2))
    asked += sum(number_bits(t) for t in tree.threshold[inner].tolist())
    leaves = len(tree) - tests
    shape = len(tree) + asked
    numbers = tree.values[tree.value[tree.is_leaf]]  # one a leaf, or one for every label
    scores = sum(number_bits(c) for c in numbers.ravel().tolist())
    labels = numbers.shape[1]
    return Member(
        tests,
        shape + scores if plain else None,
        2,
        plain,
        # Of one test: a missing value that follows a branch answers alike.
        leaves=labels * (3 if tests == 1 else leaves),
        voter_bits=shape + leaves,
        by_label=labels > 1,
    )


@dataclass(frozen=True)
class Described:
    """The code of a vote: its members and their votes, part by part."""

    members: tuple[Member, ...]
    votes: tuple[float, ...]
    n_parts: int
    table: Table
    bases: tuple[float, ...] = ()  # numbers that scores begin with, of the parts that have one

    @property
    def T(self) -> int:
        return len(self.members)

    @property
    def coded(self) -> bool:
        """Whether every member has a code."""
        return all(h.bits is not None for h in self.members)

    @property
    def doubles(self) -> bool:
        """Whether every number of every member is a double."""
        return all(h.doubles for h in self.members)

    @property
    def alike(self) -> bool:
        """Whether all votes are the same."""
        return len(set(self.votes)) == 1

    @property
    def by_label(self) -> bool:
        """Whether a member answers with a number for each label."""
        return any(h.by_label for h in self.members)

    @property
    def bits(self) -> float:
        """The bits of the vote: how many members, the votes (once if all are alike), the members.

        Votes only count beside one another, so that a single member needs none but a sign.
        """
        counts = integer_bits(self.n_parts) + integer_bits(self.T + 1) * self.n_parts
        votes = 1 + sum(number_bits(v) for v in self.votes[: 1 if self.alike else None])
        scored = len(self.bases) > 0 or any(h.leaves for h in self.members)
        begun = 1 + sum(number_bits(b) for b in self.bases) if scored else 0
        return counts + votes + begun + sum(h.bits or 0.0 for h in self.members)

    @property
    def grid(self) -> float:
        """ln of the number of votes of this shape whose numbers are doubles."""
        numbers = (self.T + len(self.bases)) * _GRID * LN2
        scores = sum(h.leaves for h in self.members) * _GRID * LN2
        return numbers + scores + sum(self._grid_of(h) for h in self.members)

    def _grid_of(self, h: Member) -> float:
        return log_shapes(h, self.table) + h.tests * _GRID * LN2

    def _voters_of(self, h: Member) -> float:
        """ln of the number of voters of a member's size: each leaf answers -1 or +1."""
        if h.leaves == 0 or h.tests == 1:
            return self._grid_of(h) + h.leaves * LN2
        largest = replace(h, leaves=2 * h.tests + 1)  # of each number of leaves up to that
        return self._grid_of(largest) + largest.leaves * LN2 + log(h.tests + 1)

    @property
    def base(self) -> float:
        """ln of the number of members of the largest shape here, on the grid."""
        return max(self._voters_of(h) for h in self.members)

    @property
    def shape(self) -> float:
        """ln of what delta is divided by, so that T and all sizes may depend on the data."""
        counts = log((self.T + 1) * (self.T + 2)) + (self.n_parts - 1) * log(self.T + 1)
        others = [h.tests for h in self.members if h.tests != 1]
        if not others:  # half of delta is for votes whose members have one test each
            return counts + LN2
        sizes = sum(log((n + 1) * (n + 2)) for n in others)
        sizes += sum(log(h.tests + 1) for h in self.members if h.leaves and h.tests != 1)
        return counts + (1 + self.T) * LN2 + sizes

    def growth(self, m: int) -> float:
        """ln of the number of labellings of m rows by votes of this shape, at most.

        Every member cuts the rows by its tests, each of which has n features, m + 1 places (or
        categories) and two kinds; T answers a row make a point in T dimensions, and the votes are a
        plane through the origin. A tree of scores has a dimension for every leaf, and its scores
        belong to the plane.
        """
        cuts = sum(log_shapes(h, self.table) + h.tests * log(2 * (m + 1)) for h in self.members)
        dimensions = sum(max(1, h.leaves) for h in self.members) + len(self.bases)
        planes = LN2 * float(bounds.lg_sauer(m, min(dimensions, m)))
        return cuts + planes


def log_shapes(h: Member, table: Table) -> float:
    """ln of the number of members of a size, thresholds left out: trees, features, answers.

    A stump answers three outcomes; a tree has one leaf more than tests, a side for the missing
    values of each, and at most 4^tests shapes. A tree of scores has its shape coded node by node,
    and of each test whether and which way missing values go; what leaves answer is left out.
    """
    if h.leaves:
        if h.tests == 1:
            return log(table.n_features)
        return (4 * h.tests + h.leaves) * LN2 + h.tests * log(table.n_features)
    if h.tests == 1 and h.answers == table.n_classes + 1:
        return log(table.n_features) + 3 * log(h.answers)
    features = h.tests * log(2 * table.n_features)
    return h.tests * log(4) + features + (h.tests + 1) * log(h.answers)


def word(h: Any, sign: int) -> tuple[Any, ...]:
    """The code word of a member, its answers negated where the sign is -1."""
    if isinstance(h, Stump):
        answers = (h.low * sign, h.high * sign, h.missing * sign)
        return (h.test, h.feature, h.threshold, h.category, *answers)
    tree = h.tree
    arrays = (tree.first, tree.feature, tree.threshold, tree.missing, h.answers * sign)
    return tuple(np.ascontiguousarray(a).tobytes() for a in arrays)


def voters(vote: float, h: Any) -> Iterator[tuple[float, tuple[Any, ...], bool]]:
    """The weight of each voter of a tree, its code word, and whether it is constant."""
    tree = h.tree
    leaf = tree.is_leaf
    c = vote * tree.values[tree.value[leaf], 0]
    most = float(np.abs(c).max())
    if most == 0:
        return
    share = (1 + c / most) / 2
    ends = np.unique(np.concatenate([[0.0, 1.0], share]))
    arrays = (tree.first, tree.feature, tree.threshold, tree.missing)
    asked = tuple(np.ascontiguousarray(a).tobytes() for a in arrays)
    for low, high in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        up = share > low
        constant = bool(up.all() or not up.any())
        word = ("constant", bool(up[0])) if constant else (*asked, up.tobytes())
        yield most * (high - low), word, constant


def divergence(ensemble: Any, known: Described) -> float:
    """KL(Q || P) in nats: Q the normalised votes, P(h) = 2^-bits; equal members count as one."""
    masses: dict[tuple[Any, ...], tuple[float, float]] = {}

    def add(mass: float, key: tuple[Any, ...], bits: float) -> None:
        masses[key] = (masses.get(key, (0.0, 0.0))[0] + mass, bits)

    for (vote, h), member in zip(ensemble, known.members, strict=True):
        if member.leaves:
            for mass, key, constant in voters(vote, h):
                add(mass, key, CONSTANT_BITS if constant else member.voter_bits)
        else:
            add(abs(vote), word(h, -1 if vote < 0 else 1), member.bits or 0.0)
    for base in known.bases:
        add(abs(base), ("constant", base > 0), CONSTANT_BITS)
    total = sum(mass for mass, _ in masses.values())
    parts = ((mass / total, bits) for mass, bits in masses.values() if mass > 0)
    return sum(q * (log(q) + bits * LN2) for q, bits in parts)


def described(ensemble: Any, table: Table) -> Described | str:
    """The code of a vote, or the reason why it has none."""
    parts = parts_of(ensemble)
    if parts is None:
        return "the score is no plain weighted vote"
    members: list[Member] = []
    for h in (h for part in parts for h in part.members):
        found = member_of(h, table)
        if isinstance(found, str):
            return found
        members.append(found)
    votes = tuple(float(v) for part in parts for v in part.votes)
    begun = [float(part.base) for part in parts]
    bases = tuple(begun) if any(begun) else ()
    return Described(tuple(members), votes, len(parts), table, bases)
