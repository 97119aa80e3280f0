"""Where data enter: X to cells, y to codes, weights checked; the schema of X, kept for predict."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ..base.notice import warn
from ..base.spelling import nearest
from .column import Array, Kind, Raw, check_finite, show
from .labels import (
    counts,
    read_labels,
    read_target,
    read_weights,
    scale_weights,
)
from .numeral import doubt_numerals
from .schema import ColumnSchema, as_labels
from .table import Names, Table, labeller, open_table

__all__ = [
    "Cells",
    "ColumnSchema",
    "Kind",
    "Schema",
    "check_not_empty",
    "counts",
    "read_labels",
    "read_target",
    "read_weights",
    "scale_weights",
]


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of X, checked; exactly one of `matrix`, `sparse` and `columns` is set.

    NaN is missing, and no cell is infinite. A matrix may be the user's own memory, in any layout.
    Category codes are int32 with -1 for missing or unseen; all other columns are float64.
    """

    n_rows: int
    n_features: int
    matrix: Array | None = None
    sparse: Any = None
    columns: list[Array] | None = None
    categorical: NDArray[np.bool_] | None = None
    n_levels: NDArray[np.int32] | None = None

    def take(self, rows: Array) -> Cells:
        """The cells of some rows, by index or by mask; an index may repeat."""
        rows = np.asarray(rows)
        if rows.dtype == bool:
            rows = np.flatnonzero(rows)
        if self.matrix is not None:
            return replace(self, n_rows=len(rows), matrix=self.matrix[rows])
        if self.columns is not None:
            return replace(self, n_rows=len(rows), columns=[c[rows] for c in self.columns])
        chosen = self.sparse[rows]
        chosen.sort_indices()
        return replace(self, n_rows=len(rows), sparse=chosen)


class _Columns(Sequence[ColumnSchema]):
    """The schemas of all columns; those of plain numbers, be they a million, are made on demand."""

    def __init__(self, names: Names, n_features: int, special: Mapping[int, ColumnSchema]) -> None:
        self._names, self._n_features, self._special = names, n_features, special

    def __len__(self) -> int:
        return self._n_features

    @overload
    def __getitem__(self, j: int) -> ColumnSchema: ...
    @overload
    def __getitem__(self, j: slice) -> list[ColumnSchema]: ...
    def __getitem__(self, j: int | slice) -> ColumnSchema | list[ColumnSchema]:
        if isinstance(j, slice):
            return [self[k] for k in range(*j.indices(self._n_features))]
        k = range(self._n_features)[j]
        name = None if self._names is None else self._names[k]
        return self._special.get(k) or ColumnSchema(name, Kind.NUMBER)


