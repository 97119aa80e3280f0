"""Fits over several partitions of the rows: one model, whatever the partitions; what is refused."""

import numpy as np
import pytest

import weaklearn as wl
from tests.boosters.test_partitions import WEIGHTS, dealt, table
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


def test_a_scheme_for_several_classes_that_needs_all_rows_at_once_is_refused():
    with pytest.raises(TypeError, match=r"AdaBoostMH cannot be fitted .*multiclass='ovr'"):
        fit_over(wl.AdaBoostClassifier, y=np.array([0, 1, 2, 2, 1, 0]))


def one_model(make, X, y, weights=None, n=(1, 3, 7), **more):
    """Checks that a fit over partitions, in any order of rows, gives the model of all rows."""
    whole, rng = make().fit(X, y, sample_weight=weights, **more), np.random.default_rng(0)

    def program(rows):
        own = None if weights is None else weights[rows]
        return lambda: make().fit(X[rows], y[rows], sample_weight=own, **more)

    for size in n:
        for model in run_here([program(rows) for rows in dealt(rng, len(X), size)]):
            assert model.fingerprint() == whole.fingerprint()
            assert model.history_ == whole.history_
            assert model.stop_reason_ == whole.stop_reason_
            assert model._train_accuracy == whole._train_accuracy
    return whole


@pytest.mark.parametrize("weights", WEIGHTS)
def test_adaboost_is_one_model(weights):
    rng = np.random.default_rng(2)
    X, y = table(rng, 1200)
    one_model(lambda: wl.AdaBoostClassifier(n_estimators=12), X, y, WEIGHTS[weights](rng, len(X)))


def test_adaboost_with_weights_of_classes_is_one_model():
    X, y = table(np.random.default_rng(3), 900)
    one_model(lambda: wl.AdaBoostClassifier(n_estimators=12, class_weight="balanced"), X, y)


def test_adaboost_of_three_classes_is_one_model():
    X, y = table(np.random.default_rng(4), 900)
    y = (y > 0).astype(int) + (X[:, 0] > 0.5)
    one_model(lambda: wl.AdaBoostClassifier(n_estimators=8, multiclass="ovr"), X, y)


def test_a_warm_start_goes_on_over_partitions():
    X, y = table(np.random.default_rng(6), 600)
    whole = wl.AdaBoostClassifier(n_estimators=14).fit(X, y)

    def program(rows):
        def steps():
            model = wl.AdaBoostClassifier(n_estimators=5, warm_start=True).fit(X[rows], y[rows])
            return model.set_params(n_estimators=14).fit(X[rows], y[rows])

        return steps

    for model in run_here([program(rows) for rows in dealt(np.random.default_rng(1), 600, 3)]):
        assert model.history_ == whole.history_
        assert list(model.ensemble_) == list(whole.ensemble_)
