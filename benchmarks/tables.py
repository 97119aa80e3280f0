"""Data sets to be accurate on: folders of CSV files, and those that scikit-learn brings or makes.

A CSV has a header, the target in its last column, named ``target``, an empty cell for a missing
value, and text for categories; files may be gzipped. A target of numbers of more than 20 kinds is
one of regression; files without a target are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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

KINDS = 20  # of numbers in a target, beyond which it is to be predicted as a number
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
    most_rows: int = MOST_ROWS

    def __call__(self) -> tuple[Any, Any, Any]:
        from weaklearn.comparison.trial import folds

        X, y = self.read()
        first = GIVEN.get(self.name) if self.most_rows == MOST_ROWS else None
        if first is not None and not self.quick:
            return X, y, (np.arange(first), np.arange(first, len(y)))
        most = 600 if self.quick else self.most_rows
        large = len(y) > most
        if large:
            rows = np.sort(np.random.default_rng(0).permutation(len(y))[:most])
            X, y = (X.iloc[rows] if hasattr(X, "iloc") else X[rows]), y[rows]
        parts = folds(None if self.numbers else y, len(y), self._n_folds(len(y), large), seed=0)
        one = large and not self.quick and self.most_rows == MOST_ROWS
        return X, y, parts[:1] if one else parts

    def _n_folds(self, n_rows: int, large: bool) -> int:
        if self.quick or (large and self.most_rows == MOST_ROWS):
            return 2 if self.quick else 4
        return min(5, self.n_folds) if n_rows > MANY_ROWS else self.n_folds


def loaders(
    folders: Sequence[Path], n_folds: int, quick: bool, most_rows: int = MOST_ROWS
) -> dict[str, Loader]:
    """Every data set by name.

    With other ``most_rows`` than usual every table is cut to so many rows, and dealt to folds.
    """
    found = {}
    how = (n_folds, quick, most_rows)
    for name, path in (each for folder in folders for each in _files(folder)):
        numbers = _of_numbers(path)
        if numbers is None:
            continue
        read = partial(_numbers, path, "target") if numbers else partial(_classes, path)
        found[name] = Loader(name, read, numbers, *how)
        for column in AMOUNTS.get(name, ()):
            found[f"{name}:{column}"] = Loader(name, partial(_numbers, path, column), True, *how)
    for name, make in _made().items():
        found[name] = Loader(name, make, True, *how)
    for name, load in _bundled().items():
        found[name] = Loader(name, load, False, *how)
    return found


def _of_numbers(path: Path) -> bool | None:
    """Whether the target of a file is to be predicted as a number; None where there is none."""
    import pandas as pd

    if "target" not in pd.read_csv(path, nrows=0).columns:
        return None
    y = pd.read_csv(path, usecols=["target"])["target"]
    return bool(pd.api.types.is_numeric_dtype(y) and y.nunique() > KINDS)


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


def _bundled() -> dict[str, Callable[[], tuple[Any, Any]]]:
    from sklearn.datasets import load_breast_cancer, load_digits, load_wine

    return {
        "wdbc": lambda: load_breast_cancer(return_X_y=True),
        "wine": lambda: load_wine(return_X_y=True),
        "digits": lambda: load_digits(return_X_y=True),
    }
