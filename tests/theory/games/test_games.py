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
from weaklearn.theory import bounds, games, weak_learnability
from weaklearn.theory.games import value

quick = settings(max_examples=40, deadline=None)
shapes = st.tuples(st.integers(1, 7), st.integers(1, 7))


def drawn(seed: int, shape: tuple[int, int]) -> Any:
    return np.random.default_rng(seed).integers(-5, 6, size=shape).astype(float)


@pytest.mark.parametrize("name", golden.names("games"))
def test_golden(name: str) -> None:
    case, close = golden.case("games", name), golden.tolerance("games")
    M, expected = case["input"]["M"], case["expected"]
    played = games.play(**case["input"])
    assert played.columns_played == expected["columns_played"]
    for field, number in expected.items():
        assert np.asarray(getattr(played, field)) == pytest.approx(np.array(number), **close)
    assert games.play(M, played.T).eta == pytest.approx(case["input"]["eta"])
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
    v, P, Q = games.solve(M)
    for mixture in (P, Q):
        assert (mixture >= 0).all()
        assert mixture.sum() == pytest.approx(1)
    assert (P @ M).max() == pytest.approx(v, abs=1e-8)
    assert (M @ Q).min() == pytest.approx(v, abs=1e-8)
    assert M.min(axis=0).max() - 1e-9 <= v <= M.max(axis=1).min() + 1e-9
    assert games.game_value(-M.T) == pytest.approx(-v, abs=1e-8)
    assert games.game_value(2 * M + 3) == pytest.approx(2 * v + 3, abs=1e-8)


@quick
@given(st.integers(0, 10**6), shapes)
def test_the_order_of_rows_does_not_matter_to_the_bit(seed: int, shape: tuple[int, int]) -> None:
    M = drawn(seed, shape)
    order = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(M)), 2))
    v, P, Q = games.solve(M)
    again = games.solve(M[order])
    assert again.value == v
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


# --- Playing -------------------------------------------------------------------------------------


@quick
@given(st.integers(0, 10**6), shapes, st.integers(1, 60), st.sampled_from([None, 0.05, 0.7, 3.0]))
def test_what_playing_promises(
    seed: int, shape: tuple[int, int], T: int, eta: float | None
) -> None:
    M = np.random.default_rng(seed).integers(0, 5, size=shape) / 4
    played = games.play(M, T, eta)
    v = games.game_value(M)
    assert played.P.sum(axis=1) == pytest.approx(np.ones(T))
    assert played.losses == pytest.approx((played.P @ M).max(axis=1))
    assert played.losses_total <= played.bound_on_total + 1e-9
    assert (played.regret <= played.regret_bound + 1e-9).all()
    assert played.regret[-1] == pytest.approx(played.losses_total - played.best_fixed_row_total)
    assert played.lower_from_Q - 1e-9 <= v <= played.upper_from_P + 1e-9
    assert played.upper_from_P == pytest.approx((played.average_P @ M).max())
    if eta is None:
        assert played.regret[-1] / T <= played.delta_T + 1e-9
        assert played.upper_from_P <= v + played.delta_T + 1e-9
        assert played.lower_from_Q >= v - played.delta_T - 1e-9


@quick
@given(st.integers(0, 10**6), shapes)
def test_an_oracle_plays_as_its_matrix(seed: int, shape: tuple[int, int]) -> None:
    M = np.random.default_rng(seed).random(shape)
    by_matrix = games.play(M, 25)
    by_oracle = games.play(lambda P: M[:, np.argmax(P @ M)], 25, n_rows=len(M))
    assert same_bits(by_oracle.P, by_matrix.P)
    assert by_oracle.losses_total == by_matrix.losses_total
    assert by_oracle.upper_from_P == pytest.approx(by_matrix.upper_from_P)
    assert by_oracle.lower_from_Q == pytest.approx(by_matrix.lower_from_Q)
    assert by_oracle.lower_from_Q - 1e-9 <= by_oracle.value_lp <= by_matrix.value_lp + 1e-9
    number = dict(zip(by_matrix.columns_played, by_oracle.columns_played, strict=True))
    assert [number[j] for j in by_matrix.columns_played] == by_oracle.columns_played


