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
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Stump
from ..base.rows import Rows
from ..base.sample import Sample
from ..base.streamed_cells import StreamedCells, sampled_rows
from ..base.trees.term import TermSum
from ..base.types import Floats, Partitions
from ..base.votes.prior import Foreknown
from ..base.votes.tree_sum import AdditiveTrees
from .row_sketch import read_matrix

Integers = NDArray[np.int64]

BINS = 20
_PARTS = np.arange(1, BINS) / BINS
_EXPECTED = 10  # rows in a bin at least: fewer differ much by chance
FEWEST = 2 * _EXPECTED  # rows that can be compared
MOST_COLUMNS = 2000  # of wider tables nothing is kept: few look at so many histograms
# What fits keep: histograms of columns, and hashes of rows.
KEPT: ContextVar[tuple[bool, bool]] = ContextVar("profile", default=(True, True))


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
    token = KEPT.set((False, rows and KEPT.get()[1]))
    try:
        yield
    finally:
        KEPT.reset(token)


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
    present = np.sort(values[~np.isnan(values)])
    n = len(present)
    if n == 0:
        return Histogram(np.zeros(1, np.int64), len(values), np.empty(0))
    low, *parts, high = present[[0, *((n - 1) * _PARTS).astype(np.int64), n - 1]].tolist()
    cuts = np.array([cut for cut in dict.fromkeys(parts) if cut < high])
    below = present.searchsorted(cuts, side="right").tolist()
    counts = [b - a for a, b in pairwise([0, *below, n])]
    return Histogram(np.array(counts, np.int64), len(values) - n, cuts, low, high)


def categories_histogram(codes: NDArray[Any], n_categories: int) -> Histogram:
    """Counts of codes, -1 for missing."""
    return Histogram(np.zeros(n_categories, np.int64), 0).count(codes)


def profile_of(sample: Sample, ends: tuple[Floats, Floats] | None = None) -> Profile | None:
    """The histograms of a sample's columns; None where there are too many columns, or none binned.

    ``ends``: the least and the greatest of own values of every column, where they are known.
    """
    n_features, over = sample.cells.n_features, sample.engine.collective
    if n_features > MOST_COLUMNS or sample.coded is None:
        return None
    low, high = _ends_of(sample) if ends is None else ends
    low, high = -over.maximum(-low), over.maximum(high)
    few = _sampled_of(len(sample), over)
    counts = over.sum(sample.engine.rows.code_counts(sample.coded, few, sample.copies))
    below = counts.cumsum(axis=1)
    return Profile(
        tuple(
            _of_codes(sample, j, below[j], float(low[j]), float(high[j])) for j in range(n_features)
        )
    )


def _ends_of(sample: Sample) -> tuple[Floats, Floats]:
    """The least and the greatest value of every column; inf and -inf of none and of categories."""
    if sample.cells.matrix is not None:
        return read_matrix(sample.cells.matrix)[1:]
    if isinstance(sample.cells, StreamedCells) and sample.cells.summary is not None:
        return sample.cells.summary.low, sample.cells.summary.high
    low = np.full(sample.cells.n_features, np.inf)
    high = -low
    for j in range(sample.cells.n_features):
        column = sample.column(j)
        if column.dtype.kind == "f":
            low[j] = np.fmin.reduce(column, initial=np.inf)
            high[j] = np.fmax.reduce(column, initial=-np.inf)
    return low, high


def _sampled_of(n_own: int, over: Partitions) -> Integers | None:
    """The ``sampled_rows`` among own rows, those of partitions before coming first."""
    lengths = over.gather(n_own)
    some = sampled_rows(sum(lengths))
    if some is None:
        return None
    before = sum(lengths[: over.rank])
    return some[(before <= some) & (some < before + n_own)] - before


def _of_codes(sample: Sample, j: int, found: Integers, low: float, high: float) -> Histogram:
    """The histogram of a column by the cumulative counts of its codes, bins merged to at most
    ``BINS``.
    """
    grid = sample.engine.columns.grid(sample.coded, j)
    below = found[: grid.n_codes]
    n = int(below[-1]) if len(below) else 0
    missing = int(found[-1]) - n
    if grid.cuts is None:
        return Histogram(np.diff(below, prepend=0), missing)
    if n == 0:
        return Histogram(np.zeros(1, np.int64), missing, np.empty(0))
    last = len(grid.cuts)  # the last bin has no cut above
    ends = sorted({end for end in below.searchsorted(n * _PARTS).tolist() if end < last})
    merged = [b - a for a, b in pairwise([0, *below[ends].tolist(), n])]
    cuts = np.asarray(grid.cuts, np.float64)[ends]
    return Histogram(np.array(merged, np.int64), missing, cuts, low, high)


def with_scores(profile: Profile | None, ensemble: Any, rows: Rows | None) -> Profile | None:
    """The profile with a histogram of the scores of the given rows.

    Where none were, those of training will do if members look at one column each: what trees say
    of the rows that they were grown on is further from 0 than what they say of new ones.
    """
    if profile is None or rows is None:
        return profile
    over = rows.engine.collective
    few, cells = _sampled_of(len(rows), over), rows.cells
    if isinstance(cells, StreamedCells) and cells.summary is not None:
        cells = cells.summary.sampled  # without a look into files that may be gone by now
    elif few is not None:
        cells = cells.take(few)
    some = Rows(cells, None, rows.engine)
    found = over.gather(np.asarray(ensemble(some)) if len(some) else None)
    scores = [own for own in found if own is not None]
    return replace(profile, scores=of_scores(np.concatenate(scores))) if scores else profile


def one_column_each(ensemble: Any) -> bool:
    """Whether scores are sums of functions of single columns, or of pairs in a glass box."""
    if isinstance(ensemble, (AdditiveTrees, TermSum)):
        return isinstance(ensemble, TermSum)
    return all(type(h) is Stump for h in ensemble.members)


def reads_cells(ensemble: Any) -> bool:
    """Whether the ensemble scores encoded rows: priors and sklearn estimators need X itself."""
    if isinstance(ensemble, (AdditiveTrees, TermSum)):
        return True
    if any(isinstance(part, Foreknown) for part in ensemble.parts):
        return False
    return all(h.reads_cells for h in ensemble.members)


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
