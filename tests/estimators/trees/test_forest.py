"""Random forests: grown on drawn bags, the same bits always, honest about rows left out."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, make_friedman1
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.metrics import balanced_accuracy_score, log_loss
from sklearn.model_selection import train_test_split

from tests.samples import same_bits
from weaklearn import (
    BaggingClassifier,
    BaggingRegressor,
    DataWarning,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from weaklearn.estimators.trees.tree_parameters import read_learner

pd = pytest.importorskip("pandas")


def table(n: int = 240, seed: int = 0) -> Any:
    """Numbers many and few, categories, gaps and equal rows."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "many": rng.normal(size=n).round(2),
            "few": rng.integers(0, 5, n).astype(float),
            "colour": pd.Categorical(rng.choice(["red", "green", "blue", "grey"], n)),
            "noise": rng.integers(0, 40, n).astype(float),
        }
    )
    X.loc[rng.random(n) < 0.1, "many"] = np.nan
    X.loc[rng.random(n) < 0.1, "colour"] = None
    return X.iloc[np.r_[0 : n - 40, 0:40]].reset_index(drop=True)


def score_of(X: Any, seed: int = 0) -> Any:
    rng = np.random.default_rng([seed, 1])
    score = X["many"].fillna(0) + (X["few"] > 2) + 1.5 * (X["colour"] == "red")
    return score.to_numpy() + 0.5 * rng.normal(size=len(X))


SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "entropy": {"criterion": "entropy", "max_features": None},
    "small": {"max_leaf_nodes": 8, "max_samples": 0.5, "min_samples_leaf": 3},
    "exact": {"exact": True, "max_depth": 6},
    "all rows": {"bootstrap": False, "oob_score": False},
    "balanced": {"class_weight": "balanced"},
}
ALL = [(k, name) for k in (2, 3) for name in SETTINGS] + [
    (0, name) for name in SETTINGS if name not in ("entropy", "balanced")
]
every_forest = pytest.mark.parametrize(("n_classes", "name"), ALL)


def forest_of(n_classes: int, name: str, **given: Any) -> Any:
    given = {"n_estimators": 8, "random_state": 3, "oob_score": True} | SETTINGS[name] | given
    return (RandomForestClassifier if n_classes else RandomForestRegressor)(**given)


def target(n_classes: int, X: Any) -> Any:
    score = score_of(X)
    return score if n_classes == 0 else np.digitize(score, [0.5, 1.5][: n_classes - 1])


def oob_of(model: Any) -> Any:
    answers = getattr(model, model._oob_name)
    return answers.reshape(len(answers), -1)


def same_tree(a: Any, b: Any) -> bool:
    pairs = zip(a.arrays().values(), b.arrays().values(), strict=True)
    return all(same_bits(x, y) for x, y in pairs)


def same_forest(a: Any, b: Any) -> bool:
    trees = zip(a.trees_, b.trees_, strict=True)
    facts = all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for name in ("oob_score_", "oob_coverage_")
        if hasattr(a, name)
    )
    return facts and all(same_tree(s, t) for s, t in trees)


# ------------------------------------------------------------------------------- what it computes


@every_forest
def test_answers_are_averages_over_the_trees(n_classes: int, name: str) -> None:
    X = table()
    y = target(n_classes, X)
    model = forest_of(n_classes, name).fit(X, y)
    trees = model.estimators_
    if n_classes == 0:
        said = np.array([tree.predict(X) for tree in trees])
        assert model.predict(X) == pytest.approx(said.mean(axis=0))
        assert model.predict_std(X) == pytest.approx(said.std(axis=0))
    else:
        said = np.array([tree.predict_proba(X) for tree in trees])
        proba = said.mean(axis=0)
        assert model.predict_proba(X) == pytest.approx(proba)
        spread = said.std(axis=0)
        found = model.predict_std(X)
        assert found == pytest.approx(spread if n_classes > 2 else spread[:, 1])
        assert (model.predict(X) == model.predict_proba(X).argmax(axis=1)).all()
    leaves = model.apply(X)
    assert leaves.tolist() == np.array([tree.apply(X) for tree in trees]).T.tolist()
    paths, starts = model.decision_path(X[:5])
    assert paths.shape == (5, starts[-1])
    for b, tree in enumerate(trees):
        part = paths[:, starts[b] : starts[b + 1]]
        assert (part != tree.decision_path(X[:5])).nnz == 0


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_out_of_bag_answers_by_brute_force(n_classes: int) -> None:
    X = table()
    y = target(n_classes, X)
    model = forest_of(n_classes, "plain").fit(X, y)
    sums, counts = np.zeros(oob_of(model).shape), np.zeros(len(y))
    for tree, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        assert len(rows) == len(y) == tree.tree_.count[0]
        out = np.setdiff1d(np.arange(len(y)), rows)
        part = X.iloc[out]
        sums[out] += tree.predict_proba(part) if n_classes else tree.predict(part)[:, None]
        counts[out] += 1
    known = counts > 0
    assert 0 < known.mean() < 1
    expected = sums[known] / counts[known, None]
    assert oob_of(model)[known] == pytest.approx(expected)
    assert np.isnan(oob_of(model)[~known]).all()
    assert model.oob_coverage_ == known.mean()
    if n_classes:
        assert model.oob_score_ == pytest.approx((expected.argmax(axis=1) == y[known]).mean())
    else:
        left = ((expected[:, 0] - y[known]) ** 2).mean()
        assert model.oob_score_ == pytest.approx(1 - left / y[known].var())


