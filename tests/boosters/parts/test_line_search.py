"""Steps to the least of a convex function, against known minima."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from weaklearn.boosters.parts.line_search import least


def counted(
    f: Callable[[float], tuple[float, float]],
) -> tuple[Callable[..., tuple[float, float]], list[float]]:
    calls: list[float] = []

    def derivatives(a: float) -> tuple[float, float]:
        calls.append(a)
        return f(a)

    return derivatives, calls


@pytest.mark.parametrize("goal", [1e-12, 1e-3, 1.0, 7.5, 1e9])
def test_smooth_functions_take_few_steps(goal: float) -> None:
    for f in (
        lambda a: (a - goal, 1.0),
        lambda a: (math.expm1(min(a - goal, 700)), math.exp(min(a - goal, 700))),
        lambda a: (
            math.tanh((a - goal) / goal),
            1 / math.cosh(min((a - goal) / goal, 300)) ** 2 / goal,
        ),
    ):
        derivatives, calls = counted(f)
        assert least(derivatives) == pytest.approx(goal, rel=1e-9, abs=1e-9 if goal > 1e-9 else 0)
        assert len(calls) < 120


@pytest.mark.parametrize("bend", [1.0, 0.0, 1e6, 1e-6])
def test_kinks_are_found_whatever_the_second_derivative_says(bend: float) -> None:
    derivatives, calls = counted(lambda a: (-1.0 if a < 3 else 2.0, bend))
    assert least(derivatives) == pytest.approx(3.0, rel=1e-12)
    assert len(calls) < 150


def test_what_falls_for_ever_is_followed_until_it_is_flat() -> None:
    a = least(lambda a: (-math.exp(-a), math.exp(-a)))
    assert 20 < a < 200
    assert least(lambda a: (-1.0, 0.0)) > 1e300  # and there is no end to a straight line
