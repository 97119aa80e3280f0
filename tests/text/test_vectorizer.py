"""Which terms documents contain: vocabularies, limits, and whatever documents come in."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.pipeline import make_pipeline

import weaklearn
from weaklearn import AdaBoostClassifier, AdaBoostMHClassifier, ModelFileError, TermVectorizer
from weaklearn.base.messages.warnings import DataWarning

DOCS = ["Win a prize!", "You win a car", "A prize is a prize", ""]
LABELS = ["spam", "spam", "ham", "ham"]
documents = st.lists(st.text("ab cé😀1!", max_size=12), min_size=1, max_size=8)


def dense(X: object) -> list[list[int]]:
    return X.toarray().astype(int).tolist()  # type: ignore[attr-defined]


@settings(max_examples=100, deadline=None)
@given(documents, st.permutations(range(8)), st.integers(1, 3), st.integers(0, 1), st.booleans())
def test_the_vocabulary_is_sorted_and_knows_no_order(
    docs: list[str], order: list[int], most: int, gaps: int, binary: bool
) -> None:
    model = TermVectorizer(ngram_range=most, gaps=gaps, binary=binary)
    if not any(map(model.tokens, docs)):
        with pytest.raises(ValueError, match="no terms"):
            model.fit(docs)
        return
    X = model.fit_transform(docs)
    terms = list(model.vocabulary_)
    assert terms == sorted(set(terms))
    assert list(model.vocabulary_.values()) == list(range(len(terms)))
    mixed = [docs[k] for k in order if k < len(docs)]
    other = clone(model).fit(mixed)
    assert other.vocabulary_ == model.vocabulary_
    assert other.fingerprint() == model.fingerprint()
    again = model.transform(docs)
    assert (X != again).nnz == 0
    assert X.has_sorted_indices
    counts = [[model.terms(d).count(t) for t in terms] for d in docs]
    assert dense(X) == [[min(1, c) if binary else c for c in row] for row in counts]
    assert model.document_frequency_.tolist() == [sum(map(bool, c)) for c in zip(*counts)]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text("ab cd", max_size=14), min_size=1, max_size=6), st.integers(1, 2))
def test_plain_words_are_scikit_learns(docs: list[str], most: int) -> None:
    theirs = CountVectorizer(token_pattern=r"\w+", ngram_range=(1, most))
    try:
        Y = theirs.fit_transform(docs)
    except ValueError:
        with pytest.raises(ValueError, match="no terms"):
            TermVectorizer(ngram_range=most).fit(docs)
        return
    ours = TermVectorizer(ngram_range=most, binary=False)
    assert dense(ours.fit_transform(docs)) == dense(Y)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


def test_limits() -> None:
    docs = ["a b c", "a b", "a", "a d"]

    def terms(**given: object) -> list[str]:
        return list(TermVectorizer(**given).fit(docs).vocabulary_)  # type: ignore[arg-type]

    assert terms(min_df=2) == ["a", "b"]
    assert terms(min_df=0.5) == ["a", "b"]
    assert terms(max_df=0.9) == ["b", "c", "d"]
    assert terms(max_df=1) == ["c", "d"]
    assert terms(max_df=1.0) == ["a", "b", "c", "d"]
    assert terms(max_features=3) == ["a", "b", "c"]
    seven = ["a b"] * 7 + ["b"] * 93  # 0.07 * 100 is a little above 7
    assert list(TermVectorizer(min_df=0.07, max_df=7).fit(seven).vocabulary_) == ["a"]
    with pytest.raises(
        ValueError, match=r"no vocabulary is left: none of 4 terms .*min_df=3.*lower"
    ):
        TermVectorizer(min_df=3, max_df=3).fit(docs)
    with pytest.raises(ValueError, match=r"min_df=3 and max_df=0.5 leave no term.*at most 2"):
        TermVectorizer(min_df=3, max_df=0.5).fit(docs)


@settings(max_examples=50)
@given(documents)
def test_weights_are_scikit_learns(docs: list[str]) -> None:
    cut = TermVectorizer(binary=False)
    listed = [cut.tokens(doc) for doc in docs]
    if not any(listed):
        return
    theirs = TfidfVectorizer(analyzer=list, sublinear_tf=True)
    expected = theirs.fit_transform(listed).toarray()
    model = TermVectorizer(binary=False, weights="tfidf")
    X = model.fit_transform(docs)
    found = X.toarray()[:, [model.vocabulary_[term] for term in theirs.get_feature_names_out()]]
    np.testing.assert_allclose(found, expected, atol=2e-5)
    assert (X.data * 2**15 == np.rint(X.data * 2**15)).all()
    assert model.transform(docs).toarray().tobytes() == X.toarray().tobytes()
    backwards = TermVectorizer(binary=False, weights="tfidf").fit_transform(docs[::-1])
    assert backwards.toarray()[::-1].tobytes() == X.toarray().tobytes()


def test_documents_come_in_many_forms() -> None:
    model = TermVectorizer().fit(DOCS)
    wanted = dense(model.transform(DOCS))
    column = pd.Series(DOCS)
    for X in (
        tuple(DOCS),
        iter(DOCS),
        column,
        column.to_frame("text"),
        pa.array(DOCS),
        pa.table({"text": DOCS}),
        np.array(DOCS),
        np.array(DOCS, object)[:, None],
        [d.encode() for d in DOCS],
        [bytearray(d, "utf-8") for d in DOCS],
        [*DOCS[:3], None],
        [*DOCS[:3], float("nan")],
        [*DOCS[:3], pd.NA],
        [TermVectorizer().tokens(d) for d in DOCS],
    ):
        assert dense(model.transform(X)) == wanted
    assert model.transform([]).shape == (0, len(model.vocabulary_))
    assert model.transform(["", "unknown words"]).nnz == 0


@pytest.mark.parametrize(
    ("X", "error", "words"),
    [
        ("one text", TypeError, "X is one text; pass a list"),
        (b"one text", TypeError, "X is one text"),
        (7, TypeError, "X is int; pass a list of texts"),
        ({"a": "b"}, TypeError, "X is dict"),
        ({"a", "b"}, TypeError, "X is a set, which has no order"),
        (["a", 7], TypeError, r"X\[1\] is 7, of type int"),
        ([["a", 7]], TypeError, r"X\[0\]\[1\] is 7"),
        ([], ValueError, "0 rows"),
        (["", " ... "], ValueError, "X holds no terms: its 2 documents are empty"),
        (np.array([["a", "b"]]), ValueError, r"X has shape \(1, 2\)"),
        (pd.DataFrame({"a": ["x"], "b": ["y"]}), ValueError, r"table of 2 columns.*X\['a'\]"),
    ],
)
def test_what_is_no_list_of_documents_is_refused(
    X: object, error: type[Exception], words: str
) -> None:
    model = TermVectorizer().fit(DOCS)
    before = model.vocabulary_
    with pytest.raises(error, match=words):
        model.fit(X)
    assert model.vocabulary_ is before


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"ngram_range": 0}, "ngram_range=0"),
        ({"ngram_range": (2, 1)}, r"ngram_range\[1\]=1"),
        ({"ngram_range": "2"}, "a pair of the least and the largest"),
        ({"ngram_range": 10, "gaps": 5}, "at most 100 are allowed: lower one"),
        ({"gaps": -1}, "gaps=-1"),
        ({"numbers": "yes"}, "numbers='yes'"),
        ({"min_df": 0}, "min_df=0"),
        ({"max_df": 1.5}, "max_df=1.5"),
        ({"min_df": True}, "min_df=True"),
        ({"max_features": 0}, "max_features=0"),
        ({"encoding": "utf-9"}, "encoding='utf-9'"),
        ({"encoding": "hex"}, "encoding='hex'"),
        ({"encoding": 8}, "encoding=8"),
        ({"decode_error": "replce"}, "decode_error='replce'.*replace"),
        ({"max_chars": 0}, "max_chars=0"),
    ],
)
def test_bad_parameters(given: dict[str, object], words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        TermVectorizer(**given).fit(DOCS)  # type: ignore[arg-type]


def test_a_misspelt_parameter() -> None:
    with pytest.raises(TypeError, match="ngram_range"):
        TermVectorizer(ngram_rnage=2)  # type: ignore[call-arg]


def test_broken_bytes_follow_the_stated_policy() -> None:
    broken = [b"caf\xe9 au lait", "café".encode()]
    assert list(TermVectorizer().fit(broken).vocabulary_) == ["au", "caf", "café", "lait"]
    assert "caf" in TermVectorizer(decode_error="ignore").fit(broken).vocabulary_
    assert "café" in TermVectorizer(encoding="latin-1").fit(broken[:1]).vocabulary_
    with pytest.raises(ValueError, match=r"X\[0\] is not text in utf-8: byte 3 is 0xe9"):
        TermVectorizer(decode_error="strict").fit(broken)


@pytest.mark.parametrize("huge", ["word " * 20_000_000, b"word " * 20_000_000])
def test_a_message_of_a_hundred_megabytes_is_bounded_work(huge: object) -> None:
    with pytest.warns(DataWarning, match=r"one document is longer than max_chars=1000000"):
        X = TermVectorizer(binary=False).fit_transform(["a", huge])
    assert X[1].sum() <= 1_000_000


def test_a_cut_spares_characters() -> None:
    with pytest.warns(
        DataWarning, match="2 documents are longer than max_chars=2, the first in place 0"
    ):
        model = TermVectorizer(max_chars=2, decode_error="strict").fit(
            ["äöü", "äöüäöüäöü".encode()]
        )
    assert list(model.vocabulary_) == ["äö"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TermVectorizer(max_chars=None).fit(["a" * 2_000_000])


def test_not_fitted_clone_pickle_and_file(tmp_path: object) -> None:
    model = TermVectorizer(ngram_range=(1, 2), gaps=1)
    with pytest.raises(NotFittedError):
        model.transform(DOCS)
    with pytest.raises(NotFittedError):
        model.get_feature_names_out()
    model.fit(DOCS)
    path = f"{tmp_path}/model.weak"
    model.save(path)
    for other in (pickle.loads(pickle.dumps(model)), weaklearn.load(path)):
        assert (other.transform(DOCS) != model.transform(DOCS)).nnz == 0
        assert other.fingerprint() == model.fingerprint()
    assert weaklearn.inspect(path).kind == "TermVectorizer"


def test_a_term_that_no_file_can_hold(tmp_path: object) -> None:
    model = TermVectorizer().fit([["\ud800"]])
    with pytest.raises((ModelFileError, ValueError)):
        model.save(f"{tmp_path}/model.weak")


@pytest.mark.parametrize(
    "vectorizer",
    [TermVectorizer(), TermVectorizer(binary=False), CountVectorizer(), TfidfVectorizer()],
    ids=lambda v: type(v).__name__,
)
@pytest.mark.parametrize("booster", [AdaBoostClassifier, AdaBoostMHClassifier])
def test_pipelines_with_ours_and_theirs(vectorizer: object, booster: type) -> None:
    docs, labels = weaklearn.datasets.messages()
    model = make_pipeline(vectorizer, booster(n_estimators=30)).fit(docs, labels)
    assert model.score(docs, labels) > 0.8
    assert model.predict(["free prize, win now"]).tolist() == ["spam"]
    wide = model[0].transform(docs)
    flat = clone(model[-1]).fit(wide.toarray(), np.array(labels))
    assert (flat.decision_function(wide) == model.decision_function(docs)).all()


def test_names_reach_a_frame() -> None:
    model = TermVectorizer().fit(DOCS)
    assert model.get_feature_names_out().tolist() == list(model.vocabulary_)
    assert "fit" in dir(clone(model))


def test_the_room_needs_none_of_scikit_learns_texts() -> None:
    code = "import sys, weaklearn.text; print('sklearn.feature_extraction' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"


@pytest.mark.parametrize(
    "model",
    [
        weaklearn.AdaBoostClassifier(n_estimators=3),
        weaklearn.AdaBoostClassifier(n_estimators=3, multiclass="ovr"),
        weaklearn.GradientBoostingClassifier(n_estimators=2),
        weaklearn.SlipperClassifier(n_estimators=3),
        weaklearn.BoosTexterClassifier(n_estimators=3),
    ],
)
def test_rules_after_a_vectorizer_in_its_words(model: Any) -> None:
    texts, labels = weaklearn.datasets.messages()
    labels = [f"{label} {len(text) > 60}" for text, label in zip(texts, labels, strict=True)]
    pipe = make_pipeline(CountVectorizer(), clone(model)).fit(texts, labels)
    names = pipe[:-1].get_feature_names_out()
    plain, named = str(pipe[-1].rules()), str(pipe[-1].rules(feature_names=names))
    assert "x[" not in named
    used = {int(j) for j in re.findall(r"x\[(\d+)\]", plain)}
    assert used
    assert all(names[j] in named for j in used)
    with pytest.raises(ValueError, match="feature_names holds 1 names, but the model"):
        pipe[-1].rules(feature_names=["a"])
    with pytest.raises(TypeError, match="feature_names='abc'"):
        pipe[-1].rules(feature_names="abc")


# -------------------------------------------------------------------------------------- containers

MAILS = ["win a prize", "you win a car", "a prize is a prize", "hello you", "is it you"]
SPAM = [1, 1, 1, 0, 0]


def test_set_output_gives_a_frame_of_sparse_columns() -> None:
    model = TermVectorizer().set_output(transform="pandas")
    texts = pd.Series(MAILS, index=list("abcde"))
    found = clone(model).fit_transform(texts)
    plain = TermVectorizer().fit(MAILS)
    assert list(found.columns) == plain.get_feature_names_out().tolist()
    assert list(found.index) == list("abcde")
    assert all(isinstance(kind, pd.SparseDtype) for kind in found.dtypes)
    np.testing.assert_array_equal(found, plain.transform(MAILS).toarray())
    pipe = make_pipeline(TermVectorizer(), weaklearn.AdaBoostClassifier(n_estimators=3))
    before = pipe.fit(MAILS, SPAM).decision_function(MAILS)
    pipe.set_output(transform="pandas").fit(MAILS, SPAM)
    np.testing.assert_array_equal(pipe.decision_function(MAILS), before)
    assert "prize" in pipe[-1].feature_names_in_
    assert sp.issparse(model.set_output(transform="default").fit_transform(MAILS))


def test_set_output_is_refused_where_it_cannot_be_had() -> None:
    with pytest.raises(ValueError, match=r"transform='polars' is not allowed"):
        TermVectorizer().set_output(transform="polars")
    with (
        sklearn.config_context(transform_output="polars"),
        pytest.raises(ValueError, match="whose rows are sparse"),
    ):
        TermVectorizer().fit_transform(MAILS)


def test_the_container_is_no_part_of_a_file(tmp_path: Path) -> None:
    model = TermVectorizer().fit(MAILS)
    before = model.fingerprint()
    model.set_output(transform="pandas").save(tmp_path / "m.weak")
    assert weaklearn.load(tmp_path / "m.weak").fingerprint() == model.fingerprint() == before


@pytest.mark.parametrize(
    "kind", [weaklearn.BoosTexterClassifier, weaklearn.SpamFilter, weaklearn.CallRouter]
)
def test_models_of_texts_do_not_mind_the_container(kind: Any) -> None:
    expected = kind().fit(MAILS, SPAM).predict_proba(MAILS)
    for container in ("pandas", "polars"):
        with sklearn.config_context(transform_output=container):
            found = kind().fit(MAILS, SPAM).predict_proba(MAILS)
        np.testing.assert_array_equal(found, expected)
