"""A filter for spam: how it learns, what it says, and how it goes on learning."""

from __future__ import annotations

import csv
import pickle
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_predict

import weaklearn
from weaklearn import AdaBoostMHClassifier, SpamFilter, TermVectorizer
from weaklearn.base.messages.warnings import DataWarning
from weaklearn.text import documents
from weaklearn.text.sleepers import Sleepers
from weaklearn.theory.bounds import sleeping_bound

TEXTS, LABELS = weaklearn.datasets.messages()
SPAM = [t for t, label in zip(TEXTS, LABELS) if label == "spam"]
HAM = [t for t, label in zip(TEXTS, LABELS) if label == "ham"]


@pytest.fixture(scope="module")
def model() -> SpamFilter:
    return SpamFilter(n_estimators=40).fit(TEXTS, LABELS)


def test_it_is_boosting_of_terms(model: SpamFilter) -> None:
    documents = [[*TermVectorizer(punctuation=True).tokens(t)] for t in TEXTS]
    X = TermVectorizer().fit_transform(documents)
    plain = AdaBoostMHClassifier(n_estimators=40).fit(X, LABELS)
    assert (plain.decision_function(X) == model.decision_function(TEXTS)).all()
    assert model.predict(TEXTS).tolist() == plain.predict(X).tolist()
    assert model.classes_.tolist() == ["ham", "spam"]