def test_regret_is_bounded_against_any_answers() -> None:
    rng = np.random.default_rng(3)
    played = games.play(lambda P: rng.random(6), 200, n_rows=6)
    assert (played.regret <= played.regret_bound + 1e-9).all()
    assert played.regret[-1] / 200 <= bounds.mw_delta(6, 200)


def test_edges_become_margins() -> None:
    case = golden.case("toy_adaboost", "ten_points_three_rounds")
    X, y = np.array(case["input"]["X"]), np.array(case["input"]["y"])
    M = y[:, None] * all_stumps(X)
    pool, T = weak_learnability(M), int(bounds.mw_rounds(10, 0.05))
    played = games.play(games.boosting_game(M), T)
    assert played.value_lp == pytest.approx(0.5 + pool.gamma)
    assert (played.losses >= 0.5 + pool.gamma - 1e-9).all()  # an edge of gamma in every round
    margins = M @ played.average_Q
    assert margins.min() == pytest.approx(2 * played.lower_from_Q - 1)
    assert 2 * pool.gamma - 2 * 0.05 <= margins.min() <= 2 * pool.gamma + 1e-9


def test_one_row_has_no_regret() -> None:
    played = games.play([[0.25, 1.0]], 5)
    assert played.eta == 0
    assert (played.losses_total, played.bound_on_total, played.delta_T) == (5.0, 5.0, 0.0)
    assert (played.lower_from_Q, played.upper_from_P) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: games.play([[0.0, 2.0]], 3), "M[0, 1] is 2; losses must lie between 0 and 1"),
        (lambda: games.play([[0.0, 1.0]], 0), "T must be a whole number of at least 1, got 0."),
        (lambda: games.play([[0.0, 1.0]], 3, 0.0), "eta must be a finite number above 0, got 0"),
        (lambda: games.play([[0.0]], 3, n_rows=2), "n_rows must be left out with a matrix"),
        (lambda: games.play(lambda P: P, 3), "n_rows must be given where M is an oracle"),
        (lambda: games.play(lambda P: [1.0], 3, n_rows=2), "2 losses, got shape (1,)"),
        (lambda: games.play(lambda P: P - 1, 3, n_rows=2), "the oracle's answer[0, 0] is -0.5"),
    ],
)
def test_what_cannot_be_played_is_refused(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        call()


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
    for call in (games.game_value, games.solve, weak_learnability, games.boosting_game):
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
    monkeypatch.setattr(value, "_optimum", lambda M: (half, half))
    with pytest.raises(RuntimeError, match="did not converge: its value was found to lie between"):
        games.game_value(M)


def test_importing_the_room_does_not_load_the_solver() -> None:
    code = "import sys, weaklearn.theory.games; sys.exit('scipy.optimize' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_ties_do_not_depend_on_the_last_bit_of_an_exponential(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The mixtures come from kernels that are the same everywhere, not from numpy's exp."""
    M = [[0.5, 0.5, 1.0, 0.0], [0.75, 0.5, 0.0, 0.75], [0.0, 0.5, 1.0, 1.0]]
    before = games.play(M, 300)

    def other(x: Any, *args: Any, **more: Any) -> Any:
        raise AssertionError("another machine has other exponentials")

    monkeypatch.setattr(np, "exp", other)
    after = games.play(M, 300)
    assert after.columns_played == before.columns_played
    assert (after.P == before.P).all()


@pytest.mark.parametrize("M", [[[1, 2], [3]], "game", [["a", "b"]], object()])
def test_what_is_no_matrix_of_numbers_is_refused(M: Any) -> None:
    with pytest.raises(ValueError, match="M must be a matrix"):
        games.game_value(M)
