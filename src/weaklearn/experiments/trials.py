"""Repeated trials: cross-validation, and means with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit
from sklearn.model_selection import KFold, StratifiedKFold

from .data_folder import Table

Floats = NDArray[np.float64]
Judge = Callable[[Table, Table, int], Any]  # training rows, test rows, seed -> numbers


def folds(
    table: Table, n_folds: int, n_runs: int, seed: int, stratified: bool = True
) -> Iterator[tuple[Table, Table, int]]:
    """Training rows, test rows and a seed for each fold of each run of cross-validation."""
    kind = StratifiedKFold if stratified else KFold
    for run in range(n_runs):
        splitter = kind(n_folds, shuffle=True, random_state=seed + run)
        for k, (train, test) in enumerate(splitter.split(np.zeros(len(table)), table.y)):
            yield table.take(train), table.take(test), 1000 * (seed + run) + k


def cross_validated(
    judge: Judge, table: Table, n_folds: int, n_runs: int, seed: int, stratified: bool = True
) -> Floats:
    """What ``judge`` returns, averaged over the folds of each run: one entry a run."""
    found = [
        np.asarray(judge(*fold), np.float64)
        for fold in folds(table, n_folds, n_runs, seed, stratified)
    ]
    runs = np.reshape(found, (n_runs, n_folds, *found[0].shape))
    return np.asarray(runs.mean(axis=1))


def error(model: Any, table: Table) -> float:
    """The share of rows that a model gets wrong, in percent."""
    return 100 * float(np.mean(model.predict(table.X) != table.y))


def staged_errors(model: Any, X: Any, y: Any, n_rounds: int) -> Floats:
    """The error in percent after each round; of a fit that ended early the last one goes on."""
    found = [100 * float(np.mean(answers != y)) for answers in model.staged_predict(X)]
    return np.pad(found, (0, n_rounds - len(found)), "edge")


def half_width(values: ArrayLike) -> float | None:
    """Half of the 95 % interval (Student's) of a mean of trials; None of one trial."""
    array = np.asarray(values, np.float64)
    n = len(array)
    if n < 2:
        return None
    return float(stdtrit(n - 1, 0.975) * array.std(ddof=1) / math.sqrt(n))


def spread_places(n: int, most: int = 160) -> NDArray[np.int64]:
    """At most so many numbers from 1 to n, evenly spread on a logarithmic axis.

    >>> spread_places(10, 4).tolist()
    [1, 2, 5, 10]
    """
    return np.unique(np.round(np.geomspace(1, n, min(n, most))).astype(np.int64))
