"""The bins of columns whose rows lie in several partitions: those that one partition would have.

Bins are filled in ascending order. Of the examples (rows, or their copies) that are left, each bin
takes an even share, ``least_rows`` at least, and then the rest of those with the same value. Shares
and least sizes are counted over all rows, so a bin may hold few rows of a partition, or none.

A bin thus ends with the value of an example of some rank. Partitions do not send their rows: each
counts how many of its own lie below and up to some values, and the sums bound the ranks of all
values between. Where a bin may end the values between are asked for more closely, until they are
so few that they are listed. All columns of a batch are asked for at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.hashing import Keys
from ..base.types import Floats, Ints
from .collective import Collective

if TYPE_CHECKING:
    from ..base.sample import Binning

# Of a column: whether values are missing, whether codes are bins of several values, and the value
# of each code, or the least and the greatest of each bin.
Codes = tuple[bool, bool, Floats]

_LISTED = 2**14  # values of a column that are listed at once, over all partitions
_FIRST, _LATER = 2**12, 2**5  # parts that a column, and later a gap between values, is divided in
_BATCH = 2**28  # bytes that the values of a batch of columns may take
_MOST_COLUMNS = 64  # in a batch
_ENOUGH = 8  # bins whose sizes tell those of others
_TOP = np.iinfo(np.uint64).max  # a key above that of every number; 0 is below them all


def joint_codes(
    columns: Sequence[NDArray[Any]], binning: Binning, copies: Ints | None, all_of: Collective
) -> list[Codes]:
    """The codes of columns of this partition's rows (categories: int32) over all partitions."""
    n_rows = len(columns[0]) if columns else 0
    most_rows = int(all_of.maximum(np.array([n_rows]))[0])
    at_once = int(np.clip(_BATCH // (16 * most_rows + 1), 1, _MOST_COLUMNS))
    found: list[Codes] = []
    for first in range(0, len(columns), at_once):
        found += _codes_of_batch(columns[first : first + at_once], binning, copies, all_of)
    return found


def _codes_of_batch(
    columns: Sequence[NDArray[Any]], binning: Binning, copies: Ints | None, all_of: Collective
) -> list[Codes]:
    most = binning.most_codes
    own = [_OwnValues.of(column, copies) for column in columns]
    heads = all_of.gather([one.head(most) for one in own])
    codes: list[Codes] = []
    ranks: dict[int, _Ranks] = {}
    for j, parts in enumerate(zip(*heads, strict=True)):
        missing = any(head.has_missing for head in parts)
        values = np.unique(np.concatenate([head.values for head in parts]))
        n_values = sum(head.n_values for head in parts)
        few = all(head.n_values <= most for head in parts) and len(values) <= most
        codes.append((missing, not few, _numbers(values)))
        if not few:
            ranks[j] = _Ranks.of(sum(head.n_examples for head in parts), n_values)
    last = _bin_ends({j: own[j] for j in ranks}, ranks, binning, all_of)
    for j, ends in _both_ends({j: own[j] for j in ranks}, last, all_of).items():
        codes[j] = (codes[j][0], True, ends)
    return codes


# ------------------------------------------------------------------------------- of one partition


@dataclass(frozen=True)
class _Head:
    """What is gathered of every column: its own values only where they are few."""

    has_missing: bool
    n_examples: int
    n_values: int
    values: Keys


@dataclass(frozen=True)
class _OwnValues:
    """The distinct values of a column in this partition, ascending, as keys.

    ``below`` counts its examples with a lesser value than each, and all of them at the end.
    """

    values: Keys
    below: Ints
    has_missing: bool

    @classmethod
    def of(cls, column: NDArray[Any], copies: Ints | None) -> _OwnValues:
        if column.dtype == np.int32:  # categories, whose codes are given
            return cls(np.zeros(0, np.uint64), np.zeros(1, np.int64), bool(np.any(column < 0)))
        known = column == column
        keys = _keys(column[known])
        if copies is None:
            keys.sort()
            before: Ints = np.arange(len(keys) + 1)
        else:
            order = np.argsort(keys)
            keys = keys[order]
            before = np.append(0, np.cumsum(copies[known][order]))
        new = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])) if len(keys) else []
        starts = np.append(new, len(keys)).astype(np.intp)
        return cls(keys[starts[:-1]], before[starts], len(keys) < len(column))

    def head(self, most: int) -> _Head:
        n = len(self.values)
        return _Head(self.has_missing, int(self.below[-1]), n, self.values[: n if n <= most else 0])

    def between(self, low: Keys, high: Keys) -> tuple[Ints, Ints]:
        """The first place above each of ``low``, and the first at or above each of ``high``."""
        return (
            np.searchsorted(self.values, low, side="right"),
            np.searchsorted(self.values, high, side="left"),
        )


