"""Perceptrons as estimators: golden passes, pockets, averages, classes, and streams."""

from __future__ import annotations

import inspect
import pickle
import warnings
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import golden, test_bad_data
from tests.forms import Form
from tests.reference import linear as twin
from weaklearn import (
    AveragedPerceptron,
    DataWarning,
    MarginPerceptron,
    PassesWarning,
    Perceptron,
    SGDClassifier,
)

CASES = [name for name in golden.names("online") if name.startswith("perceptron")]
SEPARABLE = [name for name in CASES if "batch_w" in golden.case("online", name)["expected"]]
EVERY = [Perceptron, AveragedPerceptron, MarginPerceptron, partial(SGDClassifier, "logistic")]
every = pytest.mark.parametrize("make", EVERY, ids=["plain", "averaged", "margin", "sgd"])


def drawn(case: Any) -> tuple[Any, Any]:
    told = case["input"]["sequence"]
    return np.array([e["x"] for e in told]), np.array([e["y"] for e in told])


def separable(n: int = 80, d: int = 4, seed: int = 0, gap: float = 0.1) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(2 * n, d)), rng.normal(size=d)
    X = X[np.abs(X @ w) > gap * np.linalg.norm(w)][:n]
    return X, np.where(X @ w > 0, 1, -1)


def noisy(n: int = 120, seed: int = 1) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.where(X[:, 0] + rng.normal(size=n) > 0, "b", "a")


# ------------------------------------------------------------------------------------ golden values


@pytest.mark.parametrize("name", CASES)
def test_golden_streams(name: str) -> None:
    case = golden.case("online", name)
    (X, y), expected = drawn(case), case["expected"]
    model = Perceptron()
    trace = model.run(X, y)
    assert trace.scores.tolist() == expected["scores"]
    assert trace.mistake_flags.tolist() == expected["mistake_flags"]
    assert trace.labels.tolist() == y.tolist()
    assert model.mistakes_ == model.updates_ == expected["mistakes"]
    assert model.coef_.tolist() == [expected["w_end"]]
    single = Perceptron()
    for i in range(len(y)):
        single.partial_fit(X[i : i + 1], y[i : i + 1])
        if i + 1 < len(y):
            assert single.decision_function(X[i + 1 : i + 2]) == expected["scores"][i + 1]
    assert single.coef_.tolist() == [expected["w_end"]]
    assert (single.mistakes_, single.t_) == (expected["mistakes"], len(y))


@pytest.mark.parametrize(
    "name", [n for n in CASES if "batch_w" in golden.case("online", n)["expected"]]
)
def test_golden_batches(name: str) -> None:
    case = golden.case("online", name)
    (X, y), expected = drawn(case), case["expected"]
    model = Perceptron().fit(X, y)
    assert model.mistakes_ == expected["batch_updates"]
    assert model.n_iter_ == expected["batch_passes_including_clean_one"]
    assert model.coef_.tolist() == [expected["batch_w"]]
    assert model.converged_
    assert model.score(X, y) == 1.0
    same = SGDClassifier("perceptron", step=1.0).fit(X, y)
    assert same.coef_.tolist() == [expected["batch_w"]]
    assert same.mistakes_ == model.mistakes_
    assert model.mistakes_ <= expected["bound_1_over_gamma_sq"]


# ------------------------------------------------------------------------------------------- passes


