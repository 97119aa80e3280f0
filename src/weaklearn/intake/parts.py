"""Parts of the rows to learn from and to judge by: dealt by content, by groups, or as given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.numeric.hashing import GOLDEN, Keys, mixed
from ..base.sample import take_rows
from ..base.streamed_cells import StreamedCells
from ..base.types import Floats, Ints
from .groups import group_numbers
from .parameters import integer
from .splitting import deal, hold_out

if TYPE_CHECKING:
    from ..base.sample import Sample
    from .prepare import Prepared

_REMEDY = "or pass X_val and y_val, or a number of rounds without early_stopping"


@runtime_checkable
class Splitter(Protocol):
    """What divides rows as scikit-learn's splitters do."""

    def split(self, X: Any, y: Any, groups: Any) -> Iterable[Any]:
        """Pairs of row numbers: those to learn from, and those to judge by."""


@dataclass(frozen=True)
class Part:
    """How many copies of every row are learnt from, and how many judge what was learnt."""

    learnt: Ints
    judged: Ints


@dataclass(frozen=True)
class Division:
    """How rows are divided into those to learn from and those to judge by.

    By their content, unless ``groups`` numbers the rows of the sample, of which those of a number
    stay together, or ``splits`` says which copies are learnt from and judged by. ``n_folds``: into
    so many parts, whatever is asked for.
    """

    groups: Ints | None = None
    splits: tuple[Part, ...] = ()
    n_folds: int | None = None

    @property
    def is_given(self) -> bool:
        """Whether rounds are to be found by folds of these rows, however many they are."""
        return bool(self.splits) or self.n_folds is not None

    def folds(
        self, sample: Sample, content: Keys, n_parts: int, fraction: float, seed: int
    ) -> list[Part]:
        """Parts that judge every example once; a single part judges a fraction.

        Where a part would have nothing to learn from, or to be judged by, there are fewer; none
        where there are too few examples for any.
        """
        if self.splits:
            return list(self.splits)
        if self.n_folds is not None:
            n_parts = min(self.n_folds, max(2, sample.m))
        labels = sample.y if sample.n_classes > 0 else np.zeros(len(sample), np.int64)
        if self.groups is not None:
            shares = np.full(n_parts, 1 / n_parts) if n_parts > 1 else np.array([fraction])
            dealt = _deal_groups(self.groups, sample, content, shares, seed)
        else:
            rows = (content, labels, sample.copies, sample.importance)
            how = (seed, sample.engine, sample.code_hashes)
            if n_parts == 1:
                dealt = hold_out(*rows, fraction, *how)[:, None]
            else:
                dealt = deal(*rows, n_parts, *how)
        everyone = sample.copies_or_ones
        parts = [Part(everyone - judged, judged) for judged in np.ascontiguousarray(dealt.T)]
        own = np.array([part.judged.sum() for part in parts], np.int64)
        sizes = sample.engine.collective.sum(own)
        kept = [part for part, size in zip(parts, sizes, strict=True) if 0 < size < sample.m]
        if self.groups is not None:
            _refuse_lacking(kept, sample, "groups")
        return kept

    def held_out(self, sample: Sample, content: Keys, fraction: float, seed: int) -> Part | None:
        """The part that is held out: of given splits the last one; None where there is none."""
        found = self.folds(sample, content, 1, fraction, seed)
        return found[-1] if found else None


def division(
    prepared: Prepared, cv: Any, groups: Any, data: tuple[Any, ...], needed: bool
) -> Division:
    """The division that ``cv`` and ``groups`` ask for; ``data`` are X and y as given.

    Where it is not ``needed``, the length of ``groups`` is looked at alone.
    """
    sample, used = prepared.sample, prepared.used
    n_rows = len(sample) if used is None else len(used)
    if groups is not None:
        if sample.engine.collective.size > 1:
            raise ValueError(
                "groups is not supported over several partitions of the rows: leave it out, or fit "
                "on all rows in one place."
            )
        groups = group_numbers(groups, n_rows, "groups")
    if not needed or (cv is None and groups is None):
        return Division()
    if cv is not None and not _is_number(cv):
        return Division(splits=_given_splits(prepared, cv, groups, data, n_rows))
    n_folds = None if cv is None else int(cv)
    if groups is None:
        return Division(n_folds=n_folds)
    own: Ints = groups if used is None else groups[used]
    if (own == own[0]).all():
        raise ValueError(
            "groups names one group only, and rows of a group stay together: there would be "
            f"nothing to judge by. Pass groups of more than one kind, {_REMEDY}."
        )
    return Division(own, n_folds=n_folds)


