"""Additive models of a table with every kind of column, and with hostile names and levels."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from weaklearn import losses
from weaklearn.base.messages.warnings import DataWarning
from weaklearn.base.trees.term import Axis, Term, TermSum
from weaklearn.estimators.gradient.additive import (
    AdditiveBoostingClassifier,
    AdditiveBoostingRegressor,
)
from weaklearn.intake.schema import Schema

HOSTILE = "na\"me'; DROP TABLE data;--\n*/ ??/ \\"
LEVELS = [
    "it's",
    'say "hi"',
    "line\nbreak",
    "back\\slash",
    "*/ int x; /*",
    "??/",
    "%s {0} NAME",
    "  two  spaces ",
    "größe ☃",
    "",
]


def table(n: int = 600, seed: int = 0) -> pd.DataFrame:
    """Numbers, categories, flags, dates with and without a zone, durations, wide integers."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(17, 90, n).astype(float),
            "sex": rng.choice(["f", "m"], n),
            HOSTILE: rng.choice(LEVELS, n),
            "when": pd.Timestamp("2020-01-01")
            + pd.to_timedelta(rng.integers(0, 10**6, n), unit="min"),
            "there": pd.Timestamp("2020-01-01", tz="Europe/Berlin")
            + pd.to_timedelta(rng.integers(0, 400, n), unit="D"),
            "took": pd.to_timedelta(rng.integers(0, 10**14, n), unit="ns"),
            "wide": 2**60 + rng.integers(0, 40, n),
            "grade": pd.Categorical(rng.integers(1, 5, n)),
            "ratio": rng.normal(size=n),
        }
    )
    X.loc[::11, "age"] = np.nan
    X.loc[::7, HOSTILE] = None
    X.loc[::13, "when"] = pd.NaT
    X.loc[:5, "sex"] = ["rare", "seldom", "rare", "odd", "odd", "new"]  # fewer than five each
    return X


def truth(X: pd.DataFrame) -> Any:
    """A score that every column has a part in."""
    age = X["age"].fillna(40)
    wide = (X["wide"] - 2**60).astype(float)
    score = (age - 50) / 15 + (X["sex"] == "m") * (age > 40) * 1.5 + (X[HOSTILE] == "it's") * 2
    score -= (X["when"] > pd.Timestamp("2021-01-01")) * 1.0
    score += (X["there"] > pd.Timestamp("2020-06-01", tz="Europe/Berlin")) * 0.8
    score += (X["took"] > pd.Timedelta("10h")) * 2.0 + (wide > 20) * 0.9
    return np.asarray(score + (X["grade"].astype(int) == 3) * 1.0 + np.sin(2 * X["ratio"]))


def strange_rows() -> pd.DataFrame:
    """Rows as training never had them: other levels, missing values in every column."""
    X = table(40, seed=1)
    X["sex"] = X["sex"].astype(object)
    X.loc[:9, "sex"] = "never seen"
    X.loc[10:14, "sex"] = None
    X.loc[:4, HOSTILE] = "never seen"
    X.loc[5:8, ["there"]] = pd.NaT
    X.loc[9:12, ["took"]] = pd.NaT
    X.loc[13:15, "ratio"] = np.nan
    X.loc[16:18, "grade"] = np.nan
    X.loc[20, "age"], X.loc[21, "age"] = -1e9, 1e9
    return X


_PAIRS = [("age", "sex"), (HOSTILE, "when"), ("wide", "ratio")]
_QUICK: dict[str, Any] = {
    **{"n_estimators": 25, "n_bags": 2, "pairs": _PAIRS, "max_bins": 32},
    **{"max_leaf_nodes": 4, "max_features": 0.5},
}


@cache
def model(form: str) -> Any:
    """A fitted model; those who edit it take a copy."""
    X = table()
    score = truth(X)
    noise = np.random.default_rng(2).logistic(size=len(X))
    if form == "two":
        y = np.where(score + noise > 0, "it's a 'yes'", "no")
        return AdditiveBoostingClassifier(**_QUICK).fit(X, y)
    if form == "exponential":
        return AdditiveBoostingClassifier("exponential", **_QUICK).fit(X, score + noise > 0)
    if form == "three":
        y = np.digitize(score + noise, [-1, 1.5])
        return AdditiveBoostingClassifier(**_QUICK).fit(X, y)
    if form == "one":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)
            return AdditiveBoostingClassifier(**_QUICK).fit(X, np.full(len(X), "always"))
    if form == "poisson":
        return AdditiveBoostingRegressor("poisson", **_QUICK).fit(X, np.exp(score / 4).round())
    assert form == "numbers"
    return AdditiveBoostingRegressor(**_QUICK).fit(X, score + noise)


def assembled(X: Any, axes: list[Axis], values: list[Any], counts: Any = None) -> Any:
    """A regressor with the given terms of one column; X gives names and kinds."""
    schema, _ = Schema.learn(X)
    terms = []
    for axis, numbers in zip(axes, values, strict=True):
        table = np.asarray(numbers, np.float64)[..., None]
        count = np.ones(table.shape[:-1]) if counts is None else np.asarray(counts, np.float64)
        terms.append(Term((axis,), table, table - 0.5, table + 0.5, count))
    made = AdditiveBoostingRegressor()
    made.ensemble_ = TermSum(np.array([0.25]), tuple(terms))
    made._schema, made._loss = schema, losses.Squared()
    made.n_features_in_ = schema.n_features
    return made
