"""Machines behind kernels and of least hinge loss as estimators: optima, weights, texts, files."""

from __future__ import annotations

import inspect
import pickle
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import weaklearn
from tests import golden, test_bad_data
from tests.forms import Form
from tests.tiers import first_of_each
from weaklearn import (
    HingeLPClassifier,
    KernelPerceptron,
    KernelSVMClassifier,
    ModelFileError,
    OneVsRestBooster,
    PassesWarning,
    Perceptron,
)
from weaklearn.online import OnlineKernelPerceptron, kernels, random_stopping
from weaklearn.online.kernels import AllProducts, Linear, Polynomial, String

TEXTS = ["abba", "aabb", "baba", "abab", "cdcd", "ddcc", "dcdc", "ccdd"]
SIDES = ["left"] * 4 + ["right"] * 4


def noisy(n: int = 80, d: int = 3, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] - X[:, 1] + 0.7 * rng.normal(size=n) > 0).astype(int)


# ---------------------------------------------------------------------------------------- optimum


@pytest.mark.parametrize("C", [0.02, 1.0, 50.0])
def test_the_optimum_is_that_of_other_libraries_at_half_the_cost(C: float) -> None:
    X, y = noisy()
    model = KernelSVMClassifier(C=C, tol=1e-9).fit(X, y)
    other = LinearSVC(C=C / 2, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=10**6)
    np.testing.assert_allclose(model.coef_, other.fit(X, y).coef_, atol=2e-4)
    signs = 2 * y - 1
    w = model.coef_[0]
    primal = w @ w + C * np.maximum(0, 1 - signs * (X @ w)).sum()
    assert model.primal_objective_ == pytest.approx(primal)
    assert model.margin_ == pytest.approx(1 / np.linalg.norm(w))
    np.testing.assert_allclose(X.T @ (model.alpha_ * signs) / 2, w, atol=1e-9)
    assert (model.intercept_ == 0).all()


def test_conditions_of_optimality() -> None:
    X, y = noisy()
    signs = 2 * y - 1
    for kernel in ("linear", "polynomial"):
        model = KernelSVMClassifier(kernel, C=0.7, tol=1e-7).fit(X, y)
        margins = signs * model.decision_function(X)
        a = model.alpha_
        assert ((a >= 0) & (a <= 0.7)).all()
        assert (margins[a == 0] >= 1 - 1e-5).all()
        assert (margins[a == 0.7] <= 1 + 1e-5).all()
        inside = (a > 0) & (a < 0.7)
        np.testing.assert_allclose(margins[inside], 1, atol=1e-5)
        history = model.history_
        assert (history["primal"] >= history["dual"]).all()
        assert history["primal"].min() >= history["dual"].max() * (1 - 1e-9)
        assert model.duality_gap_ <= 1e-7
        assert model.converged_
        assert model.mistakes_ == np.count_nonzero(margins <= 0)


