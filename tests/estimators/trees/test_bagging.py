"""BaggingClassifier and BaggingRegressor: any learner, honest out-of-bag answers, fixed bits."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_iris, make_friedman1
from sklearn.ensemble import BaggingClassifier as TheirBagging
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import weaklearn
from tests import golden
from tests.samples import same_bits
from weaklearn import (
    BaggingClassifier,
    BaggingRegressor,
    DataWarning,
    DecisionStumpClassifier,
    load,
)
from weaklearn.ensembles import bag

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


def table(n: int = 150, seed: int = 0) -> tuple[Any, Any, Any, Any]:
    """Numbers with equal rows among them; labels of two and three classes, and a number."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, size=(n, 4)).astype(float)
    X[: n // 5] = X[n // 5 : 2 * (n // 5)]
    z = X[:, 0] - X[:, 1] + rng.normal(size=n)
    return X, (z > 0).astype(int), np.digitize(z, [-3.0, 3.0]), z


CLASSIFIERS = {
    "stump": "stump",
    "tree": DecisionTreeClassifier(max_features=2),
    "neighbours": KNeighborsClassifier(3),
    "ridge": RidgeClassifier(),
}
REGRESSORS = {
    "tree": DecisionTreeRegressor(max_features=2),
    "neighbours": KNeighborsRegressor(3),
    "line": LinearRegression(),
}
ALL = [*(("c", name) for name in CLASSIFIERS), *(("r", name) for name in REGRESSORS)]
every_learner = pytest.mark.parametrize(("kind", "name"), ALL)


def model_of(kind: str, name: str, **given: Any) -> Any:
    given = {"n_estimators": 7, "random_state": 3, "oob_score": True} | given
    if kind == "c":
        return BaggingClassifier(CLASSIFIERS[name], **given)
    return BaggingRegressor(REGRESSORS[name], **given)


def target(kind: str) -> Any:
    return table()[2 if kind == "c" else 3]


def told(model: Any, X: Any) -> list[Any]:
    """All that a model says of X, and of what it left out."""
    average = model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)
    return [average, model.predict_std(X), model.oob_score_, model.oob_coverage_]


def oob_of(model: Any) -> Any:
    answers = getattr(model, model._oob_name)
    return answers.reshape(len(answers), -1)


# ------------------------------------------------------------------------------- what it computes


@every_learner
def test_out_of_bag_answers_by_brute_force(kind: str, name: str) -> None:
    X, y = table()[0], target(kind)
    model = model_of(kind, name).fit(X, y)
    sums, counts = np.zeros((len(y), oob_of(model).shape[1])), np.zeros(len(y))
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        assert len(rows) == len(y)
        out = np.setdiff1d(np.arange(len(y)), rows)
        if kind == "r":
            said = member.predict(X[out])[:, None]
        elif hasattr(member, "predict_proba"):
            said = member.predict_proba(X[out])
        else:
            said = member.predict(X[out])[:, None] == model.classes_
        sums[out] += said
        counts[out] += 1
    known = counts > 0
    expected = sums[known] / counts[known, None]
    assert oob_of(model)[known] == pytest.approx(expected)
    assert np.isnan(oob_of(model)[~known]).all()
    assert model.oob_coverage_ == known.mean()
    assert 0 < known.mean() < 1
    if kind == "c":
        right = model.classes_[expected.argmax(axis=1)] == y[known]
        assert model.oob_score_ == pytest.approx(right.mean())
    else:
        left = ((expected[:, 0] - y[known]) ** 2).sum()
        whole = ((y[known] - y[known].mean()) ** 2).sum()
        assert model.oob_score_ == pytest.approx(1 - left / whole)


@every_learner
def test_the_average_and_the_spread_of_the_members(kind: str, name: str) -> None:
    X, y = table()[0], target(kind)
    model = model_of(kind, name).fit(X, y)
    if kind == "r":
        said = np.array([member.predict(X) for member in model.estimators_])
        assert model.predict(X) == pytest.approx(said.mean(axis=0))
        assert model.predict_std(X) == pytest.approx(said.std(axis=0))
        return
    has = hasattr(model.estimators_[0], "predict_proba")
    said = np.array(
        [
            m.predict_proba(X) if has else m.predict(X)[:, None] == model.classes_
            for m in model.estimators_
        ]
    )
    assert model.predict_proba(X) == pytest.approx(said.mean(axis=0))
    assert model.predict_std(X) == pytest.approx(said.std(axis=0))
    assert (model.predict(X) == model.classes_[said.mean(axis=0).argmax(axis=1)]).all()


