"""Bins over partitions: every row gets the code that it has where all rows are in one."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from tests.partitions import RowNumbers, dealt, on_each
from tests.reference.bins import ends_of_bins
from weaklearn.base.rows import CUT, OPENED, Binning
from weaklearn.engines import choose, joint_bins, joint_ranks
from weaklearn.engines.collective import collective
from weaklearn.engines.here import Here
from weaklearn.intake.cells import Cells


def _coded(cells: Cells, binning: Binning, copies: Any, merged: int | None) -> dict[str, Any]:
    """All that can be told of binned columns, apart and by row."""
    engine = choose(1).columns
    coded = engine.code(cells, binning, copies)
    if merged is not None:
        coded = engine.merge(coded, merged, copies)
    features = range(coded.n_features)
    described = [coded.describe(j) for j in features]
    codes = [engine.codes(coded, j) for j in features]
    return {
        "ends": [one.pop("ends").tobytes() for one in described],
        "columns": described,
        "varying": engine.varying(coded).tolist(),
        "codes": np.array(codes).reshape(len(codes), coded.n_rows),
        "hashes": coded.hash_rows()[None, :],
    }


def assert_same_codes(
    cells: Cells,
    parts: list[RowNumbers],
    binning: Binning,
    copies: NDArray[np.int64] | None = None,
    merged: int | None = None,
) -> None:
    """Codes and bins of partitions are those of all rows."""
    alone = _coded(cells, binning, copies, merged)

    def program(rows: RowNumbers) -> dict[str, Any]:
        own = None if copies is None else copies[rows]
        return _coded(cells.take(rows), binning, own, merged)

    for rows, found in zip(parts, on_each(parts, program), strict=True):
        for name in ("codes", "hashes"):
            assert np.array_equal(found.pop(name), alone[name][:, rows]), name
        assert found == {name: alone[name] for name in found}


def _columns(n: int, seed: int = 0) -> NDArray[np.float64]:
    """Columns of few and many values, of ties, of both zeros, infinities and missing values."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    heavy = np.where(rng.random(n) < 0.6, -0.0, x)
    ends = np.where(rng.random(n) < 0.2, np.where(x > 0, np.inf, -np.inf), rng.normal(size=n))
    gone = np.where(rng.random(n) < 0.3, np.nan, rng.exponential(size=n))
    whole = rng.geometric(0.001, n).astype(float)
    some = [x, x.astype(np.float32), np.round(x, 1), np.round(x, 3), heavy, ends, gone, whole]
    few = [np.full(n, np.nan), np.ones(n), np.exp(15 * x), np.where(x > 2, x, np.nan)]
    return np.column_stack(some + few)


@pytest.mark.parametrize("n_parts", [1, 3, 7, 16])
@pytest.mark.parametrize("binning", [CUT, OPENED, Binning(20, 1, False), Binning(20, 64, True)])
def test_partitions_code_their_rows_as_one_does(n_parts: int, binning: Binning) -> None:
    X = _columns(3000, n_parts)
    copies = np.random.default_rng(1).integers(1, 5, len(X))
    parts = dealt(len(X), n_parts, n_parts)
    for given_copies in (None, copies):
        assert_same_codes(Cells(len(X), X.shape[1], X), parts, binning, given_copies)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighed", [False, True])
def test_many_values_are_asked_for_in_several_steps(dtype: type, weighed: bool) -> None:
    X = _columns(60_000).astype(dtype)
    copies = np.random.default_rng(1).integers(1, 5, len(X)) if weighed else None
    for parts in (dealt(len(X), 5), np.array_split(np.argsort(X[:, 0]), 4)):
        assert_same_codes(Cells(len(X), X.shape[1], X), parts, CUT, copies)
        assert_same_codes(Cells(len(X), X.shape[1], X), parts, OPENED)


