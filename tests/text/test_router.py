"""Calls put through: scores, rejection, rules written by hand, and what to label next."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import weaklearn
from weaklearn import AdaBoostMHClassifier, CallRouter, ModelFileError, TermVectorizer
from weaklearn.text.handwritten import Handwritten, HandwrittenPrior
from weaklearn.text.rejection import RejectionCurve

CALLS = [
    *("my bill is wrong", "pay my bill", "you charged me twice", "a fee on my bill"),
    *("the line is dead", "no dial tone", "my internet is slow", "the modem is dead"),
    *("a new phone please", "order a second line", "which plan is best", "price of a phone"),
]
TYPES = ["billing"] * 4 + ["repair"] * 4 + ["sales"] * 4
RULES = {"refund": {"billing": 3.0}, "dial tone": {"repair": 2.0, "sales": -1.0}}

TERMS = TermVectorizer()._terms()


@pytest.fixture(scope="module")
def router() -> CallRouter:
    return CallRouter(n_estimators=10).fit(CALLS, TYPES)


def crackles(text: str) -> dict[str, float] | None:
    return {"repair": 4.0} if "crackl" in text else None


def test_without_rejection_it_is_plain_boosting(router: CallRouter) -> None:
    X = TermVectorizer(ngram_range=2).fit_transform(CALLS)
    plain = AdaBoostMHClassifier(n_estimators=10).fit(X, TYPES)
    assert (router.decision_function(CALLS) == plain.decision_function(X)).all()
    assert (router.predict_proba(CALLS) == plain.predict_proba(X)).all()
    assert router.predict(CALLS).tolist() == plain.predict(X).tolist()
    assert router.predict([]).shape == (0,)


def test_rejection_rises_with_the_threshold(router: CallRouter) -> None:
    asked = [*CALLS, "good morning", "", "my line", "a bill"]
    router = pickle.loads(pickle.dumps(router))
    shares = []
    for threshold in np.linspace(0, 1, 21):
        told = router.set_params(threshold=float(threshold)).predict(asked)
        shares.append((told == "other").mean())
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] > 0
    told = clone(router).set_params(threshold=1.0, other=-1).fit(CALLS, [7] * 6 + [8] * 6)
    assert set(told.predict(["hello", "my bill is wrong"]).tolist()) <= {-1, 7, 8}


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 5), st.booleans()), min_size=1, max_size=12))
def test_the_curve_by_brute_force(cases: list[tuple[int, bool]]) -> None:
    sure = np.array([k / 5 for k, _ in cases])
    right = np.array([r for _, r in cases])
    curve = RejectionCurve.of(sure, right)
    assert (np.diff(curve.thresholds) > 0).all()
    assert (np.diff(curve.rejection_rate) > 0).all()
    assert curve.rejection_rate[0] == 0
    for t, rate, accuracy in zip(curve.thresholds, curve.rejection_rate, curve.accuracy):
        assert rate == pytest.approx((sure < t).mean())
        assert accuracy == pytest.approx(right[sure >= t].mean())
    best = curve.accuracy[-1]
    t = curve.threshold_for(accuracy=float(best))
    assert (curve.accuracy[curve.thresholds >= t] >= best).all()


def test_the_curve_of_a_router(router: CallRouter) -> None:
    curve = router.rejection_curve([*CALLS, "hello"], [*TYPES, "unknown"])
    assert curve.accuracy[0] == pytest.approx(12 / 13)
    assert "rejected" in str(curve)
    assert len(curve.to_frame()) == len(curve.thresholds)
    wrong = RejectionCurve.of(np.array([0.4, 0.6]), np.array([True, False]))
    with pytest.raises(ValueError, match=r"accuracy=0.9 is not reached.*share of 0"):
        wrong.threshold_for(accuracy=0.9)


def test_the_least_sure_are_asked_next(router: CallRouter) -> None:
    asked = [*CALLS, "good morning", "a dead phone", ""]
    F = np.abs(router.decision_function(asked).max(axis=1))
    order = router.ask_next(asked, n=5)
    assert order.tolist() == np.argsort(F, kind="stable")[:5].tolist()
    assert len(router.ask_next(asked, n=99)) == len(asked)
    two = CallRouter(n_estimators=5).fit(CALLS[:8], TYPES[:8])
    F = np.abs(two.decision_function(asked))
    assert two.ask_next(asked, n=3).tolist() == np.argsort(F, kind="stable")[:3].tolist()
    with pytest.raises(ValueError, match="n=0"):
        router.ask_next(asked, n=0)


# ----------------------------------------------------------------------------------- rules by hand


def test_without_calls_to_learn_from_the_rules_decide() -> None:
    calls, types = ["alpha", "beta", "gamma"] * 2, TYPES[::4] * 2
    router = CallRouter(n_estimators=5, prior_rules=[RULES, crackles], prior_strength=5.0)
    router.fit(calls, types)
    asked = ["I want a REFUND", "there is no dial tone", "it crackles", "nothing known"]
    assert router.predict(asked[:3]).tolist() == ["billing", "repair", "repair"]
    p = router.predict_proba(asked)
    assert p[0, 0] > 0.7
    assert p[1, 2] < p[3, 2]
    plain = CallRouter(n_estimators=5).fit(calls, types)
    assert plain.predict_proba(asked[:1]).max() < p[0, 0]


def test_the_prior_is_a_softmax_of_strengths() -> None:
    prior = HandwrittenPrior(3)
    X = np.array([[9.0, 0.0, 0.0, 0.0], [9.0, 2.0, 0.0, -1.0], [0.0, -3.0, -3.0, -3.0]])
    p = prior(X)
    assert p[0] == pytest.approx(1 / 3)
    assert np.log(p[1] / p[1, 1]) == pytest.approx([2.0, 0.0, -1.0])
    assert p[2] == pytest.approx(1 / 3)


def test_many_calls_overrule_a_wrong_rule() -> None:
    wrong = {"bill": {"sales": 2.0}}
    few = CallRouter(n_estimators=30, prior_rules=wrong, prior_strength=20.0).fit(CALLS, TYPES)
    many = CallRouter(n_estimators=30, prior_rules=wrong, prior_strength=0.1).fit(
        CALLS * 5, TYPES * 5
    )
    p = [model.predict_proba(["pay my bill"])[0, 0] for model in (few, many)]
    assert p[0] < p[1]
    assert many.predict(["pay my bill"]).tolist() == ["billing"]


def test_terms_are_found_as_texts_spell_them() -> None:
    rules = Handwritten.read([{"Dial tone!": {"a": 1.0}}, {"dial tone": {"a": 0.5, "b": 2}}])
    sums = rules.sums(["no DIAL-TONE", "tone dial", "dial", ""], TERMS, ["a", "b"])
    assert sums.tolist() == [[1.5, 2.0], [0, 0], [0, 0], [0, 0]]


@pytest.mark.parametrize(
    ("rules", "error", "words"),
    [
        ({"refund": {"biling": 1.0}}, ValueError, "label 'biling', which is not in y.*'billing'"),
        ({"refund": 1.0}, TypeError, r"prior_rules\['refund'\] is 1.0; pass a dict"),
        (
            {"refund": {"billing": "much"}},
            TypeError,
            r"prior_rules\['refund'\]\['billing'\]='much'",
        ),
        ({"refund": {"billing": np.inf}}, ValueError, "at most 50"),
        ({7: {"billing": 1.0}}, TypeError, "a term must be a text"),
        ("refund", TypeError, "prior_rules holds 'refund'"),
        ([dict], TypeError, "prior_rules holds"),
        (lambda text: 3, TypeError, r"<lambda>\(X\[0\]\) is 3; pass a dict"),
        (lambda text: {"x": 1}, ValueError, "the label 'x'"),
        ({"$!": {"billing": 1.0}}, ValueError, r"the term '\$!', .*set punctuation=True"),
    ],
)
def test_rules_that_make_no_sense(rules: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        CallRouter(n_estimators=3, prior_rules=rules).fit(CALLS, TYPES)


# --------------------------------------------------------------------------------------------- rest


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_estimators": 0}, "n_estimators=0"),
        ({"threshold": -0.1}, "threshold=-0.1"),
        ({"threshold": "0.5"}, "threshold='0.5'"),
        ({"prior_strength": -1.0}, "prior_strength=-1.0"),
        ({"vectorizer": 3}, "must be a TermVectorizer"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        CallRouter(**parameters).fit(CALLS, TYPES)


def test_rules_are_told(router: CallRouter) -> None:
    told = router.rules(3)
    assert told.columns == ["if it contains", "billing", "repair", "sales"]
    assert len(told) == 3
    F = router.decision_function(["", told[0][0]])
    assert F[1] - F[0] == pytest.approx(np.array(told[0][1:]), abs=1e-3)


def test_functions_are_given_texts() -> None:
    given: list[Any] = []
    vectorizer = TermVectorizer()
    rules = Handwritten.read(lambda text: given.append(text))
    rules.sums([None, b"caf\xc3\xa9", ["a", "b"], "x"], vectorizer._terms(), ["billing"])
    assert given == ["", "café", "a b", "x"]


def test_a_curve_of_nothing(router: CallRouter) -> None:
    with pytest.raises(ValueError, match="X has 0 rows"):
        router.rejection_curve([], [])


@pytest.mark.parametrize("rules", [None, RULES])
def test_files(rules: Any, tmp_path: Path) -> None:
    router = CallRouter(n_estimators=5, prior_rules=rules, threshold=0.6).fit(CALLS, TYPES)
    path = tmp_path / "router.weak"
    router.save(path)
    other = weaklearn.load(path)
    assert other.fingerprint() == router.fingerprint()
    asked = [*CALLS, "a refund", "no dial tone", ""]
    assert (other.predict_proba(asked) == router.predict_proba(asked)).all()
    assert other.predict(asked).tolist() == router.predict(asked).tolist()


def test_a_function_is_kept_by_pickle_and_no_file(tmp_path: Path) -> None:
    router = CallRouter(n_estimators=5, prior_rules=crackles).fit(CALLS, TYPES)
    with pytest.raises(ModelFileError, match="use pickle"):
        router.save(tmp_path / "router.weak")
    twin = pickle.loads(pickle.dumps(router))
    assert (twin.predict_proba(["it crackles"]) == router.predict_proba(["it crackles"])).all()
