"""Decision trees for people: scikit-learn's trees found again, and told in plain words."""

from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pytest
import sklearn.tree
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

from tests.forms import said
from tests.golden import load, names, tolerance
from tests.samples import same_bits
from weaklearn import (
    AdaBoostClassifier,
    DataWarning,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ID3Classifier,
)
from weaklearn.inspection.tree_text import Condition
from weaklearn.theory import bounds

pd = pytest.importorskip("pandas")


def noisy(m: int = 200, d: int = 4, K: int = 2, seed: int = 0) -> tuple[Any, Any, Any]:
    """Rows without ties that single precision keeps, labels, and numbers to predict."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d)).astype(np.float32).astype(np.float64)
    t = X[:, 0] + X[:, 1] * X[:, -1] + rng.normal(scale=0.7, size=m)
    return X, np.digitize(t, np.quantile(t, np.arange(1, K) / K)), t


def messy(m: int = 80, seed: int = 0) -> tuple[Any, Any]:
    """Numbers, categories and dates with gaps, and labels."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 60, m).astype(float),
            "town": rng.choice(["Bath", "Ely", "Wells", "York"], m),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 90, m), unit="D"),
        }
    )
    y = (frame["age"] > 40).to_numpy() ^ (frame["town"] == "Ely").to_numpy()
    y ^= rng.random(m) < 0.1
    frame.loc[rng.random(m) < 0.15, "age"] = np.nan
    frame.loc[rng.random(m) < 0.15, "town"] = None
    frame.loc[rng.random(m) < 0.15, "day"] = pd.NaT
    return frame, np.where(y, "yes", "no")


# ------------------------------------------------------------------------- beside scikit-learn's

# Weights without ties, and nodes too large for two features to part them alike: scikit-learn
# breaks ties at random.
LARGE = {"min_samples_leaf": 5, "min_samples_split": 20}
LIMITS: list[dict[str, Any]] = [
    LARGE,
    LARGE | {"max_depth": 3},
    LARGE | {"max_leaf_nodes": 7},
    {"min_samples_leaf": 10},
    {"min_samples_leaf": 0.07, "min_samples_split": 0.2},
    LARGE | {"min_samples_split": 40},
    LARGE | {"min_weight_fraction_leaf": 0.1},
    LARGE | {"min_impurity_decrease": 0.02},
    LARGE | {"ccp_alpha": 0.01},
]


def untied(m: int) -> Any:
    """Importances that doubles add up exactly, so that a pure node looks pure to all."""
    return np.random.default_rng(0).integers(1, 4096, m) / 1024


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("K", [2, 4])
def test_the_tree_is_scikit_learns(criterion: str, K: int, limits: dict[str, Any]) -> None:
    X, y, _ = noisy(K=K)
    weight = untied(len(X))
    ours = DecisionTreeClassifier(criterion=criterion, **limits).fit(X, y, weight)
    theirs = sklearn.tree.DecisionTreeClassifier(criterion=criterion, random_state=0, **limits)
    theirs.fit(X, y, weight)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    assert ours.get_depth() == theirs.get_depth()
    new = noisy(seed=1)[0]
    assert ours.predict_proba(new) == pytest.approx(theirs.predict_proba(new))
    assert ours.feature_importances_ == pytest.approx(theirs.feature_importances_)
    passed = np.asarray(ours.decision_path(new).sum(axis=1)).ravel()
    assert passed.tolist() == np.asarray(theirs.decision_path(new).sum(axis=1)).ravel().tolist()


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_the_tree_of_numbers_is_scikit_learns(limits: dict[str, Any]) -> None:
    X, _, t = noisy()
    ours = DecisionTreeRegressor(**limits).fit(X, t, untied(len(X)))
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **limits)
    theirs.fit(X, t, untied(len(X)))
    new = noisy(seed=1)[0]
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    assert ours.predict(new) == pytest.approx(theirs.predict(new))
    assert ours.feature_importances_ == pytest.approx(theirs.feature_importances_)


