"""ERLPBoost: the weights of least regularised correlation, its stop, and the rounds it needs."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.boosters.binary import noisy, played
from tests.boosters.corrective import best_of_all, check_round, rounds, sides
from tests.boosters.promises import LEARNERS, problems, quietly, shares
from tests.reference import soft_margin as reference
from tests.samples import sample_of
from weaklearn import ERLPBoostClassifier, datasets
from weaklearn.base.booster import Stop
from weaklearn.boosters import ERLPBoost
from weaklearn.theory.bounds import erlpboost_rounds


@settings(deadline=None, max_examples=30)
@given(problems(), st.sampled_from([None, 0.15, 0.5, 1.0]), st.sampled_from([0.01, 0.1]))
def test_every_round_follows_the_definition(
    problem: tuple[Any, Any, Any], nu: float | None, delta: float
) -> None:
    X, y, w = problem
    sample = sample_of(X, y, w)
    share = shares(len(y), w)
    used, upper, lower = nu, np.inf, -np.inf
    for t, (D, before, state, metrics, stop) in enumerate(rounds(ERLPBoost(nu, delta), sample, 10)):
        if len(state.ensemble) == 0:
            assert stop is Stop.NO_EDGE
            return
        if t == 0:
            used = min(1.0, max(1 - metrics["r"] if nu is None else nu, 1 / sample.m))
        assert used is not None
        eta = max(2 * log(1 / used) / delta, 0.5)
        charge = reference.entropy(D, share) / eta
        if t > 0:  # P_{t-1}(D_t), and D_t is as good as any mixture of it with others
            M = sides(sample, before.ensemble.members)
            assert (D @ M).max() + charge == pytest.approx(lower, abs=1e-6)
            for other in (share, before.vote.D[before.patterns.place]):
                mixed = 0.9 * D + 0.1 * other / other.sum()
                if (mixed <= share / used + 1e-12).all():
                    P = (mixed @ M).max() + reference.entropy(mixed, share) / eta
                    assert lower - 1e-6 <= P
        check_round(sample, w, used, D, state, metrics)
        upper = min(upper, max(metrics["r"] + charge, lower))
        assert metrics["upper"] == pytest.approx(upper, abs=1e-6)
        if stop is not None:
            assert stop is Stop.OPTIMAL
            assert upper - lower <= delta / 2 + 1e-6
            best = best_of_all(X, y, w, used)
            assert best - delta - 1e-6 <= metrics["value"] <= best + 1e-6
        lower = metrics["lower"]


@settings(deadline=None, max_examples=15)
@given(problems(), st.sampled_from([0.2, 0.6]))
def test_the_soft_margin_is_within_delta_of_the_best_in_time(
    problem: tuple[Any, Any, Any], nu: float
) -> None:
    X, y, w = problem
    sample = sample_of(X, y, w)
    used, delta = min(1.0, max(nu, 1 / sample.m)), 0.2
    done = played(ERLPBoost(nu, delta), sample, int(erlpboost_rounds(used, delta)))
    if done.stop is Stop.NO_EDGE:
        return
    assert done.stop is Stop.OPTIMAL
    assert done.history["value"][-1] >= best_of_all(X, y, w, used) - delta - 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_slsqp_finds_no_better_weights(seed: int) -> None:
    X, y = noisy(seed, 10)
    sample = sample_of(X, y)
    share, nu, delta = np.full(10, 0.1), 0.4, 0.4
    eta = 2 * log(1 / nu) / delta
    for t, (D, before, _, _, _) in enumerate(rounds(ERLPBoost(nu, delta), sample, 5)):
        if t > 0:
            M = sides(sample, before.ensemble.members)
            best = reference.least(
                lambda v: v[-1] + reference.entropy(v[:-1], share) / eta, M, share, nu
            )
            mine = (D @ M).max() + reference.entropy(D, share) / eta
            assert mine <= best + 1e-6


def test_the_ten_points_have_a_margin_of_one_third() -> None:
    X, y = datasets.toy()
    model = ERLPBoostClassifier(nu="hard").fit(X, y)
    assert model.margins(X, y).min() == pytest.approx(1 / 3, abs=1e-9)
    assert model.history_["cap"][0] == 1


@pytest.mark.parametrize("learner", LEARNERS[1:], ids=lambda learner: type(learner).__name__)
def test_any_learner_gets_its_best_votes(learner: Any) -> None:
    X, y = noisy(7, 24, 3)
    model = quietly(lambda: ERLPBoostClassifier(learner, n_estimators=10, nu=0.4).fit(X, y))
    for certificate in model.certify(X, y):
        assert certificate.holds is not False, str(certificate)


def test_warm_starts_go_on_to_the_same_bits() -> None:
    X, y = noisy(9, 40, 3)
    y3 = np.where(X[:, 0] > 4, 2, y)
    for labels in (y, y3):
        straight = ERLPBoostClassifier(n_estimators=8).fit(X, labels)
        halted = ERLPBoostClassifier(n_estimators=3, warm_start=True).fit(X, labels)
        halted.set_params(n_estimators=8).fit(X, labels)
        assert halted.history_ == straight.history_
        assert halted.estimator_weights_.tolist() == straight.estimator_weights_.tolist()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"nu": 1.2}, r"nu=1.2 .*at most 1"),
        ({"nu": 0.01}, r"nu=0.01 .*at least 1/10 = 0.1"),
        ({"accuracy": 0.0}, r"accuracy=0.0 .*above 0"),
        ({"accuracy": 1.5}, r"accuracy=1.5 .*at most 1"),
        ({"learning_rate": 0.1}, r"learning_rate=0.1 .*it must be 1"),
    ],
)
def test_impossible_parameters_are_refused(given: dict[str, Any], words: str) -> None:
    X, y = datasets.toy()
    with pytest.raises(ValueError, match=words):
        ERLPBoostClassifier(**given).fit(X, y)
