"""Labels that training never had: what sets of known labels cover is said, and no more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.files.error import Flaw
from weaklearn.persistence.kept_estimator import _conformity
from weaklearn.uncertainty.conformity import Conformity


def rare(n: int, share: float, rng: np.random.Generator, classes: int = 10**6) -> tuple[Any, Any]:
    """Rows of two classes that a column tells apart, but for a share in one of many classes."""
    X = rng.normal(size=(n, 2))
    labels = (X[:, 0] > 0).astype(int)
    return X, np.where(rng.random(n) < share, 2 + rng.integers(0, classes, n), labels)


def test_a_promise_is_no_more_than_known_labels_can_keep() -> None:
    """15 % of the rows in rare classes: sets of all known labels cover 85 %, and so it is said."""
    covered, promised = [], []
    for seed in range(150):
        rng = np.random.default_rng([seed, 1])
        model = wl.DecisionStumpClassifier().fit(*rare(60, 0.05, rng))
        X, y = rare(300, 0.15, rng)
        told = model.conformalize(*rare(120, 0.15, rng)).conformal_certificate(0.1)
        with pytest.warns(wl.BoostingWarning) if told.bound < 0.9 - 1e-9 else np.errstate():
            covered.append(model.predict_set(X, alpha=0.1).covers(y).mean())
        promised.append(told.bound)
    assert np.mean(promised) < 0.88
    assert np.mean(covered) >= np.mean(promised) - 0.004  # three deviations of 45,000 rows
    assert np.mean(covered) <= np.mean(promised) + 0.02


def test_what_is_said_of_unknown_labels() -> None:
    rng = np.random.default_rng(0)
    model = wl.DecisionStumpClassifier().fit(*rare(60, 0, rng))
    X, y = rare(99, 0, rng)
    y[:15] = 7
    model.conformalize(X, y)
    told = model.conformal_certificate(0.1)
    assert told.bound == pytest.approx(1 - 16 / 100)
    assert "1 - (u + 1)/(n + 1) = 0.84" in told.statement
    assert "u = 15 of them with labels unknown" in told.note
    assert "a set holds every label that is known" in told.note
    with pytest.warns(
        wl.BoostingWarning, match=r">= 1 - \(u \+ 1\)/\(n \+ 1\) = 0.84, and no more"
    ):
        assert (model.predict_set(X, alpha=0.1).sizes == 2).all()
    fine = model.conformal_certificate(0.2)
    assert fine.bound == pytest.approx(0.8)
    assert "u = 15" in fine.note
    assert "every label" not in fine.note


@pytest.mark.parametrize("unknown", range(12))
def test_the_promise_is_kept_by_all_orders_of_the_rows(unknown: int) -> None:
    """Each of n + 1 rows is the new one in turn: as many are missed as the promises allow."""
    n, alpha = 39, 0.1
    scores = np.r_[np.arange(n + 1 - unknown, dtype=float), np.full(unknown, np.inf)]
    missed, allowed = 0.0, 0.0
    for new in range(n + 1):
        known = Conformity(np.delete(scores, new), "split", False, (), n)
        in_set = scores[new] <= known.threshold(alpha) and np.isfinite(scores[new])
        missed += not in_set
        allowed += known.kept_alpha(alpha)
    assert missed <= allowed + 1e-9
    assert missed >= allowed - 2  # and no constant is wasted


def test_a_class_of_one_row_is_unknown_without_it() -> None:
    """Out of bag and in folds: 30 % of the rows are alone in their classes."""
    rng = np.random.default_rng(3)
    X, y = rare(200, 0.3, rng)
    forest = wl.RandomForestClassifier(n_estimators=30, oob_score=True, random_state=0).fit(X, y)
    fresh, labels = rare(2000, 0.3, rng)
    for how in ("oob", "folds"):
        told = forest.conformalize(X, y, how=how).conformal_certificate(0.1)
        single = np.mean(np.unique(y, return_counts=True)[1][2:] == 1)
        assert single > 0.9
        assert told.bound < 0.5
        with pytest.warns(wl.BoostingWarning, match="no more"):
            sets = forest.predict_set(fresh, alpha=0.1)
        assert told.bound <= sets.covers(labels).mean() < 0.75  # 0.8 was said once


def test_intervals_know_no_labels() -> None:
    known = Conformity(np.array([1.0, 2.0, np.inf]), "folds", True, (), 3)
    assert known.certificate(0.3, labels=False).bound == pytest.approx(0.4)
    assert known.certificate(0.3, labels=True).bound == 0.0


def test_unknown_labels_are_errors_of_test_rows() -> None:
    rng = np.random.default_rng(5)
    X, y = rare(400, 0.2, rng)
    for make in (wl.AdaBoostClassifier, wl.GradientBoostingClassifier):
        model = make(n_estimators=2)
        model.fit(*rare(100, 0, rng))
        found = model.certify(X_test=X, y_test=y).of("test-exact")
        assert found.lower > 0.1
        assert found.bound > np.mean(y > 1)
    X, y = rare(100, 0.1, rng, 3)
    told = wl.AdaBoostClassifier(n_estimators=2, multiclass="ovr").fit(X, y).certify(X, y)
    assert any("labels that may occur" in words for words in told.of("gen-bits").assumed)


@pytest.mark.parametrize(
    "kept",
    [
        ["split", np.array([np.nan]), True],
        ["split", np.array([1.0, 0.0]), True],
        ["split", np.array([0.0, 1.0]), True, 1, False],
        ["split", np.array([0.0, 1.0]), True, 2**70, False],
        ["split", np.array([0.0, 1.0]), True, 2, 1],
        ["split", np.array([0.0, 1.0]), True, 2],
    ],
)
def test_forged_scores_are_refused(kept: Any) -> None:
    """A file may say what it likes; a score that is no number would make empty sets."""
    with pytest.raises(Flaw):
        _conformity(kept, wl.DecisionStumpClassifier())
