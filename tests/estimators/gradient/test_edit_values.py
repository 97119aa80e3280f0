"""How the values of a term are changed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from weaklearn.estimators.gradient.edit_values import levelled, reaching, rising

cells = st.lists(st.tuples(st.floats(-5, 5), st.integers(0, 4)), min_size=1, max_size=12).map(
    lambda pairs: tuple(np.array(part, np.float64) for part in zip(*pairs, strict=True))
)


@given(cells)
def test_rising_values_never_fall_and_keep_the_mean(pair: tuple[np.ndarray, np.ndarray]) -> None:
    values, counts = pair
    found = rising(values, counts)
    assert (np.diff(found) >= 0).all()
    assert np.array_equal(rising(found, counts), found)
    if counts.any():
        assert np.dot(found, counts) == pytest.approx(np.dot(values, counts), abs=1e-9)


@given(cells)
def test_rising_is_isotonic_regression_where_there_are_examples(
    pair: tuple[np.ndarray, np.ndarray],
) -> None:
    values, counts = pair
    met = counts > 0
    if met.any():
        twin = isotonic_regression(values[met], weights=counts[met]).x
        assert rising(values, counts)[met] == pytest.approx(twin, abs=1e-9)


def test_a_cell_without_examples_yields_to_its_neighbours() -> None:
    found = rising(np.array([0.0, 9.0, 2.0, -9.0, 1.0]), np.array([1.0, 0.0, 1.0, 0.0, 1.0]))
    assert found.tolist() == [0.0, 1.5, 1.5, 1.5, 1.5]
    assert rising(np.array([2.0, 1.0]), np.zeros(2)).tolist() == [1.5, 1.5]


def test_levelled_is_the_mean_over_examples() -> None:
    assert levelled(np.array([1.0, 2.0, 6.0]), np.array([1.0, 0.0, 3.0])).tolist() == [4.75] * 3
    assert levelled(np.array([1.0, 3.0]), np.zeros(2)).tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (30.0, 40.0, [0, 1, 0]),  # just the edges
        (29.9, 40.1, [1, 1, 1]),
        (-np.inf, 30.0, [1, 0, 0]),
        (40.0, np.inf, [0, 0, 1]),
        (33.0, 34.0, [0, 1, 0]),
    ],
)
def test_cells_that_reach_into_a_range(low: float, high: float, wanted: list[int]) -> None:
    assert reaching([30.0, 40.0], low, high).astype(int).tolist() == wanted
