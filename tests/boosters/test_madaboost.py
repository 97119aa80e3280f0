"""MadaBoost against its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.samples import sample_of
from weaklearn import AdaBoostClassifier, MadaBoostClassifier
from weaklearn.base import Stop
from weaklearn.boosters import MadaBoost
from weaklearn.learners import StumpLearner


@st.composite
def tables(draw: Any) -> tuple[Any, Any, Any]:
    n, seed = draw(st.integers(6, 25)), draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], n)
    y[:2] = -1, 1
    weight = rng.integers(1, 4, n) if draw(st.booleans()) else rng.random(n) + 0.1
    return rng.integers(0, 4, (n, 2)).astype(float), y, weight


@settings(max_examples=60, deadline=None)
@given(tables())
def test_each_round_is_the_definition(table: Any) -> None:
    X, y, weight = table
    sample = sample_of(X, y, weight)
    booster, learn = MadaBoost(), StumpLearner().bind(sample)
    state, F = booster.begin(sample), np.zeros(len(y))
    D_1 = weight / weight.sum()
    for _ in range(8):
        w = D_1 * np.minimum(1.0, np.exp(-y * F))
        D = w / w.sum()
        assert state.D.array == pytest.approx(D, abs=1e-9)
        error = float(D_1[np.where(F > 0, 1, -1) != y].sum())
        assert (D <= D_1 / max(error, 1e-12) + 1e-9).all()  # no example outgrows its first weight
        state, done = booster.round(sample, learn, state)
        if done.stop is not None:
            assert done.stop in (Stop.NO_EDGE, Stop.PERFECT)
            break
        h = np.asarray(state.ensemble.members[-1](sample), float)
        epsilon = float(D[h != y].sum())
        assert done.metrics["epsilon"] == pytest.approx(epsilon, abs=1e-9)
        if epsilon > 1e-9:
            alpha = 0.5 * np.log((1 - epsilon) / epsilon)
            assert done.metrics["alpha"] == pytest.approx(alpha, rel=1e-6)
        F = F + done.metrics["alpha"] * h
        left = float(D_1 @ np.minimum(1.0, np.exp(-y * F)))
        assert done.metrics["potential"] == pytest.approx(left, abs=1e-9)
        assert float(D_1 @ (y * F <= 0)) <= left + 1e-9


def test_one_perfect_rule_is_all() -> None:
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    model = MadaBoostClassifier().fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (1, str(Stop.PERFECT))
    assert model.certify(X, y)[0].holds
    opposite = MadaBoostClassifier(lambda X, y, D: lambda rows: np.where(rows[:, 0] > 2.5, -1, 1))
    assert opposite.fit(X, y).score(X, y) == 1


def test_the_first_round_is_adaboosts_and_noise_stays_light() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = np.where(rng.random(300) < 0.2, X[:, 0] <= 0, X[:, 0] > 0)
    ours, theirs = (
        Booster(n_estimators=40).fit(X, y) for Booster in (MadaBoostClassifier, AdaBoostClassifier)
    )
    for metric in ("epsilon", "alpha"):
        assert ours.history_[metric][0] == pytest.approx(theirs.history_[metric][0], abs=1e-12)
    error = 1 - ours.score(X, y)
    sample = sample_of(X, y)
    state = MadaBoost().resume(sample, ours.ensemble_, ours.history_)
    assert state.D.array.max() <= 1 / (300 * error) * (1 + 1e-9)
