"""Bagging with given bags: golden values, and what must hold for any bags."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeRegressor

from tests import golden
from tests.samples import sample_of
from weaklearn import DecisionStumpClassifier
from weaklearn.ensembles import bag
from weaklearn.learners import StumpLearner
from weaklearn.theory import bagging_identity

NAMES = golden.names("bagging")
BAGS = st.lists(st.lists(st.integers(0, 11), min_size=12, max_size=12), min_size=1, max_size=6)


def points(n: int = 12, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, size=(n, 2)).astype(float)
    return X, np.where(X[:, 0] + rng.normal(size=n) > 3.5, 1, -1)


def check_golden(found: Any, stumps: list[Any], expected: Any) -> None:
    allowed = golden.tolerance("bagging")
    assert [(s["feature"], s["polarity"]) for s in expected["stumps"]] == [s[::2] for s in stumps]
    thresholds = [s["threshold"] for s in expected["stumps"]]
    assert [s[1] for s in stumps] == pytest.approx(thresholds, **allowed)
    assert found.bagged_average == pytest.approx(np.array(expected["bagged_average"]), **allowed)
    oob = np.array(expected["oob_average"], dtype=float)
    assert found.oob_average == pytest.approx(oob, nan_ok=True, **allowed)
    assert found.oob_covered == expected["oob_covered"]
    assert found.oob_errors == expected["oob_errors"]
    assert found.oob_error_rate == pytest.approx(expected["oob_error_rate"], **allowed)


@pytest.mark.parametrize("name", NAMES)
def test_golden_with_the_estimator(name: str) -> None:
    case = golden.case("bagging", name)
    given = case["input"]
    found = bag(DecisionStumpClassifier(), given["X"], given["y"], given["bootstrap_indices"])
    stumps = [(s.feature_, s.threshold_, s.polarity_) for s in found.members]
    check_golden(found, stumps, case["expected"])


@pytest.mark.parametrize("name", NAMES)
def test_golden_with_the_native_learner(name: str) -> None:
    case = golden.case("bagging", name)
    given = case["input"]
    sample = sample_of(np.array(given["X"]), np.array(given["y"]))
    found = bag(StumpLearner(), sample, sample.y, given["bootstrap_indices"])
    stumps = [(h.feature, h.threshold, h.high) for h in found.members]
    check_golden(found, stumps, case["expected"])


@settings(max_examples=25, deadline=None)
@given(BAGS)
def test_out_of_bag_answers_by_brute_force(bags: list[list[int]]) -> None:
    X, y = points()
    found = bag(DecisionStumpClassifier(), X, y, bags)
    errors = covered = 0
    for i in range(len(y)):
        strangers = [m for m, drawn in zip(found.members, bags, strict=True) if i not in drawn]
        if not strangers:
            assert np.isnan(found.oob_average[i])
            continue
        mean = np.mean([m.predict(X[i : i + 1])[0] for m in strangers])
        assert found.oob_average[i] == pytest.approx(mean)
        covered += 1
        errors += (1 if mean > 0 else -1) != y[i]
    assert (found.oob_covered, found.oob_errors) == (covered, errors)


@settings(max_examples=25, deadline=None)
@given(BAGS)
def test_averaging_saves_the_variance(bags: list[list[int]]) -> None:
    X, y = points(seed=3)
    found = bag(DecisionTreeRegressor(), X, y + 0.25, bags)
    saved = bagging_identity(found.answers, y + 0.25)
    assert saved.error_of_aggregate == pytest.approx(
        ((found.bagged_average - y - 0.25) ** 2).mean()
    )
    assert saved.spread == pytest.approx(found.variance.mean())
    assert saved.gap == pytest.approx(0, abs=1e-12)


def test_copies_of_a_constant_learner_change_nothing() -> None:
    X, y = points()
    everything = [list(range(12))] * 4
    alone = bag(DecisionStumpClassifier(), X, y, everything[:1])
    many = bag(DecisionStumpClassifier(), X, y, everything)
    assert many.bagged_average.tolist() == alone.bagged_average.tolist()
    assert many.variance.tolist() == [0.0] * 12
    assert many.oob_covered == 0
    assert np.isnan(many.oob_error_rate)


def test_a_bag_of_one_class_gives_the_constant() -> None:
    X, y = points()
    ones = np.flatnonzero(y == 1)[:2].tolist()
    found = bag(LogisticRegression(), X, y, [ones * 6, list(range(12))])
    assert found.answers[0].tolist() == [1.0] * 12
    assert found.members[1].classes_.tolist() == [-1, 1]


def test_three_labels_are_decided_by_plurality_and_ties_by_the_smallest() -> None:
    X = np.arange(6.0)[:, None]
    y = np.array(["a", "a", "b", "b", "c", "c"])
    bags = [[0, 1, 2, 3, 4, 5], [0, 0, 0, 4, 4, 4]]
    found = bag(KNeighborsClassifier(1), X, y, bags)
    assert found.answers.shape == (2, 6, 3)
    # Rows 2 and 3 are b to the first member; to the second they are nearest to a and c.
    assert found.prediction.tolist() == ["a", "a", "a", "b", "c", "c"]
    assert found.oob_covered == 4
    assert found.oob_errors == 2


def test_numbers_are_averaged() -> None:
    X, y = np.arange(4.0)[:, None], np.array([0.5, 1.5, 2.5, 3.5])
    found = bag(DecisionTreeRegressor(), X, y, [[0, 1, 1, 0], [2, 3, 3, 2]])
    assert found.bagged_average.tolist() == [1.5, 2.0, 2.0, 2.5]
    assert found.variance.tolist() == [1.0, 0.25, 0.25, 1.0]
    assert found.oob_error_rate == pytest.approx(np.mean([4.0, 1.0, 1.0, 4.0]))


def test_the_learner_itself_is_left_alone() -> None:
    X, y = points()
    learner = DecisionStumpClassifier()
    bag(learner, X, y, [list(range(12))])
    assert not hasattr(learner, "stump_")


def test_bags_that_are_refused() -> None:
    X, y = points()
    for bags, words in (
        ([], "holds no bag"),
        ([[0], []], r"indices\[1\] must be a list"),
        ([[0.5]], r"indices\[0\] must be a list"),
        ([[12]], r"indices\[0\] holds 12; rows are 0 to 11"),
        ([[0], [-1]], r"indices\[1\] holds -1"),
    ):
        with pytest.raises(ValueError, match=words):
            bag(DecisionStumpClassifier(), X, y, bags)
    with pytest.raises(ValueError, match="12 rows, y has 11"):
        bag(DecisionStumpClassifier(), X, y[:-1], [[0]])
