"""Exponentials and logarithms by elementary steps, against those of the standard library."""

from __future__ import annotations

import math

import numpy as np
import pytest

from weaklearn import _core
from weaklearn.base.numeric.exponential import exponentials, logarithms, sigmoid, softplus

X = np.concatenate([np.linspace(-30, 30, 4001), np.linspace(-740, 700, 997), [0.0, -0.0, 1e-300]])


def test_exponentials_are_right_to_the_last_digits() -> None:
    for x, found in zip(X, exponentials(X), strict=True):
        assert found == pytest.approx(math.exp(x), rel=5e-16, abs=5e-324)
    assert exponentials(np.array([-1e9, 1e9, 701.0])).tolist() == [
        0.0,
        *exponentials(np.full(2, 700.0)),
    ]


def test_logarithms_are_right_to_the_last_digits() -> None:
    numbers = np.concatenate([np.logspace(-308, 308, 3001), np.linspace(0.5, 2, 999), [5e-324]])
    for x, found in zip(numbers, logarithms(numbers), strict=True):
        assert found == pytest.approx(math.log(x), rel=1e-15, abs=2e-16)


def test_softplus_and_sigmoid() -> None:
    for x, s, p in zip(X, softplus(X), sigmoid(X), strict=True):
        e = math.exp(-abs(x))
        assert s == pytest.approx(max(x, 0) + math.log1p(e), rel=2e-15)
        assert p == pytest.approx((1 if x >= 0 else e) / (1 + e), rel=1e-15)


def test_the_compiled_ones_give_the_same_bits() -> None:
    numbers = np.concatenate([np.logspace(-320, 308, 5001), np.linspace(0.5, 2, 999)])
    assert _core.exponentials(X).tobytes() == exponentials(X).tobytes()
    assert _core.logarithms(numbers).tobytes() == logarithms(numbers).tobytes()
