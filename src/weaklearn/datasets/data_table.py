"""A table read from a file: named, typed columns, which every estimator takes as X."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.spelling import listed, nearest
from ..base.messages.table import Table, Tabular

KINDS = ("number", "integer", "category", "date")


@dataclass(frozen=True, eq=False)
class DataColumn:
    """A column by its kind.

    ``number``: float64, NaN is missing. ``integer``: Python's integers beyond 2**53, None is
    missing. ``category``: codes into ``labels``, -1 is missing. ``date``: datetime64, NaT is
    missing, in UTC where there is a time zone.
    """

    name: str
    kind: str
    values: NDArray[Any]
    labels: tuple[str, ...] = ()
    tz: str | None = None
    declared: bool = False  # the kind was given by the user, not inferred

    def __len__(self) -> int:
        return len(self.values)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """The mask of missing values."""
        if self.kind == "category":
            return np.asarray(self.values < 0)
        if self.kind == "date":
            return np.asarray(np.isnat(self.values))
        if self.kind == "integer":
            return np.array([value is None for value in self.values], bool)
        return np.asarray(np.isnan(self.values))

    @property
    def array(self) -> NDArray[Any]:
        """The values as a numpy array; categories as texts, None where missing."""
        if self.kind != "category":
            return self.values
        texts = np.empty(len(self.labels) + 1, object)
        texts[:-1] = self.labels
        texts[-1] = None
        return np.asarray(texts[self.values])

    def take(self, rows: Any) -> DataColumn:
        """The column of some rows, by index, mask or slice."""
        return replace(self, values=self.values[rows])

    def labels_found(self) -> list[str]:
        """The categories in use, in order."""
        used = np.unique(self.values[self.values >= 0])
        return sorted(self.labels[code] for code in used)


def joined(parts: Sequence[DataColumn]) -> DataColumn:
    """The parts of one column, concatenated."""
    first = parts[0]
    if len(parts) == 1:
        return first
    if first.kind == "category":
        return _joined_labels(parts)
    if {part.kind for part in parts} == {"number", "integer"}:
        parts = _as_integers(parts)
    return replace(parts[0], values=np.concatenate([part.values for part in parts]))


def _joined_labels(parts: Sequence[DataColumn]) -> DataColumn:
    code_of: dict[str, int] = {}
    codes = []
    for part in parts:
        moved = [code_of.setdefault(label, len(code_of)) for label in part.labels]
        codes.append(np.array([*moved, -1], np.int32)[part.values])
    return replace(parts[0], values=np.concatenate(codes), labels=tuple(code_of))


def _as_integers(parts: Sequence[DataColumn]) -> list[DataColumn]:
    """All parts as integers where that is exact, else all as float64."""
    floats = [part.values for part in parts if part.kind == "number"]
    exact = all((np.isnan(v) | ((v == np.round(v)) & (np.abs(v) < 2**53))).all() for v in floats)
    if exact:
        return [part if part.kind == "integer" else _integer_part(part) for part in parts]
    return [part if part.kind == "number" else _rounded(part) for part in parts]


def _integer_part(part: DataColumn) -> DataColumn:
    """A part of integral floats as Python integers, None where missing."""
    values = np.empty(len(part), object)
    values[:] = [None if value != value else int(value) for value in part.values.tolist()]
    return replace(part, kind="integer", values=values)


def _rounded(part: DataColumn) -> DataColumn:
    """A part of Python integers as float64, NaN where missing."""
    values = [np.nan if value is None else float(value) for value in part.values]
    return replace(part, kind="number", values=np.array(values))


def _several(names: str | Iterable[str]) -> Iterable[str]:
    return [names] if isinstance(names, str) else names


_COUNTED = 1000
_NOUNS = {"number": "numbers", "integer": "integers", "category": "categories", "date": "dates"}


class DataTable(Tabular):
    """Rows under named, typed columns; ``fit`` and ``predict`` take it as it is.

    ``table["age"]`` is a column as an array of numpy's, ``table[rows]`` the table of some rows, and
    ``X, y = table.split("target")`` what ``fit`` wants. Printing tells what each column holds.

    >>> import io, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "patients.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("age,pain,sick\\n63,none,yes\\n37,,no\\n41,mild,no\\n")
    >>> from weaklearn.datasets import read_table
    >>> table = read_table(path)
    >>> print(table)
    column  holds       missing  distinct  for example
    age     numbers           0         3  37 to 63
    pain    categories        1         2  mild, none
    sick    categories        0         2  no, yes
    >>> X, y = table.split("sick")
    >>> X.shape, y.tolist()
    ((3, 2), ['yes', 'no', 'no'])
    """

    def __init__(self, columns: Iterable[DataColumn]) -> None:
        self._columns = {column.name: column for column in columns}
        lengths = {len(column) for column in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"the columns have {sorted(lengths)} rows; they must have as many.")
        self._n_rows = lengths.pop() if lengths else 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self._columns)

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each column: "number", "integer", "category" or "date"."""
        return {name: column.kind for name, column in self._columns.items()}

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return self._n_rows, len(self._columns)

    def __len__(self) -> int:
        return self._n_rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def column(self, name: str) -> DataColumn:
        """A column with its kind."""
        if name not in self._columns:
            raise KeyError(
                f"there is no column {name!r}; the columns are {listed(self.names)}."
                f"{nearest(name, self.names, 0.7)}"
            )
        return self._columns[name]

    def __getitem__(self, key: Any) -> Any:
        """A column by name; a table of named columns, or of some rows (and numbered columns).

        ``table[rows, j]`` with one number j is an array, the cells of that column.
        """
        if isinstance(key, str):
            return self.column(key).array
        if isinstance(key, list) and key and all(isinstance(name, str) for name in key):
            return self.select(key)
        if isinstance(key, tuple):
            rows, columns = key
            names = np.array(self.names, object)[columns]
            if isinstance(names, str):  # one column, as of an array
                return self.column(names).array[rows]
            return self.select(names.tolist())[rows]
        rows = key if isinstance(key, slice) else np.asarray(key)
        if not isinstance(rows, slice) and rows.ndim == 0:
            rows = rows[None]
        return DataTable(column.take(rows) for column in self._columns.values())

    def take(self, rows: Any) -> DataTable:
        """The table of the listed rows."""
        table: DataTable = self[np.asarray(rows)]
        return table

    def select(self, names: str | Sequence[str]) -> DataTable:
        """The table of the named columns, or of one, in that order."""
        return DataTable(self.column(name) for name in _several(names))

    def drop(self, names: str | Iterable[str]) -> DataTable:
        """The table without some columns, or without one."""
        gone = set(_several(names))
        for name in gone:
            self.column(name)
        return self.select([name for name in self.names if name not in gone])

    def split(self, target: str) -> tuple[DataTable, NDArray[Any]]:
        """The other columns, and the target as labels or numbers."""
        return self.drop([target]), self.labels(target)

    def labels(self, name: str) -> NDArray[Any]:
        """A column as y: texts, integers where all are integers, else floats; none missing."""
        column = self.column(name)
        gaps = np.flatnonzero(column.missing)
        if len(gaps):
            raise ValueError(
                f"the column {name!r} is missing in {len(gaps)} of {len(column)} rows, first in "
                f"row {gaps[0]}; fill it in, or leave these rows out: "
                f"table[~table.column({name!r}).missing]."
            )
        values = column.array
        if column.kind == "number" and ((values == np.round(values)) & (abs(values) < 2**53)).all():
            return np.asarray(values, np.int64)
        if column.kind == "date":
            return np.array([str(value) for value in values], object)
        return values

    # ------------------------------------------------------------------------------- other shapes

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """The columns as numpy arrays, by name."""
        return {name: column.array for name, column in self._columns.items()}

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_frame() needs pandas: pip install pandas") from error
        columns = {}
        for name, column in self._columns.items():
            series = pd.Series(column.array)
            columns[name] = series if column.tz is None else series.dt.tz_localize(column.tz)
        return pd.DataFrame(columns)

    def table(self) -> Table:
        """A summary with one row per column: kind, missing and distinct values, examples."""
        rows = [_summary(column) for column in self._columns.values()]
        headings = ["column", "holds", "missing", "distinct", "for example"]
        note = f"distinct: blank where there are more than {_COUNTED:,}, which are not counted"
        return Table(
            "columns", headings, rows, note if any(row[3] is None for row in rows) else "", shown=40
        )


