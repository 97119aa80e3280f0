"""Parameters that are wrong: refused with name, value and what is allowed, before any work."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from tests.forms import (
    ADABOOST,
    ANY,
    ANY3,
    AVERAGED,
    BAGGING,
    BOOSTERS,
    FOREST,
    FORMS,
    GLASS,
    GLASSES,
    GRADIENT,
    OVR,
    SAMME,
    STUMP,
    TREE,
    Form,
    checked,
    fitted,
    over,
    said,
    same,
    untouched,
)
from weaklearn import (
    AdaBoostClassifier,
    AdditiveBoostingClassifier,
    AdditiveBoostingRegressor,
    BaggingClassifier,
    DecisionStumpClassifier,
    GradientBoostingClassifier,
    GradientBoostingRanker,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    RuleClassifier,
    ThreadsWarning,
    ThresholdClassifier,
    losses,
)
from weaklearn.engines import available_threads, resolve_threads

NAN, INF = np.nan, np.inf
X, y = ADABOOST.X, ADABOOST.y


class Unshowable:
    """Cannot even say what it is."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


def refused(form: Form, name: str, value: Any, *words: str, **others: Any) -> None:
    """A fitted model refuses a fit with this parameter, and is what it was."""
    model = form.fit()
    params = {name: value, **others}
    before = {name: model.get_params()[name] for name in params}
    model.set_params(**params)
    with pytest.raises((TypeError, ValueError)) as caught:
        model.fit(form.X, form.y)
    said(caught.value, name, *words)
    assert len(str(caught.value)) < 600 or name == "scoring"
    with untouched(fitted(form), form.X):
        assert same(model.set_params(**before), fitted(form), form.X)


# ------------------------------------------------------------------------ H1, H2: how many, how far


@checked(
    [*BOOSTERS, *GLASSES, *AVERAGED],
    "value",
    [0, -1, -(10**30), 2.5, 10.0, "10", None, NAN, INF, True, np.True_, [3], 3 + 0j, Decimal(3)],
)
def test_n_estimators(form: Form, value: Any) -> None:
    refused(form, "n_estimators", value, "not allowed", "whole number of at least 1")


def test_n_estimators_of_any_whole_type_and_size() -> None:
    for value in (3, np.int8(3), np.uint64(3)):
        assert AdaBoostClassifier(n_estimators=value).fit(X, y).n_iter_ == 3
    model = AdaBoostClassifier(n_estimators=10**9, callbacks=[lambda t, state, history: t == 4])
    assert model.fit(X, y).n_iter_ == 4  # nothing is set aside for the rest
    assert model.stop_reason_ == "a callback asked to stop"
    assert AdaBoostClassifier(n_estimators=10**30).fit([[0.0], [1.0]], [0, 1]).n_iter_ == 1


@checked(
    [*BOOSTERS, *GLASSES],
    "value",
    [0, 0.0, -1, -1e-9, NAN, INF, -INF, 1e300, 10**400, Fraction(10**400), "0.1", None, True, 1j],
)
def test_learning_rate(form: Form, value: Any) -> None:
    if value is None and form in (ANY, ANY3):
        pytest.skip("None is the rate that suits the kind of step")
    refused(form, "learning_rate", value, "not allowed", "number above 0 and at most")


@checked(
    [*BOOSTERS, *GLASSES], "value", [1, 0.5, np.float32(0.5), Fraction(1, 2), 1e-320, 1e-9, 1e6]
)
def test_learning_rates_that_are_odd_but_allowed(form: Form, value: Any) -> None:
    if getattr(form.make(), "_fixed_votes", ""):
        pytest.skip("the votes are fixed by the booster's definition")
    model = form.make(learning_rate=value).fit(form.X, form.y)
    proba = model.predict_proba(form.X)
    assert np.isfinite(proba).all()
    assert proba.sum(axis=1) == pytest.approx(np.ones(60))
    assert np.isfinite(model.decision_function(form.X)).all()


# -------------------------------------------------------------------- H6, H7: shares and tolerances


@pytest.mark.parametrize("value", [0, 1, -0.1, 1.5, NAN, INF, "half", None, True])
def test_validation_fraction(value: Any) -> None:
    refused(ADABOOST, "validation_fraction", value, "not allowed", "number above 0 and at most")


def test_any_small_fraction_holds_a_row_of_every_class() -> None:
    for fraction in (5e-324, 1e-9, 0.999):
        model = AdaBoostClassifier(early_stopping=True, validation_fraction=fraction)
        assert model.fit(X, y).n_iter_ >= 1


@pytest.mark.parametrize("value", [0, -1, 2.5, "3", None, NAN, True])
def test_n_iter_no_change(value: Any) -> None:
    refused(ADABOOST, "n_iter_no_change", value, "not allowed", "whole number of at least 1")