def test_given_bags_and_drawn_ones_agree() -> None:
    X, two, _, _ = table()
    y = np.where(two == 1, 1, -1)
    model = BaggingClassifier("stump", oob_score=True).fit(X, y)
    shown = bag(DecisionStumpClassifier(), X, y, model.estimators_samples_)
    assert model.decision_function(X) == pytest.approx(shown.bagged_average)
    assert model.oob_score_ == pytest.approx(1 - shown.oob_error_rate)
    assert model.oob_coverage_ == shown.oob_covered / len(y)


@pytest.mark.parametrize("name", golden.names("bagging"))
def test_members_learn_from_drawn_points_alone(name: str) -> None:
    given = golden.case("bagging", name)["input"]
    X, y = np.array(given["X"]), np.array(given["y"])
    model = BaggingClassifier("stump", n_estimators=20).fit(X, y)
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        alone = DecisionStumpClassifier().fit(X[rows], y[rows])
        assert (member.feature_, member.threshold_) == (alone.feature_, alone.threshold_)


def test_two_classes_one_of_which_a_bag_may_lack() -> None:
    X = np.arange(6.0)[:, None]
    y = np.array(["rare", *["often"] * 5])
    for learner in ("stump", LogisticRegression()):
        model = BaggingClassifier(learner, n_estimators=30, oob_score=True).fit(X, y)
        lacking = [rows for rows in model.estimators_samples_ if 0 not in rows]
        assert lacking
        assert model.classes_.tolist() == ["often", "rare"]
        assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(6))
        assert model.predict([[5.0]]).tolist() == ["often"]


def test_ties_go_to_the_smallest_label() -> None:
    class Says(ClassifierMixin, BaseEstimator):
        def fit(self, X: Any, y: Any) -> Any:
            self.classes_ = np.unique(y)
            self.answer_ = self.classes_[int(X[:, 0].sum()) % 2]
            return self

        def predict(self, X: Any) -> Any:
            return np.repeat(self.answer_, len(X))

    X = np.array([[1.0], [2.0], [1.0], [2.0], [1.0]])
    y = np.array(["b", "a", "b", "a", "b"])
    for seed in range(40):
        model = BaggingClassifier(Says(), n_estimators=2, random_state=seed).fit(X, y)
        if len({m.answer_ for m in model.estimators_ if isinstance(m, Says)}) == 2:
            assert model.predict(X).tolist() == ["a"] * 5
            assert model.decision_function(X).tolist() == [0.0] * 5
            return
    pytest.fail("no two members differed")


def test_averaging_helps_an_unsteady_learner() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.4, random_state=0)
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    model = BaggingClassifier(DecisionTreeClassifier(), 60, oob_score=True).fit(X, y)
    assert model.score(X_test, y_test) > tree.score(X_test, y_test) + 0.01
    assert model.oob_score_ == pytest.approx(model.score(X_test, y_test), abs=0.03)
    theirs = TheirBagging(DecisionTreeClassifier(), 60, random_state=0).fit(X, y)
    assert model.score(X_test, y_test) == pytest.approx(theirs.score(X_test, y_test), abs=0.02)


# ----------------------------------------------------------------------------- the same bits always


@every_learner
def test_threads_do_not_matter(kind: str, name: str, monkeypatch: Any) -> None:
    X, y = table()[0], target(kind)
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("WEAKLEARN_NUM_THREADS", threads)
        found.append(told(model_of(kind, name).fit(X, y), X))
    assert all(same_bits(a, b) for a, b in zip(*found, strict=True))


@every_learner
def test_the_order_of_rows_does_not_matter(kind: str, name: str) -> None:
    X, y = table()[0], target(kind)
    order = np.random.default_rng(1).permutation(len(y))
    straight, mixed = model_of(kind, name).fit(X, y), model_of(kind, name).fit(X[order], y[order])
    assert all(same_bits(a, b) for a, b in zip(told(straight, X), told(mixed, X), strict=True))
    # Among equal rows it is the multiset of out-of-bag answers that stays.
    content = np.column_stack([X, y, oob_of(straight)])
    again = np.column_stack([X[order], y[order], oob_of(mixed)])
    assert sorted(map(repr, content.tolist())) == sorted(map(repr, again.tolist()))


