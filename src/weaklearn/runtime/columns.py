"""Rows as programs have them: arrays, lists of rows, dicts of columns, lists of dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.messages.value_text import show
from ..intake.arrays import Names, Table, array_table, from_rows, labeller
from ..intake.cells import KnownColumns
from ..intake.object_column import array_raw, object_raw
from . import later


@dataclass(frozen=True, eq=False)
class Columns(KnownColumns):
    """The columns of training; of an X given by names, other columns are ignored."""

    def _open(self, X: Any) -> Table:
        if isinstance(X, np.ndarray):
            return array_table(X, self.label)
        if isinstance(X, Mapping):
            return self._by_name(X)
        if isinstance(X, (list, tuple)):
            if X and isinstance(X[0], Mapping):
                return self._by_name(_turned(X, self._known_names()))
            return array_table(from_rows(X), self.label)
        if isinstance(X, later.TermRows):
            return Table(X.shape, None, sparse=X)
        raise TypeError(
            f"X is of type {type(X).__name__}; the runtime reads arrays, lists of rows, dicts of "
            "columns and lists of dicts. Convert it, or use weaklearn.load."
        )

    def _known_names(self) -> tuple[str, ...]:
        if self.names is None:
            raise ValueError(
                "X has names, and the model was fitted without; pass a list or an array of "
                f"{self.n_features} columns."
            )
        return self.names

    def _by_name(self, X: Mapping[str, Any]) -> Table:
        names: Names = self._known_names()
        assert names is not None
        refuse_lacking(X, names)
        label = labeller(names)
        columns = [_column(X[name], label(j)) for j, name in enumerate(names)]
        n = len(columns[0])
        for j, column in enumerate(columns):
            if len(column) != n:
                raise ValueError(
                    f"X, {label(j)} has {len(column)} values, and {label(0)} has {n}; give every "
                    "column as many."
                )
        raws = [
            object_raw(column, label(j))
            if isinstance(column, list)
            else array_raw(column, label(j))
            for j, column in enumerate(columns)
        ]
        return Table((n, len(names)), names, raws=raws)


def _column(values: Any, where: str) -> Any:
    """One column: an array of one dimension, or a list."""
    if isinstance(values, np.ndarray) and values.ndim == 1:
        return values.tolist() if values.dtype.kind in "OU" else values
    if isinstance(values, (list, tuple)):
        return list(values)
    raise ValueError(
        f"X, {where} is {show(values)}; pass a list or an array of one dimension, and one row as a "
        "list of one dict."
    )


def by_columns(X: Any, names: Sequence[str]) -> Mapping[str, Any]:
    """A dict of columns, or a list of dicts as one."""
    if isinstance(X, Mapping):
        refuse_lacking(X, names)
        return X
    if isinstance(X, (list, tuple)) and all(isinstance(row, Mapping) for row in X):
        return _turned(X, names)
    raise TypeError(
        f"X is of type {type(X).__name__}, and some columns of training are texts; pass a dict of "
        "columns, or a list of dicts."
    )


def one_column(X: Any) -> Any:
    """The texts of a table of one column, given by name; anything else as it is."""
    if isinstance(X, (list, tuple)) and X and isinstance(X[0], Mapping):
        X = _turned(X, list(X[0]))
    if not isinstance(X, Mapping):
        return X
    if len(X) != 1:
        raise ValueError(f"X has {len(X)} columns; pass one column of texts, or a list of texts.")
    return next(iter(X.values()))


def refuse_lacking(X: Mapping[str, Any], names: Sequence[str]) -> None:
    """Names a column of training that is not there."""
    lacking = [name for name in names if name not in X]
    if lacking:
        raise ValueError(
            f"X lacks the column {show(lacking[0])}"
            + (f" and {len(lacking) - 1} more" if len(lacking) > 1 else "")
            + "; pass every column of training."
        )


def _turned(rows: Sequence[Any], names: Sequence[str]) -> dict[str, list[Any]]:
    """Dicts of rows as one of columns."""
    for i, row in enumerate(rows):
        for name in names:
            if not isinstance(row, Mapping) or name not in row:
                raise ValueError(
                    f"X, row {i} lacks the column {show(name)}; pass every column of training, "
                    "with None where a value is missing."
                )
    return {name: [row[name] for row in rows] for name in names}
