"""The focal loss and smoothed labels, in plain numpy; probabilities that can be believed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import weaklearn
from weaklearn import GradientBoostingClassifier, losses, runtime
from weaklearn.base.types import Floats

RNG = np.random.default_rng(3)
F = 2 * RNG.normal(size=40)
Y = RNG.choice([-1, 1], 40)
WIDE = 2 * RNG.normal(size=(40, 4))
CODES = RNG.integers(4, size=40)


def softmax(F: Floats) -> Floats:
    e = np.exp(F)
    return np.asarray(e / e.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("gamma", [0.5, 2.0, 5.0])
def test_focal_in_plain_numpy(gamma: float) -> None:
    p = 1 / (1 + np.exp(-Y * F))
    loss = losses.Focal(gamma)
    np.testing.assert_allclose(loss.value(Y, F), -((1 - p) ** gamma) * np.log(p), rtol=1e-12)
    slope = gamma * (1 - p) ** gamma * p * np.log(p) - (1 - p) ** (gamma + 1)
    np.testing.assert_allclose(loss.gradient(Y, F), Y * slope, rtol=1e-12)


@pytest.mark.parametrize("gamma", [0.5, 2.0, 5.0])
def test_focal_of_several_in_plain_numpy(gamma: float) -> None:
    p = softmax(WIDE)[np.arange(40), CODES]
    loss = losses.FocalSoftmax(4, gamma)
    found = loss.value(CODES, WIDE)
    np.testing.assert_allclose(found, -((1 - p) ** gamma) * np.log(p), rtol=1e-11)


def test_of_two_classes_both_are_the_same() -> None:
    two = np.column_stack([-F / 2, F / 2])
    one, several = losses.Focal(), losses.FocalSoftmax(2)
    codes = (Y > 0).astype(int)
    np.testing.assert_allclose(one.value(Y, F), several.value(codes, two), rtol=1e-12)
    g, c = several.gradient(codes, two)[:, 1], several.curvature(codes, two)[:, 1]
    np.testing.assert_allclose(one.gradient(Y, F), g, rtol=1e-12)
    np.testing.assert_allclose(one.curvature(Y, F), c, rtol=1e-10)
    np.testing.assert_allclose(one.inverse_link(F), several.inverse_link(two)[:, 1], rtol=1e-11)


def test_without_gamma_it_is_the_log_loss() -> None:
    almost, log_loss = losses.Focal(1e-12), losses.Logistic()
    np.testing.assert_allclose(almost.value(Y, F), log_loss.value(Y, F), rtol=1e-9)
    np.testing.assert_allclose(almost.inverse_link(F), log_loss.inverse_link(F), rtol=1e-9)


@pytest.mark.parametrize("gamma", [0.3, 1.0, 2.0, 6.0])
def test_the_link_answers_with_the_shares_that_ask_for_a_score(gamma: float) -> None:
    shares = np.array([40, 3, 7, 50])
    y = np.repeat(np.arange(4), shares)
    loss = losses.FocalSoftmax(4, gamma)
    best = loss.best_constant(y)
    np.testing.assert_allclose(loss.inverse_link(best[None])[0], shares / 100, rtol=1e-10)
    slope = loss.gradient(y, np.tile(best, (100, 1))).mean(axis=0)
    np.testing.assert_allclose(slope, 0, atol=1e-12)
    two = losses.Focal(gamma)
    signs = np.repeat([-1, 1], [90, 10])
    assert two.inverse_link(two.best_constant(signs)) == pytest.approx(0.1)


def test_probabilities_of_a_fit_are_those_of_the_data() -> None:
    X = RNG.integers(8, size=4000)[:, None]
    p = (X[:, 0] + 0.5) / 16
    y = RNG.random(4000) < p
    model = GradientBoostingClassifier("focal", n_estimators=100, min_samples_leaf=50).fit(X, y)
    assert np.abs(model.predict_proba(X)[:, 1] - p).max() < 0.05
    several = np.digitize(RNG.random(4000) * 16 - X[:, 0], [0, 4])
    model.fit(X, several)
    true = np.array([np.mean(several[X[:, 0] == 3] == k) for k in range(3)])
    np.testing.assert_allclose(model.predict_proba([[3.0]])[0], true, atol=0.05)


def test_smoothed_labels_in_plain_numpy() -> None:
    p = 1 / (1 + np.exp(-F))
    t = np.where(Y > 0, 0.9, 0.1)
    loss = losses.SmoothedLogistic(0.2)
    np.testing.assert_allclose(loss.value(Y, F), -t * np.log(p) - (1 - t) * np.log(1 - p))
    np.testing.assert_allclose(loss.gradient(Y, F), p - t, atol=1e-14)
    q = softmax(WIDE)
    shares = 0.8 * np.eye(4)[CODES] + 0.05
    several = losses.SmoothedSoftmax(4, 0.2)
    np.testing.assert_allclose(several.value(CODES, WIDE), -(shares * np.log(q)).sum(axis=1))
    np.testing.assert_allclose(several.gradient(CODES, WIDE), q - shares, atol=1e-14)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_smoothed_fits(n_classes: int, tmp_path: Path) -> None:
    X, y = np.arange(60.0)[:, None], np.arange(60) * n_classes // 60
    plain = GradientBoostingClassifier(n_estimators=300, learning_rate=0.5).fit(X, y)
    model = GradientBoostingClassifier(
        n_estimators=300, learning_rate=0.5, label_smoothing=0.1
    ).fit(X, y)
    assert plain.predict_proba(X).max() > 0.99
    assert model.predict_proba(X).max() == pytest.approx(1 - 0.1 + 0.1 / n_classes, abs=0.01)
    assert (model.predict(X) == y).mean() > 0.95
    model.save(tmp_path / "smooth.weak")
    assert weaklearn.load(tmp_path / "smooth.weak").fingerprint() == model.fingerprint()
    small = runtime.load(tmp_path / "smooth.weak")
    np.testing.assert_array_equal(small.predict_proba(X), model.predict_proba(X))
    copies = np.arange(60) % 3 + 1
    order = np.random.default_rng(0).permutation(np.repeat(np.arange(60), copies))
    model.set_params(n_estimators=9)
    weighed = model.fit(X, y, copies).fingerprint()
    assert model.fit(X[order], y[order]).fingerprint() == weighed


@pytest.mark.parametrize("n_classes", [2, 3])
def test_hardly_smoothed_labels_are_held_back_as_plain_ones(n_classes: int) -> None:
    """L2 counts in the unit of the log-loss, also where a class is rare."""
    X = RNG.normal(size=(400, 2))
    y = np.digitize(X[:, 0] + RNG.normal(size=400), [2.5, 3.0][: n_classes - 1])
    values = []
    for smoothing in (0.0, 1e-12):
        how = {"label_smoothing": smoothing, "subsample": 1.0, "max_features": 1.0}
        model = GradientBoostingClassifier(n_estimators=1, **how).fit(X, y)
        values.append(model.decision_function(X))
    np.testing.assert_allclose(*values, rtol=0.01)


def test_no_smoothing_leaves_files_as_they_were() -> None:
    X, y = np.arange(20.0)[:, None], np.arange(20) // 10
    plain = GradientBoostingClassifier(n_estimators=3).fit(X, y).fingerprint()
    none = GradientBoostingClassifier(n_estimators=3, label_smoothing=0.0).fit(X, y)
    assert none.fingerprint() == plain


def test_smoothing_that_is_none_is_refused() -> None:
    X, y = np.arange(20.0)[:, None], np.arange(20) // 10
    for wrong in (1.0, -0.1):
        with pytest.raises(ValueError, match=f"label_smoothing={wrong} is not allowed"):
            GradientBoostingClassifier(label_smoothing=wrong).fit(X, y)
    with pytest.raises(ValueError, match=r"label_smoothing=0\.1 is not allowed with loss 'focal'"):
        GradientBoostingClassifier("focal", label_smoothing=0.1).fit(X, y)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_one_row_gets_the_same_probabilities(n_classes: int) -> None:
    X, y = np.arange(60.0)[:, None], np.arange(60) * n_classes // 60
    model = GradientBoostingClassifier("focal", n_estimators=5).fit(X, y)
    one = model.predictor()
    for row in (0, 25, 59):
        p = model.predict_proba(X[row : row + 1])[0]
        np.testing.assert_array_equal(one(X[row].tolist()), p[1] if n_classes == 2 else p)


def test_exports_refuse_the_link() -> None:
    model = GradientBoostingClassifier("focal", n_estimators=2)
    model.fit(np.arange(20.0)[:, None], np.arange(20) // 10)
    with pytest.raises(ValueError, match="loss 'focal' turns scores into probabilities by a link"):
        model.to_python()