def test_kernels_by_name_by_object_and_as_functions() -> None:
    X, y = noisy(40)
    by_name = KernelSVMClassifier("polynomial", degree=3, tol=1e-8).fit(X, y)
    by_object = KernelSVMClassifier(Polynomial(3), tol=1e-8).fit(X, y)
    assert (by_name.decision_function(X) == by_object.decision_function(X)).all()
    function = partial(kernels.polynomial, degree=3)
    by_function = KernelSVMClassifier(function, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(
        by_function.decision_function(X), by_name.decision_function(X), atol=1e-6
    )
    K = Polynomial(3).gram(X)
    ours = by_name.primal_objective_
    # Scikit-learn's has an intercept, so that its optimum is lower, by a little.
    theirs = SVC(C=0.5, kernel="precomputed", tol=1e-8).fit(K, y)
    assert (theirs.predict(K) == by_name.predict(X)).mean() > 0.9
    assert ours > 0
    summed = KernelSVMClassifier(Linear() + 0.5 * AllProducts()).fit(X, y)
    assert summed.score(X, y) > 0.8


def test_an_intercept_is_a_constant_feature() -> None:
    X, y = noisy()
    shifted = X + 3.0
    ones = np.column_stack([shifted, np.ones(len(X))])
    for make in (partial(KernelSVMClassifier, tol=1e-9), HingeLPClassifier):
        model, other = make(fit_intercept=True).fit(shifted, y), make().fit(ones, y)
        np.testing.assert_allclose(model.coef_[0], other.coef_[0, :-1], atol=1e-5)
        np.testing.assert_allclose(model.intercept_[0], other.coef_[0, -1], atol=1e-5)
    with pytest.raises(ValueError, match="fit_intercept=True goes with kernel='linear'"):
        KernelSVMClassifier("polynomial", fit_intercept=True).fit(X, y)


def test_least_hinge_loss() -> None:
    X, y = noisy()
    signs = 2 * y - 1
    model = HingeLPClassifier().fit(X, y)
    margins = signs * model.decision_function(X)
    assert model.hinge_loss_ == pytest.approx(np.maximum(0, 1 - margins).sum())
    assert model.hinge_loss_ >= np.count_nonzero(margins <= 1e-9)
    assert abs(model.mistakes_ - np.count_nonzero(margins <= 0)) <= 3  # some are on the border
    assert model.mistakes_ <= model.hinge_loss_ + 1e-6
    twice = HingeLPClassifier().fit(X, y, sample_weight=np.full(len(y), 2))
    assert twice.mistakes_ == 2 * model.mistakes_
    assert abs(model.duality_gap_) < 1e-7
    for C in (1.0, 1e4):  # the machine pays for hinge loss alone in the end
        w = KernelSVMClassifier(C=C).fit(X, y).coef_[0]
        assert np.maximum(0, 1 - signs * (X @ w)).sum() >= model.hinge_loss_ - 1e-6
    split = HingeLPClassifier().fit(X, X[:, 0] > 0)
    assert split.hinge_loss_ == pytest.approx(0, abs=1e-7)
    assert split.score(X, X[:, 0] > 0) == 1.0


@pytest.mark.filterwarnings("ignore::weaklearn.PassesWarning")
def test_the_perceptron_is_the_one_of_the_linear_kernel() -> None:
    X, y = noisy(60)
    plain, kernel = Perceptron(max_passes=3), KernelPerceptron("linear", max_passes=3)
    for rows, labels in ((X, y), (X, np.where(y, "b", "a"))):
        one = plain.partial_fit(rows, labels, classes=np.unique(labels))
        other = kernel.partial_fit(rows, labels, classes=np.unique(labels))
        np.testing.assert_allclose(other.decision_function(X), one.decision_function(X))
        assert other.mistakes_ == one.mistakes_
        plain, kernel = clone(plain), clone(kernel)
    separable = X[:, 0] > 0
    X = X[np.abs(X[:, 0]) > 0.1]
    separable = X[:, 0] > 0
    full = Perceptron(max_passes=1000).fit(X, separable)
    mapped = KernelPerceptron("linear", max_passes=1000).fit(X, separable)
    assert mapped.converged_
    assert mapped.mistakes_ == full.mistakes_
    assert mapped.n_iter_ == full.n_iter_
    np.testing.assert_allclose(mapped.support_vectors_.T @ mapped.dual_coef_, full.coef_[0])


@pytest.mark.parametrize(
    "name", [n for n in golden.names("online") if n.startswith("kernel_perceptron")]
)
def test_golden_runs(name: str) -> None:
    case = golden.case("online", name)
    X = [row["x"] for row in case["input"]["sequence"]]
    y = [row["y"] for row in case["input"]["sequence"]]
    model = KernelPerceptron("polynomial", degree=2)
    trace = model.run(X, y)
    assert trace.scores.tolist() == case["expected"]["scores"]
    assert trace.mistake_flags.tolist() == case["expected"]["mistake_flags"]
    assert model.mistakes_ == case["expected"]["mistakes"]
    single = KernelPerceptron("polynomial", degree=2)
    for x, label in zip(X, y):
        single.partial_fit([x], [label])
    assert single.mistakes_ == model.mistakes_
    assert (single.decision_function(X) == model.decision_function(X)).all()


def test_a_circle_behind_a_kernel() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 2))
    y = (X**2).sum(axis=1) > 1.4
    model = KernelPerceptron(max_passes=2000).fit(X, y)
    assert model.converged_
    assert model.score(X, y) == 1.0
    with pytest.warns(PassesWarning, match=r"each of 5 passes.*fewest training errors"):
        poor = KernelPerceptron("linear", max_passes=5).fit(X, y)
    assert not poor.converged_
    assert np.count_nonzero(poor.predict(X) != y) == poor.history_["errors"][-1]
    learner = model.online()
    assert isinstance(learner, OnlineKernelPerceptron)
    stopped = random_stopping(model, X, np.where(y, 1, -1), M=20, eps=0.2, random_state=0)
    assert stopped.n_examples == 100


def test_rows_of_length_zero_are_left_out() -> None:
    X = np.array([[1.0, 0.0], [0.0, 0.0], [-1.0, 0.5]])
    with pytest.warns(weaklearn.DataWarning, match=r"1 row.*row 1, are a vector of length 0"):
        model = KernelPerceptron("linear").fit(X, [1, 0, 0])
    assert model.predict(X).tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match="Every row of X"):
        KernelPerceptron("linear").fit(np.zeros((2, 2)), [0, 1])
    with pytest.raises(ValueError, match=r"K\(x, x\) is 0"):
        KernelPerceptron("linear").partial_fit([[0.0, 0.0]], [1])


