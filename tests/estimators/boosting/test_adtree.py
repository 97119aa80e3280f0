"""ADTreeClassifier: text, table, picture, explanations, and the shared loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from weaklearn import ADTreeClassifier, BoostingWarning, DataWarning, datasets
from weaklearn.inspection.adtree_text import alternating, branches, decisions


@pytest.fixture(scope="module")
def people() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    n = 300
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n).astype(float),
            "colour": rng.choice(["red", "green", "blue"], n),
            "born": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
        }
    )
    late = table.born > pd.Timestamp("2021-03-01")
    y = np.where((table.age > 40) & (table.colour == "red") | late, "yes", "no")
    table.loc[rng.random(n) < 0.1, "age"] = np.nan
    return table, y


@pytest.fixture(scope="module")
def model(people: Any) -> Any:
    return ADTreeClassifier(n_estimators=6).fit(*people)


def test_the_text_of_a_tree() -> None:
    X, y = datasets.toy()
    text = ADTreeClassifier(n_estimators=4).fit(X, y).to_text()
    lines = text.splitlines()
    assert lines[0] == "all rows: +0 (10)"
    assert "|   |   |   |   [3, 4] x[0] > 8.5" in lines  # asked twice at one place, told once
    assert "|   |   |   |   |   no: +1.004 (3)" in lines  # and its numbers are added up
    assert lines[-1].endswith("above 0: 1)")


def test_categories_dates_and_gaps_are_told(model: Any) -> None:
    text = model.to_text()
    assert "colour = red" in text
    assert "born > 2021-0" in text
    assert "missing: " in text
    rules = model.rules().to_frame()
    assert rules["if"].str.contains("age is missing").any()
    assert (rules.support > 0).all()  # answers that training never gave have no line


def test_a_row_can_be_checked_by_hand(model: Any, people: Any) -> None:
    """The numbers of the text, followed by a program that knows of nothing else, give the score."""
    X, _ = people
    root = alternating(model.ensemble_, model._schema)

    def holds(question: str, row: Any) -> str:
        name, sign, value = question.split(" ", 2)
        x = row[name]
        if pd.isna(x):
            return "missing"
        if sign == "=":
            return "yes" if x == value else "no"
        limit = pd.Timestamp(value) + pd.Timedelta("23:59:59") if name == "born" else float(value)
        return "yes" if x > limit else "no"

    def score(here: Any, row: Any) -> float:
        total = here.number
        for decision in here.decisions:
            answer = holds(decision.question, row)
            total += sum(score(o, row) for o in branches(decision) if o.edge == answer)
        return float(total)

    F = model.decision_function(X)
    assert [score(root, row) for _, row in X.iterrows()] == pytest.approx(F.tolist(), abs=1e-12)


def test_explanations_add_up(model: Any, people: Any) -> None:
    X, _ = people
    why = model.explain(X.iloc[:20])
    assert why.scores == pytest.approx(model.decision_function(X.iloc[:20]), abs=1e-12)
    assert why.base == model.ensemble_.base
    assert len(why.names) == len(list(decisions(model._trees()[0][1])))
    assert why.scale == "score of yes"
    assert any("[" in name for name in why.names)  # asked of some rows only
    assert "2020" in why.value(0, why.features.index((2,))) or "202" in str(why.values)


def test_a_gap_adds_nothing_where_training_had_none(people: Any) -> None:
    X, y = people
    model = ADTreeClassifier(n_estimators=5).fit(X[["colour"]], y)
    strange = pd.DataFrame({"colour": ["violet", None]})
    assert model.decision_function(strange).tolist() == [model.ensemble_.base] * 2


def test_three_classes_have_a_tree_each(people: Any) -> None:
    X, y = people
    three = np.where(X.colour == "blue", "maybe", y)
    model = ADTreeClassifier(n_estimators=4).fit(X, three)
    assert model.score(X, three) > 0.8
    assert [line for line in model.to_text().splitlines() if line in ("maybe", "no", "yes")]
    why = model.explain(X)
    assert why.outputs == ("maybe", "no", "yes")
    assert why.scores == pytest.approx(model.decision_function(X), abs=1e-12)
    pairs = ADTreeClassifier(n_estimators=4, multiclass="pairs").fit(X, three)
    assert pairs.score(X, three) > 0.8
    assert "yes against no" in pairs.to_text()
    assert pairs.explain(X).outputs[0] == "no against maybe"
    assert model.certify(X, three)[0].verdict.startswith("does not apply")


def test_depth_one_asks_all_rows(people: Any) -> None:
    flat = ADTreeClassifier(n_estimators=6, max_depth=1).fit(*people)
    assert all(h.after is None for h in flat.ensemble_.members)
    deep = ADTreeClassifier(n_estimators=6, max_depth=2).fit(*people)
    assert max(h.tree.depth for h in deep.ensemble_.members) == 2


def test_the_shared_loop_serves_it(people: Any) -> None:
    X, y = people
    straight = ADTreeClassifier(n_estimators=8).fit(X, y)
    grown = ADTreeClassifier(n_estimators=3, warm_start=True).fit(X, y)
    grown.set_params(n_estimators=8).fit(X, y)
    assert grown.to_text() == straight.to_text()
    stages = list(straight.staged_decision_function(X))
    assert len(stages) == 8
    assert stages[2].tolist() == straight.truncate(3).decision_function(X).tolist()
    early = ADTreeClassifier(n_estimators=60, early_stopping=True, n_iter_no_change=3).fit(X, y)
    assert early.n_iter_ < 60
    assert early.to_text().count("[") >= early.n_iter_ / 2
    half = ADTreeClassifier(n_estimators=1, learning_rate=0.5).fit(X, y)
    whole = ADTreeClassifier(n_estimators=1).fit(X, y)
    base = whole.ensemble_.base
    assert half.decision_function(X) - base == pytest.approx(
        (whole.decision_function(X) - base) / 2
    )
    assert straight.feature_importances_.sum() == pytest.approx(1)
    assert (np.abs(straight.margins(X, y)) <= 1).all()
    assert straight.estimators_[0].predict(X)[:3] == pytest.approx(
        straight.ensemble_.members[0](straight._rows(X))[:3]
    )


def test_weights_are_copies_to_the_letter(people: Any) -> None:
    X, y = people
    weight = np.random.default_rng(3).integers(0, 3, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    counted = ADTreeClassifier(n_estimators=5).fit(X, y, weight)
    repeated = ADTreeClassifier(n_estimators=5).fit(X.iloc[rows], y[rows])
    assert counted.fingerprint() == repeated.fingerprint()


def test_what_is_certified(model: Any, people: Any) -> None:
    X, y = people
    (found,) = model.certify(X, y).training
    F = model.decision_function(X)
    sign = np.where(np.asarray(y) == "yes", 1, -1)
    assert found.bound == pytest.approx(np.exp(-sign * F).mean())
    assert found.observed == pytest.approx(np.mean(sign * F <= 0))
    assert found.verdict == "holds"
    assert model.certify()[0].verdict == "holds"
    assert "not the rows of training" in model.certify(X[::-1], y)[0].verdict


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"estimator": "tree"}, "estimator='tree'.*None, 'stump'"),
        ({"max_depth": 0}, "max_depth=0.*at least 1, or None"),
        ({"max_depth": 1.5}, "max_depth=1.5"),
        ({"n_estimators": "auto"}, "n_estimators='auto'"),
        ({"learning_rate": 0.0}, "learning_rate=0.0"),
        ({"multiclass": "mh"}, "multiclass='mh'"),
        ({"min_weight_fraction_leaf": 0.6}, "min_weight_fraction_leaf=0.6"),
    ],
)
def test_impossible_parameters_are_refused(given: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        ADTreeClassifier(**given).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.filterwarnings("ignore:every column:weaklearn.DataWarning")
def test_a_root_alone_is_told() -> None:
    with pytest.warns(DataWarning, match="one class"):
        model = ADTreeClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert model.to_text().startswith("all rows: +0.5493 (0)")
    with pytest.warns(BoostingWarning, match="the most frequent"):
        model = ADTreeClassifier().fit([[1.0], [1.0], [1.0]], ["b", "a", "b"])
    assert model.predict([[5.0]]).tolist() == ["b"]
    assert len(model.explain([[1.0]]).names) == 0


def test_saved_models_come_back(model: Any, people: Any, tmp_path: Any) -> None:
    model.save(tmp_path / "tree.weak")
    again = wl.load(tmp_path / "tree.weak")
    assert again.to_text() == model.to_text()
    assert again.ensemble_.members == model.ensemble_.members
    again.set_params(warm_start=True, n_estimators=8).fit(*people)
    assert again.to_text() == ADTreeClassifier(n_estimators=8).fit(*people).to_text()


def test_rules_have_no_column_of_equal_votes() -> None:
    X = np.random.default_rng(0).normal(size=(90, 3))
    y = np.digitize(X[:, 0] + X[:, 1], [-0.5, 0.5])
    two = ADTreeClassifier(n_estimators=4).fit(X, y == 1).rules()
    assert two.columns == ["round", "if", "then", "support"]
    model = ADTreeClassifier(n_estimators=4).fit(X, y)
    assert model.rules().columns == ["round", "class", "if", "then", "support"]
    begins = [f"{k}: {part.base:.4g}" for k, part in enumerate(model.ensemble_.parts)]
    assert model.rules().note.endswith(f"; it begins with {', '.join(begins)}")
    assert len(set(begins)) > 1


def test_xor_has_no_error_after_three_questions() -> None:
    X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    assert ADTreeClassifier(n_estimators=3).fit(X, y).score(X, y) == 1
