"""Contributions of sums of trees: Shapley values by their definition, and what they add up to."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

import weaklearn as wl
from tests import forms
from tests.mixed_table import later_rows, mixed_table
from tests.reference import shapley as reference
from weaklearn.engines import Engine
from weaklearn.inspection.no_tree_sum import NoTreeSum
from weaklearn.uncertainty.decision_threshold import name_positive

TREES = [
    wl.DecisionTreeClassifier(missing=missing, categorical=categorical, max_depth=5)
    for missing in ("side", "branch", "fraction")
    for categorical in ("subset", "equality", "multiway")
]
SUMS = {
    "gradient": wl.GradientBoostingClassifier(n_estimators=4),
    "forest": wl.RandomForestClassifier(n_estimators=3, max_depth=5),
    "bag": wl.BaggingClassifier(n_estimators=3, max_features=0.6, max_samples=0.4),
    "woods": wl.AdaBoostClassifier("tree", n_estimators=3),
    "stumps": wl.AdaBoostClassifier(n_estimators=12),
    "multiway": wl.AdaBoostClassifier(
        wl.DecisionStumpClassifier(categorical="multiway"), n_estimators=12
    ),
    "silent": wl.AdaBoostClassifier(wl.DecisionStumpClassifier(missing="abstain"), n_estimators=12),
    "real": wl.RealAdaBoostClassifier(n_estimators=6),
    "ovr": wl.AdaBoostClassifier(n_estimators=6, multiclass="ovr"),
    "samme": wl.AdaBoostClassifier(n_estimators=6, multiclass="samme"),
}


AVERAGES = (
    *(wl.DecisionTreeClassifier, wl.ID3Classifier, wl.RandomForestClassifier),
    wl.BaggingClassifier,
)


def score(model: Any, X: Any) -> Any:
    """What an explanation must add up to."""
    if isinstance(model, AVERAGES):
        p = model.predict_proba(X)
        return p[:, 1] if p.shape[1] == 2 else p
    return model.decision_function(X) if hasattr(model, "classes_") else model.predict(X)


def numbers(rows: Any) -> Any:
    """The cells of rows as the twins read them: levels are numbers, missing ones NaN."""
    columns = [np.asarray(rows.column(j), float) for j in range(rows.cells.n_features)]
    X = np.column_stack(columns)
    levels = rows.cells.n_categories
    X[:, levels > 0] = np.where(X[:, levels > 0] < 0, np.nan, X[:, levels > 0])
    return X


@pytest.mark.parametrize("tree", TREES, ids=lambda t: f"{t.missing}-{t.categorical}")
def test_kernel_gives_what_the_definition_says(tree):
    X, _, three, _ = mixed_table()
    model = clone(tree).fit(X[["age", "town", "ward", "dose"]], three)
    rows = model._rows(later_rows()[["age", "town", "ward", "dose"]][:12])
    t, levels = model.tree_, rows.cells.n_categories
    for cover in (t.weight, t.count.astype(float)):
        kernel = Engine(1).prediction.shapley(
            [t], [cover], 4, levels, votes=np.array([0.5]), outputs=np.array([-1]), n_outputs=3
        )
        phi, pairs = kernel.contributions(rows.cells, 1), kernel.interactions(rows.cells, 1)
        for i, x in enumerate(numbers(rows)):
            assert phi[i] == pytest.approx(0.5 * reference.shapley(t, cover, x, levels), abs=1e-13)
            wanted = 0.5 * reference.interactions(t, cover, x, levels)
            assert pairs[i] == pytest.approx(wanted, abs=1e-13)
        mean = 0.5 * reference.worth(t, cover, numbers(rows)[0], levels, frozenset())
        assert kernel.base == pytest.approx(mean, abs=1e-14)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    d=st.integers(1, 7),
    n=st.integers(2, 60),
    depth=st.integers(1, 9),
    gaps=st.booleans(),
)
def test_contributions_hold_for_any_tree(seed, d, n, depth, gaps):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, d)).astype(float)
    if gaps:
        X[rng.random(X.shape) < 0.2] = np.nan
    y = rng.normal(size=n)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = wl.DecisionTreeRegressor(max_depth=depth).fit(X, y, rng.integers(1, 4, n))
    why, t = model.explain(X[:3]), model.tree_
    wanted = [reference.shapley(t, t.weight, x, np.zeros(d, int))[:, 0] for x in X[:3]]
    assert why.contributions == pytest.approx(np.array(wanted), abs=1e-12)
    assert why.scores == pytest.approx(model.predict(X[:3]), abs=1e-12)


def fitted(name: str, n_classes: int) -> Any:
    X, two, three, _ = mixed_table()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(SUMS[name]).fit(X, two if n_classes == 2 else three)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", SUMS)
def test_contributions_add_up_on_every_kind_of_column(name, n_classes):
    model, X = fitted(name, n_classes), later_rows()
    why = model.explain(X)
    assert why.scores == pytest.approx(score(model, X), abs=1e-10)
    assert why.names == tuple(X.columns)
    assert why.outputs == (() if n_classes == 2 else tuple(model.classes_))
    together = model.interactions(X)
    assert together.values.sum(axis=2) == pytest.approx(why.contributions, abs=1e-10)
    assert together.values == pytest.approx(together.values.swapaxes(1, 2), abs=1e-12)
    assert together.base == pytest.approx(why.base)


@forms.each([form for form in forms.FORMS + forms.CANON + forms.REDUCED if form.native])
def test_every_sum_of_trees_is_explained(form):
    model = form.fit()
    if not hasattr(model, "explain"):
        assert not hasattr(model, "interactions")
        return
    why, X = model.explain(form.X), form.X
    coded = getattr(getattr(model, "ensemble_", None), "sums", True) is False
    bits = why.scale.startswith("score of a bit of the code")
    if bits or (why.outputs and " against " in why.outputs[0]):
        assert why.contributions.shape[0] == len(X)  # explained before they are decoded
    elif not (coded and why.outputs):
        assert why.scores == pytest.approx(score(model, X), abs=1e-10)


def test_base_is_the_mean_score_of_the_training_examples():
    X, two, _, target = mixed_table()
    for model in (
        wl.GradientBoostingRegressor(n_estimators=5, subsample=1.0),
        wl.DecisionTreeRegressor(max_depth=4),
    ):
        model.fit(X, target)
        assert model.explain(X[:1]).base == pytest.approx(model.predict(X).mean(), abs=1e-9)
    boosted = wl.AdaBoostClassifier("tree", n_estimators=4).fit(X, two)
    mean = boosted.decision_function(X).mean()
    assert boosted.explain(X[:1]).base == pytest.approx(mean, abs=1e-9)


def test_a_stump_speaks_for_its_own_column():
    X, y = wl.datasets.toy()
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
    why = model.explain(X)
    assert why.base == 0.0
    for j in range(2):
        said = [vote * h(model._rows(X)) for vote, h in model.ensemble_ if h.feature == j]
        assert why.contributions[:, j] == pytest.approx(np.sum(said, axis=0), abs=1e-12)


@pytest.mark.parametrize("name", ["gradient", "woods", "stumps", "real", "ovr"])
def test_centred_contributions_start_from_the_mean_score(name: str) -> None:
    X, two, three, _ = mixed_table()
    model = clone(SUMS[name]).fit(X, three if name == "ovr" else two)
    why = model.explain(later_rows())
    centred, background = why.centred(model.explain(X)), model.explain(X)
    assert centred.base == pytest.approx(background.scores.mean(axis=0), abs=1e-9)
    assert centred.scores == pytest.approx(why.scores, abs=1e-9)
    means = background.centred(background).contributions.mean(axis=0)
    assert means == pytest.approx(np.zeros(means.shape), abs=1e-9)


def test_a_background_is_of_the_same_model() -> None:
    X, y = wl.datasets.toy()
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
    why = model.explain(X)
    with pytest.raises(ValueError, match="explanation of another model"):
        why.centred(wl.AdaBoostClassifier("tree", n_estimators=3).fit(X, y).explain(X))
    with pytest.raises(ValueError, match="explains no rows"):
        why.centred(model.explain(np.asarray(X)[:0]))


def test_columns_that_are_not_asked_for_add_nothing():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 5))
    model = wl.GradientBoostingRegressor(n_estimators=3, max_leaf_nodes=2).fit(X, X[:, 2])
    why = model.explain(X)
    assert (np.delete(why.contributions, 2, axis=1) == 0).all()
    assert why.table(0).rows[1][1]  # they still tell what the row holds


def test_threads_blocks_and_order_change_no_bit():
    X, y = forms.sample()[0], forms.sample()[1]
    model = wl.GradientBoostingClassifier(n_estimators=20).fit(X, y)
    whole = model.set_params(n_jobs=2).explain(X).contributions
    rows = [model.set_params(n_jobs=1).explain(X[i : i + 1]).contributions for i in range(len(X))]
    assert np.array_equal(whole, np.concatenate(rows))
    assert np.array_equal(model.explain(X[::-1]).contributions[::-1], whole)


def test_a_known_score_is_added():
    X, _, _, target = mixed_table()
    model = wl.GradientBoostingRegressor(n_estimators=4).fit(X, target)
    offset = np.linspace(-1, 1, len(X))
    why = model.explain(X, offset=offset)
    assert why.scores == pytest.approx(model.predict(X, offset=offset), abs=1e-10)
    prior = wl.AdaBoostLClassifier(n_estimators=4, prior=lambda X: np.full(len(X), 0.3))
    x, y = wl.datasets.toy()
    prior.fit(x, y)
    assert prior.explain(x).scores == pytest.approx(prior.decision_function(x), abs=1e-10)
    assert prior.explain(x).offset == pytest.approx(np.log(3 / 7))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (wl.AdaBoostRegressor(n_estimators=3), "median"),
        (wl.AdaBoostClassifier(LogisticRegression(), n_estimators=3), "LogisticRegression"),
        (
            wl.AdaBoostClassifier(wl.DecisionTreeClassifier(missing="fraction"), n_estimators=2),
            "missing='side'",
        ),
    ],
)
def test_what_is_no_sum_of_trees_is_refused(model, words):
    X, y = forms.sample()[0], forms.sample()[1]
    X = X.copy()
    if words.startswith("missing"):
        X[:20, 0] = np.nan
    model = clone(model).fit(X, y)
    with pytest.raises(NoTreeSum, match=words):
        model.explain(X)


def test_interactions_find_the_pair(monkeypatch):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 4))
    model = wl.GradientBoostingRegressor(n_estimators=60).fit(X, X[:, 0] * X[:, 3] + X[:, 1])
    table = model.interactions(X[:50]).table()
    assert table.rows[0][:2] == ("x[0]", "x[3]")
    assert table.rows[0][2] > 1.5 * table.rows[1][2]
    assert list(model.interactions(X[:5]).to_frame().columns) == ["column", "with", "strength"]
    monkeypatch.setattr("weaklearn.inspection.shapley._MOST_NUMBERS", 100)
    with pytest.raises(ValueError, match="fewer rows"):
        model.interactions(X)


def test_bags_of_regressors_are_explained():
    X, _, _, y = mixed_table()
    base = wl.GradientBoostingRegressor(n_estimators=3)
    model = wl.BaggingRegressor(base, 3, max_features=0.6).fit(X, y)
    why, rows = model.explain(later_rows()), later_rows()
    assert why.scores == pytest.approx(model.predict(rows), abs=1e-12)
    assert model.interactions(rows).values.sum(axis=2) == pytest.approx(why.contributions)


def test_an_export_names_another_way_out_than_an_explanation():
    X = np.arange(20.0)[:, None]
    model = wl.AdaBoostRegressor(n_estimators=3).fit(X, X[:, 0] ** 2)
    with pytest.raises(TypeError, match="permutation_importance"):
        model.explain(X)
    with pytest.raises(TypeError, match=r"keep it by save\(\) and ask it by weaklearn\.runtime"):
        model.to_c()
    bag = wl.BaggingClassifier(wl.AdaBoostClassifier(n_estimators=2), 2).fit(X, X[:, 0] > 9)
    with pytest.raises(TypeError, match="explain each of estimators_ by itself"):
        bag.explain(X)
    with pytest.raises(TypeError, match="use estimator='stump' or 'tree'"):
        wl.BaggingClassifier(KNeighborsClassifier(), 2).fit(X, X[:, 0] > 9).to_onnx()


@pytest.mark.parametrize("code", ["random", "all-pairs", "exhaustive", [[-1], [1]], [[1], [-1]]])
def test_the_one_bit_of_two_classes_speaks_for_the_class_that_it_names(code: Any) -> None:
    X, two, _, _ = mixed_table()
    model = wl.AdaBoostMOClassifier(code=code, n_estimators=5).fit(X, two)
    for_second = model.predict(X) == model.classes_[1]
    for label, favoured in zip(model.classes_, (~for_second, for_second), strict=True):
        why = model.explain(X, positive=label)
        assert why.scale == f"score of a bit of the code of {label}"
        assert ((why.scores > 0) == favoured).all()
    assert model.explain(X).scale.endswith(f" of {model.classes_[1]}")


@pytest.mark.parametrize("name", [*SUMS, "reduction"])
def test_interactions_are_of_the_class_of_contributions(name: str) -> None:
    X, two, _, _ = mixed_table()
    reduced = wl.OneVsRestBooster(wl.AdaBoostClassifier(n_estimators=3))
    model = clone(SUMS.get(name, reduced)).fit(X, two)
    plain = model.interactions(X)
    name_positive(model, model.classes_[0])
    why, pairs = model.explain(X), model.interactions(X)
    assert pairs.scale == why.scale
    assert pairs.values.sum(axis=2) == pytest.approx(why.contributions, abs=1e-10)
    assert pairs.base == pytest.approx(why.base)
    assert np.array_equal(pairs.values, -plain.values)
    again = model.interactions(X, positive=model.classes_[1])
    assert np.array_equal(again.values, plain.values)
    assert again.scale == plain.scale
    several = clone(model).fit(X, np.arange(len(X)) % 3)
    with pytest.raises(ValueError, match="it is for two"):
        several.interactions(X, positive=1)
    assert plain.scale.endswith(f" of {model.classes_[1]}")