@every_learner
@pytest.mark.parametrize("bootstrap", [True, False])
def test_a_whole_weight_is_so_many_copies(kind: str, name: str, bootstrap: bool) -> None:
    X, y = table()[0], target(kind)
    weight = np.random.default_rng(2).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    given = {"bootstrap": bootstrap, "max_samples": 0.7}
    weighted = model_of(kind, name, **given).fit(X, y, weight)
    repeated = model_of(kind, name, **given).fit(X[rows], y[rows])
    assert all(same_bits(a, b) for a, b in zip(told(weighted, X), told(repeated, X), strict=True))
    assert np.isnan(oob_of(weighted)[weight == 0]).all()
    assert all((weight[rows] > 0).all() for rows in weighted.estimators_samples_)
    for drawn in weighted.estimators_samples_:
        assert (np.bincount(drawn, minlength=len(y)) <= weight).all() or bootstrap


def test_a_warm_start_goes_on() -> None:
    X, y = table()[0], target("c")
    straight = model_of("c", "tree", n_estimators=9).fit(X, y)
    model = model_of("c", "tree", n_estimators=4, warm_start=True).fit(X, y)
    first = model.estimators_[:]
    model.set_params(n_estimators=9).fit(X, y)
    assert model.estimators_[:4] == first
    assert all(same_bits(a, b) for a, b in zip(told(model, X), told(straight, X), strict=True))
    with pytest.raises(ValueError, match="n_estimators=3 must be larger or equal to the 9"):
        model.set_params(n_estimators=3).fit(X, y)
    model.set_params(n_estimators=12)
    with pytest.raises(ValueError, match="with the rows of the earlier fit"):
        model.fit(X[1:], y[1:])
    model.set_params(oob_score=False).fit(X[1:], y[1:])
    assert len(model.estimators_) == 12


def test_clones_and_pickles() -> None:
    X, y = table()[0], target("c")
    model = model_of("c", "tree").fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert all(same_bits(a, b) for a, b in zip(told(model, X), told(again, X), strict=True))
    assert [r.tolist() for r in again.estimators_samples_] == [
        r.tolist() for r in model.estimators_samples_
    ]
    assert not hasattr(clone(model), "estimators_")


# ------------------------------------------------------------------------------ weights and samples


def test_importances_make_rows_be_drawn_more_often() -> None:
    X, y = table()[0], target("c")
    weight = np.where(np.arange(len(y)) < 50, 9.5, 0.5)
    model = BaggingClassifier("stump", n_estimators=200).fit(X, y, weight)
    drawn = np.bincount(np.concatenate(model.estimators_samples_), minlength=len(y))
    heavy = drawn[:50].sum() / drawn.sum()
    assert heavy == pytest.approx(475 / 525, abs=0.02)
    scaled = BaggingClassifier("stump", n_estimators=200).fit(X, y, weight * 2.0**-60)
    assert same_bits(scaled.predict_proba(X), model.predict_proba(X))


def test_importances_go_to_the_learner_where_nothing_is_drawn() -> None:
    X, y = table()[0], target("c")
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    model = BaggingClassifier("stump", n_estimators=2, bootstrap=False).fit(X, y, weight)
    alone = DecisionStumpClassifier().fit(X, y, weight)
    assert (model.predict(X) == alone.predict(X)).all()
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no weights"):
        BaggingClassifier(KNeighborsClassifier(), bootstrap=False).fit(X, y, weight)


def test_sizes_of_bags() -> None:
    X, y = table()[0], target("c")
    for asked, size in ((None, 150), (1.0, 150), (0.1, 15), (1e-9, 1), (40, 40), (150, 150)):
        model = BaggingClassifier("stump", max_samples=asked).fit(X, y)
        assert {len(rows) for rows in model.estimators_samples_} == {size}
    with pytest.raises(ValueError, match="max_samples=151 is more than the 150 examples"):
        BaggingClassifier("stump", bootstrap=False, max_samples=151).fit(X, y)
    assert len(BaggingClassifier("stump", max_samples=1.5).fit(X, y).estimators_samples_[0]) == 225
    with pytest.raises(ValueError, match="max_samples=16777217 asks for bags"):
        BaggingClassifier("stump", max_samples=2**24 + 1).fit(X, y)
    model = BaggingClassifier("stump", max_samples=300).fit(X, y, np.full(150, 2))
    assert {len(rows) for rows in model.estimators_samples_} == {300}  # copies count


