"""A table of every kind of column, with gaps, rare values and values met only later."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd


@cache
def mixed_table(n: int = 240) -> tuple[pd.DataFrame, Any, Any, Any]:
    """X, and labels of two classes, of three, and numbers."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float),
            "dose": rng.normal(size=n),
            "town": rng.choice(["Oslo", "Bergen", 'Å "quoted" \\ town', "Hamar"], n),
            "ward": rng.choice(["a", "b", "c"], n),
            "smoker": rng.random(n) < 0.3,
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 400, n), "D"),
            "waited": pd.to_timedelta(rng.integers(0, 9000, n), "s"),
            "key": 2**60 + rng.integers(0, 1000, n),
        }
    )
    X.loc[rng.random(n) < 0.15, "age"] = np.nan
    X.loc[rng.random(n) < 0.1, "town"] = None
    X.loc[rng.random(n) < 0.1, "day"] = pd.NaT
    X.loc[[3, 70], "town"] = "Rare"
    late = (X["day"] > pd.Timestamp("2024-08-01")).to_numpy()
    score = (
        (X["age"].fillna(70) > 50).to_numpy() * X["dose"].to_numpy()
        + 0.7 * X["town"].isin(["Oslo", "Hamar"]).to_numpy()
        + 0.5 * late
        - 0.4 * X["smoker"].to_numpy() * (X["ward"] == "b").to_numpy()
        + 0.0005 * (X["key"].to_numpy() - 2**60)
        + rng.normal(scale=0.2, size=n)
    )
    two = np.where(score > np.median(score), "yes", "no")
    three = np.array(["low", "middle", "high"])[np.digitize(score, np.quantile(score, [0.3, 0.7]))]
    return X, two, three, score


def later_rows() -> pd.DataFrame:
    """Rows as they may come later: gaps everywhere, and values that training never saw."""
    X = mixed_table()[0].iloc[:60].copy()
    rng = np.random.default_rng(6)
    X["smoker"] = X["smoker"].astype(object)
    X["key"] = X["key"].astype("Int64")
    for name in X.columns:
        X.loc[X.index[rng.random(len(X)) < 0.15], name] = None
    X.loc[X.index[:6], "town"] = ["Trondheim", "", "Rare", "oslo", "nan", "None"]
    X.loc[X.index[6:9], "dose"] = [1e300, -1e300, 0.0]
    return X
