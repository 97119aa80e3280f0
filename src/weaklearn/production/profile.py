"""Reference histograms of the training columns, for drift checks.

A fit makes them from its bins, in about the time of one round, from at most 5,000 random rows. They
are no part of what was learnt, so no parameter of an estimator and no part of the fingerprint: they
hang on the provenance, in an optional section of a model file. ``save(path, profile=False)`` leaves
them out of a file, and fits within ``without_profile()`` keep none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.sample import Rows, Sample
from ..base.trees.stump import Stump
from ..base.trees.term import TermSum
from ..base.types import Floats
from ..base.votes.prior import Foreknown
from ..base.votes.tree_sum import AdditiveTrees

Integers = NDArray[np.int64]

BINS = 20
_EXPECTED = 10  # rows in a bin at least: fewer differ much by chance
FEWEST = 2 * _EXPECTED  # rows that can be compared
_COUNTED = 5_000  # rows at most
MOST_COLUMNS = 2000  # of wider tables nothing is kept: few look at so many histograms
_AT_ONCE = 64  # rows that are compared side by side: wide lines are faster than many
# What fits keep: histograms of columns, and hashes of rows.
_kept: ContextVar[tuple[bool, bool]] = ContextVar("profile", default=(True, True))


@contextmanager
def without_profile(*, rows: bool = True) -> Iterator[None]:
    """Context manager: fits keep no histograms; with ``rows=False`` no row hashes either.

    Without hashes a model cannot tell whether rows were trained on, and certificates from rows of
    training or of a test say so.

    >>> import weaklearn
    >>> X, y = weaklearn.datasets.toy()
    >>> with weaklearn.without_profile():
    ...     model = weaklearn.AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> model.check(X)
    Traceback (most recent call last):
    ...
    ValueError: the model keeps no histograms of its training: ...
    """
    token = _kept.set((False, rows and hashes_rows()))
    try:
        yield
    finally:
        _kept.reset(token)


def hashes_rows() -> bool:
    """Whether fits keep hashes of their rows."""
    return _kept.get()[1]


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts of present values: in bins (c[i-1] < x <= c[i]), or of categories by their codes.

    ``missing`` counts the others; ``low`` and ``high`` are the least and greatest value.
    """

    counts: Integers
    missing: int
    cuts: Floats | None = None
    low: float = np.nan
    high: float = np.nan

    @property
    def n(self) -> int:
        """The number of present values."""
        return int(self.counts.sum())

    def count(self, values: NDArray[Any]) -> Histogram:
        """A histogram of other values in the same bins; NaN, or code -1, is missing."""
        if self.cuts is None:
            present = values >= 0
            codes = values[present & (values < len(self.counts))].astype(np.int64)
            found = np.bincount(codes, minlength=len(self.counts))
            return Histogram(found.astype(np.int64), int(np.count_nonzero(~present)))
        present = values[~np.isnan(values)]
        places = np.searchsorted(self.cuts, present, side="left")
        found = np.bincount(places, minlength=len(self.counts)).astype(np.int64)
        return replace(self, counts=found, missing=len(values) - len(present))


@dataclass(frozen=True, eq=False)
class Profile:
    """A histogram for every column, and of the scores of held-out rows."""

    columns: tuple[Histogram, ...]
    scores: Histogram | None = None


def numbers_histogram(values: Floats) -> Histogram:
    """The histogram of numbers, in bins of about equal counts."""
    present = values[~np.isnan(values)]
    if len(present) == 0:
        return Histogram(np.zeros(1, np.int64), len(values), np.empty(0))
    cuts = np.unique(np.quantile(present, np.arange(1, BINS) / BINS, method="lower"))
    low, high = float(present.min()), float(present.max())
    cuts = cuts[cuts < high]
    blank = Histogram(np.zeros(len(cuts) + 1, np.int64), 0, cuts, low, high)
    return blank.count(values)


def categories_histogram(codes: NDArray[Any], n_categories: int) -> Histogram:
    """Counts of codes, -1 for missing."""
    return Histogram(np.zeros(n_categories, np.int64), 0).count(codes)


def profile_of(sample: Sample) -> Profile | None:
    """The histograms of a sample's columns; None where none is to be kept."""
    n_features = sample.cells.n_features
    if not _kept.get()[0] or n_features > MOST_COLUMNS or sample.coded is None:
        return None
    rows = _some(len(sample))
    matrix = sample.cells.matrix
    ends = None if matrix is None else _ends(matrix)
    return Profile(tuple(_of_codes(sample, j, rows, ends) for j in range(n_features)))


def _ends(matrix: Floats) -> tuple[Floats, Floats]:
    """The least and the greatest value of every column, NaN left out."""
    n, d = matrix.shape
    full_blocks = n // _AT_ONCE * _AT_ONCE if matrix.flags.c_contiguous else 0
    wide = matrix[:full_blocks].reshape(-1, _AT_ONCE * d)
    found = []
    for least in (np.minimum, np.maximum):
        parts = [least.reduce(matrix[full_blocks:])] if full_blocks < n else []
        if full_blocks:
            parts.append(least.reduce(least.reduce(wide).reshape(_AT_ONCE, d)))
        ends = least.reduce(np.stack(parts))
        gaps = np.flatnonzero(np.isnan(ends))
        if len(gaps):
            ends[gaps] = (np.fmin if least is np.minimum else np.fmax).reduce(matrix[:, gaps])
        found.append(ends)
    return found[0], found[1]