def test_columns_are_drawn_for_each_member() -> None:
    X, y = table()[0], target("c")
    model = BaggingClassifier("stump", 40, max_features=2).fit(X, y)
    drawn = [tuple(columns.tolist()) for columns in model.estimators_features_]
    assert all(len(columns) == 2 for columns in drawn)
    assert len(set(drawn)) == 6  # every pair of four
    again = BaggingClassifier("stump", 40, max_features=0.5).fit(X, y)
    assert same_bits(again.predict_proba(X), model.predict_proba(X))
    twice = BaggingClassifier("stump", 40, bootstrap_features=True).fit(X, y)
    assert {len(columns) for columns in twice.estimators_features_} >= {2, 3}
    shares = model.feature_importances_
    assert shares.sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="max_features=5 is more than X has: 4 columns"):
        BaggingClassifier("stump", max_features=5).fit(X, y)


# ------------------------------------------------------------------------------ any learner, any X


@pytest.mark.parametrize("max_features", [1.0, 0.5])
@pytest.mark.parametrize("learner", ["stump", DecisionTreeClassifier()])
def test_containers_do_not_matter(learner: Any, max_features: float) -> None:
    X, y = table()[0], target("c")
    names = list("abcd")
    frame = pd.DataFrame(X, columns=names)
    expected = BaggingClassifier(learner, max_features=max_features).fit(X, y).predict_proba(X)
    containers = [frame, sp.csr_array(X), sp.csc_matrix(X), sp.coo_matrix(X), X.tolist()]
    if learner == "stump":
        containers += [pl.from_pandas(frame), pa.Table.from_pandas(frame)]
    for container in containers:
        model = BaggingClassifier(learner, max_features=max_features).fit(container, y)
        assert same_bits(model.predict_proba(container), expected)


def test_a_foreign_learner_gets_the_users_own_rows() -> None:
    seen: list[Any] = []

    class Witness(ClassifierMixin, BaseEstimator):
        def fit(self, X: Any, y: Any) -> Any:
            seen.append((X, y))
            self.classes_ = np.unique(y)
            return self

        def predict(self, X: Any) -> Any:
            seen.append((X, None))
            return np.repeat(self.classes_[:1], len(X))

    X, y = table()[0], np.array(["no", "yes"])[table()[1]]
    frame = pd.DataFrame(X, columns=list("abcd")).astype({"a": np.float32, "b": "Int64"})
    model = BaggingClassifier(Witness(), 2, n_jobs=1).fit(frame, y)
    for (part, labels), rows in zip(seen, model.estimators_samples_, strict=True):
        assert part.dtypes.tolist() == frame.dtypes.tolist()
        assert part.equals(frame.iloc[rows])
        assert labels.tolist() == y[rows].tolist()
    seen.clear()
    model.predict(frame)
    assert all(part is frame for part, _ in seen)


def test_texts_and_pipelines() -> None:
    texts = [f"{word} {k % 7}" for k in range(30) for word in ("good", "bad")]
    y = np.tile([1, 0], 30)
    model = BaggingClassifier(make_pipeline(CountVectorizer(), MultinomialNB()), 5).fit(texts, y)
    assert model.score(texts, y) == 1
    X, two, _, _ = table()
    scaled = BaggingClassifier(make_pipeline(StandardScaler(), LogisticRegression()), 5)
    assert scaled.fit(X, two, np.full(len(X), 0.5)).score(X, two) > 0.8


def test_categories_and_gaps_reach_native_members() -> None:
    rng = np.random.default_rng(0)
    town = rng.choice(["Bath", "Ely", "Wells"], 120)
    X = pd.DataFrame({"code": rng.integers(0, 9, 120), "town": town, "noise": rng.random(120)})
    y = (town == "Ely").astype(int)
    X.loc[::10, "town"] = None
    model = BaggingClassifier("stump", 25, oob_score=True).fit(X, y)
    assert model.oob_score_ > 0.9
    assert model.score(X, y) > 0.9
    coded = DecisionStumpClassifier(categorical_features=["code"])
    part = BaggingClassifier(coded, 25, max_features=2).fit(X, y)
    kinds = [m.get_params()["categorical_features"] for m in part.estimators_]
    assert [True, True] in kinds  # code and town
    assert [True, False] in kinds  # code or town, and noise


