"""Splits that every tree begins with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from weaklearn import GradientBoostingClassifier, GradientBoostingRegressor, load

_M = 400
_RNG = np.random.default_rng(0)
X = pd.DataFrame(_RNG.integers(0, 50, (_M, 3)).astype(float), columns=["age", "size", "rate"])
X["kind"] = _RNG.choice(list("uvw"), _M)
z = (X["age"] > 30) * X["size"] + X["rate"] / 9 + _RNG.normal(size=_M)
FORCED: dict[str, Any] = {
    "feature": "rate",
    "threshold": 20,
    "left": {"feature": 0, "threshold": 30.0},
    "right": {"feature": "rate", "threshold": 40.0, "left": {"feature": "size", "threshold": 9}},
}


def model(**how: Any) -> GradientBoostingRegressor:
    return GradientBoostingRegressor(**{"n_estimators": 4, "forced_splits": FORCED, **how})


def test_every_tree_begins_with_them() -> None:
    for tree in model(max_features=1).fit(X, z).ensemble_.trees:  # though other columns are drawn
        left, right = tree.first[0], tree.first[0] + 1
        asked = [(int(tree.feature[k]), float(tree.threshold[k])) for k in (0, left, right)]
        assert asked == [(2, 20.5), (0, 30.5), (2, 40.5)]
        below = tree.first[right]
        assert (int(tree.feature[below]), float(tree.threshold[below])) == (1, 9.5)


def test_they_are_made_whatever_they_gain() -> None:
    how: dict[str, Any] = {"feature": "rate", "threshold": 25.0}
    tree = model(forced_splits=how, n_estimators=1, min_gain=1e9).fit(X, z).ensemble_.trees[0]
    assert (len(tree), int(tree.feature[0])) == (3, 2)


def test_limits_hold_for_them() -> None:
    few: dict[str, Any] = {"feature": "age", "threshold": 0.0}  # too few examples on the left
    plain = model(forced_splits=None, min_samples_leaf=30).fit(X, z)
    held = model(forced_splits=few, min_samples_leaf=30).fit(X, z)
    assert held.predict(X).tolist() == plain.predict(X).tolist()
    two = model(max_leaf_nodes=2).fit(X, z).ensemble_.trees
    assert {int(tree.feature[0]) for tree in two} == {2}
    falling: dict[str, Any] = {"feature": "size", "threshold": 25.0}
    signs = {"size": -1}
    tree = model(forced_splits=falling, monotonic_cst=signs, subsample=1.0).fit(X, z)
    assert int(tree.ensemble_.trees[0].feature[0]) != 1  # the target rises with it


def test_a_column_of_one_value_or_none_is_not_split() -> None:
    how: dict[str, Any] = {"feature": "rate", "threshold": 25.0}
    for value in (1.0, np.nan):
        same = X.assign(rate=value)
        forced = model(forced_splits=how).fit(same, z)
        plain = model(forced_splits=None).fit(same, z)
        assert forced.predict(same).tolist() == plain.predict(same).tolist()


def test_a_threshold_moves_to_the_next_cut_or_the_last() -> None:
    for threshold, cut in ((24.6, 25.5), (25.5, 25.5), (-1e6, 0.5), (1e6, 48.5)):
        how = {"feature": "rate", "threshold": threshold}
        tree = model(forced_splits=how, min_samples_leaf=1, subsample=1.0).fit(X, z)
        assert float(tree.ensemble_.trees[0].threshold[0]) == cut


def test_neither_order_nor_copies_nor_threads_matter_and_files_keep_them(tmp_path: Any) -> None:
    copies = _RNG.integers(0, 3, _M)
    labels = np.where(z > 12, "yes", "no")
    how = {"n_estimators": 5, "forced_splits": FORCED}
    one = GradientBoostingClassifier(**how).fit(X, labels, sample_weight=copies)
    several = np.repeat(np.arange(_M), copies)[::-1]
    other = GradientBoostingClassifier(n_jobs=2, **how).fit(X.iloc[several], labels[several])
    assert one.predict_proba(X).tolist() == other.predict_proba(X).tolist()
    one.save(tmp_path / "forced.weak")
    known = load(tmp_path / "forced.weak")
    assert known.get_params()["forced_splits"] == FORCED
    assert known.predict_proba(X).tolist() == one.predict_proba(X).tolist()
    assert known.to_python().count("def ") == one.to_python().count("def ")


def test_warm_starts_and_updates_go_on_with_them() -> None:
    straight = model(n_estimators=6).fit(X, z)
    going = model(n_estimators=3, warm_start=True).fit(X, z).set_params(n_estimators=6).fit(X, z)
    assert going.predict(X).tolist() == straight.predict(X).tolist()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ([1], r"forced_splits holds \[1\]; a split is a dict"),
        ({"feature": "age"}, r"a split without 'threshold'"),
        ({"feature": "age", "threshold": "x"}, r"threshold in forced_splits='x' is not allowed"),
        ({"feature": "ages", "threshold": 1}, r"names 'ages', which is no column of X"),
        ({"feature": 4, "threshold": 1}, r"names 4, which is no column of X"),
        ({"feature": True, "threshold": 1}, r"names True, which is no column of X"),
        ({"feature": "kind", "threshold": 1}, r"names 'kind', a column of categories"),
        ({"feature": "age", "threshold": 1, "lft": {}}, r"has 'lft', and a split is .*'left'"),
        ({"feature": "age", "threshold": 1, "left": 3}, r"holds 3; a split is a dict"),
        ({"feature": "age", "threshold": float("nan")}, r"threshold in forced_splits=nan"),
    ],
)
def test_what_is_no_split_is_refused(how: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        model(forced_splits=how).fit(X, z)


def test_they_do_not_go_with_groups_of_columns() -> None:
    with pytest.raises(ValueError, match="forced_splits does not go with interaction_cst"):
        model(interaction_cst="pairwise").fit(X, z)
