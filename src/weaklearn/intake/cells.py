"""The columns of training, and the encoded feature values of an X that is read by them.

Nothing here needs more than numpy; a subclass opens further containers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import row_number, show
from ..base.messages.warnings import warn
from ..base.types import Array
from .arrays import Names, Table, array_table, from_rows, labeller
from .column_schema import ColumnSchema
from .raw_column import Kind, Raw, check_finite

if TYPE_CHECKING:
    from ..base.rows import Cells as ReadCells
    from ..base.rows import Rows


@dataclass(frozen=True, eq=False)
class Cells:
    """The encoded feature values of X: `matrix`, `sparse` or `columns`, or columns and then sparse.

    NaN is missing, and no value is infinite. A matrix may be the user's own memory, in any layout.
    Category codes are int32 with -1 for missing or unknown; all other columns are float64.
    """

    n_rows: int
    n_features: int
    matrix: Array | None = None
    sparse: Any = None
    columns: list[Array] | None = None
    categorical: NDArray[np.bool_] | None = None
    n_categories: NDArray[np.int32] | None = None

    def column(self, j: int) -> Array:
        """One of ``columns``."""
        assert self.columns is not None
        return self.columns[j]

    def with_constant(self, places: Sequence[int]) -> Cells:
        """The same with some of ``columns`` made one category."""
        assert self.columns is not None
        assert self.n_categories is not None
        columns, n_categories = list(self.columns), self.n_categories.copy()
        for j in places:
            columns[j], n_categories[j] = np.zeros(self.n_rows, np.int32), 1
        return replace(self, columns=columns, n_categories=n_categories)

    def take(self, rows: Array) -> Cells:
        """The values of some rows, by index or by mask; an index may repeat."""
        rows = np.asarray(rows)
        if rows.dtype == bool:
            rows = np.flatnonzero(rows)
        if self.matrix is not None:
            whole_rows = self.matrix.flags.c_contiguous  # which numpy takes in less time
            taken = self.matrix.take(rows, axis=0) if whole_rows else self.matrix[rows]
            return replace(self, n_rows=len(rows), matrix=taken)
        columns, sparse = self.columns, self.sparse
        if columns is not None:
            columns = [column[rows] for column in columns]
        if sparse is not None:
            sparse = sparse[rows]
            sparse.sort_indices()
        return replace(self, n_rows=len(rows), columns=columns, sparse=sparse)


class _Columns(Sequence[ColumnSchema]):
    """The schemas of all columns; those of numbers, perhaps a million, are made on demand."""

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
class KnownColumns:
    """How many columns there are, their names, and those that are not numbers.

    ``empty`` columns had no value in training and so have no kind: whatever is met there later
    counts as missing.
    """

    n_features: int
    names: Names = None
    special: Mapping[int, ColumnSchema] = field(default_factory=dict)
    estimator_name: str = "estimator"
    empty: frozenset[int] = frozenset()

    @property
    def text_columns(self) -> Sequence[Any]:
        """The columns of texts, each of whose terms is a feature; none but in a subclass."""
        return ()

    @property
    def columns(self) -> Sequence[ColumnSchema]:
        """The schema of every column, in order."""
        return _Columns(self.names, self.n_features, self.special)

    def _open(self, X: Any) -> Table:
        """X as a table; a subclass opens more containers than arrays and lists."""
        return array_table(X if isinstance(X, np.ndarray) else from_rows(X), self.label)

    def matched(self, X: Any, columns: str) -> Any:
        """X with the columns of training alone, in their order, where ``columns`` is "by_name" and
        X has names; else X as it is.
        """
        names = self._needed_names()
        return X if columns == "strict" or names is None else self._chosen(X, names)

    def _needed_names(self) -> Names:
        """The names of the columns that X must have; None where training knew none."""
        return self.names

    def _chosen(self, X: Any, names: tuple[str, ...]) -> Any:
        """The named columns of X, where it has names; a subclass opens containers that do."""
        return X

    def read(self, X: Any, *, unseen: str = "missing", threads: int = 1) -> Cells:
        """Read an X to predict, whose columns must be those of training."""
        if (  # floats with the right number of columns: the fast path
            type(X) is np.ndarray
            and not self.special
            and not self.empty
            and X.ndim == 2
            and X.shape[1] == self.n_features
            and X.dtype.char in "fd"
            and X.dtype.isnative
        ):
            if self.names is not None:
                self._check_names(None)
            check_finite(X, self.label, threads)
            return Cells(X.shape[0], X.shape[1], X)
        if unseen not in ("missing", "error"):
            raise ValueError(f"unseen is {show(unseen)}; allowed are 'missing' and 'error'.")
        return self.encode(self._open(X), unseen)

    def encode(self, table: Table, unseen: str = "missing") -> Cells:
        """The encoded values of a table, whose columns must be those of training."""
        self.check(table.shape[1], table.names)
        if not self.special and table.raws is None:
            matrix, sparse = table.matrix, table.sparse
            met = self._met(self._empty_raws(table), unseen)
            if met and matrix is not None:
                matrix = matrix.copy()
                matrix[:, met] = np.nan
            elif met:
                sparse = _blanked(sparse, met)
            return Cells(*table.shape, matrix=matrix, sparse=sparse)
        raws = table.raws or split(table, self.label)
        self._met({j: raws[j] for j in sorted(self.empty)}, unseen)
        columns = self.columns
        encoded = [
            all_missing(table.shape[0]) if j in self.empty else columns[j].encode(raw, unseen)
            for j, raw in enumerate(raws)
        ]
        return gather(encoded, table.shape, self.special)

    def _empty_raws(self, table: Table) -> dict[int, Raw]:
        """The columns of numbers that were empty in training."""
        places = sorted(self.empty)
        if not places:
            return {}
        if table.matrix is not None:
            values = table.matrix[:, places]
        else:
            values = table.sparse[:, places].toarray()
        return {j: Raw(self.label(j), Kind.NUMBER, values[:, k]) for k, j in enumerate(places)}

    def _met(self, empty: Mapping[int, Raw], unseen: str) -> list[int]:
        """Which columns that were empty in training hold something now, with one warning."""
        found = {j: value for j, raw in empty.items() if (value := raw.first_present()) is not None}
        if not found:
            return []
        first, (row, value) = next(iter(found.items()))
        holds = f"X, row {row_number(row)}, {empty[first].place} holds {show(value)}"
        if unseen == "error":
            raise ValueError(
                f"{holds}, and the column held nothing in training; leave it empty, or pass "
                "unseen='missing'."
            )
        others = f" (and {len(found) - 1} more such columns)" if len(found) > 1 else ""
        warn(
            f"{holds}, but the column held nothing in training{others}: its values count as "
            "missing. Fit again to use them."
        )
        return list(found)

    def check(self, n_features: int, names: Names = None) -> None:
        """Raises an error unless the columns are those of training."""
        self._check_names(names)
        if n_features != self.n_features:
            raise ValueError(
                f"X has {n_features} features, but {self.estimator_name} is expecting "
                f"{self.n_features} features as input."
            )

    def label(self, j: int) -> str:
        """The name of the j-th column in messages."""
        # Counts are checked after the values, so that there may be more columns than names.
        names = self.names if self.names is not None and j < len(self.names) else None
        return labeller(names)(j)

    def _check_names(self, names: Names) -> None:
        """Compares names with those of training; messages are scikit-learn's."""
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
        needed = "Every column of training is needed. " * bool(lacking)
        raise ValueError(
            f"{message}{needed}With model.set_params(columns='by_name') they are found by name, in "
            "any order and among others.\n"
        )


