"""Data sets to be accurate on: a folder of CSV files, and regression from scikit-learn and them.

A CSV has a header, the target in its last column, named ``target``, an empty cell for a missing
value, and text for categories; files may be gzipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

# Tables that come with a split: the rows before this one are for training, the others for testing.
GIVEN = {"adult": 32561, "letter": 16000, "soybean_large": 307, "vowel": 528}

# Numeric columns as targets for regression.
AMOUNTS = {
    "adult": ("age", "hours_per_week"),
    "covertype": ("elevation", "horizontal_distance_to_roadways"),
}

MOST_ROWS = 20_000  # tables without a split are cut to so many rows, and then split once
MANY_ROWS = 5_000  # from here on five folds are enough


@dataclass(frozen=True)
class Loader:
    """A data set, read when it is called: (X, y, splits)."""

    name: str  # of the table it comes from
    read: Callable[[], tuple[Any, Any]]
    numbers: bool
    n_folds: int
    quick: bool

    def __call__(self) -> tuple[Any, Any, Any]:
        from weaklearn.comparison.trial import folds

        X, y = self.read()
        first = GIVEN.get(self.name)
        if first is not None and not self.quick:
            return X, y, (np.arange(first), np.arange(first, len(y)))
        most = 600 if self.quick else MOST_ROWS
        large = len(y) > most
        if large:
            rows = np.sort(np.random.default_rng(0).permutation(len(y))[:most])
            X, y = (X.iloc[rows] if hasattr(X, "iloc") else X[rows]), y[rows]
        parts = folds(None if self.numbers else y, len(y), self._n_folds(len(y), large), seed=0)
        return X, y, parts[:1] if large and not self.quick else parts

    def _n_folds(self, n_rows: int, large: bool) -> int:
        if self.quick or large:
            return 2 if self.quick else 4
        return min(5, self.n_folds) if n_rows > MANY_ROWS else self.n_folds


def loaders(folder: Path | None, n_folds: int, quick: bool) -> dict[str, Loader]:
    """Every data set by name."""
    found = {}
    for name, path in _files(folder) if folder is not None else ():
        found[name] = Loader(name, partial(_classes, path), False, n_folds, quick)
        for column in AMOUNTS.get(name, ()):
            read = partial(_numbers, path, column)
            found[f"{name}:{column}"] = Loader(name, read, True, n_folds, quick)
    for name, make in _made().items():
        found[name] = Loader(name, make, True, n_folds, quick)
    return found


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    paths = sorted(p for p in folder.iterdir() if p.name.endswith((".csv", ".csv.gz")))
    if not paths:
        raise FileNotFoundError(f"{folder} holds no .csv or .csv.gz file")
    for path in paths:
        yield path.name.removesuffix(".gz").removesuffix(".csv"), path


def frame(path: Path) -> Any:
    """The table of a file, text as categories."""
    import pandas as pd

    table = pd.read_csv(path)
    words = table.columns[[not pd.api.types.is_numeric_dtype(kind) for kind in table.dtypes]]
    return table.astype(dict.fromkeys(words, "category"))


def _classes(path: Path) -> tuple[Any, Any]:
    table = frame(path)
    y = table.pop("target").astype(str).to_numpy(object)
    return table, y


def _numbers(path: Path, column: str) -> tuple[Any, Any]:
    table = frame(path)
    y = table.pop(column).to_numpy(float)
    return table, y


def _made() -> dict[str, Callable[[], tuple[Any, Any]]]:
    from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_friedman3

    return {
        "diabetes": lambda: load_diabetes(return_X_y=True),
        "friedman1": lambda: make_friedman1(2000, noise=1.0, random_state=0),
        "friedman2": lambda: make_friedman2(2000, noise=125.0, random_state=0),
        "friedman3": lambda: make_friedman3(2000, noise=0.1, random_state=0),
    }
