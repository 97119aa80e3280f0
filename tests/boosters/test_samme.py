"""SAMME against its twin."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from tests.boosters.multiclass import labelled, outcome, problems, quietly, sides
from tests.golden import case
from tests.reference.adaboost import samme
from tests.samples import sample_of
from weaklearn import AdaBoostClassifier
from weaklearn.base import Stop
from weaklearn.boosters import AdaBoost, Samme
from weaklearn.learners.stump import StumpLearner

quick = settings(deadline=None, max_examples=50)
# Small random tables often hold nothing but constants.
pytestmark = pytest.mark.filterwarnings("ignore:every column of X is constant")


def model_of(T: int, **options: Any) -> AdaBoostClassifier:
    return AdaBoostClassifier(n_estimators=T, multiclass="samme", **options)


@quick
@given(problems())
def test_every_round_as_the_definition_has_it(problem: Any) -> None:
    X, codes, K, weights = problem
    exact = samme(X, codes, 8, K, D1=weights)
    watched = list(wl.rounds(model_of(8), X, codes, weights))
    assert len(watched) == len(exact["rounds"])
    for r, row in zip(watched, exact["rounds"], strict=True):
        assert r.D == pytest.approx(row["D"].astype(float), rel=1e-10)
        assert r.epsilon == pytest.approx(float(row["eps"]), abs=1e-12)
        assert r.alpha == pytest.approx(row["alpha"], rel=1e-9, abs=1e-11)
        if r.h is not None:
            assert sides(r.h.stump_) == outcome(row["stump"])
    model = quietly(lambda: model_of(8).fit(X, codes, weights))
    assert model.n_iter_ == len(exact["members"])
    assert model.decision_function(X) == pytest.approx(exact["F"], abs=1e-9)
    if len(exact["members"]):
        assert model.margins(X, codes) == pytest.approx(exact["margins"], abs=1e-9)


@quick
@given(problems())
def test_facts_of_every_round(problem: Any) -> None:
    X, codes, K, weights = problem
    watched = list(wl.rounds(model_of(6), X, codes, weights))
    for r, after in pairwise(watched):
        wrong = r.h.predict(X) != codes
        assert r.D.sum() == pytest.approx(1)
        assert r.epsilon < 1 - 1 / K
        assert r.alpha == pytest.approx(math.log((1 - r.epsilon) / r.epsilon) + math.log(K - 1))
        assert r.Z == pytest.approx(float(r.D @ np.where(wrong, math.exp(r.alpha), 1)))
        assert after.D == pytest.approx(r.D * np.where(wrong, math.exp(r.alpha), 1) / r.Z, rel=1e-9)
        # Afterwards the hypothesis is as good as a guess among K.
        assert after.D[wrong].sum() == pytest.approx(1 - 1 / K)


def test_two_classes_have_twice_adaboosts_votes() -> None:
    X, y = wl.datasets.toy()
    binary, classes = sample_of(X, y), labelled(X, (np.asarray(y) > 0).astype(int), 2)
    runs = []
    for sample, booster in ((binary, AdaBoost()), (classes, Samme())):
        learn, state = StumpLearner().bind(sample), booster.begin(sample)
        for _ in range(6):
            state, _ = booster.round(sample, learn, state)
        F = state.ensemble(sample)
        runs.append((state, F if F.ndim == 1 else (F[:, 1] - F[:, 0]) / 2))
    (one, F), (two, G) = runs
    assert two.ensemble.votes == pytest.approx(2 * one.ensemble.votes, rel=1e-12)
    assert two.D.array == pytest.approx(one.D.array, rel=1e-12)
    assert pytest.approx(F, rel=1e-12) == G


def test_it_goes_on_where_m1_stops() -> None:
    golden = case("multiclass_ranking", "adaboost_m1_112")["input"]
    X, y = np.array(golden["X"]), np.array(golden["labels"])
    model = model_of(5).fit(X, y)
    assert model.n_iter_ == 5
    assert model.history_["epsilon"][0] >= 0.5
    assert (model.estimator_weights_ > 0).all()


def test_auto_is_samme_for_other_learners_and_learns_iris() -> None:
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=1)
    a = AdaBoostClassifier(tree, n_estimators=30).fit(X, y)
    b = model_of(30).set_params(estimator=tree).fit(X, y)
    assert a.decision_function(X).tobytes() == b.decision_function(X).tobytes()
    assert a.score(X, y) > 0.94
    assert a.predict_proba(X).sum(axis=1) == pytest.approx(1)


def test_a_guess_ends_the_run() -> None:
    X, y = np.zeros((6, 1)), [0, 1, 2, 0, 1, 2]
    model = quietly(lambda: model_of(5).fit(X, y))
    assert (model.n_iter_, model.stop_reason_) == (0, str(Stop.NO_EDGE))
    assert model.history_["epsilon"][0] == pytest.approx(2 / 3)


def test_a_perfect_stump_is_kept_alone() -> None:
    X, y = [[0.0], [1.0], [np.nan]], ["a", "b", "c"]
    model = model_of(5).fit(X, y)
    assert (model.n_iter_, model.predict(X).tolist()) == (1, y)
    assert model.stop_reason_ == str(Stop.PERFECT)
