"""Every estimator of the table is proved on a small table, beside the peers that are installed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier
from threadpoolctl import threadpool_limits

from tests.odd_rows import NEEDED
from tests.tiers import first_of_each
from tests.trials import TRIALS, with_small_blends
from weaklearn import GradientBoostingRegressor, prove
from weaklearn.comparison import prove as peers
from weaklearn.estimators.simple.base import PlainClassifier
from weaklearn.estimators.simple.boolean import BitsClassifier
from weaklearn.persistence.book import KEPT
from weaklearn.persistence.kept_estimator import KeptEstimator
from weaklearn.registry import class_at, class_of

OF_SCIKIT_LEARN = (
    "scikit-learn's random forest",
    "scikit-learn's AdaBoost",
    "HistGradientBoosting",
    "scikit-learn's Perceptron",
    "scikit-learn's SGDClassifier",
)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Peers whose idle threads spin would slow each other down."""
    with threadpool_limits(1):
        yield


@pytest.fixture(autouse=True)
def small_blends(monkeypatch: pytest.MonkeyPatch) -> None:
    with_small_blends(monkeypatch)


def made(kind: KeptEstimator) -> Any:
    """An estimator of a kind, with few rounds."""
    model = class_of(kind.row)(**NEEDED.get(kind.name, {}))
    few = {"n_estimators": 4, "random_state": 0, "parts": TRIALS.get(kind.name, {}).get("parts")}
    return model.set_params(**{k: v for k, v in few.items() if k in model.get_params()})


def table(n: int = 120, gaps: bool = False) -> pd.DataFrame:
    rng = np.random.default_rng(7)
    X = pd.DataFrame(
        {
            "a": np.round(rng.normal(size=n), 1),
            "b": rng.integers(0, 4, n).astype(float),
            "c": rng.choice(["x", "y", "z"], n),
        }
    )
    if gaps:
        X.loc[::9, "a"] = np.nan
    return X


def target(X: pd.DataFrame, n_classes: int) -> Any:
    """Labels of two or three classes, or, of none, numbers."""
    rng = np.random.default_rng(8)
    score = X["a"].fillna(0.0) + (X["c"] == "x") + rng.normal(size=len(X)) / 2
    if n_classes == 0:
        return score.round(2).to_numpy()
    labels = np.where(score > 0.5, "yes", "no")
    return labels if n_classes == 2 else np.where(X["b"] == 3, "maybe", labels)


def proved(estimator: Any, X: Any, y: Any) -> Any:
    """The claims by name: whether each holds, and its evidence; all that apply must hold."""
    proof = prove(X, y, estimator, seconds=0.2)
    claims = {claim: (holds, evidence, spent) for claim, holds, evidence, spent in proof}
    assert all(holds is not False for holds, _, _ in claims.values()), str(proof)
    return claims


# A list of hypotheses is not refitted on other rows; answers of experts, losses, texts and
# windows are no table.
OTHERS = {"ERMClassifier", "HalvingClassifier", "SleepingExperts", "Hedge"}
OTHERS |= {"SpamFilter", "CallRouter", "TermVectorizer"}
OTHERS |= {"WindowClassifier", "CascadeDetector", "BoostReranker"}
OTHERS |= {"GradientBoostingRanker"}  # whose rows belong to queries


def module_of(kind: KeptEstimator) -> str:
    return str(class_of(kind.row).__module__)


@pytest.mark.parametrize(
    "kind",
    first_of_each(
        [kind for kind in KEPT if kind.name not in OTHERS],
        module_of,
        lambda kind: kind.name,
    ),
)
def test_every_kind_is_proved_beside_its_peers(kind: KeptEstimator) -> None:
    estimator = made(kind)
    X = table()
    y = target(X, 2) if is_classifier(estimator) else target(X, 0)
    online = getattr(estimator, "_in_order", False)
    of_numbers = kind.name in ("HingeLPClassifier", "KernelSVMClassifier")
    if isinstance(estimator, PlainClassifier) or online or of_numbers:
        X = X[["a"]]
    if isinstance(estimator, BitsClassifier) or kind.name == "OnlineDisjunction":
        X = (X > 0).astype(float)
    claims = proved(estimator, X, y)
    held = [name for name, (holds, _, _) in claims.items() if holds is True]
    assert len(held) == (3 if online else 5 if is_classifier(estimator) else 4)
    ours = claims.pop(f"time of {kind.name}")
    assert ours[2] > 0
    times = {name: found for name, found in claims.items() if name.startswith("time of ")}
    assert times
    for name, (holds, words, spent) in times.items():
        assert holds is None
        assert "it cannot" not in words, f"{name}: {words}"
        assert "times that of" in words
        assert math.isfinite(spent)
        assert spent > 0
    assert any(name.removeprefix("time of ") in OF_SCIKIT_LEARN for name in times)


@pytest.mark.parametrize(
    ("module", "name", "n_classes"),
    [("lightgbm", "time of LightGBM", 3), ("xgboost", "time of XGBoost", 0)],
)
def test_optional_peers(module: str, name: str, n_classes: int) -> None:
    pytest.importorskip(module)
    X = table(gaps=True)
    kind = "Regressor" if n_classes == 0 else "Classifier"
    estimator = class_at(f"estimators.gradient.estimators.GradientBoosting{kind}")
    claims = proved(estimator(n_estimators=4), X, target(X, n_classes))
    assert "times that of" in claims[name][1]


def test_a_peer_that_cannot_says_why() -> None:
    X = table(gaps=True)
    estimator = class_at("estimators.boosting.adaboost.AdaBoostClassifier")(n_estimators=4)
    claims = proved(estimator, X, target(X, 2))
    _, words, spent = claims["time of scikit-learn's AdaBoost"]
    assert "it cannot: " in words
    assert "NaN" in words
    assert math.isnan(spent)


def test_peers_that_are_not_installed_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    assert list(peers.peers_of(GradientBoostingRegressor(), 3)) == ["HistGradientBoosting"]


def test_peers_have_as_many_rounds_and_leaves() -> None:
    for make in peers.peers_of(GradientBoostingRegressor(max_leaf_nodes=7), 3).values():
        given = make().get_params()
        assert 3 in (given.get("max_iter"), given.get("n_estimators"))
        assert 7 in (given.get("max_leaf_nodes"), given.get("num_leaves"), given.get("max_leaves"))
