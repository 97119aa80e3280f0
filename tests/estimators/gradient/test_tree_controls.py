"""What holds trees of gradient boosting back: every control against its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weaklearn import GradientBoostingClassifier, GradientBoostingRegressor, load

_M = 400
_RNG = np.random.default_rng(0)
X = _RNG.normal(size=(_M, 5)).round(2)
z = X[:, 0] + (X[:, 1] > 0.5) - X[:, 2] * (X[:, 3] > 0) + _RNG.normal(size=_M) / 2
y = np.where(z > 0.3, "yes", "no")
_COPIES = _RNG.integers(0, 4, _M)
CONTROLS: dict[str, dict[str, Any]] = {
    "l1": {"l1_regularization": 3.0},
    "hessian": {"min_hessian_leaf": 4.0},
    "step": {"max_step": 0.25},
    "smoothing": {"path_smoothing": 20.0},
    "levels": {"max_features_by_level": 2},
    "nodes": {"max_features_by_node": 0.4},
    "weights": {"feature_weights": [1, 0, 3, 1, 0.5], "max_features": 0.6},
    "factors": {"feature_factors": [0.1, 1, 1, 1, 2]},
    "cuts": {"splitter": "random"},
    "largest": {"keep_largest": 0.2, "subsample": 0.3},
    "dropout": {"dropout": 0.4},
    "largest of several": {"keep_largest": 0.1, "subsample": 0.5, "max_features_by_node": 0.5},
    "several": {"l1_regularization": 1.0, "min_hessian_leaf": 2.0, "path_smoothing": 5.0},
}
each = pytest.mark.parametrize("how", CONTROLS.values(), ids=list(CONTROLS))


def numbers(**how: Any) -> GradientBoostingRegressor:
    return GradientBoostingRegressor(**{"n_estimators": 8, **how})


def classes(**how: Any) -> GradientBoostingClassifier:
    return GradientBoostingClassifier(**{"n_estimators": 8, **how})


def first_tree(model: Any, **how: Any) -> Any:
    """A large first tree on all rows and columns, whose gradients are those of the constant."""
    model.set_params(subsample=1.0, max_features=1.0, max_leaf_nodes=12, n_estimators=1, **how)
    fitted = model.fit(X, z)
    return fitted.ensemble_.trees[0], fitted.apply(X)[:, 0]


def steps(tree: Any, leaf_of: Any, l1: float = 0.0) -> tuple[Any, Any]:
    """Which nodes are leaves, and the steps that squared error asks of them."""
    leaves = np.flatnonzero(tree.is_leaf)
    g = z.mean() - z
    G = np.array([g[leaf_of == leaf].sum() for leaf in leaves])
    n = np.array([(leaf_of == leaf).sum() for leaf in leaves])
    return leaves, -np.sign(G) * np.maximum(np.abs(G) - l1, 0) / (n + 1)


def test_l1_draws_sums_of_gradients_to_zero() -> None:
    tree, leaf_of = first_tree(numbers(), l1_regularization=10.0)
    leaves, expected = steps(tree, leaf_of, 10.0)
    assert tree.values[leaves, 0] == pytest.approx(expected, rel=1e-9)
    assert len(set(numbers(l1_regularization=1e6).fit(X, z).predict(X))) == 1


def test_no_leaf_has_a_smaller_hessian() -> None:
    tree, _ = first_tree(numbers(), min_hessian_leaf=30.5)
    assert tree.count[tree.is_leaf].min() == 31
    trees = classes(min_hessian_leaf=6.0).fit(X, y).ensemble_.trees
    assert min(tree.weight[tree.is_leaf].min() for tree in trees) >= 5.99
    assert min(tree.count[tree.is_leaf].min() for tree in trees) >= 24  # a quarter each at most


def test_no_leaf_takes_a_larger_step() -> None:
    for model in (numbers(loss="absolute_error"), numbers(), classes()):
        fitted = model.set_params(max_step=0.25).fit(X, z if model.loss != "log_loss" else y)
        values = np.concatenate([tree.values[tree.is_leaf, 0] for tree in fitted.ensemble_.trees])
        assert abs(values).max() == 0.25
        assert (abs(values) < 0.25).any()


def test_values_are_mixed_with_those_above() -> None:
    k = 15.0
    tree, leaf_of = first_tree(numbers(), path_smoothing=k)
    above = np.full(len(tree), -1)
    inner = np.flatnonzero(~tree.is_leaf)
    above[tree.first[inner]] = above[tree.first[inner] + 1] = inner
    leaves, expected = steps(tree, leaf_of)
    n = tree.count[leaves]
    expected = (n * expected + k * tree.values[above[leaves], 0]) / (n + k)
    assert tree.values[leaves, 0] == pytest.approx(expected, rel=1e-9)


def test_leaves_that_answer_quantiles_are_not_smoothed() -> None:
    for loss in ("absolute_error", "quantile"):
        with pytest.raises(ValueError, match=f"path_smoothing=2.0 does not go with loss '{loss}"):
            numbers(loss=loss, path_smoothing=2.0).fit(X, z)


def paths(tree: Any) -> list[tuple[int, int]]:
    """Depth and column of every inner node."""
    depth = np.zeros(len(tree), int)
    for k in np.flatnonzero(~tree.is_leaf):
        depth[tree.first[k] : tree.first[k] + 2] = depth[k] + 1
    return [(int(depth[k]), int(tree.feature[k])) for k in np.flatnonzero(~tree.is_leaf)]


def test_columns_are_drawn_for_each_level() -> None:
    how: dict[str, Any] = {"max_features": 1.0, "max_leaf_nodes": 16, "n_estimators": 20}
    levels: dict[tuple[int, int], set[int]] = {}
    for t, tree in enumerate(numbers(max_features_by_level=1, **how).fit(X, z).ensemble_.trees):
        for depth, column in paths(tree):
            levels.setdefault((t, depth), set()).add(column)
    assert {len(columns) for columns in levels.values()} == {1}
    assert set.union(*levels.values()) == set(range(5))
    used = {
        t: {j for (s, _), columns in levels.items() if s == t for j in columns} for t, _ in levels
    }
    assert max(map(len, used.values())) > 2  # another draw at each depth


def test_columns_are_drawn_for_each_node() -> None:
    how: dict[str, Any] = {"max_features": 1.0, "max_leaf_nodes": 16, "n_estimators": 20}
    levels: dict[tuple[int, int], set[int]] = {}
    for t, tree in enumerate(numbers(max_features_by_node=1, **how).fit(X, z).ensemble_.trees):
        for depth, column in paths(tree):
            levels.setdefault((t, depth), set()).add(column)
    assert max(map(len, levels.values())) > 2  # not one draw for a level


def test_weights_are_chances() -> None:
    """With one column a round, the first of each is drawn in proportion to the weights."""
    weights = np.array([1.0, 2.0, 0.0, 4.0, 1.0])
    model = numbers(max_features=1, feature_weights=weights, n_estimators=800, learning_rate=1e-9)
    roots = [tree.feature[0] for tree in model.fit(X, z).ensemble_.trees if len(tree) > 1]
    shares = np.bincount(roots, minlength=5) / len(roots)
    assert shares == pytest.approx(weights / 8, abs=0.06)
    assert shares[2] == 0
    all_of_them = numbers(feature_weights=[1, 1, 0, 1, 1]).fit(X, z)
    assert all_of_them.feature_importances_[2] == 0
    assert numbers(feature_weights=[1] * 5).fit(X, z).predict(X).tolist() == (
        numbers().fit(X, z).predict(X).tolist()
    )


def test_factors_are_on_the_gain() -> None:
    plain, _ = first_tree(numbers())
    halved, _ = first_tree(numbers(), feature_factors=[0.5] * 5)
    assert halved.gain == pytest.approx(plain.gain / 2)
    assert (halved.feature == plain.feature).all()
    best = int(plain.feature[0])
    without, _ = first_tree(
        numbers(), feature_factors=[0.0 if j == best else 1.0 for j in range(5)]
    )
    assert best not in without.feature


def test_drawn_cuts_differ_from_round_to_round_and_learn() -> None:
    how: dict[str, Any] = {"subsample": 1.0, "max_features": 1.0, "learning_rate": 1e-9}
    model = numbers(splitter="random", n_estimators=30, **how).fit(X, z)
    assert len({float(tree.threshold[0]) for tree in model.ensemble_.trees}) > 20
    assert numbers(splitter="random", n_estimators=100).fit(X, z).score(X, z) > 0.5
    assert len(numbers(splitter="random", random_state=1, **how).fit(X, z).ensemble_) == 8


@pytest.mark.parametrize("least", [1, 3, 30])
def test_categories_of_few_examples_share_a_code(least: int) -> None:
    """Categories "a", "b", ... come up 2, 4, 8, ... times; each says its own number."""
    counts = [2, 4, 8, 16, 32, 64]
    cells = np.repeat(list("abcdef"), counts)
    values = np.repeat(np.arange(6.0), counts)
    model = numbers(
        min_samples_category=least, category_smoothing=0.0, min_samples_leaf=1, max_step=9.0
    ).set_params(n_estimators=60, learning_rate=0.5, subsample=1.0, l2_regularization=0.0)
    found = model.fit(cells[:, None], values).predict(np.array(list("abcdef"))[:, None])
    rare = np.array(counts) < least
    expected = np.arange(6.0)
    if rare.any():
        expected[rare] = np.average(expected[rare], weights=np.array(counts)[rare])
    assert found == pytest.approx(expected, abs=1e-6)


@each
def test_copies_are_repetition_in_any_order(how: dict[str, Any]) -> None:
    many = np.random.default_rng(3).permutation(np.repeat(np.arange(_M), _COPIES))
    for model, target in ((numbers, z), (classes, y)):
        weighted = model(**how, n_jobs=1).fit(X, target, sample_weight=_COPIES)
        repeated = model(**how, n_jobs=2).fit(X[many], target[many])
        assert (weighted.predict(X) == repeated.predict(X)).all()
        plain = model().fit(X, target, sample_weight=_COPIES)
        assert weighted.fingerprint() != plain.fingerprint()


@each
def test_controls_are_kept_in_files(how: dict[str, Any], tmp_path: Any) -> None:
    model = classes(**how).fit(X, y)
    model.save(tmp_path / "model.weak")
    loaded = load(tmp_path / "model.weak")
    assert {name: getattr(loaded, name) for name in how} == how
    assert loaded.fingerprint() == model.fingerprint()