@pytest.mark.parametrize("kind", ["Classifier", "Regressor"])
def test_the_pruning_path_is_scikit_learns(kind: str) -> None:
    X, y, t = noisy()
    target = y if kind == "Classifier" else t
    model = DecisionTreeClassifier() if kind == "Classifier" else DecisionTreeRegressor()
    model.set_params(**LARGE)
    theirs = getattr(sklearn.tree, f"DecisionTree{kind}")(random_state=0, **LARGE)
    weight = untied(len(X))
    path = model.cost_complexity_pruning_path(X, target, weight)
    known = theirs.cost_complexity_pruning_path(X, target, weight)
    alphas, last = np.unique(known.ccp_alphas.round(12), return_index=True)
    assert path.ccp_alphas == pytest.approx(alphas, abs=1e-9)
    ends = np.r_[last[1:], len(known.ccp_alphas)] - 1
    assert path.impurities == pytest.approx(known.impurities[ends], abs=1e-9)
    for k in (0, len(alphas) // 2, len(alphas) - 1):
        pruned = clone(model).set_params(ccp_alpha=path.ccp_alphas[k]).fit(X, target, weight)
        assert pruned.ccp_alpha_ == path.ccp_alphas[k] if k else not hasattr(pruned, "ccp_alpha_")
        theirs.set_params(ccp_alpha=path.ccp_alphas[k] * (1 + 1e-9)).fit(X, target, weight)
        assert pruned.get_n_leaves() == theirs.get_n_leaves()


def test_folds_find_how_much_to_prune() -> None:
    X, y, t = noisy(m=400)
    new, y_new, t_new = noisy(m=2000, seed=1)
    for model, target, target_new in (
        (DecisionTreeClassifier(), y, y_new),
        (DecisionTreeRegressor(), t, t_new),
    ):
        whole = clone(model).fit(X, target)
        pruned = clone(model).set_params(pruning="cost_complexity").fit(X, target)
        assert 1 < pruned.get_n_leaves() <= whole.get_n_leaves() / 3
        assert pruned.score(new, target_new) > whole.score(new, target_new) - 0.02
        order = np.random.default_rng(2).permutation(len(X))
        again = clone(pruned).fit(X[order], target[order])
        assert again.ccp_alpha_ == pruned.ccp_alpha_


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio", "sqrt", "error"])
def test_pessimistic_pruning_helps(criterion: str) -> None:
    X, y, _ = noisy(m=400)
    new, y_new, _ = noisy(m=2000, seed=1)
    whole = DecisionTreeClassifier(criterion=criterion).fit(X, y)
    pruned = DecisionTreeClassifier(criterion=criterion, pruning="pessimistic").fit(X, y)
    assert 2 <= pruned.get_n_leaves() <= whole.get_n_leaves()
    if criterion != "error":  # by which many a node of two classes has no test that helps
        assert pruned.get_n_leaves() < whole.get_n_leaves()
        assert pruned.score(X, y) < whole.score(X, y) == 1
    assert pruned.score(new, y_new) > whole.score(new, y_new) - 0.01


def test_bins_are_enough_for_most() -> None:
    X, y, _ = noisy(m=3000)
    new, y_new, _ = noisy(m=2000, seed=1)
    exact = DecisionTreeClassifier(max_depth=5).fit(X, y).score(new, y_new)
    binned = DecisionTreeClassifier(max_depth=5, exact=False).fit(X, y).score(new, y_new)
    assert binned == pytest.approx(exact, abs=0.02)


# --------------------------------------------------------------------------- orders and weights


@pytest.mark.parametrize("exact", [True, False])
def test_order_threads_and_copies_do_not_matter(exact: bool) -> None:
    X, y, t = noisy(m=120, K=3)
    X[::7, 1] = np.nan
    rng = np.random.default_rng(0)
    weight = rng.integers(0, 4, len(X))
    rows = rng.permutation(np.repeat(np.arange(len(X)), weight))
    for model, target in ((DecisionTreeClassifier(), y), (DecisionTreeRegressor(), t)):
        model.set_params(exact=exact, max_features=0.5, random_state=3, ccp_alpha=1e-3)
        first = clone(model).set_params(n_jobs=1).fit(X, target, sample_weight=weight)
        second = clone(model).set_params(n_jobs=2).fit(X[rows], target[rows])
        for name, array in first.tree_.arrays().items():
            assert same_bits(array, getattr(second.tree_, name)), name


def test_importances_are_free_of_scale() -> None:
    X, y, _ = noisy()
    weight = np.random.default_rng(0).random(len(X))
    first = DecisionTreeClassifier().fit(X, y, sample_weight=weight)
    second = DecisionTreeClassifier().fit(X, y, sample_weight=weight * 1e9)
    assert np.array_equal(first.predict_proba(X), second.predict_proba(X))


def test_class_weights() -> None:
    X, y, _ = noisy()
    model = DecisionTreeClassifier(max_depth=1, class_weight={0: 50, 1: 1})
    assert (model.fit(X, y).predict(X) == 0).mean() > 0.7


# --------------------------------------------------------------------------- missing values


@pytest.mark.parametrize("missing", ["side", "branch", "fraction"])
@pytest.mark.parametrize("categorical", ["subset", "equality", "multiway"])
@pytest.mark.parametrize("pruning", [None, "pessimistic"])
def test_gaps_and_categories(missing: str, categorical: str, pruning: str | None) -> None:
    X, y = messy()
    model = DecisionTreeClassifier(missing=missing, categorical=categorical, pruning=pruning)
    model.fit(X, y)
    proba = model.predict_proba(X)
    assert proba.sum(axis=1) == pytest.approx(np.ones(len(X)))
    assert model.score(X, y) > 0.8
    assert model.apply(X).max() < len(model.tree_)
    assert model.tree_.is_leaf[model.apply(X)].all()
    again = pickle.loads(pickle.dumps(model))
    assert same_bits(again.predict_proba(X), proba)


def test_a_row_in_parts_gets_the_mean_of_its_leaves() -> None:
    X = np.array([[0.0], [0.0], [1.0], [1.0], [1.0], [np.nan]])
    model = DecisionTreeClassifier(missing="fraction", max_depth=1)
    model.fit(X, [0, 0, 1, 1, 1, 1])
    left, right = model.predict_proba([[0.0], [1.0]])
    assert right.tolist() == [0, 1]
    assert left[0] == pytest.approx(2 / 2.4)  # two fifths of the sixth example went left
    assert model.predict_proba([[np.nan]])[0] == pytest.approx(0.4 * left + 0.6 * right)


# ------------------------------------------------------------------------------------ in words


def holds(where: Condition, column: Any, levels: Any) -> Any:
    """Which values of a column satisfy a condition."""
    missing = pd.isna(column).to_numpy()
    if not where.known:
        return missing
    if where.categories is not None:
        known = column.isin([levels[k] for k in where.categories]).to_numpy()
    elif levels:
        known = ~missing
    else:
        x = column.to_numpy(dtype=float)
        known = (x > where.low) & (x <= where.high)
    return (known & ~missing) | (missing & where.missing)


@pytest.mark.parametrize("missing", ["side", "branch"])
@pytest.mark.parametrize("categorical", ["subset", "equality", "multiway"])
@given(seed=st.integers(0, 1000))
@settings(max_examples=8, deadline=None)
def test_every_row_satisfies_the_rule_of_its_leaf_alone(
    missing: str, categorical: str, seed: int
) -> None:
    X, y = messy(seed=seed)
    X["day"] = (X["day"] - pd.Timestamp("2024-01-01")).dt.days
    model = DecisionTreeClassifier(missing=missing, categorical=categorical, max_depth=5)
    model.fit(X, y)
    leaves = model.apply(X)
    found = 0
    for leaf, way in model._words()._leaves():
        inside = np.ones(len(X), bool)
        for j, where in way.items():
            column = model._schema.columns[j]
            inside &= holds(where, X.iloc[:, j], column.categories)
        assert np.array_equal(inside, leaves == leaf)
        found += 1
    table = model.rules()
    assert len(table) == found == model.get_n_leaves()
    assert sum(row[2] for row in table) == len(X)
    share = sum(row[2] * row[3] for row in table) / len(X)
    assert share == pytest.approx(1 - model.score(X, y))


def test_words_are_the_users_own() -> None:
    X = pd.DataFrame({"day": pd.to_datetime(["2024-01-03", "2024-02-01", "2024-05-01"])})
    model = DecisionTreeClassifier().fit(X, ["a", "a", "b"])
    assert model.to_text().startswith("day <= 2024-03-17: a (2)\nday > 2024-03-17: b (1)\n")
    towns = pd.DataFrame({"town": ["Bath", "Ely", "Wells", "York"] * 3 + [None]})
    y = [0, 1, 0, 1] * 3 + [1]
    model = DecisionTreeClassifier().fit(towns, y)
    assert [row[0] for row in model.rules()] == [
        "town in {Bath, Wells}",
        "town in {Ely, York} or missing",
    ] or [row[0] for row in model.rules()] == [
        "town in {Ely, York} or missing",
        "town in {Bath, Wells}",
    ]
    model = DecisionTreeClassifier(categorical="multiway", missing="branch").fit(towns, y)
    assert model.to_text().splitlines() == [
        "town = Bath: 0 (3)",
        "town = Ely: 1 (3)",
        "town = Wells: 0 (3)",
        "town = York: 1 (3)",
        "town is missing: 1 (1)",
        "(in brackets: training examples)",
    ]
    assert len(re.findall(r"0 -> \d", model.to_graphviz())) == 5


def test_alternatives_are_set_in_brackets() -> None:
    X = pd.DataFrame({"a": [0.0, 0, 1, 1, None], "b": [0, 1, 0, 1, 0]})
    model = DecisionTreeClassifier().fit(X, [0, 0, 0, 1, 0])
    assert [row[0] for row in model.rules()] == [
        "a <= 0.5 or missing",
        "a > 0.5 and b <= 0.5",
        "a > 0.5 and b > 0.5",
    ]
    model = DecisionTreeClassifier().fit(X, [1, 0, 0, 0, 1])
    assert "(a <= 0.5 or missing) and b <= 0.5" in [row[0] for row in model.rules()]


def test_numbers_in_words() -> None:
    model = DecisionTreeRegressor().fit([[1], [2], [3], [4]], [1.0, 1.0, 5.0, 7.0])
    assert model.to_text().splitlines() == [
        "x[0] <= 2.5: 1 (2)",
        "x[0] > 2.5",
        "|   x[0] <= 3.5: 5 (1)",
        "|   x[0] > 3.5: 7 (1)",
        "(in brackets: training examples)",
    ]
    assert [row[0] for row in model.rules()] == ["x[0] <= 2.5", "2.5 < x[0] <= 3.5", "x[0] > 3.5"]
    assert model.rules().columns == ["if", "then", "support"]


def test_a_text_of_some_depth_says_what_is_below() -> None:
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier().fit(X, y)
    for depth in range(1, model.get_depth() + 2):
        text = model.to_text(max_depth=depth)
        whole = [line for line in model.to_text().splitlines() if line.count("|") < depth]
        assert [line.split(":")[0] for line in text.splitlines()[:-1]] == [
            line.split(":")[0] for line in whole[:-1]
        ]
        below = [int(n) for n in re.findall(r"(\d+) leaves below", text)]
        leaves = sum(": " in line for line in text.splitlines()[:-1])
        assert leaves - len(below) + sum(below) == model.get_n_leaves()
    assert "answered wrongly" in model.to_text(max_depth=1)
    assert model.to_text(max_depth=99) == model.to_text()
    with pytest.raises(ValueError, match="max_depth=0 is not allowed"):
        model.to_text(max_depth=0)


def test_long_lists_of_levels_are_cut_in_texts_and_whole_in_rules() -> None:
    towns = [f"town{k % 40:02d}" for k in range(400)]  # ten of each: no accident
    y = [k % 2 for k in range(400)]
    model = DecisionTreeClassifier().fit(pd.DataFrame({"town": towns}), y)
    for told in (model.to_text(), model.to_graphviz()):
        assert " and 14 more}" in told
        assert "town30" not in told
    assert {str(row[0]).count("town") for row in model.rules()} == {21}


def test_parts_of_examples_are_told_once() -> None:
    X = pd.DataFrame({"a": [0.0, 0, 1, 1, None, None], "b": [0, 1, 0, 1, 0, 1]})
    model = DecisionTreeClassifier(missing="fraction").fit(X, [0, 1, 1, 1, 0, 1])
    lines = model.to_text().splitlines()
    assert not any("or missing" in line for line in lines)
    assert "or missing" not in str(model.rules()) + model.to_graphviz()
    assert [line for line in lines if "a part of the example" in line] == lines[-1:]
    assert model.rules().note in lines[-1]
    assert DecisionTreeClassifier(missing="side").fit(X, [0, 1, 1, 1, 0, 1]).rules().note == ""


def test_a_branch_without_examples_says_so() -> None:
    X = pd.DataFrame({"a": list("xxxxyyyy"), "b": list("pppqprrr")})
    model = ID3Classifier().fit(X, [0, 0, 0, 1, 1, 1, 1, 1])
    assert "|   b = r: 0 (no examples)" in model.to_text().splitlines()


def test_a_leaf_alone_in_words() -> None:
    model = DecisionTreeClassifier(min_samples_leaf=3).fit([[1], [2], [3]], ["a", "a", "b"])
    line, note = model.to_text().splitlines()
    assert line == "a (3, error 0.33)"
    assert "answered wrongly" in note
    assert [tuple(row) for row in model.rules()] == [("always", "a", 3, pytest.approx(1 / 3))]
    assert "0 [label=" in model.to_graphviz()
    assert model.get_depth() == 0


def test_hostile_names_are_quoted() -> None:
    names = ['a"];\n evil [label="', "back\\slash", "\u202egnp.exe"]
    X = pd.DataFrame(np.eye(3), columns=names)
    model = DecisionTreeClassifier().fit(X, ['x"', "y\n", "z\\"])
    source = model.to_graphviz()
    lines = source.splitlines()
    assert lines[0] == "digraph tree {"
    assert lines[-1] == "}"
    statement = re.compile(r'  (node|\d+( -> \d+)?) \[(\w+=(\w+|"([^"\\]|\\.)*")(, )?)+\];')
    assert all(statement.fullmatch(line) for line in lines[1:-1])
    assert all(c.isprintable() for line in lines for c in line)
    assert all(c.isprintable() for line in model.to_text().splitlines() for c in line)


def test_a_deep_tree_is_told_without_recursion() -> None:
    m = 3000
    y = np.arange(m) % 2
    model = DecisionTreeClassifier(max_leaf_nodes=m).fit(np.arange(m)[:, None] ** 1.5, y)
    assert model.get_n_leaves() == m
    assert len(model.rules()) == m
    assert model.to_text().count(": ") == m + 1  # one of the note
    assert model.score(np.arange(m)[:, None] ** 1.5, y) == 1


# ------------------------------------------------------------------------------- odd targets


def test_targets_that_are_odd_but_numbers() -> None:
    X = np.arange(4.0)[:, None]
    for y in ([1e300, -1e300, 1e308, -1e308], [1e-300, 0, 3e-300, 1e-290], [7, 7, 7, 7]):
        model = DecisionTreeRegressor().fit(X, y)
        assert model.predict(X) == pytest.approx(y, rel=1e-9)
        assert np.isfinite(model.feature_importances_).all()
    with pytest.warns(DataWarning, match="constant"):
        alone = DecisionTreeRegressor().fit([[1.0]], [2.0])
    assert alone.predict([[5.0]]).tolist() == [2.0]
    assert model.predict(np.zeros((0, 1))).shape == (0,)
    for y, words in (
        ([np.nan, 1, 2, 3], "y contains NaN"),
        ([np.inf, 1, 2, 3], "y contains infinity"),
        (["a", "b", "c", "d"], "a regressor needs numbers"),
        ([1, 2, 3], "4 rows"),
    ):
        with pytest.raises(ValueError, match=words):
            DecisionTreeRegressor().fit(X, y)


# ------------------------------------------------------------------------------ monotone columns


@pytest.mark.parametrize("sign", [1, -1])
def test_monotone_columns(sign: int) -> None:
    X, y, t = noisy(m=300)
    y, t = (y, t) if sign == 1 else (1 - y, -t)
    grid = np.repeat(noisy(m=30, seed=5)[0], 20, axis=0)
    grid[:, 0] = np.tile(np.linspace(-3, 3, 20), 30)
    for demand in ([sign, 0, 0, 0], {"a": sign}):
        frame = pd.DataFrame(X, columns=list("abcd"))
        model = DecisionTreeClassifier(monotonic_cst=demand).fit(frame, y)
        p = model.predict_proba(pd.DataFrame(grid, columns=list("abcd")))[:, 1].reshape(30, 20)
        assert (np.diff(p, axis=1) * sign >= 0).all()
    model = DecisionTreeRegressor(monotonic_cst=[sign, 0, 0, 0]).fit(X, t)
    assert (np.diff(model.predict(grid).reshape(30, 20), axis=1) * sign >= 0).all()
    free = DecisionTreeRegressor().fit(X, t).predict(grid).reshape(30, 20)
    assert not (np.diff(free, axis=1) * sign >= 0).all()


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_a_branch_of_missing_values_keeps_the_bounds_of_monotone_columns(kind: Any) -> None:
    cells = [(x, town) for x in (0.0, 1.0) for town in ("a", "b", None)]
    ones = [0, 8, 9, 32, 40, 6]  # of 40 rows a town and 10 missing: 0.9 at x = 0, 0.6 at x = 1
    sizes = [40, 40, 10] * 2
    rows = pd.DataFrame(cells, columns=["x", "town"]).astype({"town": "category"})
    y = np.concatenate([np.arange(n) < k for n, k in zip(sizes, ones, strict=True)]).astype(int)
    model = kind(missing="branch", categorical="multiway", monotonic_cst={"x": 1})
    model.fit(rows.loc[np.repeat(np.arange(6), sizes)], y)
    p = model.predict(rows) if kind is DecisionTreeRegressor else model.predict_proba(rows)[:, 1]
    low, high = p.reshape(2, 3)
    assert (low <= high).all()
    assert high.tolist() == pytest.approx([0.8, 1.0, 0.6])  # where the bounds allow a branch


# -------------------------------------------------------------------------------------- refusals

BAD: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({"max_leaf_nodes": 1}, ("max_leaf_nodes=1", "at least 2")),
    ({"max_depth": 0}, ("max_depth=0", "at least 1", "None")),
    ({"max_depth": 2.5}, ("max_depth=2.5", "whole number")),
    ({"max_features": 9}, ("max_features=9", "4 columns")),
    ({"max_features": 0}, ("max_features=0", "at least 1")),
    ({"max_features": 1.5}, ("max_features=1.5", "share above 0.0")),
    ({"max_features": "root"}, ("max_features='root'", "'sqrt'")),
    ({"min_samples_split": 1}, ("min_samples_split=1", "at least 2")),
    ({"min_samples_split": 1.5}, ("min_samples_split=1.5", "share")),
    ({"min_samples_leaf": 0}, ("min_samples_leaf=0", "at least 1")),
    ({"min_samples_leaf": 0.0}, ("min_samples_leaf=0.0", "share above 0.0")),
    ({"min_samples_leaf": True}, ("min_samples_leaf=True",)),
    ({"min_weight_fraction_leaf": 0.7}, ("min_weight_fraction_leaf=0.7", "at most 0.5")),
    ({"min_impurity_decrease": -1}, ("min_impurity_decrease=-1", "at least 0")),
    ({"ccp_alpha": -0.1}, ("ccp_alpha=-0.1", "at least 0")),
    ({"criterion": "ginny"}, ("criterion='ginny'",)),
    ({"pruning": "hard"}, ("pruning='hard'", "'cost_complexity'")),
    ({"categorical": "subsets"}, ("categorical='subsets'", "'subset'")),
    ({"missing": "guess"}, ("missing='guess'", "'fraction'")),
    ({"unseen": "no"}, ("unseen='no'", "'error'")),
    ({"exact": "yes"}, ("exact='yes'", "True or False")),
    ({"monotonic_cst": [1, 0]}, ("monotonic_cst has 2 entries", "4 columns")),
    ({"monotonic_cst": [2, 0, 0, 0]}, ("monotonic_cst is 2", "column 0", "1 (rising)")),
    ({"monotonic_cst": {"a": 1}}, ("monotonic_cst is a dict", "no column names")),
    ({"monotonic_cst": "up"}, ("monotonic_cst is 'up'",)),
    ({"random_state": -1}, ("random_state=-1",)),
]


