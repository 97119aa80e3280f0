"""Models that live on: leaf values learnt anew, rounds from new rows, several models made one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine

import weaklearn as wl
from weaklearn.estimators.gradient.life import leaf_sums, with_values


def numbers() -> tuple[Any, Any]:
    return load_diabetes(return_X_y=True)


def groups(n: int = 300, seed: int = 0, letters: str = "abcde") -> tuple[pd.DataFrame, Any]:
    """A column of numbers with gaps, a column of categories, and a target of both."""
    random = np.random.default_rng(seed)
    kind = random.choice(list(letters), n)
    x = random.normal(size=n).round(2)
    y = x + np.array([ord(k) - 97 for k in kind]) + random.normal(size=n) / 4
    x[::11] = np.nan
    return pd.DataFrame({"x": x, "kind": kind}), y


# -------------------------------------------------------------------------------------------- refit


def test_refit_on_the_same_rows_gives_the_same_values() -> None:
    """Where every round learnt from all rows, a leaf's Newton step is what it was."""
    X, y = numbers()
    model = wl.GradientBoostingRegressor(n_estimators=30, subsample=1.0).fit(X, y)
    before = model.predict(X)
    again = model.refit(X, y, keep=0).predict(X)
    assert np.allclose(again, before, rtol=1e-9)
    assert model.history_["loss"][-1] == pytest.approx(np.mean((y - again) ** 2) / 2)


@pytest.mark.parametrize("kind", ["two classes", "three classes", "poisson"])
def test_refit_follows_its_definition(kind: str) -> None:
    """Round by round with plain sums over the rows of every leaf."""
    load = load_breast_cancer if kind == "two classes" else load_wine
    X, y = load(return_X_y=True)
    half = np.arange(len(X)) % 2 == 0
    model: Any = wl.GradientBoostingClassifier(n_estimators=6)
    if kind == "poisson":
        model = wl.GradientBoostingRegressor(loss="poisson", n_estimators=6)
    model.fit(X[half], y[half])
    old = model.ensemble_
    new = model.refit(X[~half], y[~half], keep=0.25).ensemble_
    rows, labels = model._rows(X[~half]), y[~half]
    F = np.tile(new.base, (len(labels), 1))
    for (vote, before), (_, after) in zip(old, new, strict=True):
        if kind == "poisson":
            g, c = np.exp(F) - labels[:, None], np.exp(F)
        elif kind == "two classes":
            p = 1 / (1 + np.exp(-F))
            g, c = p - labels[:, None], p * (1 - p)
        else:
            p = np.exp(F) / np.exp(F).sum(axis=1, keepdims=True)
            g, c = p - np.eye(3)[labels], p * (1 - p)
        steps = []
        for k, (tree, moved) in enumerate(zip(before, after, strict=True)):
            leaves = type(old)(old.base).plus(vote, [tree] * len(before)).leaves(rows)[:, 0]
            for leaf in np.unique(leaves):
                inside, was = leaves == leaf, tree.values[tree.value[leaf], 0]
                at = moved.values[moved.value[leaf], 0]
                if kind == "two classes":  # elsewhere L2 is in units of the mean curvature
                    step = -g[inside, k].sum() / (c[inside, k].sum() + model.l2_regularization)
                    assert at == pytest.approx(0.25 * was + 0.75 * step, rel=1e-9)
                else:
                    step = -g[inside, k].sum() / c[inside, k].sum()
                    low, high = sorted([0.25 * was, 0.25 * was + 0.75 * step])
                    assert low - 1e-12 <= at <= high + 1e-12
            steps.append(vote * moved.values[moved.value[leaves], 0])
        F += np.stack(steps, axis=1)


def test_refit_holds_steps_back_as_the_fit_did() -> None:
    X, y = numbers()
    held = {"l1_regularization": 300.0, "max_step": 20.0, "subsample": 1.0, "n_estimators": 5}
    model = wl.GradientBoostingRegressor(**held).fit(X, y)
    before = model.predict(X)
    assert np.allclose(model.refit(X, y, keep=0).predict(X), before, rtol=1e-9)