@pytest.mark.parametrize("weight", [None, "copies", "importances"])
def test_bags_are_those_that_the_kernel_draws(weight: Any) -> None:
    X = table()
    y, rng = target(2, X), np.random.default_rng(6)
    w = {"copies": rng.integers(1, 4, len(y)), "importances": rng.random(len(y))}.get(weight)
    model = forest_of(2, "plain").fit(X, y, w)
    learner = replace(read_learner(model), seed=3)
    sample = model._prepare(X, y, w, learner, False).sample
    grower = sample.engine.trees.grower(sample, learner.settings(sample))
    for b, rows in enumerate(model.estimators_samples_):
        copies = np.bincount(rows, minlength=len(y))
        assert same_tree(grower.grow(None, key=b, copies=copies), model.trees_[b])


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.parametrize("exact", [True, False])
def test_with_all_features_it_is_bagging_of_trees(n_classes: int, exact: bool) -> None:
    X = table().drop(columns="colour")  # the forest pools rare categories, a tree does not
    y = target(n_classes, table())
    given = {"n_estimators": 6, "random_state": 4, "oob_score": True}
    forest = forest_of(n_classes, "plain", exact=exact, max_features=None, **given).fit(X, y)
    if n_classes:
        bagging = BaggingClassifier(DecisionTreeClassifier(exact=exact), **given).fit(X, y)
    else:
        bagging = BaggingRegressor(DecisionTreeRegressor(exact=exact), **given).fit(X, y)
    assert [r.tolist() for r in forest.estimators_samples_] == [
        r.tolist() for r in bagging.estimators_samples_
    ]
    for tree, member in zip(forest.trees_, bagging.estimators_, strict=True):
        for part in ("ask", "feature", "threshold", "first", "missing", "value", "count"):
            assert same_bits(getattr(tree, part), getattr(member.tree_, part))
        # Means are rounded on a grid that spans the numbers of the whole sample, or of the bag.
        assert tree.values == pytest.approx(member.tree_.values, rel=1e-9, abs=1e-9)
        assert n_classes == 0 or same_tree(tree, member.tree_)
    assert forest.oob_score_ == pytest.approx(bagging.oob_score_)


def test_features_are_drawn_afresh_at_each_split() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    y = (X.sum(axis=1) > 0).astype(int)
    forest = RandomForestClassifier(20, max_features=1).fit(X, y)
    used = [set(tree.feature[~tree.is_leaf].tolist()) for tree in forest.trees_]
    assert all(len(features) >= 4 for features in used)
    roots = {int(tree.feature[0]) for tree in forest.trees_}
    assert len(roots) >= 4


def test_a_split_is_found_where_there_is_one() -> None:
    X = np.zeros((40, 30))
    X[:, 17] = np.arange(40)  # the only column that is not constant
    y = (X[:, 17] > 20).astype(int)
    forest = RandomForestClassifier(10, max_features=1).fit(X, y)
    assert all(int(tree.feature[0]) == 17 for tree in forest.trees_)
    assert forest.feature_importances_.tolist() == np.eye(30)[17].tolist()


def test_importances_name_what_matters() -> None:
    X = table(600)
    model = RandomForestClassifier(30).fit(X, target(2, X))
    shares = dict(zip(X.columns, model.feature_importances_.tolist(), strict=True))
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["noise"] < min(shares["many"], shares["colour"])