@dataclass(frozen=True, eq=False)
class Schema:
    """What training saw of X: how many columns, their names, and those that are not numbers."""

    n_features: int
    names: Names = None
    special: Mapping[int, ColumnSchema] = field(default_factory=dict)
    estimator_name: str = "estimator"

    @property
    def columns(self) -> Sequence[ColumnSchema]:
        """The schema of every column, in order."""
        return _Columns(self.names, self.n_features, self.special)

    @classmethod
    def learn(
        cls,
        X: Any,
        *,
        categorical_features: Any = "from_dtype",
        estimator_name: str = "",
        repeats: NDArray[np.int64] | None = None,
        rare: int = 1,
    ) -> tuple[Schema, Cells]:
        """Read the training X.

        `repeats`, if given, is how often each row counts; categories that count less often than
        `rare` share one code, and so will those that training never saw.
        """
        table = open_table(X)
        check_not_empty(table.shape)
        names, label = table.names, labeller(table.names)
        forced = _forced_columns(categorical_features, table)
        raws = table.raws
        if raws is None and forced.any():
            raws = _split(table, label)
        special: dict[int, ColumnSchema] = {}
        if raws is None:
            cells = Cells(*table.shape, matrix=table.matrix, sparse=table.sparse)
        else:
            encoded: list[Array] = []
            raws = [_forced(raw) if forced[j] else raw for j, raw in enumerate(raws)]
            doubt_numerals(raws)
            for j, raw in enumerate(raws):
                if categorical_features is None and raw.kind is Kind.CATEGORY:
                    raw = _uncategorised(raw)
                schema, column = ColumnSchema.learn(raw, names[j] if names else None, repeats, rare)
                encoded.append(column)
                if schema.kind is not Kind.NUMBER:
                    special[j] = schema
            cells = _gather(encoded, table.shape, special)
        _warn_of_empty_columns(cells, label)
        return cls(table.shape[1], names, special, estimator_name or "estimator"), cells

    def read(self, X: Any, *, unseen: str = "missing") -> Cells:
        """Read an X to predict, whose columns must be those of training."""
        if (  # one row of floats: the way that must cost nothing
            type(X) is np.ndarray
            and not self.special
            and X.ndim == 2
            and X.shape[1] == self.n_features
            and X.dtype.char in "fd"
            and X.dtype.isnative
        ):
            if self.names is not None:
                self._check_names(None)
            check_finite(X, self.label)
            return Cells(X.shape[0], X.shape[1], X)
        if unseen not in ("missing", "error"):
            raise ValueError(f"unseen is {show(unseen)}; allowed are 'missing' and 'error'.")
        table = open_table(X, self.label)
        self.check(table.shape[1], table.names)
        if not self.special and table.raws is None:
            return Cells(*table.shape, matrix=table.matrix, sparse=table.sparse)
        raws = table.raws or _split(table, self.label)
        columns = self.columns
        encoded = [columns[j].encode(raw, unseen) for j, raw in enumerate(raws)]
        return _gather(encoded, table.shape, self.special)

    def check(self, n_features: int, names: Names = None) -> None:
        """Hold columns against those of training."""
        self._check_names(names)
        if n_features != self.n_features:
            raise ValueError(
                f"X has {n_features} features, but {self.estimator_name} is expecting "
                f"{self.n_features} features as input."
            )

    def label(self, j: int) -> str:
        """How messages call the j-th column."""
        # Counts are checked after the cells, so that there may be more columns than names.
        names = self.names if self.names is not None and j < len(self.names) else None
        return labeller(names)(j)

    def _check_names(self, names: Names) -> None:
        """Hold names against those of training, in scikit-learn's words."""
        if names == self.names:
            return
        if names is None:
            warn(
                f"X does not have valid feature names, but {self.estimator_name} was fitted with "
                "feature names"
            )
            return
        if self.names is None:
            warn(f"X has feature names, but {self.estimator_name} was fitted without feature names")
            return
        message = "The feature names should match those that were passed during fit.\n"
        extra, lacking = sorted(set(names) - set(self.names)), sorted(set(self.names) - set(names))
        if extra:
            message += "Feature names unseen at fit time:\n" + _listed(extra)
        if lacking:
            message += "Feature names seen at fit time, yet now missing:\n" + _listed(lacking)
        if not extra and not lacking:
            message += "Feature names must be in the same order as they were in fit.\n"
        raise ValueError(message)


def _listed(names: list[str]) -> str:
    shown = [name if name.isprintable() and len(name) <= 80 else show(name) for name in names[:5]]
    return "".join(f"- {name}\n" for name in shown) + ("- ...\n" if len(names) > 5 else "")


def check_not_empty(shape: tuple[int, int]) -> None:
    """Refuse an X without rows, or without columns, to learn from."""
    n_rows, n_features = shape
    if n_rows == 0:
        raise ValueError(
            f"Found array with 0 sample(s) (shape=({n_rows}, {n_features})) while a minimum of 1 "
            "is required. X has 0 rows; pass at least one to learn from."
        )
    if n_features == 0:
        raise ValueError(
            f"Found array with 0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is "
            "required. X has 0 columns; pass at least one to learn from."
        )


def _split(table: Table, label: Any) -> list[Raw]:
    """A matrix as raw columns."""
    if table.matrix is None:
        raise ValueError(
            "X is sparse, but some of its columns are categories, dates or integers beyond 2**53; "
            "pass a dense array or a DataFrame."
        )
    matrix = table.matrix
    return [Raw(label(j), Kind.NUMBER, matrix[:, j]) for j in range(table.shape[1])]


def _gather(
    encoded: list[Array], shape: tuple[int, int], special: Mapping[int, ColumnSchema]
) -> Cells:
    """Encoded columns as one matrix if all are numbers, else as they are; `encoded` is used up."""
    if special:
        kinds = [special[j].kind if j in special else Kind.NUMBER for j in range(len(encoded))]
        categorical = np.array([kind is Kind.CATEGORY for kind in kinds])
        levels = [special[j].n_levels if j in special else 0 for j in range(len(encoded))]
        for j in np.flatnonzero(~categorical):
            encoded[j] = encoded[j].astype(np.float64, copy=False)
        return Cells(
            *shape,
            columns=encoded,
            categorical=categorical,
            n_levels=np.array(levels, np.int32),
        )
    single = all(column.dtype == np.float32 for column in encoded)
    matrix = np.empty(shape, np.float32 if single else np.float64, order="F")
    for k in range(len(encoded)):
        matrix[:, k] = encoded[k]
        encoded[k] = matrix[:, k]  # lets the column go, so that not all are held twice
    return Cells(*shape, matrix=matrix)


