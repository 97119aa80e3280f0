"""LPBoost beside the linear program over all stumps, and what totally corrective games owe."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.boosters.binary import noisy, played
from tests.boosters.corrective import best_of_all, check_round, rounds, sides
from tests.boosters.promises import LEARNERS, problems, quietly, shares
from tests.golden import load
from tests.reference import soft_margin as reference
from tests.reference.votes import Picking, largest
from tests.samples import sample_of
from weaklearn import BoostingWarning, LPBoostClassifier, datasets
from weaklearn.base.booster import Stop
from weaklearn.boosters import AdaBoost, AdaBoostStar, LPBoost
from weaklearn.boosters.parts import interior_point as interior_module
from weaklearn.boosters.parts.totally_corrective import Corrective
from weaklearn.theory.games import game_value


def test_the_ten_points_have_a_margin_of_one_third() -> None:
    golden = load("toy_adaboost")[0]["expected"]["optimal_min_margin_over_all_stumps_lp"]
    X, y = datasets.toy()
    sample = sample_of(X, y)
    for nu in (0.0, 0.1):  # 1/m is the least
        run = played(LPBoost(nu), sample, 50)
        assert run.stop is Stop.OPTIMAL
        for metric in ("value", "margin_min", "dual"):
            assert run.history[metric][-1] == pytest.approx(1 / 3, abs=1e-10)
            assert run.history[metric][-1] == pytest.approx(golden, abs=1e-10)
        assert run.history["gap"][-1] <= 1e-6


@settings(deadline=None, max_examples=40)
@given(problems(), st.sampled_from([None, 0.0, 0.2, 0.5, 0.9, 1.0]))
def test_every_round_has_the_best_votes_and_the_hardest_weights(
    problem: tuple[Any, Any, Any], nu: float | None
) -> None:
    X, y, w = problem
    sample = sample_of(X, y, w)
    used = nu
    for t, (D, before, state, metrics, stop) in enumerate(rounds(LPBoost(nu), sample, 12)):
        if len(state.ensemble) == 0:
            assert abs(metrics["r"]) < 1e-9
            assert stop is Stop.NO_EDGE
            return
        if t == 0:
            used = min(1.0, max(1 - metrics["r"] if nu is None else nu, 1 / sample.m))
        assert used is not None
        check_round(sample, w, used, D, state, metrics)
        if t > 0:  # D is the hardest for the members before
            M = sides(sample, before.ensemble.members)
            assert (D @ M).max() == pytest.approx(before.vote.dual, abs=1e-6)
        if stop is not None:
            assert stop is Stop.OPTIMAL
            assert metrics["r"] <= metrics["dual"] + 1e-6
            assert metrics["value"] == pytest.approx(best_of_all(X, y, w, used), abs=1e-5)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000), st.sampled_from([0.2, 0.4]))
def test_at_the_end_margin_errors_weigh_as_much_as_they_may(seed: int, nu: float) -> None:
    X, y = noisy(seed, 20)
    sample = sample_of(X, y)
    *_, (D, _before, state, metrics, stop) = rounds(LPBoost(nu), sample, 100)
    assert stop is Stop.OPTIMAL
    margins = sides(sample, state.ensemble.members) @ state.ensemble.votes
    cap = 1 / (nu * sample.m)
    np.testing.assert_allclose(D[margins < metrics["rho"] - 1e-6], cap, atol=1e-5)
    np.testing.assert_allclose(D[margins > metrics["rho"] + 1e-6], 0, atol=1e-5)
    assert np.mean(margins < metrics["rho"] - 1e-6) <= nu


@pytest.mark.parametrize("seed", range(3))
def test_no_other_booster_has_a_larger_smallest_margin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, size=(14, 3)).astype(float)
    y = np.where(X[:, 0] + X[:, 1] + 0.1 * X[:, 2] > 4.2, 1, -1)
    y[:2] = [-1, 1]
    sample = sample_of(X, y)
    best = played(LPBoost(0.0), sample, 200)
    assert best.stop is Stop.OPTIMAL
    for other in (AdaBoost(), AdaBoostStar()):
        margin = played(other, sample, 60).history["margin_min"]
        assert margin.max() <= best.history["margin_min"][-1] + 1e-6


def test_a_pool_s_game_is_played_to_its_value() -> None:
    rng = np.random.default_rng(4)
    y = np.array([-1, 1] * 8)
    H = rng.choice([-1, 0, 1], size=(16, 9), p=[0.3, 0.1, 0.6]) * y[:, None]
    H = np.column_stack([H, -H])
    sample = sample_of(np.arange(16.0)[:, None], y)
    run = played(LPBoost(0.0), sample, 50, Picking(H, largest))
    assert run.stop is Stop.OPTIMAL
    value = game_value(y[:, None] * H)
    assert run.history["value"][-1] == pytest.approx(value, abs=1e-6)


def test_nu_of_one_leaves_the_weights_as_they_are() -> None:
    X, y = noisy(2, 25)
    sample = sample_of(X, y)
    run = played(LPBoost(1.0), sample, 10)
    assert (run.stop, len(run.state.ensemble), len(run.history)) == (Stop.OPTIMAL, 1, 2)
    np.testing.assert_allclose(run.state.D.array, 1 / 25)
    assert run.history["value"][0] == pytest.approx(run.history["r"][0])


def test_one_row_and_one_class() -> None:
    for y in ([1], [1, 1, 1]):
        X = np.arange(float(len(y)))[:, None]
        run = played(LPBoost(), sample_of(X, y), 5)
        assert run.stop is Stop.OPTIMAL
        assert run.history["value"][-1] == 1


def test_auto_keeps_the_majority_where_nothing_tells_rows_apart() -> None:
    X, y = np.zeros((10, 1)), np.array([1] * 6 + [-1] * 4)
    run = played(LPBoost(), sample_of(X, y), 5)
    assert run.stop is Stop.OPTIMAL
    assert len(run.state.ensemble) == 1
    assert run.history["train_error"][-1] == 0.4
    assert run.history["cap"][-1] == pytest.approx(1 / (0.8 * 10))


def test_a_learner_worse_than_chance_ends_the_run() -> None:
    y = np.array([-1, 1, 1, -1, 1])
    sample = sample_of(np.arange(5.0)[:, None], y)
    wrong = Picking((-y * np.array([1, 1, 1, 1, -1]))[:, None], largest)
    run = played(LPBoost(), sample, 5, wrong)
    assert (run.stop, len(run.state.ensemble)) == (Stop.WORSE, 0)


# ---------------------------------------------------------------------------- the shared machinery


def test_a_program_that_is_not_solved_says_so_and_keeps_a_vote(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, y = noisy(5, 30, 3)
    straight = LPBoostClassifier(nu=0.3, n_estimators=3).fit(X, y)
    monkeypatch.setattr(interior_module, "_STEPS", 1)
    with pytest.warns(BoostingWarning, match=r"linear program of round \d+ was not solved.*kept"):
        model = LPBoostClassifier(nu=0.3, n_estimators=3).fit(X, y)
    values = model.history_["value"]
    assert model.estimator_weights_.sum() == 1
    assert model.estimator_weights_.min() >= 0
    assert (np.diff(values) >= 0).all()  # never worse than the vote before
    assert values[0] == straight.history_["value"][0]
    told = {c.id: c for c in model.certify(X, y)}
    assert told["lp-dual"].holds is False


@pytest.mark.parametrize("learner", LEARNERS[1:], ids=lambda learner: type(learner).__name__)
def test_any_learner_gets_its_best_votes(learner: Any) -> None:
    X, y = noisy(7, 24, 3)
    model = quietly(lambda: LPBoostClassifier(learner, n_estimators=12, nu=0.4).fit(X, y))
    sample = sample_of(X, y)
    if model.n_iter_ == 0:
        return
    members = model.ensemble_.members
    margins = sides(sample, members) @ model.ensemble_.votes
    value, _ = reference.hardest(sides(sample, members), shares(24, None), 0.4)
    assert reference.soft_margin(margins, shares(24, None), 0.4) == pytest.approx(value, abs=1e-6)
    for certificate in model.certify(X, y):
        assert certificate.holds is not False, str(certificate)


def test_replay_is_refused() -> None:
    X, y = datasets.toy()
    sample = sample_of(X, y)
    booster = LPBoost()
    assert isinstance(booster, Corrective)
    with pytest.raises(TypeError, match="use resume"):
        booster.replay(sample, booster.begin(sample), 1.0, object())  # type: ignore[arg-type]


@pytest.mark.parametrize("nu", ["auto", "hard", 0.4])
def test_warm_starts_go_on_to_the_same_bits(nu: Any) -> None:
    X, y = noisy(9, 40, 3)
    y3 = np.where(X[:, 0] > 4, 2, y)
    for labels in (y, y3):
        straight = LPBoostClassifier(nu=nu, n_estimators=8).fit(X, labels)
        halted = LPBoostClassifier(nu=nu, n_estimators=3, warm_start=True).fit(X, labels)
        halted.set_params(n_estimators=8).fit(X, labels)
        assert halted.n_iter_ == straight.n_iter_
        assert halted.estimator_weights_.tolist() == straight.estimator_weights_.tolist()
        assert halted.history_ == straight.history_


def test_stages_have_the_votes_of_their_time() -> None:
    X, y = noisy(1, 40, 3)
    model = LPBoostClassifier(n_estimators=6).fit(X, y)
    for t, F in enumerate(model.staged_decision_function(X), start=1):
        short = LPBoostClassifier(n_estimators=t).fit(X, y)
        assert F.tolist() == short.decision_function(X).tolist()


# ------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("nu", [0, -0.1, 1.5, float("nan"), "soft", None, True, [0.5], 2**70])
def test_nu_is_refused_by_name_with_its_range(nu: Any) -> None:
    X, y = datasets.toy()
    with pytest.raises((ValueError, TypeError), match=r"nu=.*above 0 and at most 1, 'auto' or"):
        LPBoostClassifier(nu=nu).fit(X, y)


def test_nu_below_one_example_is_refused_with_the_least() -> None:
    X, y = datasets.toy()
    with pytest.raises(ValueError, match=r"nu=0.05 .*10 examples.*at least 1/10 = 0.1"):
        LPBoostClassifier(nu=0.05).fit(X, y)
    assert LPBoostClassifier(nu=0.05).fit(X, y, np.full(10, 2)).n_iter_ > 1  # twenty examples
    assert LPBoostClassifier(nu=1 / 10).fit(X, y).history_["cap"][0] == 1


@pytest.mark.parametrize("accuracy", [0, -1.0, 2.0, "much", None])
def test_accuracy_is_refused(accuracy: Any) -> None:
    X, y = datasets.toy()
    with pytest.raises((ValueError, TypeError), match=r"accuracy=.*above 0 and at most 1"):
        LPBoostClassifier(accuracy=accuracy).fit(X, y)


def test_a_learning_rate_is_refused() -> None:
    X, y = datasets.toy()
    with pytest.raises(ValueError, match=r"learning_rate=0.5.*linear program; it must be 1"):
        LPBoostClassifier(learning_rate=0.5).fit(X, y)


def test_a_hard_margin_on_wrong_labels_is_warned_of() -> None:
    rng = np.random.default_rng(0)
    X = np.repeat(rng.random((30, 2)), 2, axis=0)  # every row twice, once with a wrong label
    y = np.where(X[:, 0] > 0.5, 1, -1)
    y[:6:2] *= -1
    with pytest.warns(BoostingWarning, match="no vote of the .* rules has a soft margin above 0"):
        model = LPBoostClassifier(nu="hard").fit(X, y)
    assert model.history_["value"][-1] <= 1e-6


@pytest.mark.parametrize("nu", ["auto", "hard"])
def test_clean_labels_are_not_warned_of(nu: str, recwarn: Any) -> None:
    LPBoostClassifier(nu=nu).fit(*datasets.toy())
    assert not recwarn.list