@pytest.mark.parametrize(("wrong", "words"), BAD, ids=lambda part: str(part)[:40])
def test_parameters_that_are_refused(wrong: dict[str, Any], words: tuple[str, ...]) -> None:
    X, y, t = noisy(m=30)
    for kind, target in ((DecisionTreeClassifier, y), (DecisionTreeRegressor, t)):
        with pytest.raises((TypeError, ValueError)) as caught:
            kind(**wrong).fit(X, target)
        said(caught.value, *words)
        assert str(caught.value).count(". ") <= 1


def test_contradictions_are_refused() -> None:
    X, y, t = noisy(m=30, K=3)
    with pytest.raises(ValueError, match=r"ccp_alpha=0\.1 belongs to pruning='cost_complexity'"):
        DecisionTreeClassifier(pruning="pessimistic", ccp_alpha=0.1).fit(X, y)
    with pytest.raises(ValueError, match=r"pruning='pessimistic' is not allowed"):
        DecisionTreeRegressor(pruning="pessimistic").fit(X, t)
    with pytest.raises(ValueError, match=r"monotonic_cst is for two classes, and y holds 3"):
        DecisionTreeClassifier(monotonic_cst=[1, 0, 0, 0]).fit(X, y)
    frame = pd.DataFrame({"town": ["a", "b"] * 5, "age": range(10)})
    with pytest.raises(ValueError, match=r"monotonic_cst is 1 for column 'town', which holds cat"):
        DecisionTreeClassifier(monotonic_cst={"town": 1}).fit(frame, [0, 1] * 5)
    with pytest.raises(ValueError, match=r"'agee', which is no column .*Did you mean 'age'\?"):
        DecisionTreeClassifier(monotonic_cst={"agee": 1}).fit(frame, [0, 1] * 5)
    with pytest.raises(TypeError, match=r"'max_deph': Did you mean 'max_depth'\?"):
        DecisionTreeClassifier(max_deph=3)  # type: ignore[call-arg]


