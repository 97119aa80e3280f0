"""Data that are wrong, odd or hostile: each is taken for what it means, or refused in clear words.

Never a crash, a hang or a silent change of meaning; and a fit that is refused leaves the model of
an earlier fit as it was.
"""

from __future__ import annotations

import datetime
import itertools
import os
import pickle
import subprocess
import sys
import textwrap
import threading
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from tests.forms import (
    ADABOOST,
    ALTERNATING,
    ANY,
    BOOSTERS,
    BOUNDED,
    EQUAL,
    FOREST,
    FOREST3,
    FORMS,
    GLASSES,
    GRADIENTS,
    KINDS,
    M1,
    METHODS,
    NATIVE,
    OVR,
    PLAIN,
    RULE_SETS,
    SAMME,
    STAGED,
    STUMP,
    STUMP3,
    THRESHOLD,
    TREE,
    Form,
    answers,
    ask,
    crossed,
    over,
    refused,
    refused_later,
    said,
    same,
    untouched,
)
from weaklearn import (
    AdaBoostClassifier,
    BoostingWarning,
    DataWarning,
    DecisionStumpClassifier,
    ThresholdClassifier,
    rounds,
)
from weaklearn.base.hypothesis import WeakLearner

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

NAN, INF = np.nan, np.inf
NAMES = ["age", "height", "weight", "blood pressure"]
HALVES = np.repeat([0, 1], 30)  # labels of sixty rows in order


def with_cell(X: Any, row: int, column: int, value: Any) -> Any:
    changed = np.array(X, dtype=float)
    changed[row, column] = value
    return changed


def frame(X: Any, names: Any = NAMES) -> Any:
    return pd.DataFrame(np.array(X), columns=names)


def rules_of(model: Any) -> str:
    """The rules of a model, or of all its members, or its functions, as text."""
    if hasattr(model, "shapes_"):
        return "".join(map(str, model.shapes_.values()))
    return "".join(
        str(m.rules()) for m in ([model] if hasattr(model, "rules") else model.estimators_)
    )


def least_error(values: list[Any], labels: Any) -> float:
    """The least error of any stump on one column of values that Python itself compares exactly."""
    y = np.asarray(labels) == max(labels)
    found = [min(y.mean(), 1 - y.mean())]
    for cut in set(values):
        high = np.array([value > cut for value in values])
        wrong = (high != y).mean()
        found += [wrong, 1 - wrong]
    return min(found)


# ------------------------------------------------------------------------ D1 to D4: what is missing


@over(KINDS)
def test_missing_values_are_taken_and_have_a_side_of_their_own(form: Form) -> None:
    X, y = np.arange(60.0)[:, None], np.array(form.y)
    y[:30], y[30:] = 0, 1
    X[50:] = NAN
    y[50:] = 0
    model = form.fit(X, y)
    assert model.score(X, y) == 1
    assert model.predict([[NAN], [3.0], [40.0]]).tolist() == [0, 0, 1]


def test_who_cannot_take_missing_values_says_where_and_who_can() -> None:
    X = with_cell(THRESHOLD.X, 3, 2, NAN)
    words = ("NaN", "row 3", "column", "fill it in", "DecisionStumpClassifier")
    refused(THRESHOLD, X, None, *words)
    refused_later(THRESHOLD, X, *words)
    named = ("row 3", "column 'weight'")
    refused(THRESHOLD, frame(X), None, *named)
    logistic = Form("logistic", partial(AdaBoostClassifier, LogisticRegression(), n_estimators=3))
    words = ("LogisticRegression", "row 3, column", "is missing", "estimator at its default")
    refused(logistic, X, None, *words)
    refused(logistic, frame(X), None, "LogisticRegression", "row 3, column 'weight' is missing")
    refused(logistic, sp.csr_array(X), None, *words)
    texts = pd.DataFrame({"number": np.arange(60), "text": ["a", "b"] * 30})
    refused(logistic, texts, None, "column 'text' holds categories", "estimator at its default")


def test_a_stump_told_to_refuse_missing_values_does() -> None:
    form = Form("strict", partial(DecisionStumpClassifier, missing="error"))
    X = with_cell(form.X, 3, 2, NAN)
    refused(form, X, None, "NaN", "row 3, column 2", "missing='error'", "missing='branch'")
    refused_later(form, X, "NaN", "row 3, column 2", "missing='error'")
    inside = Form("inside", partial(AdaBoostClassifier, form.make(), n_estimators=3))
    refused(inside, frame(X), None, "row 3, column 'weight'", "missing='error'")


@pytest.mark.parametrize("value", [INF, -INF])
@over(FORMS)
def test_infinity_is_refused_by_cell_at_fit_and_predict(form: Form, value: float) -> None:
    X = with_cell(form.X, 3, 2, value)
    words = ("infinity", "row 3, column 2 holds", str(value), "finite")
    for container in (X, X.astype(np.float32), X.tolist(), sp.csr_array(X), X.astype(object)):
        refused(form, container, None, *words)
        refused_later(form, container, *words)
    named = ("infinity", "row 3, column 'weight'", str(value))
    for container in (frame(X), pl.from_pandas(frame(X)), pa.Table.from_pandas(frame(X))):
        refused(form, container, None, *named)
        refused_later(form, container, *named, model=form.fit(frame(form.X)))


@over(KINDS)
def test_columns_without_a_value_are_named_once_and_never_used(form: Form) -> None:
    X = np.array(form.X)
    X[:, [0, 2]] = NAN
    with pytest.warns(DataWarning) as caught:
        model = form.fit(frame(X))
    (message,) = [str(w.message) for w in caught if w.category is DataWarning]
    assert "missing values only" in message
    assert "column 'age', column 'weight'" in message
    assert model.feature_importances_[[0, 2]].tolist() == [0, 0]


@over(KINDS)
def test_nothing_but_missing_values_leaves_the_prior(form: Form) -> None:
    y = np.where(np.arange(60) < 40, 2, form.y)
    with pytest.warns(DataWarning) as caught:
        model = form.fit(np.full((60, 2), NAN), y)
    assert ["missing values only" in str(w.message) for w in caught].count(True) == 1
    with pytest.warns(DataWarning, match="held nothing in training"):
        assert (model.predict([[NAN, NAN], [1.0, 2.0]]) == 2).all()


@over(FORMS)
def test_constant_columns_give_the_prior_with_a_warning(form: Form) -> None:
    y = np.where(np.arange(60) < 45, 1, form.y)
    X = np.ones((60, 3))
    with pytest.warns(DataWarning, match="every column of X is constant"):
        model = form.fit(X, y)
    assert (model.predict(X) == 1).all()
    assert form in BOUNDED or (model.predict(2 * X) == model.predict(X)).all()
    others = np.repeat([[0.0], [-5.0], [1.5], [1e300], [NAN]], 3, axis=1)
    assert not form.kinds or (model.predict(others) == 1).all()
    if form in (ADABOOST, TREE):
        share = (y == 1).mean()
        assert model.predict_proba(X[:1]) == pytest.approx(np.array([[1 - share, share]]))


def test_the_warning_of_constant_columns_means_all_of_them(recwarn: Any) -> None:
    for X in ([[1.0, 1], [1, 2]], [[1.0, 1], [1, NAN]], sp.csr_array([[1.0, 0], [1, 2]])):
        ADABOOST.fit(X, [0, 1])
    assert not recwarn.list


# -------------------------------------------------------------------- D5 to D8: few rows or classes


@crossed(FORMS, "label", [7, 0, -1, "only", True])
def test_one_class_is_predicted_for_certain(form: Form, label: Any) -> None:
    with pytest.warns(DataWarning, match="one class"):
        model = form.fit(y=[label] * 60)
    assert model.classes_.tolist() == [label]
    assert model.predict(form.X).tolist() == [label] * 60
    if hasattr(model, "predict_proba"):
        assert model.predict_proba(form.X).tolist() == [[1.0]] * 60
        assert model.predict_log_proba(form.X).tolist() == [[0.0]] * 60
        # Without a slope there is no step, and of one class the root of a tree says all.
        least = 0 if form in [*GRADIENTS, *GLASSES, *ALTERNATING] else 1
        one_length = form in [ANY, *EQUAL]
        assert one_length or getattr(model, "n_iter_", 1) == least


@over(FORMS)
@pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")
def test_one_row_is_enough(form: Form) -> None:
    model = form.fit(form.X[:1], form.y[:1])
    assert model.predict(form.X).tolist() == [form.y[0]] * 60
    if form in KINDS:
        assert form.fit([[NAN]], ["a"]).predict([[1.0]]).tolist() == ["a"]
        assert form.fit([["x"]], ["a"]).predict([["y"]]).tolist() == ["a"]


@over(FORMS)
def test_no_rows_cannot_be_learnt_from(form: Form) -> None:
    for X in (form.X[:0], sp.csr_array((0, 4)), frame(form.X)[:0], pl.DataFrame({"a": []})):
        refused(form, X, form.y[:0], "0 sample(s)", "0 rows", "pass at least one")