def _is_number(cv: Any) -> bool:
    return isinstance(cv, Integral) and not isinstance(cv, bool)


def _given_splits(
    prepared: Prepared, cv: Any, groups: Ints | None, data: tuple[Any, ...], n_rows: int
) -> tuple[Part, ...]:
    """The splits of a splitter or an iterable, as parts of the sample."""
    sample, used = prepared.sample, prepared.used
    copies, splits = sample.copies_or_ones, []
    X = np.zeros((n_rows, 1)) if isinstance(sample.cells, StreamedCells) else data[0]
    found = _read_splits(cv, (X, data[1]), groups, n_rows)
    for number, masks in enumerate(found, start=1):
        part = Part(*(copies * (mask if used is None else mask[used]) for mask in masks))
        for what, rows in (("learn from", part.learnt), ("judge by", part.judged)):
            if not rows.any():
                raise ValueError(f"split {number} of cv has no rows to {what}.")
        splits.append(part)
    if not splits:
        raise ValueError(
            f"cv={show(cv)} gives no splits: pass a splitter, or a list of pairs of row numbers, "
            "to learn from and to judge by. (A generator gives them once.)"
        )
    _refuse_lacking(splits, sample, "cv")
    return tuple(splits)


def check_cv(cv: Any, numbers: bool = True) -> None:
    """Refuses what is no way to divide rows; ``numbers``: a number of folds may be given."""
    if numbers and _is_number(cv):
        integer("cv", cv, 2)
    elif isinstance(cv, (str, bytes)) or not (cv is None or isinstance(cv, (Splitter, Iterable))):
        raise TypeError(
            f"cv={show(cv)} is not allowed: it must be {'a number of folds, ' * numbers}an object "
            "with split(X, y, groups), as scikit-learn's splitters are, pairs of row numbers (to "
            "learn from, to judge by), or None."
        )