def test_constraints_are_cut_to_the_columns_of_a_member() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((200, 4)), columns=list("abcd"))
    y = X["a"] - X["c"] + rng.normal(scale=0.1, size=200)
    signs = {"a": 1, "b": 0, "c": -1, "d": 0}
    for wanted in (signs, list(signs.values())):
        model = BaggingRegressor(
            weaklearn.DecisionTreeRegressor(monotonic_cst=wanted), 8, max_features=2, random_state=1
        ).fit(X, y)
        for member, columns in zip(model.estimators_, model.estimators_features_, strict=True):
            mine = [list(signs.values())[j] for j in columns]
            assert member.monotonic_cst == mine
            for place, sign in enumerate(mine):
                line = np.full((30, 2), 0.5)
                line[:, place] = np.linspace(0, 1, 30)
                said = member.predict(pd.DataFrame(line, columns=X.columns[columns]))
                assert sign == 0 or (sign * np.diff(said) >= 0).all()


@pytest.mark.parametrize(
    ("learner", "wanted"),
    [
        (weaklearn.GradientBoostingRegressor, [["d", "a"], [1]]),
        (HistGradientBoostingRegressor, [{0, 3}, {1}]),
        (HistGradientBoostingRegressor, "no_interactions"),
    ],
)
def test_groups_are_cut_to_the_columns_of_a_member(learner: Any, wanted: Any) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((80, 4)), columns=list("abcd"))
    base = learner(interaction_cst=wanted)
    base.set_params(**{"n_estimators" if hasattr(base, "n_estimators") else "max_iter": 2})
    model = BaggingRegressor(base, 6, max_features=3, random_state=1).fit(X, X["a"] * X["d"])
    for member, columns in zip(model.estimators_, model.estimators_features_, strict=True):
        groups = member.interaction_cst
        if isinstance(wanted, str):
            assert groups == wanted
            continue
        named = [{"abcd"[columns[place]] for place in group} for group in groups]
        kept = {"abcd"[j] for j in columns}
        assert named == [group & kept for group in ({"a", "d"}, {"b"}, {"c"}) if group & kept]


def test_constraints_on_columns_that_are_not_there_are_refused() -> None:
    X, y = table()[0], np.arange(len(table()[0]), dtype=float)
    base = weaklearn.DecisionTreeRegressor(monotonic_cst=[1])
    with pytest.raises(ValueError, match=f"has 1 entries, but X has {X.shape[1]} columns"):
        BaggingRegressor(base, 3, max_features=1).fit(X, y)


def test_what_a_learner_cannot_read_is_explained() -> None:
    X, y = table()[0], target("c")
    X[3, 2] = np.nan
    with pytest.raises(ValueError, match="row 3, column 2 is missing") as caught:
        BaggingClassifier(LogisticRegression()).fit(X, y)
    assert "estimator at its default" in str(caught.value)


def test_members_warn_of_nothing(recwarn: Any) -> None:
    X = np.zeros((40, 2))
    X[0, 1] = 1  # constant in many bags
    BaggingClassifier("stump", 10).fit(X, np.arange(40) % 2)
    assert [str(w.message) for w in recwarn] == []


# --------------------------------------------------------------------------------- out of bag, odd


def test_a_score_of_ones_own() -> None:
    X, y = table()[0], target("c")
    plain = model_of("c", "tree").fit(X, y)
    model = model_of("c", "tree", oob_score=balanced_accuracy_score).fit(X, y)
    known = ~np.isnan(oob_of(plain)[:, 0])
    said = oob_of(plain)[known].argmax(axis=1)
    assert model.oob_score_ == pytest.approx(balanced_accuracy_score(y[known], said))


def test_examples_in_every_bag_are_counted() -> None:
    X, y = np.arange(3.0)[:, None], np.array([0, 1, 1])
    model = BaggingClassifier("stump", 1, oob_score=True).fit(X, y)
    in_bag = np.isin(np.arange(3), model.estimators_samples_[0])
    assert model.oob_coverage_ == pytest.approx(1 - in_bag.mean())
    assert np.isnan(model.oob_decision_function_[in_bag]).all()
    with pytest.warns(DataWarning) as caught:
        alone = BaggingClassifier("stump", oob_score=True).fit([[1.0]], [1])
    assert any("every example is in every bag" in str(w.message) for w in caught)
    assert np.isnan(alone.oob_score_)
    assert alone.oob_coverage_ == 0