@over(FORMS)
def test_no_rows_can_be_predicted(form: Form) -> None:
    labels = np.array(["no", "perhaps", "yes"])[form.y]
    model = form.fit(y=labels)
    some = {name: getattr(model, name)(form.X[:2]) for name in METHODS if hasattr(model, name)}
    for X in (form.X[:0], np.empty((0, 4), np.float32), sp.csr_array((0, 4)), sp.csc_array((0, 4))):
        for name, expected in some.items():
            empty = getattr(model, name)(X)
            assert empty.shape == (0, *expected.shape[1:]), name
            assert empty.dtype == expected.dtype, name
        for name in STAGED:
            if hasattr(model, name):
                stages = list(getattr(model, name)(X))
                assert len(stages) == model.n_iter_
                plain = some[name.removeprefix("staged_")]
                assert {s.shape for s in stages} == {(0, *plain.shape[1:])}
                assert {s.dtype for s in stages} == {plain.dtype}


@over(FORMS)
def test_no_columns_cannot_be_learnt_from(form: Form) -> None:
    for X in (np.empty((60, 0)), [[]] * 60, pd.DataFrame(index=range(60)), sp.csr_array((60, 0))):
        refused(form, X, None, "0 feature(s)", "0 columns", "pass at least one")


# ---------------------------------------------------------------------------- D9: a million columns


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="cannot ask for the peak of memory")
def test_a_million_columns() -> None:
    out = run_apart("""
        import numpy as np, resource, sys, time
        from weaklearn import AdaBoostClassifier
        X = np.random.default_rng(0).normal(size=(20, 1_000_000))
        y = np.arange(20) % 2
        begin = time.process_time()
        model = AdaBoostClassifier(n_estimators=2).fit(X, y)
        assert len(model.predict(X)) == 20 and model.n_iter_ >= 1
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(time.process_time() - begin, peak * (1 if sys.platform == "darwin" else 1024))
    """)
    seconds, peak = map(float, out.split())
    print(f"a million columns: {seconds:.1f} s, {peak / 1e9:.2f} GB")
    assert seconds <= 30
    assert peak <= 3e9


# ------------------------------------------------------------------------- D10, D11: the same twice


@over(NATIVE)
def test_ties_go_to_the_first_column(form: Form) -> None:
    X = np.repeat(form.X[:, :1], 5, axis=1)
    drawn = {"max_features": None} if form in (FOREST, FOREST3) else {}
    for container in (X, X[:, ::-1], -X[:, ::-1], sp.csc_array(X)):
        model = form.make(**drawn).fit(container, form.y)
        if form in PLAIN:
            assert getattr(model, "feature_", 0) == 0
        else:
            assert model.feature_importances_.tolist() == [1, 0, 0, 0, 0]


@over(FORMS)
def test_duplicated_names_are_listed_with_their_places(form: Form) -> None:
    twice = frame(form.X, ["age", "height", "age", "height"])
    refused(form, twice, None, "'age' at [0, 2]", "'height' at [1, 3]", "rename")
    refused_later(form, twice, "'age' at [0, 2]", "rename", model=form.fit(frame(form.X)))
    table = pa.Table.from_arrays([pa.array(form.X[:, 0])] * 2, names=["age", "age"])
    refused(form, table, None, "'age' at [0, 1]")


# --------------------------------------------------------------------------- D12 to D14: categories


def colours(values: Any, order: str = "bgr") -> Any:
    names = {"b": "blue", "g": "green", "r": "red", "x": "ultraviolet", "-": None}
    cells = [names[value] for value in values]
    categories = [names[value] for value in order]
    return pd.DataFrame({"colour": pd.Categorical(cells, categories=categories)})


@over(KINDS)
def test_an_unseen_category_takes_the_side_of_missing_values(form: Form) -> None:
    y = np.array([0] * 30 + [1] * 20 + [0] * 10)
    X = colours("b" * 30 + "g" * 20 + "-" * 10)
    model = form.fit(X, y)
    later = colours("xb-g", "xbg")
    assert model.predict(later).tolist() == [0, 0, 0, 1]
    other = form.fit(X, np.r_[y[:50], np.ones(10, int)])
    assert other.predict(later).tolist() == [1, 0, 1, 1]


@over(KINDS)
def test_an_unseen_category_takes_the_majority_where_none_was_missing(form: Form) -> None:
    for many, few, answer in (40, 20, 0), (20, 40, 1):
        model = form.fit(colours("b" * many + "g" * few), [0] * many + [1] * few)
        later = colours("xbg", "gxb")
        answer *= form not in RULE_SETS  # no rule speaks of it, and the default is the first class
        assert model.predict(later).tolist() == [answer, 0, 1]
        texts = pl.DataFrame({"colour": ["ultraviolet", "blue", None]})
        assert model.predict(texts).tolist() == [answer, 0, answer]


@pytest.mark.parametrize("make", [AdaBoostClassifier, DecisionStumpClassifier])
def test_an_unseen_category_is_refused_where_asked(make: Any) -> None:
    X, y = colours("bgr" * 20), np.arange(60) % 3
    model = make(unseen="error").fit(X, y)
    assert model.score(X, y) > 0.5
    words = ("row 2, column 'colour'", "'ultraviolet'", "never saw", "unseen='missing'")
    with untouched(model, X), pytest.raises(ValueError, match="ultraviolet") as caught:
        model.predict(colours("bgx", "xgb"))
    said(caught.value, *words)
    assert len(model.predict(colours("b-"))) == 2  # a gap is no stranger
    for given in ({"missing": "error"}, {"unseen": "error"}):
        strict = DecisionStumpClassifier(**given)
        for model in (strict, AdaBoostClassifier(strict, n_estimators=3)):
            with pytest.raises(ValueError, match="ultraviolet"):
                model.fit(X, y).predict(colours("bgx", "xgb"))


@over(KINDS)
def test_categories_are_matched_by_label_whatever_their_order(form: Form) -> None:
    y = np.arange(60) % form.n_classes
    values = ["bgr"[k] for k in y]
    model = form.fit(colours(values), y)
    expected = model.predict(colours(values))
    for order in map("".join, itertools.permutations("bgrx")):
        assert model.predict(colours(values, order)).tolist() == expected.tolist()
    for container in (
        pl.from_pandas(colours(values)),
        pa.Table.from_pandas(colours(values, "xrgb")),
        colours(values).astype(object),
        colours(values).astype("string"),
    ):
        assert model.predict(container).tolist() == expected.tolist()
    one = model.predict(colours(values[:1], values[0]))  # its only code is 0
    assert one.tolist() == expected[:1].tolist()


@pytest.mark.parametrize("n", [254, 255, 256, 300, 65_537, 70_000])
def test_any_number_of_categories(n: int) -> None:
    names = np.array([f"level {k}" for k in range(n)], dtype=object)
    X = np.concatenate([names, np.repeat(names[:3], 10)])[:, None]
    y = np.isin(X[:, 0], names[:2])
    model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    assert model.score(X, y) == 1
    assert model.predict([["level 0"], ["level 2"], [f"level {n - 1}"]]).tolist() == [1, 0, 0]


# ------------------------------------------------------------------- D15, D16: mixtures and objects


@over(FORMS)
def test_text_among_numbers_is_found(form: Form) -> None:
    cells = form.X.astype(object)
    cells[7, 1] = "n/a"
    words = ("numbers and text", "column 1", "row 7", "'n/a'", "convert")
    refused(form, cells, None, *words)
    refused(form, cells.tolist(), None, *words)
    named = ("numbers and text", "column 'height'", "row 7", "'n/a'")
    refused(form, pd.DataFrame(cells, columns=NAMES), None, *named)
    refused_later(form, cells, *words)
    words = ("row 0", "column 'height'", "'tall'", "numbers in training")
    texts = frame(form.X).assign(height="tall")
    refused_later(form, texts, *words, model=form.fit(frame(form.X)))


@over(FORMS)
def test_numbers_as_objects_are_numbers(form: Form) -> None:
    model, other = form.fit(), form.fit(form.X.astype(object))
    assert same(model, other, form.X, form.X.astype(object) if form.native else None)


@over(KINDS)
def test_numbers_as_text_are_categories(form: Form) -> None:
    X = np.array([["2"], ["10"], ["9"]] * 20)
    y = np.array([0, 1, 0] * 20)
    model = form.fit(X, y)
    assert model.score(X, y) == 1  # which no threshold on 2, 9, 10 would be for text in its order
    refused_later(form, [[2.0]] * 3, "holds 2.0", "categories in training", model=model)


# -------------------------------------------------------------- D17 to D20: numbers near the limits

