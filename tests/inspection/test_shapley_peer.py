"""Shapley values of our trees are those that the package shap finds on the same trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weaklearn as wl

shap = pytest.importorskip("shap")

TREE = wl.DecisionTreeClassifier(max_depth=4)
MODELS = {
    "forest": (wl.RandomForestClassifier(n_estimators=4), 2),
    "forest3": (wl.RandomForestClassifier(n_estimators=4), 3),
    "forest of numbers": (wl.RandomForestRegressor(n_estimators=4), 0),
    "gradient": (wl.GradientBoostingClassifier(n_estimators=8), 2),
    "gradient3": (wl.GradientBoostingClassifier(n_estimators=5), 3),
    "gradient of numbers": (wl.GradientBoostingRegressor(n_estimators=8), 0),
    "votes of trees": (wl.AdaBoostClassifier(TREE, n_estimators=5), 2),
    "samme": (wl.AdaBoostClassifier(TREE, n_estimators=4, multiclass="samme"), 3),
    "tree": (wl.DecisionTreeClassifier(), 2),
}


def for_shap(addend: Any, output: int) -> dict[str, Any]:
    """A tree of thresholds as TreeExplainer takes it."""
    tree, leaf = addend.tree, addend.tree.is_leaf
    values = tree.values[tree.value]
    return {
        "children_left": np.where(leaf, -1, tree.first).astype(int),
        "children_right": np.where(leaf, -1, tree.first + 1).astype(int),
        "children_default": np.where(leaf, -1, tree.first + tree.missing).astype(int),
        "features": np.where(leaf, -2, tree.feature).astype(int),
        "thresholds": tree.threshold,
        "values": addend.vote * values[:, [output if values.shape[1] > 1 else 0]],
        "node_sample_weight": np.asarray(addend.cover, float),
    }


@pytest.mark.parametrize("name", MODELS)
def test_shap_finds_the_same(name):
    model, n_classes = MODELS[name]
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    score = X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(scale=0.3, size=200)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = {0: score, 2: score > 0, 3: np.digitize(score, [-0.6, 0.6])}[n_classes]
    model.fit(X, y)
    rows, summed = X[:30], model._explained_sum()
    why, together = model.explain(rows), model.interactions(rows)
    K = summed.n_outputs
    parts = why.contributions.reshape(30, 5, K)
    pairs = together.values.reshape(30, 5, 5, K)
    for k in range(K):
        trees = [for_shap(a, k) for a in summed.addends if a.output in (-1, k)]
        peer = shap.TreeExplainer({"trees": trees}, feature_perturbation="tree_path_dependent")
        theirs = np.asarray(peer.shap_values(rows, check_additivity=False)).reshape(30, 5)
        np.testing.assert_allclose(parts[..., k], theirs, atol=1e-9)
        theirs = np.asarray(peer.shap_interaction_values(rows)).reshape(30, 5, 5)
        np.testing.assert_allclose(pairs[..., k], theirs, atol=1e-9)