def _keys(numbers: NDArray[Any]) -> Keys:
    """Numbers as unsigned integers in the same order; -0 and 0 are one.

    >>> ascending = np.array([-np.inf, -1.5, -0.0, 0.0, 5e-324, 2.0, np.inf])
    >>> np.sign(np.diff(_keys(ascending).astype(object))).tolist()
    [1, 1, 0, 1, 1, 1]
    >>> _numbers(_keys(ascending)).tolist()
    [-inf, -1.5, 0.0, 0.0, 5e-324, 2.0, inf]
    """
    bits = (numbers.astype(np.float64) + 0.0).view(np.uint64)
    top = np.uint64(2**63)
    return np.where(bits & top, ~bits, bits | top)


def _numbers(keys: Keys) -> Floats:
    """What keys were made from."""
    top = np.uint64(2**63)
    return np.where(keys & top, keys ^ top, ~keys).view(np.float64)


# ------------------------------------------------------------------------------ of all partitions


@dataclass
class _Ranks:
    """Some values of a column, ascending, and how many examples of all partitions lie around them.

    ``below`` and ``upto`` count the examples below and up to each value; ``inside`` the distinct
    values of each partition, summed, between each value and the next. The first value is below
    all numbers and the last one above.
    """

    values: Keys
    below: Ints
    upto: Ints
    inside: Ints

    @classmethod
    def of(cls, n_examples: int, n_values: int) -> _Ranks:
        ends = np.array([0, n_examples])
        return cls(np.array([0, _TOP], np.uint64), ends, ends, np.array([n_values, 0]))

    @property
    def n_examples(self) -> int:
        return int(self.upto[-1])

    def play(self, most: int, least: int) -> tuple[list[int], list[int]]:
        """The values that end a bin, the last one excepted, and the gaps in which others may do so.

        Behind the first gap the ends are guessed: bins have as many examples beyond their share,
        of the same value as the last, as those before.
        """
        below, upto = self.below.tolist(), self.upto.tolist()
        n, start = self.n_examples, 0
        ends: list[int] = []
        excess: list[int] = []
        gaps: set[int] = set()
        n_guessed, guess, spread = 0, 0, 0.0
        for left in range(most, 1, -1):
            wanted = start + max(-((start - n) // left), least)
            if wanted >= n:
                break
            k = bisect_left(upto, wanted)
            if below[k] < wanted and not gaps:
                start = upto[k]
                excess.append(start - wanted)
                if start < n:
                    ends.append(k)
                continue
            if len(excess) >= _ENOUGH and not gaps:
                guess = int(np.median(excess))
                spread = 2 * float(np.median(np.abs(np.array(excess) - guess)))
            doubt = int(spread * n_guessed**0.5)
            first = max(bisect_left(upto, wanted - doubt) - 1, 0)
            last = min(bisect_left(below, wanted + doubt), len(upto) - 1)
            gaps.update(g for g in range(first, last) if upto[g] < below[g + 1])
            start = upto[k] if below[k] < wanted else wanted + guess
            n_guessed += 1
        return ends, sorted(gaps)

    def add(self, values: Keys, below: Ints, upto: Ints) -> None:
        """Takes in values that lie in gaps; what is inside the new gaps is to be set."""
        at = np.searchsorted(self.values, values)
        self.values = np.insert(self.values, at, values)
        self.below = np.insert(self.below, at, below)
        self.upto = np.insert(self.upto, at, upto)
        self.inside = np.insert(self.inside, at, 0)


@dataclass
class _Question:
    """What is asked of a column next: values in gaps that begin at some of the known ones."""

    ranks: _Ranks
    gaps: NDArray[np.intp]
    listed: bool = field(init=False)

    def __post_init__(self) -> None:
        self.listed = int(self.ranks.inside[self.gaps].sum()) <= _LISTED

    def answer(self, own: _OwnValues, all_of: Collective) -> tuple[Keys, Ints]:
        """All own values in the gaps and their numbers of examples, or some of the values."""
        known = self.ranks.values
        first, last = own.between(known[self.gaps], known[self.gaps + 1])
        if self.listed:
            places = _ranges(first, last)
            return own.values[places], own.below[places + 1] - own.below[places]
        # Partitions give values by how many they have, from different places of theirs.
        n = last - first
        parts = _FIRST if len(known) == 2 else _LATER
        n_given = np.minimum(n, -(-(n * parts) // self.ranks.inside[self.gaps]))
        offset = 0.25 + 0.5 * (all_of.rank + 0.5) / all_of.size
        which = np.repeat(np.arange(len(n)), n_given)
        step = _ranges(np.zeros_like(n_given), n_given)
        places = first[which] + ((step + offset) / n_given[which] * n[which]).astype(np.int64)
        return own.values[places], np.zeros(0, np.int64)

    def list(self, values: Keys, counts: Ints) -> None:
        """Takes in all values in the gaps, of all partitions."""
        values, same = np.unique(values, return_inverse=True)
        total = np.zeros(len(values), np.int64)
        np.add.at(total, same, counts)
        before = np.cumsum(total) - total  # of those that are listed
        gap = np.searchsorted(self.ranks.values, values) - 1
        first = np.searchsorted(gap, gap)  # the first value in the same gap
        below = self.ranks.upto[gap] + before - before[first]
        self.ranks.inside[self.gaps] = 0
        self.ranks.add(values, below, below + total)


def _ranges(first: Ints, last: Ints) -> Ints:
    """All of the ranges from first to last, the latter excluded.

    >>> _ranges(np.array([3, 7, 8]), np.array([5, 7, 10])).tolist()
    [3, 4, 8, 9]
    """
    n = last - first
    return np.arange(n.sum()) + np.repeat(first - (np.cumsum(n) - n), n)


def _bin_ends(
    own: dict[int, _OwnValues], ranks: dict[int, _Ranks], binning: Binning, all_of: Collective
) -> dict[int, Keys]:
    """The value that ends each bin but the last, by column."""
    found: dict[int, Keys] = {}
    while True:
        asked: dict[int, _Question] = {}
        for j in sorted(ranks.keys() - found.keys()):
            ends, gaps = ranks[j].play(binning.most_codes, binning.least_rows)
            if gaps:
                asked[j] = _Question(ranks[j], np.array(gaps))
            else:
                found[j] = ranks[j].values[ends]
        if not asked:
            return found
        answers = all_of.gather([one.answer(own[j], all_of) for j, one in asked.items()])
        divided = {}
        for (j, one), parts in zip(asked.items(), zip(*answers, strict=True), strict=True):
            values, counts = (np.concatenate(some) for some in zip(*parts, strict=True))
            if one.listed:
                one.list(values, counts)
            else:
                divided[j] = (one, np.unique(values))
        if divided:
            _count(own, divided, all_of)


def _count(
    own: dict[int, _OwnValues], divided: dict[int, tuple[_Question, Keys]], all_of: Collective
) -> None:
    """Counts the examples below and up to new values, and the values in the new gaps."""
    counts: list[Ints] = []
    touched: dict[int, NDArray[np.intp]] = {}
    for j, (one, values) in divided.items():
        mine, ranks = own[j], one.ranks
        starts = ranks.values[one.gaps]
        right, left = mine.between(values, values)
        below, upto = mine.below[left], mine.below[right]
        ranks.add(values, np.zeros_like(below), np.zeros_like(upto))
        touched[j] = np.searchsorted(ranks.values, np.sort(np.append(starts, values)))
        first, last = mine.between(ranks.values[touched[j]], ranks.values[touched[j] + 1])
        counts += [below, upto, last - first]
    summed = iter(_split(all_of.sum(np.concatenate(counts)), counts))
    for j, (one, values) in divided.items():
        at = np.searchsorted(one.ranks.values, values)
        one.ranks.below[at], one.ranks.upto[at] = next(summed), next(summed)
        one.ranks.inside[touched[j]] = next(summed)


def _both_ends(
    own: dict[int, _OwnValues], last: dict[int, Keys], all_of: Collective
) -> dict[int, Floats]:
    """The least and the greatest value of each bin, given those that end all but the last."""
    if not last:
        return {}
    asked = []
    for j, ends in last.items():
        low = np.append(np.uint64(0), ends)
        above, _ = own[j].between(low, low)
        asked += [
            ~np.append(own[j].values, _TOP)[above],  # the least of all is the greatest of these
            np.append(np.uint64(0), own[j].values)[-1:],
        ]
    found = iter(_split(all_of.maximum(np.concatenate(asked)), asked))
    return {
        j: _numbers(np.column_stack([~next(found), np.append(ends, next(found))]).ravel())
        for j, ends in last.items()
    }


def _split(joined: NDArray[Any], like: Sequence[NDArray[Any]]) -> Iterator[NDArray[Any]]:
    """An array in parts that are as long as others."""
    return iter(np.split(joined, np.cumsum([len(one) for one in like])[:-1]))
