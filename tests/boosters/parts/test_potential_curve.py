"""The curve of constant potential against one followed in tiny steps, and in its corners."""

from __future__ import annotations

from math import erf
from typing import Any

import numpy as np
import pytest

from tests.reference.level import first_end
from tests.samples import sample_of
from weaklearn.boosters import BrownBoost, NormalBoost
from weaklearn.boosters.parts.potential_curve import FARTHEST, Curve, Place, Point

BOOSTERS: list[Any] = [
    *(BrownBoost(epsilon) for epsilon in (1e-30, 0.01, 0.1, 0.3, 0.6)),
    *(NormalBoost(epsilon, theta) for epsilon in (1e-6, 0.1, 0.3) for theta in (0.0, 0.5)),
    *(NormalBoost(epsilon, 0.1, 0.3, robust=True) for epsilon in (0.01, 0.2)),
]


def somewhere(rng: Any, m: int, weighted: bool) -> Any:
    y = rng.choice([-1, 1], m)
    y[:2] = [-1, 1]
    return sample_of(np.arange(float(m))[:, None], y, rng.integers(1, 4, m) if weighted else None)


def edged(rng: Any, D: Any, silence: float) -> Any:
    """y h of a hypothesis with an edge."""
    while True:
        u = rng.choice([-1.0, 0.0, 1.0], len(D), p=[0.4 - silence / 2, silence, 0.6 - silence / 2])
        if D @ u > 1e-3:
            return u


@pytest.mark.parametrize("booster", BOOSTERS, ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_end_is_the_first_one(booster: Any, weighted: bool) -> None:
    rng = np.random.default_rng(3 + weighted)
    sample = somewhere(rng, 25, weighted)
    state = booster.begin(sample)
    weights = np.ones(25) if sample.copies is None else sample.copies.astype(float)
    for _ in range(3):
        # Who is silent and gives up all it gets wrong loses its edge nowhere: it fades.
        u = edged(rng, state.D.array, silence=0.0 if booster.truncated else 0.2)
        yF, left = state.yF, state.left

        def place(ds: float, dt: float, u: Any = u, yF: Any = yF, left: float = left) -> Any:
            rest = left - dt
            z = booster.z(yF * booster.fade(dt) + ds * u, rest)
            return z, booster.sigma(rest), booster.pull(ds, u, z, rest)

        found = booster._curve(sample, state, u).end()
        wanted = first_end(place, u, weights, left, booster.truncated, step=2e-3)
        assert found == pytest.approx(wanted, abs=5e-3 * booster.sigma(left - found.tau))
        yF = yF * booster.fade(found.tau) + found.x * u
        state = booster._weighed(sample, state.ensemble, yF, 0.0, left - found.tau)
        if state.left <= booster.short:
            break


def curve(z: Any, u: Any, left: float, **more: Any) -> Curve:
    """BrownBoost's own, with sqrt(c) = 1."""
    z, u = np.asarray(z, float), np.asarray(u, float)
    sample = sample_of(np.arange(float(len(z)))[:, None], np.where(np.arange(len(z)) == 0, -1, 1))

    def place(point: Point) -> Place:
        return Place(z + point.x * u - point.tau, 1.0, np.ones(len(z)))

    return Curve(sample, u, left, place, **more)


def test_a_hypothesis_without_error_takes_all_the_time() -> None:
    assert curve([0.4, 0.9, -0.3], [1, 1, 1], 0.7).end() == pytest.approx((0.7, 0.7), abs=1e-15)


def test_one_that_is_never_wrong_but_silent_is_held() -> None:
    x, tau = curve([0.5, 0.5, 0.5], [1, 0, 0], 9.0).end()
    assert 3 < x < 10  # its example has no potential left to lose
    # 2 erfc(0.5 - tau) is then all there is
    assert 2 * (1 - erf(0.5 - tau)) == pytest.approx(3 * (1 - erf(0.5)), rel=1e-9)


def test_no_vote_is_endless() -> None:
    sample = sample_of(np.arange(2.0)[:, None], np.array([-1, 1]))

    def place(point: Point) -> Place:  # a potential that grows wider as the vote does
        sigma = 1.0 + abs(point.x)
        return Place(np.full(2, 0.5), sigma, np.full(2, 1e6))

    u = np.array([1.0, 1.0])
    assert FARTHEST <= Curve(sample, u, 1e9, place).end().x < 2 * FARTHEST


def test_where_g_leaps_over_zero_the_curve_ends_at_the_leap() -> None:
    sample = sample_of(np.arange(3.0)[:, None], np.array([-1, 1, 1]))
    u, b = np.array([1.0, 0.0, -1.0]), np.array([1.0, 1.0, -8.0])

    def place(point: Point) -> Place:  # time brings back the third example, which was given up
        z = np.array([0.3, 0.6, -0.05]) + point.x * u - point.tau * b
        return Place(z, 1.0, b)

    truncated = Curve(sample, u, 5.0, place, truncated=True)
    end = truncated.end()
    assert place(end).z[2] == pytest.approx(0, abs=1e-8)
    assert truncated.excess(place(end)) == pytest.approx(0, abs=1e-12)
    assert truncated.tangent(end).g > 0.8
    assert truncated.tangent(Point(end.x, end.tau + 1e-7)).g < 0
