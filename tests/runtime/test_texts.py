"""Texts and kernels by the small runtime: the same bits as by the whole library."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import weaklearn as wl
from tests.runtime.test_runtime import METHODS, same
from weaklearn import runtime
from weaklearn.online.kernels import AllProducts, Polynomial
from weaklearn.runtime.term_rows import TermRows, side_by_side
from weaklearn.text import BoosTexterClassifier, CallRouter, SpamFilter, TermVectorizer

TEXTS = ["goal match team", "team wins match", "vote law court", "court rules law", "vote team"] * 4
TOPICS = ["sport", "sport", "law", "law", "law"] * 4
ODD = [*TEXTS[:5], "", None, "match 3.5 LAW law", b"caf\xc3\xa9 court"]


def agree(model: Any, path: Path, X: Any, small_X: Any = None) -> runtime.Model:
    """Saves a model, loads it small, and holds all answers against each other."""
    model.save(path)
    small = runtime.load(path)
    for name in METHODS:
        assert hasattr(model, name) == hasattr(small, name)
        if hasattr(model, name):
            same(getattr(model, name)(X), getattr(small, name)(X if small_X is None else small_X))
    return small


@pytest.mark.parametrize("form", ["parallel", "real", "abstain", "discrete", "ranking"])
@pytest.mark.parametrize("several", [False, True])
def test_topics(tmp_path: Path, form: str, several: bool) -> None:
    y = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [1, 0, 0]] * 4) if several else TOPICS
    model = BoosTexterClassifier(n_estimators=8, form=form).fit(TEXTS, y)
    agree(model, tmp_path / "m.weak", ODD)


def test_terms_that_are_counted(tmp_path: Path) -> None:
    terms = TermVectorizer(ngram_range=(1, 2), gaps=1, binary=False)
    model = BoosTexterClassifier(n_estimators=8, vectorizer=terms).fit(TEXTS, TOPICS)
    agree(model, tmp_path / "m.weak", [*ODD, "law law law"])


def test_terms_that_weigh(tmp_path: Path) -> None:
    terms = TermVectorizer(ngram_range=2, binary=False, weights="tfidf")
    model = BoosTexterClassifier(n_estimators=8, form="real", vectorizer=terms).fit(TEXTS, TOPICS)
    agree(model, tmp_path / "m.weak", [*ODD, "law law law"])


class TestTables:
    @pytest.fixture(scope="class")
    @classmethod
    def table(cls) -> pd.DataFrame:
        rng = np.random.default_rng(0)
        return pd.DataFrame(
            {
                "title": TEXTS,
                "age": rng.normal(size=20),
                "town": rng.choice(list("ab"), 20),
                "body": TEXTS[::-1],
            }
        )

    def test_texts_beside_other_columns(self, table: pd.DataFrame, tmp_path: Path) -> None:
        model = BoosTexterClassifier(n_estimators=20, text_columns=["title", "body"])
        columns = {name: table[name].tolist() for name in table}
        small = agree(model.fit(table, TOPICS), tmp_path / "m.weak", table, columns)
        same(model.predict_proba(table), small.predict_proba(table.to_dict("records")))
        with pytest.raises(ValueError, match="lacks the column 'body'"):
            small.predict({name: v for name, v in columns.items() if name != "body"})
        with pytest.raises(TypeError, match="pass a dict of columns, or a list of dicts"):
            small.predict(table)
        with pytest.raises(ValueError, match="give every column as many"):
            small.predict(columns | {"body": ["law"]})
        with pytest.raises(ValueError, match="give every column as many"):
            small.predict(columns | {"body": ["law"], "title": ["law"]})

    def test_texts_alone(self, table: pd.DataFrame, tmp_path: Path) -> None:
        model = BoosTexterClassifier(n_estimators=5, text_columns=["body"])
        X = table[["body"]]
        agree(model.fit(X, TOPICS), tmp_path / "m.weak", X, {"body": TEXTS[::-1]})


class TestSpam:
    def test_before_and_after_updates(self, tmp_path: Path) -> None:
        spam = ["win cash now", "free prize! win", "cheap pills", "Subject: WIN\nFrom: a@b.c\n\nx"]
        ham = ["see you at lunch", "meeting at noon", "the report is ready", "lunch?"]
        model = SpamFilter(n_estimators=10).fit(spam=spam, ham=ham)
        messages = [*spam, *ham, "", None, "win a lunch", b"caf\xe9 \xff cash"]
        agree(model, tmp_path / "m.weak", messages)
        model.update("win a cup", "ham")
        small = agree(model, tmp_path / "m.weak", messages)
        same(small.predict([{"mail": "win cash"}]), model.predict(["win cash"]))
        with pytest.raises(TypeError, match="pass a list of messages"):
            small.predict("win")
        with pytest.raises(ValueError, match="2 columns; pass one column of texts"):
            small.predict({"a": ["win"], "b": ["cash"]})

    def test_the_library_has_no_predictor_of_terms_either(self) -> None:
        model = SpamFilter(n_estimators=3).fit(spam=["win cash"], ham=["lunch"])
        with pytest.raises(TypeError, match="no predictor of one row"):
            model.predictor()


def test_calls(tmp_path: Path) -> None:
    said = ["pay my bill", "bill please", "a person", "a person now", "check balance", "balance"]
    types = ["bill", "bill", "person", "person", "balance", "balance"]
    for threshold in (0.0, 0.9, 1, np.float32(0.5), np.float16(0.25), np.int64(1)):
        model = CallRouter(n_estimators=10, threshold=threshold).fit(said, types)
        agree(model, tmp_path / "m.weak", ["my bill", "balance of x", "", None])
    rules = {"bill": {"bill": 2.0}, "a person": {"person": 3.0, "bill": -1.0}}
    model = CallRouter(n_estimators=5, prior_rules=rules).fit(said, types)
    agree(model, tmp_path / "m.weak", ["my bill", "BILL for a person", "balance", "", None])


def test_votes_that_begin_with_a_prior(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"a": rng.normal(size=60), "b": rng.choice(list("xyz"), 60)})
    y = rng.integers(0, 3, 60)
    for labels in (y, y == 0):
        prior = wl.RandomForestClassifier(n_estimators=3, max_depth=1).fit(X, labels)
        model = wl.AdaBoostLClassifier(n_estimators=4, prior=prior).fit(X, labels)
        columns = {name: X[name].tolist() for name in X}
        small = agree(model, tmp_path / "m.weak", X, columns)
        same(small.predict_proba(X.to_dict("records")), model.predict_proba(X))
        same(small.predictor()(X.iloc[0].to_dict()), model.predictor()(X.iloc[0].to_dict()))


class TestKernels:
    @pytest.mark.parametrize("kernel", ["linear", "polynomial", "all_products"])
    @pytest.mark.parametrize("kind", [wl.KernelSVMClassifier, wl.KernelPerceptron])
    def test_numbers(self, tmp_path: Path, kernel: str, kind: Any) -> None:
        rng = np.random.default_rng(1)
        X = rng.normal(size=(30, 4)) * (rng.random((30, 4)) < 0.6)
        y = X[:, 0] * X[:, 1] + X[:, 2] > 0
        for given in (X, sp.csr_array(X)):
            model = kind(kernel=kernel, max_passes=20)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # no pass may be clean
                model.fit(given, y)
            small = agree(model, tmp_path / "m.weak", X)
            assert small.predictor()(X[0]) == model.decision_function(X[:1])[0]
        with pytest.raises(ValueError, match="row 0 has no score"):
            small.predict([[1.0, None, 2.0, 3.0]])

    def test_sums_of_kernels_and_texts(self, tmp_path: Path) -> None:
        X = np.random.default_rng(2).normal(size=(20, 2))
        kernel = 2 * Polynomial(2) + AllProducts()
        model = wl.KernelSVMClassifier(kernel=kernel).fit(X, X[:, 0] > X[:, 1] ** 2)
        agree(model, tmp_path / "m.weak", X)
        words = wl.KernelSVMClassifier(kernel="string", degree=2).fit(TEXTS, TOPICS)
        small = agree(words, tmp_path / "m.weak", [*TEXTS, "", "l"])
        with pytest.raises(TypeError, match="no predictor of one row"):
            small.predictor()
        with pytest.raises(ValueError, match="a single text"):
            small.predict("law")


def test_rows_of_terms_are_those_of_scipy() -> None:
    rng = np.random.default_rng(3)
    X = (rng.random((7, 9)) < 0.3) * rng.integers(1, 5, (7, 9)).astype(np.float32)
    Z = (rng.random((7, 4)) < 0.3).astype(np.float32)

    def rows(dense: Any) -> TermRows:
        found = sp.csr_array(dense)
        return TermRows(found.indptr.astype(np.int64), found.indices, found.data, dense.shape)

    own, listed = rows(X), np.array([8, 0, 3])
    same(own.toarray(), X)
    same(own[2:5].toarray(), X[2:5])
    same(own[6].toarray(), X[6:7])
    same(own[1:6][:, listed].toarray(), X[1:6][:, listed])
    same(side_by_side([own, rows(Z)]).toarray(), np.hstack([X, Z]))