@pytest.mark.parametrize("value", [-1e-9, NAN, INF, "0", None, True])
def test_tol(value: Any) -> None:
    refused(ADABOOST, "tol", value, "not allowed", "number at least 0 and at most")


@pytest.mark.parametrize("value", [-0.1, 0.6, NAN, INF, "0", None])
@over([ADABOOST, SAMME, OVR, STUMP, FOREST])
def test_min_weight_fraction_leaf(form: Form, value: Any) -> None:
    refused(form, "min_weight_fraction_leaf", value, "not allowed", "at least 0 and at most 0.5")


@pytest.mark.parametrize("name", ["early_stopping", "warm_start"])
@pytest.mark.parametrize("value", [0, 1, "yes", None, NAN, []], ids=str)
def test_switches(name: str, value: Any) -> None:
    refused(ADABOOST, name, value, "not allowed", "True or False")


@pytest.mark.parametrize("name", ["bootstrap", "oob_score", "warm_start"])
@pytest.mark.parametrize("value", [0, 1, "yes", None, NAN, []], ids=str)
@over([BAGGING, FOREST])
def test_switches_of_averages(form: Form, name: str, value: Any) -> None:
    refused(form, name, value, "not allowed", "True or False")


@pytest.mark.parametrize("value", [0, -1, 0.0, -0.1, NAN, INF, "half", True, [1]], ids=str)
@pytest.mark.parametrize("name", ["max_samples", "max_features"])
@over([BAGGING, FOREST])
def test_numbers_and_shares(form: Form, name: str, value: Any) -> None:
    refused(form, name, value, "not allowed", "whole number of at least 1", "share above 0.0")


@over([BAGGING, FOREST])
def test_more_than_there_is(form: Form) -> None:
    for value in (61, 10**30):
        refused(form, "max_features", value, "is more than")
    refused(form, "max_features", 1.5, "not allowed", "share above 0.0 and at most 1.0")
    for many in (10**30, 1e300):  # rows are drawn again and again, but not without end
        refused(form, "max_samples", many, "asks for bags")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("max_depth", [0, -1, 2.5, "3", True, NAN]),
        ("max_leaf_nodes", [0, 1, -1, 2.5, "3", True]),
        ("min_samples_leaf", [0, -1, 0.0, 1.5, "3", None, True]),
        ("min_samples_split", [0, 1, -1, 0.0, 1.5, "3", None, True]),
        ("min_impurity_decrease", [-1, NAN, INF, "0", None]),
    ],
)
def test_limits_of_trees(name: str, values: list[Any]) -> None:
    for value in values:
        refused(FOREST, name, value, "not allowed", "at least")


def test_limits_beyond_the_data_are_none() -> None:
    for name in ("max_depth", "max_leaf_nodes"):
        for value in (10**9, 10**12, 10**30):
            assert same(FOREST.make(**{name: value}).fit(X, y), FOREST.fit(), X)


def test_numpy_flags_are_switches() -> None:
    given = {"early_stopping": np.True_, "warm_start": np.False_}
    assert AdaBoostClassifier(**given, n_estimators=3).fit(X, y).n_iter_ >= 1


@pytest.mark.parametrize("value", [-1, 2.5, "loud", NAN])
def test_verbose(value: Any) -> None:
    refused(ADABOOST, "verbose", value, "not allowed", "whole number of at least 0")


def test_progress_goes_to_standard_error_alone(capsys: Any) -> None:
    for verbose in (True, 1, 10**9):
        AdaBoostClassifier(n_estimators=3, verbose=verbose).fit(X, y)
        out, err = capsys.readouterr()
        assert out == ""
        assert "3/3" in err


# ------------------------------------------------------------------- H11: one of a few, near misses

CHOICES = [
    (SAMME, "multiclass", "auto"),
    (ADABOOST, "on_half", "flip"),
    (ADABOOST, "on_perfect", "smooth"),
    (ADABOOST, "calibrate", "slope"),
    (ADABOOST, "unseen", "error"),
    (STUMP, "categorical", "multiway"),
    (STUMP, "missing", "abstain"),
    (STUMP, "unseen", "missing"),
    (FOREST, "unseen", "error"),
    (FOREST, "criterion", "entropy"),
]


@pytest.mark.parametrize(("form", "name", "choice"), CHOICES, ids=lambda part: str(part)[:12])
def test_one_of_a_few(form: Form, name: str, choice: str) -> None:
    for value in ("", "nonsense", 3, True, NAN, b"auto", [choice], {}, "x" * 10**6, Unshowable()):
        refused(form, name, value, "not allowed", "one of", repr(choice))
    refused(form, name, choice[:-1] + "x", "not allowed", f"Did you mean {choice!r}?")
    refused(form, name, choice.upper(), "not allowed", repr(choice))
    if name != "calibrate":
        refused(form, name, None, "None", "one of")
    model = form.make(**{name: np.str_(choice)})  # as a search over an array of choices gives it
    assert same(model.fit(X, y), form.make(**{name: choice}).fit(X, y), X)


