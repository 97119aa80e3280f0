"""Fits that give the same bytes however rows are divided and ordered, on any number of workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import weaklearn as wl

M = 420  # rows
N_PARTITIONS = (1, 3, 7, 16)


def _table() -> tuple[pd.DataFrame, NDArray[np.float64]]:
    """Numbers, whole numbers, gaps and categories, some rows often, and a score."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=M),
            "b": rng.integers(0, 6, M),
            "c": np.where(rng.random(M) < 0.2, np.nan, rng.exponential(size=M)),
            "d": rng.choice(["red", "green", "blue", "black"], M),
        }
    )
    score = frame["a"] + frame["b"].isin([1, 4]) * 2 + frame["c"].fillna(2) * (frame["d"] == "red")
    score = np.array(score + rng.normal(size=M) / 2)
    frame.iloc[::5], score[::5] = frame.iloc[1].to_list(), score[1]
    return frame, score


_X, _SCORE = _table()
_RNG = np.random.default_rng(1)
FRAME = _X.assign(
    number=_SCORE,
    two=(_SCORE > 1).astype(int),
    three=np.digitize(_SCORE, [0.5, 1.8]),
    copies=_RNG.integers(1, 4, M),
    weight=_RNG.uniform(0.2, 3.0, M),
)


@dataclass(frozen=True)
class Case:
    """A fit: the estimator, and the columns of its target and its weights, if any."""

    make: Callable[[], Any]
    target: str
    weight: str | None = None

    @property
    def columns(self) -> list[str]:
        return [*_X, self.target, *([] if self.weight is None else [self.weight])]

    def fit(self, rows: NDArray[Any]) -> str:
        """The fingerprint of the model of some rows."""
        some = FRAME.iloc[rows]
        weights = None if self.weight is None else some[self.weight]
        return str(self.make().fit(some[[*_X]], some[self.target], weights).fingerprint())


def _held(make: Callable[..., Any], **options: Any) -> Callable[[], Any]:
    return lambda: make(n_estimators=30, early_stopping=True, n_iter_no_change=2, **options)


def _box(make: Callable[..., Any]) -> Callable[[], Any]:
    return lambda: make(n_estimators=3, n_bags=2, learning_rate=0.3, n_pairs=1)


_AUTO: dict[str, Any] = {"n_estimators": "auto", "n_iter_no_change": 1, "learning_rate": 0.5}

CASES = {
    "votes": Case(lambda: wl.AdaBoostClassifier(n_estimators=8), "two"),
    "votes of copies": Case(_held(wl.AdaBoostClassifier), "two", "copies"),
    "votes by weights": Case(lambda: wl.AdaBoostClassifier(n_estimators=8), "two", "weight"),
    "votes for three classes": Case(_held(wl.AdaBoostClassifier), "three", "copies"),
    "votes for three by weights": Case(
        lambda: wl.AdaBoostClassifier(n_estimators=8), "three", "weight"
    ),
    "two classes": Case(
        _held(wl.GradientBoostingClassifier, subsample=0.7, max_features=0.6), "two", "copies"
    ),
    "three classes": Case(lambda: wl.GradientBoostingClassifier(n_estimators=4), "three", "weight"),
    "squared loss": Case(_held(wl.GradientBoostingRegressor, subsample=0.5), "number"),
    "squared loss of copies": Case(
        lambda: wl.GradientBoostingRegressor(n_estimators=4), "number", "copies"
    ),
    "rounds found": Case(lambda: wl.GradientBoostingClassifier(**_AUTO), "two", "copies"),
    "rounds found for numbers": Case(lambda: wl.GradientBoostingRegressor(**_AUTO), "number"),
    "glass box": Case(_box(wl.AdditiveBoostingClassifier), "two", "copies"),
    "glass box of numbers": Case(_box(wl.AdditiveBoostingRegressor), "number", "weight"),
}


def ordered(seed: int) -> NDArray[np.int64]:
    """All rows in an order; 0: as they are."""
    rows = np.arange(M)
    return rows if seed == 0 else np.random.default_rng(seed).permutation(rows)