def test_out_of_bag_error_tracks_test_error() -> None:
    X = table(1500)
    y = target(2, X)
    big, small = RandomForestClassifier(60, oob_score=True), RandomForestClassifier(60)
    big.fit(X[:750], y[:750])
    assert big.oob_score_ == pytest.approx(big.score(X[750:], y[750:]), abs=0.03)
    assert small.fit(X[:750], y[:750]).score(X[:750], y[:750]) > big.oob_score_ + 0.05
    z = score_of(X)
    numbers = RandomForestRegressor(60, oob_score=True).fit(X[:750], z[:750])
    assert numbers.oob_score_ == pytest.approx(numbers.score(X[750:], z[750:]), abs=0.06)


def test_it_is_as_good_as_scikit_learns() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
    ours = RandomForestClassifier(60).fit(X, y).score(X_test, y_test)
    theirs = TheirForest(60, random_state=0).fit(X, y).score(X_test, y_test)
    assert ours > theirs - 0.015


# ----------------------------------------------------------------------------- the same bits always


@every_forest
def test_threads_do_not_matter(n_classes: int, name: str, monkeypatch: Any) -> None:
    X = table()
    y = target(n_classes, X)
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("WEAKLEARN_NUM_THREADS", threads)
        found.append(forest_of(n_classes, name).fit(X, y))
    assert all(same_forest(other, found[0]) for other in found[1:])
    answers = [model.predict_proba(X) if n_classes else model.predict(X) for model in found]
    assert all(same_bits(other, answers[0]) for other in answers[1:])


@every_forest
@pytest.mark.parametrize("weight", [None, "copies", "importances"])
def test_the_order_of_rows_does_not_matter(n_classes: int, name: str, weight: Any) -> None:
    X = table()
    y = target(n_classes, X)
    rng = np.random.default_rng(1)
    w = {"copies": rng.integers(0, 4, len(y)), "importances": rng.random(len(y))}.get(weight)
    order = rng.permutation(len(y))
    straight = forest_of(n_classes, name).fit(X, y, w)
    mixed = forest_of(n_classes, name).fit(X.iloc[order], y[order], None if w is None else w[order])
    assert same_forest(mixed, straight)


@every_forest
def test_a_whole_weight_is_so_many_copies(n_classes: int, name: str) -> None:
    X = table()
    y = target(n_classes, X)
    weight = np.random.default_rng(2).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    weighted = forest_of(n_classes, name).fit(X, y, weight)
    repeated = forest_of(n_classes, name).fit(X.iloc[rows], y[rows])
    assert same_forest(weighted, repeated)
    if hasattr(weighted, "oob_score_"):
        assert np.isnan(oob_of(weighted)[weight == 0]).all()


def test_a_whole_weight_is_so_many_copies_in_coarse_bins() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(900, 3))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    weight = rng.integers(0, 4, 900)
    rows = np.repeat(np.arange(900), weight)
    weighted = RandomForestClassifier(5, oob_score=True).fit(X, y, weight)
    assert same_forest(weighted, RandomForestClassifier(5, oob_score=True).fit(X[rows], y[rows]))


def test_scaled_importances_are_the_same() -> None:
    X = table()
    y, w = target(3, X), np.random.default_rng(4).random(len(X)) + 0.1
    once = forest_of(3, "plain").fit(X, y, w)
    assert same_forest(forest_of(3, "plain").fit(X, y, w * 2.0**-70), once)


def test_layouts_do_not_matter() -> None:
    rng = np.random.default_rng(5)
    X = np.where(rng.random((400, 5)) < 0.4, rng.normal(size=(400, 5)), 0.0)
    X = X.astype(np.float32).astype(np.float64)
    y = (X.sum(axis=1) + rng.normal(size=400) > 0).astype(int)
    expected = RandomForestClassifier(5).fit(X, y)
    for other in (np.asfortranarray(X), X.astype(np.float32), sp.csr_matrix(X), sp.csc_array(X)):
        model = RandomForestClassifier(5).fit(other, y)
        assert same_forest(model, expected)
        assert same_bits(model.predict_proba(other), expected.predict_proba(X))


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_a_warm_start_goes_on(n_classes: int) -> None:
    X = table()
    y = target(n_classes, X)
    straight = forest_of(n_classes, "plain", n_estimators=9).fit(X, y)
    model = forest_of(n_classes, "plain", n_estimators=4, warm_start=True).fit(X, y)
    model.predict(X)  # packs four trees
    model.set_params(n_estimators=9).fit(X, y)
    assert same_forest(model, straight)
    assert same_bits(model.predict(X), straight.predict(X))
    with pytest.raises(ValueError, match="n_estimators=3 must be larger or equal to the 9"):
        model.set_params(n_estimators=3).fit(X, y)
    model.set_params(n_estimators=12)
    with pytest.raises(ValueError, match="with the rows of the earlier fit"):
        model.fit(X[1:], y[1:])
    model.set_params(oob_score=False).fit(X[1:], y[1:])
    assert len(model.trees_) == 12
    assert not hasattr(model, "oob_score_")


