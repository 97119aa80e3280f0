"""BoosTexter: rules about terms, on texts, matrices of terms and tables with texts."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import weaklearn as wl
from tests import golden
from tests.reference import term_rule
from weaklearn import AdaBoostClassifier, AdaBoostMHClassifier, BoosTexterClassifier, metrics
from weaklearn.base.messages.warnings import DataWarning
from weaklearn.text import TermVectorizer

FORMS = ["real", "abstain", "discrete", "ranking"]
TEXTS = [
    "the match was a win",
    "a goal won the match",
    "the bank lost money",
    "money in the bank",
    "a vote for the bank",
    "they won the vote",
]
TOPICS = ["sport", "sport", "money", "money", "money", "politics"]


def drawn(seed, m=40, d=25, K=3, share=0.2):
    """Which text has which term, and which label."""
    rng = np.random.default_rng(seed)
    X = (rng.random((m, d)) < share).astype(float)
    Y = (rng.random((m, K)) < 0.4).astype(int)
    Y[0], Y[1] = 1, 0
    Y[2, 0], Y[2, 1] = 1, 0
    return X, Y


def asked(model):
    return [int(h.tree.feature[0]) for h in model.ensemble_.members]


# ----------------------------------------------------------------------------------------- golden


@pytest.mark.parametrize("name", golden.names("text"))
@pytest.mark.parametrize("given_as", ["tokens", "texts", "csr", "csc", "dense"])
def test_golden(name, given_as):
    case = golden.case("text", name)
    docs, Y = case["input"]["docs"], (np.array(case["input"]["Y"]) > 0).astype(int)
    terms = sorted({word for doc in docs for word in doc})
    X = np.array([[word in doc for word in terms] for doc in docs], float)
    given_X = {
        "tokens": docs,
        "texts": [" ".join(doc) for doc in docs],
        "csr": sp.csr_matrix(X),
        "csc": sp.csc_matrix(X),
        "dense": X,
    }[given_as]
    form = "abstain" if case["input"]["abstain"] else "real"
    model = BoosTexterClassifier(form=form, n_estimators=case["input"]["T"]).fit(given_X, Y)
    near = golden.tolerance("text")
    expected = case["expected"]
    for t, told in enumerate(expected["rounds"]):
        h = model.ensemble_.members[t]
        assert terms[h.tree.feature[0]] == told["term"]
        assert h.answers[2].tolist() == pytest.approx(told["c_present"], **near)
        assert h.answers[1].tolist() == pytest.approx(told["c_absent"], **near)
        assert model.history_["Z"][t] == pytest.approx(told["Z"], **near)
        assert model.history_["Z_criterion"][t] == pytest.approx(told["Z_criterion"], **near)
    F = model.decision_function(given_X)
    assert F.ravel().tolist() == pytest.approx(np.ravel(expected["F"]).tolist(), **near)
    assert model.history_["hamming_loss"][-1] == pytest.approx(expected["hamming_loss"], **near)
    for score in ("one_error", "coverage", "average_precision"):
        assert getattr(metrics, score)(Y, F) == pytest.approx(expected[score], **near)


# ------------------------------------------------------------------------------------- the kernel


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("K", [2, 3, 9])
def test_rules_are_those_of_the_twin(form, K):
    X, Y = drawn(K, K=K)
    ranks = form == "ranking"
    said, F = term_rule.rounds(X, 2 * Y - 1, 6, "discrete" if ranks else form, pairs=ranks)
    model = BoosTexterClassifier(form=form, n_estimators=6).fit(sp.csr_matrix(X), Y)
    assert asked(model) == [rule.term for rule in said]
    np.testing.assert_allclose(model.history_["Z"], [rule.Z for rule in said], rtol=1e-9)
    np.testing.assert_allclose(model.ensemble_.votes, [rule.alpha for rule in said], rtol=1e-9)
    np.testing.assert_allclose(model.ensemble_.labels(model._rows(X)), F, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("given_as", [sp.csr_matrix, sp.csc_array, np.asarray])
def test_a_term_that_every_text_has_is_a_rule_as_others(form, given_as):
    X, Y = drawn(5, K=4)
    Y[:, 3] = 1  # few have not this label, so the term that all have is the best for a start
    X[:, 7] = 1
    ranks = form == "ranking"
    said, F = term_rule.rounds(X, 2 * Y - 1, 6, "discrete" if ranks else form, pairs=ranks)
    if form == "abstain":
        assert 7 in [rule.term for rule in said]
    model = BoosTexterClassifier(form=form, n_estimators=6).fit(given_as(X), Y)
    assert asked(model) == [rule.term for rule in said]
    np.testing.assert_allclose(model.history_["Z"], [rule.Z for rule in said], rtol=1e-9)
    np.testing.assert_allclose(model.ensemble_.labels(model._rows(X)), F, rtol=1e-9, atol=1e-9)


def test_a_text_without_the_term_that_all_had_hears_nothing_of_it(tmp_path):
    texts, labels = [f"the {letter}" for letter in "abcdefghij"], [0] * 9 + [1]
    model = BoosTexterClassifier(form="abstain", n_estimators=1).fit(texts, labels)
    assert model.feature_names_in_[asked(model)[0]] == "the"
    assert model.decision_function(["a b"]).tolist() == [0.0]
    assert model.decision_function(["the"])[0] < 0
    assert model.history_["Z_criterion"][0] == pytest.approx(2 * np.sqrt(0.9 * 0.1))
    model.save(tmp_path / "m.weak")
    again = wl.load(tmp_path / "m.weak")
    assert again.decision_function(texts).tobytes() == model.decision_function(texts).tobytes()
    limited = model.set_params(min_weight_fraction_leaf=0.1).fit(texts, labels)
    assert limited.feature_names_in_[asked(limited)[0]] == "a"  # block 0 would have no weight


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(FORMS),
    st.integers(1, 12),
    st.integers(1, 40),
    st.sampled_from(["ones", "counts", "signed", "missing"]),
)
def test_sparse_and_dense_fits_are_the_same(seed, form, K, d, kind):
    X, Y = drawn(seed, d=d, K=max(K, 2))
    rng = np.random.default_rng(seed)
    if kind != "ones":
        X *= rng.integers(-2 if kind == "signed" else 1, 4, X.shape)
    if kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
    weights = rng.integers(1, 4, len(X))
    fits = [
        BoosTexterClassifier(form=form, n_estimators=5, n_jobs=jobs).fit(M, Y, weights)
        for M, jobs in ((X, 1), (sp.csr_matrix(X), 2), (sp.csc_array(X), 1))
    ]
    order = rng.permutation(np.repeat(np.arange(len(X)), weights))
    fits.append(
        BoosTexterClassifier(form=form, n_estimators=5).fit(sp.csr_matrix(X[order]), Y[order])
    )
    for other in fits[1:]:
        assert list(other.ensemble_) == list(fits[0].ensemble_)
        assert (other.decision_function(sp.csr_matrix(X)) == fits[0].decision_function(X)).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(FORMS), st.integers(1, 8), st.floats(0.2, 1.0))
def test_losses_are_within_the_product_of_Z(seed, form, K, rate):
    X, Y = drawn(seed, K=max(2, K))
    model = BoosTexterClassifier(form=form, n_estimators=8, learning_rate=rate)
    model.fit(sp.csr_matrix(X), Y)
    first = model.certify(sp.csr_matrix(X), Y)[0]
    assert first.verdict == "holds"
    name = "rank_loss" if form == "ranking" else "hamming_loss"
    assert (model.history_[name] <= np.cumprod(model.history_["Z"]) + 1e-9).all()


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["ones", "counts"]), st.integers(300, 700))
def test_stumps_of_two_classes_skip_terms_and_miss_none(seed, kind, d):
    """A sparse column is summed up only where it may be the best: the answer is the dense one's."""
    X, Y = drawn(seed, m=80, d=d, K=2, share=0.05)
    if kind == "counts":
        X *= np.random.default_rng(seed).integers(1, 9, X.shape)
    dense, sparse = (
        AdaBoostClassifier(n_estimators=40).fit(M, Y[:, 0]) for M in (X, sp.csr_matrix(X))
    )
    assert list(dense.ensemble_) == list(sparse.ensemble_)