LIMITS = {
    "beyond 2**53": [2**53 + k for k in range(-3, 9)],
    "int64 ends": [-(2**63), -(2**63) + 1, -1, 0, 1, 2**63 - 2, 2**63 - 1],
    "uint64 ends": [0, 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1],
    "any size": [-(10**30), -(10**30) + 1, 0, 10**30, 10**30 + 1],
    "below float32": [1.0 + k * 2.0**-52 for k in range(8)],
    "denormal": [k * 5e-324 for k in range(-4, 5)],
    "around the least normal": [2.0**-1022 + k * 5e-324 for k in range(-4, 5)],
    "beyond float32": [-1e300, -1e40, -3.5e38, 3.5e38, 1e40, 1e300],
    "near the largest": [
        -sys.float_info.max,
        -np.nextafter(sys.float_info.max, 0),
        -1.0,
        0.0,
        np.nextafter(sys.float_info.max, 0),
        sys.float_info.max,
    ],
    "huge and tiny": [-1e308, -5e-324, 0.0, 5e-324, 1e-300, 1.0, 1e308],
}


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("seed", range(3))
def test_stumps_are_right_at_the_limits_of_numbers(name: str, seed: int) -> None:
    values = LIMITS[name]
    rng = np.random.default_rng(seed)
    chosen = [values[k] for k in rng.integers(len(values), size=40)]
    y = np.array([value > values[len(values) // 2] for value in chosen]) ^ (rng.random(40) < 0.2)
    X = np.array(chosen, object if isinstance(values[0], int) else float)[:, None]
    least = least_error(chosen, y)
    stump = DecisionStumpClassifier().fit(X, y)
    assert stump.error_ == pytest.approx(least, abs=1e-15)
    assert (stump.predict(X) != y).mean() == pytest.approx(least, abs=1e-15)
    threshold = stump.threshold_
    if np.isfinite(float(threshold)):  # exact, and between two neighbours of training
        exact = Fraction(threshold)
        high = np.array([Fraction(value) > exact for value in chosen])
        assert (stump.predict(X) == (high if stump.polarity_ > 0 else ~high)).all()
    model = AdaBoostClassifier(n_estimators=1).fit(X, y)
    assert model.history_["epsilon"][0] == pytest.approx(least, abs=1e-15)
    assert (model.predict(X) == stump.predict(X)).all()


def test_a_threshold_rule_is_right_at_the_limits_of_floats() -> None:
    for name, values in LIMITS.items():
        if isinstance(values[0], float):
            X, y = np.array(values)[:, None], np.arange(len(values)) >= len(values) // 2
            model = ThresholdClassifier().fit(X, y)
            assert model.score(X, y) == 1, name
            assert (model.predict(X) == y).all()


def test_a_threshold_rule_refuses_what_float64_would_merge() -> None:
    X = np.array([[2**53 + k] for k in range(60)])
    refused(THRESHOLD, X, None, "column 0", "integers beyond 2**53", "DecisionStumpClassifier")


@over(KINDS)
@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_integers_beyond_2_to_53_are_kept_apart(form: Form, dtype: Any) -> None:
    X = (np.arange(60) + 2**60).astype(dtype)[:, None]
    for y in (HALVES, np.arange(60) >= 31):
        model = form.fit(X, y)
        assert model.score(X, y) >= form.fits
        cut = int(np.sum(~y.astype(bool)))
        assert f"> {2**60 + cut - 1}" in rules_of(model)


@crossed(NATIVE, "step", [1e-15, 1e-12, 1e-9])
def test_floats_that_differ_below_float32_are_kept_apart(form: Form, step: float) -> None:
    X = 1 + np.arange(60)[:, None] * step
    assert form.fit(X, HALVES).score(X, HALVES) >= form.fits


# ------------------------------------------------------------------------------ D21 to D26: weights


@over(FORMS)
def test_weights_that_are_refused(form: Form) -> None:
    def weights(value: Any) -> Any:
        w = np.ones(60)
        w[5] = value
        return w

    for value, shown in (-1, "-1.0, a negative"), (NAN, "NaN"), (INF, "inf"), (-INF, "-inf"):
        refused(form, None, None, "sample_weight[5]", shown, ">= 0", sample_weight=weights(value))
    refused(form, None, None, "sample_weight", "zero weights", sample_weight=np.zeros(60))
    refused(form, None, None, "5 values", "60 rows", sample_weight=np.ones(5))
    refused(form, None, None, "61 values", "60 rows", sample_weight=np.ones(61))
    refused(form, None, None, "2D", "(60, 2)", sample_weight=np.ones((60, 2)))
    refused(form, None, None, "sample_weight", "numbers", sample_weight=["heavy"] * 60)
    refused(form, None, None, "sample_weight", "numbers", "'1'", sample_weight=["1"] * 60)
    refused(form, None, None, "sample_weight", "numbers", sample_weight=np.ones(60) * 1j)
    refused(form, None, None, "sample_weight[0]", "NaN", sample_weight=[None, *np.ones(59)])


@crossed(FORMS, "size", [1e37, 1e300, sys.float_info.max, 1e-300, 1e-320, 5e-324, 0.1])
def test_equal_weights_of_any_size_are_no_weights(form: Form, size: float) -> None:
    assert same(form.fit(), form.fit(sample_weight=np.full(60, size)), form.X)
    assert same(form.fit(), form.fit(sample_weight=size), form.X)


@over(FORMS)
def test_weights_of_all_sizes_at_once(form: Form) -> None:
    weights = np.ones(60)
    weights[::3], weights[1::3] = 1e300, 1e-320
    heavy = form.fit(form.X[::3], form.y[::3])
    model = form.fit(sample_weight=weights)
    assert set(model.predict(form.X)) <= set(form.y)
    if form in (STUMP, STUMP3, THRESHOLD):
        agree = model.predict(form.X[::3]) == heavy.predict(form.X[::3])
        assert agree.all()
    top = np.full(60, sys.float_info.max)
    top[0] = 5e-324
    assert len(set(form.fit(sample_weight=top).predict(form.X))) > 1


def test_huge_weights_beside_class_weights_and_validation_rows() -> None:
    X, y = ADABOOST.X, ADABOOST.y
    weights = np.where(np.arange(60) % 2, 1e300, 1e-300)
    for factors in ({0: 1e300, 1: 1.0}, {0: 1e300, 1: 1e-300}, {0: 5e-324, 1: 1.0}, "balanced"):
        for given in (None, weights, np.full(60, 2**40), np.full(60, 1e300)):
            model = AdaBoostClassifier(n_estimators=3, class_weight=factors)
            assert model.fit(X, y, sample_weight=given).n_iter_ >= 1
    huge = np.full(60, sys.float_info.max)
    plain = AdaBoostClassifier(n_estimators=9, early_stopping=True)
    plain.fit(X, y, X_val=X, y_val=y)
    model = clone(plain).fit(X, y, X_val=X, y_val=y, sample_weight_val=huge)
    assert model.validation_scores_ == pytest.approx(plain.validation_scores_)


@over(FORMS)
def test_a_whole_weight_is_so_many_copies(form: Form) -> None:
    k = np.random.default_rng(3).integers(0, 4, 60)
    copied = form.fit(np.repeat(form.X, k, axis=0), np.repeat(form.y, k))
    for weights in (k, k.astype(float), k.astype(np.uint8), k.tolist(), pd.Series(k), pl.Series(k)):
        assert same(copied, form.fit(sample_weight=weights), form.X)


@over(FORMS)
def test_rows_of_weight_zero_are_not_there(form: Form) -> None:
    weights = np.ones(60)
    weights[[3, 5]] = 0
    y = form.y.astype(object)
    y[[3, 5]] = 99
    X = with_cell(form.X, 3, 2, INF)
    rest = np.flatnonzero(weights)
    model = form.fit(X, y.astype(int), sample_weight=weights)
    assert model.classes_.tolist() == sorted(set(form.y))
    assert same(model, form.fit(form.X[rest], form.y[rest]), form.X)
    refused(form, X, y[:5], "60 rows", "5 values", sample_weight=weights)
    with pytest.raises(ValueError, match="row 6, column 2") as caught:  # row 8, but for two
        form.fit(with_cell(X, 8, 2, INF), form.y, sample_weight=weights)
    assert "without the 2 of weight 0" in "".join(caught.value.__notes__)


@pytest.mark.parametrize(
    "kind", [list, tuple, memoryview, pd.DataFrame, pl.DataFrame, sp.coo_array]
)
def test_weight_zero_in_every_container(kind: Any) -> None:
    X = np.array(ADABOOST.X)
    container = X.tolist() if kind is list else tuple(X) if kind is tuple else kind(X)
    weights = np.arange(60) % 3
    assert same(
        ADABOOST.fit(sample_weight=weights),
        ADABOOST.fit(container, sample_weight=weights),
        X,
        X if kind not in (pd.DataFrame, pl.DataFrame) else container,
    )


# ----------------------------------------------------------- D27 to D31: layouts, types, containers


@over(FORMS)
def test_layouts_of_memory_do_not_matter(form: Form, tmp_path: Any) -> None:
    X, model = np.array(form.X), form.fit()
    spread = np.zeros((120, 12))
    spread[::2, ::3] = X
    mapped = np.memmap(tmp_path / "X", dtype=float, mode="w+", shape=X.shape)
    mapped[:] = X
    locked = X.copy()
    locked.flags.writeable = False
    unaligned = np.frombuffer(b"." + X.tobytes(), np.uint8)[1:].view(X.dtype).reshape(X.shape)
    assert not unaligned.flags.aligned
    layouts = {
        "Fortran": np.asfortranarray(X),
        "strided": spread[::2, ::3],
        "reversed": X[::-1, ::-1].copy()[::-1, ::-1],
        "read-only": locked,
        "mapped": mapped,
        "unaligned": unaligned,
        "broadcast": np.broadcast_to(X[None], (1, 60, 4))[0],
    }
    for name, layout in layouts.items():
        before = layout.tobytes()
        assert same(model, form.fit(layout), X, layout), name
        assert layout.tobytes() == before, name


TYPES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", ">f4", ">f8", ">i2", ">i8", "g", "O"]


@crossed(FORMS, "dtype", TYPES)
def test_types_of_numbers_do_not_matter(form: Form, dtype: str) -> None:
    X = np.rint(10 * form.X)
    typed = X.astype(dtype)
    assert same(form.fit(X), form.fit(typed), X, typed)
    if np.dtype(dtype).kind == "i":
        unsigned = (X + 100).astype(dtype.replace("i", "u"))
        assert same(form.fit(X + 100.0), form.fit(unsigned), X + 100.0, unsigned)
    assert same(form.fit((X > 0).astype(float)), form.fit(X > 0), (X > 0).astype(float), X > 0)


@over(FORMS)
def test_sparse_matrices_mean_their_dense_ones(form: Form) -> None:
    rng = np.random.default_rng(5)
    X = np.where(rng.random((60, 4)) < 0.4, 0.0, form.X)
    model = form.fit(X)
    row, column = np.indices(X.shape, dtype=np.int32)
    doubled = sp.coo_array(
        (np.r_[X.ravel() / 2, X.ravel() / 2], (np.r_[row.ravel(), row.ravel()],
         np.r_[column.ravel(), column.ravel()])), shape=X.shape,
    )  # fmt: skip
    unsorted = sp.csr_array(X)
    for i in range(60):
        part = slice(unsorted.indptr[i], unsorted.indptr[i + 1])
        unsorted.indices[part] = unsorted.indices[part][::-1].copy()
        unsorted.data[part] = unsorted.data[part][::-1].copy()
    unsorted.has_sorted_indices = False
    wide = sp.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    rows, starts = np.tile(np.arange(60), 4), np.arange(0, 241, 60)
    explicit = sp.csc_array((X.T.ravel(), rows.astype(np.int32), starts.astype(np.int32)))
    matrices = {
        form: sp.csr_array(X).asformat(form) for form in ("csr", "csc", "coo", "lil", "dok")
    }
    matrices |= {"matrix": sp.csr_matrix(X), "doubled": doubled, "explicit": explicit}
    matrices |= {"unsorted": unsorted, "wide": wide, "bsr": sp.bsr_array(X), "dia": sp.dia_array(X)}
    for name, matrix in matrices.items():
        if form is TREE and name == "wide":
            continue  # scikit-learn's trees do not take it
        fitted = form.fit(matrix)
        assert same(model, fitted, X), name
        assert (fitted.predict(matrix) == model.predict(X)).all(), name


def broken(which: str, form: str = "csr") -> Any:
    """A sparse matrix with one thing wrong in its structure."""
    X = sp.csr_array(np.where(ADABOOST.X > 0, ADABOOST.X, 0)).asformat(form)
    X.indices, X.indptr, X.data = X.indices.copy(), X.indptr.copy(), X.data.copy()
    last = len(X.indices) - 1
    if which == "index beyond":
        X.indices[last // 2] = 10**6
    elif which == "index one beyond":
        X.indices[last] = X.shape[1] if form == "csr" else X.shape[0]
    elif which == "index negative":
        X.indices[0] = -1
    elif which == "index far negative":
        X.indices[3] = np.iinfo(X.indices.dtype).min
    elif which == "indptr falls":
        X.indptr[2] = X.indptr[1] - 1
    elif which == "indptr beyond":
        X.indptr[-1] = 10**6
    elif which == "indptr huge":
        X.indptr[1:] = np.iinfo(X.indptr.dtype).max
    elif which == "indptr negative":
        X.indptr[0] = -5
    elif which == "indptr long":
        X.indptr = np.r_[X.indptr, X.indptr[-1]]
    elif which == "indptr short":
        X.indptr = X.indptr[:-1]
    elif which == "indices short":
        X.indices = X.indices[:2]
    elif which == "data short":
        X.data = X.data[:2]
    return X


BREAKS = [
    "index beyond", "index one beyond", "index negative", "index far negative", "indptr falls",
    "indptr beyond", "indptr huge", "indptr negative", "indptr long", "indptr short",
    "indices short", "data short",
]  # fmt: skip


@crossed(FORMS, "which", BREAKS)
def test_malformed_sparse_matrices_are_refused_before_use(form: Form, which: str) -> None:
    for container in ("csr", "csc"):
        X = broken(which, container)
        refused(form, X, None, "malformed sparse matrix", "build it again")
        refused_later(form, X, "malformed sparse matrix", "build it again")
    X = broken(which)
    refused(form, X, None, "malformed sparse matrix", sample_weight=np.arange(60) % 2)
    model = form.make()
    if hasattr(model, "early_stopping"):
        with pytest.raises(ValueError, match="malformed sparse matrix"):
            model.fit(form.X, form.y, X_val=X, y_val=form.y)


def test_malformed_coordinates_are_refused() -> None:
    for name, value in ("row", 60), ("col", 4), ("row", -1), ("col", 10**6):
        X = sp.coo_array(np.array(ADABOOST.X))
        changed = getattr(X, name).copy()
        changed[7] = value
        setattr(X, name, changed)
        refused(ADABOOST, X, None, "malformed sparse matrix", f"{name}[7]", str(value))
        refused_later(ADABOOST, X, "malformed sparse matrix")


@over(FORMS)
def test_containers_do_not_matter(form: Form) -> None:
    X, model = np.array(form.X), form.fit()
    frames = [frame(X), pl.from_pandas(frame(X)), pa.Table.from_pandas(frame(X)),
              frame(X).astype("Float64"), frame(X).convert_dtypes(dtype_backend="pyarrow"),
              pa.Table.from_pandas(frame(X)).to_batches()[0]]  # fmt: skip
    for container in (
        X.tolist(),
        tuple(map(tuple, X)),
        X.view(np.recarray),
        memoryview(X),
        *frames,
    ):
        if form is TREE and isinstance(container, (pa.RecordBatch, pa.Table, memoryview)):
            continue  # scikit-learn's to read
        assert same(model, form.fit(container), X, container), type(container)


@over(KINDS)
def test_missing_values_in_every_container(form: Form) -> None:
    X = with_cell(form.X, 3, 2, NAN)
    model = form.fit(X)
    nullable = frame(form.X).astype("Float64")
    nullable.iloc[3, 2] = pd.NA
    holes = [[None if np.isnan(v) else v for v in row] for row in X.tolist()]
    nulls = pl.DataFrame(holes, schema=NAMES, orient="row")
    masked = np.ma.masked_array(np.where(np.isnan(X), 1e99, X), np.isnan(X))
    for container in (nullable, holes, nulls, nulls.to_arrow(), masked, np.array(holes, object)):
        assert same(model, form.fit(container), X, container), type(container)


# ----------------------------------------------------------------------------- D32: dates and times


@over(KINDS)
def test_nanoseconds_are_kept_apart_and_shown_as_dates(form: Form) -> None:
    begin = np.datetime64("2024-03-01T12:00:00", "ns")
    for step in (1, 10**9, 86_400 * 10**9):
        X = (begin + step * np.arange(60))[:, None]
        for container in (X, pd.DataFrame({"when": X[:, 0]}), pl.DataFrame({"when": X[:, 0]})):
            model = form.fit(container, HALVES)
            assert model.score(container, HALVES) >= form.fits
            assert "> 2024-0" in rules_of(model)
            if form.fits == 1:
                assert model.predict(container[29:31]).tolist() == [0, 1]


@over(KINDS)
def test_missing_dates_durations_and_coarser_units(form: Form) -> None:
    days = np.datetime64("2024-03-01") + np.arange(60)
    days[50:] = np.datetime64("NaT")
    y = np.r_[HALVES[:50], np.zeros(10, int)]
    model = form.fit(days[:, None], y)
    assert model.score(days[:, None], y) >= form.fits
    finer = days.astype("M8[us]")[:, None]
    assert model.score(finer, y) >= form.fits
    assert model.predict([[datetime.date(2024, 3, 5)], [None]]).tolist() == [0, 0]
    spans = (np.arange(60) * np.timedelta64(90, "m"))[:, None]
    model = form.fit(spans, HALVES)
    assert model.score(spans, HALVES) >= form.fits
    assert "1 days" in rules_of(model)


@over(FORMS)
def test_times_and_types_that_are_refused(form: Form) -> None:
    zone = datetime.UTC
    mixed = [datetime.datetime(2024, 1, 1, tzinfo=zone), datetime.datetime(2024, 1, 1)] * 30
    column = pd.DataFrame({"when": pd.Series(mixed, dtype=object)})
    refused(form, column, None, "column 'when'", "time zones", "convert")
    refused(form, form.X + 1j, None, "Complex data not supported", "complex128")
    objects = form.X.astype(object)
    objects[3, 1] = 1j
    refused(form, objects, None, "Complex data not supported", "row 3, column 1")
    refused(form, np.array([[b"a"]] * 60), None, "column 0", "bytes", "decode")
    refused(form, pd.DataFrame({"raw": [b"a"] * 60}), None, "column 'raw'", "bytes", "decode")
    structured = np.zeros(60, [("a", "f8"), ("b", "i4")])
    refused(form, structured, None, "structured array", "DataFrame")


@over(KINDS)
def test_time_zones_must_be_those_of_training(form: Form) -> None:
    naive = pd.DataFrame({"when": pd.date_range("2024-01-01", periods=60)})
    aware = pd.DataFrame({"when": naive["when"].dt.tz_localize("UTC")})
    model = form.fit(aware, HALVES)
    elsewhere = pd.DataFrame({"when": aware["when"].dt.tz_convert("Asia/Tokyo")})
    assert (model.predict(elsewhere) == HALVES).all()
    refused_later(form, naive, "column 'when'", "no time zone", "UTC", model=model)
    refused_later(form, [[3.0]], "dates in training", model=form.fit(naive.to_numpy(), HALVES))


# ------------------------------------------------------------- D33 to D37: predicting on other data


@over(FORMS)
def test_another_number_of_columns_is_refused(form: Form) -> None:
    for width in (0, 1, 3, 5, 400):
        X = np.zeros((3, width))
        refused_later(form, X, f"X has {width} features", "is expecting 4 features")
        refused_later(form, sp.csr_array(X), f"X has {width} features", "is expecting 4 features")


@over(FORMS)
def test_columns_in_another_order_or_under_other_names_are_refused(form: Form) -> None:
    X = frame(form.X)
    model = form.fit(X)
    order = ["height", "age", "weight", "blood pressure"]
    for swapped in (X[order], pl.from_pandas(X[order]), pa.Table.from_pandas(X[order])):
        refused_later(form, swapped, "feature names", "same order", model=model)
    renamed = X.rename(columns={"age": "years"})
    words = ("feature names", "unseen at fit time", "years", "now missing", "age")
    refused_later(form, renamed, *words, model=model)
    refused_later(form, X[NAMES[:3]], "feature names", "blood pressure", model=model)


@over(FORMS)
def test_names_on_one_side_alone_are_warned_of(form: Form) -> None:
    X = frame(form.X)
    name = type(form.make()).__name__
    for model, later, words in (
        (form.fit(X), form.X, f"X does not have valid feature names, but {name} was fitted with"),
        (form.fit(), X, f"X has feature names, but {name} was fitted without feature names"),
    ):
        with pytest.warns(UserWarning, match="feature names") as caught:
            model.predict(later)
        assert sum(words in str(w.message) for w in caught) == 1


@over(FORMS)
def test_predicting_before_fitting_is_refused(form: Form) -> None:
    model = form.make()
    for name in (*METHODS, *STAGED, "rules", "margins", "certify", "truncate"):
        if hasattr(type(model), name):
            given = () if name in ("rules", "certify") else (form.X,)
            labelled = name == "margins" or (name == "certify" and form in GRADIENTS)
            given = (form.X, form.y) if labelled else (1,) if name == "truncate" else given
            with pytest.raises(NotFittedError):
                ask(model, name, *given)
    refused_fit = form.make()
    with pytest.raises(ValueError, match="infinity"):
        refused_fit.fit(with_cell(form.X, 0, 0, INF), form.y)
    with pytest.raises(NotFittedError):
        refused_fit.predict(form.X)


# ------------------------------------------------------------------------------- D39 to D41: labels


@over(FORMS)
def test_x_and_y_of_different_lengths_are_refused(form: Form) -> None:
    for n in (0, 1, 59, 61):
        y = np.resize(form.y, n)
        words = ("inconsistent numbers of samples", "60 rows", f"{n} values")
        refused(form, None, y, *words)
        refused(form, None, y.tolist(), *words)
        refused(form, sp.csr_array(form.X), y, *words)


LABELS = {
    "strings": ["no", "yes", "über"],
    "objects": np.array(["no", "yes", "perhaps"], object),
    "one, two, three": [1, 2, 3],
    "signs": [-1, 1, 2],
    "beyond 2**53": [2**53, 2**53 + 1, 2**53 + 2],
    "int64 ends": [-(2**63), 2**63 - 2, 2**63 - 1],
    "uint64": np.array([2**63, 2**63 + 1, 2**64 - 1], np.uint64),
    "any size": np.array([2**70, 2**70 + 1, 2**70 + 2], object),
    "floats": [0.0, 1.0, 2.0],
    "float32": np.array([0, 1, 2], np.float32),
    "dates": np.array(["2020-01-01", "2021-01-01", "2022-01-01"], "M8[D]"),
    "empty text": ["", " ", "\0"],
    "hostile text": ["<b>", "'\"\n", "\u202e"],
}


@crossed(FORMS, "name", LABELS)
def test_labels_of_every_type_are_kept_exactly(form: Form, name: str) -> None:
    if form is TREE and name in ("any size", "dates"):
        pytest.skip("scikit-learn's trees do not take them")
    labels = np.asarray(LABELS[name])
    model = form.fit(y=labels[form.y])
    assert model.classes_.tolist() == sorted(set(labels[form.y].tolist()))
    plain = form.fit()
    order = np.argsort(labels, kind="stable")
    if order.tolist() == [0, 1, 2]:
        expected = [labels.tolist()[k] for k in plain.predict(form.X)]
        assert model.predict(form.X).tolist() == expected
    given = form.fit(y=labels[form.y].tolist())
    assert model.predict(form.X).tolist() == given.predict(form.X).tolist()


@over([form for form in FORMS if form.n_classes == 2])
def test_flags_are_labels(form: Form) -> None:
    model = form.fit(y=form.y.astype(bool))
    assert model.predict(form.X).dtype == bool
    assert model.predict(form.X).tolist() == form.fit().predict(form.X).astype(bool).tolist()


Refusals = list[tuple[Any, tuple[str, ...]]]
# Of a y with several columns: what is refused where one column is read, a table of labels, or
# the classes of several outputs.
COLUMNS: Refusals = [(np.full((60, 2), 2), ("(60, 2)", "one"))]
TABLES: Refusals = [
    (np.full((60, 2), 2), ("y[0, 0] is 2", "a table of labels holds 1", "one")),
    (np.array([["a", "b"]] * 60), ("y[0, 0] is 'a'", "a table of labels holds 1", "one")),
]
OUTPUTS: Refusals = [
    (np.zeros((60, 0)), ("1d array", "(60, 0)", "one")),
    (np.zeros((60, 2, 2)), ("1d array", "(60, 2, 2)", "one")),
    (np.full((59, 2), 2), ("inconsistent numbers of samples", "X has 60 rows", "59", "one")),
    ([[1, 2], [1]] * 30, ("Unknown label type", "[1, 2]")),
    ([["a", 1], ["b", "c"]] * 30, ("y mixes", "row 0 holds 1", "row 1 holds 'c'", "one type")),
    (np.array([[0, NAN]] * 60), ("NaN", "y[0]", "drop")),
    (np.array([[0, INF]] * 60), ("infinity", "y[0] is inf", "drop")),
    (np.array([[b"a", b"b"]] * 60), ("bytes", "string or integer")),
    (np.ones((60, 2)) * 1j, ("Complex data not supported", "y")),
    (sp.csr_array(np.ones((60, 2))), ("sparse", "y is not supported", "y.toarray()")),
]


@over(FORMS)
def test_labels_that_are_refused(form: Form) -> None:
    tags = get_tags(form.make())
    labels, outputs = tags.classifier_tags.multi_label, tags.target_tags.multi_output
    cases: list[tuple[Any, tuple[str, ...]]] = [
        ([1, "a"] * 30, ("y mixes", "row 0 holds 1", "row 1 holds 'a'", "one type")),
        ([1, True] * 30, ("y mixes", "row 0 holds 1", "row 1 holds True", "one type")),
        (["a", None] * 30, ("NaN", "y[1]", "None", "drop")),
        ([0.0, NAN] * 30, ("NaN", "y[1]", "drop")),
        ([0, INF] * 30, ("infinity", "y[1]", "drop")),
        (np.array([0.0, -INF] * 30), ("infinity", "y[1] is -inf", "drop")),
        (np.array(["2020", "NaT"] * 30, "M8[D]"), ("NaN", "y[1] is NaT")),
        ([b"a", b"b"] * 30, ("bytes", "string or integer")),
        (np.array([b"a", b"b"] * 30), ("bytes", "string or integer")),
        (np.ones(60) * 1j, ("Complex data not supported", "y")),
        ([{}, {}] * 30, ("Unknown label type", "hashable and sortable")),
        ([frozenset("a"), frozenset("b")] * 30, ("Unknown label type", "frozenset({")),
        (np.zeros((60, 1, 1)), ("1d array", "(60, 1, 1)")),
        (3, ("1d array", "()", "int")),
        ("ab" * 30, ("1d array", "()", "str")),
        ((k for k in range(60)), ("1d array", "generator")),
        (sp.csr_array(np.ones((60, 1))), ("1d array", "csr_array")),
        *(OUTPUTS if outputs else TABLES if labels else COLUMNS),
    ]
    for y, words in cases:
        refused(form, None, y, *words, error=(ValueError, TypeError))
    model = form.fit()
    with untouched(model, form.X), pytest.raises(ValueError, match="requires y to be passed"):
        model.fit(form.X, None)


@over(FORMS)
def test_a_target_of_fractions_is_refused_in_favour_of_a_regressor(form: Form) -> None:
    words = ("Unknown label type: continuous", "y[0]", "regressor")
    refused(form, None, form.X[:, 0], *words)
    refused(form, None, form.X[:, 0].tolist(), *words)
    refused(form, None, pd.Series(form.X[:, 0]), *words)


@over(FORMS)
def test_a_column_of_labels_is_warned_of(form: Form) -> None:
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        model = form.fit(y=form.y[:, None])
    assert same(model, form.fit(), form.X)


# ---------------------------------------------------------------------------- D42: what is no table


class NoTable:
    """Claims sixty rows, and gives three."""

    shape = (60, 4)

    def __len__(self) -> int:
        return 60

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.zeros((3, 4))


@over([form for form in FORMS if form is not TREE])
def test_what_is_no_table_is_refused(form: Form) -> None:
    X = np.array(form.X)
    nested = np.empty((60, 1), object)
    nested[:, 0] = [np.ones(2)] * 60
    ragged = np.empty(60, object)
    ragged[:] = [[1], [1, 2]] * 30
    cases: list[tuple[Any, tuple[str, ...]]] = [
        (X[:, 0], ("Expected 2D array", "(60,)", "reshape(-1, 1)")),
        (X[None], ("dim 3", "(1, 60, 4)", "reshape")),
        (5.0, ("Expected 2D array", "()")),
        (np.array(5), ("Expected 2D array", "()")),
        ([], ("Expected 2D array", "(0,)")),
        ([[1], [1, 2]] * 30, ("ragged", "row 1 has 2 values, row 0 has 1", "same number")),
        (ragged, ("Expected 2D array", "(60,)")),
        (nested, ("row 0, column 0", "ndarray")),
        (None, ("Expected 2D array", "NoneType", "DataFrame")),
        ({"a": [1, 2]}, ("Expected 2D array", "dict", "DataFrame")),
        ({1, 2}, ("Expected 2D array", "set")),
        ((row for row in X), ("Expected 2D array", "generator")),
        (len, ("Expected 2D array", "builtin_function")),
        (pd.Series(X[:, 0]), ("1D array", "Series", "DataFrame")),
        (pl.Series(X[:, 0]), ("1D array", "Series", "DataFrame")),
        (pa.array(X[:, 0]), ("1D array", "DataFrame")),
        (pl.DataFrame(X).lazy(), ("lazy", "collect")),
        (NoTable(), ("3 rows", "60 values")),
        (sp.coo_array(X[:, 0]), ("2D", "(60,)")),
    ]
    if not form.name.startswith("texter"):  # who takes texts has an answer of its own to one
        cases += [
            ("some text", ("Expected 2D array", "str", "list of rows")),
            (b"some bytes", ("Expected 2D array", "bytes", "list of rows")),
        ]
    for bad, words in cases:
        if bad is not None:
            refused(form, bad, None, *words, error=(ValueError, TypeError))
        if not isinstance(bad, NoTable) and not hasattr(bad, "send"):
            refused_later(form, bad, *words, error=(ValueError, TypeError))
    with pytest.warns(PendingDeprecationWarning):
        matrix = np.matrix(X)
    refused(form, matrix, None, "np.matrix", "np.asarray", error=TypeError)


def test_subclasses_of_arrays_are_read_as_arrays() -> None:
    class Meddling(np.ndarray):
        def __getitem__(self, key: Any) -> Any:
            raise RuntimeError("hands off")

        def __array_ufunc__(self, *args: Any, **kwargs: Any) -> Any:
            raise RuntimeError("hands off")

    for form in NATIVE:
        X = np.array(form.X)
        assert same(form.fit(), form.fit(X.view(Meddling)), X)


# ------------------------------------------------------------------------------- D43: hostile names

HOSTILE = [
    "<script>alert(1)</script>",
    "\"'\\\n\r\t\x1b[31m\0",
    "\u202eevil\u2028\u2029\ufeff",
    "x" * 1_000_000,
]


@over(FORMS)
def test_hostile_names_are_kept_and_shown_harmlessly(form: Form) -> None:
    X = frame(form.X, HOSTILE)
    y = np.array(["</td><img src=x>", "\x1b[2J\u202e", "&amp;"])[form.y]
    model = form.fit(X, y)
    assert model.feature_names_in_.tolist() == HOSTILE
    assert (model.predict(X) == y).mean() > 0.5
    pages = []
    if hasattr(model, "rules"):
        rules = model.rules()
        text = str(rules)
        assert all(line.isprintable() for line in text.split("\n"))
        assert len(text) < 10_000
        pages.append(rules._repr_html_())
    if hasattr(model, "_repr_mimebundle_"):
        pages.append(model._repr_mimebundle_()["text/html"])
    for page in pages:
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "\x1b" not in page
    words = ("feature names", "unseen at fit time", "z", "now missing")
    with pytest.raises(ValueError, match="feature names") as caught:
        model.predict(X.set_axis(["z", *HOSTILE[1:]], axis=1))
    message = said(caught.value, *words)
    with pytest.raises(ValueError, match="feature names") as caught:
        model.predict(X.set_axis(list("wxyz"), axis=1))
    message = str(caught.value)
    assert len(message) < 2000
    assert "\x1b" not in message
    assert "\u202e" not in message
    with pytest.raises(ValueError, match="infinity") as caught:
        model.predict(X.mask(X == X.iloc[3, 3], INF))
    assert len(str(caught.value)) < 500


@over(FORMS)
def test_names_that_are_no_text(form: Form) -> None:
    for names in ([0, 1, 2, 3], [1.5, None, (1, 2), 7]):
        model = form.fit(frame(form.X, names))
        assert not hasattr(model, "feature_names_in_")
        assert same(model, form.fit(), form.X)
    words = ("string names", "['int', 'str']", "astype(str)")
    refused(form, frame(form.X, [0, "a", 2, "b"]), None, *words, error=TypeError)
    model = form.fit(frame(form.X, ["", " ", "None", "\0"]))
    assert model.feature_names_in_.tolist() == ["", " ", "None", "\0"]
    model.fit(form.X, form.y)
    assert not hasattr(model, "feature_names_in_")  # nothing is left of an earlier fit


# -------------------------------------------------------------------- D44: changes while it is read


@over([ADABOOST, SAMME, STUMP])
def test_data_that_change_under_a_fit_crash_nothing(form: Form) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4000, 6)), rng.integers(form.n_classes, size=4000)
    stop = threading.Event()

    def meddle() -> None:
        rng = np.random.default_rng(1)
        while not stop.is_set():
            rows = rng.integers(4000, size=200)
            X[rows] = rng.choice([NAN, INF, -INF, 1e308, 0.0, 5e-324], size=(200, 6))

    meddler = threading.Thread(target=meddle)
    meddler.start()
    try:
        for _ in range(8):
            for data in (X, sp.csc_array((X.T.ravel(), np.tile(np.arange(4000), 6),
                                          np.arange(0, 24_001, 4000)))):  # fmt: skip
                try:
                    form.fit(data, y).predict(data)
                except ValueError as error:
                    said(error, "infinity")
    finally:
        stop.set()
        meddler.join()


@pytest.mark.parametrize("seconds", [0.3, pytest.param(0.7, marks=pytest.mark.long)])
def test_indices_that_change_under_a_fit_crash_nothing(seconds: float) -> None:
    run_apart(f"""
        import threading, time, numpy as np, scipy.sparse as sp
        from weaklearn import AdaBoostClassifier
        rng = np.random.default_rng(0)
        y = rng.integers(2, size=5000)
        for form in ("csr", "csc", "coo"):
            X = sp.random(5000, 30, density=0.2, format=form, random_state=0)
            arrays = (X.row, X.col) if form == "coo" else (X.indices, X.indptr)
            good = [array.copy() for array in arrays]
            model = AdaBoostClassifier(n_estimators=2).fit(X, y)
            stop = threading.Event()
            def meddle():
                while not stop.is_set():
                    for array, kept in zip(arrays, good):
                        k = rng.integers(len(kept), size=20)
                        array[k] = rng.choice([2**31 - 1, -(2**31), 10**8, -5], 20)
                        array[k] = kept[k]
            meddler = threading.Thread(target=meddle)
            meddler.start()
            end = time.monotonic() + {seconds}
            while time.monotonic() < end:
                try:
                    AdaBoostClassifier(n_estimators=2).fit(X, y)
                    model.predict(X)
                except ValueError as error:
                    assert "malformed sparse matrix" in str(error), error
            stop.set()
            meddler.join()
    """)


# --------------------------------------------------------------------- D45: learners that misbehave

SIXTY = np.array(ADABOOST.X)


def asks(function: Any) -> Form:
    return Form("function", partial(AdaBoostClassifier, function, n_estimators=5))


def sign_of_first(X: Any, y: Any, D: Any) -> Any:
    return lambda X: np.where(X[:, 0] > 0, 1, -1)


def turning_bad(bad: Any, good_rounds: int = 2) -> Any:
    """A learner that is good for some rounds of every fit but the first."""
    calls = itertools.count()

    def learn(X: Any, y: Any, D: Any) -> Any:
        k = next(calls)
        if k < 5 or k - 5 < good_rounds:
            j = k % 4
            return lambda X: np.where(X[:, j] > 0, 1, -1)
        return bad(X, y, D)

    return learn


def answering(answers: Any) -> Any:
    return lambda X, y, D: lambda X: answers


MISBEHAVIOUR: dict[str, tuple[Any, type[Exception], tuple[str, ...]]] = {
    "None": (lambda X, y, D: None, TypeError, ("estimator", "NoneType", "callable")),
    "raises": (lambda X, y, D: 1 / 0, ZeroDivisionError, ()),
    "rule raises": (lambda X, y, D: lambda X: {}[0], KeyError, ()),
    "short": (answering(np.ones(59)), ValueError, ("shape (59,)", "60 rows", "one answer a row")),
    "column": (answering(np.ones((60, 1))), ValueError, ("shape (60, 1)", "one answer a row")),
    "no array": (answering(None), ValueError, ("shape ()", "one answer a row")),
    "NaN": (answering(np.full(60, NAN)), ValueError, ("answered", "nan", "row 0", "-1, 0", "+1")),
    "two": (answering(np.full(60, 2)), ValueError, ("answered", "2", "row 0", "allowed")),
    "half": (answering(np.full(60, 0.5)), ValueError, ("answered", "0.5", "allowed")),
    "text": (answering(np.array(["1"] * 60)), ValueError, ("answered", "1", "allowed")),
    "flags": (answering(np.ones(60, bool)), ValueError, ("answered", "True", "allowed")),
    "changes y": (lambda X, y, D: y.fill(1), ValueError, ("read-only",)),
}


@pytest.mark.parametrize("name", MISBEHAVIOUR)
def test_functions_that_misbehave_are_named_with_their_round(name: str) -> None:
    bad, error, words = MISBEHAVIOUR[name]
    form = asks(turning_bad(bad))
    model = form.make().fit(SIXTY, ADABOOST.y)
    rounds = model.n_iter_
    with untouched(model, SIXTY), pytest.raises(error) as caught:
        model.fit(SIXTY, 1 - ADABOOST.y)
    said(caught.value, *words)
    assert "in round" in "".join(caught.value.__notes__)
    assert model.n_iter_ == rounds
    resampled = AdaBoostClassifier(bad, n_estimators=5, resample=True)
    with pytest.raises((error, TypeError)):
        resampled.fit(SIXTY, ADABOOST.y)


class Odd(ClassifierMixin, BaseEstimator):
    """A classifier whose predictions are what it was told."""

    def __init__(self, predictions: Any = None, fails: bool = False) -> None:
        self.predictions = predictions
        self.fails = fails

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Odd:
        if self.fails:
            raise RuntimeError("no")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return self.predictions


@pytest.mark.parametrize(
    ("predictions", "words"),
    [
        (np.zeros(59, int), ("Odd", "shape (59,)", "60 rows", "one label a row")),
        (np.zeros((60, 1), int), ("Odd", "shape (60, 1)", "60 rows")),
        (np.zeros((60, 2)), ("Odd", "shape (60, 2)", "60 rows")),
        (0, ("Odd", "shape ()", "60 rows")),
        (None, ("Odd", "shape ()", "60 rows")),
        (np.full(60, NAN), ("Odd", "nan", "row 0", "classes [0, 1]", "classifier")),
        (np.full(60, INF), ("Odd", "inf", "row 0", "classes [0, 1]")),
        (np.full(60, 7), ("Odd", "7", "row 0", "classes [0, 1]")),
        (np.full(60, 0.5), ("Odd", "0.5", "classes [0, 1]")),
        (np.array(["yes"] * 60), ("Odd", "yes", "classes [0, 1]")),
        (np.array([None] * 60), ("Odd", "None", "classes [0, 1]")),
        (np.array([0, "a"] * 30, object), ("Odd", "'a'", "row 1", "classes [0, 1]")),
    ],
    ids=str,
)
def test_estimators_that_predict_nonsense_are_named(predictions: Any, words: Any) -> None:
    form = Form("odd", partial(AdaBoostClassifier, Odd(), n_estimators=3))
    model = ADABOOST.fit()
    model.estimator = Odd(predictions)
    with untouched(model, form.X), pytest.raises(ValueError, match="Odd") as caught:
        model.fit(form.X, form.y)
    said(caught.value, *words)
    assert "in round 1" in "".join(caught.value.__notes__)


def test_estimators_that_fail_or_are_no_classifiers() -> None:
    model = ADABOOST.fit()
    model.estimator = Odd(fails=True)
    with untouched(model, ADABOOST.X), pytest.raises(RuntimeError) as caught:
        model.fit(ADABOOST.X, ADABOOST.y)
    assert "in round 1" in "".join(caught.value.__notes__)
    model.estimator = LinearRegression()  # refused before the first round
    with untouched(model, ADABOOST.X), pytest.raises(TypeError, match="predicts numbers"):
        model.fit(ADABOOST.X, ADABOOST.y)


def test_a_native_learner_that_fails() -> None:
    class Broken(WeakLearner):
        def bind(self, sample: Any) -> Any:
            def learn(D: Any, z: Any, key: int = 0) -> Any:
                raise OSError("the disk is gone")

            return learn

    model = ADABOOST.fit()
    model.estimator = Broken()
    with untouched(model, ADABOOST.X), pytest.raises(OSError, match="disk"):
        model.fit(ADABOOST.X, ADABOOST.y)


# ------------------------------------------------------------- who watches, who goes on, who copies


@crossed(BOOSTERS, "error", [RuntimeError, StopIteration, SystemExit, MemoryError, OSError])
def test_a_callback_that_fails_leaves_the_earlier_fit(form: Form, error: Any) -> None:
    def fail(t: int, state: Any, history: Any) -> None:
        if t == 2:
            raise error("stop it")

    model = form.fit()
    model.callbacks = [fail]
    with untouched(model, form.X), pytest.raises(error):
        model.fit(form.X[::-1], form.y)


@over(BOOSTERS)
def test_an_interrupt_keeps_the_rounds_and_a_warm_start_goes_on(form: Form) -> None:
    def interrupt(t: int, state: Any, history: Any) -> None:
        if t == 3:
            raise KeyboardInterrupt

    whole = form.fit()
    model = form.make(warm_start=True, callbacks=[interrupt])
    with pytest.raises(KeyboardInterrupt):
        model.fit(form.X, form.y)
    assert (model.n_iter_, model.stop_reason_) == (3, "interrupted")
    model.callbacks = None
    assert same(model.fit(form.X, form.y), whole, form.X)


def test_an_interrupt_before_the_first_round_leaves_the_earlier_fit() -> None:
    def learn(X: Any, y: Any, D: Any) -> Any:
        raise KeyboardInterrupt

    model = ADABOOST.fit()
    model.estimator = learn
    with untouched(model, ADABOOST.X), pytest.raises(KeyboardInterrupt):
        model.fit(ADABOOST.X, ADABOOST.y)


@over(BOOSTERS)
@pytest.mark.filterwarnings("ignore::weaklearn.BoostingWarning")
def test_a_warm_start_on_other_data_is_refused(form: Form) -> None:
    model = form.make(warm_start=True).fit(form.X, form.y).set_params(n_estimators=8)
    other = np.where(form.y == 0, 9, form.y)
    for X, y, words in (
        (form.X[:, :2], form.y, ("X has 2 features", "expecting 4")),
        (form.X, other, ("y holds 9", "classes of training")),
        (with_cell(form.X, 1, 1, INF), form.y, ("infinity", "row 1, column 1")),
        (form.X, form.y[:7], ("60 rows", "7 values")),
    ):
        with untouched(model, form.X), pytest.raises(ValueError) as caught:  # noqa: PT011
            model.fit(X, y)
        said(caught.value, *words)
    named = form.make(warm_start=True).fit(frame(form.X), form.y).set_params(n_estimators=8)
    with pytest.raises(ValueError, match="same order"):
        named.fit(frame(form.X)[NAMES[::-1]], form.y)
    with untouched(model, form.X), pytest.raises(ValueError, match="larger or equal to the 5"):
        model.set_params(n_estimators=2).fit(form.X, form.y)
    model.set_params(n_estimators=8)
    assert model.fit(form.X[:50], form.y[:50]).n_iter_ == 8  # fewer rows are no other game


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations([SAMME, M1, OVR], 2)))
def test_a_warm_start_of_another_run_is_refused(first: Form, second: Form) -> None:
    model = first.make(warm_start=True).fit(first.X, first.y)
    changed = second.make().get_params()["multiclass"]
    model.set_params(n_estimators=8, multiclass=changed)
    with pytest.raises(ValueError, match="warm_start=False") as caught:
        model.fit(first.X, first.y)
    said(caught.value, "goes on with a fit of", "now ask for")


