"""SlipperClassifier and RuleClassifier: rules that a person can check."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from tests.estimators.boosting.test_adtree import people  # noqa: F401
from weaklearn import DataWarning, RuleClassifier, SlipperClassifier
from weaklearn.inspection.merge_rules import votes_of

SQUARE = np.array([[k % 10, k // 10] for k in range(100)], float)
INSIDE = np.array([int(3 <= a < 8 and b > 4) for a, b in SQUARE])


def test_rules_can_be_checked_by_hand(people: Any) -> None:  # noqa: F811
    X, y = people
    model = SlipperClassifier(n_estimators=8).fit(X, y)
    (label, rules), *others = model._sets()
    assert (label, others) == ("yes", [])
    F = np.zeros(len(X))
    for vote, h in rules:
        covered = h.covers(model._rows(X))
        F += vote * covered
        assert (h.right, h.wrong) == (
            np.count_nonzero(covered & (y == "yes")),
            np.count_nonzero(covered & (y == "no")),
        )
        assert vote >= 0 or h.constant
    assert model.decision_function(X) == pytest.approx(F, abs=1e-12)
    lines = model.to_text().splitlines()
    assert len(lines) == len(rules) + 2
    assert "always (" in lines[1]  # the default first
    assert model.explain(X).scores == pytest.approx(F, abs=1e-12)
    assert model.score(X, y) > 0.9


def test_repeated_rules_are_merged() -> None:
    model = SlipperClassifier(n_estimators=6).fit(SQUARE, INSIDE)
    merged, single = model.rules(), model.rules(merge=False)
    assert len(single) == 6
    assert len(merged) < 6
    assert merged.columns[0] == "rounds"
    assert sum(len(row[0]) for row in merged) == 6
    assert sum(row[-1] for row in merged) == pytest.approx(sum(row[-1] for row in single))
    assert "2, 3, 5" in str(merged)
    assert model.rules(2).rows == model.rules(2, merge=True).rows


def test_folds_find_the_rounds() -> None:
    model = SlipperClassifier().fit(SQUARE, INSIDE)
    assert 1 <= model.n_iter_ <= 20
    assert model.stop_reason_ == "the rounds that folds found best were played"
    order = np.random.default_rng(0).permutation(100)
    again = SlipperClassifier().fit(SQUARE[order], INSIDE[order])
    assert again.fingerprint() == model.fingerprint()
    straight = SlipperClassifier(n_estimators=model.n_iter_).fit(SQUARE, INSIDE)
    assert straight.to_text() == model.to_text()
    three = INSIDE + 2 * (SQUARE[:, 0] > 8)
    many = SlipperClassifier().fit(SQUARE, three)
    assert many.score(SQUARE, three) > 0.9
    more = model.set_params(warm_start=True, n_estimators=model.n_iter_ + 2)
    assert more.fit(SQUARE, INSIDE).n_iter_ == straight.n_iter_ + 2


def test_folds_of_few_or_weighted_rows() -> None:
    with pytest.warns(DataWarning):
        assert SlipperClassifier().fit([[1.0]], [1]).n_iter_ == 1
    assert SlipperClassifier().fit([[1.0], [2.0]], [0, 1]).n_iter_ >= 0
    weight = np.random.default_rng(1).random(100) + 0.5
    model = SlipperClassifier().fit(SQUARE, INSIDE, weight)
    assert model.score(SQUARE, INSIDE) > 0.9
    copies = np.random.default_rng(2).integers(0, 3, 100)
    rows = np.repeat(np.arange(100), copies)
    counted = SlipperClassifier().fit(SQUARE, INSIDE, copies)
    assert (
        counted.fingerprint() == SlipperClassifier().fit(SQUARE[rows], INSIDE[rows]).fingerprint()
    )


def test_three_classes_have_a_set_each() -> None:
    three = INSIDE + 2 * (SQUARE[:, 0] > 8)
    model = SlipperClassifier(n_estimators=5).fit(SQUARE, three)
    text = model.to_text()
    assert [f"rules for {k}" in text for k in range(3)] == [True] * 3
    assert model.explain(SQUARE).scores == pytest.approx(model.decision_function(SQUARE), abs=1e-12)
    pairs = SlipperClassifier(n_estimators=5, multiclass="pairs").fit(SQUARE, three)
    assert "rules for 2 against 1" in pairs.to_text()
    table = model.rules()
    assert table.columns[:2] == ["rounds", "class"]
    assert [row[0] for row in table] == sorted(row[0] for row in table)


def test_the_seed_changes_the_draws_alone() -> None:
    texts = {
        SlipperClassifier(n_estimators=3, random_state=s).fit(SQUARE, INSIDE).to_text()
        for s in range(4)
    }
    assert len(texts) > 1
    early = SlipperClassifier(n_estimators=40, early_stopping=True).fit(SQUARE, INSIDE)
    assert early.n_iter_ <= 40
    narrow = SlipperClassifier(RuleClassifier(max_tests=1), n_estimators=4).fit(SQUARE, INSIDE)
    assert max(len(h.demands) for h in narrow.ensemble_.members) == 1
    assert isinstance(narrow.estimators_[0], RuleClassifier)
    assert narrow.estimators_[0].max_tests == 1


def test_what_is_certified() -> None:
    model = SlipperClassifier(n_estimators=5).fit(SQUARE, INSIDE)
    (found,) = model.certify(SQUARE, INSIDE).training
    sign = 2 * INSIDE - 1
    F = model.decision_function(SQUARE)
    assert found.bound == pytest.approx(np.exp(-sign * F).mean())
    assert (found.verdict, found.observed) == ("holds", np.mean(sign * F <= 0))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"estimator": "stump"}, "estimator='stump'.*None, 'rule'"),
        ({"estimator": wl.DecisionStumpClassifier()}, "builds no rules; pass None, 'rule'"),
        ({"estimator": RuleClassifier(grow=2)}, "grow=2"),
        ({"n_estimators": 0}, "n_estimators=0.*or 'auto'"),
        ({"n_estimators": "many"}, "n_estimators='many'"),
        ({"early_stopping": True}, "both look for the number of rounds"),
        ({"min_weight_fraction_leaf": -1}, "min_weight_fraction_leaf=-1"),
    ],
)
def test_impossible_parameters_are_refused(given: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        SlipperClassifier(**given).fit([[0.0], [1.0]], [0, 1])


# ----------------------------------------------------------------------------------------- one rule


def test_one_rule(people: Any, tmp_path: Any) -> None:  # noqa: F811
    X, y = people
    rule = RuleClassifier(random_state=3).fit(X, y)
    assert len(rule.rules()) == 1
    F = rule.decision_function(X)
    assert set(np.unique(F)) <= {0.0, rule.confidence_}
    assert np.count_nonzero(F) == rule.rule_.right + rule.rule_.wrong
    assert rule.predict(X).tolist() == np.where(F > 0, "yes", "no").tolist()
    right, wrong = np.mean((F > 0) & (y == "yes")), np.mean((F > 0) & (y == "no"))
    less = 0.5 / len(y)
    assert rule.confidence_ == pytest.approx(0.5 * np.log((right + less) / (wrong + less)))
    assert rule.error_ == pytest.approx(wrong + np.mean(F == 0) / 2)
    assert rule.feature_importances_.sum() == pytest.approx(1)
    rule.save(tmp_path / "rule.weak")
    again = wl.load(tmp_path / "rule.weak")
    assert str(again.rules()) == str(rule.rules())
    assert again.decision_function(X).tolist() == F.tolist()


def test_a_rule_may_ask_for_gaps() -> None:
    X = pd.DataFrame({"a": [1.0, 2, 3, 4] * 10, "b": ["u", "v", None, None] * 10})
    rule = RuleClassifier().fit(X, [0, 0, 1, 1] * 10)
    assert rule.predict(X).tolist() == [0, 0, 1, 1] * 10
    rule = RuleClassifier().fit(X[["b"]], [0, 0, 1, 1] * 10)
    assert "b is missing" in str(rule.rules())
    assert rule.predict(pd.DataFrame({"b": ["u", "w"]})).tolist() == [0, 1]  # unseen is missing
    strict = RuleClassifier(missing="error")
    with pytest.raises(ValueError, match="missing"):
        strict.fit(X, [0, 0, 1, 1] * 10)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"grow": 0.0}, "grow=0.0.*above 0"),
        ({"grow": 1.5}, "grow=1.5"),
        ({"max_tests": 0}, "max_tests=0"),
        ({"missing": "branch"}, "missing='branch'"),
        ({"random_state": -1}, "random_state=-1"),
    ],
)
def test_impossible_parameters_of_a_rule(given: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        RuleClassifier(**given).fit([[0.0], [1.0]], [0, 1])


def test_a_rule_is_for_two_classes() -> None:
    with pytest.raises(ValueError, match="3 classes; pass two, or use SlipperClassifier"):
        RuleClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 2])


# ------------------------------------------------------------------------------------------ merging


def test_members_that_answer_alike_are_one() -> None:
    X, y = wl.datasets.toy()
    model = wl.AdaBoostClassifier(n_estimators=40, on_perfect="smooth").fit(X, y)
    merged = votes_of(model.ensemble_, None, merge=True)
    assert len(merged) < 40
    rows = model._rows(X)
    F = sum(vote * h(rows) for _, vote, h in merged)
    assert model.decision_function(X) == pytest.approx(F, abs=1e-9)
    assert sorted(t for rounds, _, _ in merged for t in rounds) == list(range(1, 41))
    table = model.rules(merge=True)
    assert len(table) == len(merged)
    assert table.columns[0] == "rounds"
    assert model.rules().columns[0] == "round"
    with pytest.raises(TypeError, match="merge='yes'"):
        model.rules(merge="yes")


def test_partitions_that_ask_the_same_add_their_numbers() -> None:
    X, y = wl.datasets.toy()
    model = wl.RealAdaBoostClassifier(n_estimators=30, learning_rate=0.3).fit(X, y)
    merged = votes_of(model.ensemble_, None, merge=True)
    assert len(merged) < 30
    rows = model._rows(X)
    F = sum(vote * h(rows) for _, vote, h in merged)
    assert model.decision_function(X) == pytest.approx(F, abs=1e-9)


def test_trees_are_merged_by_their_answers() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (80, 2)).astype(float)
    y = rng.integers(0, 2, 80)
    model = wl.AdaBoostClassifier("tree", n_estimators=25).fit(X, y)
    merged = votes_of(model.ensemble_, None, merge=True)
    rows = model._rows(X)
    F = sum(vote * h(rows) for _, vote, h in merged)
    assert model.decision_function(X) == pytest.approx(F, abs=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_right_are_the_examples_of_the_class_that_a_rule_names(n_classes: int) -> None:
    X = np.random.default_rng(1).random((120, 3))
    y = np.digitize(X[:, 0], [0.3, 0.6][: n_classes - 1])
    table = SlipperClassifier(n_estimators=4).fit(X, y).rules()
    assert "of the class in then" in table.note
    column = {name: k for k, name in enumerate(table.columns)}
    for row in table:
        if row[column["if"]] == "always":  # it holds everywhere
            name = str(row[column["then"]])
            own = y != int(name[4:]) if name.startswith("not ") else y == int(name)
            assert row[column["right"]] == own.sum()
            assert row[column["wrong"]] == 120 - own.sum()
    assert any(row[column["if"]] == "always" and row[-1] < 0 for row in table)
