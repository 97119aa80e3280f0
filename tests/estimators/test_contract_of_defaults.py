"""Scikit-learn's own checks on estimators as they come, where other tests give parameters."""

import pytest
from sklearn.utils.estimator_checks import check_class_weight_classifiers, parametrize_with_checks

from tests.trials import TRIALS
from weaklearn import BoostByMajorityClassifier, GammaMajorityClassifier
from weaklearn.registry import ROWS, class_of

# Those whose parameters for the checks are not their defaults.
AS_THEY_COME = [class_of(ROWS[name])() for name, given in TRIALS.items() if given]

pytestmark = pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")


@pytest.fixture(autouse=True)
def _array_api(monkeypatch):
    # Without it scikit-learn skips its check of inputs that follow the array standard.
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")


@pytest.mark.long
@parametrize_with_checks(AS_THEY_COME)
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", [BoostByMajorityClassifier(), GammaMajorityClassifier()])
def test_class_weights_count_in_majorities(estimator):
    check_class_weight_classifiers(type(estimator).__name__, estimator)
