"""WindowClassifier is AdaBoost on the matrix of normalised features, without the matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weaklearn
from weaklearn.vision import WindowClassifier, haar_features, haar_values

FITTED = ("node_feature", "node_threshold", "node_low", "node_high", "rects")


def windows(n: int = 240, seed: int = 0, kind: Any = np.uint8) -> tuple[Any, Any]:
    """Noise, and noise with dark eyes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 200, (n, 8, 9))
    y = np.arange(n) % 3 == 0
    X[y, 2:4, 1:4] -= 60
    X[y, 2:4, 5:8] -= 60
    return np.clip(X, 0, 255).astype(kind), y


def same(a: Any, b: Any) -> bool:
    pairs = ((getattr(a.cascade_, name), getattr(b.cascade_, name)) for name in FITTED)
    return all(np.array_equal(x, z) for x, z in pairs)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("kind", [np.uint8, np.float64])
def test_is_adaboost_on_the_matrix(seed: int, kind: Any) -> None:
    X, y = windows(seed=seed, kind=kind)
    model = WindowClassifier(n_estimators=12).fit(X, y)
    features = haar_features(8, 9)
    V = haar_values(X, features, normalise=True)
    weight = np.where(y, 0.5 / y.sum(), 0.5 / (~y).sum())
    plain = weaklearn.AdaBoostClassifier(n_estimators=12).fit(V, y, sample_weight=weight)
    stumps = plain.ensemble_.members
    assert [features[h.feature] for h in stumps] == list(model.features_)
    assert [h.threshold for h in stumps] == [
        model.cascade_.node_threshold[k] for k in range(len(stumps))
    ]
    assert model.decision_function(X) == pytest.approx(plain.decision_function(V), abs=1e-9)
    assert model.history_["epsilon"] == pytest.approx(plain.history_["epsilon"], abs=1e-12)
    assert (model.predict(X) == plain.predict(V)).all()


@pytest.mark.parametrize("booster", ["adaboost", "real", "gentle"])
def test_nothing_but_windows_matters(booster: str) -> None:
    """Neither memory nor threads nor the order of windows change a model."""
    X, y = windows()
    how: dict[str, Any] = {"n_estimators": 8, "booster": booster, "types": "ABDEEv"}
    model = WindowClassifier(n_jobs=1, **how).fit(X, y)
    assert same(model, WindowClassifier(max_memory=0.0, n_jobs=2, **how).fit(X, y))
    assert same(model, WindowClassifier(max_memory=1e-4, **how).fit(X, y))
    order = np.random.default_rng(3).permutation(len(X))
    assert same(model, WindowClassifier(**how).fit(X[order], y[order]))
    assert same(model, WindowClassifier(**how).fit(list(X), list(y)))
    assert model.score(X, y) > 0.95


@pytest.mark.parametrize("booster", ["real", "gentle"])
def test_rated_stumps_are_the_best_between_values(booster: str) -> None:
    """The first one, against all features and all thresholds."""
    X, y = windows(60)
    X = X[:, :5, :4]
    model = WindowClassifier(n_estimators=1, booster=booster).fit(X, y)
    V = haar_values(X, haar_features(5, 4), normalise=True)
    w = np.where(y, 0.5 / y.sum(), 0.5 / (~y).sum())

    def merit(above: Any) -> float:
        total = 0.0
        for side in (above, ~above):
            plus, minus = w[side & y].sum(), w[side & ~y].sum()
            if booster == "real":
                total -= np.sqrt(plus * minus)
            elif plus + minus > 0:
                total += (plus - minus) ** 2 / (plus + minus)
        return total

    best = max(merit(V[:, j] > t) for j in range(V.shape[1]) for t in V[:, j])
    found = merit(
        haar_values(X, model.features_, normalise=True)[:, 0] > model.cascade_.node_threshold[0]
    )
    assert found == pytest.approx(best, abs=0.02)


