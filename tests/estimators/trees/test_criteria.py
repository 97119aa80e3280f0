"""The criteria of trees by their names, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.metrics import mean_poisson_deviance

from weaklearn import (
    AdaBoostRegressor,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

X, Y = load_diabetes(return_X_y=True)


@pytest.mark.parametrize("Model", [DecisionTreeRegressor, RandomForestRegressor])
def test_friedmans_gain_is_by_how_much_the_squared_error_falls(Model: Any) -> None:
    one, other = (Model(criterion=name).fit(X, Y) for name in ("friedman_mse", "squared_error"))
    assert one.predict(X).tobytes() == other.predict(X).tobytes()
    left, right = Y[Y < 150], Y[Y >= 150]
    shares = len(left) * len(right) / len(Y)
    friedman = shares * (left.mean() - right.mean()) ** 2
    assert friedman == pytest.approx(sum(s * np.var(y) for s, y in (
        (len(Y), Y), (-len(left), left), (-len(right), right))))  # fmt: skip


@pytest.mark.parametrize("Model", [DecisionTreeClassifier, RandomForestClassifier])
def test_log_loss_is_entropy(Model: Any) -> None:
    iris, classes = load_iris(return_X_y=True)
    one, other = (Model(criterion=name).fit(iris, classes) for name in ("log_loss", "entropy"))
    assert one.predict_proba(iris).tobytes() == other.predict_proba(iris).tobytes()


def test_leaves_of_absolute_error_answer_medians() -> None:
    tree = DecisionTreeRegressor(criterion="absolute_error", max_depth=2).fit(X, Y)
    leaves = tree.apply(X)
    for leaf in np.unique(leaves):
        assert tree.predict(X[leaves == leaf])[0] == pytest.approx(np.median(Y[leaves == leaf]))
    squared = DecisionTreeRegressor(max_depth=2).fit(X, Y)
    assert np.abs(tree.predict(X) - Y).mean() < np.abs(squared.predict(X) - Y).mean()


def test_no_leaf_of_rates_answers_zero() -> None:
    rng = np.random.default_rng(0)
    counts = rng.poisson(np.exp(8 * X[:, 2]) / 2)
    tree = DecisionTreeRegressor(criterion="poisson").fit(X, counts)
    assert tree.predict(X).min() > 0
    small = DecisionTreeRegressor(criterion="poisson", max_depth=2).fit(X, counts)
    assert small.predict(X) @ np.ones(len(X)) == pytest.approx(counts.sum())
    lowered = mean_poisson_deviance(counts, small.predict(X))
    assert lowered < mean_poisson_deviance(counts, np.full(len(X), counts.mean()))


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_a_pruning_path_ends_at_the_impurity_of_the_root(criterion: str) -> None:
    path = DecisionTreeRegressor(criterion=criterion).cost_complexity_pruning_path(X, Y)
    median, mean = np.median(Y), Y.mean()
    root = {
        "squared_error": np.var(Y),
        "absolute_error": np.abs(Y - median).mean(),
        "poisson": (Y * np.log(Y / mean)).mean(),
    }
    assert path.impurities[-1] == pytest.approx(root[criterion])
    assert path.impurities[0] == pytest.approx(0, abs=1e-9)
    assert (np.diff(path.ccp_alphas) >= 0).all()


def test_forests_are_pruned_too() -> None:
    full, pruned = (RandomForestRegressor(5, ccp_alpha=alpha).fit(X, Y) for alpha in (None, 50.0))
    assert sum(map(len, pruned.trees_)) < sum(map(len, full.trees_)) / 2


def test_a_tree_is_read_by_the_names_that_others_know() -> None:
    tree = DecisionTreeRegressor(max_depth=3).fit(X, Y).tree_
    inner = tree.children_left >= 0
    assert tree.node_count == len(tree)
    left, right = tree.children_left[inner], tree.children_right[inner]
    samples = tree.n_node_samples
    assert np.array_equal(samples[left] + samples[right], samples[inner])
    with pytest.raises(ValueError, match="asks for categories"):
        _ = DecisionTreeRegressor().fit([["a"], ["b"]], [1.0, 2.0]).tree_.children_left


@pytest.mark.parametrize(
    ("given", "y", "said"),
    [
        ({"criterion": "poisson"}, Y - 100, r"y holds -.* in row"),
        ({"criterion": "poisson"}, 0 * Y, "y is 0 in every row"),
        ({"criterion": "absolute_error", "missing": "branch"}, Y, "missing='branch' does not go"),
        ({"criterion": "absolute_error", "categorical": "multiway"}, Y, "does not go"),
        ({"criterion": "absolute_error", "monotonic_cst": [1] + [0] * 9}, Y, "monotonic_cst does"),
        ({"criterion": "mae"}, Y, "criterion='mae' is not allowed"),
    ],
)
def test_what_does_not_go_together_is_refused(given: Any, y: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        DecisionTreeRegressor(**given).fit(X, y)


def test_boosting_has_a_criterion_of_its_own() -> None:
    tree = DecisionTreeRegressor(criterion="absolute_error", max_depth=2)
    with pytest.raises(ValueError, match="leave criterion at 'squared_error'"):
        AdaBoostRegressor(tree, n_estimators=2).fit(X, Y)
    assert BaggingRegressor(tree, 3).fit(X, Y).score(X, Y) > 0.3
