"""RankBoost against its definition, pairs one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import golden
from tests.samples import sample_of
from weaklearn import RankBoost
from weaklearn.base import History, Stop, play
from weaklearn.boosters import RankBoost as Ranking
from weaklearn.boosters.parts.preferences import Grades, Pairs
from weaklearn.engines import Engine
from weaklearn.intake.preferences import graded
from weaklearn.learners import StumpLearner
from weaklearn.learners.adapters import SignedLearner

CASES = [name for name in golden.names("multiclass_ranking") if name.startswith("rankboost")]


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str) -> None:
    case, near = golden.case("multiclass_ranking", name), golden.tolerance("multiclass_ranking")
    X, pairs = np.array(case["input"]["X"]), case["input"]["pairs_low_high"]
    model = RankBoost(n_estimators=case["input"]["T"]).fit(X, pairs=pairs)
    rounds = case["expected"]["rounds"]
    for metric in ("r", "W_plus", "W_minus", "alpha", "Z"):
        assert model.history_[metric] == pytest.approx([row[metric] for row in rounds], **near)
    assert model.history_["product_Z"] == pytest.approx([r["prod_Z"] for r in rounds], **near)
    assert model.history_["rank_loss"] * len(pairs) == pytest.approx(
        [row["misordered"] for row in rounds], **near
    )
    for member, row in zip(model.estimators_, rounds, strict=True):
        found = {"feature": member.feature_, "threshold": member.threshold_}
        assert found | {"polarity": member.polarity_} == row["stump"]
    assert model.predict(X) == pytest.approx(case["expected"]["F"], **near)


@st.composite
def rankings(draw: Any) -> tuple[Any, Any, Any, Any]:
    """Items with grades, groups and whole weights, at least one pair among them."""
    n = draw(st.integers(4, 14))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    y, group = rng.integers(0, 4, n).astype(float), rng.integers(0, 3, n)
    y[:2], group[:2] = (0, 1), 0
    return rng.integers(0, 5, (n, 2)).astype(float), y, group, rng.integers(1, 4, n)


def listed(y: Any, group: Any) -> tuple[Any, Any]:
    n = len(y)
    both = [(u, v) for u in range(n) for v in range(n) if group[u] == group[v] and y[u] < y[v]]
    low, high = np.array(both).T
    return low, high


@settings(max_examples=60, deadline=None)
@given(rankings(), st.booleans(), st.integers(0, 1000))
def test_grades_are_their_pairs(given_: Any, importances: bool, seed: int) -> None:
    """Product form and list agree: weights, potentials, sides and losses."""
    _, y, group, weight = given_
    rng, engine = np.random.default_rng(seed), Engine()
    weight = weight * 0.37 if importances else weight
    low, high = listed(y, group)
    pairs = Pairs(engine, low, high, weight[low] * weight[high], weight)
    grades = Grades.of(engine, graded(y, group, len(y)), weight)
    F = np.round(rng.normal(size=len(y)) * 4, 1)
    h = rng.choice([-1.0, 1.0], len(y))
    a, b = grades.weighed(F), pairs.weighed(F)
    assert grades.n_pairs == pairs.n_pairs
    assert a.log_loss == pytest.approx(b.log_loss, abs=1e-12)
    assert a.potential == pytest.approx(b.potential, abs=1e-12)
    assert a.right_and_wrong(h) == pytest.approx(b.right_and_wrong(h), abs=1e-12)
    for ties in (0.0, 0.5, 1.0):
        assert grades.rank_loss(F, ties) == pytest.approx(pairs.rank_loss(F, ties), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(rankings())
def test_each_round_is_the_definition(given_: Any) -> None:
    X, y, group, weight = given_
    low, high = listed(y, group)
    mass = (weight[low] * weight[high]).astype(float)
    D_1 = mass / mass.sum()
    sample = sample_of(X, graded(y, group, len(y)), weight, regression=True)
    booster, learn = Ranking(), SignedLearner(StumpLearner()).bind(sample)
    state, F, product = booster.begin(sample), np.zeros(len(y)), 1.0
    for _ in range(6):
        D = D_1 * np.exp((F[low] - F[high]) / 2)
        D /= D.sum()
        state, done = booster.round(sample, learn, state)
        if done.stop is not None:
            assert done.stop is Stop.NO_EDGE
            break
        h = np.asarray(state.ensemble.members[-1](sample), float)
        right, wrong = D[h[high] - h[low] == 2].sum(), D[h[high] - h[low] == -2].sum()
        s = 0.5 / mass.sum()
        alpha = 0.5 * np.log((right + s) / (wrong + s))
        Z = float(D @ np.exp(alpha / 2 * (h[low] - h[high])))
        F = F + alpha * h
        product *= Z
        metrics = done.metrics
        assert metrics["r"] == pytest.approx(0.5 * D @ (h[high] - h[low]), abs=1e-12)
        assert metrics["alpha"] == pytest.approx(alpha, abs=1e-9)
        assert metrics["Z"] == pytest.approx(Z, abs=1e-12)
        assert metrics["product_Z"] == pytest.approx(product, abs=1e-12)
        misordered = float(D_1 @ (F[high] - F[low] <= 1e-12))
        assert metrics["rank_loss"] <= product + 1e-9
        assert metrics["rank_loss"] == pytest.approx(misordered, abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(rankings())
def test_bipartite_equals_all_pairs(given_: Any) -> None:
    X, y, _, weight = given_
    y = (y > 0).astype(float)
    y[:2] = 0, 1
    low, high = listed(y, np.zeros(len(y)))
    quick = RankBoost(n_estimators=5).fit(X, y, sample_weight=weight)
    slow = RankBoost(n_estimators=5).fit(
        X, pairs=np.column_stack([low, high]), sample_weight=weight
    )
    for metric in ("r", "alpha", "Z"):
        assert quick.history_[metric] == pytest.approx(slow.history_[metric], abs=1e-9)
    assert [row[:-1] for row in quick.rules()] == [row[:-1] for row in slow.rules()]


def test_long_runs_on_separable_items_stay_finite() -> None:
    X, y = np.arange(20.0)[:, None], np.arange(20) // 5
    sample = sample_of(X, y.astype(float), regression=True)
    booster = Ranking(smoothing=1e-6)
    run = play(
        booster,
        sample,
        SignedLearner(StumpLearner()).bind(sample),
        state=booster.begin(sample),
        history=History(),
        n_rounds=600,
    )
    assert np.isfinite(run.history["product_Z"]).all()
    assert np.isfinite(run.history["r"]).all()
    assert run.history["rank_loss"][-1] == 0


@pytest.mark.parametrize("gap", [1.0, 60.0, 120.0, 3000.0])
def test_weights_stay_exact_where_all_is_in_order(gap: float) -> None:
    """Of three grades far apart, pairs of neighbours weigh exp(-gap / 2): two thirds of all."""
    y = np.repeat([0.0, 1.0, 2.0], 40)
    weighed = Grades.of(Engine(), y, None).weighed(y * gap)
    truth = np.log(2 / 3 + np.exp(-gap / 2) / 3) - gap / 2
    assert weighed.log_loss == pytest.approx(truth, rel=1e-12)
    assert weighed.potential.sum() == pytest.approx(0, abs=1e-12)


def test_many_grades_with_importances() -> None:
    rng = np.random.default_rng(0)
    y, w, F = rng.permutation(3000).astype(float), rng.random(3000) + 0.5, rng.normal(size=3000)
    loss = Grades.of(Engine(), y, w).rank_loss(F)
    part = rng.choice(3000, 200, replace=False)
    assert 0.45 < loss < 0.55
    low, high = listed(y[part], np.zeros(200))
    spelt = Pairs(Engine(), low, high, w[part][low] * w[part][high], w[part])
    some = Grades.of(Engine(), y[part], w[part])
    assert some.rank_loss(F[part]) == pytest.approx(spelt.rank_loss(F[part]), rel=1e-9)
