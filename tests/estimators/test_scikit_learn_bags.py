"""Scikit-learn's own tests of its bags, run on this library's, with trees of this library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.borrowed_suite import by_pattern, expect_exceptions, loaded, suite_tests, untold
from weaklearn import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

OURS: dict[str, type] = {
    "BaggingClassifier": BaggingClassifier,
    "BaggingRegressor": BaggingRegressor,
    "DecisionTreeClassifier": DecisionTreeClassifier,
    "DecisionTreeRegressor": DecisionTreeRegressor,
    "RandomForestClassifier": RandomForestClassifier,
    "RandomForestRegressor": RandomForestRegressor,
}

# Why, and which tests are not passed for it; * stands for any parameters.
EXCEPTIONS = {
    "works here: decision_function is the average vote, whatever the learner": "test_error",
    "works here: out-of-bag answers go on with the same rows": """
        test_warm_start_with_oob_score_fails
        """,
    "weights go to the learner as they are, and a float is a share of the examples": """
        test_warning_bootstrap_sample_weight
        test_invalid_sample_weight_max_samples_bootstrap_combinations
        """,
    "a member gets the rows drawn, and a bag of one class an answer without a learner": """
        test_draw_indices_using_sample_weight[*-BaggingClassifier]
        test_draw_indices_using_sample_weight[*-True-BaggingRegressor]
        """,
    "asks for a private attribute": "test_max_samples_consistency",
    "infinite values are refused": """
        test_bagging_regressor_with_missing_inputs test_bagging_classifier_with_missing_inputs
        """,
    "predictions take no metadata": "test_metadata_routing_with_dynamic_method_selection[*]",
}
REASONS = by_pattern(EXCEPTIONS)

SUITE = loaded("test_bagging", OURS)
globals().update(suite_tests(SUITE))


@pytest.fixture(autouse=True)
def _expected(request: pytest.FixtureRequest) -> None:
    expect_exceptions(request, REASONS)


@pytest.fixture
def global_random_seed() -> int:
    return 0


@pytest.mark.skipif(SUITE is None, reason="scikit-learn is installed without its tests")
def test_the_suite_was_found() -> None:
    assert SUITE is not None
    assert len(suite_tests(SUITE)) >= 30
    assert all(getattr(SUITE, name) is made for name, made in OURS.items())


def test_users_are_told_of_the_exceptions() -> None:
    assert untold(EXCEPTIONS, Path("docs/switching.md").read_text()) == []