@pytest.mark.filterwarnings("ignore:X has 1 column")
@pytest.mark.parametrize("n_categories", [100, 300, 10_000])
def test_categories_of_noise_cost_little(n_categories: int) -> None:
    rng = np.random.default_rng(n_categories)
    X, y = make_friedman1(3000, noise=2.0, random_state=0)
    noise = [f"v{k}" for k in rng.integers(0, n_categories, len(X))]
    plain = pd.DataFrame(X[:, :6]).add_prefix("x")
    noisy = plain.assign(noise=noise)
    losses: dict[str, list[float]] = {"numbers": [], "classes": []}
    for table in (plain, noisy):
        numbers = RandomForestRegressor(60).fit(table[:1500], y[:1500])
        losses["numbers"].append(np.mean((numbers.predict(table[1500:]) - y[1500:]) ** 2))
        high = (y > 14).astype(int)
        classes = RandomForestClassifier(60).fit(table[:1500], high[:1500])
        share = classes.predict_proba(table[1500:])[:, 1].clip(1e-3, 1 - 1e-3)
        losses["classes"].append(log_loss(high[1500:], share))
    for before, after in losses.values():
        assert after < 1.03 * before


def test_clones_and_pickles() -> None:
    X = table()
    y = target(3, X)
    model = forest_of(3, "plain").fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert same_forest(again, model)
    assert same_bits(again.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(again.oob_decision_function_, oob_of(model), equal_nan=True)
    with pytest.raises(AttributeError, match="not stored with it"):
        _ = again.estimators_samples_
    weighed = clone(model).fit(X, y, np.arange(len(X)) % 3)  # rows of weight 0 are left out
    assert len(weighed._used) == len(X)
    assert not hasattr(pickle.loads(pickle.dumps(weighed)), "_used")
    again.set_params(warm_start=True, n_estimators=10).fit(X, y)
    assert same_forest(again, forest_of(3, "plain", n_estimators=10).fit(X, y))
    assert not hasattr(clone(model), "trees_")


def test_a_forest_is_small_when_stored() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    ours = RandomForestClassifier(50).fit(X, y)
    theirs = TheirForest(50, random_state=0).fit(X, y)
    assert len(pickle.dumps(ours)) < len(pickle.dumps(theirs))


# ----------------------------------------------------------------------------------------- the data


def test_a_column_of_names_is_never_split_on() -> None:
    X = table()
    y = target(2, X)
    X.insert(0, "name", [f"person {i}" if i % 9 else None for i in range(len(X))])
    with pytest.warns(DataWarning, match="hardly ever repeat.*column 'name'") as caught:
        model = RandomForestClassifier(10).fit(X, y)
    assert len(caught) == 1
    assert all(0 not in tree.feature for tree in model.trees_)
    without = RandomForestClassifier(10, max_features=2).fit(X.drop(columns="name"), y)
    assert len(without.trees_) == len(model.trees_)
    new = X.copy()
    new["name"] = "nobody"
    assert same_bits(model.predict_proba(new), model.predict_proba(X))


def test_rare_categories_are_taken_together() -> None:
    rng = np.random.default_rng(0)
    n = 600
    town = rng.choice(
        ["Bath", "Ely", "Wells", *(f"hamlet {k}" for k in range(200))],
        n,
        p=[0.3, 0.2, 0.2, *[0.3 / 200] * 200],
    )
    X = pd.DataFrame({"town": town, "x": rng.normal(size=n)})
    y = (np.isin(town, ["Bath", "Wells"]) ^ (rng.random(n) < 0.05)).astype(int)
    model = RandomForestClassifier(30, max_features=None, max_depth=3).fit(X, y)
    seen, rare, new = X.iloc[:3].copy(), X.iloc[:3].copy(), X.iloc[:3].copy()
    seen["town"], rare["town"], new["town"] = "Ely", "hamlet 7", "Atlantis"
    assert same_bits(model.predict_proba(rare), model.predict_proba(new))
    assert (model.predict(seen) == 0).all()
    assert (model.predict(new) == 0).all()
    strict = RandomForestClassifier(3, unseen="error").fit(X, y)
    with pytest.raises(ValueError, match="'Atlantis', which training never saw"):
        strict.predict(new)


def test_noise_of_many_levels_does_little_harm() -> None:
    rng = np.random.default_rng(1)
    n = 4000
    X = pd.DataFrame({"x": rng.normal(size=n), "z": rng.normal(size=n)})
    y = (rng.random(n) < 1 / (1 + np.exp(-2 * X["x"] - X["z"]))).to_numpy().astype(int)
    noisy = X.assign(code=[f"c{k}" for k in rng.integers(0, 800, n)])

    def loss(table: Any) -> float:
        model = RandomForestClassifier(40, min_samples_leaf=10).fit(table[:2000], y[:2000])
        p = model.predict_proba(table[2000:])[np.arange(2000), y[2000:]]
        return float(-np.log(np.clip(p, 1e-3, 1)).mean())

    assert loss(noisy) < loss(X) * 1.05


def test_missing_values_follow_the_better_side() -> None:
    X = np.arange(60.0)[:, None]
    y = (X[:, 0] >= 30).astype(int)
    X[50:] = np.nan
    y[50:] = 0
    model = RandomForestClassifier(25).fit(X, y)
    assert model.predict([[np.nan], [3.0], [40.0]]).tolist() == [0, 0, 1]


@pytest.mark.parametrize("kind", [RandomForestClassifier, RandomForestRegressor])
def test_monotonic_constraints_hold(kind: Any) -> None:
    X = table(600).drop(columns="colour").fillna(0.0)
    y = target(2 if kind is RandomForestClassifier else 0, table(600))
    model = kind(20, max_depth=6, monotonic_cst={"many": 1, "few": -1}).fit(X, y)
    line = pd.DataFrame({"many": np.linspace(-3, 3, 50), "few": 2.0, "noise": 7.0})

    def said(rows: Any) -> Any:
        if kind is RandomForestRegressor:
            return model.predict(rows)
        return model.predict_proba(rows)[:, 1]

    assert (np.diff(said(line)) >= 0).all()
    assert said(line)[-1] > said(line)[0]
    falling = pd.DataFrame({"many": 0.5, "few": np.arange(5.0), "noise": 7.0})
    assert (np.diff(said(falling)) <= 0).all()


def test_class_weights() -> None:
    X = table()
    y = (score_of(X) > 2).astype(int)  # few ones
    plain = RandomForestClassifier(20, max_depth=3).fit(X, y)
    fair = RandomForestClassifier(20, max_depth=3, class_weight="balanced").fit(X, y)
    assert fair.predict(X).mean() > plain.predict(X).mean()
    heavy = RandomForestClassifier(20, max_depth=3, class_weight={1: 3}).fit(X, y)
    copies = RandomForestClassifier(20, max_depth=3).fit(X, y, np.where(y == 1, 3, 1))
    assert same_forest(heavy, copies)
    alone = RandomForestClassifier(5, class_weight={0: 0}, oob_score=True).fit(X, y)
    assert (alone.predict(X) == 1).all()
    assert np.isnan(alone.oob_decision_function_[y == 0]).all()


def test_one_class_and_one_row() -> None:
    with pytest.warns(DataWarning, match="one class"):
        model = RandomForestClassifier(3).fit([[1.0], [2.0]], ["only", "only"])
    assert model.predict_proba([[5.0]]).tolist() == [[1.0]]
    assert model.predict([[5.0]]).tolist() == ["only"]
    with pytest.warns(DataWarning, match="every column of X is constant"):
        number = RandomForestRegressor(3).fit([[1.0]], [2.5])
    assert number.predict([[7.0]]).tolist() == [2.5]
    assert number.predict_std([[7.0]]).tolist() == [0.0]


def test_huge_numbers_to_predict() -> None:
    X = np.arange(40.0)[:, None]
    for scale in (1e300, 1e-300, 1.0):
        y = np.where(X[:, 0] < 20, -scale, scale)
        said = RandomForestRegressor(10).fit(X, y).predict(X)
        assert np.isfinite(said).all()
        assert said[0] == pytest.approx(-scale)
        assert said[-1] == pytest.approx(scale)


def test_trees_can_be_read() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = RandomForestClassifier(3, max_depth=2).fit(X, y)
    assert "petal" in model.estimators_[0].to_text() + model.estimators_[1].to_text()
    assert model.estimators_[0].tree_ is model.trees_[0]
    assert len(model) == 3
    assert model[1] is model.estimators_[1]
    assert list(model) == model.estimators_
    assert [len(tree.rules()) for tree in model.estimators_] == [t.n_leaves for t in model.trees_]


# ----------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n_estimators": 0}, "n_estimators=0 is not allowed"),
        ({"max_features": 0}, "max_features=0 is not allowed"),
        ({"max_features": 1.5}, "max_features=1.5 is not allowed"),
        ({"max_features": "all"}, "max_features='all' is not allowed"),
        ({"max_features": 5}, "max_features=5 is more than X has: 4 columns"),
        ({"max_samples": 0}, "max_samples=0 is not allowed"),
        ({"max_samples": 10**9}, "max_samples=1000000000 asks for bags"),
        ({"max_samples": -0.5}, "max_samples=-0.5 is not allowed"),
        ({"bootstrap": False, "max_samples": 0.5}, "bootstrap=False draws none"),
        ({"bootstrap": False, "oob_score": True}, "oob_score needs examples that are left out"),
        ({"oob_score": "yes"}, "oob_score='yes' is not allowed"),
        ({"max_depth": 0}, "max_depth=0 is not allowed"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes=1 is not allowed"),
        ({"min_samples_leaf": 0}, "min_samples_leaf=0 is not allowed"),
        ({"min_samples_split": 1}, "min_samples_split=1 is not allowed"),
        ({"min_weight_fraction_leaf": 0.6}, "min_weight_fraction_leaf=0.6 is not allowed"),
        ({"criterion": "ginny"}, "Did you mean 'gini'?"),
        ({"exact": 1}, "exact=1 is not allowed"),
        ({"unseen": "what"}, "unseen='what' is not allowed"),
        ({"monotonic_cst": [1, 0]}, "monotonic_cst has 2 entries, but X has 4 columns"),
        ({"monotonic_cst": {"colour": 1}}, "which holds categories and so has no order"),
        ({"class_weight": "fair"}, "class_weight='fair' is not allowed"),
        ({"random_state": -1}, "random_state=-1 is not allowed"),
        ({"n_jobs": 0}, "n_jobs=0 is not allowed"),
        ({"verbose": -1}, "verbose=-1 is not allowed"),
    ],
    ids=str,
)
def test_parameters_that_are_refused(given: Any, words: str) -> None:
    X = table()
    model = RandomForestClassifier(3).fit(X, target(2, X))
    before = model.predict_proba(X)
    model.set_params(**given)
    with pytest.raises((TypeError, ValueError)) as caught:
        model.fit(X, target(2, X))
    assert words in str(caught.value)
    model.set_params(**RandomForestClassifier(3).get_params())
    assert same_bits(model.predict_proba(X), before)


