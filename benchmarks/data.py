"""The data that rows are measured on; made here, so that nothing is downloaded."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .tables import frame


@dataclass(frozen=True, eq=False)
class Data:
    """Rows to learn from, and rows to test on; X is an array, or a DataFrame with categories."""

    name: str
    X: Any
    y: NDArray[np.int64]
    X_test: Any
    y_test: NDArray[np.int64]


@cache
def a(quick: bool = False) -> Data:
    """Data A: 100,000 rows of 50 float32 columns to learn from, 20,000 to test on."""
    from sklearn.datasets import make_classification

    X, y = make_classification(
        n_samples=120_000,
        n_features=50,
        n_informative=20,
        n_redundant=10,
        flip_y=0.05,
        class_sep=0.7,
        random_state=0,
    )
    X = X.astype(np.float32)
    n = 5_000 if quick else 100_000
    m = 2_000 if quick else 20_000
    return Data("A", X[:n], y[:n], X[-m:], y[-m:])


@cache
def breast_cancer(quick: bool = False) -> Data:
    """398 patients to learn from, 171 to test on; 30 columns."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split

    X, y = load_breast_cancer(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)
    return Data("breast cancer", np.ascontiguousarray(X), y, np.ascontiguousarray(X_test), y_test)


@cache
def grown(n_rows: int, n_features: int) -> Data:
    """Continuous columns of any number, half of them telling a little, with noisy labels."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_features)).astype(np.float32)
    signal = X[:, : max(1, n_features // 2)].sum(axis=1) / np.sqrt(n_features)
    y = (signal + rng.normal(size=n_rows) > 0).astype(np.int64)
    return Data(f"{n_rows} x {n_features}", X, y, X[:1000], y[:1000])


@cache
def million(quick: bool = False) -> Data:
    """1,000,000 rows of 28 float32 columns in the manner of collision data, 100,000 to test on.

    21 columns are measured and 7 derived from them; classes overlap, as they do there.
    """
    n, m = (20_000, 5_000) if quick else (1_000_000, 100_000)
    rng = np.random.default_rng(0)
    X = np.empty((n + m, 28), np.float32)
    X[:, :21] = rng.standard_normal((n + m, 21), np.float32)
    X[:, 5:10] = np.exp(0.5 * X[:, 5:10])  # momenta: positive, with a tail
    for k in range(7):
        a, b, c = X[:, k], X[:, 5 + k % 5], X[:, 14 + k]
        X[:, 21 + k] = np.sqrt(a * a + b * b + 0.5 * np.abs(c * b))
    score = (X[:, 21:] - X[:, 21:].mean(axis=0)) @ np.linspace(1.2, -0.9, 7, dtype=np.float32)
    score += X[:, 0] * X[:, 1] - 0.6 * np.abs(X[:, 2]) + 0.4 * np.sin(3 * X[:, 3]) + 0.3
    y = (score + 1.2 * rng.standard_normal(n + m, np.float32) > 0).astype(np.int64)
    return Data("million", X[:n], y[:n], X[n:], y[n:])


@cache
def cores(n_rows: int, n_features: int, quick: bool = False) -> Data:
    """Normal float32 columns of any number for fits on many cores, a tenth as many rows to test on.

    Labels are drawn by the logistic of a score: linear in 60 % of the columns, with an interaction,
    a step and a kink.
    """
    n = min(n_rows, 5_000) if quick else n_rows
    m = min(n // 10, 100_000)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n + m, n_features), np.float32)
    k = round(0.6 * n_features)
    score = X[:, :k] @ (rng.standard_normal(k, np.float32) / np.float32(np.sqrt(k)))
    score += np.sin(2 * X[:, 0]) * X[:, 1] + (X[:, 2] * X[:, 3] > 0) - np.abs(X[:, 4])
    y = (rng.random(n + m, np.float32) < 1 / (1 + np.exp(-score))).astype(np.int64)
    return Data(f"cores {n} x {n_features}", X[:n], y[:n], X[n:], y[n:])


@cache
def letters(folder: Path, quick: bool = False) -> Data:
    """16,000 letters to learn from, 4,000 to test on; 26 classes."""
    table = frame(folder / "letter.csv")
    y = np.unique(table.pop("target").astype(str), return_inverse=True)[1].astype(np.int64)
    X = table.to_numpy(np.float32)
    n = 2_000 if quick else 16_000
    return Data("letters", X[:n], y[:n], X[16_000:], y[16_000:])


@cache
def adult_million(folder: Path, quick: bool = False) -> Data:
    """Adult's 32,561 training rows again and again, up to a million; categories as such."""
    table = frame(folder / "adult.csv.gz")
    y = (table.pop("target") == ">50K").to_numpy(np.int64)
    rows = np.arange(20_000 if quick else 1_000_000) % 32_561
    X_test = table.iloc[32_561:].reset_index(drop=True)
    return Data("adult", table.iloc[rows].reset_index(drop=True), y[rows], X_test, y[32_561:])
