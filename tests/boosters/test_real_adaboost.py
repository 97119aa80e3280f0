"""Confidence-rated AdaBoost against golden values, its guarantee, and AdaBoost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import golden
from tests.reference.partition import LeastZ, block_weights
from tests.samples import sample_of
from weaklearn.base import Form, History, Hypothesis, Stop, WeakLearner, play
from weaklearn.boosters import AdaBoost, RealAdaBoost
from weaklearn.boosters.real_adaboost import best_vote
from weaklearn.learners import StumpLearner

CASES = [name for name in golden.names("boosters") if name.startswith("confidence_rated")]


def played(booster: Any, sample: Any, n_rounds: int, learner: Any) -> Any:
    start = booster.begin(sample)
    learn = learner.bind(sample)
    return play(booster, sample, learn, state=start, history=History(), n_rounds=n_rounds)


def noisy(seed: int, m: int = 60) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, size=(m, 3)).astype(float)
    y = np.where(X[:, 0] + X[:, 1] > 7, 1, -1) * rng.choice([1, 1, 1, -1], m)
    return X, y


class Given(WeakLearner):
    """The same answers in every round, whatever the weights."""

    def __init__(self, *answers: Any) -> None:
        self.answers = [np.array(a, float) for a in answers]

    def bind(self, sample: Any) -> Any:
        return lambda D, z, key=0: Table(self.answers[key % len(self.answers)])


class Table(Hypothesis):
    def __init__(self, answers: Any) -> None:
        self.answers = answers

    @property
    def form(self) -> Form:
        return Form.BOUNDED if self.reach <= 1 else Form.NUMBERS

    @property
    def reach(self) -> float:
        return float(np.abs(self.answers).max())

    def __call__(self, rows: Any) -> Any:
        return self.answers


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str) -> None:
    case, close = golden.case("boosters", name), golden.tolerance("boosters")
    told, expected = case["input"], case["expected"]
    sample = sample_of(np.array(told["X"]), np.array(told["y"]))
    assert told["smoothing"] == 0.5 / sample.m
    run = played(RealAdaBoost(), sample, told["T"], LeastZ())
    for t, wanted in enumerate(expected["rounds"]):
        h = run.state.ensemble.members[t]
        assert (h.feature, h.threshold) == (wanted["feature"], wanted["threshold"])
        assert (h.c_left, h.c_right) == pytest.approx(
            (wanted["c_left"], wanted["c_right"]), **close
        )
        assert run.history["Z"][t] == pytest.approx(wanted["Z"], **close)
        assert run.history["Z_criterion"][t] == pytest.approx(wanted["Z_criterion"], **close)
    assert run.state.ensemble(sample) == pytest.approx(expected["F"], **close)
    assert run.state.D.array == pytest.approx(expected["D_end"], **close)
    assert run.history["alpha"].tolist() == [1.0] * told["T"]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_the_training_error_is_at_most_the_product_of_Z(seed: int, weighted: bool) -> None:
    X, y = noisy(seed, 30)
    w = np.random.default_rng(seed).integers(1, 5, 30) if weighted else None
    sample = sample_of(X, y, w)
    run = played(RealAdaBoost(), sample, 12, LeastZ())
    F = run.state.ensemble(sample)
    D = np.ones(30) if w is None else w
    product = np.cumprod(run.history["Z"])[-1]
    assert np.average(np.exp(-y * F), weights=D) == pytest.approx(product, rel=1e-9)
    assert np.average(np.where(F > 0, 1, -1) != y, weights=D) <= product + 1e-12
    assert run.history["train_error"][-1] == pytest.approx(
        np.average(np.where(F > 0, 1, -1) != y, weights=D)
    )
    reach = sum(h.reach for h in run.state.ensemble.members)
    assert run.history["margin_min"][-1] == pytest.approx((y * F).min() / reach)


def test_without_smoothing_Z_is_the_criterion_and_beats_labels() -> None:
    X, y = noisy(8)
    sample = sample_of(X, y)
    booster, learner = RealAdaBoost(), LeastZ(1e-30)
    state, learn = booster.begin(sample), learner.bind(sample)
    for _ in range(6):
        D = state.D.array
        state, done = booster.round(sample, learn, state)
        assert done.metrics["Z"] == pytest.approx(done.metrics["Z_criterion"], rel=1e-6)
        h = state.ensemble.members[-1]
        blocks = block_weights(X[:, h.feature], h.threshold, y, D)
        epsilon = sum(min(block) for block in blocks)
        assert done.metrics["Z_criterion"] <= 2 * np.sqrt(epsilon * (1 - epsilon)) + 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_labels_alone_are_adaboost(seed: int) -> None:
    sample = sample_of(*noisy(seed), weight=np.random.default_rng(seed).integers(1, 4, 60))
    ada, own = (played(b, sample, 20, StumpLearner()) for b in (AdaBoost(), RealAdaBoost()))
    assert own.state.ensemble.members == ada.state.ensemble.members
    for name in ("epsilon", "alpha", "Z", "r", "margin_min", "train_error"):
        assert own.history[name] == pytest.approx(ada.history[name], rel=1e-9, abs=1e-12)


def test_silence_has_its_own_share() -> None:
    y = np.array([1, 1, 1, -1, 1, -1, -1, 1])
    h = np.array([1, 1, 1, 1, 0, 0, -1, -1])
    sample = sample_of(np.arange(8.0)[:, None], y)
    run = played(RealAdaBoost(), sample, 1, Given(h))
    right, wrong, silent = 4 / 8, 2 / 8, 2 / 8
    assert run.history["alpha"][0] == pytest.approx(0.5 * np.log(right / wrong))
    assert run.history["Z"][0] == pytest.approx(silent + 2 * np.sqrt(right * wrong))
    assert run.history["epsilon"][0] == pytest.approx(wrong + silent / 2)
    never_wrong = played(RealAdaBoost(), sample, 1, Given([1, 1, 1, 0, 0, -1, -1, 0]))
    assert never_wrong.history["alpha"][0] == pytest.approx(
        0.5 * np.log((5 / 8 + 1 / 16) / (1 / 16))
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1e-3, 1.0, 50.0]))
def test_the_vote_of_real_answers_makes_Z_least(seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], 20)
    y[:2] = [-1, 1]
    h = rng.normal(size=20) * scale
    h[:2] = scale  # one right, one wrong: the best vote is finite
    sample = sample_of(np.arange(20.0)[:, None], y)
    booster = RealAdaBoost()
    state, done = booster.round(sample, Given(h).bind(sample), booster.begin(sample))
    alpha = done.metrics["alpha"]
    assert state.D.array @ (y * h) == pytest.approx(0, abs=1e-9 * scale)
    assert done.metrics["Z"] == pytest.approx(np.mean(np.exp(-alpha * y * h)), rel=1e-9)
    for other in (0.99 * alpha, 1.01 * alpha):
        assert np.mean(np.exp(-other * y * h)) >= done.metrics["Z"] - 1e-12


def test_bounded_answers_have_a_vote_in_closed_form() -> None:
    rng = np.random.default_rng(3)
    y = rng.choice([-1, 1], 50)
    h = np.clip(0.4 * y + rng.normal(size=50) * 0.5, -1, 1)
    sample = sample_of(np.arange(50.0)[:, None], y)
    run = played(RealAdaBoost(bounded=True), sample, 1, Given(h))
    r = np.mean(y * h)
    assert run.history["r"][0] == pytest.approx(r)
    assert run.history["alpha"][0] == pytest.approx(0.5 * np.log((1 + r) / (1 - r)))
    assert run.history["Z"][0] <= np.sqrt(1 - r * r)
    assert run.history["Z"][0] >= played(RealAdaBoost(), sample, 1, Given(h)).history["Z"][0]


@pytest.mark.parametrize("odd", [-1.0, 0.0, np.nextafter(1, 0)])
@pytest.mark.parametrize("side", [1, -1])
def test_a_correlation_that_rounds_to_one_keeps_its_vote(odd: float, side: int) -> None:
    """One example of hardly any weight is not right, or not fully: r is 1 but for rounding."""
    y = np.where(np.arange(12) % 2 == 0, 1, -1)
    h = np.append(y[:-2], [0.5 * y[-2], odd * y[-1]]) * side
    w = np.append(np.ones(10), [1e-40, 1e-40])
    sample = sample_of(np.arange(12.0)[:, None], y, w)
    booster = RealAdaBoost(bounded=True, on_perfect="smooth")
    game = played(booster, sample, 1, Given(h))
    half = w @ (1 - side * y * h) / 2 / w.sum()
    alpha = 0.5 * np.log((1 - half) / half)
    assert game.history["alpha"][0] == pytest.approx(side * alpha)
    assert 0 < game.history["Z"][0] < 1e-15


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e200, 1e290])
@pytest.mark.parametrize("on_perfect", ["stop", "smooth"])
def test_answers_of_any_size(size: float, on_perfect: str) -> None:
    y = np.where(np.arange(12) % 2 == 0, 1, -1)
    sample = sample_of(np.arange(12.0)[:, None], y)
    for h in (y, np.append(y[:-1], 0), np.append(y[:-1], -y[-1] * 0.5)):
        game = played(RealAdaBoost(on_perfect=on_perfect), sample, 1, Given(h * size))
        assert np.isfinite(game.history["Z"][0])
        if size > 1e-300:
            assert (y * game.state.ensemble(sample))[:-1].min() > 0


def test_a_contrary_hypothesis_gets_a_negative_vote() -> None:
    X, y = noisy(1)
    sample = sample_of(X, y)
    for h in (np.where(X[:, 0] + X[:, 1] > 7, 1.0, -1.0), y * 0.3 + (X[:, 2] - 3.5)):
        ahead, back = (played(RealAdaBoost(), sample, 1, Given(s * h)) for s in (1, -1))
        assert back.history["alpha"][0] == pytest.approx(-ahead.history["alpha"][0])
        assert back.history["Z"][0] == pytest.approx(ahead.history["Z"][0])


def test_how_a_run_ends() -> None:
    y = np.array([-1, -1, 1, 1])
    sample = sample_of(np.arange(4.0)[:, None], y)
    won = played(RealAdaBoost(), sample, 9, LeastZ())
    assert (won.stop, len(won.history), won.history["alpha"][0]) == (Stop.PERFECT, 1, np.inf)
    assert won.state.ensemble(sample) == pytest.approx(0.5 * np.log(5) * y)  # (1/2 + 1/8)/(1/8)
    lost = played(RealAdaBoost(), sample, 9, Given(-0.3 * y))
    assert (lost.stop, lost.history["alpha"][0]) == (Stop.PERFECT, -np.inf)
    assert lost.state.ensemble(sample) == pytest.approx(0.3 * y)
    for nothing in (np.zeros(4), np.array([1.0, 1, 1, 1])):
        none = played(RealAdaBoost(), sample, 9, Given(nothing))
        assert (none.stop, len(none.state.ensemble)) == (Stop.NO_EDGE, 0)
    silent = played(RealAdaBoost(), sample, 3, Given([0, 0, 1.5, 0.5]))  # right, where it speaks
    assert 20 < silent.history["alpha"][0] < 200  # as far as there is anything to gain
    assert silent.stop is Stop.NO_EDGE


def test_shrinkage_and_many_rounds_stay_finite() -> None:
    X, y = noisy(5)
    sample = sample_of(X, y)
    run = played(RealAdaBoost(0.5), sample, 40, LeastZ())
    assert run.history["alpha"].tolist() == [0.5] * 40
    assert (run.history["Z"] < 1).all()
    far = played(
        RealAdaBoost(), sample, 40, Given(300.0 * np.where(X[:, 0] + X[:, 1] > 7, 1.0, -1))
    )
    assert np.isfinite(far.state.D.array).all()


def test_abstaining_counts_for_neither_side_of_a_vote() -> None:
    sample = sample_of(np.arange(4.0)[:, None], np.array([-1, -1, 1, 1]))
    spoken, silent = (
        best_vote(sample, np.array([least, 0.5, 0.7, 0.6]), np.mean, smooth=True)
        for least in (0.01, 0.0)
    )
    assert silent == pytest.approx(spoken, rel=0.1)
