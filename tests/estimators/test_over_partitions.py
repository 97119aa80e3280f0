"""Fits over several partitions of the rows: one model, whatever the partitions; what is refused."""

import functools
import warnings

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from tests.boosters.test_partitions import WEIGHTS, dealt, table
from weaklearn.engines.here import run_here

X = np.arange(12.0).reshape(6, 2)
Y = np.array([0, 1, 0, 1, 1, 0])


def fit_over(model_of, n=2, X=X, y=Y):
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


@pytest.mark.parametrize("name", ["keep_largest", "dropout"])
def test_what_gradient_boosting_needs_all_rows_for(name):
    with pytest.raises(ValueError, match=f"{name}=0.2 is not supported over several partitions"):
        fit_over(lambda: wl.GradientBoostingClassifier(n_estimators=3, **{name: 0.2}))


def test_slopes_in_leaves_need_all_rows_at_once():
    with pytest.raises(ValueError, match="linear_leaves=True is not supported over several"):
        fit_over(lambda: wl.GradientBoostingClassifier(n_estimators=3, linear_leaves=True))


@pytest.mark.parametrize(
    "kind", [wl.AdaBoostClassifier, wl.GradientBoostingClassifier, wl.AdditiveBoostingRegressor]
)
def test_splits_need_all_rows_at_once(kind):
    splits = [(np.arange(5), np.arange(5, 9))]
    with pytest.raises(ValueError, match=r"cv=.* is not supported over several partitions"):
        fit_over(lambda: kind(cv=splits))


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


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"multiclass": "m1"}, "AdaBoostM1"),
        ({"multiclass": "samme"}, "Samme"),
        ({"multiclass": "mr"}, "AdaBoostMR"),
        ({"multiclass": "pairs"}, "AllPairs"),
        ({"estimator": "tree", "multiclass": "mh"}, "a tree"),
    ],
)
def test_a_scheme_for_several_classes_that_needs_all_rows_at_once_is_refused(options, named):
    with pytest.raises(TypeError, match=rf"{named} cannot be fitted .*multiclass='auto', 'mh'"):
        fit_over(lambda: wl.AdaBoostClassifier(**options), y=np.array([0, 1, 2, 2, 1, 0]))


@pytest.mark.parametrize(
    ("loss", "y", "named"),
    [
        (
            "cox",
            np.array([(True, 1.0 + k) for k in range(6)], [("e", bool), ("t", float)]),
            "'cox'",
        ),
        ("squared_error", np.ones((6, 2)), "y holds 2 targets a row, which"),
    ],
    ids=["events", "several targets"],
)
def test_times_of_events_and_several_targets_need_all_rows_at_once(loss, y, named):
    with pytest.raises(ValueError, match=rf"{named} is not supported over several partitions"):
        fit_over(lambda: wl.GradientBoostingRegressor(loss), y=y)


def test_a_prior_is_refused():
    with pytest.raises(ValueError, match=r"prior=.* is not supported over several partitions"):
        fit_over(lambda: wl.AdaBoostLClassifier(prior=lambda X: np.full(len(X), 0.5)))


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


def classes(X, y):
    """Five classes, one of which is rare."""
    return (y > 0).astype(int) + (X[:, 0] > 0.5) + 2 * (X[:, 1] > 1)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_adaboost_of_several_classes_is_one_model(weights):
    rng = np.random.default_rng(4)
    X, y = table(rng, 900)
    model = one_model(
        lambda: wl.AdaBoostClassifier(n_estimators=15), X, classes(X, y), WEIGHTS[weights](rng, 900)
    )
    assert model._scheme == "AdaBoostMH"


@pytest.mark.parametrize("scheme", ["ovr", "mo"])
def test_other_schemes_of_several_classes_are_one_model(scheme):
    X, y = table(np.random.default_rng(4), 700)
    y = classes(X, y)
    one_model(lambda: wl.AdaBoostClassifier(n_estimators=6, multiclass=scheme), X, y, n=(3,))


def test_adaboost_of_several_classes_with_rows_held_out_and_copies_of_one_row():
    X, y = table(np.random.default_rng(10), 900)
    y = classes(X, y)
    X[::3], y[::3] = X[1], y[1]
    make = functools.partial(wl.AdaBoostClassifier, n_estimators=40, early_stopping=True)
    one_model(make, X, y, n=(3,))