def test_terms_beside_ordinary_columns_are_those_of_a_dense_table():
    X, Y = drawn(1, m=60)
    rng = np.random.default_rng(1)
    table = pd.DataFrame(
        {
            "text": [" ".join(f"w{j:02d}" for j in np.flatnonzero(row)) for row in X],
            "size": rng.normal(size=60),
            "kind": rng.choice(["a", "b", "c"], 60),
        }
    )
    used = np.flatnonzero(X.any(axis=0))
    wide = table[["size", "kind"]].join(
        pd.DataFrame(X[:, used], columns=[f"text:w{j:02d}" for j in used])
    )
    for form in FORMS:
        model = BoosTexterClassifier(form=form, n_estimators=12, text_columns=["text"])
        model.fit(table, Y)
        other = BoosTexterClassifier(form=form, n_estimators=12).fit(wide, Y)
        assert list(model.ensemble_) == list(other.ensemble_)
        assert (model.decision_function(table) == other.decision_function(wide)).all()
        assert model.feature_names_in_.tolist() == other.feature_names_in_.tolist()


def test_presence_is_partition_stumps_on_zeros_and_ones():
    X, Y = drawn(3)
    ours = BoosTexterClassifier(n_estimators=6).fit(X, Y)
    other = AdaBoostMHClassifier(n_estimators=6).fit(X, Y)
    assert list(ours.ensemble_) == list(other.ensemble_)


