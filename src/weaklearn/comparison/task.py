"""A data set of a comparison: rows, labels, the kind of target, and the splits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..intake.parameters import integer

Rows = NDArray[np.intp]
Split = tuple[Rows, Rows]

TWO, MANY, NUMBERS = "two-class", "multiclass", "regression"
KINDS = (TWO, MANY, NUMBERS)
_MANY_VALUES = 50  # whole numbers with more values than this are amounts rather than classes
_SOME_VALUES = 10  # and so are those with more than this,
_FEW_ROWS = 3  # where a value has fewer rows than this on average


@dataclass(frozen=True, eq=False)
class Task:
    """X and y as given, the kind of y, and pairs of training and test rows."""

    name: str
    X: Any
    y: NDArray[Any]
    kind: str
    splits: tuple[Split, ...]


def read_task(name: str, given: Any, cv: Any, seed: int, numbers: bool | None = None) -> Task:
    """A task from (X, y), (X, y, split), a Bunch, or a function that returns one of them.

    ``numbers`` says how labels that could be either are meant: True for amounts, False for classes.
    """
    given = given() if callable(given) else given
    X, y, split = _parts(name, given)
    y = np.asarray(y)
    if y.ndim != 1:
        raise ValueError(f"the labels of {name} have the shape {y.shape}; pass one label a row.")
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    if n != len(y):
        raise ValueError(f"{name} has {n} rows but {len(y)} labels; pass one label a row.")
    kind = kind_of(y, numbers)
    return Task(name, X, y, kind, _splits(name, X, y, kind, cv if split is None else split, seed))


def kind_of(y: NDArray[Any], numbers: bool | None = None) -> str:
    """Two classes, more, or regression: text and two values are classes, fractions are numbers.

    Whole numbers are what ``numbers`` says; without it, integers of few values are classes, where
    those come again and again.

    >>> import numpy as np
    >>> kind_of(np.arange(40) % 12), kind_of(np.arange(40) % 35)
    ('multiclass', 'regression')
    """
    values = np.unique(y) if y.dtype != object else np.array(sorted(set(y.tolist()), key=str))
    if y.dtype.kind == "f" and not bool((np.isfinite(y) & (y == np.round(y))).all()):
        return NUMBERS
    if y.dtype.kind in "iuf" and len(values) > 2:
        if numbers is None:
            numbers = y.dtype.kind == "f" or _are_amounts(len(values), len(y))
        if numbers:
            return NUMBERS
    return TWO if len(values) <= 2 else MANY


def _are_amounts(n_values: int, n_rows: int) -> bool:
    """Whether integers are rather regression targets than classes: many, or rarely repeated."""
    seldom = n_values > _SOME_VALUES and n_rows < _FEW_ROWS * n_values
    return n_values > _MANY_VALUES or seldom


def _parts(name: str, given: Any) -> tuple[Any, Any, Any]:
    if hasattr(given, "data") and hasattr(given, "target"):  # scikit-learn's Bunch
        return given.data, given.target, None
    if isinstance(given, (tuple, list)) and len(given) in (2, 3):
        X, y, *split = given
        return X, y, split[0] if split else None
    raise TypeError(
        f"the data set {name} is of type {type(given).__name__}; pass (X, y), (X, y, (train, "
        "test)) with row numbers, a Bunch of scikit-learn, or a function that returns one of them."
    )


def _splits(
    name: str, X: Any, y: NDArray[Any], kind: str, how: Any, seed: int
) -> tuple[Split, ...]:
    if hasattr(how, "split") and not isinstance(how, str):
        pairs = list(how.split(X, y))
    elif isinstance(how, Sequence) and not isinstance(how, str):
        pairs = [(how[0], how[1])] if _is_pair(how) else list(how)
    else:
        n = integer(
            "cv", how, 2, others="a splitter of scikit-learn or pairs of (train, test) rows"
        )
        if n > len(y):
            raise ValueError(f"cv={n} is not allowed: {name} has {len(y)} rows; set cv lower.")
        return folds(None if kind == NUMBERS else y, len(y), n, seed)
    return tuple((_numbers(train), _numbers(test)) for train, test in pairs)


def _is_pair(given: Sequence[Any]) -> bool:
    """Whether it is (train, test) rather than a list of such pairs."""
    return len(given) == 2 and all(np.isscalar(next(iter(part), 0)) for part in given)


def _numbers(rows: Any) -> Rows:
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp)


def folds(y: NDArray[Any] | None, n_rows: int, n_folds: int, seed: int) -> tuple[Split, ...]:
    """Shuffled folds of equal size; with y they are stratified.

    >>> import numpy as np
    >>> parts = folds(np.array(list("aaaabbbb")), 8, 4, seed=0)
    >>> sorted(int(i) for _, test in parts for i in test)
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    order = np.random.default_rng(seed).permutation(n_rows)
    if y is not None:
        codes = np.unique(y.astype(str) if y.dtype == object else y, return_inverse=True)[1]
        order = order[np.argsort(codes[order], kind="stable")]
    fold = np.empty(n_rows, np.intp)
    fold[order] = np.arange(n_rows) % n_folds
    return tuple((np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(n_folds))
