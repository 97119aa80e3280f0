"""Blocks of rows by Python's csv reader: slower, with exact error messages."""

from __future__ import annotations

import csv
from collections.abc import Generator, Iterator

from .dialect import Dialect, unquoted
from .growing import Cells
from .source import Source
from .table_error import TableError


def blocks(source: Source, dialect: Dialect, n_columns: int, n_rows: int) -> Generator[list[Cells]]:
    """The columns of blocks of n_rows rows; a row of another length is refused."""
    rows: list[list[str]] = []
    for _, record in numbered(source, dialect, n_columns):
        rows.append(record)
        if len(rows) == n_rows:
            yield _columns(rows)
            rows = []
    if rows:
        yield _columns(rows)


def _columns(rows: list[list[str]]) -> list[Cells]:
    return [Cells(column) for column in zip(*rows, strict=True)]


def numbered(source: Source, dialect: Dialect, n_columns: int) -> Iterator[tuple[int, list[str]]]:
    """The records after the header, each with its first line; blank lines are skipped."""
    reader = dialect.records(source.lines())
    waiting = dialect.header
    line = 1
    try:
        for record in reader:
            start, line = line, reader.line_num + 1  # type: ignore[attr-defined]
            if len(record) != n_columns:
                if not record or (len(record) == 1 and not record[0].strip()):
                    continue
                raise TableError(
                    f"{source.name}, line {start:,} has {len(record):,} cells, where "
                    f"{n_columns:,} are expected",
                    "delimiter" if n_columns == 1 else "",
                    start,
                )
            if waiting:
                waiting = False
            else:
                yield start, record
    except csv.Error as error:
        raise TableError(f"{source.name}, line {line:,}: {unquoted(error)}", line=line) from None


def line_of(source: Source, dialect: Dialect, n_columns: int, row: int) -> int:
    """The first line of a row."""
    return next(
        line for k, (line, _) in enumerate(numbered(source, dialect, n_columns)) if k == row
    )
