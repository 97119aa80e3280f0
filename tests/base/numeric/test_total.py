"""Sums free of order, against exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weaklearn.base.numeric.fixed_point import scale_weights
from weaklearn.base.numeric.total import mean, rounded_once, total
from weaklearn.engines import choose
from weaklearn.engines.collective import ALONE, collective
from weaklearn.engines.here import run_here

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


# ------------------------------------------------------------------------------------ partitions

SPECIAL = st.sampled_from([np.inf, -np.inf, np.nan, 0.0, 5e-324, 1.7e308])


@given(
    st.lists(st.floats(min_value=-1e200, max_value=1e200) | SPECIAL, max_size=30),
    st.lists(st.integers(0, 9), min_size=30, max_size=30),
    st.lists(st.integers(0, 3), min_size=30, max_size=30),
    st.booleans(),
)
def test_the_sum_over_partitions_is_that_of_all_rows(
    listed: list[float], copies: list[int], ranks: list[int], counted: bool
) -> None:
    x, w = np.array(listed), np.array(copies[: len(listed)], np.int64)
    rank = np.array(ranks[: len(listed)], int)
    w = w if counted else np.ones_like(w)

    def sums(x: Any, w: Any) -> list[float]:
        over, kernels = collective(), choose(1).weights
        return [
            total(x, None, over),
            total(x, w, over),
            total(x, w.astype(float), over),
            kernels.total(x),
            kernels.total(x, None, w),
        ]

    with np.errstate(invalid="ignore", over="ignore"):
        expected = sums(x, w)
        for size in (1, 4):
            mine = [rank % size == k for k in range(size)]
            found = run_here([lambda own=own: sums(x[own], w[own]) for own in mine])
            np.testing.assert_array_equal(found, [expected] * size)
    assert expected[:2] == [total(x), total(x, w)] or np.isnan(expected[:2]).any()


@given(
    st.lists(st.floats(min_value=0, allow_infinity=False), min_size=1, max_size=30),
    st.lists(st.integers(0, 3), min_size=30, max_size=30),
)
def test_weights_over_partitions_are_those_of_all_rows(
    listed: list[float], ranks: list[int]
) -> None:
    w, rank = np.array([1.0, *listed]), np.array([*ranks[: len(listed)], 0], int)
    x = np.linspace(-3, 1, len(w))

    def sums(x: Any, w: Any) -> Any:
        over = collective()
        scaled = scale_weights(w, over)
        return scaled, mean(x, w, over), mean(x, None, over), rounded_once([scaled, x], over)

    expected = sums(x, w)
    assert expected[0].tolist() == scale_weights(w).tolist()
    assert expected[1] == mean(x, w)
    mine = [rank == k for k in range(4)]
    found = run_here([lambda own=own: sums(x[own], w[own]) for own in mine])
    for own, (scaled, *rest) in zip(mine, found, strict=True):
        assert scaled.tolist() == expected[0][own].tolist()
        assert rest[:2] == [*expected[1:3]]
        assert rest[2].tolist() == expected[3].tolist()


def test_an_exact_sum_over_partitions_is_rounded_once() -> None:
    parts = [np.array([1e16, 1.0]), np.array([-1e16, 2**-60]), np.array([])]
    found = run_here([lambda x=x: rounded_once([x], collective()).tolist() for x in parts])
    assert found == [rounded_once([np.concatenate(parts)], ALONE).tolist()] * 3
