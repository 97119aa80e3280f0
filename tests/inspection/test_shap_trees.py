"""shap.TreeExplainer takes our models, and finds the values of ``explain``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weaklearn as wl

shap = pytest.importorskip("shap")

TREE = wl.DecisionTreeClassifier(max_depth=3)
MODELS: dict[str, tuple[Any, int]] = {
    "forest": (wl.RandomForestClassifier(n_estimators=3), 2),
    "forest of three": (wl.RandomForestClassifier(n_estimators=3), 3),
    "forest of numbers": (wl.RandomForestRegressor(n_estimators=3), 0),
    "gradient": (wl.GradientBoostingClassifier(n_estimators=6), 2),
    "gradient of three": (wl.GradientBoostingClassifier(n_estimators=4), 3),
    "gradient of numbers": (wl.GradientBoostingRegressor(n_estimators=6), 0),
    "votes of trees": (wl.AdaBoostClassifier(TREE, n_estimators=4), 2),
    "samme": (wl.AdaBoostClassifier(TREE, n_estimators=4, multiclass="samme"), 3),
    "stumps": (wl.AdaBoostClassifier(n_estimators=8), 2),
    "stumps of three": (wl.AdaBoostClassifier(n_estimators=5), 3),
    "tree": (wl.DecisionTreeClassifier(), 2),
    "tree of branches": (wl.DecisionTreeClassifier(missing="branch", max_depth=4), 3),
    "stump": (wl.DecisionStumpClassifier(), 2),
    "bag": (wl.BaggingClassifier("tree", n_estimators=3, max_features=3), 2),
    "bag of three": (wl.BaggingClassifier("tree", n_estimators=3, max_features=3), 3),
    "bag of numbers": (wl.BaggingRegressor("tree", n_estimators=3), 0),
    "bag of stumps": (wl.BaggingClassifier("stump", n_estimators=3), 2),
}


def table(n_classes: int, gaps: bool) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 5))
    score = X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(scale=0.3, size=150)
    if gaps:
        X[rng.random(X.shape) < 0.1] = np.nan
    return X, {0: score, 2: score > 0, 3: np.digitize(score, [-0.6, 0.6])}[n_classes]


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_tree_explainer_finds_the_same(name: str, gaps: bool) -> None:
    model, n_classes = MODELS[name]
    X, y = table(n_classes, gaps)
    model.fit(X, y)
    rows, of_stumps = X[:20], "stump" in name
    peer = shap.TreeExplainer(
        model.to_shap_trees(X if of_stumps else None), feature_perturbation="tree_path_dependent"
    )
    theirs = peer(rows, check_additivity=False)
    why = model.explain(rows)
    if of_stumps:
        why = why.centred(model.explain(X))
    assert theirs.values.reshape(why.contributions.shape) == pytest.approx(
        why.contributions, abs=1e-9
    )
    assert np.ravel(peer.expected_value) == pytest.approx(np.ravel(why.base), abs=1e-9)


def test_shap_predicts_probabilities_beside_a_background() -> None:
    X, y = table(2, False)
    model = wl.GradientBoostingClassifier(n_estimators=6).fit(X, y)
    peer = shap.TreeExplainer(model.to_shap_trees(), X[:50], model_output="probability")
    values = peer.shap_values(X[50:60])
    expected = model.predict_proba(X[50:60])[:, 1]
    assert values.sum(axis=1) + peer.expected_value == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_a_model_without_trees_is_a_constant(n_classes: int) -> None:
    _, y = table(n_classes, gaps=False)
    kind = wl.GradientBoostingClassifier if n_classes else wl.GradientBoostingRegressor
    X = np.zeros((len(y), 2))
    model = kind(n_estimators=3).fit(X, y)
    assert len(model.ensemble_) == 0
    peer = shap.TreeExplainer(model.to_shap_trees(), feature_perturbation="tree_path_dependent")
    assert not np.any(peer(X[:3], check_additivity=False).values)
    base = model.explain(X[:3]).base
    assert np.ravel(peer.expected_value) == pytest.approx(np.ravel(base))


def test_stumps_need_rows() -> None:
    X, y = table(2, False)
    model = wl.AdaBoostClassifier(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="pass the rows of training, X=X_train"):
        model.to_shap_trees()


def test_what_shap_has_no_word_for_is_refused() -> None:
    X, y = table(2, True)
    words = np.where(y, "yes", "no").astype(object)
    both = np.column_stack([X.astype(object), words])
    model = wl.GradientBoostingClassifier(n_estimators=2).fit(both, y)
    with pytest.raises(ValueError, match=r"x\[5\] is a column of another kind: use explain"):
        model.to_shap_trees()
    parted = wl.DecisionTreeClassifier(missing="fraction").fit(X, y)
    with pytest.raises(ValueError, match="a missing value goes down every branch"):
        parted.to_shap_trees()


def test_foreign_members_and_medians_are_refused() -> None:
    X, y = table(0, False)
    model = wl.AdaBoostRegressor(n_estimators=3).fit(X, y)
    with pytest.raises(TypeError, match="weighted median"):
        model.to_shap_trees()
