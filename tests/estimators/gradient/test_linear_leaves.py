"""Slopes in leaves of trees of gradients: their definition, and what models with them promise."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_friedman1

from tests.reference.leaf_slopes import answers, slopes_of_leaf
from weaklearn import (
    GradientBoostingClassifier,
    GradientBoostingRanker,
    GradientBoostingRegressor,
    load,
    merge,
    runtime,
)

_M = 300
_RNG = np.random.default_rng(5)
X = _RNG.normal(size=(_M, 5)).round(2)
X[:, 4] = _RNG.integers(0, 3, _M)
z = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + (X[:, 4] == 1) + _RNG.normal(size=_M) / 3
GAPS = X.copy()
GAPS[::7, 0] = np.nan
GAPS[3::11, 1] = np.nan
two, three = z > 0.3, np.digitize(z, [-0.3, 0.9])
copies = _RNG.integers(1, 4, _M)


def numbers(**how: Any) -> GradientBoostingRegressor:
    return GradientBoostingRegressor(**{"n_estimators": 12, "linear_leaves": True, **how})


def classes(**how: Any) -> GradientBoostingClassifier:
    return GradientBoostingClassifier(**{"n_estimators": 12, "linear_leaves": True, **how})


def paths(tree: Any) -> dict[int, list[int]]:
    """The columns that the path of each leaf asks for by thresholds."""
    found, parents = {}, tree.parents
    for leaf in np.flatnonzero(tree.is_leaf).tolist():
        asked, node = set(), parents[leaf]
        while node >= 0:
            asked |= {int(tree.feature[node])} if tree.ask[node] == 1 else set()
            node = parents[node]
        found[leaf] = sorted(asked)
    return found


@pytest.mark.parametrize("table", [X, GAPS])
@pytest.mark.parametrize("weights", [None, copies, copies / 3 + 0.1])
def test_slopes_are_their_definition(table: Any, weights: Any) -> None:
    model = numbers(n_estimators=1, subsample=1.0, learning_rate=1.0, linear_l2=3.0)
    model.fit(table, z, sample_weight=weights)
    w = np.ones(_M) if weights is None else weights
    if weights is not None and weights.dtype.kind == "f":
        w = w / w.mean()
    [tree], leaf = model.ensemble_.trees, model.apply(table)[:, 0]
    g, ends, n_slopes = w * (model.ensemble_.base[0] - z), np.cumsum(tree.slopes.count), 0
    for node, asked in paths(tree).items():
        inside = leaf == node
        twin = slopes_of_leaf(table[inside][:, asked], g[inside], w[inside], 3.0)
        own = slice(ends[node] - tree.slopes.count[node], ends[node])
        assert tree.slopes.feature[own].tolist() == [asked[k] for k in twin]
        for k, name in enumerate(("slope", "centre", "low", "high")):
            of = getattr(tree.slopes, name)[own]
            assert of == pytest.approx([each[k] for each in twin.values()], rel=1e-6, abs=1e-9)
        n_slopes += len(twin)
    assert n_slopes > 10
    base = model.ensemble_.base[0]
    far = np.concatenate([table, 10 * table])
    found = base + answers(tree, model.apply(far)[:, 0], far)
    assert model.predict(far) == pytest.approx(found, rel=1e-12)


def test_values_are_those_of_the_tree_without_slopes() -> None:
    how: dict[str, Any] = {"n_estimators": 1, "random_state": 3}
    plain = numbers(linear_leaves=False, **how).fit(GAPS, z).ensemble_.trees[0]
    for name, array in numbers(**how).fit(GAPS, z).ensemble_.trees[0].arrays().items():
        assert np.array_equal(array, getattr(plain, name))


def test_rows_without_a_number_of_the_leaf_get_its_value() -> None:
    model = numbers(n_estimators=1, learning_rate=1.0).fit(X, z)
    [tree], base = model.ensemble_.trees, model.ensemble_.base[0]
    empty = np.full((1, 5), np.nan)
    leaf = model.apply(empty)[0, 0]
    assert tree.slopes.count[leaf] > 0
    assert model.predict(empty)[0] == base + tree.values[leaf, 0]


def test_categories_have_no_slopes() -> None:
    model = numbers(categorical_features=[4], max_leaf_nodes=30).fit(X, z)
    trees = model.ensemble_.trees
    assert any((tree.feature == 4).any() for tree in trees)
    assert not any((tree.slopes.feature == 4).any() for tree in trees)


@pytest.mark.parametrize("make", [numbers, classes])
@pytest.mark.parametrize("subsample", [1.0, 0.7])
def test_order_threads_and_copies_change_no_bit(make: Any, subsample: float) -> None:
    y = z if make is numbers else three
    one = make(subsample=subsample, n_jobs=1).fit(GAPS, y, sample_weight=copies)
    order = _RNG.permutation(np.repeat(np.arange(_M), copies))
    other = make(subsample=subsample, n_jobs=2).fit(GAPS[order], y[order])
    assert one.fingerprint() == other.fingerprint()
    many = np.tile(GAPS, (9, 1))
    assert (one.set_params(n_jobs=2)._scores(many)[:_M] == other._scores(GAPS)).all()
    few = np.concatenate([other._scores(GAPS[i : i + 1]) for i in range(40)])
    assert (few == other._scores(GAPS)[:40]).all()


def test_sparse_columns_are_those_written_out() -> None:
    table = np.where(np.abs(X) < 0.6, 0.0, X)
    model = numbers().fit(table, z)
    for form in (sparse.csr_matrix, sparse.csc_matrix):
        assert numbers().fit(form(table), z).fingerprint() == model.fingerprint()
        assert (model.predict(form(table)) == model.predict(table)).all()


@pytest.mark.parametrize("leaves", [15, 40, 120])
def test_trees_of_every_size_answer_the_same_bits_for_one_row_and_many(leaves: int) -> None:
    Z, y = make_friedman1(2500, random_state=0)
    Z[::5, 2] = np.nan
    model = numbers(n_estimators=4, max_leaf_nodes=leaves, min_samples_leaf=3).fit(Z, y)
    trees = model.ensemble_.trees
    assert max(tree.n_leaves for tree in trees) == leaves
    apart = np.full(200, model.ensemble_.base[0])
    for vote, tree, leaf in zip(model.ensemble_.votes, trees, model.apply(Z[:200]).T, strict=True):
        apart += vote * answers(tree, leaf, Z[:200])
    assert (model.predict(Z)[:200] == apart).all()
    ask = model.predictor()
    assert [ask(row.tolist()) for row in Z[:50]] == apart[:50].tolist()


def test_stages_truncation_and_warm_starts_agree() -> None:
    for make, y in ((numbers, z), (classes, three), (numbers, np.stack([z, -z], axis=1))):
        model = make().fit(GAPS, y)
        stages = list(model._staged_scores(GAPS))
        assert (stages[-1] == model._scores(GAPS)).all()
        assert (stages[4] == model.truncate(5)._scores(GAPS)).all()
        resumed = make(n_estimators=5, warm_start=True).fit(GAPS, y)
        resumed.set_params(n_estimators=12).fit(GAPS, y)
        assert resumed.fingerprint() == clone(resumed).fit(GAPS, y).fingerprint()
        assert (resumed._scores(GAPS) == stages[-1]).all()


def test_early_stopping_folds_dropout_and_offsets_learn() -> None:
    plain = numbers(n_estimators=200, early_stopping=True).fit(GAPS, z)
    assert 1 < plain.n_iter_ < 200
    assert numbers(n_estimators="auto").fit(X, z).score(X, z) > 0.7
    dropped = numbers(dropout=0.3).fit(X, z)
    assert (list(dropped.staged_predict(X))[-1] == dropped.predict(X)).all()
    known = numbers().fit(X, z, offset=X[:, 0])
    assert (np.diff(known.history_["loss"]) < 0).all()
    ranker = GradientBoostingRanker(n_estimators=10, linear_leaves=True)
    qid = np.arange(_M) // 10
    assert ranker.fit(X, three, qid=qid).score(X, three, qid=qid) > 0.8


def test_smooth_functions_are_learnt_from_fewer_rows() -> None:
    Z, y = make_friedman1(3000, noise=1.0, random_state=0)
    told = {}
    for linear in (False, True):
        model = numbers(n_estimators=100, linear_leaves=linear).fit(Z[:1000], y[:1000])
        told[linear] = np.mean((model.predict(Z[1000:]) - y[1000:]) ** 2)
    assert told[True] < 0.9 * told[False]


def test_models_come_back_from_files_and_the_runtime_answers_alike(tmp_path: Path) -> None:
    for make, y in ((numbers, z), (classes, two), (classes, three)):
        model = make().fit(GAPS, y)
        path = tmp_path / "model.weak"
        model.save(path)
        again, small = load(path), runtime.load(path)
        assert again.fingerprint() == model.fingerprint()
        assert again.get_params()["linear_leaves"] is True
        assert (again._scores(GAPS) == model._scores(GAPS)).all()
        assert (small.predict(GAPS) == model.predict(GAPS)).all()
        kept = pickle.loads(pickle.dumps(model))
        assert kept.fingerprint() == model.fingerprint()
        assert (kept._scores(GAPS) == model._scores(GAPS)).all()


def test_what_cannot_be_with_slopes_is_refused() -> None:
    model = numbers().fit(X, z)
    for ask in (lambda: model.explain(X), model.to_frame, model.to_c, model.to_sql, model.to_onnx):
        with pytest.raises((TypeError, ValueError), match=r"leaves have slopes.* linear_leaves=F"):
            ask()
    with pytest.raises(TypeError, match=r"read ensemble_\.trees\[k\]\.slopes"):
        model.rules()
    with pytest.raises(ValueError, match="refit is not possible after a fit with linear_leaves"):
        model.refit(X, z)
    with pytest.raises(ValueError, match="average predictions"):
        merge([model, model])
    assert model.update(X, z, n_estimators=2).n_iter_ == 14
    for how, said in (
        ({"monotonic_cst": [1, 0, 0, 0, 0]}, "monotonic_cst=None"),
        ({"max_step": 1.0}, "max_step=None and a smaller learning_rate"),
        ({"loss": "quantile"}, "a loss with a curvature"),
        ({"linear_l2": -1.0}, "at least 0"),
        ({"linear_leaves": 1}, "True or False"),
    ):
        with pytest.raises((TypeError, ValueError), match=said):
            numbers(**how).fit(X, z)
    warm = numbers(warm_start=True).fit(X, z).set_params(linear_leaves=False, n_estimators=20)
    with pytest.raises(ValueError, match="not what the rounds already played were learnt with"):
        warm.fit(X, z)


def test_columns_of_one_value_and_of_extreme_ones_do_no_harm() -> None:
    expected = numbers(subsample=1.0).fit(X, z).predict(X)
    for scale in (1e-300, 1e150):
        model = numbers(subsample=1.0).fit(X * scale, z)
        assert model.predict(X * scale) == pytest.approx(expected, rel=1e-9)
    same = np.stack([X[:, 0], 2 * X[:, 0], np.ones(_M)], axis=1)
    for l2 in (0.0, 1.0):
        assert np.isfinite(numbers(linear_l2=l2).fit(same, z).predict(100 * same)).all()


def test_zeros_of_both_signs_are_one_value() -> None:
    table = np.abs(X)
    table[:150:2] = -0.0
    table[1:150:2] = 0.0
    how: dict[str, Any] = {"subsample": 1.0, "n_estimators": 3}
    assert (
        numbers(**how).fit(table, z).fingerprint()
        == numbers(**how).fit(table[::-1], z[::-1]).fingerprint()
        == numbers(**how).fit(table + 0.0, z).fingerprint()
    )