@pytest.mark.parametrize("value", [3, "forest", "Stump", object(), [], {}, NAN, b"stump"])
def test_estimator(value: Any) -> None:
    words = ("'stump'",) if isinstance(value, str) else ("weak learner", "'stump'", "Pipeline")
    refused(ADABOOST, "estimator", value, *words)


@pytest.mark.parametrize(
    "kind", [DecisionStumpClassifier, DecisionTreeClassifier, AdaBoostClassifier]
)
def test_a_class_is_no_estimator(kind: Any) -> None:
    refused(ADABOOST, "estimator", kind, "is a class", f"{kind.__name__}()")


def test_what_is_wrong_inside_an_estimator_is_said() -> None:
    for name, value in ("categorical", "multi"), ("missing", "ignore"), ("unseen", "what"):
        model = ADABOOST.fit()
        model.estimator = DecisionStumpClassifier(**{name: value})
        with untouched(model, X), pytest.raises(ValueError, match=f"{name}={value!r}"):
            model.fit(X, y)
    model = ADABOOST.fit()
    model.estimator = DecisionTreeClassifier(max_depth=-3)
    with untouched(model, X), pytest.raises(ValueError, match="max_depth"):
        model.fit(X, y)
    model.estimator = DecisionStumpClassifier(class_weight="balanced")
    with untouched(model, X), pytest.raises(ValueError, match="on the booster"):
        model.fit(X, y)


# ---------------------------------------------------------------------- what is inside a dictionary


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("yes", ("not allowed", "True, False or a dict")),
        (3, ("not allowed", "True, False or a dict")),
        ([], ("not allowed", "True, False or a dict")),
        ({"n_sample": 5}, ("'n_sample'", "options", "Did you mean 'n_samples'?")),
        ({"zzz": 5}, ("'zzz'", "options", "n_samples, gamma, delta")),
        ({7: 5}, ("7", "options")),
        ({"n_samples": 0}, ("['n_samples']=0", "at least 1")),
        ({"n_samples": 2.5}, ("['n_samples']=2.5", "whole number")),
        ({"n_samples": 10**12}, ("['n_samples']", "at most")),
        ({"gamma": 0}, ("['gamma']=0", "above 0 and at most 0.5")),
        ({"gamma": 0.6}, ("['gamma']=0.6", "at most 0.5")),
        ({"gamma": NAN}, ("['gamma']=nan", "at most 0.5")),
        ({"delta": 0}, ("['delta']=0", "above 0")),
        ({"delta": 1}, ("['delta']=1", "above 0")),
        ({"success_probability": 2}, ("['success_probability']=2", "above 0")),
        ({"on_failure": "bestt"}, ("['on_failure']='bestt'", "one of", "'best'")),
    ],
    ids=str,
)
def test_resample(value: Any, words: tuple[str, ...]) -> None:
    refused(ADABOOST, "resample", value, *words)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("balance", ("'balance'", "'balanced'", "dict")),
        (3, ("3", "'balanced'", "dict")),
        ([1, 2], ("[1, 2]", "'balanced'", "dict")),
        ({5: 1.0}, ("[5]",)),
        ({"0": 1.0}, ("['0']",)),
        ({0: -1.0}, ("[0] is -1.0", ">= 0")),
        ({0: NAN}, ("[0] is nan", "finite")),
        ({1: INF}, ("[1] is inf", "finite")),
        ({1: 10**400}, ("[1]", "finite")),
        ({0: "heavy"}, ("[0] is 'heavy'", "finite numbers")),
        ({0: None}, ("[0] is None", "finite numbers")),
        ({0: 0, 1: 0}, ("zeros only", "positive")),
    ],
    ids=lambda part: str(part)[:30],
)
@over([ADABOOST, TREE, STUMP, FOREST, GLASS])
def test_class_weight(form: Form, value: Any, words: tuple[str, ...]) -> None:
    model = form.fit()
    model.class_weight = value
    with untouched(model, X), pytest.raises(ValueError, match="class_weight") as caught:
        model.fit(X, y)
    said(caught.value, *words)


def test_a_class_of_weight_zero_is_left_out() -> None:
    for form in (ADABOOST, STUMP):
        model = form.make(class_weight={0: 0}).fit(X, y)
        assert (model.predict(X)[y == 1] == 1).all()


@pytest.mark.parametrize(
    "value", [3, "abc", print, {"a": 1}, [3], [None], ["a"], [int], [object()]]
)
def test_callbacks(value: Any) -> None:
    refused(ADABOOST, "callbacks", value)


@pytest.mark.parametrize("value", ["accuracies", 3, 1.5])
def test_scoring(value: Any) -> None:
    refused(ADABOOST, "scoring", value, early_stopping=True)


