"""Mistakes, regret and hinge losses: the bounds against runs and brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.theory import bounds

quick = settings(deadline=None, max_examples=60)


@quick
@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_the_best_length_of_a_direction(margins: list[float]) -> None:
    mu = np.array(margins)
    best, s = bounds.perceptron_hinge_best(mu), bounds.perceptron_hinge_scale(mu)
    assert best == pytest.approx(
        bounds.perceptron_hinge(s**2, np.maximum(0, 1 - s * mu).sum()), rel=1e-12
    )
    lengths = np.concatenate([np.linspace(0, 40, 4001), s * np.linspace(0.9, 1.1, 41)])
    grid = lengths**2 + 2 * np.maximum(0, 1 - lengths[:, None] * mu).sum(axis=1)
    assert best <= grid.min() * (1 + 1e-12)


def test_a_margin_on_many_examples_gives_novikoffs_bound() -> None:
    assert bounds.perceptron_hinge_best([0.1] * 10_000) == pytest.approx(
        bounds.perceptron_mistakes(0.1)
    )
    assert bounds.perceptron_hinge_best([-0.5, -0.5]) == 4  # w = 0: two mistakes cost two each
    rows = np.array([[0.1] * 1000, [0.2] * 1000])
    assert bounds.perceptron_hinge_best(rows) == pytest.approx([100, 25])


def test_no_margin_promises_nothing() -> None:
    assert bounds.perceptron_mistakes([0, 0.5]).tolist() == [math.inf, 4]
    assert bounds.perceptron_mistakes_R(0, 2) == math.inf
    assert bounds.perceptron_mistakes("1/10") == pytest.approx(100, rel=1e-15)


@quick
@given(st.integers(0, 2**32 - 1), st.integers(2, 30), st.floats(0.01, 2))
def test_hedge_stays_below_its_bound(seed: int, n: int, eta: float) -> None:
    losses = np.random.default_rng(seed).random((50, n)) ** 2
    logs, total = np.zeros(n), 0.0
    for row in losses:
        p = np.exp(logs - logs.max())
        total += float(p @ row / p.sum())
        logs -= eta * row
    assert total <= bounds.mw_bound(losses.sum(axis=0).min(), n, eta)
    rate = bounds.mw_eta(n, 50)
    assert bounds.mw_bound(20, n, rate) <= 20 + 50 * bounds.mw_delta(n, 50)


def test_small_rates() -> None:
    assert bounds.mw_bound(10, 1, 1e-12) == pytest.approx(10)
    assert bounds.mw_eta(1, 5) == bounds.mw_delta(1, 5) == 0
    assert bounds.mw_rounds(1, 0.1) == 1


def test_gaps_share_the_doubt() -> None:
    """exp(-eps run) = delta / (i + 2)^2, and these sum to less than delta."""
    i = np.arange(10**4)
    chances = np.exp(-0.1 * np.asarray(bounds.large_gap_run(i, 0.1, 0.05)))
    assert chances == pytest.approx(0.05 / (i + 2.0) ** 2)
    assert chances.sum() < 0.05 * (math.pi**2 / 6 - 1)


def test_sleeping_experts_that_never_err() -> None:
    for eps in (0.01, 0.5):
        expected = (1 + eps) * math.log(100) / math.log(1 + eps)
        assert bounds.sleeping_bound(0, 100, eps) == pytest.approx(expected)