def _summary(column: DataColumn) -> tuple[Any, ...]:
    """The row of a column in the summary."""
    gaps = column.missing
    missing = int(gaps.sum())
    if column.kind == "category":
        found = column.labels_found()
        example = ", ".join(found[:3]) + ", ..." * (len(found) > 3)
        return column.name, _NOUNS[column.kind], missing, len(found), example
    known = column.values[~gaps] if missing else column.values
    example = ""
    if len(known):
        low, high = known.min(), known.max()
        number = column.kind == "number"
        example = f"{brief(low)} to {brief(high)}" if number else f"{low} to {high}"
        if column.kind == "date":
            example = example.replace("T", " ").replace(".000000", "")
    return column.name, _NOUNS[column.kind], missing, _distinct(known), example


def brief(value: float) -> str:
    """The text of a number: few digits, integers in full.

    >>> brief(20200823.0), brief(1 / 3)
    ('20200823', '0.333333')
    """
    whole = value == round(value) and abs(value) < 1e15
    return f"{value:.0f}" if whole else f"{value:.6g}"


def _distinct(known: NDArray[Any]) -> int | None:
    """The number of distinct values; None for a long column whose first rows hold many."""
    if len(known) > 100 * _COUNTED and len(np.unique(known[: 10 * _COUNTED])) > _COUNTED:
        return None
    return len(np.unique(known))


def stacked(tables: Sequence[DataTable]) -> DataTable:
    """Tables of the same columns, concatenated."""
    names = tables[0].names
    return DataTable(joined([table.column(name) for table in tables]) for name in names)