@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_passes_are_those_of_the_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (25, 3)).astype(float)
    X[~X.any(axis=1)] = 1.0
    X = X[X @ [3.0, -2.0, 1.0] != 0]
    y = np.where(X @ [3.0, -2.0, 1.0] > 0, 1, -1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        model = Perceptron(max_passes=10_000).fit(X, y)
    w, wrong = twin.perceptron(X, y, 10_000)
    signs = y if len(model.classes_) == 2 else np.ones(len(y))
    if len(model.classes_) == 1:
        w, wrong = twin.perceptron(X, signs, 10_000)
    assert model.coef_[0].tolist() == w.tolist()
    assert model.mistakes_ == len(wrong)
    counts = np.bincount(wrong, minlength=len(X))
    assert model.coef_[0].tolist() == ((counts * signs) @ X).tolist()


def test_what_is_not_separable_ends_with_the_pocket() -> None:
    X, y = noisy()
    for make in (Perceptron, MarginPerceptron, AveragedPerceptron):
        with pytest.warns(
            PassesWarning, match=r"in each of 7 passes.* through the origin .* of 120"
        ):
            model = make(max_passes=7).fit(X, y)
        assert model.n_iter_ == len(model.history_) == 7
        assert not model.converged_
        errors = model.history_["errors"]
        assert (np.diff(errors) <= 0).all()
        assert round((1 - model.score(X, y)) * 120) == errors[-1]
        assert model.mistakes_ == model.history_["mistakes"].sum()
        for passes in range(1, 7):  # the best of every shorter fit is no better
            with pytest.warns(PassesWarning):
                shorter = make(max_passes=passes).fit(X, y)
            assert shorter.history_["errors"].tolist() == errors[:passes].tolist()
            assert shorter.score(X, y) <= model.score(X, y)


def test_the_pocket_is_better_than_the_end() -> None:
    X, y = noisy(seed=5)
    signs = np.where(y == "b", 1, -1)
    w, _ = twin.perceptron(X, signs, 20)
    with pytest.warns(PassesWarning):
        model = Perceptron(max_passes=20).fit(X, y)
    at_the_end = np.mean((X @ w > 0) == (signs > 0))
    assert model.score(X, y) >= at_the_end
    assert model.score(X, y) > 0.7


def test_the_mean_of_all_weights() -> None:
    X, y = noisy()
    signs = np.where(y == "b", 1, -1)
    model = AveragedPerceptron()
    model.partial_fit(X[:50], y[:50], classes=["a", "b"]).partial_fit(X[50:], y[50:])
    told = twin.linear_pass(X, signs, 1, "perceptron", lambda t: 1.0)
    assert model.coef_ == pytest.approx(told["average"], abs=1e-12)
    assert model.mistakes_ == told["mistakes"].sum()
    plain = Perceptron().partial_fit(X, y, classes=["a", "b"])
    assert plain.mistakes_ == model.mistakes_
    assert plain.coef_.tolist() != model.coef_.tolist()


def test_shuffled_passes_are_drawn_by_the_seed() -> None:
    X, y = separable(gap=0.02)
    fits = [Perceptron(shuffle=True, random_state=seed).fit(X, y) for seed in (1, 1, 2)]
    assert fits[0].coef_.tolist() == fits[1].coef_.tolist() != fits[2].coef_.tolist()
    assert all(model.score(X, y) == 1.0 for model in fits)
    generator = Perceptron(shuffle=True, random_state=np.random.default_rng(3)).fit(X, y)
    assert pickle.loads(pickle.dumps(generator)).fingerprint() == generator.fingerprint()


def test_a_row_of_zeros() -> None:
    X, y = separable()
    X[3] = 0.0
    whole = Perceptron().fit(np.delete(X, 3, axis=0), np.delete(y, 3))
    for rows in (X, sp.csr_array(X)):
        with pytest.warns(DataWarning, match=r"1 row.*row 3.*zero vector.*left out"):
            model = Perceptron().fit(rows, y)
        assert model.coef_.tolist() == whole.coef_.tolist()
        for name in ("partial_fit", "run"):
            with pytest.raises(ValueError, match=r"Row 3 of X is the zero vector.*w\.x > 0"):
                getattr(Perceptron(), name)(rows, y)
    with pytest.raises(ValueError, match="Every row of X is the zero vector"):
        Perceptron().fit(np.zeros((4, 2)), [0, 1, 0, 1])
    assert Perceptron(fit_intercept=True).fit(X, y).t_ % 80 == 0
    assert SGDClassifier().fit(X, y).score(X[4:], y[4:]) > 0.9


def test_an_intercept_is_a_column_of_ones() -> None:
    X, y = separable()
    X += 1.0
    with_ones = np.hstack([X, np.ones((len(X), 1))])
    model = Perceptron(fit_intercept=True, max_passes=2000).fit(X, y)
    other = Perceptron(max_passes=2000).fit(with_ones, y)
    assert model.converged_
    assert model.coef_.tolist() == other.coef_[:, :-1].tolist()
    assert model.intercept_.tolist() == other.coef_[:, -1].tolist()
    assert other.intercept_.tolist() == [0.0]
    assert model.decision_function(X).tobytes() == other.decision_function(with_ones).tobytes()


# ------------------------------------------------------------------------------------------ classes


@every
def test_more_classes_are_each_against_the_rest(make: Any) -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(150, 5))
    y = np.array(["p", "q", "r"])[np.argmax(X[:, :3] + 0.3 * rng.normal(size=(150, 3)), axis=1)]
    model = make().partial_fit(X, y, classes=["r", "q", "p"])
    assert model.classes_.tolist() == ["p", "q", "r"]
    for k, label in enumerate("pqr"):
        one = make().partial_fit(X, np.where(y == label, 1, -1))
        assert model.coef_[k].tolist() == one.coef_[0].tolist()
    scores = model.decision_function(X)
    assert scores.shape == (150, 3)
    assert model.predict(X).tolist() == model.classes_[scores.argmax(axis=1)].tolist()
    assert model.score(X, y) > 0.7
    told = make().run(X, y, classes=["p", "q", "r"])
    wrong = [
        twin.is_mistake(F, k) for F, k in zip(told.scores, np.searchsorted(["p", "q", "r"], y))
    ]
    assert told.mistake_flags.tolist() == wrong
    assert model.mistakes_ == sum(wrong)