@pytest.mark.parametrize("score", [NAN, None, "good", [1.0, 2.0], 1j, INF, -INF], ids=str)
def test_scorers_that_do_not_score(score: Any) -> None:
    """An answer that is no number is refused, NaN too; infinity must not upset the stopping."""
    model = ADABOOST.fit()
    model.set_params(early_stopping=True, scoring=lambda model, X, y: score)
    if isinstance(score, float) and score in (INF, -INF):
        assert model.fit(X, y).n_iter_ >= 1
        assert len(model.predict(X)) == 60
        return
    with untouched(model, X), pytest.raises((TypeError, ValueError)) as caught:
        model.fit(X, y)
    said(caught.value, "scoring")


# ------------------------------------------------------------------------- H5, H12: columns by name


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("every", ("'every'", "'from_dtype'")),
        (3, ("3", "'from_dtype'")),
        ([0, 9], ("index 9", "0 to 3")),
        ([-1], ("index -1", "0 to 3")),
        ([True], ("1 booleans", "4 columns")),
        (["age"], ("'age'", "no column names")),
        ([0.5], ("0.5", "only")),
        ([None], ("None", "only")),
    ],
    ids=str,
)
def test_categorical_features(value: Any, words: tuple[str, ...]) -> None:
    refused(STUMP, "categorical_features", value, *words)


def test_categorical_features_by_a_wrong_name() -> None:
    pd = pytest.importorskip("pandas")
    model = DecisionStumpClassifier(categorical_features=["agee"])
    with pytest.raises(ValueError, match="'agee', which is no column of X") as caught:
        model.fit(pd.DataFrame(np.array(X), columns=["age", "b", "c", "d"]), y)
    said(caught.value, "the columns are", "age")


# ------------------------------------------------------------------------------- H8: misspelt names


@pytest.mark.parametrize(
    ("kind", "wrong", "right"),
    [
        (AdaBoostClassifier, "n_estimator", "n_estimators"),
        (AdaBoostClassifier, "learningrate", "learning_rate"),
        (AdaBoostClassifier, "warmstart", "warm_start"),
        (AdaBoostClassifier, "estimater", "estimator"),
        (AdaBoostClassifier, "randomstate", "random_state"),
        (DecisionStumpClassifier, "missin", "missing"),
        (BaggingClassifier, "bootstraps", "bootstrap"),
        (RandomForestClassifier, "max_feature", "max_features"),
        (RandomForestRegressor, "n_estimator", "n_estimators"),
        (DecisionStumpClassifier, "categoricals", "categorical"),
        (DecisionStumpClassifier, "n_job", "n_jobs"),
    ],
)
def test_a_misspelt_name_is_told_the_nearest(kind: Any, wrong: str, right: str) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument") as caught:
        kind(**{wrong: 1})
    said(caught.value, kind.__name__, repr(wrong), f"Did you mean {right!r}?")
    with pytest.raises(ValueError, match="Invalid parameter") as refusal:
        kind().set_params(**{wrong: 1})
    said(refusal.value, repr(wrong), repr(right))


@pytest.mark.parametrize("kind", [AdaBoostClassifier, DecisionStumpClassifier])
def test_a_name_like_no_other_is_told_all(kind: Any) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'zzz'") as caught:
        kind(zzz=1)
    said(caught.value, "known are", "n_jobs")


def test_who_has_no_parameters_says_so() -> None:
    with pytest.raises(TypeError, match="'threshold'") as caught:
        ThresholdClassifier(threshold=3)
    said(caught.value, "ThresholdClassifier", "no parameters")
    assert ThresholdClassifier().get_params() == {}


@over(FORMS)
def test_constructors_look_at_nothing(form: Form) -> None:
    kind = type(form.make())
    strange = object()
    for name in kind().get_params():
        assert kind(**{name: strange}).get_params(deep=False)[name] is strange


# ---------------------------------------------------------------------------------------- H9: seeds


@pytest.mark.parametrize(
    "value", [-1, 2**32, 2**40, "3", 1.5, 3.0, True, NAN, [1, 2], np.random, 1j]
)
@over([ADABOOST, TREE, STUMP, BAGGING, FOREST])
def test_seeds_that_are_refused(form: Form, value: Any) -> None:
    words = ("not allowed", "at least 0 and at most 4294967295", "Generator")
    refused(form, "random_state", value, *words)


