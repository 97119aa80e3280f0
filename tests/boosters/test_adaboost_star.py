"""AdaBoost* against its definition, golden rounds, and its promise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import golden
from tests.boosters.binary import noisy, played
from tests.reference.votes import Picking, all_stumps, largest
from tests.samples import sample_of
from weaklearn import AdaBoostStarClassifier, datasets
from weaklearn.base import Stop
from weaklearn.boosters import AdaBoostStar
from weaklearn.learners import StumpLearner
from weaklearn.theory import bounds, weak_learnability

CASES = [name for name in golden.names("boosters") if name.startswith("nu_star")]
quick = settings(max_examples=25, deadline=None)


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str) -> None:
    case, close = golden.case("boosters", name), golden.tolerance("boosters")
    told, rounds = case["input"], case["expected"]["rounds"]
    sample = sample_of(np.array(told["X"]), np.array(told["y"]))
    run = played(AdaBoostStar(nu=told["nu"]), sample, told["T"])
    assert len(run.history) == len(rounds)
    for t, wanted in enumerate(rounds):
        h, stump = run.state.ensemble.members[t], wanted["stump"]
        above = sample.column(stump["feature"]) > stump["threshold"]
        assert (h(sample) == np.where(above, 1, -1) * stump["polarity"]).all()
        metrics = [run.history[name][t] for name in ("r", "rho", "alpha", "margin_min")]
        names = ("edge", "rho", "alpha", "min_margin_after")
        assert metrics == pytest.approx([wanted[name] for name in names], **close)


@quick
@given(st.integers(0, 10**6), st.sampled_from([None, "copies", "importances"]))
def test_every_round_is_the_definition(seed: int, weights: str | None) -> None:
    X, y = noisy(seed)
    rng = np.random.default_rng(seed)
    draws = {"copies": rng.integers(1, 4, 12), "importances": rng.random(12) + 0.1}
    w = draws.get(weights or "")
    sample = sample_of(X, y, w)
    booster, learn = AdaBoostStar(nu=0.2), StumpLearner().bind(sample)
    state, D = booster.begin(sample), np.ones(12) / 12 if w is None else w / w.sum()
    F, votes, least = np.zeros(12), 0.0, 1.0
    for _ in range(10):
        state, done = booster.round(sample, learn, state)
        if done.stop is not None:
            break
        yh = y * state.ensemble.members[-1](sample)
        r = D @ yh
        least = min(least, r)
        alpha = np.arctanh(r) - np.arctanh(least - 0.2)
        Z = D @ np.exp(-alpha * yh)
        D = D * np.exp(-alpha * yh) / Z
        F, votes = F + alpha * yh, votes + alpha
        right = (F > 0) | ((F == 0) & (y < 0))
        error = 1 - np.average(right, weights=w if weights == "copies" else None)
        wanted = {"r": r, "gamma": r / 2, "epsilon": (1 - r) / 2, "rho": least - 0.2, "Z": Z}
        wanted |= {"alpha": alpha, "margin_min": F.min() / votes, "train_error": error}
        assert done.metrics == pytest.approx(wanted, abs=1e-9)
        assert state.D.array == pytest.approx(D, abs=1e-12)


@quick
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([0.3, 0.5]))
def test_the_margin_comes_within_nu_of_the_best(seed: int, weighted: bool, nu: float) -> None:
    X, y = noisy(seed)
    w = np.random.default_rng(seed).integers(1, 5, 12) if weighted else None
    sample = sample_of(X, y, w)
    best = weak_learnability(y[:, None] * all_stumps(X)).value
    run = played(AdaBoostStar(nu=nu), sample, bounds.nu_star_rounds(sample.m, nu))
    assert best >= -1e-9
    if run.stop is Stop.NO_EDGE:  # under some weights no stump is any good
        assert best == pytest.approx(0, abs=1e-9)
        return
    assert run.history["r"].min() >= best - 1e-9
    assert run.history["margin_min"][-1] >= run.history["r"].min() - nu - 1e-9


@quick
@given(st.integers(0, 10**6))
def test_an_adversary_that_keeps_the_promise_cannot_break_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], 10)
    y[:2] = [-1, 1]
    H = y[:, None] * np.where(rng.random((10, 8)) < 0.3, -1, 1)
    best = weak_learnability(y[:, None] * H).value

    def worst(D: Any, r: Any, key: int) -> int:
        return int(np.argmin(np.where(r >= best - 1e-9, r, np.inf)))

    sample = sample_of(np.arange(10.0)[:, None], y)
    booster = AdaBoostStar(nu=0.4)
    run = played(booster, sample, bounds.nu_star_rounds(10, 0.4), Picking(H, worst))
    if run.stop is Stop.ROUNDS:
        assert run.history["margin_min"][-1] >= best - 0.4 - 1e-9


def test_the_ten_points_have_a_margin_of_a_third() -> None:
    toy = golden.case("boosters", "nu_star_toy")["input"]
    X, y = np.array(toy["X"]), np.array(toy["y"])
    assert weak_learnability(y[:, None] * all_stumps(X)).value == pytest.approx(1 / 3)
    for nu in (0.05, 0.1, 0.3):
        run = played(AdaBoostStar(nu=nu), sample_of(X, y), bounds.nu_star_rounds(10, nu))
        assert 1 / 3 + 1e-9 >= run.history["margin_min"][-1] >= 1 / 3 - nu
        assert run.history["r"].min() >= 1 / 3 - 1e-9


def test_a_hypothesis_right_or_wrong_everywhere_is_all_that_is_kept() -> None:
    y = np.array([1, 1, -1, -1, 1])
    sample = sample_of(np.arange(5.0)[:, None], y)
    other = np.array([1, 1, 1, -1, 1])
    for answers, side in ((y, 1.0), (-y, -1.0)):
        learner = Picking(np.column_stack([other, answers]), lambda D, r, key: min(key, 1))
        run = played(AdaBoostStar(), sample, 5, learner)
        assert run.stop is Stop.PERFECT
        assert run.history["alpha"][-1] == side * np.inf
        assert run.state.ensemble.votes.tolist() == [side]
        assert (run.state.ensemble(sample) == y).all()


def test_no_edge_ends_the_run() -> None:
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float), np.array([-1, 1, 1, -1])
    run = played(AdaBoostStar(), sample_of(X, y), 5)
    assert (run.stop, len(run.state.ensemble), len(run.history)) == (Stop.NO_EDGE, 0, 1)


def test_an_aim_of_minus_one_is_not_reached() -> None:
    y = np.array([1, 1, -1, -1])
    learner = Picking(np.array([[-1, -1, 1, -1]]).T, largest)
    run = played(AdaBoostStar(nu=1.0), sample_of(np.arange(4.0)[:, None], y), 1, learner)
    assert run.history["r"][0] == pytest.approx(-0.5)
    assert run.history["rho"][0] == -1 + 1e-12
    assert np.isfinite(run.history["alpha"][0])
    assert run.history["alpha"][0] > 0


def test_silence_counts_half() -> None:
    y = np.array([1, 1, 1, -1, 1, -1, -1, 1])
    h = np.array([1, 1, 1, 1, 0, 0, -1, -1])
    sample = sample_of(np.arange(8.0)[:, None], y)
    booster = AdaBoostStar(nu=0.05)
    learn = Picking(h[:, None], largest).bind(sample)
    state, done = booster.round(sample, learn, booster.begin(sample))
    assert done.metrics["alpha"] == pytest.approx(np.arctanh(0.25) - np.arctanh(0.2))
    reweighted = np.exp(-done.metrics["alpha"] * y * h)
    assert state.D.array == pytest.approx(reweighted / reweighted.sum())


def test_shrinkage_is_a_factor_on_the_votes() -> None:
    sample = sample_of(*noisy(3))
    full, half = (played(AdaBoostStar(rate), sample, 1) for rate in (1.0, 0.5))
    assert half.history["alpha"][0] == full.history["alpha"][0] / 2


def test_rounds_too_few_for_the_guarantee_are_logged(caplog: Any, recwarn: Any) -> None:
    X, y = datasets.toy()
    with caplog.at_level("INFO", "weaklearn"):
        AdaBoostStarClassifier(nu=0.1, n_estimators=20).fit(X, y)
    needed = bounds.nu_star_rounds(10, 0.1)
    assert "20 rounds were played; margins are guaranteed to be within nu=0.1" in caplog.text
    assert f"after n_estimators={needed}" in caplog.text
    caplog.clear()
    with caplog.at_level("INFO", "weaklearn"):
        AdaBoostStarClassifier(nu=0.9, n_estimators=20).fit(X, y)
    assert "guaranteed" not in caplog.text
    assert not recwarn.list
