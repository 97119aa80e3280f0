"""The same data give the same bits: any threads, any order of rows, any layout, any processor."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from weaklearn import (
    AdaBoostClassifier,
    DecisionStumpClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)

SETTINGS: dict[str, dict[str, Any]] = {
    "stumps": {},
    "multiway": {"estimator": DecisionStumpClassifier(categorical="multiway")},
    "abstaining": {"estimator": DecisionStumpClassifier(missing="abstain")},
    "slow votes": {"learning_rate": 0.3},
    "early stopping": {"early_stopping": True, "random_state": 3},
    "resampled": {"resample": {"n_samples": 400}, "random_state": 5},
    "samme": {"multiclass": "samme"},
    "m1": {"multiclass": "m1"},
    "one against the rest": {"multiclass": "ovr"},
    "pairs": {"multiclass": "pairs"},
}
MANY = ("samme", "m1", "one against the rest", "pairs")


def table(m: int = 3_000, seed: int = 0) -> tuple[pd.DataFrame, Any, Any]:
    """Many values, few, categories, gaps, equal rows and ties; labels of 2 and of 3 classes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "many": rng.normal(size=m).astype(np.float32).astype(np.float64),
            "cents": np.round(rng.exponential(size=m), 2),
            "few": rng.integers(0, 5, m).astype(float),
            "colour": pd.Categorical(rng.choice(["red", "green", "blue"], m)),
            "again": np.zeros(m),
        }
    )
    X.loc[rng.random(m) < 0.1, "many"] = np.nan
    X.loc[rng.random(m) < 0.1, "colour"] = None
    X["again"] = X["few"]  # the same column twice
    X = X.iloc[np.r_[0 : m - 200, 0:200]].reset_index(drop=True)  # 200 rows twice
    score = X["many"].fillna(0) + 0.5 * (X["few"] > 2) + 0.7 * (X["colour"] == "red")
    score = score.to_numpy() + 0.5 * rng.normal(size=m)
    return X, (score > 0.5).astype(int), np.digitize(score, [0.0, 1.0])


