"""Scikit-learn's own checks, every one of them, on every estimator."""

import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.fixes import parse_version

from weaklearn import AdaBoostClassifier, DecisionStumpClassifier, ThresholdClassifier

BOOSTED = [
    AdaBoostClassifier(),
    AdaBoostClassifier(multiclass="m1"),
    AdaBoostClassifier(multiclass="ovr"),
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=1)),
    AdaBoostClassifier(DecisionStumpClassifier(missing="error")),
    AdaBoostClassifier(DecisionStumpClassifier(missing="abstain")),
    AdaBoostClassifier(LogisticRegression(), n_estimators=5),
    AdaBoostClassifier(KNeighborsClassifier(3), n_estimators=5),  # takes no weights: resampled
    AdaBoostClassifier(early_stopping=True),
    AdaBoostClassifier(resample=True),
]
SIMPLE = [
    DecisionStumpClassifier(),
    DecisionStumpClassifier(missing="error"),
    ThresholdClassifier(),
]

OLD = parse_version(sklearn.__version__) < parse_version("1.7")

pytestmark = pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")


@pytest.fixture(autouse=True)
def _array_api(monkeypatch):
    # Without it scikit-learn skips its check of inputs that follow the array standard.
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")


@parametrize_with_checks(BOOSTED + SIMPLE)
def test_scikit_learn(estimator, check):
    name = getattr(check, "func", check).__name__
    binary = not get_tags(estimator).classifier_tags.multi_class
    if OLD and binary and name.startswith("check_sample_weight_equivalence"):
        pytest.skip("before 1.7 this check gives two classes to one fit and three to the other")
    check(estimator)


@pytest.mark.parametrize("estimator", BOOSTED + SIMPLE)
def test_no_tag_asks_for_leniency(estimator):
    tags = get_tags(clone(estimator))
    assert not tags._skip_test
    assert not tags.no_validation
    assert not tags.non_deterministic
    assert tags.classifier_tags.poor_score == (type(estimator) in map(type, SIMPLE))
