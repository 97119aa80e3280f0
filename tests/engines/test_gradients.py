"""Kernels of several models side by side, beside what numpy says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weaklearn.base.trees.term import CodedTable
from weaklearn.engines import Engine
from weaklearn.losses import Logistic, Squared


@pytest.mark.parametrize("K", [1, 3])
def test_unseen_scores_stand_model_after_model(K: int) -> None:
    rng = np.random.default_rng(0)
    F = rng.normal(size=(4 * K, 50))
    rows = [np.flatnonzero(rng.random(50) < share).astype(np.uint32) for share in (0.5, 0, 1, 0.2)]
    found = Engine(2).gradients.unseen_scores(F, rows)
    right = [F[k * K : (k + 1) * K][:, some] for k, some in enumerate(rows)]
    assert np.array_equal(found, np.concatenate(right, axis=1))
    room = np.full(found.shape, np.nan)
    assert Engine(2).gradients.unseen_scores(F, rows, room) is room
    assert np.array_equal(room, found)


@pytest.mark.parametrize("K", [1, 3])
@pytest.mark.parametrize("threads", [1, 3])
def test_tables_are_added_by_the_codes_of_rows(K: int, threads: int) -> None:
    rng = np.random.default_rng(3)
    m = 60_000
    a, b, c = (rng.integers(0, n, m).astype(np.uint8) for n in (256, 31, 2))
    one, two = rng.normal(size=(256, K)), rng.normal(size=(31, 2, K))
    F = rng.normal(size=(K, m))
    expected = (F + one[a].T) + two[b, c].T
    Engine(threads).gradients.add_tables(F, [CodedTable(one, a), CodedTable(two, b, c)])
    assert np.array_equal(F, expected)


def test_tables_refuse_codes_that_they_do_not_hold() -> None:
    codes, gradients = np.array([0, 4], np.uint8), Engine(1).gradients
    none = np.zeros(2, np.uint8)
    for table in (
        CodedTable(np.zeros((4, 1)), codes),
        CodedTable(np.zeros((4, 2, 1)), codes, none),
        CodedTable(np.zeros((2, 4, 1)), none, codes),
    ):
        with pytest.raises(ValueError, match="out of range"):
            gradients.add_tables(np.zeros((1, 2)), [table])


def test_derivatives_are_the_same_whether_losses_are_wanted() -> None:
    rng = np.random.default_rng(4)
    m, loss = 30_000, Logistic()
    y, F = np.where(rng.random(m) < 0.4, 1, -1).astype(np.int8), 9 * rng.normal(size=(1, m))
    with_losses = Engine(2).gradients.derivatives(loss, y, F, None, None)
    without = Engine(2).gradients.derivatives(loss, y, F, None, None, want_loss=False)
    assert np.array_equal(without[0], with_losses[0])
    assert np.array_equal(without[1], with_losses[1])
    assert with_losses[2] > 0


def test_unseen_scores_refuse_what_does_not_fit() -> None:
    F, gradients = np.zeros((3, 5)), Engine(1).gradients
    with pytest.raises(ValueError, match="out of range"):
        gradients.unseen_scores(F, [np.array([5], np.uint32)])
    with pytest.raises(ValueError, match="as many scores"):
        gradients.unseen_scores(F, [np.array([0], np.uint32)] * 2)
    with pytest.raises(ValueError, match="as many scores"):
        gradients.unseen_scores(F, [])


def test_bags_are_drawn_as_each_alone_and_keep_to_their_rows() -> None:
    rng = np.random.default_rng(1)
    m, weights = 40_000, Engine(2).weights
    content = rng.integers(0, 2**63, m).astype(np.uint64)
    before = rng.integers(0, 3, m).astype(np.uint64)
    inside = (rng.random(m) < 0.8).astype(np.uint8)
    (everyone,) = weights.draw(content, [(None, None)], 7, 0.6)
    assert abs(len(everyone) / m - 0.6) < 0.02
    bags = weights.draw(content, [(None, None), (None, inside), (before, inside)], 7, 0.6)
    assert np.array_equal(bags[0], everyone)
    assert np.array_equal(bags[1], everyone[inside[everyone] == 1])
    (alone,) = weights.draw(content, [(before, None)], 7, 0.6)
    assert np.array_equal(bags[2], alone[inside[alone] == 1])
    assert weights.draw(content, [], 7, 0.6) == []


class _Spelled(Squared):
    """The squared loss as a subclass: its derivatives are asked of itself."""


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("counted", [False, True])
def test_the_squared_kernel_is_the_loss_that_it_stands_for(weighted: bool, counted: bool) -> None:
    rng = np.random.default_rng(2)
    m = 50_000
    y, F = rng.normal(size=m) * 1e3, rng.normal(size=(1, m))
    weight = rng.random(m) if weighted else None
    copies = rng.integers(1, 4, m) if counted else None
    room = (np.full((1, m), np.nan), np.full((1, m), np.nan))
    right = Engine(1).gradients.derivatives(_Spelled(), y, F, weight, copies)
    for threads in (1, 3):
        for given in (None, room):
            gradients = Engine(threads).gradients
            g, c, loss = gradients.derivatives(Squared(), y, F, weight, copies, given)
            assert loss == right[2]
            assert np.array_equal(g, right[0])
            assert (c is None) == (right[1] is None)
            assert c is None or np.array_equal(c, np.asarray(right[1]))


def test_losses_beyond_all_numbers_are_those_of_the_loss_itself() -> None:
    y, F = np.array([1.0, 1e200]), np.zeros((1, 2))
    with np.errstate(over="ignore"):
        g, c, loss = Engine(1).gradients.derivatives(Squared(), y, F, None, None)
    assert loss == np.inf
    assert g.tolist() == [[-1.0, -1e200]]
    assert c is None


def slopes(X: Any, g: Any, c: Any, l2: float, copies: Any, leaf: Any) -> Any:
    """The slopes of two leaves along all columns, (leaves, columns)."""
    asked = np.array([X.shape[1]] * 2, np.int32), np.tile(np.arange(X.shape[1], dtype=np.int32), 2)
    columns = [np.ascontiguousarray(x) for x in X.T]
    found = Engine(2).trees.leaf_slopes(g, c, copies, None, leaf, asked, columns, l2)
    return found[0].reshape(2, -1)


@pytest.mark.parametrize("times", [1, 10**5, 10**9])
@pytest.mark.parametrize("small", [1.0, 1e-9, 1e-15])
def test_a_column_that_others_make_up_has_no_slope(times: int, small: float) -> None:
    rng = np.random.default_rng(1)
    one = rng.normal(size=(200, 2))
    X = np.tile(np.column_stack([one, one.sum(axis=1)]), (2, 1))
    leaf = np.repeat(np.arange(2, dtype=np.int32), 200)
    g, c = np.tile(rng.normal(size=200), 2), np.ones(400)
    right = slopes(X[:, :2], g, c, 0.0, None, leaf)[0]
    g[200:] *= small  # a leaf sums to the same digits whatever the others hold
    c[200:] *= small
    copies = np.full(400, times)
    for found in slopes(X, g, c, 0.0, copies, leaf):
        assert found[2] == 0
        assert found[:2] == pytest.approx(right, rel=1e-5)


def test_rounding_is_no_slope() -> None:
    x = np.random.default_rng(2).random((200, 1))
    x[0] = 1e8  # a row without weight, and the others stand at one end
    g, c = np.cos(np.arange(200.0)), np.ones(200)
    g[0] = c[0] = 0.0
    found = slopes(x, g, c, 1.0, None, np.zeros(200, np.int32))
    assert (found == 0).all()
