"""Unions of intervals and rules of three pieces, against all others there are."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.golden import load
from tests.reference import line as twin
from tests.reference.stump import best_stump
from weaklearn.base.numeric import fixed_point as whole
from weaklearn.learners import intervals
from weaklearn.learners.intervals import IntervalUnion, ThreePiece, interval_union, three_piece

quick = settings(deadline=None, max_examples=60)
points = st.lists(
    st.tuples(st.integers(-3, 3), st.sampled_from([-1, 1]), st.integers(1, 4)),
    min_size=1,
    max_size=14,
)


def parts(rows: Any) -> Any:
    return tuple(np.array(part) for part in zip(*rows, strict=True))


def test_docstrings_hold() -> None:
    assert doctest.testmod(intervals).failed == doctest.testmod(whole).failed == 0


def test_golden_union() -> None:
    cases = {case["name"]: case for case in load("threshold_erm")}
    rule, table = cases["multi_interval_rule"], cases["table_2_2"]["input"]
    ends = [
        [a, np.inf if b is None else b] for a, b in rule["input"]["positive_intervals_half_open"]
    ]
    said = np.where(IntervalUnion(np.array(ends), True).holds(np.array(rule["input"]["x"])), 1, -1)
    assert said.tolist() == rule["expected"]["labels"]
    assert np.sum(said != table["y"]) == rule["expected"]["errors_on_table_2_2"]
    assert interval_union(table["x"], table["y"], n_max=3).error == 0
    assert interval_union(table["x"], table["y"], n_max=2).error > 0


@quick
@given(points, st.integers(1, 3), st.booleans())
def test_no_union_is_better(rows: Any, n: int, half_open: bool) -> None:
    x, y, w = parts(rows)
    found = interval_union(x, y, w, n_max=n, half_open=half_open)
    wrong = np.where(found.holds(x.astype(float)), 1, -1) != y
    assert len(found.intervals) <= n
    assert w[wrong].sum() == twin.least_union_error(x, y, w, n)
    assert found.error == w[wrong].sum() / w.sum()
    scaled = interval_union(x, y, w * 0.1, n_max=n, half_open=half_open)
    assert scaled.intervals.tolist() == found.intervals.tolist()


@quick
@given(points)
def test_without_a_limit_every_run_is_an_interval(rows: Any) -> None:
    x, y, w = parts(rows)
    u = np.unique(x)
    heavier = np.array([(w * y)[x == v].sum() > 0 for v in u])
    found = interval_union(x, y, w)
    assert found.holds(u.astype(float)).tolist() == heavier.tolist()
    runs = np.count_nonzero(np.diff(np.r_[0, heavier]) > 0)
    assert len(found.intervals) == runs
    limited = [interval_union(x, y, w, n_max=n).error for n in range(1, len(u) + 2)]
    assert limited == sorted(limited, reverse=True)
    assert limited[-1] == found.error
    if found.error == 0:
        assert [error == 0 for error in limited] == [
            runs <= n for n in range(1, len(u) + 2)
        ]  # consistent just where there is room for all runs


@quick
@given(points)
def test_no_three_pieces_are_better(rows: Any) -> None:
    x, y, w = parts(rows)
    found, plain = three_piece(x, y, w), twin.best_three_piece(x, y, w)
    assert (found.t1, found.t2, found.b) == plain[1:]
    assert found.error == plain[0] / w.sum()
    wrong = np.where(found.holds(x.astype(float)), 1, -1) != y
    assert w[wrong].sum() == plain[0]
    assert three_piece(x, y, w * 0.1)[:3] == found[:3]


@quick
@given(points, st.tuples(st.integers(-4, 4), st.integers(-4, 4)), st.sampled_from([-1, 1]))
def test_stumps_are_weak_learners_of_three_pieces(rows: Any, ends: Any, b: int) -> None:
    x, _, w = parts(rows)
    y = np.where(ThreePiece(min(ends), max(ends), b).holds(x), 1, -1)
    assert three_piece(x, y).error == 0
    assert float(best_stump(x[:, None].astype(float), y, w / w.sum())["error"]) <= 1 / 3 + 1e-12


@pytest.mark.parametrize("n", [1, 2, 7])
def test_many_runs(n: int) -> None:
    rng = np.random.default_rng(n)
    x, y = np.arange(300.0), rng.choice([-1, 1], 300)
    value = np.zeros((n + 1, 2))  # the plain recursion, state by state
    value[:, 1] = -np.inf
    for label in y:
        opened = np.r_[-np.inf, value[:-1].max(axis=1)]
        inside = np.maximum(value[:, 1], opened) + label
        value = np.column_stack([value.max(axis=1), inside])
    found = interval_union(x, y, n_max=n)
    assert found.error == (np.sum(y > 0) - value.max()) / 300
    again = interval_union(x[::-1], y[::-1], n_max=n)
    assert again.intervals.tolist() == found.intervals.tolist()


def test_ends_part_neighbouring_floats() -> None:
    u = [1.0, float(np.nextafter(1.0, 2.0)), float(np.nextafter(np.nextafter(1.0, 2.0), 2.0))]
    for y in ([-1, 1, -1], [1, -1, 1], [1, 1, -1]):
        for rule in (interval_union(u, y), interval_union(u, y, half_open=True), three_piece(u, y)):
            assert np.where(rule.holds(np.array(u)), 1, -1).tolist() == y
    wide = three_piece([-1.7e308, 1.7e308], [-1, 1])
    assert (wide.t1, wide.t2, wide.error) == (-np.inf, 0.0, 0.0)


def test_weights_as_whole_numbers() -> None:
    w = whole.units(np.array([1e-320, 0.3, 0.3]), 3)
    assert w[0] == 1
    assert w[1] == w[2]
    assert interval_union([1, 2, 3], [1, -1, 1], [1e-300, 1.0, 1.0]).intervals.tolist() == [
        [1, 1],
        [3, 3],
    ]