def test_limits_beyond_the_data_cost_nothing() -> None:
    X, y, _ = noisy(m=50)
    plain = DecisionTreeClassifier().fit(X, y)
    for limit in (10**9, 10**12, 10**30):
        model = DecisionTreeClassifier(max_depth=limit, max_leaf_nodes=limit).fit(X, y)
        assert np.array_equal(model.predict_proba(X), plain.predict_proba(X))
        none = DecisionTreeClassifier(min_samples_leaf=limit, min_samples_split=limit).fit(X, y)
        assert none.get_n_leaves() == 1


# -------------------------------------------------------------------------------------------- ID3


def plain(tree: dict[str, Any]) -> dict[str, Any]:
    """A tree as the golden file writes it."""
    if "leaf" in tree:
        return tree
    zero, one = (plain(tree["children"][value]) for value in (0, 1))
    return {"feature": tree["feature"], "gain": tree["gain"], "zero": zero, "one": one}


def close(found: Any, known: Any) -> bool:
    if isinstance(known, dict):
        return found.keys() == known.keys() and all(close(found[k], known[k]) for k in known)
    return bool(found == pytest.approx(known, **tolerance("id3")))


@pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")
@pytest.mark.parametrize("case", load("id3"), ids=names("id3"))
def test_golden_id3(case: Any) -> None:
    rows, labels = case["input"]["rows"], case["input"]["labels"]
    expected = case["expected"]
    model = ID3Classifier().fit(rows, labels)
    assert model.root_gains_ == pytest.approx(expected["root_gains"], **tolerance("id3"))
    assert model.entropy_ == pytest.approx(expected["entropy_root"], **tolerance("id3"))
    assert len(model.tree_) == expected["nodes"]
    assert close(plain(model.to_dict()), expected["tree"])
    internal = (expected["nodes"] - 1) // 2
    assert model.description_length() == bounds.tree_bits(internal, len(rows[0]))


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(2, 4))
@settings(max_examples=30, deadline=None)
def test_id3_is_consistent_where_the_sample_is(seed: int, d: int, values: int) -> None:
    rng = np.random.default_rng(seed)
    X = np.unique(rng.integers(0, values, (40, d)), axis=0)
    y = rng.integers(0, 3, len(X))
    y[:2] = 0, 1
    model = ID3Classifier().fit(X, y)
    assert model.score(X, y) == 1
    assert (model.root_gains_ >= 0).all()
    assert (model.root_gains_ <= model.entropy_ + 1e-12).all()
    order = rng.permutation(len(X))
    assert ID3Classifier().fit(X[order], y[order]).to_dict() == model.to_dict()


