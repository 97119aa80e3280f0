"""arc-gv against golden rounds, AdaBoost, and the largest margin there is."""

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
from weaklearn.base import Stop
from weaklearn.boosters import AdaBoost, ArcGV
from weaklearn.theory import weak_learnability

CASES = [n for n in golden.names("boosters") if n.startswith("arc_gv") or n == "ada_87"]


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str) -> None:
    case, close = golden.case("boosters", name), golden.tolerance("boosters")
    told, rounds = case["input"], case["expected"]["rounds"]
    sample = sample_of(np.array(told["X"]), np.array(told["y"]))
    booster = AdaBoost() if name == "ada_87" else ArcGV()
    run = played(booster, sample, told["T"])
    assert len(run.history) == len(rounds)
    for t, wanted in enumerate(rounds):
        h, stump = run.state.ensemble.members[t], wanted["stump"]
        above = sample.column(stump["feature"]) > stump["threshold"]
        assert (h(sample) == np.where(above, 1, -1) * stump["polarity"]).all()
        metrics = [run.history[name][t] for name in ("r", "alpha", "margin_min")]
        names = ("edge", "alpha", "min_margin_after")
        assert metrics == pytest.approx([wanted[name] for name in names], **close)
        if name != "ada_87":
            assert run.history["rho"][t] == pytest.approx(wanted["rho"], **close)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_every_round_is_the_definition(seed: int, weighted: bool) -> None:
    X, y = noisy(seed)
    w = np.random.default_rng(seed).random(12) + 0.1 if weighted else np.ones(12)
    sample = sample_of(X, y, w)
    best = weak_learnability(y[:, None] * all_stumps(X)).value
    run = played(ArcGV(), sample, 30)
    D, F, votes = w / w.sum(), np.zeros(12), 0.0
    for t, (vote, h) in enumerate(run.state.ensemble):
        if run.stop is Stop.PERFECT:
            break
        yh = y * h(sample)
        rho = max(0.0, F.min() / votes) if t else 0.0
        assert run.history["rho"][t] == pytest.approx(rho, abs=1e-9)
        assert run.history["r"][t] == pytest.approx(D @ yh, abs=1e-9)
        assert vote == pytest.approx(np.arctanh(D @ yh) - np.arctanh(rho), abs=1e-9)
        D = D * np.exp(-vote * yh)
        D, F, votes = D / D.sum(), F + vote * yh, votes + vote
        assert F.min() / votes <= best + 1e-9 <= run.history["r"][t] + 2e-9


def test_while_an_example_is_wrong_it_is_adaboost() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = np.where(X.sum(axis=1) + rng.normal(size=80) > 0, 1, -1)
    ada, arc = (played(booster, sample_of(X, y), 15) for booster in (AdaBoost(), ArcGV()))
    assert (arc.history["rho"] == 0).all()
    assert arc.state.ensemble.members == ada.state.ensemble.members
    assert arc.history["alpha"] == pytest.approx(ada.history["alpha"], rel=1e-12)


def test_the_margin_of_the_ten_points_tends_to_a_third() -> None:
    toy = golden.case("boosters", "arc_gv_toy")["input"]
    run = played(ArcGV(), sample_of(np.array(toy["X"]), np.array(toy["y"])), 3000)
    assert 1 / 3 + 1e-9 >= run.history["margin_min"][-1] >= 1 / 3 - 1e-3
    assert 1 / 3 - 1e-9 <= run.history["r"].min() <= 1 / 3 + 1e-3


def test_a_hypothesis_that_cannot_raise_the_margin_ends_the_run() -> None:
    y = np.array([1, 1, -1, -1, 1, -1])
    guesses = [y * np.array(signs) for signs in ([1, 1, 1, 1, -1, -1], [-1, -1, 1, 1, 1, 1],
                                                 [1, 1, -1, -1, 1, 1])]  # fmt: skip
    barely = y * np.array([1, 0, 0, 0, 0, 0])

    def pick(D: Any, r: Any, key: int) -> int:
        return largest(D, r[:3], key) if key < 10 else 3

    learner = Picking(np.column_stack([*guesses, barely]), pick)
    run = played(ArcGV(), sample_of(np.arange(6.0)[:, None], y), 20, learner)
    assert run.stop is Stop.OPTIMAL
    assert len(run.state.ensemble) == 10
    assert 0 < run.history["r"][-1] <= run.history["rho"][-1]
    assert run.history["margin_min"][-1] == run.history["margin_min"][-2]


def test_a_hypothesis_worse_than_chance_ends_the_run() -> None:
    y = np.array([1, 1, -1, -1])
    sample = sample_of(np.arange(4.0)[:, None], y)
    run = played(ArcGV(), sample, 5, Picking(np.array([[-1, -1, 1, -1]]).T, largest))
    assert (run.stop, len(run.state.ensemble)) == (Stop.WORSE, 0)


def test_a_hypothesis_without_error_is_all_that_is_kept() -> None:
    sample = sample_of(np.arange(6.0)[:, None], np.array([-1, -1, -1, 1, 1, 1]))
    run = played(ArcGV(), sample, 5)
    assert (run.stop, run.state.ensemble.votes.tolist()) == (Stop.PERFECT, [1.0])
    assert run.history["margin_min"].tolist() == [1.0]
