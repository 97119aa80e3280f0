"""Sums free of order, against exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weaklearn.base.numeric.total import mean, total

NUMBERS = st.lists(
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e200, max_value=1e200), min_size=1
)


def exact(x: Any, w: Any = None) -> Fraction:
    w = np.ones(len(x), int) if w is None else w
    return sum((Fraction(float(a)) * int(k) for a, k in zip(x, w, strict=True)), Fraction(0))


@given(NUMBERS, st.randoms(use_true_random=False))
def test_near_the_exact_sum_in_any_order(x: list[float], rng: Any) -> None:
    found = total(np.array(x))
    allowed = abs(float(exact(x))) * 2**-52 + max(map(abs, x)) * len(x) * 2.0**-64 + 5e-324
    assert abs(found - float(exact(x))) <= allowed
    rng.shuffle(x)
    assert total(np.array(x)) == found


@given(NUMBERS, st.data())
def test_a_weight_is_so_many_copies(x: list[float], data: Any) -> None:
    w = np.array(data.draw(st.lists(st.integers(1, 9), min_size=len(x), max_size=len(x))))
    assert total(np.array(x), w) == total(np.repeat(x, w))


def test_many_copies() -> None:
    w = np.array([2**52, 3, 1])
    x = np.array([0.1, 0.2, 0.3])
    assert total(x, w) == float(exact(x, w))
    assert mean(x, w) == pytest.approx(0.1)


def test_no_finite_sum() -> None:
    big = np.finfo(float).max
    assert total(np.array([big, big])) == np.inf
    assert total(np.array([-big, -big])) == -np.inf
    assert total(np.array([big, big, -big])) == big
    assert total(np.array([np.inf, 1.0])) == np.inf
    assert np.isnan(total(np.array([np.inf, -np.inf])))
    assert np.isnan(total(np.array([np.nan, 1.0])))
    assert total(np.array([])) == 0
    assert total(np.array([5e-324, 5e-324])) == 1e-323


def test_no_copies_are_no_term() -> None:
    assert total(np.array([1e300, 1.0]), np.array([0, 1])) == 1.0
    assert total(np.array([np.inf, 2.0]), np.array([0, 1])) == 2.0
