"""What holds the steps of a glass box back: every control against its definition and the twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.reference.gradient import Grower, Limits, coded
from weaklearn import AdditiveBoostingClassifier, AdditiveBoostingRegressor, load

_M = 300
_RNG = np.random.default_rng(0)
X = pd.DataFrame({"a": _RNG.integers(0, 40, _M), "b": _RNG.integers(0, 9, _M)}).astype(float)
X["kind"] = _RNG.choice(list("uvwxyz"), _M, p=[0.4, 0.3, 0.2, 0.04, 0.03, 0.03])
z = (X["a"] > 20) * 2.0 + (X["kind"] == "v") * 3 + X["b"] / 9 + _RNG.normal(size=_M)
TRAIN, TEST = np.arange(_M) % 5 > 0, np.arange(_M) % 5 == 0
CONTROLS: dict[str, dict[str, Any]] = {
    "none": {},
    "l1": {"l1_regularization": 20.0},
    "hessian": {"min_hessian_leaf": 90.5},
    "step": {"max_step": 0.25},
    "weights": {"feature_weights": {"kind": 0.0}},
    "factors": {"feature_factors": {"kind": 0.01, "a": 1.5}},
    "smoothing": {"category_smoothing": 0.0, "feature_factors": [0, 0, 1]},
    "rare": {"min_samples_category": 1, "feature_factors": [0, 0, 1], "min_samples_leaf": 1},
    "several": {"l1_regularization": 5.0, "max_step": 0.5, "min_hessian_leaf": 20.0},
}
each = pytest.mark.parametrize("how", CONTROLS.values(), ids=list(CONTROLS))


def one_round(**how: Any) -> AdditiveBoostingRegressor:
    """A glass box of one round at the best cuts, which learns from the rows of TRAIN."""
    alone = {"n_estimators": 1, "learning_rate": 1.0, "n_pairs": 0, "subsample": 1.0}
    all_cuts = {"max_leaf_nodes": 4, "max_features": 1.0}
    splits = [(np.flatnonzero(TRAIN), np.flatnonzero(TEST))]
    return AdditiveBoostingRegressor(cv=splits, **alone, **all_cuts, **how).fit(X, z)


def of_columns(value: Any, default: float = 1.0) -> tuple[float, ...] | None:
    if value is None:
        return None
    named = value if isinstance(value, dict) else dict(zip(X, value, strict=True))
    return tuple(float(named.get(name, default)) for name in X)


@each
def test_a_round_is_that_of_the_twin(how: dict[str, Any]) -> None:
    scores = one_round(**how).predict(X)
    kinds = {kind: k for k, kind in enumerate(sorted(set(X["kind"])))}
    columns = [
        coded(X["a"].to_numpy(), False),
        coded(X["b"].to_numpy(), False),
        coded(X["kind"].map(kinds).to_numpy(float), True),
    ]
    limits = Limits(
        max_leaf_nodes=4,
        min_samples_leaf=how.get("min_samples_leaf", 5),
        min_curvature=how.get("min_hessian_leaf", 1e-3),
        l1=how.get("l1_regularization", 0.0),
        max_step=how.get("max_step", np.inf),
        category_smooth=how.get("category_smoothing", 10.0),
        feature_weights=of_columns(how.get("feature_weights")),
        feature_factors=of_columns(how.get("feature_factors")),
        groups=((0,), (1,), (2,)),
    )
    y = z.to_numpy()
    features = [0, 1] if "feature_weights" in how else None
    twin = Grower(
        columns, y.mean() - y, np.ones(_M), limits,
        rows=np.flatnonzero(TRAIN), features=features,
    )  # fmt: skip
    expected = np.full(_M, np.nan)
    for node in twin.grow():
        if node.split is None:
            expected[np.r_[node.rows, node.others].astype(int)] = node.value
    assert scores - scores[0] == pytest.approx(expected - expected[0], abs=1e-9)


def steps_of(**how: Any) -> tuple[Any, Any, Any]:
    """Of every step of the only round: gradient, hessian and value."""
    scores = np.round(one_round(**how).predict(X), 10)
    g = z.mean() - z
    found = np.unique(scores)
    inside = [TRAIN & (scores == score) for score in found]
    return np.array([g[i].sum() for i in inside]), np.array([i.sum() for i in inside]), found


@pytest.mark.filterwarnings("ignore:nothing was learnt")
def test_l1_draws_sums_of_gradients_to_zero() -> None:
    G, C, values = steps_of(l1_regularization=20.0)
    expected = -np.sign(G) * np.maximum(np.abs(G) - 20.0, 0.0) / (C + 1)
    assert values - values[0] == pytest.approx(expected - expected[0], abs=1e-8)
    assert len(set(one_round(l1_regularization=1e6).predict(X))) == 1


def test_no_step_has_a_smaller_hessian() -> None:
    assert steps_of(min_hessian_leaf=90.5)[1].min() >= 91
    assert steps_of()[1].min() < 91


def test_no_round_takes_a_larger_step() -> None:
    _, _, values = steps_of(max_step=0.25)
    assert np.ptp(values) == pytest.approx(0.5)


def test_columns_of_weight_or_factor_zero_are_not_used() -> None:
    for how in ({"feature_weights": {"a": 0}}, {"feature_factors": {"a": 0}}):
        model = AdditiveBoostingRegressor(n_estimators=30, n_bags=2, n_pairs=3, **how).fit(X, z)
        assert not any("a" in shape.features for shape in model.shapes_.values())


def test_pairs_of_a_column_that_is_not_used_are_refused() -> None:
    model = AdditiveBoostingRegressor(feature_weights={"a": 0}, pairs=[("a", "b")])
    with pytest.raises(ValueError, match="pairs names 'a', whose feature_weights is 0"):
        model.fit(X, z)


def test_rare_categories_have_a_step_of_their_own_where_asked() -> None:
    few = AdditiveBoostingRegressor(n_estimators=3, n_bags=2, min_samples_category=30).fit(X, z)
    assert few.shapes_["kind"].grid.categories == ("u", "v", "w", "other (3 rare values)")


@each
def test_copies_are_weights_and_files_keep_the_controls(how: dict[str, Any], tmp_path: Any) -> None:
    labels = np.where(z > 2, "yes", "no")
    model = AdditiveBoostingClassifier(n_estimators=5, n_bags=2, n_pairs=1, **how)
    model.fit(X, labels)
    model.save(tmp_path / "glass.weak")
    known = load(tmp_path / "glass.weak")
    assert known.get_params() == model.get_params()
    assert known.predict_proba(X).tolist() == model.predict_proba(X).tolist()
    turned = X.sample(frac=1.0, random_state=1)
    other = AdditiveBoostingClassifier(n_estimators=5, n_bags=2, n_pairs=1, n_jobs=2, **how)
    other.fit(turned, labels[turned.index])
    assert other.fingerprint() == model.fingerprint()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"l1_regularization": -1.0}, r"l1_regularization=-1\.0 is not allowed"),
        ({"min_hessian_leaf": -1.0}, r"min_hessian_leaf=-1\.0 is not allowed"),
        ({"max_step": 0.0}, r"max_step=0\.0 is not allowed"),
        ({"min_samples_category": 0}, r"min_samples_category=0 is not allowed"),
        ({"category_smoothing": -1}, r"category_smoothing=-1 is not allowed"),
        ({"feature_weights": {"q": 1}}, r"feature_weights"),
        ({"feature_factors": [0, 0, 0]}, r"feature_factors is 0 for every column"),
    ],
)
def test_values_out_of_range_are_refused(how: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AdditiveBoostingRegressor(**how).fit(X, z)