# -------------------------------------------------------------------------------------- estimator


@pytest.mark.parametrize("form", FORMS)
def test_texts_in_every_container(form):
    model = BoosTexterClassifier(form=form, n_estimators=6).fit(TEXTS, TOPICS)
    assert model.predict(["he won a match", "the bank is closed"]).tolist() == ["sport", "money"]
    for X in (
        np.array(TEXTS),
        np.array(TEXTS, object),
        pd.Series(TEXTS),
        tuple(TEXTS),
        iter(TEXTS),
        [text.encode() for text in TEXTS],
        [text.split() for text in TEXTS],
    ):
        again = BoosTexterClassifier(form=form, n_estimators=6).fit(X, TOPICS)
        assert again.fingerprint() == model.fingerprint()


def test_files_warm_starts_stages_and_weights(tmp_path):
    Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [0, 0]])
    for form in FORMS:
        settings_ = {"form": form, "n_estimators": 6, "on_perfect": "smooth"}
        model = BoosTexterClassifier(**settings_).fit(TEXTS, Y)
        model.save(tmp_path / "model")
        loaded = wl.load(tmp_path / "model")
        np.testing.assert_array_equal(loaded.predict_proba(TEXTS), model.predict_proba(TEXTS))
        assert loaded.explain(TEXTS[0]) == model.explain(TEXTS[0])
        part = BoosTexterClassifier(**settings_ | {"n_estimators": 3, "warm_start": True})
        part.fit(TEXTS, Y).set_params(n_estimators=6).fit(TEXTS, Y)
        assert list(part.ensemble_) == list(model.ensemble_)
        stages = list(model.staged_decision_function(TEXTS))
        np.testing.assert_array_equal(stages[-1], model.decision_function(TEXTS))
        twice = BoosTexterClassifier(**settings_).fit(TEXTS + TEXTS[:2], np.vstack([Y, Y[:2]]))
        heavy = BoosTexterClassifier(**settings_).fit(TEXTS, Y, [2, 2, 1, 1, 1, 1])
        assert list(twice.ensemble_) == list(heavy.ensemble_)


