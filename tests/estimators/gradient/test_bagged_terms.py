"""Tables of bags made one sum of terms, and pairs purified."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given as draws
from hypothesis import settings
from hypothesis import strategies as st

from weaklearn.base.trees.term import Axis, Term
from weaklearn.estimators.gradient.bagged_terms import merged, purified


@draws(st.integers(1, 7), st.integers(1, 7), st.integers(0, 10_000), st.floats(0.1, 3.0))
@settings(max_examples=150, deadline=None)
def test_a_pure_table_has_no_means(a: int, b: int, seed: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.poisson(density, (a, b)).astype(float)
    tables = rng.normal(size=(a, b, 3)) * 10.0 ** rng.integers(-3, 4)
    pure, first, second = purified(tables, weights)
    size = np.abs(tables).max() + 1e-300
    assert pure + first[:, None] + second[None] == pytest.approx(tables, abs=1e-12 * size)
    held = weights[:, :, None] * pure
    assert np.abs(held.sum(axis=0)).max() <= 1e-11 * size * max(1, weights.sum())
    assert np.abs(held.sum(axis=1)).max() <= 1e-11 * size * max(1, weights.sum())


def test_what_is_additive_leaves_nothing() -> None:
    rng = np.random.default_rng(0)
    f, h = rng.normal(size=12), rng.normal(size=9)
    weights = rng.uniform(0.5, 2, (12, 9))
    pure, first, second = purified((f[:, None] + h)[:, :, None], weights)
    assert np.abs(pure).max() < 1e-12
    assert np.ptp(first[:, 0] - f) < 1e-12
    assert np.ptp(second[:, 0] - h) < 1e-12


def test_a_pure_table_stays_as_it_is() -> None:
    rng = np.random.default_rng(1)
    weights = rng.uniform(0.5, 2, (6, 5))
    once, _, _ = purified(rng.normal(size=(6, 5, 2)), weights)
    again, first, second = purified(once, weights)
    assert again == pytest.approx(once, abs=1e-13)
    assert np.abs(first).max() < 1e-13
    assert np.abs(second).max() < 1e-13


def test_cuts_that_part_nothing_go() -> None:
    values = np.array([1.0, 1.0, 2.0, 2.0, 2.0, 0.5])[:, None]
    axis = Axis(0, np.array([1.0, 2.0, 3.0, 4.0]))
    counts = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    term = merged(Term((axis,), values, values - 1, values + 1, counts))
    assert term.axes[0].cuts is not None
    assert term.axes[0].cuts.tolist() == [2.0]
    assert term.values[:, 0].tolist() == [1.0, 2.0, 0.5]
    assert term.counts.tolist() == [3.0, 12.0, 6.0]
    x = np.array([-9.0, 1.5, 2.0, 2.1, 9.0, np.nan])
    before = values[axis.places(x), 0]
    assert term.values[term.axes[0].places(x), 0].tolist() == before.tolist()


@pytest.mark.parametrize("cuts", [[], [0.5]])
def test_axes_place_values(cuts: Any) -> None:
    axis = Axis(0, np.array(cuts))
    assert axis.n_cells == len(cuts) + 2
    assert axis.places(np.array([np.nan]))[0] == axis.n_cells - 1
    levels = Axis(0, None, 3)
    assert levels.places(np.array([0, 2, -1, 3, 7])).tolist() == [0, 2, 3, 3, 3]
