"""Labellings and VC dimensions: identities, exact counts, and the bounds built on them."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.theory import bounds

quick = settings(deadline=None, max_examples=60)


@quick
@given(st.integers(1, 300), st.integers(1, 300))
def test_sauer(m: int, d: int) -> None:
    value = bounds.sauer(m, d)
    assert value == sum(math.comb(m, i) for i in range(d + 1))
    assert value == bounds.sauer(m - 1, d) + bounds.sauer(m - 1, d - 1)
    assert (value == 2**m) == (m <= d)
    assert bounds.lg_sauer(m, d) == pytest.approx(math.log2(value), rel=1e-12)
    if m >= d:
        assert value <= bounds.sauer_em_d(m, d) * (1 + 1e-12)


def test_sauer_of_large_numbers() -> None:
    assert bounds.sauer(10**30, 2) == 1 + 10**30 + 10**30 * (10**30 - 1) // 2
    assert bounds.sauer(2000, 1999) == 2**2000 - 1
    assert bounds.sauer([3, 10**30], 1).tolist() == [4, 10**30 + 1]
    assert bounds.lg_sauer(10**6, 3 * 10**5) == pytest.approx(
        1e6 * -(0.3 * math.log2(0.3) + 0.7 * math.log2(0.7)), rel=1e-4
    )
    exact = math.log2(sum(math.comb(4000, i) for i in range(1500 + 1)))
    assert bounds.lg_sauer(4000, 1500) == pytest.approx(exact, rel=1e-12)
    assert bounds.sauer_em_d(10**6, 10**5) == math.inf
    # m^d is no bound for d = 1
    assert bounds.sauer(10, 1) > 10


@quick
@given(st.integers(1, 8), st.integers(1, 3))
def test_unions_of_intervals_by_brute_force(m: int, n: int) -> None:
    rows = itertools.product([0, 1], repeat=m)
    runs = [sum(a < b for a, b in zip((0, *row), row, strict=False)) for row in rows]
    assert bounds.union_intervals_growth(m, n) == sum(r <= n for r in runs)


def test_halfspaces_through_the_origin_of_the_plane() -> None:
    """m points in general position on a circle: 2m labellings."""
    for m in range(1, 9):
        angles = np.sort(np.random.default_rng(m).uniform(0, 2 * np.pi, m))
        points = np.column_stack([np.cos(angles), np.sin(angles)])
        turn = np.linspace(0, 2 * np.pi, 20_001)
        seen = np.unique(points @ np.array([np.cos(turn), np.sin(turn)]) > 0, axis=1)
        assert seen.shape[1] == bounds.cover_homogeneous_general_position(m, 2) == 2 * m


@quick
@given(st.integers(1, 10**6))
def test_stumps(n: int) -> None:
    k = bounds.stump_vc_exact(n)
    assert math.comb(k, k // 2) <= 2 * n < math.comb(k + 1, (k + 1) // 2)
    assert math.log2(n) <= k <= 5 + 2 * math.log2(n)
    assert 2**k <= bounds.stump_growth_upper(k, n)


def test_votes() -> None:
    assert bounds.maj_vc(1, 1) == 0  # the formula, not a bound
    assert bounds.maj_vc_upper(1, 2) == 16
    T, d = np.arange(4, 50, 2), 8
    assert (bounds.lbt_vc_lower(T, d) == T // 2 * 3).all()
    assert (np.asarray(bounds.lbt_vc_upper(T, 3)) > bounds.lbt_vc_lower(T, d)).all()


@quick
@given(st.integers(1, 50), st.integers(0, 10**5), st.floats(0.05, 1), st.floats(1e-6, 0.9))
def test_two_routes_to_one_number(d: int, more: int, eps: float, delta: float) -> None:
    """By the VC dimension, and by a growth of (em/d)^d."""
    m = d + more
    ln_Pi = d * math.log(math.e * m / d)
    assert bounds.vc_upper(0.1, m, d, delta) == pytest.approx(
        bounds.growth_upper(0.1, ln_Pi, m, delta), rel=1e-12
    )
    lg = d * math.log2(2 * math.e * m / d)
    assert bounds.consistent_vc(m, d, delta) == pytest.approx(
        bounds.consistent_growth(lg, m, delta), rel=1e-12
    )
    chance = bounds.growth_failure(bounds.sauer(m, d), m, eps)
    assert chance <= bounds.vc_failure(m, d, eps) * (1 + 1e-9)
    if 1e-200 < chance < 1:
        width = bounds.growth_upper(0, math.log(bounds.sauer(m, d)), m, chance)
        assert width == pytest.approx(eps, rel=1e-9)


def test_growth_beyond_floats() -> None:
    Pi = bounds.sauer(10**6, 100)
    assert Pi > 10**400
    assert bounds.growth_failure(Pi, 10**6, 0.5) == pytest.approx(
        math.exp(math.log(8) + math.log(Pi) - 10**6 * 0.25 / 32), rel=1e-9
    )


@pytest.mark.parametrize(
    "least",
    [
        bounds.vc_occam_smallest_m,
        bounds.vc_occam_smallest_m_as_proved,
        bounds.vc_uniform_smallest_m_as_printed,
        bounds.vc_uniform_smallest_m_as_proved,
        bounds.growth_smallest_m,
    ],
)
def test_large_dimensions_in_logarithms(least: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too long to write out agrees with what is written out."""
    from weaklearn.theory.bounds import samples

    exact = [least(d, 0.2, 0.05) for d in (1, 10, 100)]
    monkeypatch.setattr(samples, "_IN_LOGARITHMS", 0)
    assert [least(d, 0.2, 0.05) for d in (1, 10, 100)] == exact
    monkeypatch.undo()
    assert least(100_000, 0.2, 0.05) > 1000 * exact[-1] * 0.9
    with pytest.raises(ValueError, match=r"vc_dim must be at most 1000000 .* got 1e\+30"):
        least(10**30, 0.2, 0.05)


def test_what_is_too_long_is_refused_and_not_begun() -> None:
    with pytest.raises(ValueError, match="small enough"):
        bounds.sauer(10**400, 10**399)
    assert bounds.sauer(10**400, 1) == 10**400 + 1
    with pytest.raises(ValueError, match="m must be a number or an array"):
        bounds.sauer([[1, 2], [3]], 1)