def test_early_stopping_on_texts():
    texts, topics = TEXTS * 8, TOPICS * 8
    model = BoosTexterClassifier(
        form="real", n_estimators=50, early_stopping=True, n_iter_no_change=3
    )
    assert model.fit(texts, topics).n_iter_ < 50
    given_ = BoosTexterClassifier(n_estimators=4).fit(texts, topics, X_val=TEXTS, y_val=TOPICS)
    assert len(given_.validation_scores_) == len(given_.history_)


def test_rejection():
    model = BoosTexterClassifier(n_estimators=4).fit(TEXTS, TOPICS)
    assert model.predict(TEXTS, reject_below=0.0).tolist() == model.predict(TEXTS).tolist()
    p = model.predict_proba([*TEXTS, "unheard of"]).max(axis=1)
    rejected = [
        (model.predict([*TEXTS, "unheard of"], reject_below=t, rejected="other") == "other").sum()
        for t in np.linspace(0, 1, 9)
    ]
    assert rejected == [(p < t).sum() for t in np.linspace(0, 1, 9)]
    assert sorted(rejected) == rejected
    curve = model.rejection_curve(TEXTS, TOPICS)
    assert curve.rejection_rate[0] == 0
    assert curve.accuracy[0] == model.score(TEXTS, TOPICS)
    several = BoosTexterClassifier(n_estimators=2).fit(TEXTS, np.eye(6, 3, dtype=int))
    with pytest.raises(ValueError, match="reject_below is for rows of one label each"):
        several.predict(TEXTS, reject_below=0.5)


def test_rules_tell_presence_and_absence_by_label():
    model = BoosTexterClassifier(form="real", n_estimators=5, on_perfect="smooth")
    rules = model.fit(TEXTS, TOPICS).rules()
    assert rules.columns == ["rounds", "term", "label", "present", "absent"]
    assert len({(row[1], row[2]) for row in rules}) == len(rules)  # merged
    F = model.decision_function(["bank", "zebra"])
    for k, label in enumerate(model.classes_):
        own = [row for row in rules if row[2] == label]
        absent = sum(row[4] for row in own)
        there = sum(row[3] if row[1] == "bank" else row[4] for row in own)
        assert F[:, k] == pytest.approx([there, absent])
    two = BoosTexterClassifier(form="real", n_estimators=2).fit(TEXTS[:4], TOPICS[:4])
    assert {row[2] for row in two.rules()} == {"sport"}


def test_evidence_adds_up_and_is_escaped():
    vectorizer = TermVectorizer(ngram_range=2, gaps=1)
    model = BoosTexterClassifier(n_estimators=8, on_perfect="smooth", vectorizer=vectorizer)
    model.fit(TEXTS, TOPICS)
    for text in [*TEXTS, "", "<script>bank</script> & <b>bank</b>  money\nwon"]:
        for k, label in enumerate(model.classes_):
            why = model.explain(text, label=label)
            assert why.score == pytest.approx(model.decision_function([text])[0, k])
            assert why.score == pytest.approx(why.base + sum(amount for _, amount in why.reasons))
            assert "".join(part for part, _ in why.pieces) == text
    page = model.explain("<script>bank</script> & 'bank' \"x\"", label="money")._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;bank&lt;/script&gt;" in page
    shown = re.sub(r"</?(div|mark|p)[^>]*>", "", page)
    assert "<" not in shown
    assert "[The bank" not in model.explain("The bank").highlighted()
    assert "[bank +" in model.explain("The bank", label="money").highlighted()
    with pytest.raises(ValueError, match="label='nothing' is not allowed"):
        model.explain("a", label="nothing")