def test_without_replacement_the_rest_is_out_of_bag() -> None:
    X, y = table()[0], target("c")
    model = BaggingClassifier("stump", bootstrap=False, max_samples=0.6, oob_score=True).fit(X, y)
    assert all(len(set(rows.tolist())) == 90 for rows in model.estimators_samples_)
    assert model.oob_score_ > 0.4
    for asked in (None, 1.0, 150):
        with pytest.raises(ValueError, match="oob_score needs examples that are left out"):
            BaggingClassifier(bootstrap=False, max_samples=asked, oob_score=True).fit(X, y)


def test_too_many_copies_to_follow_each() -> None:
    X, y = table()[0], target("c")
    with pytest.raises(ValueError, match="oob_score follows every copy"):
        BaggingClassifier("stump", max_samples=10, oob_score=True).fit(X, y, np.full(150, 10**9))
    model = BaggingClassifier("stump", max_samples=10).fit(X, y, np.full(150, 10**9))
    assert {len(rows) for rows in model.estimators_samples_} == {10}


# ---------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("kind", "estimator", "words"),
    [
        (BaggingClassifier, LinearRegression(), "it is a regressor"),
        (BaggingRegressor, LogisticRegression(), "it is a classifier"),
        (BaggingClassifier, KNeighborsClassifier, "is a class; pass an instance"),
        (BaggingClassifier, 3, "it lacks fit or predict"),
        (BaggingClassifier, "forest", "one of None, 'tree', 'stump'"),
        (BaggingRegressor, "stump", "one of None, 'tree'"),
    ],
)
def test_estimators_that_are_refused(kind: Any, estimator: Any, words: str) -> None:
    X, y = table()[:2]
    with pytest.raises((TypeError, ValueError), match="estimator=") as caught:
        kind(estimator).fit(X, y)
    assert words in str(caught.value)


def test_members_that_predict_nonsense_are_named() -> None:
    class Nonsense(ClassifierMixin, BaseEstimator):
        def fit(self, X: Any, y: Any) -> Any:
            self.classes_ = np.unique(y)
            return self

        def predict(self, X: Any) -> Any:
            return np.full(len(X), 7)

    X, y = table()[:2]
    model = BaggingClassifier(Nonsense()).fit(X, y)
    with pytest.raises(ValueError, match=r"Nonsense predicted .*7.* in row 0, which is not among"):
        model.predict(X)


def test_progress_goes_to_standard_error(capsys: Any) -> None:
    X, y = table()[:2]
    BaggingClassifier("stump", 3, verbose=1).fit(X, y)
    out, err = capsys.readouterr()
    assert out == ""
    assert "3/3" in err


def test_regression_beats_its_members() -> None:
    X, y = make_friedman1(300, noise=1.0, random_state=0)
    model = BaggingRegressor(DecisionTreeRegressor(), 40, oob_score=True).fit(X[:200], y[:200])
    alone = np.mean([m.score(X[200:], y[200:]) for m in model.estimators_])
    assert model.score(X[200:], y[200:]) > alone + 0.1
    assert model.oob_score_ == pytest.approx(model.score(X[200:], y[200:]), abs=0.1)


def test_three_classes_of_iris() -> None:
    X, y = load_iris(return_X_y=True)
    model = BaggingClassifier(KNeighborsClassifier(5), 20, oob_score=True).fit(X, y)
    assert model.oob_score_ > 0.93
    assert model.decision_function(X).shape == (150, 3)
    assert model.predict_std(X).shape == (150, 3)


def test_which_rows_were_in_which_bag_is_not_in_files(tmp_path: Any) -> None:
    X = np.arange(20.0)[:, None]
    model = BaggingClassifier(n_estimators=2).fit(X, X[:, 0] > 9)
    assert len(model.estimators_samples_) == 2
    model.save(tmp_path / "model.weak")
    with pytest.raises(AttributeError, match="not stored with it"):
        _ = load(tmp_path / "model.weak").estimators_samples_
