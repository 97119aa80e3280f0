"""Long lists of whole numbers travel in few bytes, and are added as they would be in an array."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays

from weaklearn import _core
from weaklearn.engines.collective import combined
from weaklearn.engines.narrowed import Narrowed, combined_narrowed, narrowed, widened


@given(x=st.integers(1, 3).flatmap(lambda k: arrays(np.int64, 400 * k)))
def test_numbers_come_back(x: Any) -> None:
    sent = narrowed("sum", x)
    assert isinstance(sent, Narrowed) == (len(x) >= 512)
    assert np.array_equal(widened(sent), x)


def test_sums_are_those_of_arrays() -> None:
    rng = np.random.default_rng(0)
    lists = [rng.integers(-(2**40), 2**40, 1000) >> rng.integers(0, 41, 1000) for _ in range(3)]
    sums = combined_narrowed("sum", [narrowed("sum", each) for each in lists])
    assert isinstance(sums, Narrowed)
    assert np.array_equal(widened(sums), combined("sum", lists))


@pytest.mark.parametrize("lengths", [(1000, 999), (1000, 10)])
def test_lists_of_different_lengths_are_refused(lengths: tuple[int, int]) -> None:
    lists = [narrowed("sum", np.ones(n, np.int64)) for n in lengths]
    with pytest.raises(RuntimeError, match="partitions ask for the sum of different arrays"):
        combined_narrowed("sum", lists)


@pytest.mark.parametrize("value", [np.ones(999), np.ones(999, np.int32), np.ones((30, 30), int)])
def test_others_travel_as_they_are(value: Any) -> None:
    assert narrowed("sum", value) is value
    ints = np.arange(999)
    assert narrowed("maximum", ints) is ints


def test_bytes_that_are_cut_short_are_refused() -> None:
    content = _core.narrowed(np.arange(100))
    for n in (0, 7, 8, 60, len(content) - 1):
        with pytest.raises(ValueError, match="cut short"):
            _core.widened(content[:n].copy())