def test_ways_in_agree(model: SpamFilter, tmp_path: Path) -> None:
    told = model.decision_function(TEXTS)
    for name, part in (("junk", SPAM), ("good", HAM)):
        for i, text in enumerate(part):
            inside = tmp_path / name / str(i % 3)
            inside.mkdir(parents=True, exist_ok=True)
            (inside / f"{i}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "good" / ".hidden").write_text("win win win")
    rows = "\n".join(f'{label},"{text}"' for text, label in zip(TEXTS, LABELS))
    table = tmp_path / "table.csv"
    table.write_text(f"\ufeffclass,text\r\n{rows}\n\n", encoding="utf-8")
    blank = SpamFilter(n_estimators=40)
    for other in (
        clone(blank).fit(spam=SPAM, ham=iter(HAM)),
        clone(blank).fit(spam=tmp_path / "junk", ham=str(tmp_path / "good")),
        clone(blank).fit_csv(table),
        clone(blank).fit_csv(str(table), text="text", label="class"),
        clone(blank).fit([t.encode() for t in TEXTS], np.array(LABELS)),
        clone(blank).fit(TEXTS, [int(label == "spam") for label in LABELS]),
        clone(blank).fit(TEXTS, [label == "spam" for label in LABELS]),
        clone(blank)
        .set_params(spam_label="bad")
        .fit(TEXTS, ["bad" if label == "spam" else "good" for label in LABELS]),
    ):
        assert (other.decision_function(TEXTS) == told).all()


def test_mail_is_read(model: SpamFilter) -> None:
    letter = EmailMessage()
    letter["From"] = "Win Now <win@prize.example>"
    letter["Subject"] = "lunch?"
    letter.set_content("see you at noon")
    model = SpamFilter(n_estimators=5).fit(spam=[letter, SPAM[0]], ham=HAM)
    assert {"from:win@prize.example", "from:@prize.example", "from:now", "subject:lunch"} <= set(
        model.vectorizer_.vocabulary_
    )
    for form in (letter, bytes(letter), letter.as_string()):
        assert model.decision_function([form])[0] == model.decision_function([letter])[0]


def test_empty_and_missing_messages_are_allowed(model: SpamFilter) -> None:
    p = model.predict_proba(["", None, b"", float("nan"), "\x00"])
    assert (p == p[0]).all()
    assert model.predict([]).shape == (0,)
    assert model.predict_proba([]).shape == (0, 2)


def test_verdicts_add_up(model: SpamFilter) -> None:
    for text in [*TEXTS[::17], ""]:
        verdict = model.explain(text, n=3)
        score = model.decision_function([text])[0]
        assert verdict.score == score
        assert verdict.base + sum(amount for _, amount in verdict.reasons) == pytest.approx(score)
        assert [abs(a) for _, a in verdict.reasons] == sorted(
            (abs(a) for _, a in verdict.reasons), reverse=True
        )
        assert verdict.label == model.predict([text])[0]
        assert verdict.probability == model.predict_proba([text])[0, 1]
        assert len(verdict.table()) <= 3
        assert str(verdict.label) in str(verdict)
    assert "<script>" not in model.explain("<script>alert(1)</script> win")._repr_html_()


def test_the_strongest_rules_come_first(model: SpamFilter) -> None:
    amounts = [abs(row[2]) for row in model.rules(None)]
    assert amounts == sorted(amounts, reverse=True)
    assert len(model.rules(10)) == 10
    assert len(str(model.rules(10)).splitlines()) == 12


def test_a_careful_threshold_loses_less_ham() -> None:
    y, X = np.array(LABELS), np.array(TEXTS, object)
    careful = SpamFilter(n_estimators=40, max_false_positives=0.02).fit(X, y)
    plain = SpamFilter(n_estimators=40).fit(X, y)
    assert careful.threshold_ > 0.5
    assert (careful.decision_function(X) == plain.decision_function(X)).all()
    order = np.random.default_rng(0).permutation(len(X))
    again = clone(careful).fit(X[order], y[order])
    assert again.threshold_ == careful.threshold_
    lost = {}
    for name, model in (("plain", plain), ("careful", careful)):
        told = cross_val_predict(clone(model), X, y, cv=4)
        lost[name] = int(((told == "spam") & (y == "ham")).sum())
    assert lost["careful"] < lost["plain"]
    with pytest.warns(DataWarning, match=r"100 messages of ham cannot vouch .*at least 999 are"):
        SpamFilter(n_estimators=5, max_false_positives=0.001).fit(X, y)
    with pytest.warns(DataWarning, match=r"max_false_positives=5e-324: at least 9{15} are"):
        SpamFilter(n_estimators=5, max_false_positives=5e-324).fit(X, y)


# ------------------------------------------------------------------------------------------- online


def test_updates_move_the_verdict_and_nothing_else(model: SpamFilter) -> None:
    model = pickle.loads(pickle.dumps(model))
    club = "Our club: claim your free prize now"
    score, others = model.decision_function([club]), model.predict(HAM)
    assert model.predict([club]) == ["spam"]
    first = model.predict(TEXTS)
    assert model.update(TEXTS[-1], "ham") is False
    assert (model.predict(TEXTS) == first).all()  # the trained filter has the majority at first
    while model.predict([club]) == ["spam"]:
        assert model.update(club, "ham") is True
        assert model.n_updates_ < 30
    assert model.mistakes_ == model.n_updates_ - 1
    assert model.update(club, "ham") is False
    assert model.explain(club).label == "ham"
    assert (model.decision_function([club]) == score).all()
    assert (model.predict(HAM) == others).mean() > 0.95
    p = model.predict_proba(TEXTS)
    assert np.allclose(p.sum(axis=1), 1)
    assert ((p >= 0) & (p <= 1)).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.1, 0.5, 0.9]))
def test_mistakes_are_within_the_bound_of_every_expert(seed: int, epsilon: float) -> None:
    rng = np.random.default_rng(seed)
    n_terms, n = 4, 60
    terms = np.array([1, 2, 5, 6])
    experts = Sleepers.fresh(terms, epsilon)
    start = experts._experts().weights
    assert start[0] == 1
    assert start[1:] == pytest.approx(1 / (2 * n_terms + 1))
    rows = sp.csr_matrix((rng.random((n, 8)) < 0.4).astype(float))
    expected, own = np.zeros(len(start)), np.zeros(len(start))
    for t in range(n):
        verdict, truth = int(rng.random() < 0.5), int(rng.random() < 0.7)
        awake, said = experts._awake(rows[t], verdict)
        q = experts.share(rows[t], verdict, float(verdict))
        expected[awake] += 1 - q if truth else q
        own[awake] += said != truth
        experts = experts.updated(rows[t], verdict, truth)
    assert experts.mistakes.tolist() == own.tolist()
    assert experts.t == n
    # The bound for n experts of one weight each, with ln(W/w) in the place of ln n.
    log_share = np.log(start.sum() / start)
    bound = (1 + epsilon) * (own + log_share / np.log1p(epsilon))
    assert (expected <= bound + 1e-9).all()
    even = sleeping_bound(own, len(start), epsilon)
    assert bound[0] <= even[0]


