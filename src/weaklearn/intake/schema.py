"""The schema of the training X, kept for predict (``cells.py`` reads by it).

``open_table`` turns any container into a float matrix, a sparse matrix, or raw columns.
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..base.messages.spelling import nearest
from ..base.messages.value_text import show
from ..base.messages.warnings import warn
from ..base.numeric.hashing import GOLDEN, Keys, mixed
from ..base.types import Array
from . import later
from .arrays import Names, Table, array_table, from_rows, labeller
from .cells import Cells, KnownColumns, all_missing, gather, split
from .column_schema import ColumnSchema, as_labels
from .numeric_text import doubted, warn_of_numerals
from .object_column import array_raw
from .parameters import is_list
from .raw_column import Kind, Labeller, Raw, time_raw, unnamed
from .sparse import sparse_table

if TYPE_CHECKING:
    from ..datasets.data_table import DataColumn, DataTable


@dataclass(frozen=True, eq=False)
class Schema(KnownColumns):
    """The columns of the training X: their number, names, and those that are not numbers."""

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
        """The schema of the training X, and its encoded values.

        `repeats`, if given, are the frequency weights of the rows; categories less frequent than
        `rare` share one code, as unknown ones do at prediction.
        """
        table = open_table(X)
        check_not_empty(table.shape)
        names, label = table.names, labeller(table.names)
        forced = forced_columns(categorical_features, table)
        raws = table.raws
        if raws is None and forced.any():
            raws = split(table, label)
        special: dict[int, ColumnSchema] = {}
        if raws is None:
            cells = Cells(*table.shape, matrix=table.matrix, sparse=table.sparse)
        else:
            encoded: list[Array] = []
            raws = [forced_raw(raw) if forced[j] else raw for j, raw in enumerate(raws)]
            warn_of_numerals(doubted(raws))
            for j, raw in enumerate(raws):
                name = names[j] if names else None
                schema, column = learn_column(raw, name, categorical_features, repeats, rare)
                encoded.append(column)
                if schema.kind is not Kind.NUMBER:
                    special[j] = schema
            cells = gather(encoded, table.shape, special)
        empty = frozenset(int(j) for j in empty_columns(cells))
        warn_of_empty_columns(sorted(empty), label)
        return cls(table.shape[1], names, special, estimator_name or "estimator", empty), cells

    @property
    def is_pooled(self) -> bool:
        """Whether rare categories share a code, so that rows of equal codes may differ."""
        return any(column.pooled for column in self.special.values())

    def pooled_keys(self, X: Any) -> Keys:
        """A hash of each row's categories that have no code of their own, for being rare or
        unknown; 0 where it has none.
        """
        table = self._open(X)
        raws = table.raws or split(table, self.label)
        keys = np.zeros(table.shape[0], np.uint64)
        for j, column in self.special.items():
            if column.kind is Kind.CATEGORY:
                keys += self.pooled_keys_of(j, raws[j])
        return keys

    def pooled_keys_of(self, j: int, raw: Raw) -> Keys:
        """What a column of categories adds to ``pooled_keys``."""
        odd = np.uint64(int(GOLDEN) * (2 * j + 1) % 2**64)
        return mixed(self.special[j].pooled_keys(raw) * odd)  # of 0 it is 0

    def _open(self, X: Any) -> Table:
        return open_table(X, self.label)

    def _chosen(self, X: Any, names: tuple[str, ...]) -> Any:
        return chosen_columns(X, names)


def check_not_empty(shape: tuple[int, int]) -> None:
    """Refuses a training X without rows or without columns."""
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


def learn_column(
    raw: Raw,
    name: str | None,
    categorical_features: Any,
    repeats: NDArray[np.int64] | None,
    rare: int,
) -> tuple[ColumnSchema, Array]:
    """The schema of one column, and its encoded values."""
    if raw.first_present() is None:
        return ColumnSchema(name, Kind.NUMBER), all_missing(len(raw.values))
    if categorical_features is None and raw.kind is Kind.CATEGORY:
        raw = as_numbers(raw)
    return ColumnSchema.learn(raw, name, repeats, rare)


def warn_of_empty_columns(empty: list[int], label: Any) -> None:
    """One warning for all columns without a single value."""
    if empty:
        listed = ", ".join(map(label, empty[:5])) + (", ..." if len(empty) > 5 else "")
        warn(
            f"X has {len(empty)} column(s) with missing values only, which no rule can use: "
            f"{listed}."
        )


def empty_columns(cells: Cells) -> Sequence[int] | Array:
    if cells.columns is not None:
        return [
            j
            for j, column in enumerate(cells.columns)
            if (column < 0 if column.dtype == np.int32 else np.isnan(column)).all()
        ]
    if cells.matrix is not None:
        # Few columns begin with a missing value, and only those are checked further.
        suspects = np.flatnonzero(np.isnan(cells.matrix[0]))
        for start in range(0, cells.n_rows, 4096):
            if not len(suspects):
                break
            block = np.isnan(cells.matrix[start : start + 4096, suspects])
            suspects = suspects[block.all(axis=0)]
        return suspects
    missing = np.flatnonzero(np.isnan(cells.sparse.data))
    if not len(missing):
        return missing
    columns = cells.sparse.tocoo().col[missing]
    return np.flatnonzero(np.bincount(columns, minlength=cells.n_features) == cells.n_rows)


# ------------------------------------------------------------------------------------ containers


def open_table(X: Any, label: Labeller = unnamed) -> Table:
    """The table of any X; `label` names columns in messages where X has no names."""
    if isinstance(X, np.ndarray):
        return array_table(X, label)
    if sp.issparse(X):
        return sparse_table(X, label)
    if isinstance(X, Mapping) or (
        isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], Mapping)
    ):
        _refuse_mapping(X)
    if isinstance(X, (list, tuple)):
        return array_table(from_rows(X), label)
    from ..datasets.data_table import DataTable

    if isinstance(X, DataTable):
        return typed_table(X)
    from .dataframe import frame_table  # brings narwhals: only where it is needed

    table = frame_table(X)
    if table is not None:
        return table
    array = np.asarray(X)
    if array.ndim == 0 and array.dtype.kind in "OUS":  # None, a generator, a text
        raise ValueError(
            "Expected 2D array, got scalar array instead: X is of type "
            f"{type(X).__name__}, which has no rows and columns; pass an array, a DataFrame or a "
            "list of rows."
        )
    return array_table(array, label)


def chosen_columns(X: Any, names: tuple[str, ...]) -> Any:
    """The named columns of a table, in that order; an X without names as it is."""
    if isinstance(X, (np.ndarray, list, tuple, Mapping)) or sp.issparse(X):
        return X
    return later.chosen_columns(X, names)


def _refuse_mapping(X: Any) -> NoReturn:
    """Refuses dicts, and says how to make a DataFrame of them."""
    found, table = "a dict, one row", "pandas.DataFrame([X])"
    if not isinstance(X, Mapping):
        found, table = "a list of dicts, one per row", "pandas.DataFrame(X)"
    elif any(np.ndim(column) > 0 for column in X.values()):
        found, table = "a dict of columns", "pandas.DataFrame(X)"
    raise ValueError(f"Expected 2D array, got {found}, instead; pass X as {table}.")


def typed_table(X: DataTable) -> Table:
    """Open a table that was read from a file."""
    label = labeller(X.names)
    columns = [X.column(name) for name in X.names]
    if columns and all(column.kind == "number" for column in columns):
        matrix = np.empty(X.shape, order="F")
        for j, column in enumerate(columns):
            matrix[:, j] = column.values
        return array_table(matrix, label, X.names)
    return Table(X.shape, X.names, raws=[_typed_raw(c, label(j)) for j, c in enumerate(columns)])


def _typed_raw(column: DataColumn, where: str) -> Raw:
    if column.kind == "category":
        codes = column.values.astype(np.int64)
        return Raw(where, Kind.CATEGORY, codes, labels=column.labels, declared=column.declared)
    if column.kind == "date":
        return time_raw(column.values, where, tz=column.tz)
    return array_raw(column.values, where)


# ------------------------------------------------------------------------- categories as asked for


def forced_columns(wanted: Any, table: Table) -> NDArray[np.bool_]:
    """The mask of columns that `categorical_features` names."""
    n_features, names = table.shape[1], table.names
    forced = np.zeros(n_features, bool)
    if wanted is None or (isinstance(wanted, str) and wanted == "from_dtype"):
        return forced
    if isinstance(wanted, str) and wanted == "all":
        return ~forced
    if not is_list(wanted):
        raise ValueError(
            f"categorical_features is {show(wanted)}; allowed are 'from_dtype', None, and a list "
            "of names, of indices, or of one boolean per column."
        )
    items = list(wanted)
    if items and all(isinstance(item, (bool, np.bool_)) for item in items):
        if len(items) != n_features:
            raise ValueError(
                f"categorical_features has {len(items)} booleans, but X has {n_features} columns; "
                "pass one per column."
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
            "boolean per column."
        )
    if not 0 <= int(item) < n_features:
        raise ValueError(
            f"categorical_features holds the index {item}; allowed are 0 to {n_features - 1}."
        )
    return int(item)


def forced_raw(raw: Raw) -> Raw:
    """A column of numbers as one of categories."""
    if raw.kind is Kind.CATEGORY:
        return raw._replace(declared=True)
    if raw.kind in (Kind.DATETIME, Kind.TIMEDELTA) and raw.first_present() is not None:
        raise ValueError(
            f"categorical_features names {raw.place}, which holds dates or durations; turn it to "
            "text first to use it as categories."
        )
    labels, codes = as_labels(raw)
    return Raw(raw.place, Kind.CATEGORY, codes, labels=labels, declared=True)


def as_numbers(raw: Raw) -> Raw:
    """A column of categories as one of numbers, as categorical_features=None asks."""
    if any(isinstance(label, str) for label in raw.labels):
        found = raw.first_present()
        raise ValueError(
            f"X, {raw.place} holds text ({show(found and found[1])}), but categorical_features is "
            "None; leave it at 'from_dtype' to use text as categories."
        )
    return Raw(raw.place, Kind.NUMBER, ColumnSchema(None, Kind.NUMBER).encode(raw))