def test_refit_moves_a_model_to_rows_that_have_moved() -> None:
    X, y = groups()
    model = wl.GradientBoostingRegressor(n_estimators=80).fit(X, y)
    later, target = groups(seed=1)
    target = 10 + 2 * target
    before = np.mean((model.predict(later) - target) ** 2)
    assert np.mean((model.refit(later, target).predict(later) - target) ** 2) < before
    assert np.mean((model.refit(later, target, keep=0).predict(later) - target) ** 2) < before / 50


def test_refit_knows_neither_order_nor_threads_and_copies_are_weights() -> None:
    X, y = groups()
    model = wl.GradientBoostingRegressor(n_estimators=10).fit(X, y)
    later, target = groups(seed=1)
    weight = np.random.default_rng(2).integers(0, 4, len(target))
    order = np.random.default_rng(3).permutation(np.repeat(np.arange(len(target)), weight))
    copied = model.truncate(10).refit(later.iloc[order], target[order]).fingerprint()
    weighted = model.truncate(10).set_params(n_jobs=2).refit(later, target, weight).fingerprint()
    assert copied == weighted


def test_leaves_that_no_row_reaches_keep_their_values() -> None:
    X, y = numbers()
    model = wl.GradientBoostingRegressor(n_estimators=3).fit(X, y)
    before = model.ensemble_.trees[0]
    after = model.refit(X[:1], y[:1], keep=0.5).ensemble_.trees[0]
    leaves = np.flatnonzero(before.is_leaf)
    kept = before.values[before.value[leaves]] == after.values[after.value[leaves]]
    assert np.count_nonzero(~kept) <= 1


def test_inner_nodes_are_settled_from_their_leaves() -> None:
    X, y = numbers()
    tree = wl.GradientBoostingRegressor(n_estimators=1).fit(X, y).ensemble_.trees[0]
    leaves = np.flatnonzero(tree.is_leaf)
    g, c = np.zeros(len(tree)), np.zeros(len(tree))
    g[leaves], c[leaves] = 2.0, 1.0
    moved = with_values(tree, g, c, 0.0, 0.0)
    assert np.allclose(moved.values, -2.0)
    assert leaf_sums(np.array([]), np.array([], np.int64), None, 2).tolist() == [0.0, 0.0]


def test_refit_is_refused_where_it_would_break_a_promise() -> None:
    X, y = numbers()
    monotone = wl.GradientBoostingRegressor(n_estimators=3, monotonic_cst=[0, 0, 1, *[0] * 7])
    with pytest.raises(ValueError, match="a fit with monotonic_cst: predictions would not"):
        monotone.fit(X, y).refit(X, y)
    dropped = wl.GradientBoostingRegressor(n_estimators=3, dropout=0.5).fit(X, y)
    with pytest.raises(ValueError, match="a fit with dropout: rounds were learnt without"):
        dropped.refit(X, y)
    with pytest.raises(ValueError, match="dropout"):
        dropped.update(X, y, n_estimators=2)
    median = wl.GradientBoostingRegressor(loss="absolute_error", n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match="refit needs a loss with a curvature, and 'absolute"):
        median.refit(X, y)
    for model in (monotone, median):
        assert model.n_iter_ == 3
    with pytest.raises(ValueError, match="keep=1 is not allowed"):
        wl.GradientBoostingRegressor(n_estimators=3).fit(X, y).refit(X, y, keep=1)


# ------------------------------------------------------------------------------------------- update


def test_update_on_the_same_rows_is_a_warm_start() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    straight = wl.GradientBoostingClassifier(n_estimators=20).fit(X, y)
    model = wl.GradientBoostingClassifier(n_estimators=12).fit(X, y).update(X, y, n_estimators=8)
    assert (model.predict_proba(X) == straight.predict_proba(X)).all()
    assert model.n_estimators == 12
    assert model.n_iter_ == 20