def test_threshold() -> None:
    X, y = windows()
    model = WindowClassifier(n_estimators=5).fit(X, y)
    F = model.decision_function(X)
    before = np.ones(len(X), bool)
    for b in (-1.0, 0.0, 0.5, 2.0):
        detected = model.set_params(b=b).predict(X)
        assert (detected == (F > b)).all()
        assert (detected <= before).all()  # raising b never adds a detection
        before = detected
    a = 2 * np.abs(model.cascade_.node_high)  # the rule with answers of 0 and 1
    h = haar_values(X, model.features_, normalise=True) > model.cascade_.node_threshold
    h = np.where(model.cascade_.node_high > 0, h, ~h)
    assert (((h * a).sum(axis=1) >= a.sum() / 2)[F != 0] == (F > 0)[F != 0]).all()


def test_perfect_stump_ends_the_run() -> None:
    X = np.zeros((20, 4, 4), np.uint8)
    X[:10, :, 2:] = 9
    model = WindowClassifier(n_estimators=9).fit(X, np.repeat(["yes", "no"], 10))
    assert len(model.features_) == 1
    assert "no error" in model.stop_reason_
    assert model.predict(X).tolist() == ["yes"] * 10 + ["no"] * 10


def test_flat_windows() -> None:
    """All pixels equal: the deviation counts as 1."""
    X = np.zeros((8, 3, 3), np.uint8)
    X[:4] = 200
    model = WindowClassifier(types="C").fit(X, np.repeat([1, 0], 4))
    assert model.score(X, np.repeat([1, 0], 4)) == 1


@pytest.mark.parametrize("kind", [bool, np.uint16, np.float32])
def test_any_range_of_pixels(kind: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (40, 5, 5))
    y = np.repeat([0, 1], 20)
    X[y == 1, :, 2:] |= rng.integers(0, 2, (20, 5, 3))
    plain, other = (WindowClassifier(n_estimators=5).fit(A, y) for A in (X, X.astype(kind)))
    assert plain.features_[:].kind.tolist() == other.features_[:].kind.tolist()
    assert np.array_equal(plain.decision_function(X), other.decision_function(X.astype(kind)))
    most = {bool: 1, np.uint16: 65535, np.float32: 1e6}[kind]
    assert np.array_equal(plain.predict(X), other.predict(X * most))


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        (np.ones((4, 5)), [0, 1, 0, 1], "stack of windows"),
        (np.ones((4, 5, 5)), [0, 1, 0], "X has 4 rows, y has 3"),
        (np.ones((4, 5, 5)), [0, 1, 2, 1], "3 classes"),
        (np.ones((4, 5, 5)), [1, 1, 1, 1], "1 classes"),
        (np.ones((4, 5, 5)), [0, 1, None, 1], r"y\[2\] is None"),
        (np.zeros((0, 5, 5)), [], "0 rows"),
        ([np.ones((5, 5)), np.ones((5, 6))], [0, 1], r"X\[1\] has shape \(5, 6\)"),
        (np.full((2, 5, 5), np.nan), [0, 1], r"X holds nan at \(0, 0, 0\)"),
        (np.ones((2, 1, 1)), [0, 1], "no features"),
    ],
)
def test_bad_windows(X: Any, y: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        WindowClassifier().fit(X, y)


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_estimators": 0},
        {"b": float("nan")},
        {"booster": "gentel"},
        {"types": "X"},
        {"max_memory": -1.0},
    ],
)
def test_bad_parameters(wrong: dict[str, Any]) -> None:
    X, y = windows(20)
    with pytest.raises(ValueError, match=next(iter(wrong))):
        WindowClassifier(**wrong).fit(X, y)


def test_other_size_at_predict() -> None:
    X, y = windows(40)
    model = WindowClassifier(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="7 x 9 pixels, but 8 x 9 were learnt"):
        model.predict(X[:, :7])
    assert model.predict(X[:0]).shape == (0,)
    assert (model.predict(np.repeat(X[..., None], 3, axis=3)) == model.predict(X)).all()
