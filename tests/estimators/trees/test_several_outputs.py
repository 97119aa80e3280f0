"""Trees, forests and bags of several outputs a row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier as TheirTree
from sklearn.tree import DecisionTreeRegressor as TheirRegressor

import weaklearn
from tests.reference import outputs as twin
from weaklearn import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    runtime,
)
from weaklearn.base.trees.tree_arrays import LEAF

RNG = np.random.default_rng(5)
X = RNG.normal(size=(150, 3))
SIGN = np.where(X[:, 0] + RNG.normal(size=150) > 0, "yes", "no")
SIZE = np.digitize(X[:, 1] + 0.3 * RNG.normal(size=150), [-0.5, 0.5])
LABELS = np.column_stack([SIGN, SIZE.astype(str)])
CODES = np.column_stack([SIGN == "yes", SIZE]).astype(int)
NUMBERS = np.column_stack([X[:, 0] * X[:, 1], 100 * X[:, 2] + RNG.normal(size=150)])
BITS = np.column_stack([SIGN == "yes", SIZE > 0]).astype(int)
WEIGHTS = RNG.integers(1, 4, 150)
FORESTS: dict[Any, dict[str, Any]] = {
    RandomForestClassifier: {"n_estimators": 6},
    ExtraTreesClassifier: {"n_estimators": 6},
    RandomForestRegressor: {"n_estimators": 6},
    ExtraTreesRegressor: {"n_estimators": 6},
}
ALL: dict[Any, dict[str, Any]] = {
    DecisionTreeClassifier: {"max_depth": 4},
    DecisionTreeRegressor: {"max_depth": 4},
    **FORESTS,
}


def target(make: Any) -> Any:
    return CODES if "Classifier" in make.__name__ else NUMBERS


def preorder(model: Any) -> list[Any]:
    tree, found = model.tree_, []

    def visit(node: int) -> None:
        if tree.ask[node] == LEAF:
            found.append(tree.values[tree.value[node]])
            return
        found.append((tree.feature[node], tree.threshold[node]))
        visit(tree.first[node])
        visit(tree.first[node] + 1)

    visit(0)
    return found


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_a_tree_is_the_plain_one(criterion: str) -> None:
    if criterion == "squared_error":
        make: Any = DecisionTreeRegressor
        parts = [NUMBERS[:, [k]] for k in range(2)]
    else:
        make, parts = DecisionTreeClassifier, [twin.one_hot(CODES[:, k]) for k in range(2)]
    model = make(criterion=criterion, max_depth=4).fit(X, target(make), WEIGHTS)
    plain = twin.grown(X, parts, WEIGHTS.astype(float), criterion, 4)
    ours = preorder(model)
    assert len(ours) == len(plain)
    for mine, theirs in zip(ours, plain, strict=True):
        if isinstance(theirs, tuple):
            assert mine == theirs
        else:
            np.testing.assert_allclose(mine, np.concatenate(theirs), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("make", "theirs"),
    [(DecisionTreeClassifier, TheirTree), (DecisionTreeRegressor, TheirRegressor)],
)
def test_answers_are_those_of_scikit_learns_tree(make: Any, theirs: Any) -> None:
    y = target(make)
    mine, other = (kind(max_depth=3).fit(X, y) for kind in (make, theirs))
    np.testing.assert_allclose(mine.feature_importances_, other.feature_importances_, rtol=1e-6)
    if make is DecisionTreeClassifier:
        for a, b in zip(mine.predict_proba(X), other.predict_proba(X), strict=True):
            np.testing.assert_allclose(a, b, atol=1e-9)
    else:
        np.testing.assert_allclose(mine.predict(X), other.predict(X), rtol=1e-6)


@pytest.mark.parametrize("make", ALL)
def test_scikit_learns_conventions(make: Any) -> None:
    y = target(make)
    model = make(**ALL[make]).fit(X, y)
    assert model.predict(X).shape == y.shape
    assert model.n_outputs_ == 2
    assert model.predict(X[:0]).shape == (0, 2)
    if y is not CODES:
        assert model.score(X, y) > 0.4
        return
    assert [classes.tolist() for classes in model.classes_] == [[0, 1], [0, 1, 2]]
    assert model.n_classes_ == [2, 3]
    proba, logs = model.predict_proba(X), model.predict_log_proba(X)
    assert [part.shape for part in proba] == [(150, 2), (150, 3)]
    np.testing.assert_allclose(proba[1].sum(axis=1), 1)
    assert np.array_equal(np.exp(logs[0]).round(9), proba[0].round(9))
    assert (model.predict(X) == y).mean() > 0.7


@pytest.mark.parametrize("make", ALL)
def test_order_copies_threads_files_and_runtime(make: Any, tmp_path: Path) -> None:
    y = target(make)
    model = make(**ALL[make]).fit(X, y, np.full(150, 2))
    order = RNG.permutation(np.repeat(np.arange(150), 2))
    again = make(**ALL[make], n_jobs=2).fit(X[order], y[order])
    assert again.fingerprint() == model.fingerprint()
    path = tmp_path / "model.weak"
    model.save(path)
    loaded, small = weaklearn.load(path), runtime.load(path)
    for held in (loaded, small):
        assert np.array_equal(held.predict(X), model.predict(X))
    assert loaded.fingerprint() == model.fingerprint()
    if y is CODES:
        for a, b in zip(small.predict_proba(X), model.predict_proba(X), strict=True):
            assert np.array_equal(a, b)


def test_one_output_twice_is_that_output() -> None:
    both = RandomForestClassifier(n_estimators=4, exact=True).fit(X, np.column_stack([SIZE, SIZE]))
    for part in both.predict_proba(X):
        assert np.array_equal(part, both.predict_proba(X)[0])
    tree = DecisionTreeRegressor(max_depth=4).fit(X, np.column_stack([NUMBERS[:, 0]] * 2))
    alone = DecisionTreeRegressor(max_depth=4).fit(X, NUMBERS[:, 0])
    np.testing.assert_allclose(tree.predict(X)[:, 1], alone.predict(X), rtol=1e-9)


@pytest.mark.parametrize("form", [list, np.asarray, pd.DataFrame])
def test_forms_and_kinds_of_labels(form: Any) -> None:
    model = RandomForestClassifier(n_estimators=3).fit(X, form(LABELS.tolist()))
    assert model.predict(X)[0].tolist() == LABELS[0].tolist()
    mixed = pd.DataFrame({"sign": SIGN, "size": SIZE})
    found = DecisionTreeClassifier().fit(X, mixed).predict(X)
    assert found.dtype == object
    assert found[0].tolist() == [SIGN[0], SIZE[0]]


def test_columns_of_any_kind_and_missing_values() -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["kind"] = pd.Categorical(np.where(SIZE == 1, "one", np.where(SIZE == 0, "none", "two")))
    frame.loc[::5, "a"] = np.nan
    model = DecisionTreeClassifier().fit(frame, CODES)
    assert (model.predict(frame) == CODES).all()
    assert "kind" in model.to_text()
    drawn = ExtraTreesRegressor(n_estimators=5).fit(frame, NUMBERS)
    assert drawn.score(frame, NUMBERS) > 0.9


def test_out_of_bag() -> None:
    forest = RandomForestRegressor(n_estimators=40, oob_score=True).fit(X, NUMBERS)
    assert forest.oob_prediction_.shape == (150, 2)
    each = 1 - ((NUMBERS - forest.oob_prediction_) ** 2).sum(0) / (
        (NUMBERS - NUMBERS.mean(0)) ** 2
    ).sum(0)
    assert forest.oob_score_ == pytest.approx(each.mean())
    bits = RandomForestClassifier(n_estimators=40, oob_score=True).fit(X, BITS)
    assert bits.oob_decision_function_.shape == (150, 2, 2)
    right = (bits.oob_decision_function_.argmax(axis=1) == BITS).all(axis=1)
    assert bits.oob_score_ == pytest.approx(right.mean())


def test_warm_starts_and_class_weights() -> None:
    straight = RandomForestClassifier(n_estimators=6).fit(X, CODES)
    grown = RandomForestClassifier(n_estimators=3, warm_start=True).fit(X, CODES)
    grown.set_params(n_estimators=6).fit(X, CODES)
    assert np.array_equal(grown.predict_proba(X)[1], straight.predict_proba(X)[1])
    with pytest.raises(ValueError, match="y holds one output a row"):
        grown.set_params(n_estimators=7).fit(X, SIGN)
    by_hand = np.where(CODES[:, 0] == 1, 3, 1) * np.where(CODES[:, 1] == 2, 2, 1)
    how: Any = {"n_estimators": 3}
    weighed = RandomForestClassifier(**how, class_weight=[{0: 1, 1: 3}, {0: 1, 1: 1, 2: 2}])
    expected = RandomForestClassifier(**how).fit(X, CODES, by_hand)
    for a, b in zip(weighed.fit(X, CODES).predict_proba(X), expected.predict_proba(X), strict=True):
        assert np.array_equal(a, b)
    assert RandomForestClassifier(**how, class_weight="balanced").fit(X, CODES).n_outputs_ == 2


def test_pruning_lowers_the_mean_impurity() -> None:
    full, pruned = DecisionTreeRegressor(), DecisionTreeRegressor(ccp_alpha=50.0)
    n_full, n_pruned = (m.fit(X, NUMBERS).get_n_leaves() for m in (full, pruned))
    theirs = TheirRegressor(ccp_alpha=50.0).fit(X, NUMBERS)
    assert n_pruned == theirs.get_n_leaves() < n_full


@pytest.mark.parametrize("make", [BaggingRegressor])
def test_bags_of_numbers(make: Any, tmp_path: Path) -> None:
    model = make(n_estimators=5, oob_score=True, max_features=2).fit(X, NUMBERS)
    assert model.predict(X).shape == (150, 2)
    assert model.oob_prediction_.shape == (150, 2)
    model.save(tmp_path / "bag.weak")
    assert np.array_equal(weaklearn.load(tmp_path / "bag.weak").predict(X), model.predict(X))
    assert np.array_equal(runtime.load(tmp_path / "bag.weak").predict(X), model.predict(X))
    theirs = make(TheirRegressor(max_depth=3), n_estimators=3).fit(X, NUMBERS)
    assert theirs.predict(X).shape == (150, 2)


def test_a_bag_of_trees_is_the_forest_that_draws_no_columns() -> None:
    bag = BaggingClassifier(n_estimators=9, oob_score=True).fit(X, BITS, WEIGHTS)
    settings: dict[str, Any] = {"max_features": None, "oob_score": True}
    forest = RandomForestClassifier(9, **settings).fit(X, BITS, WEIGHTS)
    assert np.array_equal(bag.predict(X), forest.predict(X))
    assert bag.oob_score_ == forest.oob_score_
    assert bag.oob_decision_function_.shape == (150, 2, 2)
    np.testing.assert_array_equal(bag.oob_decision_function_, forest.oob_decision_function_)
    for ours, theirs in zip(bag.predict_proba(X), forest.predict_proba(X), strict=True):
        assert np.array_equal(ours, theirs)
    copies = np.repeat(np.arange(150), WEIGHTS)
    twice = BaggingClassifier(n_estimators=9, oob_score=True).fit(X[copies], BITS[copies])
    assert np.array_equal(twice.predict(X), bag.predict(X))
    assert twice.oob_score_ == bag.oob_score_


def test_bags_of_classes(tmp_path: Path) -> None:
    model = BaggingClassifier(n_estimators=5, max_features=2).fit(X, LABELS)
    assert model.predict(X).shape == (150, 2)
    assert [part.shape for part in model.predict_proba(X)] == [(150, 2), (150, 3)]
    assert model.n_classes_ == [2, 3]
    assert model.n_outputs_ == 2
    assert [part.shape for part in model.predict_std(X)] == [(150,), (150, 3)]
    assert model.predict(X[:0]).shape == (0, 2)
    model.save(tmp_path / "bag.weak")
    for again in (weaklearn.load(tmp_path / "bag.weak"), runtime.load(tmp_path / "bag.weak")):
        assert np.array_equal(again.predict(X), model.predict(X))
        for ours, theirs in zip(again.predict_proba(X), model.predict_proba(X), strict=True):
            assert np.array_equal(ours, theirs)
    more = BaggingClassifier(n_estimators=3, max_features=2, warm_start=True).fit(X, LABELS)
    more.set_params(n_estimators=5).fit(X, LABELS)
    assert np.array_equal(more.predict(X), model.predict(X))
    with pytest.raises(AttributeError):
        model.decision_function(X)
    assert not hasattr(weaklearn.load(tmp_path / "bag.weak"), "decision_function")
    with pytest.raises(AttributeError, match=r"of one output a row.*use predict_proba"):
        runtime.load(tmp_path / "bag.weak").decision_function(X)
    assert model.of_output(0).decision_function(X).shape == (150,)


@pytest.mark.parametrize(
    "base", [TheirTree(), KNeighborsClassifier(3), MultiOutputClassifier(LogisticRegression())]
)
def test_bags_of_other_classifiers(base: Any) -> None:
    model = BaggingClassifier(base, n_estimators=4, oob_score=True).fit(X, BITS)
    assert model.predict(X).shape == (150, 2)
    assert model.oob_score_ > 0.4


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ("stump", "1d array"),
        (LogisticRegression(), "1d array"),
        (MLPClassifier(max_iter=1), r"bag MultiOutputClassifier\(MLPClassifier"),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_classifiers_of_one_output_are_refused(base: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        BaggingClassifier(base, n_estimators=2).fit(X, BITS).predict(X)


@pytest.mark.parametrize("make", [*ALL, BaggingClassifier, BaggingRegressor])
def test_one_output_of_several(make: Any, tmp_path: Path) -> None:
    model = make(**ALL.get(make, {"n_estimators": 4, "max_features": 2})).fit(X, target(make))
    for k in range(2):
        one = model.of_output(k)
        assert np.array_equal(one.predict(X), model.predict(X)[:, k])
        if "Classifier" in make.__name__:
            assert np.array_equal(one.predict_proba(X), model.predict_proba(X)[k])
            answers: Any = one.predict_proba(X)
            answers = answers[:, 1] if answers.shape[1] == 2 else answers
        else:
            answers = one.predict(X)
        np.testing.assert_allclose(one.explain(X).scores, answers, atol=1e-12)
        one.save(tmp_path / "one.weak")
        assert np.array_equal(weaklearn.load(tmp_path / "one.weak").predict(X), one.predict(X))
        scope: dict[str, Any] = {}
        exec(one.to_python(), scope)
        assert scope["predict"](X[0].tolist()) == one.predict(X[:1])[0]
    assert np.array_equal(one.of_output(0).predict(X), one.predict(X))
    with pytest.raises(ValueError, match="number=2 is not allowed"):
        model.of_output(2)


def test_one_output_of_a_bag_of_others_is_refused() -> None:
    bag = BaggingClassifier(KNeighborsClassifier(), n_estimators=2).fit(X, BITS)
    with pytest.raises(TypeError, match="fit a model for each output"):
        bag.of_output(0)


@pytest.mark.parametrize("make", [*ALL, BaggingClassifier, BaggingRegressor])
def test_what_is_of_one_output_is_refused(make: Any) -> None:
    model = make(**ALL.get(make, {"n_estimators": 3})).fit(X, target(make))
    calls: list[tuple[Any, str]] = [
        (lambda: model.explain(X), "explanations and exports are of one output"),
        (lambda: model.interactions(X), r"of one output.*ask of_output\(0\), and so on"),
        (lambda: model.to_shap_trees(), "explanations and exports are of one output"),
        (lambda: model.to_python(), "explanations and exports are of one output"),
        (lambda: model.conformalize(X + 1, target(make)), "conformal answers are of one"),
        (lambda: model.predictor(), "no predictor of one row"),
    ]
    if "Classifier" in make.__name__:
        calls.append((lambda: model.tune_threshold(X + 1, CODES), "has 2 outputs a row"))
    for call, words in calls:
        with pytest.raises((TypeError, ValueError), match=words):
            call()
    assert "classes" in str(model.card()) or "Regressor" in make.__name__


@pytest.mark.parametrize(
    ("model", "y", "words"),
    [
        (DecisionTreeClassifier(criterion="sqrt"), CODES, "criterion='sqrt' is not allowed"),
        (DecisionTreeRegressor(criterion="poisson"), NUMBERS, "criterion='poisson' is not allowed"),
        (DecisionTreeClassifier(missing="fraction"), CODES, "missing='fraction' is not allowed"),
        (DecisionTreeClassifier(categorical="multiway"), CODES, "categorical='multiway'"),
        (DecisionTreeClassifier(pruning="pessimistic"), CODES, "pruning='pessimistic'"),
        (DecisionTreeRegressor(pruning="cost_complexity"), NUMBERS, "pruning='cost_complexity'"),
        (DecisionTreeRegressor(monotonic_cst=[1, 0, 0]), NUMBERS, "monotonic_cst="),
        (RandomForestClassifier(class_weight=[{0: 1}]), CODES, "a list with a dict for each"),
        (RandomForestClassifier(class_weight={0: 1}), CODES, "a list with a dict for each"),
        (RandomForestClassifier(oob_score=True), CODES, "cannot be used to compute OOB"),
        (RandomForestClassifier(), sp.csr_matrix(BITS), "sparse multilabel-indicator"),
        (RandomForestClassifier(), CODES[:-1], "inconsistent numbers of samples"),
        (RandomForestRegressor(), np.where(NUMBERS > 2, np.nan, NUMBERS), "NaN"),
        (RandomForestClassifier(), np.zeros((150, 2, 2)), "1d array"),
    ],
)
def test_wrong_input(model: Any, y: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        model.fit(X, y)


def test_outputs_of_days_beside_numbers() -> None:
    days = np.datetime64("2026-01-01") + BITS[:, 0]
    y = pd.DataFrame({"day": days, "size": BITS[:, 1]})
    model = RandomForestClassifier(n_estimators=30, oob_score=True).fit(X, y)
    found = model.predict(X)
    assert found.dtype == object
    assert (found[:, 0].astype("M8[D]") == days).mean() > 0.9
    assert (found[:, 1] == BITS[:, 1]).mean() > 0.9
    plain = RandomForestClassifier(n_estimators=30, oob_score=True).fit(X, BITS)
    assert model.oob_score_ == plain.oob_score_ > 0


@pytest.mark.parametrize("make", [BaggingRegressor, RandomForestRegressor])
def test_a_warm_start_goes_on_with_as_many_outputs(make: Any) -> None:
    for before, after in ((NUMBERS, NUMBERS[:, 0]), (NUMBERS[:, 0], NUMBERS)):
        model = make(n_estimators=2, warm_start=True).fit(X, before)
        with pytest.raises(ValueError, match=r"members of \d output\(s\) a row, and y holds \d"):
            model.set_params(n_estimators=4).fit(X, after)
        assert model.predict(X).shape == before.shape


def test_class_weights_that_leave_no_row_are_refused() -> None:
    bits = np.array([[0, 1], [1, 0]] * 3)
    with pytest.raises(ValueError, match="class_weight leaves no row"):
        DecisionTreeClassifier(class_weight=[{0: 0}, {0: 0}]).fit(X[:6], bits)


def test_a_pruning_path_is_of_one_output() -> None:
    with pytest.raises(ValueError, match="a pruning path is of one"):
        DecisionTreeRegressor().cost_complexity_pruning_path(X, NUMBERS)
