"""How the lines of a CSV file are divided into fields, and blocks of rows by Python's reader."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from .cell import Words
from .growing import Fields
from .source import Source, TableError

DELIMITERS = (",", ";", "\t", "|")
MOST_COLUMNS = 100_000
_NAMES = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}
_LOOKED_AT = 100  # lines, from which the delimiter is found
_ENOUGH = 2**20  # characters of them


@dataclass(frozen=True)
class Dialect:
    """The delimiter, whether there is a header, and how values are written."""

    delimiter: str = ","
    header: bool = True
    words: Words = field(default_factory=Words)

    def records(self, lines: Iterable[str]) -> Iterator[list[str]]:
        """The fields of one record after another; a quoted field may span lines."""
        return csv.reader(
            lines, delimiter=self.delimiter, strict=True, skipinitialspace=self.words.strip
        )

    def names(self, source: Source) -> tuple[str, ...]:
        """The column names, from the header or generated."""
        record = first_record(self, source)
        if len(record) > MOST_COLUMNS:
            raise TableError(
                f"{source.name} has {len(record):,} columns; {MOST_COLUMNS:,} are the limit"
            )
        if not self.header:
            return tuple(f"c{k}" for k in range(1, len(record) + 1))
        texts = [self.words.text(cell) for cell in record]
        if texts[0].lower().startswith("sep=") and not any(texts[1:]):
            raise TableError(
                f"{source.name}, line 1 ({texts[0]!r}) tells a spreadsheet the delimiter, and is "
                "no part of the table; delete the line",
                line=1,
            )
        if all(self.words.number(text.strip()) is not None for text in texts):
            raise TableError(
                f"{source.name}, line 1 should hold the names of the columns, but holds numbers "
                "only",
                "header",
                1,
            )
        names = tuple(text or f"Unnamed: {k}" for k, text in enumerate(texts))
        _refuse_repeated(names, source.name)
        return names


def _refuse_repeated(names: tuple[str, ...], file: str) -> None:
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        listed = "; ".join(
            f"{name!r} at {', '.join(str(k) for k, n in enumerate(names, 1) if n == name)}"
            for name in repeated[:5]
        )
        raise TableError(
            f"{file} has duplicated column names: {listed} (the first column is 1); rename all but "
            "one of each"
        )


def delimiter_named(given: str) -> str:
    """The delimiter given as a character, or as tab, comma, semicolon or pipe."""
    found = _NAMES.get(given.lower(), given) if isinstance(given, str) else ""
    if len(found) != 1 or found in '"\r\n':
        raise ValueError(
            f"delimiter={given!r} is not allowed: it must be one character, or 'tab', 'comma', "
            "'semicolon' or 'pipe'."
        )
    return found


def sniffed(source: Source, words: Words) -> str:
    r"""The delimiter that divides the first lines most evenly; a comma where none does.

    Of those that divide the header, the one by which most of the lines have as many cells as the
    header, and then the one that gives the most cells.
    """
    lines, size = [], 0
    reader = source.lines()
    for line in islice(reader, _LOOKED_AT):
        lines.append(line)
        size += len(line)
        if size > _ENOUGH:
            break
    reader.close()  # type: ignore[attr-defined]
    best, delimiter = (0.0, 1), ","
    for candidate in DELIMITERS:
        widths = _widths(Dialect(candidate, words=words), lines)
        if not widths or widths[0] < 2:
            continue
        even = sum(width == widths[0] for width in widths) / len(widths)
        if (even, widths[0]) > best:
            best, delimiter = (even, widths[0]), candidate
    return delimiter


def _widths(dialect: Dialect, lines: list[str]) -> list[int]:
    widths = []
    try:
        for record in dialect.records(lines):
            if record:
                widths.append(len(record))
    except csv.Error:  # a quoted cell that goes on behind the lines looked at
        pass
    return widths


def first_record(dialect: Dialect, source: Source) -> list[str]:
    lines = source.lines()
    try:
        for record in dialect.records(lines):
            if any(cell.strip() for cell in record):
                return record
    except csv.Error as error:
        raise TableError(f"{source.name}, line 1: {unquoted(error)}", line=1) from None
    finally:
        lines.close()  # type: ignore[attr-defined]
    raise TableError(f"{source.name} has no rows: it holds blank lines only")


def unquoted(error: csv.Error) -> str:
    """The message for an error of the csv module: bad quotes, or too long a field."""
    text = str(error)
    if "field larger" in text:
        limit = csv.field_size_limit()
        return f'a cell has more than {limit:,} characters: is a quote (") not closed?'
    if "unexpected end" in text:
        return 'a quote (") is not closed before the end of the file'
    if "expected after" in text:
        return (
            'a quote (") ends inside a cell: write it twice ("") within quotes, or leave the '
            "quotes out"
        )
    return text


def blocks(
    source: Source, dialect: Dialect, n_columns: int, n_rows: int
) -> Generator[list[Fields]]:
    """The columns of blocks of n_rows rows; a row of another length is refused."""
    rows: list[list[str]] = []
    for _, record in numbered(source, dialect, n_columns):
        rows.append(record)
        if len(rows) == n_rows:
            yield _columns(rows)
            rows = []
    if rows:
        yield _columns(rows)


def _columns(rows: list[list[str]]) -> list[Fields]:
    return [Fields(column) for column in zip(*rows, strict=True)]


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
