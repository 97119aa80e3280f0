"""Fits over several partitions of the rows: what is refused, before anything is asked."""

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.engines.here import run_here

X = np.arange(12.0).reshape(6, 2)
Y = np.array([0, 1, 0, 1, 1, 0])


def fit_over(model_of, n=2, y=Y):
    """The models of n partitions, fitted on every n-th row each."""

    def program(k):
        return lambda: model_of().fit(X[k::n], y[k::n])

    return run_here([program(k) for k in range(n)])


@pytest.mark.parametrize(
    "name",
    [
        "RandomForestClassifier",
        "BrownBoostClassifier",
        "DecisionTreeClassifier",
        "KernelPerceptron",
    ],
)
def test_an_estimator_that_needs_all_rows_at_once_is_refused(name):
    with pytest.raises(TypeError, match=f"{name} cannot be fitted over several partitions"):
        fit_over(getattr(wl, name))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"scoring": "roc_auc"}, "scoring='roc_auc'"),
        ({"calibrate": "slope"}, "calibrate='slope'"),
        ({"resample": True}, "resample=True"),
        ({"min_weight_fraction_leaf": 0.1}, "min_weight_fraction_leaf=0.1"),
    ],
)
def test_an_option_that_needs_all_rows_at_once_is_refused(options, named):
    with pytest.raises(ValueError, match=f"{named} is not supported over several partitions"):
        fit_over(lambda: wl.AdaBoostClassifier(**options))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"estimator": "tree"}, "a tree"),
        ({"estimator": lambda X, y, D: np.sign}, "the function given as estimator"),
    ],
)
def test_a_learner_that_needs_all_rows_at_once_is_refused(options, named):
    with pytest.raises(TypeError, match=f"{named} cannot be fitted over several partitions"):
        fit_over(lambda: wl.AdaBoostClassifier(**options))
