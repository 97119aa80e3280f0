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
