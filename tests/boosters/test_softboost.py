"""SoftBoost and TotalBoost: nearest weights that all hypotheses fail, and the rounds they need."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.boosters.binary import noisy, played
from tests.boosters.corrective import best_of_all, check_round, rounds, sides
from tests.boosters.promises import LEARNERS, problems, quietly, shares
from tests.reference import soft_margin as reference
from tests.reference.votes import all_stumps
from tests.samples import sample_of
from weaklearn import SoftBoostClassifier, TotalBoostClassifier, datasets
from weaklearn.base.booster import Stop
from weaklearn.boosters import SoftBoost, TotalBoost
from weaklearn.learners import StumpLearner
from weaklearn.theory.bounds import softboost_rounds
from weaklearn.theory.games import game_value


@settings(deadline=None, max_examples=30)
@given(problems(), st.sampled_from([None, 0.15, 0.5, 1.0]), st.sampled_from([0.02, 0.1]))
def test_every_round_has_the_nearest_weights_that_all_members_fail(
    problem: tuple[Any, Any, Any], nu: float | None, delta: float
) -> None:
    X, y, w = problem
    sample = sample_of(X, y, w)
    share = shares(len(y), w)
    used, least, earlier = nu, 1.0, 0.0
    for t, (D, before, state, metrics, stop) in enumerate(rounds(SoftBoost(nu, delta), sample, 10)):
        if len(state.ensemble) == 0:
            assert stop is Stop.NO_EDGE
            return
        if t == 0:
            used = min(1.0, max(1 - metrics["r"] if nu is None else nu, 1 / sample.m))
        else:  # D_t fails all members before by delta
            assert (D @ sides(sample, before.ensemble.members)).max() <= least - delta + 1e-6
            assert reference.entropy(D, share) >= earlier - 1e-6
        assert used is not None
        check_round(sample, w, used, D, state, metrics)
        least, earlier = min(least, metrics["r"]), reference.entropy(D, share)
        assert metrics["gap"] == pytest.approx(least - metrics["value"], abs=1e-9)
        assert (stop is Stop.OPTIMAL) == (metrics["value"] >= least - delta - 1e-6 * delta)


@settings(deadline=None, max_examples=20)
@given(problems(), st.sampled_from([0.2, 0.6]), st.sampled_from([0.1, 0.2]))
def test_the_soft_margin_is_within_delta_of_the_best_in_time(
    problem: tuple[Any, Any, Any], nu: float, delta: float
) -> None:
    X, y, w = problem
    sample = sample_of(X, y, w)
    enough = int(softboost_rounds(min(1.0, max(nu, 1 / sample.m)), delta))
    done = played(SoftBoost(nu, delta), sample, enough)
    if done.stop is Stop.NO_EDGE:
        return
    assert done.stop is Stop.OPTIMAL
    best = best_of_all(X, y, w, min(1.0, max(nu, 1 / sample.m)))
    assert best - delta - 1e-6 <= done.history["value"][-1] <= best + 1e-6
    assert done.history["gap"][-1] <= delta * (1 + 2e-6)


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_those_of_least_relative_entropy(seed: int) -> None:
    X, y = noisy(seed, 10)
    sample = sample_of(X, y)
    share, nu, delta = np.full(10, 0.1), 0.4, 0.05
    least = 1.0
    for t, (D, before, _, metrics, _) in enumerate(rounds(SoftBoost(nu, delta), sample, 5)):
        if t > 0:
            M = sides(sample, before.ensemble.members)
            best = reference.least(
                lambda v: reference.entropy(v[:-1], share), M, share, nu, least - delta
            )
            assert reference.entropy(D, share) == pytest.approx(best, abs=2e-4)
        least = min(least, metrics["r"])


# -------------------------------------------------------------------------------------- TotalBoost


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**5), st.sampled_from([0.05, 0.2]))
def test_the_smallest_margin_is_within_nu_of_the_best(seed: int, nu: float) -> None:
    X, y = noisy(seed)
    sample = sample_of(X, y)
    enough = int(softboost_rounds(1 / 12, nu))
    done = played(TotalBoost(nu), sample, enough)
    if done.stop is Stop.NO_EDGE:
        return
    assert done.stop is Stop.OPTIMAL
    best = game_value(y[:, None] * all_stumps(X))
    assert done.history["margin_min"][-1] >= best - nu - 1e-6
    assert done.history["margin_min"][-1] == pytest.approx(done.history["value"][-1])


def test_the_ten_points() -> None:
    X, y = datasets.toy()
    model = TotalBoostClassifier(nu=0.01).fit(X, y)
    assert model.margins(X, y).min() >= 1 / 3 - 0.01
    assert model.margins(X, y).min() == pytest.approx(1 / 3, abs=1e-9)
    soft = SoftBoostClassifier(nu="hard", accuracy=0.01).fit(X, y)
    assert soft.estimator_weights_.tolist() == model.estimator_weights_.tolist()


def test_whole_weights_do_not_move_the_smallest_margin() -> None:
    X, y = datasets.toy()
    copies = np.array([1, 5, 2, 1, 3, 1, 1, 9, 1, 2])
    sample = sample_of(X, y, copies)
    *_, (D, _, state, metrics, _) = rounds(TotalBoost(0.02), sample, 100)
    check_round(sample, copies, 1 / copies.sum(), D, state, metrics)
    assert metrics["margin_min"] == pytest.approx(1 / 3, abs=0.02)


@pytest.mark.parametrize("learner", LEARNERS[1:], ids=lambda learner: type(learner).__name__)
def test_any_learner_gets_its_best_votes(learner: Any) -> None:
    X, y = noisy(7, 24, 3)
    model = quietly(lambda: SoftBoostClassifier(learner, n_estimators=10, nu=0.4).fit(X, y))
    for certificate in model.certify(X, y):
        assert certificate.holds is not False, str(certificate)


@pytest.mark.parametrize("made", [SoftBoostClassifier, TotalBoostClassifier])
def test_warm_starts_go_on_to_the_same_bits(made: Any) -> None:
    X, y = noisy(9, 40, 3)
    straight = made(n_estimators=8).fit(X, y)
    halted = made(n_estimators=3, warm_start=True).fit(X, y).set_params(n_estimators=8).fit(X, y)
    assert halted.history_ == straight.history_
    assert halted.estimator_weights_.tolist() == straight.estimator_weights_.tolist()


def test_a_run_resumed_at_its_end_ends_again() -> None:
    X, y = datasets.toy()
    sample = sample_of(X, y)
    booster = SoftBoost(0.2, 0.05)
    done = played(booster, sample, 100)
    state = booster.resume(sample, done.state.ensemble, done.history)
    later, again = booster.round(sample, StumpLearner().bind(sample), state)
    assert (done.stop, again.stop) == (Stop.OPTIMAL, Stop.OPTIMAL)
    assert len(later.ensemble) == len(done.state.ensemble)
    assert again.metrics["value"] == done.history["value"][-1]


@pytest.mark.parametrize("nu", [0, -1, 1.5, "hard", None])
def test_the_accuracy_of_totalboost_is_refused(nu: Any) -> None:
    X, y = datasets.toy()
    with pytest.raises((ValueError, TypeError), match=r"nu=.*above 0 and at most 1"):
        TotalBoostClassifier(nu=nu).fit(X, y)


def test_parameters_of_softboost_are_refused() -> None:
    X, y = datasets.toy()
    with pytest.raises(ValueError, match=r"nu=0.01 .*at least 1/10 = 0.1"):
        SoftBoostClassifier(nu=0.01).fit(X, y)
    with pytest.raises(ValueError, match=r"accuracy=0 .*above 0"):
        SoftBoostClassifier(accuracy=0).fit(X, y)
    for made in (SoftBoostClassifier, TotalBoostClassifier):
        with pytest.raises(ValueError, match="it must be 1"):
            made(learning_rate=0.3).fit(X, y)
