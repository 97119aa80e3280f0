"""Boosting within an L1 ball against the least loss there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tests.boosters.binary import noisy, played, pool
from tests.reference.votes import Answers
from tests.samples import sample_of
from weaklearn.base import Stop
from weaklearn.boosters import ConditionalGradient
from weaklearn.learners.hypothesis_pool import PoolLearner


def value(loss: str, yF: Any) -> float:
    return float(np.mean(np.exp(-yF) if loss == "exponential" else np.logaddexp(0, -yF)))


def least_loss(M: Any, loss: str, radius: float) -> float:
    """The least mean loss in the ball, by another solver: votes as differences of two parts."""
    both = np.column_stack([M, -M])
    n = both.shape[1]
    limit = {"type": "ineq", "fun": lambda v: radius - v.sum()}
    start = np.full(n, radius / (2 * n))
    found = minimize(
        lambda v: value(loss, both @ v),
        start,
        bounds=[(0, None)] * n,
        constraints=[limit],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    return float(found.fun)


@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["exponential", "logistic"]),
    st.sampled_from(["line_search", "schedule"]),
    st.sampled_from([0.3, 2.0]),
)
def test_the_gap_encloses_the_least_loss(seed: int, loss: str, step: str, radius: float) -> None:
    sample, M, H = pool(seed, n=4)
    learner = PoolLearner(tuple(Answers(h) for h in H.T))
    run = played(ConditionalGradient(loss, radius, step), sample, 60, learner)
    best, history = least_loss(M, loss, radius), run.history
    assert (history["loss"] >= best - 1e-7).all()
    assert (history["loss_bound"] <= best + 1e-7).all()
    assert history["gap"] == pytest.approx(history["loss"] - history["loss_bound"])
    assert history["gap"][-1] <= 0.2 * max(history["gap"][0], 0.05)
    for votes in run.state.ensemble.tables:
        assert np.abs(votes).sum() <= radius * (1 + 1e-12)
    yF = sample.y * run.state.ensemble(sample)
    assert history["loss"][-1] == pytest.approx(value(loss, yF))
    q = np.exp(-yF) if loss == "exponential" else 1 / (1 + np.exp(yF))
    assert run.state.D.array == pytest.approx(q / q.sum(), rel=1e-9)


def test_every_step_is_the_definition() -> None:
    X, y = noisy(2, 20, 2)
    sample = sample_of(X, y, np.arange(20) % 3 + 1)
    for step in ("schedule", "line_search"):
        run = played(ConditionalGradient("exponential", 1.5, step), sample, 8)
        votes, losses = np.zeros(0), [1.0, *run.history["loss"]]
        for k, table in enumerate(run.state.ensemble.tables):
            s = run.history["step"][k]
            assert step == "line_search" or s == 2 / (k + 2)
            votes = np.append((1 - s) * votes, s * 1.5)
            assert table == pytest.approx(votes)
            assert run.history["alpha"][k] == table[-1]
        assert step == "schedule" or (np.diff(losses) <= 1e-12).all()
        F = run.state.ensemble(sample)
        assert run.history["margin_min"][-1] == pytest.approx((y * F).min() / np.abs(votes).sum())


def test_the_best_of_one_hypothesis_is_found_and_ends_the_run() -> None:
    y = np.array([1, 1, 1, -1, -1])
    h = np.array([1, 1, 1, -1, 1])
    sample = sample_of(np.arange(5.0)[:, None], y)
    inside = played(ConditionalGradient(radius=5.0), sample, 50, PoolLearner((Answers(h),)))
    assert inside.state.ensemble.votes.sum() == pytest.approx(0.5 * np.log(4), abs=1e-5)
    outside = played(ConditionalGradient(radius=0.5), sample, 50, PoolLearner((Answers(-h),)))
    assert outside.state.ensemble.votes.tolist() == [-0.5]
    assert outside.stop is Stop.OPTIMAL
    assert outside.history["gap"][-1] == pytest.approx(0, abs=1e-12)


def test_no_edge_ends_the_run() -> None:
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float), np.array([-1, 1, 1, -1])
    run = played(ConditionalGradient(), sample_of(X, y), 5)
    assert (run.stop, len(run.state.ensemble), len(run.history)) == (Stop.NO_EDGE, 0, 1)


def test_a_run_is_resumed_by_its_steps_alone() -> None:
    sample = sample_of(*noisy(1))
    booster = ConditionalGradient()
    with pytest.raises(TypeError, match="use resume"):
        booster.replay(sample, booster.begin(sample), 1.0, Answers(sample.y))