def test_update_learns_new_rows_without_a_warning(tmp_path: Any) -> None:
    X, y = groups()
    model = wl.GradientBoostingRegressor().fit(X, y)  # rounds by folds
    rounds, later = model.n_iter_, groups(seed=5)
    before = np.mean((model.predict(later[0]) - (later[1] + 3)) ** 2)
    model.update(later[0], later[1] + 3, n_estimators=60)
    assert model.n_iter_ == rounds + 60
    assert np.mean((model.predict(later[0]) - (later[1] + 3)) ** 2) < before / 3
    assert model._origin.row_sketch.known(model._schema.read(X)).all()  # of both fits
    model.save(tmp_path / "model.weak")
    assert wl.load(tmp_path / "model.weak").fingerprint() == model.fingerprint()


def test_update_refuses_what_it_never_knew_and_leaves_the_model() -> None:
    X, y = load_wine(return_X_y=True)
    model = wl.GradientBoostingClassifier(n_estimators=4).fit(X[y < 2], y[y < 2])
    before = model.fingerprint()
    with pytest.raises(ValueError, match="2"):
        model.update(X, y, n_estimators=3)
    with pytest.raises(ValueError, match="n_estimators=0 is not allowed"):
        model.update(X[y < 2], y[y < 2], n_estimators=0)
    assert model.fingerprint() == before
    assert model.n_estimators == 4


def test_new_rows_may_lie_in_files(tmp_path: Any) -> None:
    X, y = numbers()
    table = pa.table({f"x{j}": column for j, column in enumerate(X.T)} | {"y": y})
    pq.write_table(table, tmp_path / "rows.parquet")
    rows = ds.dataset(tmp_path)
    model = wl.GradientBoostingRegressor(n_estimators=4).fit(rows, "y")
    small = wl.GradientBoostingRegressor(n_estimators=4).fit(table.drop(["y"]), y)
    for each, given in ((model, (rows, "y")), (small, (table.drop(["y"]), y))):
        each.update(*given, n_estimators=2).refit(*given, keep=0.5)
    assert (model.predict(table.drop(["y"])) == small.predict(table.drop(["y"]))).all()


# ------------------------------------------------------------------------------------------- merge


def halves(model: Any, X: Any, y: Any) -> list[Any]:
    from sklearn.base import clone

    return [clone(model).fit(X[part::2], y[part::2]) for part in (0, 1)]


@pytest.mark.parametrize(
    ("model", "load"),
    [
        (wl.GradientBoostingRegressor(n_estimators=7), load_diabetes),
        (wl.GradientBoostingClassifier(n_estimators=7), load_breast_cancer),
        (wl.GradientBoostingClassifier(n_estimators=3), load_wine),
        (wl.AdditiveBoostingClassifier(n_estimators=20, n_bags=2, n_pairs=2), load_breast_cancer),
        (wl.AdditiveBoostingRegressor(n_estimators=20, n_bags=2, n_pairs=2), load_diabetes),
        (wl.AdditiveBoostingClassifier(n_estimators=10, n_bags=2, n_pairs=0), load_wine),
    ],
)
def test_the_score_is_the_mean_of_the_scores(model: Any, load: Any, tmp_path: Any) -> None:
    X, y = load(return_X_y=True)
    parts = halves(model, X, y)
    both = wl.merge(parts, weights=[1, 3])
    ask = (
        "decision_function"
        if hasattr(model, "classes_") or hasattr(both, "classes_")
        else "predict"
    )
    F = [getattr(each, ask)(X) for each in (*parts, both)]
    assert np.allclose(F[2], 0.25 * F[0] + 0.75 * F[1], rtol=1e-9, atol=1e-9)
    both.save(tmp_path / "both.weak")
    assert (getattr(wl.load(tmp_path / "both.weak"), ask)(X) == F[2]).all()
    explained = both.explain(X[:5])
    assert np.allclose(explained.scores, F[2][:5])