def test_id3_takes_every_value_for_a_category() -> None:
    model = ID3Classifier().fit([[0.5, "a"], [1.5, "a"], [2.5, "b"], [None, "b"]], [0, 1, 0, 1])
    assert model.to_dict() == {
        "feature": 0,
        "gain": 1.0,
        "children": {
            0.5: {"leaf": 0},
            1.5: {"leaf": 1},
            2.5: {"leaf": 0},
            None: {"leaf": 1},
        },
    }
    assert model.predict([[0.5, "z"], [float("nan"), "a"]]).tolist() == [0, 1]
    with pytest.raises(ValueError, match=r"holds the category 'z'"):
        model.set_params(unseen="error").predict([[0.5, "z"]])


def test_id3_prunes_where_asked() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 8))
    y = X[:, 3] ^ (rng.random(200) < 0.1)
    whole, pruned = ID3Classifier().fit(X, y), ID3Classifier(pruning="pessimistic").fit(X, y)
    assert pruned.get_n_leaves() < whole.get_n_leaves() / 3
    assert pruned.tree_.feature[0] == 3
    assert ID3Classifier(max_depth=1).fit(X, y).get_depth() == 1


def test_id3_refuses_dates_in_plain_words() -> None:
    X = pd.DataFrame({"day": pd.to_datetime(["2024-01-03", "2024-02-01"])})
    with pytest.raises(ValueError, match=r"column 'day', which holds dates.*turn it to text"):
        ID3Classifier().fit(X, [0, 1])


