"""Partial dependence: means over rows, wherever a column may go; scikit-learn's own beside ours."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import sklearn.inspection as peer
from hypothesis import given, settings
from hypothesis import strategies as st

import weaklearn as wl
from weaklearn.show import importances, partial_dependence

mpl.use("agg")
TREE = wl.DecisionTreeClassifier(max_depth=3)
SCORED: dict[str, tuple[Any, str]] = {
    "gradient": (wl.GradientBoostingClassifier(n_estimators=10), "decision_function"),
    "glass box": (
        wl.AdditiveBoostingClassifier(n_estimators=10, n_pairs=2, n_bags=2),
        "decision_function",
    ),
    "stumps": (wl.AdaBoostClassifier(n_estimators=10), "decision_function"),
    "trees": (wl.AdaBoostClassifier(TREE, n_estimators=4), "decision_function"),
    "forest": (wl.RandomForestClassifier(n_estimators=4), "predict_proba"),
    "tree": (wl.DecisionTreeClassifier(max_depth=4), "predict_proba"),
    "numbers": (wl.GradientBoostingRegressor(n_estimators=10), "predict"),
    "forest of numbers": (wl.RandomForestRegressor(n_estimators=4), "predict"),
}


def table(seed: int = 0, n: int = 120) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "c"])
    X.loc[rng.random(n) < 0.1, "b"] = np.nan
    X["kind"] = rng.choice(["red", "green", "blue"], n)
    score = X["a"] * (X["kind"] == "red") + X["c"] + X["b"].isna()
    return X, score + rng.normal(scale=0.2, size=n)


def asked(model: Any, method: str, X: Any) -> Any:
    found = getattr(model, method)(X)
    return found[:, 1] if method == "predict_proba" else found


@pytest.mark.parametrize("name", SCORED)
def test_it_is_the_mean_of_predictions_with_the_column_at_any_value(name: str) -> None:
    model, method = SCORED[name]
    X, y = table()
    model.fit(X, y if "numbers" in name else y > 0)
    found = partial_dependence(model, X, ["a", "b", "kind", ("a", "kind")])
    for column, values in {
        "a": [-9.0, -0.3, 0.2, 9.0],
        "b": [0.1, np.nan],
        "kind": ["red"],
    }.items():
        shape = found[column]
        for value in values:
            mean = asked(model, method, X.assign(**{column: value})).mean()
            assert shape.values[_place(shape.grid, value)] == pytest.approx(mean, abs=1e-9)
    cross = found["a", "kind"]
    mean = asked(model, method, X.assign(a=0.2, kind="green")).mean()
    at = _place(cross.grids[0], 0.2), _place(cross.grids[1], "green")
    assert cross.values[at] == pytest.approx(mean, abs=1e-9)
    assert cross.counts.sum() == len(X)


def _place(grid: Any, value: Any) -> int:
    if isinstance(value, str):
        return list(grid.categories).index(value)
    return -1 if np.isnan(value) else int(np.searchsorted(grid.edges, value))


def test_several_classes_have_a_value_each() -> None:
    X, y = table()
    model = wl.GradientBoostingClassifier(n_estimators=4).fit(X, np.digitize(y, [-1, 1]))
    found = partial_dependence(model, X, "a")
    at = _place(found["a"].grid, 0.2)
    mean = model.decision_function(X.assign(a=0.2)).mean(axis=0)
    assert found["a"].values[at] == pytest.approx(mean, abs=1e-9)
    assert found.to_frame()["output"].unique().tolist() == ["0", "1", "2"]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6))
def test_the_order_of_rows_does_not_matter(seed: int) -> None:
    X, y = table(seed, 60)
    model = wl.GradientBoostingRegressor(n_estimators=3).fit(X, y)
    turned = X.sample(frac=1.0, random_state=seed % 2**31)
    one, other = (partial_dependence(model, rows, "a")["a"].values for rows in (X, turned))
    assert one.tolist() == other.tolist()


def test_of_stumps_it_is_the_shape_plus_a_constant() -> None:
    X, y = table()
    model = wl.AdaBoostClassifier(n_estimators=12).fit(X, y > 0)
    shapes, found = model.shapes(X), partial_dependence(model, X, list(model.shapes(X)))
    for name in shapes:
        moved = found[name].values - shapes[name].values
        assert moved == pytest.approx(moved[0], abs=1e-9)


def test_sparse_rows_are_as_dense_ones() -> None:
    from scipy.sparse import csr_matrix

    X = np.random.default_rng(0).poisson(0.6, size=(80, 4)).astype(float)
    model = wl.GradientBoostingRegressor(n_estimators=3).fit(X, X[:, 0] - X[:, 1])
    one, other = (partial_dependence(model, rows, 0).to_frame() for rows in (X, csr_matrix(X)))
    pd.testing.assert_frame_equal(one, other)


def test_it_is_drawn() -> None:
    X, y = table()
    model = wl.GradientBoostingRegressor(n_estimators=4).fit(X, y)
    drawn = partial_dependence(model, X, ["a", "kind", ("a", "c")]).plot()
    assert len(drawn.axes_) == 3
    assert drawn.figure_.get_suptitle() == "Mean prediction"
    assert partial_dependence(model, X, "a").plot().ax_.get_ylabel() == "mean prediction"
    drawn = importances(model, X, y, by="permutation", n_repeats=2).plot(n=2)
    assert len(drawn.ax_.get_yticklabels()) == 2
    assert drawn.ax_.get_xlabel() == "what the score loses"


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("d", r"columns holds 'd', which is no column of the model; .*numbers from 0 to 3"),
        (4, r"columns holds 4, and X has 4 columns"),
        (("a", "a"), r"pass a column, or a pair of two different columns"),
        (("a", "b", "c"), r"pass a column, or a pair of two different columns"),
        (True, r"columns holds True, which is no column"),
    ],
)
def test_wrong_columns(columns: Any, message: str) -> None:
    X, y = table()
    model = wl.GradientBoostingRegressor(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match=message):
        partial_dependence(model, X, columns)


def test_no_rows_and_models_that_are_no_sums() -> None:
    X, y = table()
    model = wl.GradientBoostingRegressor(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match=r"columns=\[\] is not allowed"):
        partial_dependence(model, X, [])
    with pytest.raises(ValueError, match="X holds no rows"):
        partial_dependence(model, X[:0], "a")
    plain = X[["a", "c"]]
    with pytest.raises(TypeError, match=r"CentroidClassifier.* use sklearn\.inspection"):
        partial_dependence(wl.CentroidClassifier().fit(plain, y > 0), plain, "a")


@pytest.mark.parametrize("name", SCORED)
def test_scikit_learn_inspects_our_models(name: str) -> None:
    model, method = SCORED[name]
    X, y = table()
    numbers = X[["a", "b", "c"]].fillna(0.0)
    target = y if "numbers" in name else y > 0
    model.fit(numbers, target)
    how = "auto" if method == "predict" else method
    theirs = peer.partial_dependence(
        model, numbers, ["a"], grid_resolution=5, response_method=how, method="brute"
    )
    ours = partial_dependence(model, numbers, "a")["a"]
    at = [_place(ours.grid, value) for value in theirs["grid_values"][0]]
    assert theirs["average"][0] == pytest.approx(ours.values[at], abs=1e-9)
    shuffled = peer.permutation_importance(model, numbers, target, n_repeats=2, random_state=0)
    table_ = importances(model, numbers, target, by="permutation", n_repeats=2)
    assert dict(zip(numbers, shuffled.importances_mean, strict=True)) == pytest.approx(
        {row[0]: row[1] for row in table_.rows}
    )


def test_scikit_learns_displays_take_our_models() -> None:
    X, y = table()
    numbers = X[["a", "c"]]
    model = wl.GradientBoostingClassifier(n_estimators=4).fit(numbers, y > 0)
    drawn = peer.PartialDependenceDisplay.from_estimator(
        model, numbers, ["a", ("a", "c")], grid_resolution=4
    )
    assert drawn.axes_.shape[1] >= 2
    peer.DecisionBoundaryDisplay.from_estimator(model, numbers, grid_resolution=10)
