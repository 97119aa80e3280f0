"""Rows are known again by their content, whatever they are stored in; a sketch says what it can."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from weaklearn.intake.schema import Schema
from weaklearn.production import row_sketch
from weaklearn.production.row_sketch import RowSketch, row_keys


def cells(X: Any) -> Any:
    return Schema.learn(X)[1]


def test_keys_are_of_the_content() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (500, 7)).astype(float)
    keys = row_keys(cells(X))
    assert (keys == row_keys(cells(sparse.csr_array(X)))).all()
    assert (keys == row_keys(cells(sparse.csc_array(X)))).all()
    assert (keys == row_keys(cells(X.astype(np.float32)))).all()
    assert (keys == row_keys(cells(np.asfortranarray(-X * -1.0)))).all()
    order = rng.permutation(500)
    assert (keys[order] == row_keys(cells(X[order]))).all()
    # As many keys as rows that differ, and none for two.
    assert len(np.unique(keys)) == len(np.unique(X, axis=0))
    swapped = X[:, ::-1]
    assert (row_keys(cells(swapped)) == keys)[(swapped != X).any(axis=1)].sum() == 0


def test_missing_values_are_one_value() -> None:
    X = np.array([[1.0, np.nan], [1.0, -np.nan], [1.0, 0.0], [1.0, -0.0]])
    a, b, c, d = row_keys(cells(X)).tolist()
    assert a == b != c == d


def test_keys_of_many_rows_do_not_meet() -> None:
    X = np.arange(200_000.0)[:, None] % 65536 + np.array([0.0, 0.5])
    X[:, 1] += np.arange(200_000) // 65536
    assert len(np.unique(row_keys(cells(X)))) == 200_000


def test_a_large_table_is_told_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_sketch, "MOST_HASHES", 1000)
    rng = np.random.default_rng(1)
    X = rng.normal(size=(5000, 2))
    sketch = RowSketch.of([cells(X[:3000]), cells(X[2000:4000])])
    assert len(sketch.hashes) == 1000
    found = sketch.look(cells(X))
    assert found.n == 5000
    assert found.found == 1000  # of the 4000 rows seen those with the least hashes
    assert 1000 < found.decided < 1500
    assert found.words == "at least 1000 of 5000 rows were seen"
    clean = sketch.look(cells(X[4000:]))
    assert clean.found == 0
    assert f"{clean.decided} of 1000 rows could be looked up, and none" in clean.checked
    # Two trainings are one: all rows that both can tell.
    joined = RowSketch.of([cells(X[:900])]).joined(sketch)
    assert joined.reach <= sketch.reach
    assert joined.look(cells(X[4000:])).found == 0


@pytest.mark.parametrize("repeats", [1, 3, 50])
def test_the_least_hashes_are_found_without_sorting_all(
    repeats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_sketch, "MOST_HASHES", 1000)
    keys = np.repeat(np.random.default_rng(3).integers(0, 2**64, 40_000, np.uint64), repeats)
    for some in (keys, keys[: 999 * repeats + 1], keys[: 1001 * repeats], keys[:1001]):
        right = np.unique(some)
        sketch = RowSketch.of_keys([some], threads=2)
        assert np.array_equal(sketch.hashes, right[:1000])
        whole = len(right) <= 1000
        assert sketch.reach == (2**64 - 1 if whole else right[999])


def test_bytes_and_back() -> None:
    table = cells(np.arange(30.0).reshape(10, 3))
    sketch = RowSketch.of([table])
    again = RowSketch.from_bytes(sketch.to_bytes())
    assert again.reach == sketch.reach
    assert again.known(table).all()
    assert not again.known(cells(np.arange(30.0).reshape(10, 3) + 0.5)).any()
    assert again.to_bytes() == sketch.to_bytes()
    for bad in (b"", b"\x00", sketch.to_bytes()[:-1], sketch.to_bytes() + b"\x00"):
        with pytest.raises(ValueError, match=r"hashes of the training rows"):
            RowSketch.from_bytes(bad)


def test_a_file_keeps_the_smallest_hashes_in_few_bytes() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(20_000, 2))
    sketch = RowSketch.of([cells(X)])
    small = RowSketch.from_bytes(sketch.to_bytes())
    assert len(small.hashes) == row_sketch.MOST_IN_FILES
    assert len(sketch.to_bytes()) < 4 * row_sketch.MOST_IN_FILES
    assert small.look(cells(X)).found == row_sketch.MOST_IN_FILES
    others = cells(rng.normal(size=(20_000, 2)))
    assert small.look(others).found == 0
    assert 0.8 < small.look(others).decided / row_sketch.MOST_IN_FILES < 1.2
    # What a loaded model and further rows have seen together: as coarse as the coarser.
    joined = small.joined(RowSketch.of([others]))
    assert joined.low == small.low
    assert joined.look(cells(X)).found == row_sketch.MOST_IN_FILES
    assert joined.known(others).sum() == small.look(others).decided


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_sketch_of_few_rows(n: int) -> None:
    sketch = RowSketch.of([cells(np.arange(2.0 * n + 2).reshape(-1, 2))])
    sketch = RowSketch(sketch.hashes[:n])
    again = RowSketch.from_bytes(sketch.to_bytes())
    assert len(again.hashes) == n
    assert ((again.hashes >> np.uint64(again.low)) == (sketch.hashes >> np.uint64(again.low))).all()
