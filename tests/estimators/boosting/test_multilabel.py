"""Several labels a row: what is taken, what is given back, and what is refused."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import accuracy_score, coverage_error, hamming_loss
from sklearn.model_selection import cross_val_score
from sklearn.utils import get_tags
from sklearn.utils.multiclass import type_of_target

from tests.samples import same_bits
from weaklearn import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaBoostMOClassifier,
    AdaBoostMRClassifier,
    load,
    verify,
)
from weaklearn.base import Stop

BOTH = [AdaBoostMHClassifier, AdaBoostMRClassifier]
both = pytest.mark.parametrize("make", BOTH)


@pytest.fixture(scope="module")
def data() -> tuple[Any, Any]:
    return make_multilabel_classification(260, 6, n_classes=5, random_state=3)


@both
def test_every_form_of_y_gives_one_model(make: Any, data: Any) -> None:
    X, Y = data
    model = make(n_estimators=8).fit(X, Y)
    forms: list[Any] = [
        Y.astype(bool),
        Y.astype(float),
        Y.tolist(),
        list(Y),
        Y.astype(object),
        sp.csr_matrix(Y),
        sp.csc_array(Y),
        pd.DataFrame(Y),
        pl.DataFrame(Y),
        2 * Y - 1,
        np.asfortranarray(Y),
    ]
    for form in forms:
        other = make(n_estimators=8).fit(X, form)
        assert same_bits(other.decision_function(X), model.decision_function(X))
    assert model.classes_.tolist() == [0, 1, 2, 3, 4]
    named = make(n_estimators=8).fit(X, pd.DataFrame(Y, columns=list("vwxyz")))
    assert named.classes_.tolist() == list("vwxyz")
    assert "x " in str(named.rules(2))


@both
def test_labels_come_back_as_they_were_given(make: Any, data: Any) -> None:
    X, Y = data
    dense = make(n_estimators=20).fit(X, Y)
    found = dense.predict(X)
    assert (found.shape, found.dtype) == (Y.shape, np.int64)
    assert type_of_target(found) == "multilabel-indicator"
    assert (found == (dense.decision_function(X) > 0)).all()
    sparse = make(n_estimators=20).fit(X, sp.csr_matrix(Y))
    assert sp.issparse(sparse.predict(X))
    assert (sparse.predict(X).toarray() == found).all()
    signs = make(n_estimators=20).fit(X, 2 * Y - 1)
    assert (signs.predict(X) == 2 * found - 1).all()
    for model, y in ((dense, Y), (sparse, sp.csr_matrix(Y)), (signs, 2 * Y - 1)):
        assert model.score(X, y) == pytest.approx(accuracy_score(Y, found))
    *_, last = dense.staged_predict(X)
    assert (last == found).all()
    assert list(dense.staged_score(X, Y))[-1] == dense.score(X, Y)


def test_probabilities_are_those_of_each_label_by_itself(data: Any) -> None:
    X, Y = data
    mh = AdaBoostMHClassifier(n_estimators=20).fit(X, Y)
    F = mh.decision_function(X)
    assert mh.predict_proba(X) == pytest.approx(1 / (1 + np.exp(-2 * F)))
    mr = AdaBoostMRClassifier(n_estimators=20).fit(X, Y)
    F = mr.decision_function(X)
    assert mr.predict_proba(X) == pytest.approx(1 / (1 + np.exp(-F)))
    for model in (mh, mr):
        assert ((model.predict_proba(X) > 0.5) == (model.predict(X) == 1)).all()


def test_they_learn_better_than_no_labels_at_all(data: Any) -> None:
    X, Y = data
    for make in BOTH:
        model = make(n_estimators=60).fit(X[:180], Y[:180])
        test = Y[180:]
        assert hamming_loss(test, model.predict(X[180:])) < 0.85 * test.mean()
        ranked = coverage_error(test, model.decision_function(X[180:]))
        assert ranked < coverage_error(test, np.tile(Y[:180].mean(axis=0), (len(test), 1)))


@both
def test_margins_and_facts(make: Any, data: Any) -> None:
    X, Y = data
    model = make(n_estimators=15).fit(X, Y)
    F, signs = model.decision_function(X), 2 * Y - 1
    margins = model.margins(X, Y)
    assert (np.sign(margins) == np.sign((signs * F).min(axis=1))).all()
    assert (np.abs(margins) <= 1).all()
    assert all(c.holds for c in model.certify(X, Y) if c.applies)
    assert all(c.holds for c in model.certify() if c.applies)
    if make is AdaBoostMHClassifier:
        raw = (signs * model.ensemble_.labels(model._rows(X)) <= 0).mean()
        assert model.history_["hamming_loss"][-1] == pytest.approx(raw)
        exact = (model.predict(X) == Y).all(axis=1).mean()
        assert model.history_["train_error"][-1] == pytest.approx(1 - exact)
        assert model.history_["margin_min"][-1] == pytest.approx(margins.min())


@both
def test_saved_resumed_verified_and_weighted(make: Any, data: Any, tmp_path: Any) -> None:
    X, Y = data
    for y in (Y, sp.csr_matrix(Y)):
        model = make(n_estimators=6).fit(X, y)
        model.save(tmp_path / "model.weak")
        for again in (load(tmp_path / "model.weak"), pickle.loads(pickle.dumps(model))):
            assert same_bits(again.decision_function(X), model.decision_function(X))
            assert type(again.predict(X)) is type(model.predict(X))
            assert again.fingerprint() == model.fingerprint()
        assert verify(model, X[::-1], y[::-1])
    warm = make(n_estimators=3, warm_start=True).fit(X, Y)
    warm.set_params(n_estimators=6).fit(X, Y)
    assert same_bits(warm.decision_function(X), make(n_estimators=6).fit(X, Y).decision_function(X))
    copies = np.random.default_rng(0).integers(0, 3, len(X))
    rows = np.repeat(np.arange(len(X)), copies)
    a, b = make(n_estimators=6).fit(X, Y, copies), make(n_estimators=6).fit(X[rows], Y[rows])
    assert a.fingerprint() == b.fingerprint()


@both
def test_early_stopping(make: Any, data: Any) -> None:
    X, Y = data
    early = make(n_estimators=60, early_stopping=True, n_iter_no_change=5).fit(X, Y)
    assert early.n_iter_ < 60 or early.stop_reason_ == str(Stop.ROUNDS)
    order = np.random.default_rng(1).permutation(len(X))
    other = make(n_estimators=60, early_stopping=True, n_iter_no_change=5).fit(X[order], Y[order])
    assert other.fingerprint() == early.fingerprint()
    own = make(n_estimators=5).fit(X[:200], Y[:200], X_val=X[200:], y_val=Y[200:])
    last = own.history_["validation_score"][-1]
    if make is AdaBoostMHClassifier:
        assert last == pytest.approx(1 - hamming_loss(Y[200:], own.predict(X[200:])))
    assert 0 < last < 1
    scored = make(n_estimators=5, early_stopping=True, scoring="f1_micro").fit(X, Y)
    assert scored.n_iter_ <= 5
    assert np.isfinite(cross_val_score(make(n_estimators=5), X, Y, cv=3)).all()


def test_rows_without_labels_or_with_all_of_them() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    Y = np.column_stack([X[:, 0] > 0, X[:, 1] > 0, X.sum(axis=1) > 0]).astype(int)
    assert {0, 3} <= set(Y.sum(axis=1))
    mh = AdaBoostMHClassifier(n_estimators=40).fit(X, Y)
    assert mh.score(X, Y) > 0.9
    mr = AdaBoostMRClassifier(n_estimators=20).fit(X, Y)
    some = (Y.sum(axis=1) > 0) & (Y.sum(axis=1) < 3)
    only = AdaBoostMRClassifier(n_estimators=20).fit(X[some], Y[some])
    assert mr.history_["r"][0] == pytest.approx(only.history_["r"][0])
    never = AdaBoostMHClassifier(n_estimators=3).fit(X, Y * [1, 0, 1])
    assert not never.predict(X)[:, 1].any()


def test_refusals(data: Any) -> None:
    X, Y = data
    for make in BOTH:
        wrong: list[tuple[Any, dict[str, Any], str]] = [
            (Y[:-1], {}, "inconsistent numbers of samples: X has 260 rows, y has 259"),
            (Y * 3, {}, r"y\[\d+, \d+\] is 3"),
            (np.where(Y == 0, np.nan, 1.0), {}, "NaN"),
            (Y.astype(str), {}, r"y\[0, 0\] is"),
            (Y, {"class_weight": "balanced"}, "class_weight='balanced' is not allowed"),
            (Y, {"calibrate": "slope"}, "calibrate='slope' is for rows of one label"),
        ]
        for y, given, words in wrong:
            with pytest.raises(ValueError, match=words):
                make(n_estimators=2, **given).fit(X, y)
        model = make(n_estimators=2, warm_start=True).fit(X, Y)
        with pytest.raises(ValueError, match="trained with 5"):
            model.margins(X, Y[:, :3])
        with pytest.raises(ValueError, match="table of labels"):
            model.margins(X, Y[:, 0])
        model.set_params(n_estimators=4)
        with pytest.raises(ValueError, match="5"):
            model.fit(X, Y[:, :4])
        with pytest.raises(ValueError, match="several labels a row"):
            model.fit(X, Y[:, 0])
        with pytest.raises(ValueError, match="y_val"):
            make(n_estimators=2).fit(X, Y, X_val=X, y_val=Y[:, 0])
    for plain in (AdaBoostClassifier(), AdaBoostMOClassifier()):
        words = (
            r"1d array, got .*as for several labels a row, which \w+ does not take; pass one label"
        )
        for table in (Y, Y.tolist(), sp.csr_array(Y)):
            with pytest.raises(ValueError, match=words):
                plain.fit(X, table)
        with pytest.raises(ValueError, match=r"several labels, pass .*MultiLabelBinarizer"):
            plain.fit(X, [{"a", "b"} if row[0] > 0 else {"a"} for row in Y])
        assert not get_tags(plain).classifier_tags.multi_label
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert get_tags(AdaBoostMHClassifier()).classifier_tags.multi_label


@pytest.mark.parametrize("make", [AdaBoostMHClassifier, AdaBoostMRClassifier])
@pytest.mark.parametrize(
    "Y",
    [
        [{"a", "b"}, {"a"}, set()],
        [["a", "b"], ["a"], []],
        [["a", "b"], ["b", "c"], ["c", "a"]],
        [("a", "b"), ("b",), ("c", "a")],
        [[1, 2], [3], [1]],
        pd.Series([["a", "b"], ["a"], ["c"]]),
    ],
    ids=["sets", "lists", "even", "tuples", "numbers", "series"],
)
def test_collections_of_labels_are_told_what_makes_a_table(make: Any, Y: Any) -> None:
    with pytest.raises(ValueError, match=r"a collection of labels.*MultiLabelBinarizer"):
        make(n_estimators=2).fit(np.arange(3.0)[:, None], Y)


def test_rules_name_first_what_they_speak_for(data: Any) -> None:
    X, Y = data
    names = [f"L{k}" for k in range(Y.shape[1])]
    table = AdaBoostMHClassifier(n_estimators=5).fit(X, pd.DataFrame(Y, columns=names)).rules()
    for row in table:
        for cell in row[2:5]:
            scores = [float(part.split()[1]) for part in cell.split(" and ")[0].split(", ")]
            assert scores[0] == max(scores)
            assert len(scores) == 4


@pytest.mark.parametrize("kind", [AdaBoostMHClassifier, AdaBoostMRClassifier])
def test_columns_of_y_are_those_of_training(kind: Any) -> None:
    """In another order they were taken by their places: one label was judged as another."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    Y = pd.DataFrame((X[:, :2] > 0).astype(int), columns=["a", "b"])
    model, turned = kind(n_estimators=5).fit(X, Y), Y[["b", "a"]]
    for ask in (
        lambda: model.score(X, turned),
        lambda: model.margins(X, turned),
        lambda: model.certify(X, turned),
        lambda: model.certify(X_test=X + 1, y_test=turned),
        lambda: kind(n_estimators=5).fit(X, Y, X_val=X, y_val=turned),
    ):
        with pytest.raises(ValueError, match=r"\['b', 'a'\].*\['a', 'b'\]"):
            ask()
    assert model.score(X, 2 * Y - 1) == model.score(X, Y.to_numpy()) == model.score(X, Y) > 0.2
