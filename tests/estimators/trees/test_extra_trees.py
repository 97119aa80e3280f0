"""Extra trees: cuts drawn at random, the same whatever the order of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris

from weaklearn import ExtraTreesClassifier, ExtraTreesRegressor

NAN = float("nan")
EXTRA: Any = pytest.mark.parametrize("Model", [ExtraTreesClassifier, ExtraTreesRegressor])


def mixed(seed: int = 0, m: int = 120) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.normal(size=m),
            "b": rng.choice(["red", "green", "blue", "grey"], size=m),
            "c": np.where(rng.random(m) < 0.2, NAN, rng.integers(0, 5, m)),
        }
    )
    return X, (X["a"] + (X["b"] == "red") + X["c"].isna() > 0.5).to_numpy().astype(int)


@EXTRA
@pytest.mark.parametrize("exact", [False, True])
def test_neither_order_nor_threads_nor_copies_matter(Model: Any, exact: bool) -> None:
    X, y = mixed()
    rng = np.random.default_rng(1)
    copies = rng.integers(1, 4, len(y))
    model = Model(9, exact=exact, random_state=3, n_jobs=1)
    first = model.fit(X, y, copies)
    spread = rng.permutation(np.repeat(np.arange(len(y)), copies))
    second = Model(9, exact=exact, random_state=3, n_jobs=2).fit(X.iloc[spread], y[spread])
    for one, other in zip(first.trees_, second.trees_, strict=True):
        for name, array in one.arrays().items():
            assert array.tobytes() == other.arrays()[name].tobytes(), name


@EXTRA
def test_every_tree_draws_cuts_of_its_own(Model: Any) -> None:
    X, y = load_diabetes(return_X_y=True)
    model = Model(6, max_features=None).fit(X, y > 100 if Model is ExtraTreesClassifier else y)
    roots = {(int(tree.feature[0]), float(tree.threshold[0])) for tree in model.trees_}
    assert len(roots) == 6
    again = Model(6, max_features=None, random_state=1).fit(X, y > 100)
    assert roots.isdisjoint((int(t.feature[0]), float(t.threshold[0])) for t in again.trees_)


def test_a_cut_may_lie_anywhere_between_the_ends() -> None:
    """Thresholds of many roots are spread evenly, not only midway between values."""
    X, y = np.array([[0.0], [1.0], [10.0]]), [0.0, 1.0, 3.0]
    model = ExtraTreesRegressor(400, max_depth=1).fit(X, y)
    cuts = np.sort([float(tree.threshold[0]) for tree in model.trees_])
    assert 0 <= cuts[0] < cuts[-1] < 10
    assert np.abs(cuts - 10 * (np.arange(400) + 0.5) / 400).max() < 0.8
    assert np.mean(cuts < 1) == pytest.approx(0.1, abs=0.04)


@EXTRA
def test_trees_grow_until_leaves_are_pure(Model: Any) -> None:
    xor = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    y = np.array([0, 1, 1, 0])
    model = Model(20, max_features=1).fit(xor, y)
    assert np.array_equal(model.predict(xor), y)


def test_columns_of_many_values_are_cut_exactly_where_asked() -> None:
    X = np.arange(2000.0)[:, None]
    model = ExtraTreesRegressor(2, exact=True).fit(X, X[:, 0])
    assert np.allclose(model.predict(X), X[:, 0], rtol=0, atol=1e-9)
    assert np.abs(ExtraTreesRegressor(2).fit(X, X[:, 0]).predict(X) - X[:, 0]).max() < 10


def test_whether_a_value_is_missing_is_asked() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = rng.random(300) < 0.5
    X[y, 1] = NAN
    assert ExtraTreesClassifier(5, max_depth=1, max_features=None).fit(X, y).score(X, y) == 1


def test_about_as_good_as_others() -> None:
    X, y = load_iris(return_X_y=True)
    assert ExtraTreesClassifier(bootstrap=True, oob_score=True).fit(X, y).oob_score_ > 0.93
    X, y = load_diabetes(return_X_y=True)
    assert ExtraTreesRegressor(bootstrap=True, oob_score=True).fit(X, y).oob_score_ > 0.4
