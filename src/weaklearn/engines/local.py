"""The engine of this machine; the only importer of the compiled core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.distribution import Distribution, Verdict
from ..base.sample import OPENED, Binning

if TYPE_CHECKING:
    from ..base.ensemble import PackedMembers
    from ..base.sample import Cells, Sample


@dataclass(frozen=True)
class LocalEngine:
    """Kernels on this machine's threads."""

    threads: int = 1

    def code(self, cells: Cells, binning: Binning = OPENED) -> _core.Columns:
        """Coded columns of dense, tabular or sparse cells."""
        how = (self.threads, binning.most_codes, binning.least_rows, binning.keep_order)
        if cells.matrix is not None:
            return _core.Columns.from_matrix(cells.matrix, *how)
        if cells.sparse is not None:
            return _core.Columns.from_sparse(cells.n_rows, *_csc(cells.sparse), *how)
        assert cells.columns is not None
        assert cells.n_levels is not None
        table = [np.ascontiguousarray(column) for column in cells.columns]
        return _core.Columns.from_table(cells.n_rows, table, cells.n_levels, *how)

    def distribution(
        self,
        n_rows: int,
        prior: NDArray[np.float64] | None,
        copies: NDArray[np.int64] | None,
        sign: NDArray[np.int8] | None,
    ) -> Distribution:
        return Distribution(_core.Weights(n_rows, prior, copies, sign), self.threads)

    def stump_search(
        self, sample: Sample, multiway: bool, abstain: bool, least_share: float = 0.0
    ) -> Any:
        coded = sample.coded
        if not sample.binary:
            return _core.PluralitySearch(
                coded,
                sample.y,
                sample.n_classes,
                multiway,
                abstain,
                least_share,
                False,
                self.threads,
            )
        if least_share == 0:
            return _core.StumpSearch(coded, multiway, abstain, self.threads)
        classes = (sample.y > 0).astype(np.int32)
        return SignedSearch(
            _core.PluralitySearch(
                coded, classes, 2, multiway, abstain, least_share, True, self.threads
            )
        )

    def judge(self, sample: Sample, members: Any) -> Verdict:
        h = members
        return _core.judge(
            sample.coded,
            h.feature,
            h.test,
            h.threshold,
            h.level,
            h.low,
            h.high,
            h.missing,
            None if h.levels is None else np.array(h.levels, np.int32),
            sample.y,
        )

    def verdict(self, side: NDArray[np.int8]) -> Verdict:
        return _core.Verdict(np.ascontiguousarray(side, np.int8))

    def scorer(self, members: PackedMembers) -> Any:
        return Scorer(members)

    def is_constant(self, coded: Any) -> bool:
        """Whether no column tells any two rows apart."""
        columns = map(coded.describe, range(coded.n_features))
        return all(column["n_codes"] + column["has_missing"] <= 1 for column in columns)

    def row_hashes(self, coded: Any) -> NDArray[np.uint64]:
        hashes: NDArray[np.uint64] = coded.hash_rows()
        return hashes


class SignedSearch:
    """A search over classes 0 and 1 whose answers are -1 and +1."""

    def __init__(self, search: _core.PluralitySearch) -> None:
        self._search = search

    def search(self, coded: _core.Columns, weights: Any) -> tuple[Any, ...]:
        found = self._search.search(coded, weights)
        test, feature, threshold, level, low, high, missing, majority, levels = found
        signs = (2 * low - 1, 2 * high - 1, 0 if missing < 0 else 2 * missing - 1, 2 * majority - 1)
        return (test, feature, threshold, level, *signs, None if levels is None else 2 * levels - 1)


class Scorer:
    """A packed vote: cells in, whole-number scores out."""

    def __init__(self, members: PackedMembers) -> None:
        self._n_features = members.n_features
        self._n_levels = members.n_levels
        self._kernel = _core.Scorer(
            members.n_features, members.n_outputs, members.n_levels, **members.arrays
        )

    def __call__(self, cells: Cells, threads: int) -> NDArray[np.int64]:
        if cells.matrix is not None:
            return self._kernel.score_matrix(cells.matrix, self._n_features, threads)
        if cells.sparse is not None:
            return self._kernel.score_sparse(cells.n_rows, *_csc(cells.sparse))
        assert cells.columns is not None
        table = [np.ascontiguousarray(column) for column in cells.columns]
        return self._kernel.score_table(cells.n_rows, table, self._n_levels, threads)


def _csc(sparse: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Data, rows and starts of sparse columns, with one type of index."""
    rows, starts = sparse.indices, sparse.indptr
    index = np.int32 if rows.dtype == np.int32 and starts.dtype == np.int32 else np.int64
    return (
        np.ascontiguousarray(sparse.data),
        np.ascontiguousarray(rows, index),
        np.ascontiguousarray(starts, index),
    )
