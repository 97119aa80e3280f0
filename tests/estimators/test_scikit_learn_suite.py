"""Scikit-learn's own tests of its AdaBoostClassifier and AdaBoostRegressor, run on this library's.

The module of tests is loaded from the installed scikit-learn with the classes exchanged, and its
tests are collected here as if they were written here. Those listed as exceptions are run, too, and
must fail: an exception that is none any more is to be struck out.
"""

from __future__ import annotations

import pytest

from tests.borrowed_suite import expect_exceptions, loaded, suite_tests
from weaklearn import AdaBoostClassifier, AdaBoostRegressor

# By name, the tests that this library does not pass, and why. docs/switching.md tells users.
EXCEPTIONS = {
    "test_adaboost_decision_function": "the numbers are SAMME's own normalisation: this library's "
    "decision_function is F, the sum of the votes",
    "test_sample_weights_infinite": "weights are kept as logarithms and never become infinite",
    "test_adaboostclassifier_without_sample_weight": "a learner that takes no weights is trained "
    "on resampled rows instead of being refused",
    "test_estimator": "labels that mix text and numbers are refused, not silently made text; and "
    "nothing learnt is a warning and a model that says so, not an error",
    # Of versions before 1.8, whose class had a choice of algorithms.
    "test_deprecated_samme_r_algorithm": "there is no parameter algorithm",
    "test_deprecated_base_estimator": "there is no parameter base_estimator",
    "test_deprecated_algorithm": "there is no parameter algorithm",
}


def boosting_suite():
    ours = {"AdaBoostClassifier": AdaBoostClassifier, "AdaBoostRegressor": AdaBoostRegressor}
    suite = loaded("test_weight_boosting", ours)
    if suite is not None:
        # Lists that mix text and numbers become text on their way through numpy; here users say so.
        suite.y_class = [str(label) for label in suite.y_class]
        suite.y_t_class = [str(label) for label in suite.y_t_class]
    return suite


def is_of_boosters(name, test):
    used = {"AdaBoostClassifier", "AdaBoostRegressor"} & set(test.__code__.co_names)
    return bool(used) or "negative" in name


def collected(suite):
    for name, test in suite_tests(suite).items():
        if is_of_boosters(name, test):
            yield name, pytest.mark.filterwarnings("ignore::UserWarning")(test)


SUITE = boosting_suite()
globals().update(collected(SUITE))


@pytest.fixture(autouse=True)
def _expected(request):
    expect_exceptions(request, EXCEPTIONS)


@pytest.fixture
def global_random_seed():
    return 0


@pytest.mark.skipif(SUITE is None, reason="scikit-learn is installed without its tests")
def test_the_suite_was_found():
    names = dict(collected(SUITE))
    assert len(names) >= 20
    assert {"test_iris", "test_staged_predict", "test_sparse_classification"} <= set(names)
    assert {"test_regression_toy", "test_diabetes", "test_sparse_regression"} <= set(names)
    assert SUITE.AdaBoostClassifier is AdaBoostClassifier
    assert SUITE.AdaBoostRegressor is AdaBoostRegressor