def test_separable_classes_end_with_a_clean_pass() -> None:
    rng = np.random.default_rng(0)
    centres = np.array([[5, 0, 0], [0, 5, 0], [0, 0, 5.0]])
    y = rng.integers(0, 3, 90)
    X = centres[y] + rng.uniform(-1, 1, (90, 3))
    model = Perceptron().fit(X, y)
    assert model.converged_
    assert model.score(X, y) == 1.0
    assert model.history_["updates"][-1] == 0


def test_one_class_and_one_row() -> None:
    with pytest.warns(DataWarning, match="one class"):
        model = Perceptron().fit([[1.0, 2.0]], ["only"])
    assert model.predict([[3.0, -9.0], [1.0, 1.0]]).tolist() == ["only", "only"]
    flags = Perceptron().fit([[1.0, 2.0], [-1.0, 0.0]], [True, False])
    assert flags.predict([[1.0, 2.0], [-1.0, 0.0]]).tolist() == [True, False]


# ------------------------------------------------------------------------------------------ streams


@every
@pytest.mark.parametrize("form", ["array", "float32", "sparse", "frame"])
def test_batches_and_single_rows_lead_to_the_same(make: Any, form: str) -> None:
    rng = np.random.default_rng(6)
    X = np.where(rng.random((60, 5)) < 0.4, 0.0, rng.normal(size=(60, 5))).astype(np.float32)
    X[:, 0] += 3
    y = rng.integers(0, 2, 60)
    made: Any = {
        "array": lambda rows: X[rows].astype(float),
        "float32": lambda rows: X[rows],
        "sparse": lambda rows: sp.csr_matrix(X[rows]),
        "frame": lambda rows: pd.DataFrame(X[rows], columns=list("abcde")),
    }[form]
    whole = make().partial_fit(made(slice(None)), y, classes=[0, 1])
    for cuts in ([20, 41], range(1, 60)):
        parts = np.split(np.arange(60), cuts)
        model = make()
        for part in parts:
            model.partial_fit(made(part), y[part], classes=[0, 1])
        assert model.coef_.tolist() == whole.coef_.tolist()
        assert (model.mistakes_, model.updates_, model.t_) == (
            whole.mistakes_,
            whole.updates_,
            60,
        )
    plain = make().partial_fit(X.astype(float), y, classes=[0, 1])
    assert plain.coef_.tolist() == whole.coef_.tolist()
    assert (
        plain.decision_function(X).tobytes() == whole.decision_function(made(slice(None))).tobytes()
    )


def test_learning_goes_on_after_a_fit() -> None:
    X, y = separable()
    model = Perceptron().fit(X, y)
    before, seen = model.mistakes_, model.t_
    model.partial_fit(X, -y)
    assert model.t_ == seen + len(y)
    assert model.mistakes_ > before
    with pytest.warns(PassesWarning):
        averaged = AveragedPerceptron(max_passes=2).fit(*noisy())
    kept = averaged.coef_.tolist()
    averaged.partial_fit(*noisy(seed=3))
    assert averaged.coef_.tolist() != kept


