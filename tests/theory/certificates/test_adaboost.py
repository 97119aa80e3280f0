"""Every certificate that applies holds, and where the theorem does not apply it says so."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier

from weaklearn import (
    AdaBoostClassifier,
    BoostingWarning,
    DataWarning,
    DecisionStumpClassifier,
    datasets,
)
from weaklearn.base import Certificate, Certificates
from weaklearn.theory import bounds

quick = settings(deadline=None, max_examples=60)
NAN = float("nan")


@st.composite
def fits(draw: Any) -> tuple[Any, Any, Any, Any]:
    """A model, and the rows, labels and weights it is to be fitted on."""
    m, d = draw(st.integers(2, 25)), draw(st.integers(1, 3))
    cell = st.one_of(st.integers(0, 4), st.none()) if draw(st.booleans()) else st.integers(0, 4)
    rows = draw(st.lists(st.lists(cell, min_size=d, max_size=d), min_size=m, max_size=m))
    X = np.array([[NAN if v is None else v for v in row] for row in rows], dtype=float)
    X[0] = 0
    y = np.array(draw(st.lists(st.integers(0, 1), min_size=m, max_size=m)))
    y[:2] = [0, 1]
    weights = draw(
        st.sampled_from(
            [
                st.none(),
                st.lists(st.integers(1, 6), min_size=m, max_size=m).map(np.array),
                st.lists(st.floats(1e-6, 10), min_size=m, max_size=m).map(np.array),
            ]
        ).flatmap(lambda kind: kind)
    )
    model = AdaBoostClassifier(
        estimator=draw(st.sampled_from([None, DecisionStumpClassifier(missing="abstain")])),
        n_estimators=draw(st.sampled_from([1, 2, 5, 40])),
        learning_rate=draw(st.sampled_from([1.0, 1.0, 1.0, 0.3, 1.9])),
        on_perfect=draw(st.sampled_from(["stop", "smooth"])),
        class_weight=draw(st.sampled_from([None, None, "balanced", {1: 2.5}])),
    )
    return model, X, y, weights


def quietly(model: Any, *given: Any, **more: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoostingWarning)
        warnings.simplefilter("ignore", DataWarning)
        return model.fit(*given, **more)


def by_id(found: Certificates) -> dict[str, Certificate]:
    return {c.id: c for c in found}


@quick
@given(fits())
def test_every_certificate_that_applies_holds(given: Any) -> None:
    model, X, y, weights = given
    quietly(model, X, y, weights)
    for found in (model.certify(X, y, sample_weight=weights), model.certify()):
        for c in found:
            assert c.holds is not False, str(c)
            assert c.applies or "does not apply" in c.note
    # The theorem on the product of normalisers is about any votes at all.
    own = by_id(model.certify(X, y, sample_weight=weights))["ada-train"]
    assert own.applies == (model.n_iter_ > 0), str(own)


@quick
@given(fits(), st.integers(0, 2**32 - 1))
def test_on_other_rows_no_number_is_given(given: Any, seed: int) -> None:
    model, X, y, weights = given
    quietly(model, X, y, weights)
    rng = np.random.default_rng(seed)
    other = 1 - y if rng.random() < 0.5 else rng.permutation(y)
    if set(other) != {0, 1}:
        return
    for c in model.certify(X, other, sample_weight=weights):
        assert c.holds is not False, str(c)  # either it says nothing, or what it says is true
        if not c.applies:
            assert "does not apply" in c.note


def test_other_rows_by_example() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=20).fit(X[:400], y[:400])
    for rows, labels in ((X[400:], y[400:]), (X, y), (X[:400], 1 - y[:400]), (X[:399], y[:399])):
        for c in model.certify(rows, labels):
            assert (c.applies, c.bound, c.holds) == (False, None, None)
            assert "not the rows of training" in c.note
    # Weights that training did not have are other rows too.
    assert not any(c.applies for c in model.certify(X[:400], y[:400], sample_weight=y[:400] + 1))


def test_other_rows_for_a_perfect_member() -> None:
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    model = AdaBoostClassifier().fit(X, y)
    assert all(c.holds for c in model.certify(X, y).training)
    assert [c.bound for c in model.certify(X, y)][:3] == [0, 0, 1]
    for c in model.certify(X, [0, 1, 1, 1]):
        assert not c.applies
    assert by_id(model.certify())["ada-train"].holds


def test_the_numbers_are_those_of_the_theorems() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=30).fit(X, y)
    found = model.certify(X, y)
    margins, eps = model.margins(X, y), model.history_["epsilon"]
    product = by_id(found)["ada-train"]
    assert product.bound == pytest.approx(bounds.ada_product(eps))
    assert product.observed == pytest.approx(np.mean(margins <= 0))
    assert by_id(found)["ada-train-exp"].bound == pytest.approx(bounds.ada_exp(eps))
    needed = by_id(found)["rounds"]
    assert needed.observed == np.flatnonzero(model.history_["train_error"] == 0)[0] + 1
    assert needed.bound == bounds.rounds_product_gt(n=len(y), gamma=float(np.min(0.5 - eps)))
    curve = [c for c in found if c.id == "margin-dist"]
    assert len(curve) > 3
    assert curve[0].bound == pytest.approx(product.bound)  # at theta = 0 it is the same theorem
    for c in curve:
        theta = float(c.statement.rsplit(" ", 1)[1])
        assert c.bound == pytest.approx(bounds.margin_product(gammas=0.5 - eps, theta=theta))
        assert c.observed == pytest.approx(np.mean(margins <= theta))
        assert c.vacuous == (c.bound >= 1)
    # Without rows the record speaks for itself.
    short = by_id(model.certify())
    assert short["ada-train"].bound == product.bound
    assert short["ada-train"].observed == pytest.approx(product.observed)
    assert not short["rounds"].applies
    assert not short["margin-dist"].applies


def test_weights_count() -> None:
    """Rows that weigh little may stay wrong for long: the promise is about the lightest."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (40, 2)).astype(float)
    y = rng.integers(0, 2, 40)
    weights = np.where(np.arange(40) < 5, 1e-6, 1.0) * rng.uniform(0.5, 1, 40)
    model = AdaBoostClassifier(n_estimators=60).fit(X, y, weights)
    found = by_id(model.certify(X, y, sample_weight=weights))
    assert found["ada-train"].holds
    assert found["rounds"].holds is not False
    assert found["ada-train"].observed == pytest.approx(
        np.average(model.predict(X) != y, weights=weights), abs=1e-9
    )
    # The record of unweighted errors is not what the theorem bounds.
    assert by_id(model.certify())["ada-train"].holds is not False


