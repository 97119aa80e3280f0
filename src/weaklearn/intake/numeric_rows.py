"""Rows of numbers and points for kernels, for learners that process one example at a time."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..base.messages.value_text import row_number, show
from ..base.messages.warnings import warn
from ..online.kernels import MOST_DEGREE, NAMES, Function, Kernel, named
from ..online.points import Points
from . import parameters
from .column_schema import NOUNS
from .raw_column import Kind, unnamed
from .schema import Schema, check_not_empty
from .sparse import cell_of, compressed, settled
from .texts import texts_of

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
            f"Input X contains NaN: row {row_number(row)}, {schema.label(j)} is missing, and "
            f"{schema.estimator_name} needs a number there; fill it in, or use "
            "AdaBoostClassifier, which takes missing values as they are."
        )


def refuse_overflow(row: int) -> NoReturn:
    raise ValueError(
        f"Scores overflow float64: at row {row_number(row)} of X the score is NaN, as values "
        "there are too large or steps overshoot; divide X by a constant, or lower "
        "learning_rate where there is one."
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
    raise ValueError(
        f"Row {row_number(row)} of X is {_ZERO}; leave it out, or set fit_intercept=True."
    )


def not_zero(rows: Rows) -> NDArray[np.bool_]:
    """The mask of rows that are not all zeros, with a warning about those that are."""
    some = np.asarray((rows != 0).sum(axis=1)).ravel() > 0
    first, n = int(np.argmin(some)), len(some) - int(some.sum())
    if n == len(some):
        raise ValueError(f"Every row of X is {_ZERO}; pass rows that differ from 0.")
    warn(
        f"{n} row(s) of X, the first of them row {row_number(first)}, are {_ZERO}; they were "
        "left out. Set fit_intercept=True to learn from them."
    )
    return some


def kernel_of(kernel: Any, degree: Any) -> Kernel:
    """The kernel given by its name, by a kernel or by a function."""
    order = parameters.integer("degree", degree, 1, MOST_DEGREE)
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel):
        return Function(kernel)
    if not isinstance(kernel, str):
        raise TypeError(
            f"kernel={show(kernel)} is not allowed: it must be one of {', '.join(map(repr, NAMES))}"
            ", a kernel of weaklearn.online.kernels, or a function of two examples."
        )
    return named(parameters.one_of("kernel", kernel, NAMES), order)


def learn_points(kernel: Kernel, X: Any, name: str) -> tuple[Schema | None, Points]:
    """The schema and the examples of a training X; texts have no schema."""
    if _are_texts(kernel, X):
        return None, some_texts(X)
    schema, rows = learn_lines(X, name)
    return schema, without_missing(rows, schema)


def read_points(schema: Schema | None, X: Any) -> Points:
    """The examples of another X."""
    return texts_of(X) if schema is None else without_missing(read_lines(schema, X), schema)


def as_points(rows: Any, schema: Schema) -> Points:
    """Rows of numbers, in CSR form where they are sparse, without missing values."""
    matrix = rows if isinstance(rows, np.ndarray) else settled(rows).tocsr()
    return without_missing(matrix, schema)


def some_texts(X: Any) -> list[str]:
    """The texts of a training X, at least one."""
    texts = texts_of(X)
    check_not_empty((len(texts), 1))
    return texts


def _are_texts(kernel: Kernel, X: Any) -> bool:
    if kernel.takes != "anything":
        return kernel.takes == "texts"
    flat = isinstance(X, (list, tuple)) or getattr(X, "ndim", 2) == 1
    return flat and len(X) > 0 and all(isinstance(x, str) for x in X)


def without_missing(rows: Any, schema: Schema) -> Points:
    """The rows, contiguous where dense; missing values are refused."""
    if isinstance(rows, np.ndarray):
        missing = np.isnan(rows).any(axis=1) if rows.size else np.zeros(0, bool)
        if missing.any():
            refuse_gap(rows, int(missing.argmax()), schema)
        return np.ascontiguousarray(rows, np.float64)
    if np.isnan(rows.data).any():
        cell = int(np.isnan(rows.data).argmax())
        refuse_gap(rows, int(np.searchsorted(rows.indptr, cell, side="right")) - 1, schema)
    return rows
