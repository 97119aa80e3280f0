"""Copies of an example count once, and the worse of two shares is taken."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weaklearn.theory.distinct import Distinct, keys_of

rows = st.lists(st.integers(0, 6), min_size=1, max_size=40)


@given(rows, st.sets(st.integers(0, 6)))
def test_shares_are_the_larger_of_rows_and_of_different_examples(keys: Any, bad: set[int]) -> None:
    found, mask = Distinct.of(np.array(keys)), np.isin(keys, sorted(bad))
    among = {key for key in keys if key in bad}
    assert (found.n, found.m) == (len(keys), len(set(keys)))
    by_rows, by_keys = Fraction(int(mask.sum()), len(keys)), Fraction(len(among), found.m)
    assert found.share(mask) == pytest.approx(float(max(by_rows, by_keys)))
    least, most = found.count(mask)
    assert Fraction(least, found.m) <= min(by_rows, by_keys)
    worse = max(by_rows, by_keys)
    assert worse <= Fraction(most, found.m) < worse + Fraction(1, found.m)
    drawn = Distinct.of(np.array(keys), repeats="draws")
    assert (drawn.m, drawn.count(mask)) == (len(keys), (int(mask.sum()),) * 2)


@given(rows, st.integers(1, 99))
def test_scores_are_no_less_than_those_of_rows_or_of_different_examples(
    keys: Any, percent: int
) -> None:
    values = np.array(keys, float) * 7 % 5  # a function of the key, with ties
    found, q = Distinct.of(np.array(keys)), Fraction(percent, 100)
    k, k_rows = ceil((found.m + 1) * q), ceil((len(keys) + 1) * q)
    if k > found.m:
        return
    level = found.scores(values)[k - 1]
    assert level >= np.sort(values[found.first])[k - 1]
    assert level >= np.sort(values)[k_rows - 1]


@given(rows, st.integers(1, 4))
def test_copies_are_weights(keys: Any, times: int) -> None:
    once = Distinct.of(np.array(keys), np.full(len(keys), times))
    often = Distinct.of(np.repeat(keys, times))
    assert once.counts.tolist() == often.counts.tolist()
    assert once.repeated == (len(set(keys)) < times * len(keys))


def test_keys_of_any_table() -> None:
    import pandas as pd
    from scipy.sparse import csr_matrix

    X, y = np.array([[0.0, 1.0], [-0.0, 1.0], [0.0, 1.0], [2.0, 1.0]]), np.array([1, 1, -1, 1])
    tables = (X, X.tolist(), pd.DataFrame(X + 0.0), csr_matrix(X + 0.0), (X + 0.0).astype(object))
    for table in tables:
        assert [*map(int, keys_of(table, y) == keys_of(table, y)[0])] == [1, 1, 0, 0]


def test_another_word_is_refused() -> None:
    with pytest.raises(ValueError, match="repeats='luck' is not allowed"):
        Distinct.of(np.arange(3), repeats="luck")
