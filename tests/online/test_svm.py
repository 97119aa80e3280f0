"""The ascent of the dual: weak duality at every step, the optimum, and its conditions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import dual as twin
from weaklearn.engines import Engine
from weaklearn.online import svm
from weaklearn.online.interior import central
from weaklearn.online.kernels import Function, Linear, Polynomial
from weaklearn.online.svm import climb_kernel, climb_rows, gaps


def task(seed: int, n: int = 60, d: int = 4, noise: float = 0.5) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + 0.5 * X[:, 1] + noise * rng.normal(size=n) > 0, 1.0, -1.0)
    return X, y, rng.uniform(0.2, 2.0, n)


def check(machine: Any, K: Any, y: Any, cap: Any, tol: float) -> None:
    """Weak duality whenever it was looked at, a closed gap, and the conditions of optimality."""
    primal, dual, gap = (machine.history[name] for name in ("primal", "dual", "gap"))
    assert (gap >= 0).all()
    assert (primal >= dual).all()
    assert primal.min() >= dual.max() - 1e-9 * abs(dual.max())
    assert (np.diff(dual) >= -1e-9 * np.abs(dual[1:])).all()
    assert machine.converged
    assert gap[-1] <= max(tol, 1e-9 * dual[-1])
    a = machine.a
    assert ((a >= 0) & (a <= cap)).all()
    np.testing.assert_allclose((primal[-1], dual[-1]), twin.objectives(K, y, cap, a), rtol=1e-7)
    margins = y * (K @ (a * y)) / 2
    np.testing.assert_allclose(machine.g, margins, rtol=1e-6, atol=1e-6)
    assert (gaps(a, margins, cap) <= max(2 * tol, 1e-8 * dual[-1])).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.01, 30))
def test_rows_reach_the_optimum(seed: int, C: float) -> None:
    X, y, cap = task(seed)
    cap = C * cap
    machine = climb_rows(X, y, cap, tol=1e-6, most=3000)
    check(machine, X @ X.T, y, cap, 1e-6)
    np.testing.assert_allclose(machine.w, X.T @ (machine.a * y) / 2, atol=1e-9)
    ascents = [svm._RowAscent(rows, y, cap, 1e-6, 1) for rows in (X, sp.csr_array(X))]
    for ascent in ascents:
        ascent.passes(20)
    assert (ascents[0].a == ascents[1].a).all()
    assert ascents[0].w.tolist() == ascents[1].w.tolist()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.01, 100))
def test_kernels_reach_the_optimum(seed: int, C: float) -> None:
    X, y, cap = task(seed, n=40)
    kernel = Polynomial(2)
    machine = climb_kernel(kernel, X, y, C * cap, tol=1e-6, most=200)
    check(machine, kernel.gram(X), y, C * cap, 1e-6)


@pytest.mark.parametrize("C", [0.1, 1.0])
def test_the_optimum_is_that_of_the_book(C: float) -> None:
    X, y, cap = task(7, n=30)
    K = Polynomial(2).gram(X)
    best = twin.objectives(K, y, C * cap, twin.solve(K, y, C * cap))
    machine = climb_kernel(Polynomial(2), X, y, C * cap, tol=1e-9, most=100)
    assert machine.history["dual"][-1] >= best[1] * (1 - 1e-7)
    assert machine.history["primal"][-1] <= best[0] * (1 + 1e-7)


def test_few_rows_at_a_time_lead_to_the_same_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, cap = task(3, n=300)
    whole = climb_kernel(Polynomial(2), X, y, cap, tol=1e-8, most=100)
    monkeypatch.setattr(svm, "_WORKING", 60)
    monkeypatch.setattr(svm, "_ROWS", 50)
    parts = climb_kernel(Polynomial(2), X, y, cap, tol=1e-8, most=500)
    assert parts.converged
    check(parts, Polynomial(2).gram(X), y, cap, 1e-8)
    np.testing.assert_allclose(parts.history["dual"][-1], whole.history["dual"][-1], rtol=1e-8)


def test_badly_scaled_columns_take_the_inner_way() -> None:
    X, y, cap = task(5, n=200)
    X = X * [1e-2, 1.0, 1e3, 1e4]
    machine = climb_rows(X, y, cap, tol=1e-4, most=1000)
    check(machine, X @ X.T, y, cap, 1e-4)
    passes = svm._RowAscent(X, y, cap, 1e-4, 1)
    passes.passes(1000)
    assert not passes.record.closed  # passes alone do not get there
    free = (machine.a > 0) & (machine.a < cap)
    assert np.count_nonzero(free) <= 2 * X.shape[1]  # and the others are on their limits exactly


def test_the_interior_point() -> None:
    X, y, cap = task(2)
    rows = Engine().svm.rows(X)
    a = central(rows, y, cap, 1e-7, Engine())
    primal, dual = twin.objectives(X @ X.T, y, cap, a)
    assert ((a >= 0) & (a <= cap)).all()
    assert primal - dual <= 1.1e-7


def test_the_hard_margin() -> None:
    X = np.array([[2.0, 0.0], [3.0, 1.0], [-2.0, 0.0], [-4.0, 5.0]])
    y = np.array([1.0, 1.0, -1.0, -1.0])
    machine = climb_rows(X, y, np.full(4, 1e6), tol=1e-9, most=1000)
    assert machine.w is not None
    np.testing.assert_allclose(1 / np.linalg.norm(machine.w), 2.0, rtol=1e-6)
    assert (y * (X @ machine.w) >= 1 - 1e-6).all()


def test_rows_of_zeros_stay_at_their_limit() -> None:
    X, y, cap = task(1, n=20)
    X[3] = 0.0
    for machine in (
        climb_rows(X, y, cap, tol=1e-6, most=1000),
        climb_kernel(Linear(), X, y, cap, tol=1e-6, most=100),
    ):
        assert machine.a[3] == cap[3]
        check(machine, X @ X.T, y, cap, 1e-6)


def test_a_gap_of_exactly_nothing_is_closed() -> None:
    """After more than twenty passes, when their pace is looked at, both objectives are equal."""
    x = [0, -1, 1, 2, -1, -2, -3, 3, -2, 0, 3, 1, 2]
    y = [-1, -1, -1, -1, 1, 1, -1, 1, -1, 1, -1, 1, 1]
    cap = np.array([3.0, 6, 4, 1, 2, 2, 3, 1, 4, 3, 3, 1, 7])
    machine = climb_rows(np.array(x, float)[:, None], np.array(y, float), cap, tol=1e-4, most=1000)
    assert len(machine.history["gap"]) > 10
    assert (machine.gap, machine.converged) == (0, True)


def test_a_pass_takes_the_step_of_the_book() -> None:
    X, y, cap = task(4, n=12)
    K = X @ X.T
    rows = Engine().svm.rows(X)
    a, w = np.zeros(12), np.zeros(4)
    rows.dual_pass(y, cap, np.diag(K).copy(), a, w, 1)
    np.testing.assert_allclose(w, X.T @ (a * y) / 2, atol=1e-12)
    before = twin.objectives(K, y, cap, np.zeros(12))[1]
    after = twin.objectives(K, y, cap, a)[1]
    assert after > before
    g = np.zeros(12)
    b = np.zeros(12)
    Engine().svm.climb(K, y, cap, np.diag(K).copy(), b, g, 1)
    (i,) = np.flatnonzero(b)
    assert b[i] == pytest.approx(twin.step(K, y, cap, np.zeros(12), i))
    gains = [twin.objectives(K, y, cap, np.eye(12)[j] * twin.step(K, y, cap, np.zeros(12), j))[1]
             for j in range(12)]  # fmt: skip
    assert gains[i] == pytest.approx(max(gains))


def test_functions_that_are_no_kernel() -> None:
    X, y, cap = task(1, n=20)
    with pytest.raises(ValueError, match="at least 0"):
        climb_kernel(Function(lambda x, z: -float(x @ z)), X, y, cap, tol=1e-4, most=10)
    crooked = Function(lambda x, z: 1.0 if (x == z).all() else -5.0)
    with pytest.raises(ValueError, match="no inner product"):
        climb_kernel(crooked, X, np.ones(20), cap, tol=1e-4, most=10)