def test_what_a_stream_must_say() -> None:
    X, y = noisy()
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        Perceptron().partial_fit(X, y)
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        Perceptron().partial_fit(X, np.ones(len(y), bool))
    model = Perceptron().partial_fit(X[:1], [1])
    assert model.classes_.tolist() == [-1, 1]
    model = Perceptron().partial_fit(X, y, classes=["b", "a"])
    kept = model.coef_.tolist()
    gaps = np.where(np.arange(3) == 1, np.nan, X)
    for arguments, words in [
        ((X, y, ["a", "b", "c"]), "not the same as on last call"),
        ((X, np.where(y == "a", "c", y)), "'c', which is not among"),
        ((X[:, :2], y), "2 features"),
        ((X[:0], y[:0]), "0 sample"),
        ((X[:5], y[:4]), "5 rows"),
        ((gaps, y), "contains NaN: row 0, column 1 is missing"),
        ((sp.csr_array(gaps), y), "contains NaN: row 0, column 1 is missing"),
    ]:
        with pytest.raises(ValueError, match=words):
            model.partial_fit(*arguments)
        assert model.coef_.tolist() == kept
    with pytest.raises(ValueError, match="not those that learning began with"):
        model.set_params(fit_intercept=True).partial_fit(X, y)


def test_numbers_beyond_all_bounds_are_refused() -> None:
    X = np.array([[1e200, 0.0], [-1e200, 1.0], [1e200, 2.0]])
    with pytest.raises(ValueError, match=r"overflow float64: at row \d.*divide X by a constant"):
        Perceptron().fit(X, [1, 1, -1])
    model = Perceptron().fit([[1.0, 0.5], [-1.0, 2.0]], [1, -1])
    for bad, words in (([[np.nan, 0.0]], "NaN"), ([[np.inf, 0.0]], "infinity")):
        with pytest.raises(ValueError, match=words):
            model.predict(bad)
        with pytest.raises(ValueError, match=words):
            model.predict(sp.csr_array(bad))


# --------------------------------------------------------------------------------- data of any kind

# Weights, columns that are no numbers, ties of columns and perfect fits of what is no halfspace
# are not for these learners, and what changes under a fit is found out later, in other words.
_NOT_FOR_THESE = (
    *("weight", "warm_start", "interrupt", "ties", "change_under", "flags"),
    *("missing", "categor", "nanoseconds", "time", "without_a_value", "side"),
)
BAD_DATA = [
    test
    for name, test in vars(test_bad_data).items()
    if name.startswith("test_")
    and list(inspect.signature(test).parameters) == ["form"]
    and not any(word in name for word in _NOT_FOR_THESE)
]
FORMS = [
    Form("perceptron", Perceptron, kinds=False),
    Form("perceptron of three", partial(Perceptron, fit_intercept=True), 3, kinds=False),
    Form("sgd", partial(SGDClassifier, "logistic", fit_intercept=True), kinds=False),
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize("test", BAD_DATA, ids=lambda test: test.__name__)
@pytest.mark.filterwarnings("ignore::weaklearn.PassesWarning")
def test_data_of_any_kind(test: Any, form: Form) -> None:
    test(form)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"max_passes": 0}, "max_passes=0"),
        ({"max_passes": 2.5}, "max_passes=2.5"),
        ({"max_passes": True}, "max_passes=True"),
        ({"fit_intercept": "yes"}, "fit_intercept='yes'"),
        ({"shuffle": 1}, "shuffle=1"),
        ({"random_state": -1}, "random_state=-1"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_parameters_are_checked(given: Any, words: str) -> None:
    X, y = separable()
    for make in (Perceptron, AveragedPerceptron, MarginPerceptron, SGDClassifier):
        with pytest.raises((TypeError, ValueError), match=words):
            make(**given).fit(X, y)
    with pytest.raises(TypeError, match="max_pases"):
        Perceptron(max_pases=3)  # type: ignore[call-arg]
