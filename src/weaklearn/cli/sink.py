"""Writers of predictions: a CSV or Parquet file, replaced atomically, or standard output."""

from __future__ import annotations

import csv
import gzip
import json
import os
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..base.messages.spreadsheet import harmless
from .fault import Fault
from .output import plain

_OTHERS = {".xlsx", ".xls", ".ods", ".json", ".feather", ".arrow", ".orc", ".bz2", ".xz", ".zip"}


class Sink(Protocol):
    """A writer that takes columns, chunk by chunk."""

    def write(self, columns: dict[str, Any]) -> None: ...


@contextmanager
def opened(
    path: str | None, as_json: bool, separators: tuple[str, str] = (",", ".")
) -> Iterator[Sink]:
    """A sink for a path, by its ending; the file appears only when all is written.

    ``separators`` are those of fields and of decimals in CSV.
    """
    if path is None or path == "-":
        yield _Lines(sys.stdout) if as_json else _Csv(sys.stdout, *separators)
        sys.stdout.flush()
        return
    place = Path(os.path.realpath(path))
    ending = place.suffix.lower()
    if ending in _OTHERS and not (as_json and ending == ".json"):
        raise Fault(
            f"{path} cannot be written: predict and explain write .csv, .csv.gz and .parquet files,"
            " and with --json lines of JSON."
        )
    temporary = place.with_name(f".weaklearn-{secrets.token_hex(8)}.tmp")
    try:
        with _file(temporary, place, as_json, separators) as sink:
            yield sink
        os.replace(temporary, place)
    except OSError as error:
        # What is read through the sink's block names its own file.
        if error.filename in (None, os.fspath(temporary)):
            raise Fault(f"{path} could not be written: {error.strerror or error}.", 1) from None
        raise
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _file(
    temporary: Path, place: Path, as_json: bool, separators: tuple[str, str]
) -> Iterator[Sink]:
    if place.suffix.lower() == ".parquet":
        sink = _Parquet(temporary)
        try:
            yield sink
        finally:
            sink.close()
        return
    opener: Any = gzip.open if place.suffix == ".gz" else open
    with opener(temporary, "wt", encoding="utf-8", newline="") as file:
        yield _Lines(file) if as_json else _Csv(file, *separators)
        file.flush()


class _Csv:
    def __init__(self, file: Any, delimiter: str, decimal: str) -> None:
        self._writer = csv.writer(file, lineterminator="\n", delimiter=delimiter)
        # Python before 3.13 leaves a return as it is where lines end otherwise.
        self._quoting = csv.writer(
            file, lineterminator="\n", delimiter=delimiter, quoting=csv.QUOTE_ALL
        )
        self._decimal, self._begun = decimal, False

    def write(self, columns: dict[str, Any]) -> None:
        cells = [_cells(column, self._decimal) for column in columns.values()]
        if not self._begun:
            self._row_writer([list(columns)]).writerow([harmless(name) for name in columns])
            self._begun = True
        self._row_writer(cells).writerows(zip(*cells, strict=True))

    def _row_writer(self, columns: Sequence[Sequence[Any]]) -> Any:
        returns = any(isinstance(c, str) and "\r" in c for column in columns for c in column)
        return self._quoting if returns else self._writer


def _cells(column: Any, decimal: str) -> Sequence[Any]:
    """The values of a column as they are written to CSV; missing values are empty."""
    values = np.asarray(column)
    if values.dtype.kind == "f":
        texts = ("" if v != v else repr(v).removesuffix(".0") for v in values.tolist())
        return [text.replace(".", decimal) for text in texts]
    if values.dtype.kind == "M":
        return ["" if text == "NaT" else text for text in values.astype(str).tolist()]
    if values.dtype.kind in "OU":
        return ["" if value is None else harmless(value) for value in values.tolist()]
    return values.tolist()  # type: ignore[no-any-return]


class _Lines:
    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, columns: dict[str, Any]) -> None:
        names = list(columns)
        for row in zip(*(plain(np.asarray(c).tolist()) for c in columns.values()), strict=True):
            record = dict(zip(names, row, strict=True))
            self._file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")


class _Parquet:
    def __init__(self, path: Path) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            needs = "Parquet needs pyarrow: pip install pyarrow, or name a .csv file."
            raise Fault(needs, 1) from None
        self._arrow, self._path = pyarrow, path
        self._writer: Any = None

    def write(self, columns: dict[str, Any]) -> None:
        table = self._arrow.table({name: self._column(c) for name, c in columns.items()})
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(self._path, table.schema)
        self._writer.write_table(table.cast(self._writer.schema))

    def _column(self, column: Any) -> Any:
        """An Arrow column of the same type in every chunk: texts where it has no values."""
        found = self._arrow.array(np.asarray(column))
        return found.cast(self._arrow.string()) if found.type == self._arrow.null() else found

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