def test_pipelines_of_scikit_learn():
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.pipeline import make_pipeline

    for vectorizer in (CountVectorizer(binary=True), CountVectorizer(), TfidfVectorizer()):
        model = make_pipeline(vectorizer, BoosTexterClassifier(n_estimators=8)).fit(TEXTS, TOPICS)
        assert model.score(TEXTS, TOPICS) == 1


# -------------------------------------------------------------------------------------- bad input


def test_empty_documents_are_texts_without_terms():
    texts = [*TEXTS, "", None]
    model = BoosTexterClassifier(n_estimators=4).fit(texts, [*TOPICS, "none", "none"])
    base = model.decision_function([""])
    np.testing.assert_array_equal(model.decision_function([None]), base)
    np.testing.assert_array_equal(model.decision_function(["zebra"]), base)
    assert model.predict([]).shape == (0,)


@pytest.mark.parametrize(
    ("X", "parameters", "message"),
    [
        (["", ""], {}, "X holds no terms"),
        (["a b", "c d"], {"vectorizer": TermVectorizer(min_df=2)}, "no vocabulary is left"),
        ("one text", {}, "."),
        (["a", 3], {}, r"X\[1\] is 3"),
        (["a", "b"], {"text_columns": ["t"]}, "text_columns names columns of a table"),
        (pd.DataFrame({"text": ["a", "b"]}), {"text_columns": ["txt"]}, "Did you mean 'text'"),
        (["a", "b"], {"text_columns": "t"}, "it must be a list of the names"),
        (["a", "b"], {"vectorizer": "words"}, "it must be a TermVectorizer"),
        (["a", "b"], {"form": "reel"}, "Did you mean 'real'"),
        (["a", "b"], {"smoothing": -1.0}, "smoothing=-1.0 is not allowed"),
    ],
)
def test_refusals(X, parameters, message):
    with pytest.raises((TypeError, ValueError), match=message):
        BoosTexterClassifier(**parameters).fit(X, [0, 1])


def test_a_label_that_no_text_has():
    Y = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0], [1, 1, 0]])
    for form in FORMS:
        model = BoosTexterClassifier(form=form, n_estimators=5).fit(TEXTS, Y)
        assert not model.predict(TEXTS)[:, 2].any()
        assert np.isfinite(model.predict_proba(TEXTS)).all()


def test_broken_bytes_and_huge_messages():
    broken = [b"win \xff\xfe money", *[text.encode() for text in TEXTS]]
    model = BoosTexterClassifier(n_estimators=3).fit(broken, ["money", *TOPICS])
    assert model.predict([b"\xff\xfe\xff"]).shape == (1,)
    strict = BoosTexterClassifier(vectorizer=TermVectorizer(decode_error="strict"))
    with pytest.raises(ValueError, match="not text in utf-8"):
        strict.fit(broken, ["money", *TOPICS])
    with pytest.warns(UserWarning, match="longer than max_chars"):
        why = model.explain("bank " * 400_000)
    assert sum(len(part) for part, _ in why.pieces[:-1]) <= 20_000
    assert why.pieces[-1] == (" [...]", 0)
    tokens = model.explain([["bank"] * 30_000])[0]
    assert (len(tokens.pieces), tokens.pieces[-1]) == (40_001, (" [...]", 0))


def test_tables_must_have_the_columns_of_training():
    table = pd.DataFrame({"text": TEXTS, "size": range(6)})
    model = BoosTexterClassifier(n_estimators=3, text_columns=["text"]).fit(table, TOPICS)
    with pytest.raises(ValueError, match="text_columns holds 'text'"):
        model.predict(table[["size"]])
    with pytest.raises(ValueError, match="lacks the column 'size'"):
        model.predict(table[["text"]])
    with pytest.raises(ValueError, match="unseen at fit time"):
        model.predict(table.assign(more=1))
    with pytest.raises(ValueError, match="pass a table of one row"):
        model.explain("a text")
    clash = pd.DataFrame({"t": ["a", "b"], "t:a": [1, 2]})
    with pytest.raises(ValueError, match="also the name of a term"):
        BoosTexterClassifier(text_columns=["t"]).fit(clash, [0, 1])


