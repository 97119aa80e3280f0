"""Reading of a y with a column for each of several outputs: classes of each, or numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..base.numeric.magnitude import SQUARED
from ..base.types import Array, Floats, Partitions
from .labels import codes_among, read_labels
from .multilabel import is_indicator
from .targets import read_numbers

Classes = tuple[Array, ...]  # of each output


@dataclass(frozen=True)
class Outputs:
    """Several outputs a row: how many, and of classes those of each with the codes of all rows."""

    n: int
    classes: Classes = ()
    codes: NDArray[np.int64] | None = None

    @property
    def labels(self) -> list[Array]:
        """The labels of each output, as the user gave them."""
        assert self.codes is not None
        return [known[self.codes[:, k]] for k, known in enumerate(self.classes)]

    def take(self, rows: NDArray[Any]) -> Outputs:
        """Those of some rows."""
        return Outputs(self.n, self.classes, None if self.codes is None else self.codes[rows])


def has_outputs(y: Any) -> bool:
    """Whether y has several columns, which may not be sparse."""
    if sp.issparse(y) and is_indicator(y):
        raise ValueError(
            "sparse multilabel-indicator for y is not supported. Pass y.toarray(), a column for "
            "each output."
        )
    return is_indicator(y)


def read_outputs(
    y: Any,
    n_rows: int,
    over: Partitions,
    *,
    regression: bool,
    largest: float,
    known: Classes | None = None,
) -> tuple[Outputs, Floats]:
    """The outputs, and what trees are grown on: numbers, or for each class whether a row has it.

    ``known``: the classes of an earlier fit.
    """
    if over.size > 1:
        raise ValueError(
            "y holds several outputs a row, which is not supported over several partitions of the "
            "rows: fit a model for each, or on all rows in one place."
        )
    if regression:
        numbers = read_numbers(y, n_rows, "columns", largest=min(largest, SQUARED))
        return Outputs(numbers.shape[1]), numbers
    classes, codes = [], []
    for k, column in enumerate(_columns(y)):
        try:
            if known is None:
                found, numbered = read_labels(column, n_rows)
            else:
                found, numbered = known[k], codes_among(known[k], column, n_rows, "y")
        except (TypeError, ValueError) as error:
            error.add_note(f"This is column {k} of y.")
            raise
        classes.append(found)
        codes.append(numbered)
    has = [code[:, None] == np.arange(len(of)) for code, of in zip(codes, classes, strict=True)]
    outputs = Outputs(len(classes), tuple(classes), np.column_stack(codes))
    return outputs, np.concatenate(has, axis=1).astype(np.float64)


def _columns(y: Any) -> list[Any]:
    if isinstance(y, (list, tuple)):
        return [[row[k] for row in y] for k in range(len(y[0]))]
    if isinstance(y, np.ndarray):
        return list(y.T)
    frame = nw.from_native(y, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return [frame[:, k].to_native() for k in range(frame.shape[1])]
    return list(np.asarray(y).T)