def numbers(m: int = 3_000, seed: int = 1) -> tuple[Any, Any, Any]:
    """The like as a plain matrix with many zeros; every value is exact in single precision."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((m, 5)) < 0.4, rng.normal(size=(m, 5)), 0.0)
    X[:, 3] = rng.integers(-1, 3, m)
    X[:, 4] = X[:, 3]
    X = X.astype(np.float32).astype(np.float64)
    X[rng.random((m, 5)) < 0.05] = np.nan
    score = np.nan_to_num(X).sum(axis=1) + rng.normal(size=m)
    return X, (score > 0.5).astype(int), np.digitize(score, [-0.5, 1.0])


def fitted(name: str, X: Any, y: Any, y3: Any, weight: Any = None, **more: Any) -> Any:
    model = AdaBoostClassifier(**({"n_estimators": 25} | SETTINGS[name] | more))
    return model.fit(X, y3 if name in MANY else y, weight)


def bits(model: Any, X: Any) -> dict[str, Any]:
    """All that a model is: votes, members, record, scores."""
    return {
        "votes": model.estimator_weights_.tobytes(),
        "members": model.ensemble_.members,
        "history": {name: model.history_[name].tobytes() for name in model.history_},
        "scores": model.decision_function(X).tobytes(),
        "stop": model.stop_reason_,
    }


every_setting = pytest.mark.parametrize("name", SETTINGS)


@every_setting
def test_threads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, y3 = table(150_000)  # enough work to be shared out
    found = []
    for threads in ("1", "2", "3", "8"):
        monkeypatch.setenv("WEAKLEARN_NUM_THREADS", threads)
        found.append(bits(fitted(name, X, y, y3, n_estimators=8), X))
    assert all(other == found[0] for other in found[1:])


@every_setting
def test_order_of_rows(name: str) -> None:
    X, y, y3 = table()
    straight = bits(fitted(name, X, y, y3), X)
    for seed in (0, 1):
        order = np.random.default_rng(seed).permutation(len(X))
        mixed = fitted(name, X.iloc[order], y[order], y3[order])
        assert bits(mixed, X) == straight


@every_setting
def test_order_of_weighted_rows(name: str) -> None:
    X, y, y3 = table()
    rng = np.random.default_rng(2)
    for weight in (rng.integers(1, 4, len(X)).astype(float), rng.random(len(X)) + 0.1):
        straight = bits(fitted(name, X, y, y3, weight), X)
        order = rng.permutation(len(X))
        mixed = fitted(name, X.iloc[order], y[order], y3[order], weight[order])
        assert bits(mixed, X) == straight


@every_setting
def test_copies_are_weights(name: str) -> None:
    X, y, y3 = table()
    counts = np.random.default_rng(3).integers(0, 4, len(X))
    for weight in (np.full(len(X), 2), counts):
        weighted = fitted(name, X, y, y3, weight)
        rows = np.repeat(np.arange(len(X)), weight)
        repeated = fitted(name, X.iloc[rows], y[rows], y3[rows])
        assert bits(repeated, X) == bits(weighted, X)


@every_setting
def test_scaled_importances_are_the_same(name: str) -> None:
    X, y, y3 = table()
    weight = np.random.default_rng(4).random(len(X)) + 0.1
    once = bits(fitted(name, X, y, y3, weight), X)
    assert bits(fitted(name, X, y, y3, weight * 2.0**-70), X) == once


@every_setting
@pytest.mark.parametrize("missing", [False, True])
def test_layouts(name: str, missing: bool) -> None:
    X, y, y3 = numbers()
    if not missing:
        X = np.nan_to_num(X)
    listed = sp.csr_matrix(np.where(X == 0, 1.0, X))
    listed.data[np.flatnonzero((X == 0).ravel())] = 0.0  # zeros that are stored all the same
    expected = bits(fitted(name, X, y, y3), X)
    for other in (
        np.asfortranarray(X),
        X.astype(np.float32),
        np.asfortranarray(X.astype(np.float32)),
        sp.csr_matrix(X),
        sp.csc_matrix(X),
        sp.coo_matrix(X),
        sp.csr_array(X),
        listed,
        sp.csr_matrix(X.astype(np.float32)),
    ):
        assert bits(fitted(name, other, y, y3), X) == expected
    # And prediction reads any of them alike.
    model = fitted(name, X, y, y3)
    for other in (X.astype(np.float32), sp.csr_matrix(X), sp.coo_matrix(X), listed):
        assert model.decision_function(other).tobytes() == expected["scores"]


def test_repeated_fits() -> None:
    X, y, y3 = table()
    for name in SETTINGS:
        model = fitted(name, X, y, y3)
        once = bits(model, X)
        assert bits(model.fit(X, y3 if name in MANY else y), X) == once


def test_prediction_in_parts() -> None:
    X, y, y3 = table()
    for name in ("stumps", "samme", "one against the rest"):
        model = fitted(name, X, y, y3)
        whole = model.decision_function(X)
        parts = [model.decision_function(X.iloc[a : a + 317]) for a in range(0, len(X), 317)]
        assert np.concatenate(parts).tobytes() == whole.tobytes()


# --- Gradient boosting: rows and columns are drawn, and columns of many values are binned -------

QUICK: dict[str, Any] = {"n_estimators": "auto", "learning_rate": 0.4, "n_iter_no_change": 3}
DESCENTS: dict[str, dict[str, Any]] = {
    "two classes": {},
    "three classes": {},
    "numbers": {},
    "quantiles": {"loss": "quantile", "quantile": [0.2, 0.7]},
    "huber": {"loss": "huber", "monotonic_cst": [1, 0, 0, 0, 0]},
    "few bins": {"max_bins": 17, "subsample": 1.0, "max_features": 1.0},
    "rounds by folds": QUICK,
    "early stopping": {"early_stopping": True, "random_state": 3, **QUICK, "n_estimators": 40},
}
every_descent = pytest.mark.parametrize("name", DESCENTS)


def descended(name: str, X: Any, y: Any, y3: Any, weight: Any = None, **more: Any) -> Any:
    """A model of the labels; where numbers are asked for, of a number made of them."""
    how = {"n_estimators": 12} | DESCENTS[name] | more
    if name in ("numbers", "quantiles", "huber"):
        return GradientBoostingRegressor(**how).fit(X, y + 0.3 * y3, weight)
    return GradientBoostingClassifier(**how).fit(X, y3 if name == "three classes" else y, weight)


def tree_bits(model: Any, X: Any) -> dict[str, Any]:
    """All that a sum of trees is: base, votes, every array of every tree, record, scores."""
    trees = [tree.arrays() for tree in model.ensemble_.trees]
    return {
        "base": model.ensemble_.base.tobytes(),
        "votes": model.ensemble_.votes.tobytes(),
        "trees": [array.tobytes() for tree in trees for array in tree.values()],
        "history": {fact: model.history_[fact].tobytes() for fact in model.history_},
        "scores": np.asarray(model.predict(X)).tobytes(),
        "rounds": (model.n_iter_, model.stop_reason_),
    }


@every_descent
def test_descents_on_threads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, y3 = table(40_000)
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("WEAKLEARN_NUM_THREADS", threads)
        more = {} if "n_iter_no_change" in DESCENTS[name] else {"n_estimators": 4}
        found.append(tree_bits(descended(name, X, y, y3, **more, max_leaf_nodes=40), X))
    assert found[0]["rounds"][0] > 1
    assert all(other == found[0] for other in found[1:])


@every_descent
@pytest.mark.parametrize("weights", ["alike", "copies", "importances"])
def test_descents_in_any_order_of_rows(name: str, weights: str) -> None:
    X, y, y3 = table()
    rng = np.random.default_rng(2)
    weight = {
        "alike": np.ones(len(X)),
        "copies": rng.integers(1, 4, len(X)),
        "importances": rng.random(len(X)) + 0.1,
    }[weights]
    straight = tree_bits(descended(name, X, y, y3, weight), X)
    order = rng.permutation(len(X))
    mixed = descended(name, X.iloc[order], y[order], y3[order], weight[order])
    assert tree_bits(mixed, X) == straight


@every_descent
def test_descents_on_copies_and_weights(name: str) -> None:
    X, y, y3 = table()
    counts = np.random.default_rng(3).integers(0, 4, len(X))
    for weight in (np.full(len(X), 2), counts):
        rows = np.repeat(np.arange(len(X)), weight)
        repeated = descended(name, X.iloc[rows], y[rows], y3[rows])
        assert tree_bits(repeated, X) == tree_bits(descended(name, X, y, y3, weight), X)


@every_descent
def test_descents_with_scaled_importances(name: str) -> None:
    X, y, y3 = table()
    weight = np.random.default_rng(4).random(len(X)) + 0.1
    once = tree_bits(descended(name, X, y, y3, weight), X)
    for factor in (2.0**-70, 3.0, 0.1):
        assert tree_bits(descended(name, X, y, y3, weight * factor), X) == once


@every_descent
def test_descents_on_any_layout(name: str) -> None:
    X, y, y3 = numbers()
    expected = tree_bits(descended(name, X, y, y3), X)
    for other in (
        np.asfortranarray(X),
        X.astype(np.float32),
        sp.csr_matrix(X),
        sp.csc_array(X),
        sp.csr_matrix(X.astype(np.float32)),
    ):
        model = descended(name, other, y, y3)
        assert tree_bits(model, X) == expected
        assert np.asarray(model.predict(other)).tobytes() == expected["scores"]


DIGEST = """
import sys
sys.path.insert(0, sys.argv[1])
from tests.test_determinism import digest
print(digest())
"""


def digest() -> str:
    """A fingerprint of every setting's model, and the instruction set it was made with."""
    from weaklearn import _core

    hashed = hashlib.sha256()
    for X, y, y3 in (table(), numbers()):
        for name in SETTINGS:
            found = bits(fitted(name, X, y, y3), X)
            hashed.update(repr(found["members"]).encode())
            for part in (found["votes"], found["scores"], *found["history"].values()):
                hashed.update(part)
        for name in DESCENTS:
            found = tree_bits(descended(name, X, y, y3), X)
            for part in (*found["trees"], found["scores"], *found["history"].values()):
                hashed.update(part)
    return f"{_core.variant()} {hashed.hexdigest()}"


@pytest.mark.parametrize("simd", ["baseline", pytest.param("avx2", marks=pytest.mark.long)])
def test_instruction_sets(simd: str) -> None:
    root = str(Path(__file__).parents[1])
    expected = digest().rpartition(" ")[2]  # the widest that there are
    done = subprocess.run(
        [sys.executable, "-c", DIGEST, root],
        env=os.environ | {"WEAKLEARN_SIMD": simd},
        capture_output=True,
        text=True,
        check=True,
    )
    variant, _, hashed = done.stdout.strip().rpartition(" ")
    assert simd != "baseline" or variant == "baseline"
    assert hashed == expected
