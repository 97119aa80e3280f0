"""FilterBoost: filter, estimates and games on finite sets; the guarantee; AdaBoost.L."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.boosters.binary import played
from tests.boosters.given import Pool, Row, noisy
from tests.boosters.promises import problems
from tests.samples import sample_of
from weaklearn import FilterBoostClassifier
from weaklearn.base import Stop
from weaklearn.base.numeric.weighted_draws import WeightedDraws, duplicate_groups
from weaklearn.boosters import AdaBoostL, FilterBoost
from weaklearn.boosters.filterboost import waits
from weaklearn.boosters.parts.filtering import EdgeEstimate, Passed, Sieve, delta_of, draw_limits
from weaklearn.learners import StumpLearner
from weaklearn.theory import bounds


class Listed:
    """Examples that were waited for as long as is listed."""

    def __init__(self, *batches: tuple[list[int], int]) -> None:
        self.batches = list(batches)
        self.returned: list[int] = []

    def more(self) -> Passed | None:
        if not self.batches:
            return None
        times, idle = self.batches.pop(0)
        return Passed(Some(len(times)), np.array(times, np.int64), idle)

    def unused(self, n: int) -> None:
        self.returned.append(n)

    def learn(self, runs: Any) -> Any:
        raise NotImplementedError


class Some:
    def __init__(self, n: int) -> None:
        self.n = n

    def __len__(self) -> int:
        return self.n

    def part(self, first: int, last: int | None) -> Some:
        return Some(len(range(self.n)[first:last]))


def limit(r: int, epsilon: float = 0.5, delta_t: float = 0.1) -> int:
    return int(draw_limits(r, 1, epsilon, delta_t)[0])


# ----------------------------------------------------------------------------------------- filter


@pytest.mark.parametrize(("t", "r", "eps"), [(1, 1, 0.1), (3, 7, 0.1), (1, 1, 0.05), (3, 7, 0.05)])
def test_limits_are_those_of_the_theory(t: int, r: int, eps: float) -> None:
    expected = bounds.filterboost_draw_limit(t=t, r=r, eps=eps, delta=0.05)
    assert limit(r, eps, delta_of(0.05, t)) == expected


def test_a_call_that_waits_too_long_is_the_end() -> None:
    at_limit = [limit(1), limit(2), limit(3)]
    sieve = Sieve(Listed((at_limit, 0), ([limit(4) + 1, 1], 0)), 0.5, 0.1)
    first = sieve.next()
    assert first is not None
    assert len(first.run) == 3
    assert sieve.stop is None
    last = sieve.next()
    assert last is not None
    assert (len(last.run), sieve.stop) == (0, Stop.DRY)
    assert sieve.next() is None


def test_a_call_may_last_over_several_batches() -> None:
    half = limit(1) // 2
    sieve = Sieve(Listed(([], half), ([], half - 1), ([limit(1) - 2 * half + 1, 2], 0)), 0.5, 0.1)
    assert [len(sieve.next().run) for _ in range(3)] == [0, 0, 2]  # type: ignore[union-attr]
    assert sieve.stop is None
    assert sieve.draws == limit(1) + 2
    dry = Sieve(Listed(([1], half), ([], limit(2) - half), ([1], 0)), 0.5, 0.1)
    assert [len(dry.next().run) for _ in range(2)] == [1, 0]  # type: ignore[union-attr]
    assert dry.stop is Stop.DRY


def test_an_oracle_without_examples_is_told_apart_from_a_dry_filter() -> None:
    sieve = Sieve(Listed(([1, 1], 0)), 0.5, 0.1)
    assert sieve.next() is not None
    assert sieve.next() is None
    assert sieve.stop is Stop.SPENT


def test_what_was_not_used_was_not_drawn() -> None:
    source = Listed(([3, 4, 5], 6))
    sieve = Sieve(source, 0.1, 0.1)
    passed = sieve.next()
    assert passed is not None
    sieve.done(passed, 2)
    assert sieve.draws == 7
    assert source.returned == [11]


# --------------------------------------------------------------------------------------- estimates


@pytest.mark.parametrize("tau", [0.25, 0.9])
@pytest.mark.parametrize("pieces", [1, 100])
def test_an_estimate_ends_where_the_definition_says(tau: float, pieces: int) -> None:
    sides = np.where(np.random.default_rng(5).random(20000) < 0.75, 1, -1)
    estimate = EdgeEstimate(tau, 0.01, 10**6)
    taken = 0
    while estimate.g is None:
        taken += estimate.look(sides[taken : taken + pieces])
    n = np.arange(1, 20001)
    u = np.cumsum(sides > 0) / n - 0.5
    known = np.abs(u) >= np.sqrt(np.log(n * (n + 1) / 0.01) / (2 * n)) * (1 + 1 / tau)
    first = int(np.argmax(known))
    assert (taken, estimate.n) == (first + 1, first + 1)
    assert estimate.u == pytest.approx(u[first])
    assert estimate.g == pytest.approx(u[first] / (1 + tau))


def test_silence_is_half_right_and_no_edge_is_none() -> None:
    estimate = EdgeEstimate(0.5, 0.1, 500)
    assert estimate.look(np.zeros(2000)) == 500
    assert (estimate.g, estimate.u) == (0.0, 0.0)
    negative = EdgeEstimate(0.5, 0.1, 10**6)
    negative.look(-np.ones(10**4))
    assert negative.g == -0.5 / 1.5


def test_waits_are_geometric() -> None:
    chance = (np.arange(100000) + 0.5) / 100000
    times = waits(0.2, chance)
    for n in (1, 2, 5, 20):
        assert np.mean(times > n) == pytest.approx(0.8**n, abs=2e-5)
    assert waits(1.0, chance[:3]).tolist() == [1, 1, 1]
    assert waits(1e-300, chance[-1:])[0] > 10**17


def test_weighted_draws_follow_the_distribution() -> None:
    sample = sample_of(np.arange(6.0)[:, None], np.array([1, -1, 1, 1, -1, 1]), [1, 2, 3, 4, 5, 6])
    draws = WeightedDraws.of(duplicate_groups(sample), sample.prior)
    drawn = np.bincount(draws.draw(60000, 1, 2), minlength=6) / 60000
    assert drawn == pytest.approx(np.arange(1, 7) / 21, abs=0.01)
    parts = [draws.draw(10, 1, 2, first) for first in (0, 10)]
    assert np.concatenate(parts).tolist() == draws.draw(20, 1, 2).tolist()


# ------------------------------------------------------------------------------------------- games


@settings(max_examples=25, deadline=None)
@given(problems())
def test_exact_edges_make_it_adaboost_l(problem: Any) -> None:
    sample = sample_of(*problem)
    exact, logistic = (played(b, sample, 10) for b in (FilterBoost(exact=True), AdaBoostL()))
    assert exact.stop == logistic.stop
    assert exact.state.ensemble.members == logistic.state.ensemble.members
    for name in ("epsilon", "gamma", "alpha", "Z", "train_error", "margin_min"):
        ours, theirs = exact.history[name], logistic.history[name]
        assert ours == pytest.approx(theirs, rel=1e-7, abs=1e-9)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.3, 0.8]))
def test_estimates_lie_where_they_should(seed: int, tau: float) -> None:
    sample = sample_of(*noisy(seed, 50))
    booster = FilterBoost(delta=1e-3, tau=tau, n_samples=60, n_edge=20000, seed=seed)
    outcome = played(booster, sample, 4)
    for gamma, g in zip(outcome.history["gamma"], outcome.history["edge"], strict=True):
        if g != 0:  # known before the limit
            floor = bounds.filterboost_edge_floor(gamma=abs(gamma), tau=tau)
            assert floor <= abs(g) <= abs(gamma)
            assert np.sign(g) == np.sign(gamma)


def test_a_round_as_it_is_recorded() -> None:
    X, y = noisy(7)
    sample = sample_of(X, y)
    booster = FilterBoost(n_samples=100, seed=3)
    state: Any = booster.begin(sample)
    F = np.zeros(len(y))
    for _ in range(3):
        w = 1 / (1 + np.exp(y * F))
        assert state.D.array == pytest.approx(w / w.sum())
        state, done = booster.round(sample, StumpLearner().bind(sample), state)
        h, g = state.ensemble.members[-1](sample), done.metrics["edge"]
        assert done.metrics["epsilon"] == pytest.approx((w @ (h != y)) / w.sum())
        assert done.metrics["alpha"] == pytest.approx(0.5 * np.log((0.5 + g) / (0.5 - g)))
        share = w.mean()  # of the draws pass
        assert done.metrics["passed"] / done.metrics["draws"] == pytest.approx(share, rel=0.2)
        F = F + done.metrics["alpha"] * h


def test_seeds_draw_differently_and_the_same_again() -> None:
    X, y = noisy(3)
    fits = [
        FilterBoostClassifier(n_estimators=3, n_samples=50, random_state=s).fit(X, y)
        for s in (0, 0, 1)
    ]
    prints = [model.fingerprint() for model in fits]
    alphas = [model.history_["alpha"].tolist() for model in fits]
    assert prints[0] == prints[1]
    assert alphas[0] != alphas[2]


def test_the_filter_runs_dry_where_little_is_wrong() -> None:
    X, y = np.arange(40.0)[:, None], np.repeat([-1, 1], 20)
    model = FilterBoostClassifier(epsilon=0.3, n_samples=100).fit(X, y)
    assert model.stop_reason_ == Stop.DRY
    assert model.n_iter_ == len(model.history_) - 1 > 0
    assert model.score(X, y) == 1
    error, rounds = model.certify(X, y).training
    assert error.holds
    assert error.bound == 0.3
    assert rounds.holds
    assert rounds.observed == 1
    booster, sample = FilterBoost(epsilon=0.3, n_samples=100), sample_of(X, y)
    outcome = played(booster, sample, 200)
    _, again = booster.round(sample, StumpLearner().bind(sample), outcome.state)
    assert (outcome.stop, again.stop) == (Stop.DRY, Stop.DRY)


def test_coins_end_the_run_at_the_limit() -> None:
    y = np.array([1, -1, 1, -1])
    sample = sample_of(np.zeros((4, 1)), y)
    outcome = played(FilterBoost(n_edge=2000), sample, 5, Row([1, 1, -1, -1]))
    assert (outcome.stop, len(outcome.state.ensemble)) == (Stop.NO_EDGE, 0)
    assert outcome.history["passed"].tolist() == [3000.0]


def test_what_is_always_wrong_gets_a_negative_vote() -> None:
    y = np.array([1, -1, 1, -1])
    sample = sample_of(np.arange(4.0)[:, None], y)
    outcome = played(FilterBoost(), sample, 2, Pool([-y]))
    assert (outcome.state.ensemble.votes < 0).all()
    assert outcome.history["train_error"].tolist() == [0.0, 0.0]


def test_certificates_that_do_not_apply() -> None:
    X, y = noisy(9)
    model = FilterBoostClassifier(n_estimators=2).fit(X, y)
    dry, rounds = model.certify(X, y).training
    assert "not run dry" in dry.note
    assert "rounds or more, and 2 were run" in rounds.note
    weighted = FilterBoostClassifier(n_estimators=2).fit(X, y, np.linspace(0.5, 1.5, len(y)))
    assert "weights were given" in weighted.certify()[1].note


@pytest.mark.parametrize("name", ["epsilon", "delta", "tau"])
@pytest.mark.parametrize("value", [0, 1, -0.1, float("nan")])
def test_shares_must_be_shares(name: str, value: Any) -> None:
    words = f"{name}={value} is not allowed: it must be a number above 0 and below 1"
    with pytest.raises(ValueError, match=words):
        FilterBoostClassifier(**{name: value}).fit(*noisy(0))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n_samples": 0}, "n_samples=0 is not allowed: it must be a whole number of at least 1"),
        ({"n_edge": 0}, "n_edge=0 is not allowed"),
        ({"n_samples": 2.5}, "n_samples=2.5 is not allowed"),
        ({"learning_rate": 0.1}, "learning_rate=0.1 is not allowed: votes follow from"),
    ],
)
def test_impossible_parameters(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        FilterBoostClassifier(**given).fit(*noisy(0))
    with pytest.raises(TypeError, match="exact=1 is not allowed"):
        FilterBoostClassifier(exact=1).fit(*noisy(0))


def test_the_link_is_the_logistic_one() -> None:
    X, y = noisy(5)
    model = FilterBoostClassifier(n_estimators=4).fit(X, y)
    F = model.decision_function(X)
    assert model.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-F)))