@pytest.mark.parametrize("kind", [wl.GradientBoostingRegressor, wl.AdditiveBoostingRegressor])
def test_categories_that_only_some_models_know(kind: Any) -> None:
    first, second = groups(letters="abcd"), groups(seed=1, letters="bcxyz")
    models = [kind(n_estimators=25).fit(*rows) for rows in (first, second)]
    both = wl.merge(models)
    for X in (first[0], second[0], first[0].assign(kind="never seen")):
        F = [model.predict(X) for model in (*models, both)]
        assert np.allclose(F[2], (F[0] + F[1]) / 2, rtol=1e-9, atol=1e-9)


def test_functions_of_a_merged_glass_box_are_centred_and_pure() -> None:
    X = np.random.default_rng(0).normal(size=(600, 3)).round(1)
    y = X[:, 0] * X[:, 1] + X[:, 2]
    model = wl.AdditiveBoostingRegressor(n_estimators=60, n_bags=2, pairs=[(0, 1)])
    parts = halves(model, X, y)
    both = wl.merge(parts)
    mean = (parts[0].predict(X) + parts[1].predict(X)) / 2
    assert np.allclose(both.predict(X), mean, rtol=1e-9, atol=1e-9)
    assert any(len(term.features) == 2 for term in both.ensemble_.terms)
    for term in both.ensemble_.terms:
        mass = term.counts / term.counts.sum()
        for axis in range(mass.ndim):
            if mass.ndim == 1:
                assert abs((term.values[:, 0] * mass).sum()) < 1e-9
            else:
                assert np.allclose((term.values[..., 0] * mass).sum(axis=axis), 0, atol=1e-9)


def test_what_has_no_mean_is_refused() -> None:
    X, y = load_wine(return_X_y=True)
    two = wl.GradientBoostingClassifier(n_estimators=2).fit(X[y < 2], y[y < 2])
    three = wl.GradientBoostingClassifier(n_estimators=2).fit(X, y)
    for models, kind, words in [
        ([], ValueError, "models is empty"),
        ([two, three], ValueError, r"models\[1\] has the classes"),
        ([two, wl.GradientBoostingRegressor(n_estimators=2).fit(X, y)], TypeError, "one class"),
        ([wl.AdaBoostClassifier().fit(X, y)], TypeError, "merge takes gradient boosting"),
        (
            [three, wl.GradientBoostingClassifier(n_estimators=2).fit(X[:, 1:], y)],
            ValueError,
            "other",
        ),
        (
            [
                two,
                wl.GradientBoostingClassifier(loss="exponential", n_estimators=2).fit(
                    X[y < 2], y[y < 2]
                ),
            ],
            ValueError,
            "another loss",
        ),
    ]:
        with pytest.raises(kind, match=words):
            wl.merge(models)
    with pytest.raises(ValueError, match="there are 1 models and 2 weights"):
        wl.merge([three], weights=[1, 2])


@pytest.mark.parametrize("way", ["update", "refit"])
def test_new_rows_are_read_by_name_where_the_model_reads_so(way: str) -> None:
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 3)), columns=list("abc"))
    y = X["a"] + X["b"]
    more = {"n_estimators": 2} if way == "update" else {}

    def learnt(rows: pd.DataFrame, columns: str) -> str:
        model = wl.GradientBoostingRegressor(n_estimators=3, columns=columns).fit(X, y)
        return str(getattr(model, way)(rows, y, **more).fingerprint())

    turned = X[["c", "a", "b"]].assign(d=1)
    assert learnt(turned, "by_name") == learnt(X, "by_name")
    with pytest.raises(ValueError, match="columns='by_name'"):
        learnt(turned, "strict")
    with pytest.raises(ValueError, match="columns='by_name'"):
        learnt(X[["a", "b"]], "strict")