def _listed(names: list[str]) -> str:
    shown = [name if name.isprintable() and len(name) <= 80 else show(name) for name in names[:5]]
    return "".join(f"- {name}\n" for name in shown) + ("- ...\n" if len(names) > 5 else "")


def all_missing(n: int) -> Array:
    """A column of nothing."""
    return np.full(n, np.nan, np.float32)


def _blanked(sparse: Any, columns: list[int]) -> Any:
    """A compressed matrix with nothing but NaN in some columns; others as they were."""
    found = sparse.tocoo()
    kept = ~np.isin(found.col, columns)
    n = sparse.shape[0]
    rows = np.concatenate([found.row[kept], np.tile(np.arange(n), len(columns))])
    places = np.concatenate([found.col[kept], np.repeat(columns, n)])
    data = np.concatenate([found.data[kept], np.full(n * len(columns), np.nan, found.dtype)])
    return type(sparse)((data, (rows, places)), shape=sparse.shape)


def split(table: Table, label: Any) -> list[Raw]:
    """A matrix as raw columns."""
    if table.matrix is None:
        raise ValueError(
            "X is sparse, but some of its columns are categories, dates or integers beyond 2**53; "
            "pass a dense array or a DataFrame."
        )
    matrix = table.matrix
    return [
        Raw(label(j), Kind.NUMBER, matrix[:, j], integers=table.integers)
        for j in range(table.shape[1])
    ]