def test_bins_of_many_values_are_divided_again_and_again():
    rng = np.random.default_rng(12)
    X = rng.normal(size=(20_000, 2)).round(6)
    X[:, 1] = np.exp(6 * X[:, 1])
    y = classes(X, np.where(X[:, 1] > 0.3, 1, -1))
    one_model(lambda: wl.AdaBoostClassifier(n_estimators=6), X, y, n=(3,))


def test_several_classes_that_one_rule_tells_apart():
    X = np.arange(90.0)[:, None] // 30
    one_model(lambda: wl.AdaBoostClassifier(n_estimators=6), X, (X[:, 0]).astype(int), n=(1, 4))


@pytest.mark.parametrize("name", ["MadaBoostClassifier", "AdaBoostLClassifier"])
@pytest.mark.parametrize("weights", ["equal", "importance", "copies"])
def test_boosters_that_keep_margins_are_one_model(name, weights):
    rng = np.random.default_rng(13)
    X, y = table(rng, 600)
    one_model(lambda: getattr(wl, name)(n_estimators=12), X, y, WEIGHTS[weights](rng, 600))
    one_model(lambda: getattr(wl, name)(), X[:, :1], np.where(X[:, 0] > 0, 1, -1), n=(3,))


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


@pytest.mark.parametrize("name", ["ArcGVClassifier", "AdaBoostStarClassifier"])
def test_boosters_that_aim_at_a_margin_are_one_model(name):
    X, y = table(np.random.default_rng(7), 600)
    one_model(lambda: getattr(wl, name)(n_estimators=10), X, y, n=(3,))


@pytest.mark.parametrize("n_classes", [2, 4])
def test_columns_of_texts_are_one_model(n_classes):
    rng = np.random.default_rng(8)
    X, y = table(rng, 700)
    names = np.array(["red", "green", "blue", "rare"])[rng.choice(4, 700, p=[0.4, 0.3, 0.29, 0.01])]
    y = np.where(rng.random(700) < 0.5, y, np.where(names == "green", 1, -1))
    y = y if n_classes == 2 else np.where(names == "blue", 3, classes(X, y) % 3)
    frame = pd.DataFrame({"x": X[:, 0], "missing": X[:, 5], "name": names})
    whole = wl.AdaBoostClassifier(n_estimators=12).fit(frame, y)

    def program(rows):
        return lambda: wl.AdaBoostClassifier(n_estimators=12).fit(frame.iloc[rows], y[rows])

    for model in run_here([program(rows) for rows in dealt(rng, 700, 4)]):
        assert model.fingerprint() == whole.fingerprint()


@pytest.mark.parametrize("weighted", [False, True])
def test_validation_rows_may_lie_in_all_partitions(weighted):
    rng = np.random.default_rng(9)
    X, y = table(rng, 1500)
    weights = rng.lognormal(0, 1, 500) if weighted else None
    make = functools.partial(wl.AdaBoostClassifier, n_estimators=60, early_stopping=True)

    def fitted(rows, judged):
        own = None if weights is None else weights[judged]
        return make().fit(X[500:][rows], y[500:][rows], None, X[:500][judged], y[:500][judged], own)

    whole = fitted(np.arange(1000), np.arange(500))
    assert whole.n_iter_ < 60
    parts = zip(dealt(rng, 1000, 3), dealt(rng, 500, 3)[::-1], strict=True)
    for model in run_here([functools.partial(fitted, *part) for part in parts]):
        assert model.fingerprint() == whole.fingerprint()
        assert model.history_ == whole.history_


@pytest.mark.parametrize("weights", WEIGHTS)
def test_rows_held_out_to_stop_early_are_those_of_all_partitions(weights):
    rng = np.random.default_rng(10)
    X, y = table(rng, 1000)
    X[::3] = X[1]  # copies of one row
    make = functools.partial(wl.AdaBoostClassifier, n_estimators=40, early_stopping=True)
    model = one_model(make, X, y, WEIGHTS[weights](rng, len(X)))
    assert "validation_score" in model.history_


def test_a_fit_that_learns_nothing_says_so_once():
    X, y = np.zeros((40, 2)), np.arange(40) % 2
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        fit_over(wl.AdaBoostClassifier, n=4, X=X, y=y)
    assert sum("nothing was learnt" in str(each.message) for each in told) == 1
