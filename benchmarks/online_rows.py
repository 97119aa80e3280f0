"""Rows of learners that take one example at a time, each on one pass over the same rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from . import measure
from .data import Data
from .peers import OURS
from .rows import Outcome, Row, Run

PEER = "scikit-learn"


@cache
def stream(quick: bool) -> Data:
    """A million rows of 50 numbers, a tenth of whose labels no line gets right."""
    n, m = (20_000, 5_000) if quick else (1_000_000, 100_000)
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(n + m, 50)), rng.normal(size=50)
    y = (X @ w + 2 * rng.normal(size=n + m) > 0).astype(np.int64)
    return Data("stream", X[:n], y[:n], X[n:], y[n:])


def one_pass(run: Run, ours: Callable[[], Any], theirs: Callable[[], Any]) -> Outcome:
    """Whole fits of one pass, rows in their order, no intercept, the same steps."""
    of = stream(run.quick)
    made = {OURS.name: ours, PEER: theirs}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # both say that one pass is not enough
        calls = {name: lambda make=make: make().fit(of.X, of.y) for name, make in made.items()}
        seconds, models = measure.interleaved(calls, run.repeat)
    quality = {
        name: {"accuracy": float(np.mean(model.predict(of.X_test) == of.y_test))}
        for name, model in models.items()
    }
    note = f"{len(of.y):,} rows of 50 float64 columns, one pass"
    return Outcome(seconds, "s", quality, [note], fair=("accuracy", 0.01))


def perceptron(run: Run) -> Outcome:
    import sklearn.linear_model

    import weaklearn

    return one_pass(
        run,
        lambda: weaklearn.Perceptron(max_passes=1, n_jobs=run.threads),
        lambda: sklearn.linear_model.Perceptron(
            max_iter=1, tol=None, shuffle=False, fit_intercept=False
        ),
    )


def _sgd(run: Run, loss: str, called: str) -> Outcome:
    import sklearn.linear_model

    import weaklearn

    return one_pass(
        run,
        lambda: weaklearn.SGDClassifier(loss, max_passes=1, tol=None, n_jobs=run.threads),
        lambda: sklearn.linear_model.SGDClassifier(
            loss=called,
            penalty=None,
            learning_rate="invscaling",
            eta0=1.0,
            power_t=0.5,
            max_iter=1,
            tol=None,
            shuffle=False,
            fit_intercept=False,
        ),
    )


def sgd(run: Run) -> Outcome:
    return _sgd(run, "hinge", "hinge")


def sgd_logistic(run: Run) -> Outcome:
    return _sgd(run, "logistic", "log_loss")


ROWS = (
    Row(
        "perceptron", "a million rows, one pass, whole fit", "scikit-learn Perceptron",
        1, None, perceptron,
    ),
    Row(
        "sgd", "the same, SGD on the hinge loss, steps 1/sqrt(t)", "scikit-learn SGDClassifier",
        1, None, sgd,
    ),
    Row(
        "sgd-logistic", "the same on the logistic loss", "scikit-learn SGDClassifier",
        1, None, sgd_logistic,
    ),
)  # fmt: skip