def test_constraints_are_for_two_classes() -> None:
    X = table()
    with pytest.raises(ValueError, match="monotonic_cst is for two classes, and y holds 3"):
        RandomForestClassifier(3, monotonic_cst=[1, 0, 0, 0]).fit(X, target(3, X))


def test_a_score_of_ones_own() -> None:
    X = table()
    y = target(2, X)
    model = forest_of(2, "plain", oob_score=balanced_accuracy_score).fit(X, y)
    known = ~np.isnan(oob_of(model)[:, 0])
    said = oob_of(model)[known].argmax(axis=1)
    assert model.oob_score_ == pytest.approx(balanced_accuracy_score(y[known], said))


def test_progress_goes_to_standard_error_and_changes_nothing(capsys: Any) -> None:
    X = table()
    y = target(2, X)
    loud = forest_of(2, "plain", verbose=1).fit(X, y)
    out, err = capsys.readouterr()
    assert out == ""
    assert "8/8" in err
    assert same_forest(loud, forest_of(2, "plain").fit(X, y))


def test_deep_forests_of_numbers() -> None:
    X, y = load_diabetes(return_X_y=True)
    model = RandomForestRegressor(40, oob_score=True).fit(X, y)
    assert 0.35 < model.oob_score_ < 0.5
    assert model.score(X, y) > 0.85
    X, y = make_friedman1(400, noise=1.0, random_state=0)
    assert RandomForestRegressor(40, oob_score=True).fit(X, y).oob_score_ > 0.7


