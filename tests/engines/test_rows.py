"""Kernels that describe rows against their twins in numpy, and against the binned columns."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from tests.reference import row_content as twin
from weaklearn.base.rows import OPENED
from weaklearn.engines import on_threads
from weaklearn.intake.cells import Cells


def _matrix(n: int, d: int) -> NDArray[np.float64]:
    """Numbers with zeros of both signs, repeats and missing values; some columns of few values."""
    rng = np.random.default_rng(n + d)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(np.float64)
    X[:, ::3] = np.round(X[:, ::3])  # -0.0 among them
    X[rng.random((n, d)) < 0.1] = np.nan
    if d > 4:
        X[:, 4] = np.nan
    return X


def _factors(d: int) -> NDArray[np.uint64]:
    return np.random.default_rng(d).integers(0, 2**64, d, np.uint64) | np.uint64(1)


@pytest.mark.parametrize(
    ("n", "d"), [(1, 1), (7, 3), (500, 20), (501, 24), (3000, 9), (9, 255), (300, 5000)]
)
def test_a_pass_over_a_matrix_is_that_of_its_twin(n: int, d: int) -> None:
    X, factors, labels = _matrix(n, d), _factors(d), _factors(n)
    keys, low, high, sums = on_threads().rows.read_rows(X, factors, labels)
    assert np.array_equal(keys, twin.row_keys(X, factors))
    assert sums == twin.hash_examples(twin.row_hashes(X), labels, None, None)
    known = ~np.isnan(X).all(axis=0)
    assert np.array_equal(low[known], np.nanmin(X[:, known], axis=0))
    assert np.array_equal(high[known], np.nanmax(X[:, known], axis=0))
    assert np.isinf(low[~known]).all()
    alone, *_, none = on_threads().rows.read_rows(X, factors)
    assert none is None
    assert np.array_equal(alone, keys)


def test_layout_type_and_threads_do_not_matter() -> None:
    X, factors = _matrix(20_000, 30), _factors(30)
    rng = np.random.default_rng(1)
    examples = _factors(20_000), rng.random(20_000), rng.integers(1, 5, 20_000)
    expected = on_threads().rows.read_rows(X, factors, *examples)
    wide = np.repeat(X, 2, axis=1)
    for same in (np.asfortranarray(X), X.astype(np.float32), wide[:, ::2], X[::-1][::-1]):
        for threads in (1, 4):
            found = on_threads(threads).rows.read_rows(same, factors, *examples)
            for one, other in zip(found, expected, strict=True):
                assert np.array_equal(one, other)


@pytest.mark.parametrize("listed", [[-1], [7]])
def test_numbers_of_rows_are_within_the_table(listed: list[int]) -> None:
    X, engine = _matrix(7, 3), on_threads()
    coded = engine.columns.code(Cells(*X.shape, matrix=X), OPENED)
    with pytest.raises(ValueError, match="a row number is out of range"):
        engine.rows.code_counts(coded, np.array(listed), None)


def test_hashes_are_those_of_binned_columns_that_keep_every_value() -> None:
    X = _matrix(3000, 9)
    engine = on_threads()
    labels = _factors(3000)
    *_, sums = engine.rows.read_rows(X, _factors(9), labels)
    hashes = engine.rows.row_hashes(engine.columns.code(Cells(*X.shape, matrix=X), OPENED))
    assert sums == engine.rows.hash_examples(hashes, labels, None, None)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("copied", [False, True])
def test_the_hash_of_examples_is_that_of_its_twin(weighted: bool, copied: bool) -> None:
    rng = np.random.default_rng(5)
    rows, labels = (rng.integers(0, 2**64, 700, np.uint64) for _ in range(2))
    weights = rng.random(700) if weighted else None
    copies = rng.integers(1, 9, 700) if copied else None
    found = on_threads().rows.hash_examples(rows, labels, weights, copies)
    assert found == twin.hash_examples(rows, labels, weights, copies)


@pytest.mark.parametrize("listed", [None, np.array([0, 3, 3, 90])])
@pytest.mark.parametrize("copied", [False, True])
@pytest.mark.parametrize("is_sparse", [False, True])
def test_counts_of_codes_are_those_of_the_codes(
    listed: NDArray[np.int64] | None, copied: bool, is_sparse: bool
) -> None:
    X = _matrix(400, 6)
    cells = Cells(*X.shape, sparse=sp.csc_array(X)) if is_sparse else Cells(*X.shape, matrix=X)
    engine, copies = on_threads(), np.arange(1, 401) if copied else None
    coded = engine.columns.code(cells, OPENED)
    counts = engine.rows.code_counts(coded, listed, copies)
    for j in range(6):
        codes, weights = engine.columns.codes(coded, j), copies
        if listed is not None:
            codes, weights = codes[listed], None if weights is None else weights[listed]
        assert np.array_equal(counts[j], np.bincount(codes, weights=weights, minlength=256))


@pytest.mark.parametrize("n", [0, 1, 1000, 200_000])
def test_keys_are_sorted_and_rows_ordered_as_numpy_does(n: int) -> None:
    rng = np.random.default_rng(n)
    keys = rng.integers(0, 2**64, n, np.uint64)
    for each in (keys, keys % np.uint64(100), keys & ~np.uint64(2**60 - 1)):
        for threads in (1, 3):
            rows = on_threads(threads).rows
            assert np.array_equal(rows.sort_keys(each), np.sort(each))
            assert np.array_equal(rows.order_by_keys(each), np.argsort(each, kind="stable"))


def test_keys_of_a_table_are_those_of_its_matrix() -> None:
    X, factors = _matrix(30_000, 12), _factors(12)
    categories = np.random.default_rng(2).integers(-1, 40, 30_000).astype(np.int32)
    X[:, 5] = categories
    columns = [X[:, j] if j != 5 else categories for j in range(12)]
    n_categories = np.array([40 * (j == 5) for j in range(12)], np.int32)
    table = Cells(30_000, 12, columns=columns, n_categories=n_categories)
    rest = sp.csr_matrix(np.nan_to_num(X[:, 7:]))
    beside = Cells(30_000, 12, columns=columns[:7], sparse=rest)
    filled = np.c_[X[:, :7], np.nan_to_num(X[:, 7:])]
    for threads in (1, 4):
        rows = on_threads(threads).rows
        assert np.array_equal(rows.table_keys(table, factors), twin.row_keys(X, factors))
        assert np.array_equal(rows.table_keys(beside, factors), twin.row_keys(filled, factors))
