"""The value of a game, and weak learnability as one."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import golden
from tests.reference.votes import all_stumps
from tests.samples import same_bits
from weaklearn.theory import games, weak_learnability

quick = settings(max_examples=40, deadline=None)
shapes = st.tuples(st.integers(1, 7), st.integers(1, 7))


def drawn(seed: int, shape: tuple[int, int]) -> Any:
    return np.random.default_rng(seed).integers(-5, 6, size=shape).astype(float)


@pytest.mark.parametrize("name", golden.names("games"))
def test_golden(name: str) -> None:
    case, close = golden.case("games", name), golden.tolerance("games")
    M, expected = case["input"]["M"], case["expected"]
    assert games.game_value(M) == pytest.approx(expected["value_lp"], **close)
    assert expected["lower_from_Q"] - 1e-9 <= games.game_value(M)
    assert games.game_value(M) <= expected["upper_from_P"] + 1e-9


def test_the_ten_points() -> None:
    case = golden.case("toy_adaboost", "ten_points_three_rounds")
    X, y = np.array(case["input"]["X"]), np.array(case["input"]["y"])
    pool = weak_learnability(y[:, None] * all_stumps(X))
    assert pool.value == pytest.approx(case["expected"]["optimal_min_margin_over_all_stumps_lp"])
    assert (pool.value, pool.gamma) == pytest.approx((1 / 3, 1 / 6))


@quick
@given(st.integers(0, 10**6), shapes)
def test_each_player_holds_the_value_against_all(seed: int, shape: tuple[int, int]) -> None:
    M = drawn(seed, shape)
    value, P, Q = games.solve(M)
    for mixture in (P, Q):
        assert (mixture >= 0).all()
        assert mixture.sum() == pytest.approx(1)
    assert (P @ M).max() == pytest.approx(value, abs=1e-8)
    assert (M @ Q).min() == pytest.approx(value, abs=1e-8)
    assert M.min(axis=0).max() - 1e-9 <= value <= M.max(axis=1).min() + 1e-9
    assert games.game_value(-M.T) == pytest.approx(-value, abs=1e-8)
    assert games.game_value(2 * M + 3) == pytest.approx(2 * value + 3, abs=1e-8)


@quick
@given(st.integers(0, 10**6), shapes)
def test_the_order_of_rows_does_not_matter_to_the_bit(seed: int, shape: tuple[int, int]) -> None:
    M = drawn(seed, shape)
    order = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(M)), 2))
    value, P, Q = games.solve(M)
    again = games.solve(M[order])
    assert again.value == value
    assert same_bits(again.Q, Q)
    _, alike, often = np.unique(M, axis=0, return_inverse=True, return_counts=True)
    assert again.P == pytest.approx((P / 2)[order])
    assert P == pytest.approx(np.bincount(alike.ravel(), P)[alike.ravel()] / often[alike.ravel()])


@quick
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_a_pool_with_all_opposites_never_loses(seed: int, n: int) -> None:
    M = np.random.default_rng(seed).choice([-1.0, 0.0, 1.0], size=(6, n))
    pool = weak_learnability(np.column_stack([M, -M]))
    assert pool.value >= -1e-9
    assert pool.gamma == pool.value / 2
    # A vote without error exists just where the value is above 0.
    assert ((np.column_stack([M, -M]) @ pool.w > 1e-7).all()) == (pool.value > 1e-7)


@pytest.mark.parametrize(
    ("M", "words"),
    [
        ([1.0, 2.0], "at least one row and one column, got shape"),
        (np.zeros((0, 3)), "at least one row and one column, got shape"),
        ([[0.0, np.nan]], "M[0, 1] is nan"),
        ([[0.0], [np.inf]], "M[1, 0] is inf"),
    ],
)
def test_what_is_no_game_is_refused(M: Any, words: str) -> None:
    for call in (games.game_value, games.solve, weak_learnability):
        with pytest.raises(ValueError, match=re.escape(words)):
            call(M)


def test_answers_beyond_one_are_no_hypotheses() -> None:
    with pytest.raises(ValueError, match=r"M\[1, 0\] is -2; y_i h_j"):
        weak_learnability([[1.0], [-2.0]])


def test_a_program_that_is_not_solved_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.optimize

    solve = scipy.optimize.linprog
    monkeypatch.setattr(
        scipy.optimize, "linprog", lambda *a, **k: solve(*a, **k, options={"maxiter": 0})
    )
    M = np.random.default_rng(0).normal(size=(12, 12))
    with pytest.raises(RuntimeError, match="of 12 rows and 12 columns was not solved"):
        games.game_value(M)
    half = np.full(12, 1 / 12)
    monkeypatch.setattr(games, "_optimum", lambda M: (half, half))
    with pytest.raises(RuntimeError, match="did not converge: its value was found to lie between"):
        games.game_value(M)


def test_importing_the_room_does_not_load_the_solver() -> None:
    code = "import sys, weaklearn.theory.games; sys.exit('scipy.optimize' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
