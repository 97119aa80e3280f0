"""What "auto" aims at, and what it is good for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from tests.boosters.given import noisy
from tests.samples import sample_of
from weaklearn import AdaBoostClassifier, BrownBoostClassifier, NormalBoostClassifier
from weaklearn.base import Stop
from weaklearn.estimators.boosting.brownboost import noise_level
from weaklearn.learners import StumpLearner

AUTO = [
    (BrownBoostClassifier(n_estimators=20), 1.5),
    (NormalBoostClassifier(n_estimators=20), 0.75),
    (NormalBoostClassifier(n_estimators=20, robust=True), 0.9),
]


def flipped(seed: int, m: int, flips: float) -> tuple[Any, Any, Any]:
    """Rows, labels of which some are flipped, and the labels as they were."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 8))
    clean = np.where(X[:, :5].sum(axis=1) + 0.2 * rng.normal(size=m) > 0, 1, -1)
    return X, np.where(rng.random(m) < flips, -clean, clean), clean


@pytest.mark.parametrize(("model", "leniency"), AUTO)
def test_auto_is_a_multiple_of_the_error_on_rows_left_out(model: Any, leniency: float) -> None:
    X, y, _ = flipped(1, 200, 0.2)
    level = noise_level(sample_of(X, y), StumpLearner(), 100)
    assert 0.2 < level.error < 0.45
    assert not level.by_heart
    assert level != noise_level(sample_of(X, y), StumpLearner(), model.n_estimators)
    assert model.fit(X, y).epsilon_ == pytest.approx(leniency * level.error)
    assert model.fit(X, y, np.full(200, 2.5)).epsilon_ == pytest.approx(leniency * level.error)


@pytest.mark.parametrize(("model", "leniency"), AUTO)
def test_neither_order_nor_copies_matter(model: Any, leniency: float) -> None:
    X, y = noisy(2, m=80)
    rng = np.random.default_rng(0)
    copies = rng.integers(1, 4, 80)
    order = rng.permutation(80)
    rows = np.repeat(order, copies[order])
    weighted = model.fit(X, y, copies)
    history, aim, F = weighted.history_, weighted.epsilon_, weighted.decision_function(X)
    again = model.fit(X[rows], y[rows])
    assert (again.epsilon_, again.history_) == (aim, history)
    assert (again.decision_function(X) == F).all()


def test_the_noise_level_is_what_folds_say() -> None:
    X, y, _ = flipped(4, 300, 0.0)
    levels = [
        noise_level(sample_of(X, np.where(np.arange(300) < k, -y, y)), StumpLearner(), 30).error
        for k in (0, 30, 60)
    ]
    assert levels == sorted(levels)
    assert levels[2] > levels[0] + 0.1
    w = np.where(np.arange(300) < 60, 1e-6, 1.0)  # errors that hardly count
    sample = sample_of(X, np.where(np.arange(300) < 60, -y, y), w)
    assert noise_level(sample, StumpLearner(), 30).error < levels[1]


def test_labels_learnt_by_heart_are_no_measure_of_noise() -> None:
    X, y, _ = flipped(3, 150, 0.25)
    deep = BrownBoostClassifier(DecisionTreeClassifier(random_state=0), n_estimators=5).fit(X, y)
    assert deep.epsilon_ == 1e-6
    weak = BrownBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=5).fit(X, y)
    assert weak.epsilon_ > 0.3


@pytest.mark.parametrize("multiclass", ["ovr", "pairs"])
def test_several_runs_share_an_aim(multiclass: str) -> None:
    X, y = noisy(5, m=90)
    three = np.digitize(X[:, 0] + 0.3 * y, [2.5, 5.5])
    model = BrownBoostClassifier(multiclass=multiclass, n_estimators=10).fit(X, three)
    assert 0 < model.epsilon_ < 0.5
    assert model.score(X, three) > 0.8


def test_few_rows_of_a_class() -> None:
    X, y = noisy(6, m=40, flips=0)
    y = np.where(np.arange(40) == np.flatnonzero(y > 0)[0], 1, -1)  # one of the second class
    model = BrownBoostClassifier(GaussianNB(), n_estimators=3).fit(X, y)
    assert 0 < model.epsilon_ < 1
    two = BrownBoostClassifier(GaussianNB(), n_estimators=3).fit([[0.0], [1.0]], [0, 1])
    assert two.score([[0.0], [1.0]], [0, 1]) == 1


@pytest.mark.parametrize("model", [model for model, _ in AUTO])
def test_labels_that_are_noise_alone(model: Any) -> None:
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(60, 2)), rng.choice([0, 1], 60)
    model.fit(X, y)
    assert 0 < model.epsilon_ < 0.91
    assert model.stop_reason_ in list(Stop)


@pytest.mark.parametrize("model", [BrownBoostClassifier(), NormalBoostClassifier()])
def test_with_flipped_labels_less_is_wrong_than_with_adaboost(model: Any) -> None:
    errors = []
    for seed in range(3):
        X, y, _ = flipped(seed, 600, 0.2)
        X_test, _, y_test = flipped(100 + seed, 2000, 0.2)
        ada = AdaBoostClassifier().fit(X, y)
        errors.append((1 - model.fit(X, y).score(X_test, y_test), 1 - ada.score(X_test, y_test)))
    own, adas = np.mean(errors, axis=0)
    assert own < 0.9 * adas
