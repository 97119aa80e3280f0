"""Fits of times until an event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

import weaklearn
from weaklearn import (
    AdditiveBoostingRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    losses,
    merge,
    runtime,
)
from weaklearn.boosters.gradient import GradientBoosting
from weaklearn.metrics import concordance_index

RNG = np.random.default_rng(1)
N = 400
X = RNG.normal(size=(N, 3)).round(1)
LOG_HAZARD = X[:, 0] + np.sin(2 * X[:, 1])
TRUE = np.exp(-LOG_HAZARD + 0.5 * np.log(RNG.exponential(size=N)))
SEEN = RNG.exponential(3.0, N)
EVENT, TIME = TRUE <= SEEN, np.minimum(TRUE, SEEN).round(2) + 0.01
Y = np.empty(N, [("event", bool), ("time", float)])
Y["event"], Y["time"] = EVENT, TIME
COPIES = RNG.integers(1, 4, N)
ORDER = RNG.permutation(np.repeat(np.arange(N), COPIES))
LOSSES: list[Any] = ["cox", "aft", losses.AFT("extreme"), losses.AFT("normal")]
some = pytest.mark.parametrize("loss", LOSSES, ids=str)


def quick(loss: Any, **given: Any) -> GradientBoostingRegressor:
    return GradientBoostingRegressor(loss, learning_rate=0.2, **{"n_estimators": 20} | given)


@some
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"n_estimators": "auto"},
        {"n_estimators": 60, "early_stopping": True, "n_iter_no_change": 5},
    ],
    ids=["rounds", "auto", "stopping"],
)
def test_neither_order_nor_copies_matter(loss: Any, given: dict[str, Any]) -> None:
    model = quick(loss, **given)
    weighed = model.fit(X, Y, COPIES).fingerprint()
    assert model.fit(X[ORDER], Y[ORDER]).fingerprint() == weighed


@some
def test_weights_count_in_every_sum(loss: Any) -> None:
    """Halves of all weights are all weights, in the rounds that folds find too."""
    w = RNG.random(N) + 0.1
    model = quick(loss, n_estimators="auto")
    once = model.fit(X, Y, w).fingerprint()
    assert model.fit(X, Y, w / 2).fingerprint() == once
    held = quick(loss, n_estimators=30, early_stopping=True).fit(X, Y, w)
    assert np.isfinite(held.validation_losses_).all()


@some
def test_who_comes_first_is_learnt(loss: Any) -> None:
    model = quick(loss, n_estimators="auto").fit(X[:300], Y[:300])
    assert model.score(X[300:], Y[300:]) > 0.75
    risk = model.predict(X) * (1 if loss == "cox" else -1)
    assert model.score(X, Y) == pytest.approx(concordance_index(EVENT, TIME, risk))
    assert list(model.staged_score(X, Y))[-1] == model.score(X, Y)
    assert cross_val_score(quick(loss), X, Y, cv=3).min() > 0.7


@some
def test_survival_is_what_is_seen(loss: Any) -> None:
    model = quick(loss).fit(X, Y)
    times = [0.0, 0.5, 1.0, 3.0]
    S = model.predict_survival(X, times)
    assert S.shape == (N, 4)
    assert (S[:, 0] == 1).all()
    assert (np.diff(S, axis=1) <= 0).all()
    true = [np.mean(TRUE > t) for t in times]
    np.testing.assert_allclose(S.mean(axis=0), true, atol=0.08)


@some
def test_files_and_runtime_answer_alike(loss: Any, tmp_path: Path) -> None:
    model = quick(loss).fit(X, Y)
    model.save(tmp_path / "cox.weak")
    loaded, small = weaklearn.load(tmp_path / "cox.weak"), runtime.load(tmp_path / "cox.weak")
    assert loaded.fingerprint() == model.fingerprint()
    for other in (loaded, small):
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
        found = other.predict_survival(X, [0.5, 2.0])
        np.testing.assert_array_equal(found, model.predict_survival(X, [0.5, 2.0]))


@some
def test_frames_and_names_of_fields_do_not_matter(loss: Any) -> None:
    mine = quick(loss).fit(X, Y).fingerprint()
    frame = pd.DataFrame({"days": TIME, "died": EVENT})
    assert quick(loss).fit(X, frame).fingerprint() == mine
    renamed = np.array(list(zip(TIME, EVENT, strict=True)), [("t", float), ("d", bool)])
    assert quick(loss).fit(X, renamed).fingerprint() == mine


@some
def test_rounds_are_judged_by_a_score(loss: Any) -> None:
    """A callable is asked with y as it came: (event, time)."""

    def concordance(model: Any, X: Any, y: Any) -> float:
        return float(model.score(X, y))

    model = quick(loss, n_estimators="auto", scoring=concordance).fit(X[:300], Y[:300])
    assert model.validation_scores_.max() > 0.75
    held = quick(loss, n_estimators=40, early_stopping=True).fit(
        X[:300], Y[:300], X_val=X[300:], y_val=Y[300:]
    )
    assert held.history_["validation_loss"][0] > held.history_["validation_loss"].min()


def test_a_warm_start_goes_on() -> None:
    model = quick("cox", n_estimators=5, warm_start=True).fit(X, Y)
    more = model.set_params(n_estimators=12).fit(X, Y)
    straight = quick("cox", n_estimators=12, warm_start=True).fit(X, Y)
    assert more.fingerprint() == straight.fingerprint()


@some
def test_a_refit_finds_baseline_and_scale_anew(loss: Any) -> None:
    slower = Y.copy()
    slower["time"] **= 2
    model = quick(loss, subsample=1.0).fit(X, Y).refit(X, slower, keep=0.5)
    booster = GradientBoosting(model._loss, 1.0)
    sample = model._prepare(X, slower, None, True).sample
    known = model._known_of_loss(booster, sample, model.ensemble_)
    for name, value in known.items():
        np.testing.assert_array_equal(getattr(model, name), value)
    early, late = model.predict_survival(X, [0.01, 100.0]).T
    assert (early > late).all()
    alike = quick(loss, subsample=1.0).fit(X, Y).refit(X, slower, COPIES, keep=0.5)
    copied = quick(loss, subsample=1.0).fit(X, Y).refit(X[ORDER], slower[ORDER], keep=0.5)
    assert alike.fingerprint() == copied.fingerprint()


@some
def test_a_merged_model_knows_no_survival(loss: Any) -> None:
    both = merge([quick(loss).fit(X[::2], Y[::2]), quick(loss).fit(X[1::2], Y[1::2])])
    assert both.score(X, Y) > 0.7
    with pytest.raises(AttributeError, match="truncated or merged"):
        both.predict_survival(X, [1.0])
    assert both.refit(X, Y, keep=0.9).predict_survival(X, [1.0]).shape == (N, 1)


def test_a_constant_log_hazard_changes_no_survival() -> None:
    offset = np.full(N, 2.0)
    plain = quick("cox", subsample=1.0).fit(X, Y).predict_survival(X, [1.0])
    moved = quick("cox", subsample=1.0).fit(X, Y, offset=offset)
    np.testing.assert_allclose(moved.predict_survival(X, [1.0], offset=offset), plain, rtol=1e-6)


def test_exports_write_the_score_or_the_time() -> None:
    for loss in ("cox", "aft"):
        model = quick(loss).fit(X, Y)
        scope: dict[str, Any] = {}
        exec(model.to_python(), scope)
        found = [scope["predict"](row) for row in X[:5].tolist()]
        np.testing.assert_allclose(found, model.predict(X[:5]), rtol=1e-12)


NO_EVENT = Y.copy()
NO_EVENT["event"] = False
ZERO = Y.copy()
ZERO["time"][3] = 0.0
GAP = Y.copy()
GAP["time"][3] = np.nan


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda: quick("cox").fit(X, TIME), "times of events are a structured array"),
        (lambda: quick("cox").fit(X, pd.Series(TIME)), r"y is a Series; .*came.astype\(bool\)"),
        (
            lambda: quick("aft").fit(X, pd.DataFrame({"a": EVENT.astype(int), "b": TIME})),
            r"make bool of the column of 0 and 1 by .astype\(bool\)",
        ),
        (lambda: quick("cox").fit(X, np.column_stack([EVENT, TIME])), "a structured array or a"),
        (lambda: quick("cox").fit(X, pd.DataFrame({"a": TIME, "b": TIME})), "one column of bool"),
        (lambda: quick("cox").fit(X, NO_EVENT), "y holds no event"),
        (lambda: quick("aft").fit(X, ZERO), r"time of y\[3\] is 0.0; times are numbers above 0"),
        (lambda: quick("aft").fit(X, GAP), "Input y contains NaN"),
        (lambda: quick("cox").fit(X, Y[:-1]), "X has 400 rows, y has 399"),
        (lambda: AdditiveBoostingRegressor("cox").fit(X, TIME), "loss='cox' is not allowed"),
        (lambda: AdditiveBoostingRegressor(losses.Cox()).fit(X, TIME), "is not allowed"),
        (lambda: GradientBoostingClassifier(losses.Cox()).fit(X, EVENT), "it is for times of eve"),
        (lambda: quick("aft", scoring="r2").fit(X, Y), "scoring='r2' compares labels or numbers"),
        (lambda: quick("squared_error").fit(X, Y), "a regressor needs numbers"),
        (lambda: quick("cox").fit(X, Y).predict_survival(X, [-1.0]), "numbers of at least 0"),
        (lambda: quick("cox").fit(X, Y).conformalize(X + 9, TIME), "learns times of events"),
    ],
)
def test_what_is_refused(change: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        change()


def test_survival_of_others_is_refused() -> None:
    with pytest.raises(AttributeError, match="learns no times of events"):
        quick("squared_error").fit(X, TIME).predict_survival(X, [1.0])
    with pytest.raises(AttributeError, match="a truncated or merged model knows no"):
        quick("cox").fit(X, Y).truncate(3).predict_survival(X, [1.0])


@pytest.mark.parametrize("times", [["a"], [[1.0], [2.0, 3.0]], 5.0, [-1.0], [np.nan], None])
def test_times_that_are_no_numbers_are_refused_by_name(times: Any) -> None:
    X = np.arange(20.0)[:, None]
    y = np.array([(True, 1.0 + k) for k in range(20)], [("came", bool), ("days", float)])
    model = weaklearn.GradientBoostingRegressor("cox", n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="times must be a list"):
        model.predict_survival(X, times)