@over(FORMS)
def test_clones_copies_and_pickles(form: Form) -> None:
    model = form.fit()
    with untouched(model, form.X), pytest.raises(NotFittedError):
        clone(model).predict(form.X)
    again = pickle.loads(pickle.dumps(model))
    assert same(again, model, form.X)
    with untouched(model, form.X):
        again.fit(form.X[::-1], form.y)
    with pytest.raises(ValueError, match="infinity"):
        pickle.loads(pickle.dumps(model)).predict(with_cell(form.X, 0, 0, INF))


def test_validation_rows_that_are_refused() -> None:
    X, y = np.array(ADABOOST.X), np.array(ADABOOST.y)
    model = ADABOOST.fit()
    cases: list[tuple[dict[str, Any], tuple[str, ...]]] = [
        ({"X_val": X}, ("X_val is given without y_val", "pass the labels")),
        ({"y_val": y}, ("y_val is given without X_val", "pass the validation rows")),
        ({"X_val": X[:, :2], "y_val": y}, ("2 features", "4 features")),
        ({"X_val": X, "y_val": y[:5]}, ("60 rows", "5 values")),
        ({"X_val": X, "y_val": y + 5}, ("y_val holds 5", "classes of training")),
        ({"X_val": with_cell(X, 1, 1, INF), "y_val": y}, ("infinity", "row 1, column 1")),
        (
            {"X_val": X, "y_val": y, "sample_weight_val": -np.ones(60)},
            ("sample_weight", "-1.0", "negative"),
        ),
    ]
    for given, words in cases:
        with untouched(model, X), pytest.raises(ValueError) as caught:  # noqa: PT011
            model.fit(X, y, **given)
        said(caught.value, *words)
    few = AdaBoostClassifier(early_stopping=True)
    with pytest.raises(ValueError, match="leaves no row to validate on"):
        few.fit(X[:2], [0, 1])


