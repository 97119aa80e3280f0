"""The least of a convex function of two numbers: its gradient is 0 there, at any scale."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weaklearn.base.numeric.exponential import sigmoid, softplus
from weaklearn.base.numeric.newton import Quadratic, least_of_two


def log_loss(x: np.ndarray, target: np.ndarray, scale: float) -> tuple[float, float, list[float]]:
    """Where the mean log-loss of a x + b is least, and the gradient there."""
    calls: list[float] = []

    def at(a: float, b: float) -> Quadratic:
        z = a * scale * x + b
        p = sigmoid(z)
        pull, bend = (p - target) / len(x), p * (1 - p) / len(x)
        sx = scale * x
        calls.append(float((softplus(z) - target * z).mean()))
        sums = (pull * sx, pull, bend * sx * sx, bend * sx, bend)
        return Quadratic(calls[-1], *(float(each.sum()) for each in sums))

    a, b = least_of_two(at, 1 / scale)
    there = at(a, b)
    return there.by_a / scale, there.by_b, calls


@given(seed=st.integers(0, 2**20), scale=st.sampled_from([2.0**-20, 1.0, 2.0**20]))
def test_the_gradient_is_zero(seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=rng.integers(2, 60)) * rng.choice([0.1, 1.0, 10.0])
    by_a, by_b, values = log_loss(x, rng.uniform(0.01, 0.99, len(x)), scale)
    assert abs(by_a) < 1e-6 * max(1.0, float(np.abs(x).max()))
    assert abs(by_b) < 1e-6
    assert values[-1] <= values[0]
    assert len(values) < 100


def test_a_flat_direction_is_left_alone() -> None:
    a, b = least_of_two(lambda a, b: Quadratic((a - 1) ** 2, 2 * (a - 1), 0.0, 2.0, 0.0, 0.0), 0, 7)
    assert (a, b) == (pytest.approx(1), 7)
    assert least_of_two(lambda a, b: Quadratic(1.0, 0.0, 0.0, 0.0, 0.0, 0.0), 2, 3) == (2, 3)