def test_a_number_of_trees_beyond_memory_is_refused() -> None:
    X, y = np.arange(8.0).reshape(4, 2), [0, 1, 0, 1]
    for kind in (RandomForestClassifier, BaggingClassifier):
        with pytest.raises(ValueError, match=r"n_estimators=100000000 .* at most 1000000"):
            kind(n_estimators=10**8).fit(X, y)


# -------------------------------------------------------------------------------------- calibration


def noisy(n: int, seed: int) -> Any:
    """Two classes whose odds go by three of five columns, and the true probability."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    p = 1 / (1 + np.exp(-4 * (X[:, 0] + X[:, 1] + 0.5 * X[:, 2])))
    return X, (rng.random(n) < p).astype(int), p


def unreliable(told: Any, p: Any) -> float:
    """How far the mean of true probabilities is from what is told, over ten equal parts of rows."""
    parts = np.array_split(np.argsort(told), 10)
    return float(np.mean([abs(told[rows].mean() - p[rows].mean()) for rows in parts]))


def test_probabilities_are_more_reliable_and_labels_stay() -> None:
    X, y, _ = noisy(400, 0)
    later, seen, p = noisy(1000, 1)
    plain = RandomForestClassifier(calibrate=None).fit(X, y)
    model = RandomForestClassifier().fit(X, y)
    assert not hasattr(plain, "calibration_")
    assert model.calibration_.shift == 0
    np.testing.assert_array_equal(model.predict(later), plain.predict(later))
    proba = model.predict_proba(later)
    np.testing.assert_array_equal(model.classes_[proba.argmax(axis=1)], model.predict(later))
    assert unreliable(proba[:, 1], p) < 0.7 * unreliable(plain.predict_proba(later)[:, 1], p)
    assert log_loss(seen, proba) < log_loss(seen, plain.predict_proba(later))
    assert model.predictor()(later[0].tolist()) == proba[0, 1]
    np.testing.assert_allclose(
        model.explain(later[:5]).scores, plain.predict_proba(later[:5])[:, 1]
    )


def test_calibration_is_free_of_row_order_and_of_copies_against_weights() -> None:
    X, y, _ = noisy(120, 2)
    times = np.arange(len(y)) % 3
    order = np.random.default_rng(0).permutation(len(y))
    how: dict[str, Any] = {"n_estimators": 25, "random_state": 1}
    weighted = RandomForestClassifier(**how).fit(X, y, times)
    moved = RandomForestClassifier(**how, n_jobs=2).fit(X[order], y[order], times[order])
    copied = RandomForestClassifier(**how).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert weighted.calibration_ == moved.calibration_ == copied.calibration_


@pytest.mark.parametrize(
    "given", [{"n_estimators": 24}, {"bootstrap": False}, {"calibrate": None}], ids=str
)
def test_what_cannot_be_calibrated_answers_with_shares(given: dict[str, Any]) -> None:
    X, y, _ = noisy(80, 3)
    model = RandomForestClassifier(**({"n_estimators": 25} | given)).fit(X, y)
    assert not hasattr(model, "calibration_")
    assert not hasattr(RandomForestClassifier(n_estimators=25).fit(X[:9], y[:9]), "calibration_")


def test_a_warm_start_calibrates_anew_on_the_same_rows_alone() -> None:
    X, y, _ = noisy(120, 4)
    model = RandomForestClassifier(n_estimators=25, warm_start=True).fit(X, y)
    model.set_params(n_estimators=30).fit(X, y)
    whole = RandomForestClassifier(n_estimators=30).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))
    model.set_params(n_estimators=35).fit(X[:100], y[:100])
    assert not hasattr(model, "calibration_")


def test_bags_of_forests_average_their_shares() -> None:
    X, y, _ = noisy(120, 5)
    bag = BaggingClassifier(RandomForestClassifier(n_estimators=25), 2).fit(X, y)
    assert all(hasattr(member, "calibration_") for member in bag.estimators_)
    np.testing.assert_allclose(bag.explain(X[:5]).scores, bag.predict_proba(X[:5])[:, 1])