# ---------------------------------------------------------------------------- threads and processes


def large(n: int = 20_000, d: int = 8) -> tuple[Any, Any]:
    X = np.random.default_rng(1).normal(size=(n, d))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def all_at_once(work: Any, n: int) -> list[Any]:
    """The results of work(0), work(1), ... in as many threads; a failure is a result too."""
    results: list[Any] = [None] * n
    begin = threading.Barrier(n)

    def run(k: int) -> None:
        begin.wait()
        try:
            results[k] = work(k)
        except Exception as error:
            results[k] = error

    threads = [threading.Thread(target=run, args=(k,)) for k in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_many_threads_may_predict_and_pickle_at_once() -> None:
    X, y = large()
    model = AdaBoostClassifier(n_estimators=20).fit(X, y)
    expected = model.decision_function(X).tobytes()
    fresh = pickle.loads(pickle.dumps(model))  # packs its vote at the first call

    def work(k: int) -> set[bytes]:
        found = {fresh.decision_function(X).tobytes() for _ in range(5)}
        return found | {pickle.loads(pickle.dumps(fresh)).decision_function(X).tobytes()}

    assert all_at_once(work, 8) == [{expected}] * 8


def test_many_threads_may_fit_at_once() -> None:
    X, y = large()
    expected = AdaBoostClassifier(n_estimators=15).fit(X, y).decision_function(X).tobytes()

    def work(k: int) -> bytes:
        return AdaBoostClassifier(n_estimators=15).fit(X, y).decision_function(X).tobytes()

    assert all_at_once(work, 4) == [expected] * 4
    shared = AdaBoostClassifier(n_estimators=15)
    assert all_at_once(lambda k: shared.fit(X, y) is shared, 4) == [True] * 4
    assert shared.decision_function(X).tobytes() == expected


def test_a_model_may_be_used_while_it_is_fitted_again() -> None:
    X, y = large(5000)
    model = AdaBoostClassifier(n_estimators=30).fit(X, y)
    kept = {model.decision_function(X).tobytes()}
    kept.add(AdaBoostClassifier(n_estimators=30).fit(X, 1 - y).decision_function(X).tobytes())
    results = all_at_once(
        lambda k: model.fit(X, 1 - y) if k == 0 else model.decision_function(X).tobytes(), 4
    )
    assert {result for result in results[1:]} <= kept


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("children", [8, pytest.param(20, marks=pytest.mark.long)])
def test_a_forked_child_can_fit(children: int) -> None:
    out = run_apart(f"""
        import os, sys, numpy as np
        from weaklearn import AdaBoostClassifier
        rng = np.random.default_rng(0)
        X = rng.normal(size=(20_000, 10))
        y = (X[:, 0] * X[:, 1] > 0).astype(int)
        def fitted():
            return AdaBoostClassifier(n_estimators=5).fit(X, y).decision_function(X).tobytes()
        expected = fitted()
        failures = 0
        for _ in range({children}):
            child = os.fork()
            if child == 0:
                os._exit(0 if fitted() == expected else 1)
            failures += os.waitpid(child, 0)[1] != 0
        print(failures, fitted() == expected)
    """)
    assert out.split() == ["0", "True"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_an_interrupt_ends_the_compiled_loop_at_once() -> None:
    out = run_apart("""
        import os, signal, subprocess, sys, time, numpy as np
        from weaklearn import AdaBoostClassifier
        rng = np.random.default_rng(0)
        X = rng.normal(size=(500_000, 10))
        y = (X[:, 0] * X[:, 1] + rng.normal(size=len(X)) > 0).astype(int)
        other = "import os, time; input(); time.sleep(0.07); print(time.time()); "
        other += f"os.kill({os.getpid()}, 2)"
        sender = subprocess.Popen(
            [sys.executable, "-S", "-c", other],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        def watch(t, state, history):
            if t == 3:
                sender.stdin.write("go\\n")
                sender.stdin.flush()
        model = AdaBoostClassifier(n_estimators=10**9, warm_start=True, callbacks=[watch])
        try:
            model.fit(X, y)
        except KeyboardInterrupt:
            ended = time.time()
        latency = ended - float(sender.communicate()[0])
        n = model.n_iter_
        assert n >= 3 and model.stop_reason_ == "interrupted" and len(model.history_) == n
        model.set_params(n_estimators=n + 2, callbacks=None).fit(X, y)
        straight = AdaBoostClassifier(n_estimators=n + 2).fit(X, y)
        same = (model.decision_function(X[:9]) == straight.decision_function(X[:9])).all()
        print(latency, model.n_iter_ - n, same)
    """)
    latency, more, equal = out.split()
    print(f"interrupted after {float(latency):.3f} s")
    assert float(latency) < 60  # a billion rounds take years
    assert (more, equal) == ("2", "True")


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs limits on memory")
def test_a_lack_of_memory_is_a_memory_error() -> None:
    out = run_apart("""
        import resource, numpy as np
        from pathlib import Path
        from weaklearn import AdaBoostClassifier
        rng = np.random.default_rng(0)
        X = rng.normal(size=(2_000_000, 8))
        y = rng.integers(2, size=len(X))
        model = AdaBoostClassifier(n_estimators=3).fit(X[:1000], y[:1000])
        before = model.decision_function(X[:1000]).tobytes()
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        failed = 0
        for spare in (1, 10, 30, 60, 100, 150):
            limit = pages * resource.getpagesize() + spare * 2**20
            resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
            try:
                model.fit(X, y)
            except MemoryError:
                failed += 1
                resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
                assert model.decision_function(X[:1000]).tobytes() == before
            else:
                break
        print(failed)
    """)
    assert int(out) >= 2


def run_apart(program: str) -> str:
    """The output of a program in a process of its own, which must end well."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr[-2000:]}"
    return done.stdout


# ------------------------------------------------------------- what is learnt and nothing is learnt


@over([SAMME, M1, STUMP3])
@pytest.mark.filterwarnings("ignore::weaklearn.BoostingWarning")
def test_names_taken_for_classes_are_warned_of(form: Form) -> None:
    with pytest.warns(DataWarning, match="60 classes in 60 rows"):
        form.fit(y=[f"customer {k}" for k in range(60)])


@over(FORMS)
def test_warnings_point_to_the_line_that_asked(form: Form) -> None:
    model = form.make()
    with pytest.warns(DataWarning, match="one class") as caught:
        model.fit(form.X, np.zeros(60))
    assert {w.filename for w in caught} == {__file__}


def test_rounds_of_what_is_no_booster() -> None:
    for model in (3, ThresholdClassifier(), AdaBoostClassifier):
        with pytest.raises(TypeError, match="boosted classifier"):
            next(rounds(model, ADABOOST.X, ADABOOST.y))


def test_nothing_learnt_is_said(recwarn: Any) -> None:
    X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), [0, 1, 1, 0]
    with pytest.warns(BoostingWarning, match="nothing was learnt"):
        model = AdaBoostClassifier().fit(X, y)
    assert (len(model.history_), model.n_iter_) == (1, 0)
    assert model.predict_proba(X).tolist() == [[0.5, 0.5]] * 4
    assert list(model.staged_predict(X)) == []
    assert answers(model, X)["predict"] == answers(model, X[::-1])["predict"]


def test_trees_of_any_depth_beside_bad_rows() -> None:
    deep = Form(
        "deep", partial(AdaBoostClassifier, DecisionTreeClassifier(max_depth=30), n_estimators=3)
    )
    model = deep.fit()
    assert model.score(deep.X, deep.y) == 1
    assert len(model.predict(deep.X[:0])) == 0