def test_seeds_that_are_taken() -> None:
    learner = DecisionTreeClassifier(max_features=1, max_depth=1)
    make = {"estimator": learner, "n_estimators": 5, "resample": True}
    for kind in (np.random.default_rng, np.random.RandomState, int, np.uint32):
        first = AdaBoostClassifier(**make, random_state=kind(5)).fit(X, y)
        again = AdaBoostClassifier(**make, random_state=kind(5)).fit(X, y)
        assert same(first, again, X)
    assert AdaBoostClassifier(**make, random_state=2**32 - 1).fit(X, y).n_iter_ >= 1
    none = AdaBoostClassifier(**make, random_state=None).fit(X, y)
    assert same(none, AdaBoostClassifier(**make, random_state=None).fit(X, y), X)
    votes = {
        AdaBoostClassifier(**make, random_state=k).fit(X, y).estimator_weights_.tobytes()
        for k in range(5)
    }
    assert len(votes) > 1
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    AdaBoostClassifier(**make, random_state=3).fit(X, y)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


# ------------------------------------------------------------------------------------- H10: threads


@pytest.mark.parametrize("value", [0, -(10**6), -(10**30), 1.0, "2", True, NAN, [1]], ids=str)
@over([ADABOOST, TREE, STUMP, BAGGING, FOREST])
def test_numbers_of_threads_that_are_refused(form: Form, value: Any) -> None:
    refused(form, "n_jobs", value, "not allowed", "at least 1", "-1 for all")


def test_a_wrong_number_of_threads_is_refused_at_predict_too() -> None:
    model = ADABOOST.fit()
    for value in (0, "2"):
        model.n_jobs = value
        with pytest.raises((TypeError, ValueError), match="n_jobs"):
            model.predict(X)


@pytest.mark.parametrize("value", [10**6, 10**30])
@over([ADABOOST, STUMP, FOREST, GLASS])
def test_more_threads_than_cores_are_capped_with_a_warning(form: Form, value: int) -> None:
    cores = available_threads()
    with pytest.warns(
        ThreadsWarning, match=f"{value} is more than the {cores} cores.*using {cores}"
    ):
        model = form.make(n_jobs=value).fit(X, y)
    model.n_jobs = None
    assert same(model, form.fit(), X)


def test_negative_numbers_of_threads_count_from_the_cores() -> None:
    cores = available_threads()
    assert resolve_threads(-1) == cores
    assert resolve_threads(-2) == max(1, cores - 1)
    assert resolve_threads(-1000) == 1
    assert resolve_threads(np.int64(1)) == 1
    assert same(ADABOOST.fit(), ADABOOST.make(n_jobs=-1).fit(X, y), X)


@pytest.mark.parametrize("asked", ["0", "-1", "two", "1.5", " ", "²", "1e3"])
def test_the_variable_of_threads_is_checked(asked: str, monkeypatch: Any) -> None:
    monkeypatch.setenv("WEAKLEARN_NUM_THREADS", asked)
    with pytest.raises(ValueError, match="WEAKLEARN_NUM_THREADS must be a whole number"):
        ADABOOST.fit()


def test_the_variable_of_threads_cannot_ask_for_the_moon(monkeypatch: Any) -> None:
    expected = ADABOOST.fit()
    monkeypatch.setenv("WEAKLEARN_NUM_THREADS", "1000000000")
    assert same(ADABOOST.fit(), expected, X)
    rng = np.random.default_rng(0)
    many = rng.normal(size=(40_000, 30))  # enough work for many threads
    labels = many[:, 0] * many[:, 1] > 0
    model = AdaBoostClassifier(n_estimators=3).fit(many, labels)
    monkeypatch.setenv("WEAKLEARN_NUM_THREADS", "1")
    assert same(model, AdaBoostClassifier(n_estimators=3).fit(many, labels), many)


# ------------------------------------------------------------------------ H3 to H8: trees of slopes

NUMBERS = np.linspace(-1, 1, 60)


def refused_by_gradients(name: str, value: Any, *words: str, **others: Any) -> None:
    """The same, by classifiers and their counterparts for numbers, which stay what they were.

    Those that have no such parameter have no say.
    """
    for form, counterpart in (
        (GRADIENT, GradientBoostingRegressor),
        (GLASS, AdditiveBoostingRegressor),
    ):
        model = counterpart(n_estimators=3).fit(X, NUMBERS)
        before, right = model.predict(X), model.get_params()
        if name not in right:
            continue
        refused(form, name, value, *words, **others)
        model.set_params(**{name: value, **others})
        with pytest.raises((TypeError, ValueError)) as caught:
            model.fit(X, NUMBERS)
        said(caught.value, name, *words)
        assert (model.set_params(**right).predict(X) == before).all()


@pytest.mark.parametrize(
    "value", [0, -1, 2.5, "Auto", "10", None, NAN, True, [3], np.arange(3)], ids=str
)
def test_rounds_to_be_found_or_counted(value: Any) -> None:
    refused_by_gradients("n_estimators", value, "not allowed", "at least 1", "'auto'")


