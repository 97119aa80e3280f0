r"""The code of members that answer with numbers, and their form as mixtures of -1/+1 voters.

A tree with scores :math:`c_1, \dots, c_L` at its leaves, times its vote, is at most
:math:`M = \max_l |c_l|`. Draw u evenly from [0, 1], and let leaf l answer +1 where
:math:`(1 + c_l/M)/2 > u` and -1 elsewhere: the mean of these voters is :math:`c_l/M`. So a sum of
such trees is a weighted vote of trees that answer -1 or +1, with the same sign everywhere and the
margins :math:`y F(x) / \sum_t M_t`, and what is known of votes holds of it. A tree of L leaves has
at most L + 1 voters, of which the two that are constant are one and the same for all trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.trees.tree import EVERY_CHILD
from ...base.trees.tree import THRESHOLD as TREE_THRESHOLD

if TYPE_CHECKING:
    from .code_length import Table

CONSTANT_BITS = 2.0  # a leaf, and its answer


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