def _read_splits(
    cv: Any, data: tuple[Any, Any], groups: Ints | None, n_rows: int
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Masks of the rows to learn from and to judge by, of every split."""
    pairs = cv.split(*data, groups) if isinstance(cv, Splitter) else cv
    for number, pair in enumerate(pairs, start=1):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise ValueError(
                f"split {number} of cv is {show(pair)}; it must be a pair of row numbers: those to "
                "learn from, and those to judge by."
            )
        learnt, judged = (_mask(rows, n_rows, number) for rows in pair)
        both = np.flatnonzero(learnt & judged)
        if len(both):
            raise ValueError(
                f"split {number} of cv judges by rows that it learns from, {len(both)} of them, "
                f"the first row {both[0]}; the two must not overlap."
            )
        yield learnt, judged


def _mask(rows: Any, n_rows: int, number: int) -> NDArray[np.bool_]:
    """The rows as a mask, given as one or as numbers."""
    array = np.asarray(rows)
    if array.dtype == bool and array.shape == (n_rows,):
        return array
    if array.size == 0:
        return np.zeros(n_rows, bool)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise ValueError(
            f"split {number} of cv holds {show(rows)}; pass row numbers, or a mask of all rows."
        )
    if array.min() < 0 or array.max() >= n_rows:
        outside = int(array.min() if array.min() < 0 else array.max())
        raise ValueError(
            f"split {number} of cv names row {outside}, and X has the rows 0 to {n_rows - 1}."
        )
    mask = np.zeros(n_rows, bool)
    mask[array] = True
    return mask


def _refuse_lacking(parts: Sequence[Part], sample: Sample, name: str) -> None:
    """Raises ValueError where a part has no example of some class to learn from."""
    if sample.n_classes < 2 or sample.y.ndim > 1:
        return
    labels = np.unique(sample.y)
    for number, part in enumerate(parts, start=1):
        there = np.isin(labels, sample.y[part.learnt > 0])
        if not there.all():
            code = int(np.searchsorted(np.unique(sample.y), labels[~there][0]))
            lacking = show(np.asarray(sample.classes)[code])
            whose = f"split {number} of cv has" if name == "cv" else "of groups, a part has"
            raise ValueError(
                f"{whose} no example of class {lacking} to learn from; divide the rows so that "
                f"every class is among those learnt from, {_REMEDY}."
            )


def _deal_groups(
    groups: Ints, sample: Sample, content: Keys, shares: Floats, seed: int
) -> NDArray[np.int64]:
    """How many copies of each row go to each part, (rows, parts): all rows of a group to one.

    Groups go, the largest first, to where the parts come nearest to their shares of every class and
    of all examples; of equal sizes they come in an order by their content and the seed. What the
    shares leave goes to no part.
    """
    copies = sample.copies_or_ones
    ids, place = np.unique(groups, return_inverse=True)
    known = sample.n_classes > 0 and sample.y.ndim == 1
    labels = np.unique(sample.y, return_inverse=True)[1] if known else np.zeros_like(groups)
    sizes = np.zeros((len(ids), int(labels.max()) + 1), np.int64)
    np.add.at(sizes, (place, labels), copies)
    sizes = np.column_stack([sizes, sizes.sum(axis=1)])
    keys = np.zeros(len(ids), np.uint64)
    np.add.at(keys, place, mixed(content) * copies.astype(np.uint64))
    keys = mixed(keys ^ mixed(np.array([seed + 1], np.uint64) * GOLDEN))
    rest = 1 - float(shares.sum())
    wanted = np.append(shares, rest) if rest > 1e-9 else shares
    of_class = sizes.sum(axis=0)
    part_of = np.empty(len(ids), np.int64)
    filled = np.zeros((len(wanted), sizes.shape[1]))
    order = np.lexsort((keys, -sizes[:, -1]))
    for k in order:
        own = sizes[k] / of_class
        worse = (own * (2 * filled + own - 2 * wanted[:, None])).sum(axis=1) / wanted
        part_of[k] = best = int(np.argmin(worse))
        filled[best] += own
    if len(shares) == 1 and not (part_of == 0).any():  # all were too large
        part_of[order[-1]] = 0
    dealt = np.zeros((len(groups), len(shares)), np.int64)
    within = part_of[place] < len(shares)
    dealt[np.flatnonzero(within), part_of[place][within]] = copies[within]
    return dealt


Rows = tuple[Any, Any, Any]  # X, y and weights


def rows_held_out(
    prepared: Prepared, data: Rows, cv: Any, groups: Any, fraction: float, seed: int
) -> tuple[Rows, list[tuple[str, Any, list[Any]]]]:
    """The rows to learn from, and those to judge by as a set for validation, of data as given.

    Whole rows are held out: all of a group, or those that the last split of ``cv`` judges by.
    """
    sample = prepared.sample
    parts = division(prepared, cv, groups, data, needed=True)
    part = parts.held_out(sample, sample.row_hashes, fraction, seed)
    if part is None:
        raise ValueError(
            "groups leave no rows to judge by, or none to learn from: pass smaller groups, or "
            "X_val and y_val."
        )
    rows = np.arange(len(sample)) if prepared.used is None else np.flatnonzero(prepared.used)

    def taken(counted: Ints) -> Rows:
        X, y, weight = (
            None if each is None else take_rows(each, rows[counted > 0]) for each in data
        )
        return X, y, weight

    X_val, *rest = taken(part.judged)
    return taken(part.learnt), [("", X_val, rest)]