WHOLE = [
    ("max_leaf_nodes", 2, [1, 0, -3, 2.5, "31", NAN, True]),
    ("max_depth", 1, [0, -1, 1.5, "3", NAN, True]),
    ("min_samples_leaf", 1, [0, -1, 1.5, 0.1, "3", None, NAN, True]),
    ("min_samples_category", 1, [0, -1, 1.5, "3", None, NAN, True]),
    ("max_bins", 2, [1, 0, -1, 256, 10**9, 64.0, "255", None, NAN]),
    ("n_iter_no_change", 1, [0, -1, 2.5, "3", None, NAN, True]),
    ("verbose", 0, [-1, 2.5, "loud", NAN]),
]


@pytest.mark.parametrize(("name", "least", "values"), WHOLE, ids=[name for name, *_ in WHOLE])
def test_whole_numbers_of_gradient_boosting(name: str, least: int, values: list[Any]) -> None:
    for value in values:
        refused_by_gradients(name, value, "not allowed", f"whole number of at least {least}")


REAL_NUMBERS = [
    ("l2_regularization", "at least 0", [-1e-9, NAN, INF, "1", None, True]),
    ("min_gain", "at least 0", [-1e-9, NAN, INF, "1", None, True]),
    ("min_hessian_leaf", "at least 0", [-1e-9, NAN, INF, "1", None, True]),
    ("l1_regularization", "at least 0", [-1e-9, NAN, INF, "1", None, True]),
    ("category_smoothing", "at least 0", [-1e-9, NAN, INF, "1", None, True]),
    ("dropout", "at least 0 and at most 1", [-1e-9, 1.01, 2, NAN, INF, "0.5", None, True]),
    ("keep_largest", "at least 0 and below 1", [-1e-9, 1.0, 2, NAN, INF, "0.5", None, True]),
    ("max_step", "above 0", [0, -1e-9, NAN, INF, "1", True]),
    ("linear_l2", "at least 0", [-1e-9, NAN, INF, "1", None, True]),
    ("path_smoothing", "at least 0", [-1e-9, NAN, INF, "1", None, True]),
    ("subsample", "above 0 and at most 1", [0, -0.5, 1.0001, 2, NAN, INF, "0.5", None, True]),
    ("validation_fraction", "above 0", [0, 1, -0.1, 1.5, NAN, "half", None, True]),
    ("tol", "at least 0", [-1e-9, NAN, INF, "0", None, True]),
]


@pytest.mark.parametrize(
    ("name", "range_", "values"), REAL_NUMBERS, ids=[n for n, *_ in REAL_NUMBERS]
)
def test_numbers_of_gradient_boosting(name: str, range_: str, values: list[Any]) -> None:
    for value in values:
        refused_by_gradients(name, value, "not allowed", f"a number {range_}")