def test_tables_with_categories_are_coded_alike() -> None:
    rng = np.random.default_rng(0)
    n = 2000
    columns = [
        rng.integers(0, 4, n).astype(np.int32),
        np.where(np.arange(n) == 7, -1, rng.integers(0, 4, n)).astype(np.int32),  # missing in one
        rng.normal(size=n),
    ]
    cells = Cells(n, 3, columns=columns, n_categories=np.array([5, 4, 0], np.int32))
    for n_parts in (2, 16):
        for binning in (CUT, OPENED):
            assert_same_codes(cells, dealt(n, n_parts), binning)


@pytest.mark.parametrize("weighed", [False, True])
def test_merged_bins_are_those_of_all_rows(weighed: bool) -> None:
    X = _columns(2000)
    copies = np.random.default_rng(1).integers(1, 5, len(X)) if weighed else None
    cells = Cells(len(X), X.shape[1], X)
    for n_parts in (3, 7):
        assert_same_codes(cells, dealt(len(X), n_parts), CUT, copies, merged=31)


def test_a_row_of_no_copies_is_refused() -> None:
    X = _columns(99)
    copies = np.random.default_rng(0).integers(0, 3, len(X))

    def program(rows: RowNumbers) -> None:
        cells = Cells(len(rows), X.shape[1], X[rows])
        with pytest.raises(ValueError, match="1 copy at least"):
            choose(1).columns.code(cells, CUT, copies[rows])

    program(np.arange(len(X)))
    on_each(np.array_split(np.arange(len(X)), 3), program)


def test_no_rows_and_no_columns() -> None:
    parts = [np.arange(0), np.arange(3), np.arange(0)]
    assert_same_codes(Cells(3, 2, np.full((3, 2), np.nan)), parts, CUT)
    assert_same_codes(Cells(3, 0, np.zeros((3, 0))), parts, OPENED)


@settings(max_examples=300)
@given(data=st.data())
def test_any_numbers_have_the_bins_of_one_partition(data: st.DataObject) -> None:
    wide = data.draw(st.sampled_from([32, 64]))
    numbers = st.floats(width=wide) | st.sampled_from([-0.0, 0.0, 1.0, np.inf, -np.inf, np.nan])
    shape = array_shapes(min_dims=2, max_dims=2, max_side=60)
    X = data.draw(arrays(np.float32 if wide == 32 else np.float64, shape, elements=numbers))
    n = len(X)
    copies = data.draw(st.none() | arrays(np.int64, n, elements=st.integers(1, 9)))
    owner = data.draw(arrays(np.int8, n, elements=st.integers(0, 15)))
    parts = [np.flatnonzero(owner == rank) for rank in range(data.draw(st.integers(16, 17)))]
    binning = Binning(
        data.draw(st.integers(2, 12)), data.draw(st.integers(1, 9)), data.draw(st.booleans())
    )
    listed, later = data.draw(st.sampled_from([(1, 2), (4, 3), (joint_ranks._LISTED, 2)]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint_ranks, "_LISTED", listed)  # few values are as many, then
        patch.setattr(joint_ranks, "_LATER", later)
        patch.setattr(joint_ranks, "_FIRST", later)
        assert_same_codes(Cells(n, X.shape[1], X), parts, binning, copies)
    coded = choose(1).columns.code(Cells(n, X.shape[1], X), binning, copies)
    for j, x in enumerate(X.T.astype(np.float64)):
        wanted = ends_of_bins(
            x, None if binning.keep_order else copies, binning.most_codes, binning.least_rows
        )
        assert coded.describe(j)["ends"].tolist() == wanted.tolist()


def test_columns_are_asked_for_together_and_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    trips = []
    exchange = Here.exchange

    def counted(self: Here, operation: Any, value: Any) -> Any:
        trips.append(self.rank)
        return exchange(self, operation, value)

    monkeypatch.setattr(Here, "exchange", counted)
    n = 200_000
    X = np.random.default_rng(0).normal(size=(n, 3))
    X[:, 1] = np.round(X[:, 1], 4)
    on_each(dealt(n, 2), lambda rows: joint_bins.joint_codes(X[rows].T, CUT, None, 1, collective()))
    assert len(trips) // 2 <= 10
