"""One tree of an ensemble as text, as a picture, and as rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

import weaklearn as wl

X, Y = load_iris(return_X_y=True, as_frame=True)
X.columns = ["sepal_length", "sepal_width", "length", "width"]
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
TREE = wl.DecisionTreeClassifier(max_depth=2)


def test_a_tree_of_gradients_by_hand() -> None:
    model = wl.GradientBoostingRegressor(n_estimators=1, max_depth=1, learning_rate=1.0)
    model.set_params(l2_regularization=0.0, subsample=1.0)
    model.fit([[1.0], [2.0], [3.0], [4.0]] * 5, [0.0, 0.0, 2.0, 2.0] * 5)
    assert str(model.tree(0)).splitlines() == [
        "tree 0 of 1: vote 1",
        "x[0] <= 2.5: -1 (10)",
        "x[0] > 2.5: +1 (10)",
        "(in brackets: training examples)",
    ]
    assert [row[:3] for row in model.tree(0).rules().rows] == [
        ("x[0] <= 2.5", -1.0, 10),
        ("x[0] > 2.5", 1.0, 10),
    ]
    assert "labelloc=t" in model.tree(0).to_graphviz()
    assert '0 [label="x[0] > 2.5"];' in model.tree(0).to_graphviz()


MODELS = {
    "gradient": (wl.GradientBoostingClassifier(n_estimators=3), True),
    "gradient of numbers": (wl.GradientBoostingRegressor(n_estimators=3), False),
    "forest": (wl.RandomForestClassifier(n_estimators=3), True),
    "extra trees": (wl.ExtraTreesRegressor(n_estimators=3), False),
    "bag": (wl.BaggingClassifier("tree", n_estimators=3, max_features=2), True),
    "votes": (wl.AdaBoostClassifier(TREE, n_estimators=3, multiclass="samme"), True),
    "votes one against the rest": (wl.AdaBoostClassifier(TREE, n_estimators=3), True),
}


@pytest.mark.parametrize("name", MODELS)
def test_leaves_and_votes_add_up_to_the_score(name: str) -> None:
    model, of_classes = MODELS[name]
    model.fit(X, NAMES if of_classes else X["width"])
    outputs: list[Any] = ["setosa", "versicolor", "virginica"] if of_classes else [None]
    rows = X[::10]
    scores = model.explain(rows).scores.reshape(len(rows), -1)
    for k, output in enumerate(outputs):
        found = [model.tree(t, output) for t in range(3)]
        start = model.ensemble_.base[k] if "gradient" in name else 0.0
        for i in range(0, len(rows), 5):
            added = [tree.vote * _answer(tree, rows.iloc[i]) for tree in found]
            assert start + sum(added) == pytest.approx(scores[i, k], abs=2e-3)


def _answer(tree: Any, row: Any) -> float:
    """The number behind the only rule that holds, read from its words."""
    values = row.to_dict() | {"always": True}
    rules = [(line[0].replace(" or missing", ""), float(line[1])) for line in tree.rules().rows]
    [found] = [then for words, then in rules if eval(words, {}, values)]
    return found


def test_of_several_scores_with_trees_of_their_own_one_is_asked_for() -> None:
    model = wl.GradientBoostingClassifier(n_estimators=2).fit(X, NAMES)
    with pytest.raises(ValueError, match="say whose tree it is by output=, one of 'setosa'"):
        model.tree(0)
    with pytest.raises(ValueError, match=r"output='rose' is not allowed"):
        model.tree(0, "rose")
    with pytest.raises(ValueError, match=r"number=2 is not allowed"):
        model.tree(2, "setosa")
    assert str(model.tree(1, 1)) == str(model.tree(1, "versicolor"))


def test_one_score_has_no_output() -> None:
    model = wl.GradientBoostingRegressor(n_estimators=1).fit(X, Y)
    with pytest.raises(ValueError, match="the model has one score only; leave it out"):
        model.tree(0, output="a")


def test_stumps_show_no_numbers_of_examples() -> None:
    model = wl.AdaBoostClassifier(n_estimators=2).fit(X, Y == 1)
    assert "(" not in str(model.tree(0))
    assert model.tree(0).rules().columns == ["if", "then"]


def test_targets_by_name_and_a_depth() -> None:
    y = X[["width", "length"]]
    model = wl.GradientBoostingRegressor(n_estimators=1).fit(X, y)
    text = model.tree(0, "length").to_text(max_depth=1)
    assert text.startswith("tree 0 of 1, for length: vote ")
    assert "leaves below" in text


def test_a_bag_of_ensembles_hands_on() -> None:
    model = wl.BaggingRegressor(wl.GradientBoostingRegressor(n_estimators=2), n_estimators=2)
    model.fit(X, X["width"])
    with pytest.raises(ValueError, match=r"ask estimators_\[1\]\.tree"):
        model.tree(1)
    assert "tree 1 of 2" in str(model.estimators_[1].tree(1))


def test_members_that_are_no_trees_are_refused() -> None:
    from sklearn.naive_bayes import GaussianNB

    model = wl.AdaBoostClassifier(GaussianNB(), n_estimators=2).fit(X, Y == 1)
    with pytest.raises(TypeError, match="GaussianNB"):
        model.tree(0)