def test_two_classes_are_both_explained():
    topics = ["sport" if topic == "sport" else "other" for topic in TOPICS]
    model = BoosTexterClassifier(n_estimators=4, on_perfect="smooth").fit(TEXTS, topics)
    for text, F, said in zip(
        TEXTS, model.decision_function(TEXTS), model.predict(TEXTS), strict=True
    ):
        assert model.explain(text).label == said
        for label, sign in (("other", -1), ("sport", 1)):
            why = model.explain(text, label=label)
            assert (why.label, why.score) == (label, pytest.approx(sign * F))
    assert model.explain(None).reasons == ()
    with pytest.raises(TypeError, match="X is int; pass a list of texts"):
        model.explain(5)


def test_the_text_of_evidence_cannot_upset_a_terminal():
    model = BoosTexterClassifier(n_estimators=3).fit(TEXTS, TOPICS)
    shown = model.explain("a \x1b[31m\r\n\tred\u202e \x07bank \u2003👩\u200d👧").highlighted()
    assert "\\x1b[31m\n\tred\\u202e [\\x07bank" in shown
    assert "\u2003👩\u200d👧" in shown
    assert not set(shown) & set("\x1b\x07\u202e\r")


def test_rules_tell_of_missing_values():
    table = pd.DataFrame({"text": TEXTS, "n": [1.0, 2.0, 3.0, 4.0, 5.0, np.nan]})
    model = BoosTexterClassifier(n_estimators=4, text_columns=["text"], on_perfect="smooth")
    rules = model.fit(table, TOPICS).rules()
    assert rules.columns[-1] == "missing"
    blank = pd.DataFrame({"text": [""], "n": [np.nan]})
    for k, label in enumerate(model.classes_):
        told = sum(
            row[-1] if row[1].startswith("n ") else row[4] for row in rules if row[2] == label
        )
        assert model.decision_function(blank)[0, k] == pytest.approx(told)


def test_one_text_is_no_list_of_texts():
    with pytest.raises(TypeError, match="X is one text; pass a list of texts"):
        BoosTexterClassifier().fit("a text", ["a"])


def test_texts_that_are_taken_for_categories_are_told():
    table = pd.DataFrame({"text": TEXTS, "n": range(6), "town": ["New York City"] * 6})
    with pytest.warns(DataWarning, match=r"read like texts, \['text'\], and are taken for cat"):
        BoosTexterClassifier(n_estimators=2).fit(table, TOPICS)


def test_a_term_of_two_columns_is_refused():
    table = pd.DataFrame({"a": [["b:c"], ["x"]], "a:b": [["c"], ["y"]]})
    with pytest.raises(ValueError, match=r"a term 'a:b:c' in two columns; rename .* 'a:b'"):
        BoosTexterClassifier(text_columns=["a", "a:b"]).fit(table, ["p", "q"])


def test_texts_of_arrow():
    model = BoosTexterClassifier(n_estimators=3).fit(pa.array(TEXTS), TOPICS)
    assert (model.predict(pa.chunked_array([TEXTS])) == model.predict(TEXTS)).all()


@pytest.mark.parametrize("form", ["real", "abstain", "discrete", "ranking"])
@pytest.mark.parametrize("n_labels", [2, 3, 5, 11])
def test_terms_that_list_rows_often_are_columns_like_others(form: str, n_labels: int) -> None:
    rng = np.random.default_rng(n_labels)
    X = (rng.random((90, 40)) < 0.3).astype(float)
    y, copies = rng.integers(0, n_labels, 90), rng.integers(1, 4, 90)
    blank = BoosTexterClassifier(form=form, n_estimators=6)
    sparse = clone(blank).fit(sp.csr_matrix(X), y, copies)
    assert np.array_equal(
        sparse.decision_function(X), clone(blank).fit(X, y, copies).decision_function(X)
    )


