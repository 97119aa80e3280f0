"""Certificates of the boosters of labels hold where they apply, and say why where they do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.boosters.labelled import tables
from weaklearn import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaBoostMOClassifier,
    AdaBoostMRClassifier,
)

pytestmark = pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")
OWN = ("mh-", "mo-", "mr-")


def own(found: Any) -> dict[str, Any]:
    return {c.id: c for c in found if c.id.startswith(OWN)}


def models(rate: float) -> list[Any]:
    how = {"n_estimators": 8, "learning_rate": rate}
    return [
        AdaBoostMHClassifier(**how),
        AdaBoostMHClassifier(**how, form="product"),
        AdaBoostMRClassifier(**how),
        AdaBoostMOClassifier(**how, code="exhaustive"),
        AdaBoostMOClassifier(**how, code="one-vs-all", decoding="hamming"),
        AdaBoostClassifier(**how, multiclass="mh"),
    ]


@settings(deadline=None, max_examples=25)
@given(tables(one_label=True), st.sampled_from([1.0, 0.4]))
def test_every_bound_holds(table: Any, rate: float) -> None:
    X, Y, weights = table
    y = Y.argmax(axis=1)
    for model in models(rate):
        model.fit(X, y, weights)
        for found in (own(model.certify(X, y, sample_weight=weights)), own(model.certify())):
            for certificate in found.values():
                assert certificate.holds in (None, True), certificate
        if len(model.classes_) > 2 and model.n_iter_:
            assert own(model.certify(X, y, sample_weight=weights))


def test_what_does_not_apply_says_why() -> None:
    X, y = np.arange(8.0)[:, None], np.array([0, 1, 2, 0, 1, 2, 0, 1])
    zeros = AdaBoostMOClassifier(n_estimators=3, code="all-pairs").fit(X, y)
    assert "the code has zeros" in own(zeros.certify(X, y))["mo-train"].note
    alone = AdaBoostMOClassifier(n_estimators=3, code="exhaustive").fit(X, y)
    assert "pass the training rows" in own(alone.certify())["mo-train"].note
    slow = AdaBoostMRClassifier(n_estimators=3, learning_rate=0.5).fit(X, y)
    assert "not the algorithm's own" in own(slow.certify(X, y))["mr-edges"].note
    other = AdaBoostMHClassifier(n_estimators=3).fit(X, y)
    assert "not the rows of training" in own(other.certify(X + 1, y))["mh-hamming"].note
    weighed = AdaBoostMHClassifier(n_estimators=3).fit(X, y, np.linspace(0.5, 1.5, 8))
    assert "weights were given" in own(weighed.certify())["mh-hamming"].note


def test_a_perfect_rule_has_the_bound_zero() -> None:
    X, y = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]
    for make in (AdaBoostMHClassifier, AdaBoostMRClassifier):
        found = own(make(n_estimators=3).fit(X, y).certify(X, y))
        assert {(c.observed, c.bound) for c in found.values()} == {(0.0, 0.0)}
