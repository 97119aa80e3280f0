"""The parameter ``kernel``, and examples as kernels compare them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..online.kernels import AllProducts, Function, Kernel, Linear, Points, Polynomial, String
from . import parameters
from .column import show
from .intake import Schema, check_not_empty
from .lines import learn_lines, read_lines, refuse_gap
from .objects import is_missing
from .table import settled

NAMES = ("linear", "polynomial", "all_products", "string")


def kernel_of(kernel: Any, degree: Any) -> Kernel:
    """The kernel that a name, a kernel or a function stands for."""
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
    named = parameters.one_of("kernel", kernel, NAMES)
    if named == "polynomial":
        return Polynomial(order)
    if named == "string":
        return String(order)
    return Linear() if named == "linear" else AllProducts()


def learn_points(kernel: Kernel, X: Any, name: str) -> tuple[Schema | None, Points]:
    """The schema and the examples of a training X; texts have no schema."""
    if _are_texts(kernel, X):
        return None, texts_of(X, least=1)
    schema, rows = learn_lines(X, name)
    return schema, _sound(rows, schema)


def read_points(schema: Schema | None, X: Any) -> Points:
    """The examples of another X."""
    return texts_of(X) if schema is None else _sound(read_lines(schema, X), schema)


def as_points(rows: Any, schema: Schema) -> Points:
    """Rows of numbers, by rows where they are sparse, none of them missing."""
    return _sound(rows if isinstance(rows, np.ndarray) else settled(rows).tocsr(), schema)


def texts_of(X: Any, least: int = 0) -> list[str]:
    """Texts, one an example: a list, an array or a series of them, or a table of one column."""
    items = _items(X)
    if len(items) < least:
        check_not_empty((len(items), 1))
    for row, item in enumerate(items):
        if is_missing(item):
            raise ValueError(
                f"Input X contains NaN: row {row} is {show(item)}, and a kernel of texts needs a "
                "text there; fill it in, or leave the row out."
            )
        if not isinstance(item, str):
            raise ValueError(
                f"X, row {row} holds {show(item)}, and a kernel of texts needs a text there; "
                "convert it, or take another kernel."
            )
    return [str(item) for item in items]


def _items(X: Any) -> list[Any]:
    if isinstance(X, str):
        raise ValueError("X is a single text; pass a list of texts, one an example.")
    values = X.to_numpy() if hasattr(X, "to_numpy") else X
    if isinstance(values, np.ndarray) and values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise ValueError(
            f"X has shape {values.shape}; a kernel of texts takes one text an example."
        )
    return list(values)


def _are_texts(kernel: Kernel, X: Any) -> bool:
    if kernel.takes != "anything":
        return kernel.takes == "texts"
    flat = isinstance(X, (list, tuple)) or getattr(X, "ndim", 2) == 1
    return flat and len(X) > 0 and all(isinstance(x, str) for x in X)


def _sound(rows: Any, schema: Schema) -> Points:
    """Numbers in one block, where there are none missing."""
    if isinstance(rows, np.ndarray):
        gaps = np.isnan(rows).any(axis=1) if rows.size else np.zeros(0, bool)
        if gaps.any():
            refuse_gap(rows, int(gaps.argmax()), schema)
        return np.ascontiguousarray(rows, np.float64)
    if np.isnan(rows.data).any():
        cell = int(np.isnan(rows.data).argmax())
        refuse_gap(rows, int(np.searchsorted(rows.indptr, cell, side="right")) - 1, schema)
    return rows
