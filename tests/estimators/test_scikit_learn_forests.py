"""Scikit-learn's own tests of its forests, run on this library's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.borrowed_suite import by_pattern, expect_exceptions, loaded, suite_tests, untold
from weaklearn import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

OURS: dict[str, type] = {
    "ExtraTreesClassifier": ExtraTreesClassifier,
    "ExtraTreesRegressor": ExtraTreesRegressor,
    "RandomForestClassifier": RandomForestClassifier,
    "RandomForestRegressor": RandomForestRegressor,
}

# Why, and which tests are not passed for it; * stands for any parameters.
EXCEPTIONS = {
    "a warm start does not go on with other outputs": "test_class_weight_errors[*]",
    "asks for private attributes or methods": """
        test_validate_y_class_weight[*] test_class_weights_forest[*]
        test_oob_not_computed_twice[*] test_max_samples_geq_one[*]
        """,
    "asks for parts of the prototype `estimator`, or of another layout of `tree_`": """
        test_memory_layout[*] test_importances_asymptotic test_distribution
        test_min_samples_leaf[*Classifier] test_min_samples_leaf[*Regressor]
        test_min_weight_fraction_leaf[*Classifier] test_min_weight_fraction_leaf[*Regressor]
        """,
    "refused, in other words": """
        test_max_samples_bootstrap[*]
        """,
    "max_features is 0.5 in a regressor's forest": """
        test_regression_criterion[squared_error-RandomForestRegressor]
        test_regression_criterion[friedman_mse-RandomForestRegressor]
        """,
    "whole weights are numbers of copies: half or a hundred times as many draw other bags": """
        test_importances[RandomForestClassifier-gini-*]
        test_importances[RandomForestClassifier-log_loss-float64]
        test_importances[RandomForestRegressor-squared_error-*]
        """,
    "draws and bins are those of the forest, not of a tree fitted alone": """
        test_estimators_samples[*] test_forest_multioutput_integral_regression_target[*]
        """,
    "weights by the classes of each bag are not offered": """
        test_round_samples_to_one_when_samples_too_low[balanced_subsample]
        test_class_weight_balanced_and_bootstrap_multi_output[*]
        """,
    "friedman_mse is squared_error by another name, and no less allowed": """
        test_friedman_mse_deprecation[*]
        """,
    "trees grow on threads in C++; there is no joblib, and no criterion is an object": """
        test_backend_respected test_mse_criterion_object_segfault_smoke_test[*]
        """,
}
REASONS = by_pattern(EXCEPTIONS)

SUITE = loaded("test_forest", OURS)
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
    assert len(suite_tests(SUITE)) >= 50
    assert all(getattr(SUITE, name) is made for name, made in OURS.items())


def test_users_are_told_of_the_exceptions() -> None:
    assert untold(EXCEPTIONS, Path("docs/switching.md").read_text()) == []
