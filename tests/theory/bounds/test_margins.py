"""The bound by margins: the best number of voters, and how it moves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.theory import bounds

quick = settings(deadline=None, max_examples=40)


@quick
@given(st.floats(0.05, 1), st.floats(0, 30), st.integers(1, 10**5), st.floats(1e-4, 0.9))
def test_the_best_n_is_the_best(theta: float, lnH: float, m: int, delta: float) -> None:
    if theta <= bounds.margin_gen_theta_min(lnH, m) * (1 + 1e-9):
        return
    n = np.arange(1, 30_000)
    values = np.asarray(bounds.margin_gen_finite_n(theta, lnH, m, delta, n))
    best, place = (
        bounds.margin_gen_finite_best(theta, lnH, m, delta),
        bounds.margin_gen_finite_best_n(theta, lnH, m, delta),
    )
    assert best <= values.min() * (1 + 1e-14)
    assert best == pytest.approx(bounds.margin_gen_finite_n(theta, lnH, m, delta, place))
    if place < len(n):
        assert place == n[np.argmin(values)]


def test_two_valleys_and_a_very_flat_one() -> None:
    # a large class and few examples: one voter is as good as it gets
    assert bounds.margin_gen_finite_best_n(0.3, 20, 60, 0.05) == 1
    n = bounds.margin_gen_finite_best_n(1e-4, math.log(10), 10**12, 0.05)
    around = np.array([0.9, 0.99, 1.01, 1.1]) * n
    values = bounds.margin_gen_finite_n(1e-4, math.log(10), 10**12, 0.05, np.rint(around))
    assert (values > bounds.margin_gen_finite_best(1e-4, math.log(10), 10**12, 0.05)).all()


@quick
@given(st.floats(0.1, 0.9), st.floats(0.1, 10), st.integers(1000, 10**6))
def test_it_falls_with_m_and_theta(theta: float, lnH: float, m: int) -> None:
    best = bounds.margin_gen_finite_best(theta, lnH, m, 0.05)
    assert bounds.margin_gen_finite_best(theta, lnH, 2 * m, 0.05) <= best
    assert bounds.margin_gen_finite_best(theta * 1.1, lnH, m, 0.05) <= best
    choice = bounds.margin_gen_n_choice(theta, lnH, m)
    assert best <= bounds.margin_gen_finite_n(theta, lnH, m, 0.05, max(choice, 1)) * (1 + 1e-12)


def test_nothing_is_lost_below_the_least_theta() -> None:
    """Where theta is refused, the formula is above 1 for every n."""
    n = np.arange(1, 10_000)
    for lnH, m in ((0.5, 10), (7.0, 5000), (100.0, 10**6)):
        theta = bounds.margin_gen_theta_min(lnH, m)
        union = np.sqrt((np.log(n) + 2 * np.log(n + 1) + n * lnH) / (2 * m))
        assert (4 * np.exp(-n * theta**2 / 8) + union).min() > 1
        with pytest.raises(ValueError, match="theta must be above"):
            bounds.margin_gen_finite_best(theta, lnH, m, 0.05)
