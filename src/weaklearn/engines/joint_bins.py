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

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.hashing import Keys
from ..base.types import Floats, Ints
from .collective import Collective
from .joint_ranks import TOP, Question, Ranks
from .own_values import OwnValues, distinct, numbers_of

if TYPE_CHECKING:
    from ..base.rows import Binning

# Of a column: whether values are missing, whether codes are bins of several values, and the value
# of each code, or the least and the greatest of each bin.
Codes = tuple[bool, bool, Floats]

_BATCH = 2**28  # bytes that the values of a batch of columns may take
_MOST_COLUMNS = 64  # in a batch


def joint_codes(
    columns: Sequence[NDArray[Any]] | NDArray[Any],
    binning: Binning,
    copies: Ints | None,
    threads: int,
    all_of: Collective,
) -> list[Codes]:
    """The codes of columns of this partition's rows over all partitions.

    Columns are arrays of their own (categories: int32), or the rows of a matrix.
    """
    most_rows = int(all_of.maximum(np.array([len(columns[0]) if len(columns) else 0]))[0])
    at_once = int(np.clip(_BATCH // (16 * most_rows + 1), 1, _MOST_COLUMNS))
    found: list[Codes] = []
    for first in range(0, len(columns), at_once):
        own = OwnValues.of_all(columns[first : first + at_once], copies, threads)
        found += _codes_of_batch(own, binning, all_of)
    return found


def _codes_of_batch(own: list[OwnValues], binning: Binning, all_of: Collective) -> list[Codes]:
    most = binning.most_codes
    heads = all_of.gather([one.head(most) for one in own])
    codes: list[Codes] = []
    ranks: dict[int, Ranks] = {}
    for j, parts in enumerate(zip(*heads, strict=True)):
        missing = any(head.has_missing for head in parts)
        values = distinct(np.concatenate([head.values for head in parts]))
        n_values = sum(head.n_values for head in parts)
        few = all(head.n_values <= most for head in parts) and len(values) <= most
        codes.append((missing, not few, numbers_of(values)))
        if not few:
            ranks[j] = Ranks.of(sum(head.n_examples for head in parts), n_values)
    last = _bin_ends({j: own[j] for j in ranks}, ranks, binning, all_of)
    for j, ends in _both_ends({j: own[j] for j in ranks}, last, all_of).items():
        codes[j] = (codes[j][0], True, ends)
    return codes


def _bin_ends(
    own: dict[int, OwnValues], ranks: dict[int, Ranks], binning: Binning, all_of: Collective
) -> dict[int, Keys]:
    """The value that ends each bin but the last, by column."""
    found: dict[int, Keys] = {}
    while True:
        asked: dict[int, Question] = {}
        for j in sorted(ranks.keys() - found.keys()):
            ends, gaps = ranks[j].play(binning.most_codes, binning.least_rows)
            if len(gaps):
                asked[j] = Question(ranks[j], gaps)
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
                divided[j] = (one, distinct(values))
        if divided:
            _count(own, divided, all_of)


def _count(
    own: dict[int, OwnValues], divided: dict[int, tuple[Question, Keys]], all_of: Collective
) -> None:
    """Counts the examples below and up to new values, and the values in the new gaps."""
    counts: list[Ints] = []
    touched: dict[int, NDArray[np.intp]] = {}
    for j, (one, values) in divided.items():
        mine, ranks = own[j], one.ranks
        starts = ranks.values[one.gaps]
        right, left = mine.between(values, values)
        below, upto = mine.below(left), mine.below(right)
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
    own: dict[int, OwnValues], last: dict[int, Keys], all_of: Collective
) -> dict[int, Floats]:
    """The least and the greatest value of each bin, given those that end all but the last."""
    if not last:
        return {}
    asked = []
    for j, ends in last.items():
        low = np.append(np.uint64(0), ends)
        above, _ = own[j].between(low, low)
        values = own[j].values if len(own[j].values) else np.zeros(1, np.uint64)
        here = above < len(own[j].values)
        # The least of all is the greatest of these.
        asked += [~np.where(here, values[np.minimum(above, len(values) - 1)], TOP), values[-1:]]
    found = iter(_split(all_of.maximum(np.concatenate(asked)), asked))
    return {
        j: numbers_of(np.column_stack([~next(found), np.append(ends, next(found))]).ravel())
        for j, ends in last.items()
    }


def _split(joined: NDArray[Any], like: Sequence[NDArray[Any]]) -> Iterator[NDArray[Any]]:
    """An array in parts that are as long as others."""
    return iter(np.split(joined, np.cumsum([len(one) for one in like])[:-1]))