# --------------------------------------------------------------------------- many rules a round


def made_corpus(seed, n, n_labels=4):
    """Texts of words with frequencies as in a language; a label makes some of them likelier."""
    rng = np.random.default_rng(seed)
    plain = 1 / np.arange(3.0, 3003.0)
    topics = plain * np.exp(1.2 * np.random.default_rng(7).normal(size=(n_labels, 3000)))
    y = rng.integers(0, n_labels, n)
    texts = []
    for label in y:
        p = plain / plain.sum() + 0.7 * topics[label] / topics[label].sum()
        size = int(rng.integers(10, 60))
        texts.append(" ".join(f"w{j}" for j in rng.choice(3000, size, p=p / p.sum())))
    return texts, y


def test_without_tuning_as_good_as_a_linear_machine_on_weights():
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    (X, y), (X_test, y_test) = made_corpus(0, 1200), made_corpus(1, 1500)
    ours = BoosTexterClassifier().fit(X, y)
    theirs = make_pipeline(TfidfVectorizer(), LinearSVC()).fit(X, y)
    assert 1 - ours.score(X_test, y_test) <= 1.15 * (1 - theirs.score(X_test, y_test))
    book = BoosTexterClassifier(form="real", n_estimators=100).fit(X, y)
    assert ours.score(X_test, y_test) > book.score(X_test, y_test)


@pytest.mark.parametrize(
    ("form", "several"),
    [
        *((form, False) for form in ["parallel", *FORMS]),
        *(
            pytest.param(form, True, marks=() if form == "real" else pytest.mark.long)
            for form in ["parallel", *FORMS]
        ),
    ],
)
def test_rounds_are_found_by_folds(form, several):
    texts, y = made_corpus(3, 60)
    Y = np.eye(4, dtype=int)[y] | np.eye(4, dtype=int)[(y + 1) % 4] if several else y
    model = BoosTexterClassifier(form=form).fit(texts, Y)
    assert 1 <= model.n_iter_ <= (100 if form == "parallel" else 300)
    fixed = BoosTexterClassifier(form=form, n_estimators=model.n_iter_).fit(texts, Y)
    assert fixed.ensemble_.members == model.ensemble_.members
    assert model.stop_reason_ == "the rounds that folds found best were played"


def test_early_stopping_in_place_of_folds():
    texts, y = made_corpus(3, 200)
    model = BoosTexterClassifier(early_stopping=True).fit(texts, y)
    assert model.n_iter_ <= len(model.validation_scores_) <= 100
    assert model.stop_reason_ == "the validation score stopped improving"


def test_texts_alone_get_many_rules_a_round():
    table = pd.DataFrame({"body": TEXTS, "age": np.arange(6.0)})
    alone = BoosTexterClassifier(text_columns=["body"], n_estimators=3)
    graded = alone.fit(table[["body"]], TOPICS)
    assert graded.rules(1).columns == ["rounds", "term", "label", "adds"]
    assert "body:bank" in graded.rules().to_frame()["term"].tolist()
    mixed = BoosTexterClassifier(text_columns=["body"], n_estimators=3).fit(table, TOPICS)
    given_ = BoosTexterClassifier(text_columns=["body"], n_estimators=3, form="real")
    assert mixed.ensemble_.members == given_.fit(table, TOPICS).ensemble_.members
    with pytest.raises(ValueError, match="form='parallel' is for terms alone"):
        given_.set_params(form="parallel").fit(table, TOPICS)