def test_learning_rate() -> None:
    X, y = datasets.toy()
    model = AdaBoostClassifier(n_estimators=20, learning_rate=0.5).fit(X, y)
    found = by_id(model.certify(X, y))
    assert found["ada-train"].holds
    assert found["ada-train"].bound == pytest.approx(model.history_["Z"].prod())
    for name in ("ada-train-exp", "rounds", "margin-dist"):
        assert not found[name].applies
        assert "not AdaBoost's own" in found[name].note


def test_early_stopping() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(
        n_estimators=200, early_stopping=True, n_iter_no_change=5, random_state=0
    ).fit(X, y)
    assert model.n_iter_ < len(model.history_)  # rounds were taken back
    found = model.certify(X, y)  # the rows held out are left out again
    assert all(c.holds for c in found.training if c.applies)
    product = by_id(found)["ada-train"]
    assert product.bound == pytest.approx(model.history_["Z"][: model.n_iter_].prod())
    assert by_id(model.certify())["ada-train"].holds
    # With rows of one's own for validation nothing is held out.
    model = AdaBoostClassifier(n_estimators=60, early_stopping=True, n_iter_no_change=5)
    model.fit(X[:400], y[:400], X_val=X[400:], y_val=y[400:])
    assert all(c.holds for c in model.certify(X[:400], y[:400]).training if c.applies)
    assert by_id(model.certify(X[:400], y[:400]))["ada-train"].applies


def test_truncated_models() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=20).fit(X, y)
    for n in (1, 7, 20, 99):
        shorter = model.truncate(n)
        found = by_id(shorter.certify(X, y))
        assert found["ada-train"].holds
        assert found["ada-train"].bound == pytest.approx(model.history_["Z"][:n].prod())


def test_nothing_learnt() -> None:
    X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [1, 0, 0, 1]
    model = quietly(AdaBoostClassifier(), X, y)
    for found in (model.certify(X, y), model.certify()):
        assert all("no hypothesis was kept" in c.note for c in found)
        assert not any(c.applies for c in found)


def test_many_classes() -> None:
    X, y = load_iris(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=10, multiclass="m1").fit(X, y)
    (m1,) = model.certify(X, y).training
    assert m1.id == "m1-train"
    assert m1.holds
    assert m1.bound == pytest.approx(bounds.ada_product(model.estimator_errors_))
    (short,) = model.certify().training
    assert not short.applies
    samme = AdaBoostClassifier(n_estimators=10, multiclass="samme").fit(X, y)
    (samme,) = samme.certify(X, y).training
    assert (samme.applies, samme.holds) == (False, None)