def gather(
    encoded: list[Array], shape: tuple[int, int], special: Mapping[int, ColumnSchema]
) -> Cells:
    """Encoded columns as one matrix if all are numbers, else as they are; `encoded` is used up."""
    if special:
        kinds = [special[j].kind if j in special else Kind.NUMBER for j in range(len(encoded))]
        categorical = np.array([kind is Kind.CATEGORY for kind in kinds])
        n_categories = [special[j].n_categories if j in special else 0 for j in range(len(encoded))]
        for j in np.flatnonzero(~categorical):
            encoded[j] = encoded[j].astype(np.float64, copy=False)
        return Cells(
            *shape,
            columns=encoded,
            categorical=categorical,
            n_categories=np.array(n_categories, np.int32),
        )
    single = all(column.dtype == np.float32 for column in encoded)
    matrix = np.empty(shape, np.float32 if single else np.float64, order="F")
    for k in range(len(encoded)):
        matrix[:, k] = encoded[k]
        encoded[k] = matrix[:, k]  # lets the column go, so that not all are held twice
    return Cells(*shape, matrix=matrix)


# --------------------------------------------------------- for learners that cannot use all values


def refuse_missing(cells: Cells, schema: KnownColumns) -> None:
    """Raises an error that names the first missing value, if there is one."""
    found = _first_missing(cells)
    if found is not None:
        row, j = found
        raise ValueError(
            f"Input X contains NaN: row {row_number(row)}, {labeller(schema.names)(j)} is "
            "missing, and missing='error' asks to refuse that; fill it in, or set missing='branch'."
        )


def refuse_gaps(rows: Rows, schema: KnownColumns, rule: str) -> None:
    """Raises an error that names the first missing value, for a rule on numbers."""
    found = _first_missing(rows.cells)
    if found is not None:
        row, j = found
        raise ValueError(
            f"Input X contains NaN: row {row_number(row)}, {labeller(schema.names)(j)} is "
            f"missing, and {rule} needs a number there; fill it in, or use "
            "DecisionStumpClassifier, which gives missing values a label."
        )


def refuse_no_bits(rows: Rows, schema: KnownColumns, rule: str) -> None:
    """Raises an error that names the first value other than 0 and 1, for a rule on bits."""
    for j in range(schema.n_features):
        x = rows.column(j)
        strange = np.flatnonzero((x != 0) & (x != 1))
        if len(strange):
            i = strange[0]
            raise ValueError(
                f"X, row {row_number(i)}, {labeller(schema.names)(j)} holds "
                f"{show(float(x[i]))}, and {rule} takes 0 and 1 only; binarise the column, for "
                "example by x > t."
            )


def _first_missing(cells: ReadCells) -> tuple[int, int] | None:
    """Row and column of the first missing value."""
    if cells.sparse is not None:
        entries = cells.sparse.tocsc().tocoo()
        missing = np.flatnonzero(np.isnan(entries.data))
        k = missing[0] if len(missing) else None
        return None if k is None else (int(entries.row[k]), int(entries.col[k]))
    for j in range(cells.n_features):
        column = cells.matrix[:, j] if cells.matrix is not None else cells.columns[j]  # type: ignore[index]
        missing = np.flatnonzero(column < 0 if column.dtype == np.int32 else np.isnan(column))
        if len(missing):
            return int(missing[0]), j
    return None