def test_numbers_beyond_the_kernels_are_no_limits() -> None:
    """They are those of numpy, of 64 bits without a sign, and Python's, of any length."""
    most = np.uint64(2**64 - 1)
    for given in ({"min_samples_leaf": 10**30}, {"min_samples_leaf": most}):
        for form in (GRADIENT, GLASS):
            leaves = form.make(min_samples_leaf=61).fit(X, y)
            assert same(form.make(**given).fit(X, y), leaves, X)
    assert same(GRADIENT.make(max_depth=most).fit(X, y), GRADIENT.fit(), X)
    assert same(RuleClassifier(max_tests=10**30).fit(X, y), RuleClassifier().fit(X, y), X)
    queries = {"qid": np.arange(60) // 6}
    all_places = GradientBoostingRanker(n_estimators=2).fit(X, y, **queries)
    for given in ({"truncation": 10**30}, {"truncation": most}):
        model = GradientBoostingRanker(n_estimators=2, **given).fit(X, y, **queries)
        assert (model.predict(X) == all_places.predict(X)).all()


@pytest.mark.parametrize("folds", [10**6, 10**30, np.uint64(2**64 - 1)])
def test_more_folds_than_rows(folds: Any) -> None:
    """There are as many as rows: a table of rows and folds of that size would not fit anywhere."""
    few = slice(0, 60, 3)
    for form, rounds in ((GLASS, 2), (GRADIENT, "auto")):
        models = [form.make(n_estimators=rounds, cv=cv) for cv in (20, folds)]
        one_each, more = (model.fit(X[few], y[few]) for model in models)
        assert same(one_each, more, X)


def test_a_long_text_is_shown_in_part() -> None:
    for given in ({"callbacks": "x" * 10**6}, {"callbacks": ["x" * 10**6]}):
        refused(ADABOOST, *next(iter(given.items())))
    refused(ANY, "loss", "x" * 10**6, "not allowed")


def test_columns_of_gradient_boosting() -> None:
    words = ("not allowed", "whole number of at least 1", "share above 0.0")
    for name in ("max_features", "max_features_by_level", "max_features_by_node"):
        for value in (0, -1, 0.0, 1.5, NAN, INF, "sqrt", None, True, [1]):
            refused_by_gradients(name, value, *words)
        refused_by_gradients(name, 61, "is more than")


@pytest.mark.parametrize("name", ["feature_weights", "feature_factors"])
def test_numbers_of_columns_of_gradient_boosting(name: str) -> None:
    for value in ([1, -1, 1, 1], [1, 1, 1, NAN], [1, 1, 1, "2"], [True, 1, 1, 1], [INF] * 4):
        refused_by_gradients(name, value, "not allowed", "a number at least 0")
    refused_by_gradients(name, [1, 2], "has 2 entries", "4 columns")
    refused_by_gradients(name, {"age": 1}, "no column names")
    refused_by_gradients(name, [0, 0, 0, 0], "0 for every column")
    for value in (3, "all", [[1, 2, 3, 4]]):
        refused_by_gradients(name, value, "pass one of the numbers a column")


def test_switches_and_choices_of_gradient_boosting() -> None:
    for name in ("early_stopping", "warm_start"):
        for value in (0, 1, "yes", None, NAN, []):
            refused_by_gradients(name, value, "not allowed", "True or False")
    for value in ("", "Random", 3, None, True):
        refused_by_gradients("splitter", value, "not allowed", "one of", "'random'")
    for value in ("", "Missing", 3, None, [], Unshowable()):
        refused_by_gradients("unseen", value, "not allowed", "one of", "'missing'")
    refused_by_gradients("unseen", "mising", "Did you mean 'missing'?")
    for value in (3, "watch", [3], lambda: 1):
        refused_by_gradients("callbacks", value)
    for value in (-1, 2**32, "3", 1.5, True, NAN):
        refused_by_gradients("random_state", value, "not allowed", "Generator")
    for value in (0, 1.0, "2", True, NAN):
        refused_by_gradients("n_jobs", value, "not allowed")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("logloss", ("'logloss'", "not allowed", "It is called 'log_loss' here.")),
        ("squared_error", ("'squared_error'", "other targets")),
        ("", ("''", "not allowed", "'log_loss'")),
        (None, ("None", "name, a loss object, or a tuple")),
        (3, ("3", "name, a loss object, or a tuple")),
        ((), ("()", "name, a loss object, or a tuple")),
        ((1, 2), ("(1, 2)", "a tuple")),
        (losses.Logistic, ("Logistic", "Pass an instance, Logistic()")),
    ],
    ids=str,
)
@over([GRADIENT, GLASS])
def test_losses_of_classes(form: Form, value: Any, words: tuple[str, ...]) -> None:
    refused(form, "loss", value, *words)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"loss": "square_error"}, ("'square_error'", "Did you mean 'squared_error'?")),
        ({"loss": "log_loss"}, ("loss='log_loss'", "other targets")),
        ({"loss": "quantile", "quantile": 0}, ("quantile=0", "above 0 and below 1")),
        ({"loss": "quantile", "quantile": 1.0}, ("quantile=1.0", "above 0 and below 1")),
        ({"loss": "quantile", "quantile": NAN}, ("quantile=nan", "above 0 and below 1")),
        ({"loss": "quantile", "quantile": "0.5"}, ("quantile='0.5'", "above 0 and below 1")),
        ({"loss": "quantile", "quantile": None}, ("quantile=None", "above 0 and below 1")),
        ({"loss": "quantile", "quantile": []}, ("quantile=[]", "one or more")),
        ({"loss": "quantile", "quantile": [0.5, 2]}, ("quantile=2", "above 0 and below 1")),
        ({"loss": "quantile", "quantile": [[0.5]]}, ("quantile=[[0.5]]", "one or more")),
        ({"loss": "huber", "alpha": 1}, ("alpha=1", "above 0 and below 1")),
        ({"loss": "huber", "alpha": "x"}, ("alpha='x'", "above 0 and below 1")),
        ({"loss": "tweedie", "power": 1}, ("power=1", "above 1 and below 2")),
        ({"loss": "tweedie", "power": 2}, ("power=2", "above 1 and below 2")),
        ({"loss": "tweedie", "power": None}, ("power=None", "above 1 and below 2")),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", [GradientBoostingRegressor, AdditiveBoostingRegressor])
def test_losses_of_numbers(given: dict[str, Any], words: tuple[str, ...], kind: Any) -> None:
    model = kind(n_estimators=3).fit(X, NUMBERS)
    before = model.predict(X)
    with pytest.raises((TypeError, ValueError)) as caught:
        model.set_params(**given).fit(X, NUMBERS)
    said(caught.value, *words)
    assert (model.predict(X) == before).all()


def test_what_other_losses_need_is_not_looked_at() -> None:
    for kind in (GradientBoostingRegressor, AdditiveBoostingRegressor):
        kind(n_estimators=1, quantile="no", alpha=7, power=0).fit(X, NUMBERS)


