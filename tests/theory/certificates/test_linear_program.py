"""What is guaranteed of the games whose votes solve a linear program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from tests.boosters.binary import noisy
from tests.boosters.promises import problems, quietly
from weaklearn import (
    ERLPBoostClassifier,
    LPBoostClassifier,
    SoftBoostClassifier,
    TotalBoostClassifier,
    datasets,
)
from weaklearn.theory.bounds import erlpboost_rounds, softboost_rounds

MAKERS = [LPBoostClassifier, TotalBoostClassifier, SoftBoostClassifier, ERLPBoostClassifier]


def told(model: Any, *rows: Any) -> dict[str, Any]:
    return {c.id: c for c in model.certify(*rows) if c.id.startswith("lp-")}


@pytest.mark.parametrize("made", MAKERS)
def test_an_ended_game_shows_its_gap_and_the_value_of_the_game(made: Any) -> None:
    X, y = datasets.toy()
    model = made(nu=0.05 if made is TotalBoostClassifier else "hard").fit(X, y)
    found = told(model, X, y)
    assert all(c.holds for c in found.values())
    gap, value, dual = found["lp-gap"], found["lp-value"], found["lp-dual"]
    assert gap.bound == (model.nu if made is TotalBoostClassifier else model.accuracy)
    assert 0 <= gap.observed + 1e-9 <= gap.bound + 2e-9
    assert value.observed == pytest.approx(1 / 3, abs=1e-9)
    assert 1 / 3 - 1e-9 <= value.bound <= 1 / 3 + gap.bound + 1e-9
    assert dual.observed == pytest.approx(0, abs=1e-8)
    alone = told(model)  # from the record
    assert alone["lp-gap"].observed == pytest.approx(gap.observed, abs=1e-9)
    if "lp-margin-errors" in alone:
        assert "pass the training rows" in alone["lp-margin-errors"].note


@settings(deadline=None, max_examples=12)
@given(problems())
def test_no_certificate_is_ever_violated(problem: tuple[Any, Any, Any]) -> None:
    X, y, w = problem
    for made in MAKERS:
        model = quietly(lambda made=made: made(n_estimators=10).fit(X, y, w))
        for certificate in told(model, X, y, None, None, 0.05, w).values():
            assert certificate.holds is not False, str(certificate)


def test_margin_errors_are_few() -> None:
    X, y = noisy(3, 60, 3)
    model = LPBoostClassifier(nu=0.6, n_estimators=300).fit(X, y)
    errors = told(model, X, y)["lp-margin-errors"]
    assert errors.bound == pytest.approx(0.6)
    assert 0 < errors.observed <= 0.6
    below = np.mean(model.margins(X, y) < model.history_["rho"][-1] - 1e-9)
    assert errors.observed == pytest.approx(below)


def test_rounds_are_counted_to_the_accuracy() -> None:
    X, y = noisy(3, 60, 3)
    soft = SoftBoostClassifier(nu=0.4, accuracy=0.05, n_estimators=400).fit(X, y)
    found = told(soft, X, y)["lp-rounds"]
    assert found.bound == softboost_rounds(0.4, 0.05)
    assert found.observed == len(soft.history_)  # it ends as soon as it may
    erlp = ERLPBoostClassifier(nu=0.4, accuracy=0.05, n_estimators=400).fit(X, y)
    found = told(erlp, X, y)["lp-rounds"]
    assert found.bound == erlpboost_rounds(0.4, 0.05)
    assert found.observed <= len(erlp.history_)


def test_a_run_cut_short_promises_nothing_yet() -> None:
    X, y = noisy(3, 60, 3)
    for made in MAKERS:
        model = made(n_estimators=3).fit(X, y)
        found = told(model, X, y)
        assert found["lp-gap"].holds is None
        assert "not yet, after 3 rounds" in found["lp-gap"].note
        assert found["lp-value"].holds
        if "lp-rounds" in found:
            assert "rounds or more, and 3 were run" in found["lp-rounds"].note


def test_other_rows_prove_nothing() -> None:
    X, y = noisy(3, 60, 3)
    model = LPBoostClassifier(n_estimators=5).fit(X, y)
    for certificate in told(model, X[::-1] + 1, y).values():
        assert "not the rows of training" in certificate.note


def test_a_learner_that_misses_the_best_is_found_out() -> None:
    X, y = datasets.toy()
    calls: list[int] = []

    def weak(X: Any, y: Any, sample_weight: Any) -> Any:
        """The worst rule that beats chance at first, good ones later."""
        calls.append(1)
        rules = [(j, t, s) for j in range(2) for t in np.unique(X[:, j]) + 0.5 for s in (1, -1)]
        r = [sample_weight @ (y * np.where(X[:, j] > t, s, -s)) for j, t, s in rules]
        order = [k for k in np.argsort(r) if r[k] > 0.01]
        j, t, s = rules[order[0] if len(calls) == 1 else order[-1]]
        return lambda Z: np.where(Z[:, j] > t, s, -s)

    model = LPBoostClassifier(weak, nu="hard", n_estimators=12).fit(X, y)
    found = told(model, X, y)
    assert "its hypothesis was not the best" in found["lp-value"].note
    assert found["lp-dual"].holds


def test_nothing_is_said_of_more_classes() -> None:
    X, y = noisy(3, 60, 3)
    y = np.where(X[:, 0] > 4, 2, y)
    assert told(LPBoostClassifier(n_estimators=3).fit(X, y), X, y) == {}
