"""Stumps and trees as SQL say the same in SQLite as in the library."""

from __future__ import annotations

import re
import sqlite3

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from tests.export.test_sql_c_python import select
from tests.export.test_trees import MODELS, chain, expected, fitted, tied
from tests.mixed_table import later_rows
from weaklearn.estimators.trees.bag_export import adds_up

EXACT = {"rtol": 1e-12, "atol": 1e-12}
REFUSED = {"fraction"}  # missing values go to several branches


def is_written(name: str) -> bool:
    model = fitted(name)
    averaged = hasattr(model, "estimators_features_") and not adds_up(model.estimators_[0])
    return name not in REFUSED and not averaged


@pytest.mark.parametrize("name", MODELS)
def test_sql_says_the_same(name: str) -> None:
    model, X = fitted(name), later_rows()
    if not is_written(name):
        with pytest.raises(ValueError, match="SQL does not write; use to_python"):
            model.to_sql()
        return
    scores, shares, labels = expected(model, X)
    names, rows = select(model, X)
    found = {name: [row[k] for row in rows] for k, name in enumerate(names)}
    K = scores.shape[1]
    of_scores = ["score"] if K == 1 else [f"score_{label}" for label in model.classes_]
    np.testing.assert_allclose(np.transpose([found[n] for n in of_scores]), scores, **EXACT)
    of_shares = [n for n in names if n.startswith("probability")]
    assert bool(of_shares) == (shares is not None)
    if shares is not None:
        wanted = shares[:, 1:] if K == 1 else shares
        np.testing.assert_allclose(np.transpose([found[n] for n in of_shares]), wanted, **EXACT)
    if hasattr(model, "classes_"):
        assert found["prediction"] == labels.tolist()
    else:
        np.testing.assert_allclose(found["prediction"], labels, **EXACT)


def test_votes_that_tie_in_the_model_tie_in_sql() -> None:
    for seed in [6 * k for k in range(12)] + [1, 3, 5]:
        model, X = tied(seed)
        table = pd.DataFrame(X, columns=[f"x[{j}]" for j in range(X.shape[1])])
        _, rows = select(model, table)
        assert [row[-1] for row in rows] == model.predict(X).tolist(), seed


def test_trees_of_any_depth() -> None:
    """Databases parse few cases in one another; what lies deeper is added apart."""
    X = np.arange(120.0)[:, None]
    model = wl.DecisionTreeRegressor().fit(pd.DataFrame(X, columns=["x"]), np.arange(120))
    model.tree_ = chain(X[:, 0])
    _, rows = select(model, pd.DataFrame(X, columns=["x"]))
    assert [row[-1] for row in rows] == model.predict(pd.DataFrame(X, columns=["x"])).tolist()


def test_the_head_says_how_dates_become_numbers() -> None:
    rng = np.random.default_rng(0)
    days = pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(-20_000, 500, 200), unit="D")
    X = pd.DataFrame(
        {"the day": days, "hour": days + pd.Timedelta("1h"), "x": rng.normal(size=200)}
    )
    model = wl.GradientBoostingRegressor(n_estimators=5).fit(X, days.year + X["hour"].dt.month)
    source = model.to_sql("numbers", keep="x")
    assert source.count("in SQLite") == source.count("in PostgreSQL") == 1  # not of the hours
    (way,) = re.findall("-- +from a date, in SQLite: (.*)", source)
    base = sqlite3.connect(":memory:")
    hours = X["hour"].astype("datetime64[ns]").astype("int64")
    rows = X.assign(**{"the day": days.strftime("%Y-%m-%d"), "hour": hours})
    rows.to_sql("texts", base, index=False)
    base.execute(f'CREATE VIEW numbers AS SELECT {way} AS "the day", "hour", "x" FROM texts')
    found = pd.read_sql(source, base)
    np.testing.assert_allclose(found["prediction"], model.predict(X), rtol=1e-12)
