"""AdaBoost.MO: codes, decoding, and the games over bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from tests import golden
from tests.boosters.labelled import first_weights, played, tables
from tests.reference import labels as twin
from tests.samples import same_bits, sample_of
from weaklearn import AdaBoostClassifier, AdaBoostMHClassifier, AdaBoostMOClassifier
from weaklearn.base.numeric.output_code import (
    all_pairs,
    exhaustive,
    least_distance,
    one_vs_all,
    random_code,
)
from weaklearn.base.votes.label_scores import CodedScores
from weaklearn.boosters import AdaBoostMO
from weaklearn.learners.label_rules import LabelPartitionLearner

quick = settings(deadline=None, max_examples=40)
pytestmark = pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")
TOLERANCE = golden.tolerance("multiclass_ranking")
CODES = [one_vs_all, all_pairs, exhaustive, lambda K: random_code(K, 3)]


def words(code: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, code.tolist()))


@pytest.mark.parametrize("decoding", ["loss", "hamming"])
def test_golden(decoding: str) -> None:
    case = golden.case("multiclass_ranking", "adaboost_mo_115")
    given, expected = case["input"], case["expected"]
    X, y, code = given["X"], given["labels"], given["code"]
    model = AdaBoostMOClassifier(n_estimators=given["T"], code=code, decoding=decoding).fit(X, y)
    for member, metrics, row in zip(
        model.estimators_, model.history_.metrics, expected["rounds"], strict=True
    ):
        assert (member.feature_, member.threshold_) == (row["feature"], row["threshold"])
        assert member.tree_.values[1] == pytest.approx(row["c_left"], **TOLERANCE)
        assert metrics["Z"] == pytest.approx(row["Z"], **TOLERANCE)
        assert metrics["product_Z"] == pytest.approx(row["prod_Z"], **TOLERANCE)
        assert metrics["hamming_loss"] * len(X) * 5 == pytest.approx(row["hamming_errors"])
    bits = model.ensemble_.labels(model._rows(X))
    assert bits == pytest.approx(np.array(expected["F"]), **TOLERANCE)
    assert model.predict(X).tolist() == expected[f"{decoding}_decoding"]
    assert least_distance(model.code_) == expected["min_code_distance"]
    certificate = model.certify(X, y)[0]
    assert certificate.bound == pytest.approx(expected[f"bound_{decoding}_decoding"], **TOLERANCE)
    assert certificate.holds


@quick
@given(tables(one_label=True), st.sampled_from(CODES))
def test_every_round_as_the_definition_has_it(table: Any, make: Any) -> None:
    X, Y, weights = table
    codes, code = Y.argmax(axis=1), make(Y.shape[1])
    sample = sample_of(X, codes, weights)
    s = 1 / (sample.m * code.shape[1])
    exact = twin.mh(X, code[codes], first_weights(X, weights), 5, s)
    run, before = played(AdaBoostMO(code=words(code)), sample, LabelPartitionLearner(), 5)
    assert len(before) == len(exact)
    for D, row in zip(before, exact, strict=True):
        assert D == pytest.approx(row["D"], abs=1e-11)
    if "end" not in exact[-1]:
        assert run.state.ensemble.labels(sample) == pytest.approx(exact[-1]["F"], abs=1e-8)


@quick
@given(tables(one_label=True), st.sampled_from(CODES), st.sampled_from(["loss", "hamming"]))
def test_guarantee(table: Any, make: Any, decoding: str) -> None:
    """Error <= (s/rho) prod Z by loss, (2s/rho) prod Z by Hamming distance, without zeros."""
    X, Y, weights = table
    codes, code = Y.argmax(axis=1), make(Y.shape[1])
    sample = sample_of(X, codes, weights)
    booster = AdaBoostMO(1.0, "smooth", words(code), decoding)
    run, _ = played(booster, sample, LabelPartitionLearner(), 8)
    margins = run.state.ensemble.margins(sample, sample.y)
    error = float(sample.prior_shares @ (margins <= 0))
    factor = (1 if decoding == "loss" else 2) * code.shape[1] / least_distance(code)
    bound = factor * float(np.prod(run.history["Z"][: len(run.state.ensemble)]))
    if (code != 0).all():
        assert error <= bound * (1 + 1e-9) + 1e-12
    F = run.state.ensemble(sample)
    decided = (F > 0).astype(int) if F.ndim == 1 else F.argmax(axis=1)
    assert (margins[decided != codes] <= 0).all()
    assert (margins[decided == codes] >= 0).all()


@pytest.mark.parametrize("K", range(1, 8))
def test_codes_tell_classes_apart(K: int) -> None:
    for make in CODES:
        code = make(K)
        assert code.shape[0] == K
        assert len(set(words(code))) == K
        if K > 1:  # every bit parts the classes that it speaks of
            assert ((code == 1).any(axis=0) & (code == -1).any(axis=0)).all()
    assert exhaustive(K).shape[1] == max(1, 2 ** (K - 1) - 1)
    assert one_vs_all(K).shape[1] == K
    if K > 1:
        assert all_pairs(K).shape[1] == K * (K - 1) // 2


def test_random_codes_are_drawn_by_their_seed_and_far_apart() -> None:
    a, b, c = (random_code(26, seed) for seed in (0, 0, 1))
    assert (a == b).all()
    assert (a != c).any()
    assert a.shape == (26, 48)  # 10 lg 26, rounded up
    assert least_distance(a) >= 12
    assert len({tuple(way) for way in a.T.tolist()}) == 48


def test_decoding_by_hand() -> None:
    code = np.array([[1, 1, 0], [-1, 0, 1], [0, -1, -1]], np.int8)
    F = np.array([[0.5, -0.2, 0.0]])
    e = np.exp
    loss = [e(-0.5) + e(0.2) + 1, e(0.5) + 1 + 1, 1 + e(-0.2) + 1]
    assert CodedScores(code, "loss").losses(F)[0] == pytest.approx(loss)
    assert CodedScores(code, "hamming").losses(F)[0].tolist() == [1.5, 2.5, 0.5]


def test_scores_are_minus_the_losses() -> None:
    X, y = load_iris(return_X_y=True)
    for code in ("one-vs-all", "all-pairs", "random", "exhaustive"):
        for decoding in ("loss", "hamming"):
            model = AdaBoostMOClassifier(n_estimators=10, code=code, decoding=decoding).fit(X, y)
            bits = model.ensemble_.labels(model._rows(X))
            assert same_bits(model.decision_function(X), -model.ensemble_.losses(bits))
            assert model.score(X, y) > 0.9
            assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
            assert (np.abs(model.margins(X, y)) <= 1).all()
            *_, last = model.staged_decision_function(X)
            assert same_bits(last, model.decision_function(X))
            assert "bit 0" in str(model.rules(1))
    by_one = AdaBoostMOClassifier(n_estimators=10, code="one-vs-all").fit(X, y)
    mh = AdaBoostMHClassifier(n_estimators=10).fit(X, y)
    assert same_bits(by_one.ensemble_.labels(by_one._rows(X)), mh.decision_function(X))
    mo = AdaBoostClassifier(n_estimators=10, multiclass="mo").fit(X, y)
    assert mo.score(X, y) > 0.9
    assert mo.certify(X, y)[0].holds


def test_early_stopping_and_warm_start_keep_the_code() -> None:
    X, y = load_iris(return_X_y=True)
    early = AdaBoostMOClassifier(n_estimators=30, early_stopping=True, random_state=4).fit(X, y)
    assert early.n_iter_ <= 30
    warm = AdaBoostMOClassifier(n_estimators=4, warm_start=True, random_state=7).fit(X, y)
    warm.set_params(n_estimators=8).fit(X, y)
    straight = AdaBoostMOClassifier(n_estimators=8, random_state=7).fit(X, y)
    assert same_bits(warm.decision_function(X), straight.decision_function(X))


def test_refusals() -> None:
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    wrong: list[tuple[dict[str, Any], Any, str]] = [
        ({"code": "pairs"}, names, "code='pairs' is not allowed: it must be one of 'one-vs-all'"),
        ({"code": [[1, 2], [1, -1]]}, names, r"code\[0\]\[1\] is 2"),
        ({"code": [1, -1]}, names, "a table of -1, 0 and"),
        ({"code": [[1, 1], [-1, 1]]}, names, "code has 2 words and y has 3 classes"),
        (
            {"code": [[1, 1], [-1, 1], [1, 1]]},
            names,
            "the words of classes 'setosa' and 'virginica' in code are equal",
        ),
        ({"code": [[1, 1], [0, 0], [-1, 1]]}, names, "'versicolor' in code holds zeros only"),
        ({"code": "exhaustive"}, np.arange(150) % 13, "2\\^12 - 1 bits"),
        ({"decoding": "best"}, names, "decoding='best' is not allowed"),
        ({"smoothing": "none"}, names, "smoothing='none' is not allowed"),
    ]
    for how, labels, told in wrong:
        with pytest.raises((ValueError, TypeError), match=told):
            AdaBoostMOClassifier(**how).fit(X, labels)
    with pytest.raises(TypeError, match="a table of -1, 0 and"):
        AdaBoostMOClassifier(code=object()).fit(X, names)
