"""The parameter ``kernel``, and X as the points that kernels compare."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.messages.value_text import show
from ..online.kernels import NAMES, Function, Kernel, Points, named
from . import parameters
from .numeric_rows import learn_lines, read_lines, refuse_gap
from .schema import Schema, check_not_empty
from .sparse import settled
from .texts import texts_of


def kernel_of(kernel: Any, degree: Any) -> Kernel:
    """The kernel given by its name, by a kernel or by a function."""
    order = parameters.whole("degree", degree, 1)
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
    return schema, _without_missing(rows, schema)


def read_points(schema: Schema | None, X: Any) -> Points:
    """The examples of another X."""
    return texts_of(X) if schema is None else _without_missing(read_lines(schema, X), schema)


def as_points(rows: Any, schema: Schema) -> Points:
    """Rows of numbers, in CSR form where they are sparse, without missing values."""
    matrix = rows if isinstance(rows, np.ndarray) else settled(rows).tocsr()
    return _without_missing(matrix, schema)


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


def _without_missing(rows: Any, schema: Schema) -> Points:
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