def test_rules_of_many_a_round_add_up():
    model = BoosTexterClassifier(n_estimators=4).fit(TEXTS, TOPICS)
    X = model._rows(TEXTS).cells.sparse
    names = list(model.feature_names_in_)
    for merge in (True, False):
        rows = list(model.rules(merge=merge))
        for k, label in enumerate(model.classes_):
            F = np.zeros(len(TEXTS))
            for _, term, of, adds in rows:
                if of == label:
                    always = term == "(always)"
                    F += adds * (1 if always else X[:, [names.index(term)]].toarray()[:, 0])
            np.testing.assert_allclose(F, model.decision_function(TEXTS)[:, k], atol=1e-9)
    first = model.rules(1, merge=False)
    assert {row[0] for row in first} == {1}
    assert next(iter(first))[1] == "(always)"


def test_what_many_rules_a_round_cannot_do_is_said():
    model = BoosTexterClassifier(form="parallel", n_estimators=3).fit(np.eye(6), TOPICS)
    with pytest.raises(ValueError, match="explain is for texts under form='parallel'"):
        model.explain(np.eye(6))
    for method in ("to_c", "to_python", "to_onnx", "to_json", "to_javascript", "to_frame"):
        with pytest.raises((ValueError, TypeError), match=r"tree|stump"):
            getattr(model, method)()


def test_a_vectorizer_of_ones_own_has_weights():
    terms = TermVectorizer(ngram_range=2)
    model = BoosTexterClassifier(n_estimators=3, vectorizer=terms).fit(TEXTS, TOPICS)
    weights = model._rows(TEXTS).cells.sparse
    np.testing.assert_allclose((weights.multiply(weights)).sum(axis=1), 1, atol=1e-3)
    assert terms.weights is None
    assert "the bank" in model.rules().to_frame()["term"].tolist()


def test_going_on_with_rounds_that_folds_found():
    texts, y = made_corpus(3, 60)
    X = TermVectorizer().fit_transform(texts)
    for given_X in (X, texts):
        model = BoosTexterClassifier(warm_start=True).fit(given_X, y)
        n = model.n_iter_
        assert model.fit(given_X, y).n_iter_ >= n


def test_shares_of_weight_need_one_rule_a_round():
    with pytest.raises(ValueError, match=r"min_weight_fraction_leaf=0.01 is not allowed"):
        BoosTexterClassifier(min_weight_fraction_leaf=0.01).fit(TEXTS, TOPICS)
    model = BoosTexterClassifier(min_weight_fraction_leaf=0.01, form="real", n_estimators=2)
    assert model.fit(TEXTS, TOPICS).n_iter_ == 2


def test_rounds_added_for_texts_of_other_weights(tmp_path):
    texts, y = ["win money", "lose money", "win a match", "lose"] * 3, [1, 0, 1, 0] * 3
    model = BoosTexterClassifier(n_estimators=2, warm_start=True).fit(texts, y)
    model.set_params(n_estimators=4).fit(["win money", "lose money"] * 4, [1, 0] * 4)
    assert len({h.grain for h in model.ensemble_.members}) == 2
    rows = model._rows(texts)
    F = sum(h(rows) for h in model.ensemble_.members)
    assert (model.ensemble_.labels(rows) == F).all()
    assert (model.decision_function(texts) == list(model.staged_decision_function(texts))[-1]).all()
    for text, f in zip(texts[:4], model.decision_function(texts[:4]), strict=True):
        assert model.explain(text, label=1).score == pytest.approx(f)
    model.save(tmp_path / "model.weak")
    loaded = wl.load(tmp_path / "model.weak")
    assert (loaded.decision_function(texts) == model.decision_function(texts)).all()


def test_the_history_of_many_rules_a_round_has_no_order_of_rows():
    texts, y = wl.datasets.messages()
    y, order = np.asarray(y), np.random.default_rng(1).permutation(len(y))
    model = BoosTexterClassifier(n_estimators=9, random_state=0).fit(texts, y)
    again = clone(model).fit([texts[i] for i in order], y[order])
    assert again.fingerprint() == model.fingerprint()
