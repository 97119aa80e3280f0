"""One pass over a dense matrix against its twin in numpy, and against the binned columns."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.reference import row_content as twin
from weaklearn.base.sample import OPENED
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


@pytest.mark.parametrize(("n", "d"), [(1, 1), (7, 3), (500, 20), (3000, 9), (300, 5000)])
def test_a_pass_over_a_matrix_is_that_of_its_twin(n: int, d: int) -> None:
    X, factors = _matrix(n, d), _factors(d)
    keys, hashes, low, high = on_threads().columns.read_rows(X, factors, hashes=True)
    assert np.array_equal(keys, twin.row_keys(X, factors))
    assert hashes is not None
    assert np.array_equal(hashes, twin.row_hashes(X))
    known = ~np.isnan(X).all(axis=0)
    assert np.array_equal(low[known], np.nanmin(X[:, known], axis=0))
    assert np.array_equal(high[known], np.nanmax(X[:, known], axis=0))
    assert np.isinf(low[~known]).all()
    alone, none, *_ = on_threads().columns.read_rows(X, factors, hashes=False)
    assert none is None
    assert np.array_equal(alone, keys)


def test_layout_type_and_threads_do_not_matter() -> None:
    X, factors = _matrix(20_000, 30), _factors(30)
    expected = on_threads().columns.read_rows(X, factors, hashes=True)
    wide = np.repeat(X, 2, axis=1)
    for same in (np.asfortranarray(X), X.astype(np.float32), wide[:, ::2], X[::-1][::-1]):
        for threads in (1, 4):
            found = on_threads(threads).columns.read_rows(same, factors, hashes=True)
            for one, other in zip(found, expected, strict=True):
                assert np.array_equal(one, other)


def test_hashes_are_those_of_binned_columns_that_keep_every_value() -> None:
    X = _matrix(3000, 9)
    columns = on_threads().columns
    hashes = columns.read_rows(X, _factors(9), hashes=True)[1]
    coded = columns.code(Cells(*X.shape, matrix=X), OPENED)
    assert np.array_equal(hashes, columns.row_hashes(coded))