# ------------------------------------------------------------------------------ order and weights


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_order_and_copies_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = noisy(30, seed=seed)
    X = np.round(X, 1)
    weights = rng.integers(0, 3, 30)
    weights[:2] = 1
    y[:2] = [0, 1]
    order = rng.permutation(np.repeat(np.arange(30), weights))
    for make in (
        KernelSVMClassifier,
        partial(KernelSVMClassifier, "polynomial"),
        HingeLPClassifier,
    ):
        weighted = make().fit(X, y, sample_weight=weights)
        copied = make().fit(X[order], y[order])
        assert weighted.fingerprint() == copied.fingerprint()
        scaled = make().fit(X, y, sample_weight=weights * 0.37)
        other = make().fit(X, y, sample_weight=weights * 3.1)
        assert scaled.fingerprint() == other.fingerprint()
    model = KernelSVMClassifier(C=0.5).fit(X, y, sample_weight=weights)
    assert len(model.alpha_) == 30
    assert (model.alpha_ <= 0.5 * weights + 1e-12).all()


def test_threads_do_not_matter() -> None:
    X, y = noisy(300, 6)
    for make in (KernelSVMClassifier, partial(KernelSVMClassifier, "polynomial")):
        one, two = (make(n_jobs=k).fit(X, y) for k in (1, 2))
        assert one.fingerprint() == two.fingerprint()


@pytest.mark.filterwarnings("ignore::weaklearn.PassesWarning")
def test_sparse_rows_give_the_same_bits() -> None:
    X, y = noisy(60)
    X = X * (np.abs(X) > 0.7)
    X[:, 2] = 1.0
    rows = sp.csr_array(X)
    for make in (
        partial(KernelSVMClassifier, "polynomial", C=0.1),
        partial(KernelPerceptron, max_passes=3),
    ):
        dense, sparse = make().fit(X, y), make().fit(rows, y)
        assert (dense.decision_function(X) == sparse.decision_function(rows)).all()
        assert (dense.decision_function(rows) == sparse.decision_function(X)).all()
    dense, sparse = (KernelSVMClassifier(C=0.1, tol=1e-8).fit(Z, y) for Z in (X, rows))
    assert (sparse.coef_ == dense.coef_).all()
    assert HingeLPClassifier().fit(rows, y).hinge_loss_ == pytest.approx(
        HingeLPClassifier().fit(X, y).hinge_loss_
    )


# ------------------------------------------------------------------------------------------ texts


@pytest.mark.parametrize("make", [KernelSVMClassifier, KernelPerceptron])
def test_texts(make: Any, tmp_path: Path) -> None:
    model = make("string", degree=2).fit(TEXTS, SIDES)
    assert model.predict(["bbab", "cddd"]).tolist() == ["left", "right"]
    same = make(String(2)).fit(TEXTS, SIDES)
    for container in (np.array(TEXTS), pd.Series(TEXTS), pd.DataFrame({"text": TEXTS})):
        other = make("string", degree=2).fit(container, SIDES)
        assert (other.decision_function(container) == same.decision_function(TEXTS)).all()
    own = make(lambda s, t: len(set(s) & set(t))).fit(TEXTS, SIDES)
    assert own.score(TEXTS, SIDES) == 1.0
    model.save(tmp_path / "texts.weak")
    again = weaklearn.load(tmp_path / "texts.weak")
    assert (again.decision_function(TEXTS) == model.decision_function(TEXTS)).all()
    for bad, words in (
        ([*TEXTS[:7], None], "row 7"),
        ([*TEXTS[:7], 3], "row 7 holds 3|mixes numbers and text"),
        ("abba", "single text"),
        ([], "0 sample"),
    ):
        with pytest.raises((TypeError, ValueError), match=words):
            make("string").fit(bad, SIDES)


# ------------------------------------------------------------------------------------------ files


def test_what_files_hold_and_what_they_refuse(tmp_path: Path) -> None:
    X, y = noisy(40)
    path = tmp_path / "model.weak"
    kernel = 0.5 * (Linear() + Polynomial(2)) * AllProducts()
    for rows in (X, sp.csr_array(X)):
        for model in (
            KernelSVMClassifier(kernel).fit(rows, y),
            KernelPerceptron(kernel, max_passes=2000).fit(rows, y),
        ):
            model.save(path)
            again = weaklearn.load(path)
            assert again.kernel == kernel
            assert (again.decision_function(X) == model.decision_function(X)).all()
            assert again.fingerprint() == model.fingerprint()
            twin = pickle.loads(pickle.dumps(model))
            assert (twin.decision_function(X) == model.decision_function(X)).all()
    own = KernelSVMClassifier(lambda x, z: float(x @ z)).fit(X, y)
    with pytest.raises(ModelFileError, match=r"is a Python function.*use pickle"):
        own.save(path)
    wrapped = KernelSVMClassifier(kernels.Function(np.dot)).fit(X, y)
    with pytest.raises(ModelFileError, match="use pickle"):
        wrapped.save(path)