def test_other_labels_are_refused(model: SpamFilter) -> None:
    for label in ("egg", 1, None, True):
        with pytest.raises(
            ValueError, match="is not one of the labels of training, 'ham' and 'spam'"
        ):
            model.update("x", label)


# ----------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"X": "one text", "y": ["spam"]}, TypeError, "fit_csv"),
        ({"X": ["a"]}, TypeError, r"fit\(X, y\), or spam= and ham="),
        ({"spam": ["a"]}, TypeError, "spam= and ham= together"),
        ({"X": ["a"], "spam": ["a"], "ham": ["b"]}, TypeError, "neither X nor y"),
        ({"spam": [], "ham": ["a"]}, ValueError, "spam is empty"),
        ({"spam": ["a", 7], "ham": ["a"]}, TypeError, r"X\[1\] is 7"),
        ({"X": [], "y": []}, ValueError, "X has 0 rows"),
        ({"X": ["a", "b"], "y": ["spam", "spam"]}, ValueError, "y holds one label alone, 'spam'"),
        ({"X": ["a", "b", "c"], "y": [0, 1, 2]}, ValueError, "y holds 3 labels"),
        ({"X": ["a", "b"], "y": ["good", "bad"]}, ValueError, "'bad' and 'good'.*spam_label"),
        ({"X": ["a", "b"], "y": ["spam"]}, ValueError, "inconsistent numbers of samples"),
        ({"X": ["a", "b"], "y": ["spam", None]}, ValueError, "y"),
        ({"X": ["", ""], "y": ["spam", "ham"]}, ValueError, "no terms"),
        ({"spam": "/no/such/folder", "ham": ["a"]}, NotADirectoryError, "is no folder"),
        ({"spam": "a long text " * 500, "ham": ["a"]}, NotADirectoryError, "is no folder"),
    ],
)  # fmt: skip
def test_refusals(given: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        SpamFilter(n_estimators=3).fit(**given)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_estimators": 0}, "n_estimators=0"),
        ({"threshold": 1.0}, "threshold=1.0"),
        ({"max_false_positives": 0.0}, "max_false_positives=0.0"),
        ({"epsilon": 1.0}, "epsilon=1.0"),
        ({"max_bytes": 0}, "max_bytes=0"),
        ({"encoding": "utf-9"}, "encoding='utf-9'"),
        ({"vectorizer": "words"}, "must be a TermVectorizer"),
        ({"vectorizer": TermVectorizer(binary=False)}, "binary=True"),
        ({"spam_label": "eggs"}, "spam_label is 'eggs'"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        SpamFilter(**parameters).fit(TEXTS, LABELS)


def test_bad_tables(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for content, words in (
        ("", "has no line of names"),
        ("text,label\n", "no rows"),
        ("text,label\na,b,c\n", r"line 2 has 3 cells; its first line has 2"),
        ("txt,label\na,spam\n", "could be the text; name one of 'txt', 'label'"),
        ("text,label,class\na,spam,b\n", "2 columns that could be the label"),
        ('text,label\n"a,spam\n', "is no CSV file"),
    ):
        path.write_text(content)
        with pytest.raises(ValueError, match=words):
            SpamFilter().fit_csv(path)
    path.write_text("text,label\na,spam\n")
    with pytest.raises(ValueError, match=r"text='txt': the column is not there.*text"):
        SpamFilter().fit_csv(path, text="txt")
    if Path("/dev/zero").exists():
        with pytest.raises(ValueError, match="/dev/zero is a device, which may never end"):
            SpamFilter().fit_csv("/dev/zero")
    (tmp_path / "none").mkdir()
    with pytest.raises(ValueError, match="folder without files"):
        SpamFilter().fit(spam=tmp_path / "none", ham=["a"])
    path.write_bytes(b"text,label\n" + b"win " * 100_000 + b",spam\ncaf\xe9 at noon,ham\n")
    model = SpamFilter(n_estimators=3).fit_csv(path)
    assert model.predict(["win"]).tolist() == ["spam"]
    limit = csv.field_size_limit()
    with ThreadPoolExecutor(4) as pool:  # the limit of cells is one for all threads
        found = list(pool.map(lambda _: documents.table(path, None, None, "utf-8"), range(40)))
    assert all(each == found[0] for each in found)
    assert csv.field_size_limit() == limit


def test_bounded_messages_and_asking_too_early(model: SpamFilter) -> None:
    with pytest.raises(NotFittedError):
        SpamFilter().predict(["x"])
    with pytest.raises(TypeError, match="X is one message"):
        model.predict("one")
    with pytest.warns(DataWarning, match="one message is longer than max_bytes=1000000"):
        assert len(model.predict(["win " * 1_000_000, "lunch"])) == 2


def test_labels_of_a_pair() -> None:
    pair = {"spam": ["win cash", "cash"], "ham": ["lunch", "see you"]}
    for label, other in (("junk", "ham"), (1, 0), (0, 1), (True, False), (np.int64(2), 0)):
        found = SpamFilter(n_estimators=3, spam_label=label).fit(**pair).classes_.tolist()
        assert found == [other, label]
    with pytest.raises(ValueError, match="spam_label='ham' is not allowed with spam= and ham="):
        SpamFilter(spam_label="ham").fit(**pair)


def test_a_verdict_after_updates_names_the_majority() -> None:
    model = SpamFilter(n_estimators=3).fit(spam=["win cash", "cash"], ham=["lunch", "see you"])
    assert "threshold 0.500" in str(model.explain("cash"))
    model.update("cash", "ham")
    assert "by the majority of experts after an update" in str(model.explain("cash").table().note)


def test_a_sender_that_cannot_be_parsed(model: SpamFilter) -> None:
    assert model.predict(["From: " + "(" * 9000 + "@x\n\nhello"]).shape == (1,)


def test_max_bytes_alone_bounds_a_message() -> None:
    model = SpamFilter(n_estimators=3, max_bytes=3_000_000)
    model.fit(spam=["win cash", "cash"], ham=["lunch", "see you"])
    assert model.explain("x " * 600_000 + "cash").reasons
    model.set_params(vectorizer=TermVectorizer(lowercase=False))  # asks for another fit
    assert model.explain("CASH").reasons


def test_files_and_their_checks(model: SpamFilter, tmp_path: Path) -> None:
    model = pickle.loads(pickle.dumps(model))
    for text in HAM[:3]:
        model.update(text, "spam")
    path = tmp_path / "filter.weak"
    model.save(path)
    other = weaklearn.load(path)
    assert other.fingerprint() == model.fingerprint()
    assert (other.predict_proba(TEXTS) == model.predict_proba(TEXTS)).all()
    assert (other.n_updates_, other.mistakes_) == (model.n_updates_, model.mistakes_)
    assert str(other.explain(TEXTS[0])) == str(model.explain(TEXTS[0]))
    other.update(TEXTS[0], "spam")
    assert other.n_updates_ == 4


def test_weights_are_copies() -> None:
    weights = np.arange(len(TEXTS)) % 3
    index = np.repeat(np.arange(len(TEXTS)), weights)
    blank = SpamFilter(n_estimators=12, max_false_positives=0.1)
    weighed = clone(blank).fit(TEXTS, LABELS, weights)
    copied = clone(blank).fit([TEXTS[i] for i in index], [LABELS[i] for i in index])
    assert weighed.threshold_ == copied.threshold_
    assert (weighed.decision_function(TEXTS) == copied.decision_function(TEXTS)).all()
    halves = clone(blank).fit(TEXTS, LABELS, [0.5] * len(TEXTS))
    assert halves.threshold_ == clone(blank).fit(TEXTS, LABELS).threshold_


def test_weights_that_leave_one_kind() -> None:
    weights = [int(label == "ham") for label in LABELS]
    with pytest.raises(ValueError, match="above 0 for messages of 'ham' alone"):
        SpamFilter().fit(TEXTS, LABELS, weights)
    with pytest.raises(TypeError, match="sample_weight with X and y"):
        SpamFilter().fit(spam=SPAM, ham=HAM, sample_weight=weights)
