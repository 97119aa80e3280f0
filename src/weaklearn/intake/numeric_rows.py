"""Rows of numbers, dense or sparse, for learners that process one row at a time."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..base.messages.warnings import warn
from .column_schema import NOUNS
from .raw_column import unnamed
from .schema import Kind, Schema, check_not_empty
from .sparse import cell_of, compressed

Rows = Any  # a float matrix, or a csr_array


def learn_lines(X: Any, name: str) -> tuple[Schema, Rows]:
    """The schema and the rows of a training X, whose columns must all be numbers."""
    if sp.issparse(X):
        rows = compressed(X, sp.csr_array, unnamed)
        check_not_empty(rows.shape)
        return Schema(rows.shape[1], None, {}, name), rows
    schema, cells = Schema.learn(X, estimator_name=name)
    refuse_special(schema, name)
    return schema, cells.matrix


def refuse_special(schema: Schema, name: str) -> None:
    """Refuses columns of categories, dates or integers beyond 2**53."""
    for j, column in schema.special.items():
        found = NOUNS[column.kind] + (" beyond 2**53" if column.kind is Kind.WIDE else "")
        raise ValueError(
            f"X, {schema.label(j)} holds {found}, and {name} needs numbers there; "
            "convert the column, or use AdaBoostClassifier, which takes it as it is."
        )


def read_lines(schema: Schema, X: Any) -> Rows:
    """The rows of an X to predict, whose columns must be those of training."""
    if not sp.issparse(X):
        return schema.read(X).matrix
    rows = compressed(X, sp.csr_array, schema.label)
    schema.check(rows.shape[1])
    return rows


def is_constant(rows: Rows) -> bool:
    """Whether all rows are the same, checked block by block."""
    if isinstance(rows, np.ndarray):
        parts = (rows[start : start + 4096] for start in range(0, len(rows), 4096))
        return not any((part != rows[0]).any() for part in parts)
    pair = rows[:2].toarray()
    return bool((pair[0] == pair[-1]).all()) and (rows.max(axis=0) != rows.min(axis=0)).nnz == 0


def refuse_gap(rows: Rows, row: int, schema: Schema) -> None:
    """Raises an error that names the missing value of a row, if it has one."""
    if isinstance(rows, np.ndarray):
        missing = np.flatnonzero(np.isnan(rows[row]))
        j = int(missing[0]) if len(missing) else -1
    else:
        first, last = rows.indptr[row], rows.indptr[row + 1]
        missing = first + np.flatnonzero(np.isnan(rows.data[first:last]))
        j = cell_of(rows, int(missing[0]))[1] if len(missing) else -1
    if len(missing):
        raise ValueError(
            f"Input X contains NaN: row {row}, {schema.label(j)} is missing, and "
            f"{schema.estimator_name} needs a number there; fill it in, or use "
            "AdaBoostClassifier, which takes missing values as they are."
        )


def refuse_overflow(row: int) -> NoReturn:
    raise ValueError(
        f"Scores overflow float64: at row {row} of X the score is NaN, as values there are too "
        "large or steps overshoot; divide X by a constant, or lower learning_rate where there is "
        "one."
    )


def refuse_unsound(rows: Rows, scores: NDArray[np.float64], schema: Schema) -> None:
    """Raises an error that says why a score is NaN, if one is."""
    bad = np.flatnonzero(np.isnan(scores).any(axis=1))
    if len(bad):
        refuse_gap(rows, int(bad[0]), schema)
        refuse_overflow(int(bad[0]))


# ----------------------------------------------------------------------------------- rows of zeros

_ZERO = (
    "the zero vector, and w.x > 0 or w.x < 0, as the perceptron's theorem asks of a separator, "
    "holds for no w there"
)


def refuse_zero(row: int) -> NoReturn:
    raise ValueError(f"Row {row} of X is {_ZERO}; leave it out, or set fit_intercept=True.")


def not_zero(rows: Rows) -> NDArray[np.bool_]:
    """The mask of rows that are not all zeros, with a warning about those that are."""
    some = np.asarray((rows != 0).sum(axis=1)).ravel() > 0
    first, n = int(np.argmin(some)), len(some) - int(some.sum())
    if n == len(some):
        raise ValueError(f"Every row of X is {_ZERO}; pass rows that differ from 0.")
    warn(
        f"{n} row(s) of X, the first of them row {first}, are {_ZERO}; they were left out. Set "
        "fit_intercept=True to learn from them."
    )
    return some