def test_gradient_boosting_checks_its_parameters_before_the_data() -> None:
    for kind in (
        GradientBoostingClassifier,
        GradientBoostingRegressor,
        AdditiveBoostingClassifier,
        AdditiveBoostingRegressor,
    ):
        for name, value in (
            ("n_estimators", 0), ("loss", "nonsense"), ("subsample", 2), ("max_bins", 1),
        ):  # fmt: skip
            with pytest.raises(ValueError, match=name):
                kind(**{name: value}).fit(object(), object())


# ------------------------------------------------------------------------- terms, pairs and bags


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("n_pairs", [-1, 2.5, 3.0, "3", None, NAN, INF, True, [3]]),
        ("n_bags", [0, -1, 2.5, "3", None, NAN, True, 1001, 10**12]),
        ("learning_rate", ["auto", "Auto"]),
        ("max_leaf_nodes", [None, "Auto", [3]]),
        ("pairs", ["age", 3, True, NAN, [3], [(0,)], [(0, 1, 2)], [(0, 0)], [(0, 9)], [(-1, 0)]]),
        ("pairs", [[(0, "x")], [(0.5, 1)], [(True, 1)], [(0, None)], {(0, 1): 2}, [("", "")]]),
        ("monotonic_cst", [[1, 0], [2, 0, 0, 0], {"age": 1}, "up", 1]),
    ],
    ids=str,
)
def test_terms_pairs_and_bags(name: str, values: list[Any]) -> None:
    for value in values:
        refused(GLASS, name, value)


def test_monotone_terms_of_several_classes_and_of_categories_are_refused() -> None:
    refused(GLASSES[1], "monotonic_cst", [1, 0, 0, 0], "3 classes")
    model = GLASS.make(monotonic_cst=[1])
    with pytest.raises(ValueError, match=r"monotonic_cst.*categor"):
        model.fit([["a"], ["b"]] * 30, [0, 1] * 30)


def test_more_pairs_and_bags_than_there_are() -> None:
    for given in ({"n_pairs": 10**12}, {"n_bags": 1000}):
        model = GLASS.make(**given).fit(X, y)
        assert np.isfinite(model.decision_function(X)).all()
        assert len(model.pairs_) <= 6


# -------------------------------------------------------------------- invalid, then fit; then valid


@over([*BOOSTERS, *GLASSES])
def test_a_wrong_parameter_set_later_is_refused_at_the_next_fit(form: Form) -> None:
    model = form.fit()
    with untouched(model, form.X):
        model.set_params(learning_rate=-1)
        with pytest.raises(ValueError, match="learning_rate"):
            model.fit(form.X, form.y)
    model.set_params(learning_rate=form.make().learning_rate)
    assert same(model.fit(form.X, form.y), form.fit(), form.X)


def test_parameters_are_checked_before_the_data() -> None:
    for form, params in (
        (ADABOOST, {"n_estimators": 0}),
        (ADABOOST, {"n_jobs": 0}),
        (ADABOOST, {"random_state": -1}),
        (BAGGING, {"n_estimators": 0}),
        (FOREST, {"max_depth": 0}),
        (FOREST, {"n_jobs": 0}),
        (GLASS, {"n_pairs": -1}),
        (GLASS, {"n_jobs": 0}),
        (STUMP, {"missing": "x"}),
        (STUMP, {"n_jobs": 0}),
    ):
        with pytest.raises(ValueError, match=next(iter(params))):
            form.make(**params).fit(object(), object())


def test_learners_that_take_no_weights_are_resampled() -> None:
    from sklearn.neighbors import KNeighborsClassifier

    model = AdaBoostClassifier(KNeighborsClassifier(3), n_estimators=3).fit(X, y)
    assert model.n_iter_ >= 1
    weighted = AdaBoostClassifier(LogisticRegression(), n_estimators=3).fit(X, y)
    assert weighted.n_iter_ >= 1


def test_a_misspelt_scoring_is_told_the_nearest_name() -> None:
    with pytest.raises(ValueError, match=r"scoring='acuracy' is not.*Did you mean 'accuracy'") as e:
        AdaBoostClassifier(early_stopping=True, scoring="acuracy").fit(ADABOOST.X, ADABOOST.y)
    assert len(str(e.value)) < 300


def test_a_function_of_two_arguments_is_no_learner() -> None:
    def learn(X: Any, y: Any) -> Any:
        return lambda X: np.ones(len(X), int)

    words = r"the function given as estimator takes \(X.*three arguments, \(X, y, D\)"
    with pytest.raises(TypeError, match=words):
        AdaBoostClassifier(learn).fit(ADABOOST.X, ADABOOST.y)
    wide = AdaBoostClassifier(lambda *rows: lambda X: np.where(X[:, 0] > 0, 1, -1), n_estimators=1)
    assert wide.fit(ADABOOST.X, ADABOOST.y).n_iter_ <= 1
