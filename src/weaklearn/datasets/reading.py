"""Tables from files: CSV and Parquet."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from ..base.messages.spelling import nearest
from . import arrow, dialect
from .cell import MISSING, ORDERS, THOUSANDS, Odd, Words
from .data_table import DataTable
from .dialect import Dialect, delimiter_named, sniffed
from .growing import Changed, Fields, Growing
from .parquet import parquet_chunks, parquet_names, read_parquet
from .source import Source, TableError, check_columns

_TYPES = ("number", "category", "date")
_ROWS = 2**15  # rows of a block, by Python's reader

Path = str | os.PathLike[str] | Source  # a source that was opened stays open
Dates = str | Mapping[Any, str] | None


def read_table(
    path: Path,
    *,
    types: Mapping[str, str] | None = None,
    columns: Collection[str] | None = None,
    delimiter: str | None = None,
    decimal: str = ".",
    missing: str | Collection[str] | None = None,
    header: bool = True,
    encoding: str | None = None,
    strip: bool = True,
    dates: Dates = None,
    thousands: str | None = None,
    fast: bool | None = None,
) -> DataTable:
    """The table in a CSV or Parquet file, its columns typed, to be given to ``fit`` as it is.

    A file of lines may be divided by commas, semicolons, tabs or bars (found from its first lines),
    packed by gzip, bzip2 or xz, with quoted cells that hold delimiters and line ends, with any line
    ends and a byte order mark; UTF-8 unless another ``encoding`` is named ("latin-1" is read as
    cp1252, which differs where Latin-1 has no letters: its byte 128 is the euro sign).
    Parquet needs pyarrow. ``-`` is standard input.

    A column whose cells are all numbers is one of numbers, one whose cells are all dates as in
    2024-02-29, 2024-02-29 13:45:00, 2024-02-29 1:45 PM, 2024/02/29, 29 Feb 2024, February 29, 2024
    or 29.02.2024 one of dates, and every other holds categories (names of months in English or
    German). Dates as in 03/04/2024 are such where ``dates`` is "dmy" or "mdy", the day or the month
    first; then also with years of two digits, 69 to 99 of the last century and 00 to 68 of this
    one. With points the day is always first. ``dates={"born": "mdy", None: "dmy"}`` tells it by
    column, and by None of the others. A cell with leading zeros such as 00501 is a name, not a
    number. ``types`` says otherwise: "number", "category" or "date" by column. Text among numbers
    is refused, with its line, as is what is beyond float64.

    Missing are empty cells, ?, NA, N/A, n/a, #N/A, <NA>, NaN, nan, NULL, null and None, or the text
    or texts of ``missing`` instead (an empty cell always is). Blanks around cells mean nothing
    unless ``strip`` is False. ``decimal=","`` reads 3,14 as a number, and ``thousands="."``
    1.234.567,89; it may be a point, a comma, a blank or an apostrophe, every three digits. Without
    a ``header`` columns are called c1, c2, ... ``columns`` names those to be read, all by default.

    Columns of Parquet have types of their own, and missing are nulls, empty texts and what
    ``missing`` lists; with ``dates``, texts that are all dates are read as such.

    A line has at most 67,108,864 characters, a cell 131,072, a table 100,000 columns. Where pyarrow
    is installed it does the work, many times faster and with the same result; ``fast=False`` does
    without.

    Raises TableError (a ValueError), which says what is wrong, on which line and in which column.
    """
    layout = _Layout(
        path, types, columns, delimiter, decimal, missing, header, encoding, strip, dates, thousands
    )
    layout.check_dates()
    with layout:
        if layout.source.is_parquet:
            return read_parquet(layout.source, layout.types, columns, layout.words)
        return layout.read(fast)


def read_chunks(
    path: Path,
    *,
    types: Mapping[str, str] | None = None,
    columns: Collection[str] | None = None,
    delimiter: str | None = None,
    decimal: str = ".",
    missing: str | Collection[str] | None = None,
    header: bool = True,
    encoding: str | None = None,
    strip: bool = True,
    dates: Dates = None,
    thousands: str | None = None,
    fast: bool | None = None,
) -> Iterator[DataTable]:
    """The same table in chunks of some ten thousand rows, for files larger than memory.

    What the first piece shows holds for all: a column without a type that turns out otherwise
    later is refused. The words mean what they do for ``read_table``.
    """
    layout = _Layout(
        path, types, columns, delimiter, decimal, missing, header, encoding, strip, dates, thousands
    )
    layout.check_dates()
    with layout:
        if layout.source.is_parquet:
            yield from parquet_chunks(layout.source, layout.types, columns, layout.words)
        else:
            yield from layout.chunks(fast)


def _words(
    decimal: str,
    missing: str | Collection[str] | None,
    strip: bool,
    dates: Dates,
    thousands: str | None,
) -> Words:
    """How cells are written, by the arguments of ``read_table``, which are checked."""
    if decimal not in (".", ","):
        raise ValueError(f"decimal={decimal!r} is not allowed: it must be '.' or ','.")
    if thousands is not None and (thousands not in THOUSANDS or thousands == decimal):
        allowed = ", ".join(repr(mark) for mark in THOUSANDS if mark != decimal)
        raise ValueError(
            f"thousands={thousands!r} is not allowed: with decimal={decimal!r} it must be one of "
            f"{allowed}, or None."
        )
    orders: dict[Any, Any] = dict(dates) if isinstance(dates, Mapping) else {None: dates}
    general = orders.pop(None, None)
    for order in (*orders.values(), *([] if general is None else [general])):
        if order not in ORDERS:
            raise ValueError(
                f"dates={order!r} is not allowed: it must be 'dmy', 'mdy' or None, or one of the "
                "two by the name of a column."
            )
    listed = [missing] if isinstance(missing, str) else missing
    marks = MISSING if listed is None else frozenset({"", *listed})
    return Words(
        frozenset(mark.strip() for mark in marks), decimal, strip, general, orders, thousands
    )


Blocks = Callable[[], Generator[Sequence[Fields]]]


class _Layout:
    """A file, its dialect, and the columns to read."""

    def __init__(
        self,
        path: Any,
        types: Mapping[str, str] | None = None,
        columns: Collection[str] | None = None,
        delimiter: str | None = None,
        decimal: str = ".",
        missing: str | Collection[str] | None = None,
        header: bool = True,
        encoding: str | None = None,
        strip: bool = True,
        dates: Dates = None,
        thousands: str | None = None,
    ) -> None:
        words = _words(decimal, missing, bool(strip), dates, thousands)
        self._dated = tuple(words.dates_of or ())
        self.types = dict(types or {})
        for name, kind in self.types.items():
            if kind not in _TYPES:
                raise ValueError(
                    f"types[{name!r}]={kind!r} is not allowed: it must be one of "
                    f"{', '.join(map(repr, _TYPES))}.{nearest(kind, _TYPES)}"
                )
        given = None if delimiter is None else delimiter_named(delimiter)
        self._owned = not isinstance(path, Source)
        self.source = Source(path, encoding) if self._owned else path
        self._dialect = Dialect(given or ",", bool(header), words)
        if self.source.is_parquet:
            own = frozenset() if missing is None else words.missing
            self.words = replace(words, missing=own | {""}, strip=False)
            self.names = parquet_names(self.source)
            return
        if given is None:
            self._dialect = Dialect(sniffed(self.source, words), bool(header), words)
        self.names = self._dialect.names(self.source)
        wanted = self.names if columns is None else tuple(columns)
        check_columns(self.source.name, self.names, [*wanted, *self.types])
        self._wanted = {name: self.names.index(name) for name in wanted}
        self._found: dict[str, str] = {}  # kinds found to be otherwise than they began

    def check_dates(self) -> None:
        """Refuses an order of dates for a column that the file does not have."""
        check_columns(self.source.name, self.names, self._dated)

    def __enter__(self) -> _Layout:
        return self

    def __exit__(self, *_: Any) -> None:
        if self._owned:
            self.source.close()

    def _readers(self, fast: bool | None) -> Iterator[Blocks]:
        """Arrow's reader, where it is installed or asked for, and Python's, which reads all."""
        file = (self.source, self._dialect, len(self.names))
        if fast or (fast is None and arrow.is_here()):
            yield partial(arrow.blocks, *file)
        yield partial(dialect.blocks, *file, _ROWS)

    # --------------------------------------------------------------------------------- as a whole

    def read(self, fast: bool | None) -> DataTable:
        for blocks in self._readers(fast):
            while True:
                try:
                    return self._read_once(blocks)
                except Changed as changed:
                    self._found[changed.name] = "category"
                except arrow.Unfit:
                    break
        raise AssertionError("Python's reader reads all")

    def _read_once(self, blocks: Blocks) -> DataTable:
        growing = self._growing()
        n_rows = 0
        with closing(blocks()) as found_blocks:
            for block in found_blocks:
                for column in growing:
                    with self._locating(column.name, n_rows):
                        column.add(block[self._wanted[column.name]])
                n_rows += len(block[0])
        if n_rows == 0:
            raise TableError(f"{self.source.name} has no rows, only a header")
        found = []
        for column in growing:
            with self._locating(column.name, 0):
                found.append(column.column())
        return DataTable(found)

    def _growing(self) -> list[Growing]:
        words = self._dialect.words
        return [
            Growing(name, self.types.get(name, self._found.get(name)), words, name in self.types)
            for name in self._wanted
        ]

    # ----------------------------------------------------------------------------------- in pieces

    def chunks(self, fast: bool | None) -> Iterator[DataTable]:
        n_rows = 0
        for reader in self._readers(fast):
            try:
                with closing(reader()) as blocks:
                    for table in self._pieces(blocks, n_rows):
                        yield table
                        n_rows += len(table)
                break
            except arrow.Unfit:
                continue
        if n_rows == 0:
            raise TableError(f"{self.source.name} has no rows, only a header")

    def _pieces(self, blocks: Iterator[Sequence[Fields]], skipped: int) -> Iterator[DataTable]:
        """One table per block, without the first rows, which were returned before."""
        n_rows = 0
        for block in blocks:
            columns = []
            for column in self._growing():
                with self._locating(column.name, n_rows):
                    try:
                        column.add(block[self._wanted[column.name]])
                    except Changed:
                        raise AssertionError("a piece alone does not change") from None
                    columns.append(column.column())
            table = DataTable(columns)
            n_rows += len(table)
            for name, kind in table.kinds.items():
                if name not in self.types and not table.column(name).missing.all():
                    self.types[name] = "number" if kind == "integer" else kind
            if n_rows > skipped:
                yield table[max(0, skipped - n_rows + len(table)) :]

    @contextmanager
    def _locating(self, column: str, first_row: int) -> Iterator[None]:
        """Turns the error of an invalid field into one with its line and column."""
        try:
            yield
        except Odd as odd:
            row = first_row + odd.place
            line = dialect.line_of(self.source, self._dialect, len(self.names), row)
            text = odd.text if len(odd.text) <= 60 else odd.text[:57] + "..."
            declared = column in self.types and odd.hint == "categorical"
            raise TableError(
                f"{self.source.name}, line {line:,}, column {column!r}: {text!r} {odd.why}",
                "declared" if declared else odd.hint,
                line,
                column,
            ) from None


def column_names(path: Path, **words: Any) -> tuple[str, ...]:
    """The names of a file's columns, read as ``read_table`` would read them."""
    with _Layout(path, **words) as layout:
        return layout.names
