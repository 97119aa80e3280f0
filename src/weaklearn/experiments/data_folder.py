"""Data of the experiments: from a folder, else bundled with scikit-learn, else downloaded."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_iris

from ..base.messages.value_text import show
from ..datasets import (
    DataColumn,
    DataTable,
    TableError,
    fetch_heart,
    fetch_letters,
    fetch_spambase,
    read_table,
)

_ENDINGS = (".csv", ".csv.gz", ".parquet")
# What comes without a folder: a download, checked by its SHA-256.
_FETCHED: dict[str, Callable[[], Any]] = {
    "heart_disease": fetch_heart,
    "letter": fetch_letters,
    "spambase": fetch_spambase,
}


class NoDataError(Exception):
    """Data that an experiment needs is not at hand, or is not what it should be."""


@dataclass(frozen=True)
class Table:
    """A table X with its labels y."""

    X: DataTable
    y: NDArray[Any]

    def __len__(self) -> int:
        return len(self.y)

    def take(self, rows: Any) -> Table:
        """Some of the rows, by number."""
        return Table(self.X.take(rows), self.y[rows])


@dataclass(frozen=True)
class DataFolder:
    """Tables by name, from files ``NAME.csv``, ``.csv.gz`` or ``.parquet`` in a folder.

    The target is the column ``target``, or the last one. Without a folder there are the tables
    bundled with scikit-learn and those that ``weaklearn.datasets`` downloads.
    """

    place: Path | None = None

    def file(self, *names: str) -> Path:
        """The first of some files that the folder, or its subfolder ``more``, holds."""
        if self.place is None:
            raise NoDataError(
                f"it needs {names[0]}; name a folder that holds it with data= (--data)"
            )
        for name in names:
            for place in (self.place / name, self.place / "more" / name):
                if place.exists():
                    return place
        raise NoDataError(f"the folder of data holds no {' or '.join(names)}")

    def table(self, name: str, rows: int, columns: int, classes: int) -> Table:
        """A table by its name, refused where it has not so many rows, columns and classes."""
        try:
            return self._table(name, rows, columns, classes)
        except TableError as error:
            raise NoDataError(str(error)) from error
        except OSError as error:
            raise NoDataError(f"{name}: {error}") from error

    def _table(self, name: str, rows: int, columns: int, classes: int) -> Table:
        if self.place is None:
            return _bundled(name)
        place = self.file(*(name + ending for ending in _ENDINGS))
        whole = read_table(place)
        target = "target" if "target" in whole.names else whole.names[-1]
        X, y = whole.split(target)
        found = (len(y), len(X.names), len(np.unique(y.astype(str))))
        if found != (rows, columns, classes):
            raise NoDataError(
                f"{place} has {found[0]:,} rows, {found[1]} columns beside {show(target)} and "
                f"{found[2]} classes; {name} has {rows:,}, {columns} and {classes}: the file may "
                "be cut short, or be another table"
            )
        return Table(X, y)

    def texts(self, name: str) -> tuple[list[str], list[str]]:
        """Texts and their labels, from a table with the columns ``text`` and ``label``."""
        place = self.file(*(name + ending for ending in _ENDINGS))
        try:
            whole = read_table(place, types={"text": "category"})
        except TableError as error:
            raise NoDataError(str(error)) from error
        except OSError as error:
            raise NoDataError(f"{place}: {error}") from error
        if not {"text", "label"} <= set(whole.names):
            raise NoDataError(f"{place} has no columns text and label, but {list(whole.names)}")
        texts, labels = (whole.column(column).array for column in ("text", "label"))
        return [str(text) for text in texts], [str(label) for label in labels]


def data_folder(place: str | os.PathLike[str] | None) -> DataFolder:
    """The folder of that name, refused unless it is one."""
    if place is None:
        return DataFolder()
    if not isinstance(place, (str, os.PathLike)):
        raise TypeError(
            f"data={show(place)} is not allowed: it must be the name of a folder, or None."
        )
    path = Path(place)
    if not path.is_dir():
        kind = "is a file" if path.exists() else "does not exist"
        raise ValueError(f"data={str(path)!r} {kind}; name a folder of tables.")
    return DataFolder(path)


def _bundled(name: str) -> Table:
    if name in _FETCHED:
        return Table(*_FETCHED[name]())
    if name == "iris":
        bunch = load_iris()
        columns = [
            DataColumn(str(name), "number", values)
            for name, values in zip(bunch.feature_names, np.asarray(bunch.data, np.float64).T)
        ]
        return Table(DataTable(columns), np.asarray(bunch.target_names, object)[bunch.target])
    raise NoDataError(f"it needs the table {name}; name a folder that holds it with data= (--data)")