# --------------------------------------------------------------------------------- description


def test_description_length_of_other_trees() -> None:
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=1).fit(X, y)
    assert model.description_length() == (1 + 2 + 64) + 2 * (1 + 2)
    towns = pd.DataFrame({"town": ["Bath", "Ely", "Wells"] * 4})
    model = DecisionTreeClassifier(categorical="equality").fit(towns, [0, 1, 1] * 4)
    assert model.description_length() == (1 + 0 + 3) + 2 * (1 + 1)
    number = DecisionTreeRegressor(max_depth=1).fit(*load_diabetes(return_X_y=True))
    assert number.description_length() == (1 + 4 + 64) + 2 * (1 + 64)


# ------------------------------------------------------------------------------------- boosted


@pytest.mark.parametrize(
    "estimator",
    ["tree", DecisionTreeClassifier(max_depth=2), DecisionTreeClassifier(missing="fraction")],
    ids=str,
)
def test_boosted_trees(estimator: Any) -> None:
    X, y, _ = noisy(m=300)
    X[::9, 2] = np.nan
    new, y_new, _ = noisy(m=1000, seed=1)
    model = AdaBoostClassifier(estimator, n_estimators=30).fit(X, y)
    alone = model.estimators_[0]
    assert isinstance(alone, DecisionTreeClassifier)
    if alone.score(X, y) < 1:
        assert model.n_iter_ > 5
        assert model.score(new, y_new) > alone.score(new, y_new) - 0.02
    F = model.decision_function(new)
    *_, last = model.staged_decision_function(new)
    assert same_bits(last, F)
    members = [h.predict(new) * 2 - 1 for h in model.estimators_]
    assert F == pytest.approx(np.tensordot(model.estimator_weights_, members, 1), abs=1e-9)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert all(certificate.holds is not False for certificate in model.certify(X, y))
    assert same_bits(pickle.loads(pickle.dumps(model)).decision_function(new), F)
    table = model.rules(2)
    assert table.columns == ["round", "if", "then", "support", "error", "vote"]
    assert {row[0] for row in table} == {1, 2} or model.n_iter_ == 1


