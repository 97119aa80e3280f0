"""Coordinate descent: projections, AdaBoost, rates, and the limit of its weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tests.boosters.binary import noisy, played, pool
from tests.reference.votes import Answers, Picking, all_stumps
from tests.samples import sample_of
from weaklearn.base import Stop
from weaklearn.boosters import AdaBoost, CoordinateBoost
from weaklearn.learners import StumpLearner
from weaklearn.learners.hypothesis_pool import PoolLearner
from weaklearn.theory import weak_learnability

quick = settings(max_examples=20, deadline=None)
losses = st.sampled_from(["exponential", "logistic"])
selections = st.sampled_from(["greedy", "cyclic", "least_z"])


def divergence(loss: str, p: Any, q: Any) -> float:
    """RE_u(p || q), or the divergence of probabilities; 0 ln 0 is 0."""

    def part(a: Any, b: Any) -> Any:
        return np.where(a > 0, a * np.log(np.where(a > 0, a, 1) / b), 0.0)

    if loss == "exponential":
        return float(np.mean(part(p, q) + q - p))
    return float(np.mean(part(p, q) + part(1 - p, 1 - q)))


def weights(loss: str, yF: Any) -> Any:
    return np.exp(-yF) if loss == "exponential" else 1 / (1 + np.exp(yF))


@quick
@given(st.integers(0, 10**6), losses, selections)
def test_a_step_is_a_projection(seed: int, loss: str, selection: str) -> None:
    sample, M, H = pool(seed)
    booster = CoordinateBoost(loss)
    learn = PoolLearner(tuple(Answers(h) for h in H.T), selection).bind(sample)
    state, yF, before = booster.begin(sample), np.zeros(len(M)), None
    for _ in range(8):
        state, done = booster.round(sample, learn, state)
        q = weights(loss, yF)
        value = np.mean(q if loss == "exponential" else -np.log(1 - q))
        assert before is None or value == pytest.approx(before, rel=1e-9)
        if done.stop is not None:
            assert done.stop is Stop.NO_EDGE
            break
        yh = sample.y * state.ensemble.members[-1](sample)
        yF = yF + done.metrics["alpha"] * yh
        later = weights(loss, yF)
        assert later @ yh == pytest.approx(0, abs=1e-9)  # on the plane that is projected to
        before = done.metrics["loss"]
        assert before <= value + 1e-12
        assert value - before == pytest.approx(divergence(loss, later, q), abs=1e-9)
        p = np.random.default_rng(seed).random(len(M)) * 0.9  # any other point of that plane
        p[yh > 0] *= min(1, p[yh < 0].sum() / p[yh > 0].sum())
        p[yh < 0] *= min(1, p[yh > 0].sum() / p[yh < 0].sum())
        assert p @ yh == pytest.approx(0, abs=1e-9)
        pythagoras = divergence(loss, p, q) - divergence(loss, p, later)
        assert pythagoras == pytest.approx(divergence(loss, later, q), abs=1e-9)
        assert state.D.array == pytest.approx(later / later.sum(), rel=1e-9)


@quick
@given(st.integers(0, 10**6), st.booleans())
def test_the_largest_slope_of_the_exponential_loss_is_adaboost(seed: int, weighted: bool) -> None:
    X, y = noisy(seed, 30, 3)
    w = np.random.default_rng(seed).integers(1, 4, 30) if weighted else None
    ada, own = (played(b, sample_of(X, y, w), 12) for b in (AdaBoost(), CoordinateBoost()))
    assert own.stop is ada.stop
    assert own.state.ensemble.members == ada.state.ensemble.members
    for name in ("epsilon", "gamma", "r", "alpha", "Z", "margin_min", "train_error"):
        assert own.history[name] == pytest.approx(ada.history[name], rel=1e-9, abs=1e-12)
    assert own.history["loss"] == pytest.approx(np.cumprod(own.history["Z"]), rel=1e-9)


@quick
@given(st.integers(0, 10**6))
def test_a_learnable_pool_drives_the_loss_to_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], 12)
    y[:2] = [-1, 1]
    H = y[:, None] * np.where(rng.random((12, 9)) < 0.25, -1, 1)
    sample = sample_of(np.arange(12.0)[:, None], y)
    gamma = max(0.0, weak_learnability(y[:, None] * H).gamma)
    run = played(CoordinateBoost(), sample, 25, PoolLearner(tuple(Answers(h) for h in H.T)))
    rate = (1 - 4 * gamma**2) ** (np.arange(1, len(run.history) + 1) / 2)
    if run.stop is not Stop.PERFECT:
        assert (run.history["loss"] <= rate + 1e-12).all()
        assert (run.history["train_error"] <= run.history["loss"] + 1e-12).all()


@pytest.mark.parametrize("selection", ["greedy", "cyclic", "least_z"])
def test_where_the_pool_cannot_learn_the_weights_tend_to_the_nearest_feasible_ones(
    selection: str,
) -> None:
    sample, M, H = pool(5, m=16, n=4)
    learner = PoolLearner(tuple(Answers(h) for h in H.T), selection)
    state = played(CoordinateBoost(), sample, 300, learner).state
    least = minimize(lambda v: np.exp(-M @ v).sum(), np.zeros(4), tol=1e-14).x
    q = np.exp(-M @ least)
    assert weak_learnability(np.column_stack([M, -M])).value == pytest.approx(0, abs=1e-9)
    assert state.D.array == pytest.approx(q / q.sum(), abs=1e-6)
    assert M.T @ state.D.array == pytest.approx(np.zeros(4), abs=1e-6)


def test_a_pool_at_its_minimum_ends_the_run() -> None:
    y = np.array([1, 1, -1, -1])
    H = np.array([[1, 1, 1, -1], [1, -1, 1, 1]]).T
    sample = sample_of(np.arange(4.0)[:, None], y)
    run = played(CoordinateBoost(), sample, 50, PoolLearner((Answers(H[:, 0]),)))
    assert (run.stop, len(run.state.ensemble)) == (Stop.NO_EDGE, 1)
    assert run.history["loss"][-1] == run.history["loss"][-2]


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
def test_a_hypothesis_right_or_wrong_everywhere_is_all_that_is_kept(loss: str) -> None:
    y = np.array([1, 1, -1, -1, 1])
    sample = sample_of(np.arange(5.0)[:, None], y)
    other = np.array([1, 1, 1, -1, 1])
    for answers, side in ((y, 1.0), (-y, -1.0)):
        learner = Picking(np.column_stack([other, answers]), lambda D, r, key: min(key, 1))
        run = played(CoordinateBoost(loss), sample, 5, learner)
        assert (run.stop, run.state.ensemble.votes.tolist()) == (Stop.PERFECT, [side])
        assert run.history["loss"][-1] == 0


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
def test_one_that_is_silent_but_never_wrong_is_held(loss: str) -> None:
    y = np.array([1, 1, -1, -1])
    sample = sample_of(np.arange(4.0)[:, None], y)
    learner = Picking(np.array([[1, 1, 0, -1]]).T, lambda D, r, key: 0)
    run = played(CoordinateBoost(loss), sample, 1, learner)
    assert run.history["alpha"][0] == pytest.approx(0.5 * np.log((3 / 4 + 1 / 8) / (1 / 8)))


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
def test_many_rounds_on_separable_rows_stay_finite(loss: str) -> None:
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    sample = sample_of(X, np.array([1, 1, -1, -1, 1, 1]))
    run = played(CoordinateBoost(loss), sample, 300)
    assert np.isfinite(run.history["alpha"]).all()
    assert run.history["loss"][-1] < 1e-9
    assert run.history["train_error"][-1] == 0
    assert run.state.D.array.sum() == pytest.approx(1)


def test_shrinkage_is_a_factor_on_the_steps() -> None:
    sample = sample_of(*noisy(4, 40, 3))
    for loss in ("exponential", "logistic"):
        full, less = (played(CoordinateBoost(loss, rate), sample, 20) for rate in (1.0, 0.3))
        assert less.history["alpha"][0] == pytest.approx(0.3 * full.history["alpha"][0])
        assert (np.diff(less.history["loss"]) < 0).all()


def test_stumps_are_the_pool_of_all_stumps() -> None:
    X, y = noisy(8, 30, 2)
    sample = sample_of(X, y)
    listed = PoolLearner(tuple(Answers(h) for h in all_stumps(X).T))
    stumps, pooled = (
        played(CoordinateBoost(), sample, 10, how) for how in (StumpLearner(), listed)
    )
    assert np.abs(stumps.history["r"]) == pytest.approx(np.abs(pooled.history["r"]), abs=1e-9)
    assert stumps.history["loss"] == pytest.approx(pooled.history["loss"], abs=1e-9)
