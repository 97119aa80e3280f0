"""The data that rows are measured on; made here, so that nothing is downloaded."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Data:
    """Rows to learn from, and rows to test on."""

    name: str
    X: NDArray[np.floating]
    y: NDArray[np.int64]
    X_test: NDArray[np.floating]
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