@quick
@given(st.integers(0, 2**32 - 1), st.integers(3, 5), st.booleans())
def test_m1_on_random_fits(seed: int, K: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    m = int(rng.integers(K, 30))
    X = rng.integers(0, 4, (m, 2)).astype(float)
    y = np.where(rng.random(m) < 0.7, X[:, 0].astype(int) % K, rng.integers(0, K, m))
    y[:K] = np.arange(K)
    weights = rng.integers(1, 5, m) if weighted else None
    model = quietly(AdaBoostClassifier(n_estimators=15, multiclass="m1"), X, y, weights)
    for c in model.certify(X, y, sample_weight=weights):
        assert c.holds is not False, str(c)


def test_rows_never_seen() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=20).fit(X[:400], y[:400])
    last = model.certify(X_test=X[400:], y_test=y[400:], delta=0.01).of("test-set")
    error = 1 - model.score(X[400:], y[400:])
    assert last.observed is None  # the true error is not known
    assert f"test error {error:.4g} on 169 rows" in last.note
    assert last.bound == pytest.approx(error + math.sqrt(math.log(4 / 0.01) / (2 * 169)))
    assert last.assumed
    with pytest.raises(ValueError, match="together"):
        model.certify(X)
    with pytest.raises(ValueError, match="delta"):
        model.certify(X[:400], y[:400], delta=0)


def test_shown() -> None:
    X, y = datasets.toy()
    found = AdaBoostClassifier(n_estimators=3).fit(X, y).certify(X, y)
    assert "holds" in str(found)
    assert "VIOLATED" not in str(found)
    assert "<table " in found._repr_html_()
    assert found.to_frame()["id"].tolist() == [c.id for c in found]
    assert all(str(c) for c in found)
    assert isinstance(found[0], Certificate)
    violated = Certificate("x", "1 <= 0", "nobody", bound=0.0, observed=1.0)
    assert violated.holds is False
    assert "VIOLATED" in str(violated)
    assert "VIOLATED" in str(Certificates([violated]))
    why = Certificate.not_applicable("x", "1 <= 0", "nobody", "it is false")
    assert (why.holds, why.applies, why.vacuous) == (None, False, False)
    assert "does not apply: it is false" in str(why)


def test_one_class_against_the_rest_adds_up() -> None:
    X, y = load_iris(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=20, multiclass="ovr").fit(X, y)
    (certificate,) = model.certify(X, y).training
    assert certificate.id == "ovr-train"
    assert certificate.holds
    assert certificate.observed == pytest.approx(1 - model.score(X, y))


def test_a_run_resumed_needs_the_rows() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(X, y)
    model.set_params(n_estimators=8).fit(X, y)
    assert "several fits" in model.certify()[0].note
    assert model.certify(X, y).training[0].holds
    with pytest.warns(BoostingWarning, match="not those of the rounds already played"):
        model.set_params(n_estimators=9).fit(X, 1 - y)
    assert "not the rows of training" in model.certify(X, 1 - y).training[0].note


def test_counts_of_rounds_are_never_vacuous() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=300).fit(X, y)
    (rounds,) = (c for c in model.certify(X, y) if c.id == "rounds")
    errors = model.history_["train_error"]
    assert rounds.unit == "rounds"
    assert not rounds.vacuous
    assert errors[rounds.observed - 2] > 0
    assert not errors[rounds.observed - 1 :].any()


def test_printed_they_fit_a_screen_and_promise_nothing_of_nothing() -> None:
    X, y = datasets.toy()
    shown = str(AdaBoostClassifier(n_estimators=3).fit(X, y).certify(X, y, X + 0.1, y))
    assert max(map(len, shown.splitlines())) <= 110
    assert "all hold at once" in shown
    why = Certificate.not_applicable("x", "a <= b", "nobody", "nothing is known")
    assert "all hold" not in str(Certificates([why], "all hold at once with probability 0.95"))


@pytest.mark.parametrize(("multiclass", "depth"), [("ovr", 6), ("pairs", 3)])
def test_a_winner_after_the_best_round_is_no_member(multiclass: str, depth: int) -> None:
    """Early stopping keeps earlier members, and neither errors nor bounds are a later winner's."""
    chance = DecisionTreeClassifier(max_depth=depth, max_features=1, splitter="random")
    late = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(26, 4)), rng.integers(0, 3, 26)
        model = AdaBoostClassifier(
            chance,
            n_estimators=20,
            multiclass=multiclass,
            early_stopping=True,
            n_iter_no_change=15,
            validation_fraction=0.3,
            random_state=seed,
        ).fit(X, y)
        alphas = [model.history_[f"alpha_{k}"] for k in range(3)]
        parts = zip(alphas, model.ensemble_.parts, strict=True)
        late += any(len(part) > 1 and np.isinf(alpha).any() for alpha, part in parts)
        assert len(model.estimators_) == len(model.estimator_errors_) == len(model.ensemble_.votes)
        for found in model.certify(X, y).training:
            assert found.bound is None or found.observed <= found.bound + 1e-9, found.id
    assert late > 0
