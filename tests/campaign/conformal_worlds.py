"""Worlds of conformal sets and intervals, and of drift, which takes their promise away.

With 19 calibration rows and alpha = 0.1 the 18th score is the threshold, and scores without ties
are above it with probability 0.1 exactly: the promise has no room. Every world has one new row, so
that worlds are independent of one another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import weaklearn as wl
from tests.campaign.statistics import Kind, World

Rng = np.random.Generator

ALPHA, N = 0.1, 19
UNKNOWN = 10**6  # as many labels as make it unlikely to see one twice


def _numbers(rng: Rng, n: int) -> tuple[Any, Any]:
    X = rng.normal(size=(n, 2))
    return X, X[:, 0] + rng.normal(size=n) * (1 + (X[:, 1] > 0))


def _labels(rng: Rng, n: int, unknown: float = 0.0, classes: int = 2) -> tuple[Any, Any]:
    X = rng.normal(size=(n, 2))
    y = np.clip(np.floor(X[:, 0] + rng.normal(size=n) + classes / 2), 0, classes - 1).astype(int)
    return X, np.where(rng.random(n) < unknown, classes + rng.integers(0, UNKNOWN, n), y)


def _outside(model: Any, X: Any, y: Any) -> bool:
    low, high = model.predict_interval(X, ALPHA)[0]
    return not low <= y[0] <= high


def _promised(model: Any) -> float:
    """The share that may be missed."""
    return 1.0 - float(model.conformal_certificate(ALPHA).bound)


def _intervals(make: Callable[[], Any], copies: str | None = None) -> World:
    model = make().fit(*_numbers(np.random.default_rng(0), 60))

    def world(rng: Rng) -> tuple[bool, float]:
        X, y = _numbers(rng, N)
        times = 1 if copies is None else 1 + np.minimum(20 * rng.pareto(0.5, N), 2000).astype(int)
        given = {} if copies is None else {"repeats": copies}
        model.conformalize(np.repeat(X, times, axis=0), np.repeat(y, times), **given)
        return _outside(model, *_numbers(rng, 1)), _promised(model)

    return world


def _sets(make: Callable[[], Any], classes: int, unknown: float = 0.0, n: int = N) -> World:
    model = make().fit(*_labels(np.random.default_rng(0), 60, classes=classes))

    def world(rng: Rng) -> tuple[bool, float]:
        model.conformalize(*_labels(rng, n, unknown, classes))
        X, y = _labels(rng, 1, unknown, classes)
        return y[0] not in model.predict_set(X, ALPHA)[0], _promised(model)

    return world


def _sets_as_said_before() -> World:
    """1 - alpha for sets of all known labels, where 15 % of the labels are unknown."""
    world = _sets(_linear, 2, 0.15, 99)
    return lambda rng: (world(rng)[0], ALPHA)


def _unseen(make: Callable[[], Any], how: str, draw: Callable[..., Any], copies: int = 1) -> World:
    """Training rows judged by what was fitted without them, and one new row."""

    def world(rng: Rng) -> tuple[bool, float]:
        X, y = (np.repeat(array, copies, axis=0) for array in draw(rng, 39))
        model = make().fit(X, y).conformalize(X, y, how=how)
        X, y = draw(rng, 1)
        if hasattr(model, "predict_set"):
            return y[0] not in model.predict_set(X, ALPHA)[0], _promised(model)
        return _outside(model, X, y), _promised(model)

    return world


def _drift(shift: float, *, noticed: bool) -> World:
    """400 new rows with one column moved by so many deviations: "ok" is wrong, or an alarm is."""
    rng = np.random.default_rng(0)
    X, y = _labels(rng, 400)
    model = wl.AdaBoostClassifier(n_estimators=5).fit(X, y)

    def world(rng: Rng) -> tuple[bool, float]:
        new = rng.normal(size=(400, 2))
        new[:, 1] += shift
        return model.check(new).ok == noticed, 0.0

    return world


def _lost_by_drift() -> World:
    """The interval of a row from where no row of training was."""
    model = _tree().fit(*_numbers(np.random.default_rng(0), 60))

    def world(rng: Rng) -> tuple[bool, float]:
        model.conformalize(*_numbers(rng, N))
        X, y = _numbers(rng, 1)
        return _outside(model, X + 3, y + 6), _promised(model)

    return world


def _linear() -> Any:
    return wl.SGDClassifier("logistic", max_passes=5)


def _tree() -> Any:
    return wl.DecisionTreeRegressor(max_depth=2)


def _quantiles() -> Any:
    return wl.GradientBoostingRegressor(n_estimators=10, loss="quantile", quantile=[0.1, 0.9])


def _forest(kind: Callable[..., Any]) -> Any:
    return kind(n_estimators=12, max_depth=3, oob_score=True, random_state=0)


def kinds() -> list[Kind]:
    """All kinds of conformal answers, and of drift."""
    numbers, classes = (
        partial(_forest, wl.RandomForestRegressor),
        partial(_forest, wl.RandomForestClassifier),
    )
    stump, rare = wl.DecisionStumpClassifier, partial(_labels, unknown=0.3)
    return [
        Kind("intervals, split", lambda: _intervals(_tree), ALPHA),
        Kind("intervals, split, of quantiles", lambda: _intervals(_quantiles), ALPHA),
        Kind("intervals, split, calibration rows copied", lambda: _intervals(_tree, "copies")),
        Kind("intervals, copies taken for draws", lambda: _intervals(_tree, "draws"), None, True),
        Kind("intervals, out of bag", lambda: _unseen(numbers, "oob", _numbers)),
        Kind("intervals, out of bag, rows copied", lambda: _unseen(numbers, "oob", _numbers, 4)),
        Kind("intervals, folds", lambda: _unseen(_tree, "folds", _numbers)),
        Kind("intervals, folds, rows copied", lambda: _unseen(_tree, "folds", _numbers, 4)),
        Kind("sets, split, two classes", lambda: _sets(_linear, 2), ALPHA),
        Kind("sets, split, four classes", lambda: _sets(wl.CentroidClassifier, 4)),
        Kind("sets, split, 5 % unknown labels", lambda: _sets(_linear, 2, 0.05, 99)),
        Kind("sets, split, 10 % unknown labels", lambda: _sets(_linear, 2, 0.1, 99)),
        Kind("sets, split, 15 % unknown labels", lambda: _sets(_linear, 2, 0.15, 99)),
        Kind("sets, 15 % unknown, said to cover 90 %", _sets_as_said_before, 0.15, True),
        Kind("sets, out of bag", lambda: _unseen(classes, "oob", _labels)),
        Kind("sets, out of bag, 30 % in rare classes", lambda: _unseen(classes, "oob", rare)),
        Kind("sets, folds", lambda: _unseen(stump, "folds", _labels)),
        Kind("sets, folds, 30 % in rare classes", lambda: _unseen(stump, "folds", rare)),
        Kind("drift of one deviation, unnoticed", lambda: _drift(1.0, noticed=True), 0.0),
        Kind("no drift, alarm", lambda: _drift(0.0, noticed=False), 0.0),
        Kind("intervals after drift, said to cover", _lost_by_drift, None, True),
    ]