def _some(n: int) -> Integers | None:
    """Row numbers of a random part of a large table; None for all rows."""
    return None if n <= _COUNTED else np.sort(np.random.default_rng(n).integers(0, n, _COUNTED))


def _of_codes(
    sample: Sample, j: int, rows: Integers | None, known: tuple[Floats, Floats] | None
) -> Histogram:
    """The histogram of a column's codes, neighbouring bins merged to at most ``BINS``."""
    engine, coded = sample.engine, sample.coded
    grid = engine.columns.grid(coded, j)
    codes, weights = engine.columns.codes(coded, j), sample.copies
    if rows is not None:
        codes, weights = codes[rows], None if weights is None else weights[rows]
    found = np.bincount(codes, weights=weights, minlength=grid.n_codes + 1).astype(np.int64)
    counts, missing = found[: grid.n_codes], int(found[grid.n_codes :].sum())
    if grid.cuts is None:
        return Histogram(counts, missing)
    if counts.sum() == 0:
        return Histogram(np.zeros(1, np.int64), missing, np.empty(0))
    if known is None:
        column = sample.column(j)
        low, high = np.fmin.reduce(column), np.fmax.reduce(column)
    else:
        low, high = known[0][j], known[1][j]
    below = np.cumsum(counts)
    goals = below[-1] * np.arange(1, BINS) / BINS
    ends = np.unique(np.searchsorted(below, goals, side="left"))
    ends = ends[ends < len(grid.cuts)]  # the last bin has no cut above
    return Histogram(
        np.diff(np.concatenate([[0], below[ends], below[-1:]])).astype(np.int64),
        missing,
        np.asarray(grid.cuts, np.float64)[ends],
        float(low),
        float(high),
    )


def with_scores(profile: Profile | None, ensemble: Any, rows: Rows | None) -> Profile | None:
    """The profile with a histogram of the scores of the given rows.

    Where none were, those of training will do if members look at one column each: what trees say
    of the rows that they were grown on is further from 0 than what they say of new ones.
    """
    if profile is None or rows is None or len(rows) == 0:
        return profile
    few = _some(len(rows))
    some = rows if few is None else Rows(rows.cells.take(few), None, rows.engine)
    return replace(profile, scores=of_scores(np.asarray(ensemble(some))))


def one_column_each(ensemble: Any) -> bool:
    """Whether scores are sums of functions of single columns, or of pairs in a glass box."""
    if isinstance(ensemble, (AdditiveTrees, TermSum)):
        return isinstance(ensemble, TermSum)
    return all(type(h) is Stump for h in ensemble.members)


def reads_cells(ensemble: Any) -> bool:
    """Whether the ensemble scores encoded rows: priors and sklearn estimators need X itself."""
    if isinstance(ensemble, (AdditiveTrees, TermSum)):
        return True
    from ..files.member import MEMBERS

    if any(isinstance(part, Foreknown) for part in ensemble.parts):
        return False
    return all(type(h) in MEMBERS for h in ensemble.members)


def psi(then: Histogram, now: Histogram) -> float | None:
    """The population stability index: the sum of (p - q) ln(p / q), less what chance would give.

    Samples of n and m rows of one population differ by about (bins - 1)(1/n + 1/m) on average;
    half a row is added to every bin, so that none is empty. Of few rows bins are joined until ten
    rows are expected in each; None where either has fewer than twenty, which would tell nothing.

    >>> then = Histogram(np.array([50, 50]), 0)
    >>> psi(then, Histogram(np.array([480, 520]), 0)), psi(then, Histogram(np.array([900, 100]), 0))
    (0.0, 0.86...)
    """
    n, m = then.n, now.n
    if min(n, m) < FEWEST:
        return None
    before, after = _joined(then.counts, now.counts, min(n, m) // _EXPECTED)
    bins = len(before)
    p = (before + 0.5) / (n + 0.5 * bins)
    q = (after + 0.5) / (m + 0.5 * bins)
    found = float(((p - q) * np.log(p / q)).sum())
    return max(0.0, found - (bins - 1) * (1 / n + 1 / m))


def _joined(before: Integers, after: Integers, most: int) -> tuple[Integers, Integers]:
    """The counts in at most ``most`` bins, merged to about equal counts in ``before``."""
    if len(before) <= most:
        return before, after
    below = np.cumsum(before + 0.5)
    middles = (below - (before + 0.5) / 2) / below[-1]
    _, first = np.unique((middles * most).astype(np.int64), return_index=True)
    return np.add.reduceat(before, first), np.add.reduceat(after, first)


def of_scores(F: NDArray[Any]) -> Histogram:
    """The histogram of scores, (n,); of (n, K), that of the argmax."""
    if F.ndim == 2 and F.shape[1] > 1:
        return categories_histogram(F.argmax(axis=1), F.shape[1])
    return numbers_histogram(np.asarray(F, np.float64).reshape(len(F)))