@pytest.mark.parametrize("multiclass", ["samme", "m1", "ovr"])
def test_boosted_trees_of_many_classes(multiclass: str) -> None:
    X, y, _ = noisy(m=300, K=3)
    model = AdaBoostClassifier("tree", n_estimators=12, multiclass=multiclass).fit(X, y)
    assert model.n_iter_ == 12
    assert model.score(X, y) > 0.95
    new = noisy(seed=1)[0]
    *_, last = model.staged_decision_function(new)
    assert same_bits(last, model.decision_function(new))
    order = np.random.default_rng(0).permutation(len(X))
    again = clone(model).fit(X[order], y[order])
    assert same_bits(again.decision_function(new), model.decision_function(new))
    warm = clone(model).set_params(n_estimators=5, warm_start=True).fit(X, y)
    warm.set_params(n_estimators=12).fit(X, y)
    assert same_bits(warm.decision_function(new), model.decision_function(new))


def test_the_tree_by_name_does_not_learn_small_samples_by_heart() -> None:
    for load_data in (load_iris, load_breast_cancer):
        X, y = load_data(return_X_y=True)
        for part in (slice(None), slice(None, None, 5)):
            model = AdaBoostClassifier("tree", n_estimators=20).fit(X[part], y[part])
            assert model.n_iter_ == 20
            assert model.score(X[part], y[part]) == 1
    one_test = AdaBoostClassifier("tree").fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    assert one_test.stop_reason_ == "a hypothesis made no error"