def _warn_of_empty_columns(cells: Cells, label: Any) -> None:
    """One warning for all columns without a single value."""
    empty = [label(int(j)) for j in _empty_columns(cells)]
    if empty:
        listed = ", ".join(empty[:5]) + (", ..." if len(empty) > 5 else "")
        warn(
            f"X has {len(empty)} column(s) with missing values only, which no rule can use: "
            f"{listed}."
        )


def _empty_columns(cells: Cells) -> Sequence[int] | Array:
    if cells.columns is not None:
        return [
            j
            for j, column in enumerate(cells.columns)
            if (column < 0 if column.dtype == np.int32 else np.isnan(column)).all()
        ]
    if cells.matrix is not None:
        # Few columns begin with a missing cell, and only those are followed further.
        suspects = np.flatnonzero(np.isnan(cells.matrix[0]))
        for start in range(0, cells.n_rows, 4096):
            if not len(suspects):
                break
            block = np.isnan(cells.matrix[start : start + 4096, suspects])
            suspects = suspects[block.all(axis=0)]
        return suspects
    data, starts = cells.sparse.data, cells.sparse.indptr
    full = np.flatnonzero(np.diff(starts) == cells.n_rows)
    full = full[np.isnan(data[starts[full]])]
    return [j for j in full if np.isnan(data[starts[j] : starts[j + 1]]).all()]


# ------------------------------------------------------------------------- categories as asked for


def _forced_columns(wanted: Any, table: Table) -> NDArray[np.bool_]:
    """Which columns the user calls categories, whatever their type."""
    n_features, names = table.shape[1], table.names
    forced = np.zeros(n_features, bool)
    if wanted is None or (isinstance(wanted, str) and wanted == "from_dtype"):
        return forced
    if isinstance(wanted, str) and wanted == "all":
        return ~forced
    if isinstance(wanted, str) or np.ndim(wanted) != 1:
        raise ValueError(
            f"categorical_features is {show(wanted)}; allowed are 'from_dtype', None, and a list "
            "of names, of indices, or of one boolean a column."
        )
    items = list(wanted)
    if items and all(isinstance(item, (bool, np.bool_)) for item in items):
        if len(items) != n_features:
            raise ValueError(
                f"categorical_features has {len(items)} booleans, but X has {n_features} columns; "
                "pass one a column."
            )
        return np.array(items, bool)
    for item in items:
        forced[_position(item, n_features, names)] = True
    return forced


def _position(item: Any, n_features: int, names: Names) -> int:
    if isinstance(item, str):
        if names is None:
            raise ValueError(
                f"categorical_features holds the name {show(item)}, but X has no column names; "
                "pass indices, or a DataFrame."
            )
        if item not in names:
            raise ValueError(
                f"categorical_features holds {show(item)}, which is no column of X; the columns "
                f"are {show(list(names))}.{nearest(item, names)}"
            )
        return names.index(item)
    if not isinstance(item, numbers.Integral) or isinstance(item, bool):
        raise ValueError(
            f"categorical_features holds {show(item)}; pass only names, only indices, or one "
            "boolean a column."
        )
    if not 0 <= int(item) < n_features:
        raise ValueError(
            f"categorical_features holds the index {item}; allowed are 0 to {n_features - 1}."
        )
    return int(item)


def _forced(raw: Raw) -> Raw:
    """A column of numbers as one of categories."""
    if raw.kind is Kind.CATEGORY:
        return replace(raw, declared=True)
    if raw.kind in (Kind.MOMENT, Kind.DURATION):
        raise ValueError(
            f"categorical_features names {raw.place}, which holds dates or durations; turn it to "
            "text first to use it as categories."
        )
    labels, codes = as_labels(raw)
    return Raw(raw.place, Kind.CATEGORY, codes, labels=labels, declared=True)


def _uncategorised(raw: Raw) -> Raw:
    """A column of categories as one of numbers, as categorical_features=None asks."""
    if any(isinstance(label, str) for label in raw.labels):
        found = raw.first_present()
        raise ValueError(
            f"X, {raw.place} holds text ({show(found and found[1])}), but categorical_features is "
            "None; leave it at 'from_dtype' to use text as categories."
        )
    return Raw(raw.place, Kind.NUMBER, ColumnSchema(None, Kind.NUMBER).encode(raw))
