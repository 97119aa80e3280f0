"""Scikit-learn's own tests of its AdaBoostClassifier and AdaBoostRegressor, run on this library's.

The module of tests is loaded from the installed scikit-learn with the classes exchanged, and its
tests are collected here as if they were written here. Those listed as exceptions are run, too, and
must fail: an exception that is none any more is to be struck out.
"""

from __future__ import annotations

import importlib.util
from unittest import mock

import pytest
import sklearn.ensemble

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


def load_suite():
    spec = importlib.util.find_spec("sklearn.ensemble.tests.test_weight_boosting")
    if spec is None or spec.origin is None:
        return None
    fresh = importlib.util.spec_from_file_location("weaklearn_suite", spec.origin)
    suite = importlib.util.module_from_spec(fresh)
    ours = {"AdaBoostClassifier": AdaBoostClassifier, "AdaBoostRegressor": AdaBoostRegressor}
    with mock.patch.multiple(sklearn.ensemble, **ours):
        fresh.loader.exec_module(suite)
    # Lists that mix text and numbers become text on their way through numpy; here the user says so.
    suite.y_class = [str(label) for label in suite.y_class]
    suite.y_t_class = [str(label) for label in suite.y_t_class]
    return suite


def is_of_boosters(name, test):
    used = {"AdaBoostClassifier", "AdaBoostRegressor"} & set(test.__code__.co_names)
    return name.startswith("test_") and (bool(used) or "negative" in name)


def collected(suite):
    for name, test in vars(suite).items():
        if not callable(test) or not hasattr(test, "__code__") or not is_of_boosters(name, test):
            continue
        if name in EXCEPTIONS:
            test = pytest.mark.xfail(strict=True, reason=EXCEPTIONS[name])(test)
        yield name, pytest.mark.filterwarnings("ignore::UserWarning")(test)


try:
    SUITE = load_suite()
except ImportError:
    SUITE = None
if SUITE is not None:
    globals().update(collected(SUITE))


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