def test_strong_trees_are_boosted_by_m1_and_others_as_suits_them() -> None:
    X, y, _ = noisy(m=300, K=4)

    def scheme(estimator: Any, **options: Any) -> str:
        model = AdaBoostClassifier(estimator, n_estimators=2, **options).fit(X, y)
        return str(model._scheme)

    assert scheme("tree") == "AdaBoostM1"
    assert scheme("tree", multiclass="samme") == "Samme"
    assert scheme("stump") == "AdaBoostMH"
    assert scheme(DecisionTreeClassifier(max_depth=2)) == "AdaBoostMH"
    weak = DecisionTreeClassifier(min_samples_leaf=100)  # errs on more than half
    assert scheme(weak) == "Samme"
    assert scheme(DecisionTreeClassifier(min_samples_leaf=2)) == "AdaBoostM1"
    model = AdaBoostClassifier("tree", n_estimators=4).fit(X, y)
    assert [c.id for c in model.certify(X, y).training] == ["m1-train"]
    assert all(c.holds for c in model.certify(X, y).training)


def test_trees_a_booster_refuses() -> None:
    X, y, _ = noisy(m=30)
    with pytest.raises(TypeError, match=r"DecisionTreeRegressor\(\) predicts numbers"):
        AdaBoostClassifier(DecisionTreeRegressor()).fit(X, y)
    with pytest.raises(ValueError, match=r"pass ccp_alpha, or pruning='pessimistic'"):
        AdaBoostClassifier(DecisionTreeClassifier(pruning="cost_complexity")).fit(X, y)
    with pytest.raises(ValueError, match=r"set it on the booster"):
        AdaBoostClassifier(DecisionTreeClassifier(class_weight="balanced")).fit(X, y)
    with pytest.raises(ValueError, match=r"max_depth=0 is not allowed"):
        AdaBoostClassifier(DecisionTreeClassifier(max_depth=0)).fit(X, y)
    with pytest.raises(ValueError, match=r"max_features=9 is more than X has"):
        AdaBoostClassifier(DecisionTreeClassifier(max_features=9)).fit(X, y)


def test_resampled_and_weighted_leaves() -> None:
    X, y, _ = noisy(m=200)
    model = AdaBoostClassifier("tree", n_estimators=5, resample=True).fit(X, y)
    assert model.n_iter_ == 5
    model = AdaBoostClassifier("tree", n_estimators=5, min_weight_fraction_leaf=0.2).fit(X, y)
    trees = [h.tree for _, h in model.ensemble_]
    assert min((t.weight[t.is_leaf] / t.weight[0]).min() for t in trees) >= 0.2 - 1e-9
    id3 = AdaBoostClassifier(ID3Classifier(max_depth=1), n_estimators=5).fit(X.round(), y)
    assert id3.n_iter_ == 5
    assert isinstance(id3.estimators_[0], ID3Classifier)


def test_shares_of_rows_that_go_several_ways_are_at_most_one() -> None:
    """Their parts are rounded, and summed to 1 and an ulp."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 6, (24, 4)).astype(float)
    X[rng.random(X.shape) < 0.3] = np.nan
    model = DecisionTreeClassifier(missing="fraction").fit(X, rng.integers(0, 2, 24))
    rows = rng.integers(0, 6, (200, 4)).astype(float)
    rows[rng.random(rows.shape) < 0.5] = np.nan
    assert model._values(rows).max() > 1
    assert model.predict_proba(rows).max() == 1
