"""One game a class: two classes are one game played twice, and names do not matter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.datasets import load_iris

from tests.boosters.multiclass import problems, quietly
from tests.samples import sample_of
from weaklearn import AdaBoostClassifier, datasets
from weaklearn.base import Stop
from weaklearn.boosters import AdaBoost, OneVsRest
from weaklearn.learners.stump import StumpLearner

quick = settings(deadline=None, max_examples=25)
# Small random tables often hold nothing but constants.
pytestmark = pytest.mark.filterwarnings("ignore:every column of X is constant")


def model_of(T: int, **options: Any) -> AdaBoostClassifier:
    return AdaBoostClassifier(n_estimators=T, multiclass="ovr", **options)


def test_two_classes_are_one_run() -> None:
    X, y = datasets.toy()
    binary = sample_of(X, y)
    codes = (binary.y > 0).astype(np.int32)
    classes = replace(binary, y=codes, classes=np.arange(2))
    panel = OneVsRest(AdaBoost(), StumpLearner())
    state, both = AdaBoost().begin(binary), panel.begin(classes)
    learn = StumpLearner().bind(binary)
    for _ in range(6):
        state, played = AdaBoost().round(binary, learn, state)
        both, metrics = panel.round(classes, learn, both)
        assert metrics.metrics["epsilon_1"] == played.metrics["epsilon"]
        assert metrics.metrics["alpha_1"] == played.metrics["alpha"]
    F = state.ensemble(binary)
    scores = both.ensemble(classes)
    assert scores[:, 1].tobytes() == F.tobytes()
    # The other game has the labels turned round; ties aside its score is the opposite.
    turned = replace(binary, y=-binary.y)
    other, learn = AdaBoost().begin(turned), StumpLearner().bind(turned)
    for _ in range(6):
        other, _ = AdaBoost().round(turned, learn, other)
    assert scores[:, 0].tobytes() == other.ensemble(turned).tobytes()


@quick
@given(problems())
def test_every_class_plays_its_own_run(problem: Any) -> None:
    X, codes, K, weights = problem
    model = quietly(lambda: model_of(6).fit(X, codes, weights))
    F = model.decision_function(X)
    for k in range(K):
        own = quietly(lambda k=k: AdaBoostClassifier(n_estimators=6).fit(X, codes == k, weights))
        assert F[:, k].tobytes() == own.decision_function(X).tobytes()
    assert (model.predict(X) == np.argmax(F, axis=1)).all()


@quick
@given(problems())
def test_other_names_permute_the_columns(problem: Any) -> None:
    X, codes, K, weights = problem
    names = np.array(["delta", "alpha", "echo", "bravo", "charlie"])[:K]
    plain = quietly(lambda: model_of(6).fit(X, codes, weights))
    named = quietly(lambda: model_of(6).fit(X, names[codes], weights))
    order = [int(np.flatnonzero(names == label)[0]) for label in named.classes_]
    assert named.decision_function(X).tobytes() == (
        np.ascontiguousarray(plain.decision_function(X)[:, order]).tobytes()
    )
    assert named.history_["epsilon"] == pytest.approx(plain.history_["epsilon"])


def test_runs_end_on_their_own() -> None:
    """Class 0 is found at once, the others take their time."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    y = np.where(np.arange(90) < 30, 0, 1 + (X[:, 0] + X[:, 1] > 0))
    X[:30] += 100
    model = model_of(12).fit(X, y)
    alone, *others = model.ensemble_.parts
    assert len(alone) == 1
    assert all(len(part) == 12 for part in others)
    assert np.isinf(model.history_["alpha_0"][0])
    assert np.isnan(model.history_["epsilon_0"][1:]).all()
    assert len(model.history_) == 12
    assert model.score(X, y) > 0.9
    assert model.stop_reason_ == str(Stop.ROUNDS)
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
    assert np.abs(model.margins(X, y)).max() <= 1


def test_resumed_equals_straight() -> None:
    X, y = load_iris(return_X_y=True)
    straight = model_of(12).fit(X, y)
    resumed = model_of(5, warm_start=True).fit(X, y)
    resumed.set_params(n_estimators=12).fit(X, y)
    assert resumed.decision_function(X).tobytes() == straight.decision_function(X).tobytes()
    assert resumed.history_ == straight.history_


def test_stages() -> None:
    X, y = load_iris(return_X_y=True)
    model = model_of(8).fit(X, y)
    stages = list(model.staged_decision_function(X))
    assert len(stages) == model.n_iter_
    assert stages[-1].tobytes() == model.decision_function(X).tobytes()
    assert list(model.staged_predict(X))[-1].tolist() == model.predict(X).tolist()