# ---------------------------------------------------------------------------------- real data


def test_breast_cancer_closes_the_gap() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    raw = KernelSVMClassifier().fit(X, y)  # columns of very different scales
    assert raw.duality_gap_ < 1e-4
    Z = StandardScaler().fit_transform(X)
    for model in (KernelSVMClassifier(), KernelSVMClassifier("polynomial", C=0.1)):
        model.fit(Z, y)
        assert model.duality_gap_ < 1e-4
        assert model.score(Z, y) > 0.97
    with pytest.warns(PassesWarning, match=r"duality gap is .* after max_passes=1"):
        KernelSVMClassifier("polynomial", max_passes=1).fit(X, y)


def test_more_classes_go_through_reductions() -> None:
    X = np.random.default_rng(0).normal(size=(90, 2))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    for model in (KernelSVMClassifier(), HingeLPClassifier(), KernelPerceptron()):
        with pytest.raises(ValueError, match=r"Only binary classification.*OneVsRestBooster"):
            model.fit(X, y)
    reduced = OneVsRestBooster(KernelSVMClassifier("polynomial")).fit(X, y)
    assert reduced.score(X, y) > 0.9


# ------------------------------------------------------------------------------- data of any kind

# Columns that are no numbers and perfect fits of what is no halfspace are not for these machines;
# the perceptron takes no weights.
_NOT_FOR_THESE = (
    *("warm_start", "interrupt", "ties", "change_under", "flags", "class_weight", "of_all_sizes"),
    *("missing", "categor", "nanoseconds", "time", "without_a_value", "side"),
    "names_taken_for_classes",
)
BAD_DATA = {
    name: test
    for name, test in vars(test_bad_data).items()
    if name.startswith("test_")
    and list(inspect.signature(test).parameters) == ["form"]
    and not any(word in name for word in _NOT_FOR_THESE)
}
FORMS = [
    Form("machine", partial(KernelSVMClassifier, fit_intercept=True, C=100.0), kinds=False),
    Form("kernel machine", partial(KernelSVMClassifier, "polynomial"), kinds=False),
    Form("hinge", partial(HingeLPClassifier, fit_intercept=True), kinds=False),
    Form("kernel perceptron", KernelPerceptron, kinds=False),
]


@pytest.mark.parametrize(
    "form",
    first_of_each(
        FORMS, lambda form: getattr(form.make, "func", form.make), lambda form: form.name
    ),
)
@pytest.mark.parametrize("name", BAD_DATA)
@pytest.mark.filterwarnings("ignore::weaklearn.PassesWarning")
def test_data_of_any_kind(name: str, form: Form) -> None:
    if "weight" in name and form.name == "kernel perceptron":
        pytest.skip("online learners take no weights")
    BAD_DATA[name](form)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"kernel": "rbf"}, "kernel='rbf'"),
        ({"kernel": 3}, "kernel=3"),
        ({"kernel": "polynomial", "degree": 0}, "degree=0"),
        ({"degree": 1.5}, "degree=1.5"),
        ({"C": 0}, "C=0"),
        ({"C": np.nan}, "C=nan"),
        ({"tol": 0.0}, r"tol=0\.0"),
        ({"max_passes": 0}, "max_passes=0"),
        ({"fit_intercept": 1}, "fit_intercept=1"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_parameters_are_checked(given: Any, words: str) -> None:
    X, y = noisy(20)
    known = KernelPerceptron().get_params()
    makes = [KernelSVMClassifier, *([KernelPerceptron] if set(given) <= set(known) else [])]
    for make in makes:
        with pytest.raises((TypeError, ValueError), match=words):
            make(**given).fit(X, y)
    with pytest.raises(TypeError, match="degre"):
        KernelSVMClassifier(degre=3)  # type: ignore[call-arg]


def test_scores_beyond_the_largest_float_are_that() -> None:
    X, y = np.array([[3.0], [-3.0], [1.0], [-2.0]]), np.array([1, 0, 1, 0])
    model = weaklearn.KernelSVMClassifier().fit(X, y)
    huge = np.sign(X) * 1.7e308
    model.coef_ = model.coef_ * 100
    scores = model.decision_function(huge)
    assert np.isfinite(scores).all()
    assert (model.predict(huge) == y).all()
    with pytest.raises(ValueError, match="X contains values too large: the parts of row 0"):
        model.explain(huge)


def test_more_classes_than_two_are_told_of_y() -> None:
    with pytest.raises(ValueError, match="y holds 3 classes; pass two"):
        weaklearn.KernelPerceptron().fit(np.arange(3.0)[:, None], [0, 1, 2])
