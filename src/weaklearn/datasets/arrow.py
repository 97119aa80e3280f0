"""Blocks of rows by Arrow's reader: faster, but not used where it might read differently."""

from __future__ import annotations

import csv
import time
import weakref
from collections.abc import Generator, Iterator, Sequence
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cell import EXACT, Codes, Column, Words
from .dialect import Dialect
from .growing import Fields
from .source import Source

_BLOCK = 2**21  # bytes: some are read ahead, so that memory is a hundred times this
_QUOTE, _RETURN, _FEED = 34, 13, 10
_PATIENCE = 1.0  # seconds


class Unfit(Exception):
    """Raised where Python's reader must be used: the two may read the file differently."""


class ArrowCells(Fields):
    """The fields of a column in a block of rows, as an Arrow array of strings."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __len__(self) -> int:
        return len(self._array)

    def numbers(self, words: Words, flags: bool = False) -> Column:
        values = self._fast_numbers(words)
        if values is None or (np.abs(values) >= EXACT).any():
            return super().numbers(words, flags)
        return values

    def _fast_numbers(self, words: Words) -> Column | None:
        import pyarrow as pa
        import pyarrow.compute as pc

        if words.decimal != "." or self._has_code():
            return None
        array = self._array
        try:
            found = pc.cast(array, pa.float64())
        except pa.ArrowInvalid:
            gaps = pc.is_in(array, value_set=pa.array(sorted(words.missing), pa.string()))
            try:
                found = pc.cast(pc.if_else(gaps, None, array), pa.float64())
            except pa.ArrowInvalid:
                return None
        values = np.array(found.to_numpy(zero_copy_only=False))
        return values if np.count_nonzero(~np.isfinite(values)) == found.null_count else None

    def _has_code(self) -> bool:
        """Whether a field begins with a zero before another digit, perhaps after a sign."""
        starts, data = _buffers(self._array)
        if len(data) < 3:
            return len(data) == 2
        lengths = np.diff(starts)
        first, second = (data[np.minimum(starts[:-1] + k, len(data) - 1)] for k in (0, 1))
        signed = (first == ord("-")) | (first == ord("+"))
        third = data[np.minimum(starts[:-1] + 2, len(data) - 1)]
        plain = (first == ord("0")) & (lengths > 1) & _is_digit(second)
        behind = signed & (second == ord("0")) & (lengths > 2) & _is_digit(third)
        return bool((plain | behind).any())

    def codes(self, codes: Codes) -> NDArray[np.int32]:
        encoded = self._array.dictionary_encode()
        table = codes.of(encoded.dictionary.to_pylist())
        if not len(table):
            return np.zeros(0, np.int32)
        return np.asarray(table[encoded.indices.to_numpy(zero_copy_only=False)])

    def texts(self) -> Sequence[str]:
        texts: list[str] = self._array.to_pylist()
        return texts


def _buffers(array: Any) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """The offset of each text, and the bytes of all."""
    _, starts, data = array.buffers()
    begin, end = array.offset, array.offset + len(array) + 1
    offsets = np.frombuffer(starts, np.int32)[begin:end]
    letters = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return offsets, letters


def _is_digit(letters: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return (letters >= ord("0")) & (letters <= ord("9"))


def is_here() -> bool:
    """Whether Arrow is installed."""
    try:
        import pyarrow.csv  # noqa: F401
    except ImportError:
        return False
    return True


def blocks(source: Source, dialect: Dialect, n_columns: int) -> Generator[list[ArrowCells]]:
    """The columns of block after block of rows; Unfit where Python's reader must decide."""
    if not source.is_utf8 or len(dialect.delimiter.encode()) != 1:
        raise Unfit
    watched = _Watched(source.binary(), dialect.delimiter)
    unfit = watched.unfit
    try:
        yield from _read(watched, dialect, n_columns)
    finally:
        watched.close()
        kept = weakref.ref(watched)
        del watched
        _wait_for_the_end_of(kept)
    if unfit.is_set():
        raise Unfit


def _read(watched: Any, dialect: Dialect, n_columns: int) -> Iterator[list[ArrowCells]]:
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    reader: Any = None
    texts = {f"f{k}": pa.string() for k in range(n_columns)}
    waiting = dialect.header
    try:
        reader = arrow_csv.open_csv(
            pa.PythonFile(watched, mode="r"),
            arrow_csv.ReadOptions(autogenerate_column_names=True, block_size=_BLOCK),
            arrow_csv.ParseOptions(delimiter=dialect.delimiter, newlines_in_values=True),
            arrow_csv.ConvertOptions(column_types=texts, strings_can_be_null=False),
        )
        for batch in reader:
            if watched.unfit.is_set() or batch.num_columns != n_columns:
                raise Unfit
            rows = batch.slice(1) if waiting and len(batch) else batch
            waiting = waiting and not len(batch)
            if len(rows):
                yield [ArrowCells(_short(column)) for column in rows.columns]
    except (pa.ArrowException, UnicodeError):  # Python's reader will say what is wrong
        raise Unfit from None
    finally:
        reader = watched = None  # an error's trace would keep them


def _wait_for_the_end_of(kept: weakref.ref[_Watched]) -> None:
    """Waits until Arrow's threads, which read ahead, have released the file.

    It is closed, so that this is soon. A thread that came back to Python while that ends would end
    the process badly.
    """
    end = time.monotonic() + _PATIENCE
    while kept() is not None and time.monotonic() < end:
        time.sleep(0.0005)


def _short(column: Any) -> Any:
    """The column, if none of its fields is longer than Python's reader allows."""
    starts, _ = _buffers(column)
    if len(column) and np.diff(starts).max() > csv.field_size_limit():
        raise Unfit
    return column


class _Watched:
    """A stream that is watched for quotes which are neither an opening nor a closing one.

    Where every quote stands behind a delimiter or the end of a line, or before one, but not both,
    and the two kinds take turns, all readers agree on what the cells are.
    """

    def __init__(self, file: Any, delimiter: str) -> None:
        self._file = file
        self._outside = np.array([ord(delimiter), _RETURN, _FEED], np.uint8)
        self._carry = b"\n"  # the byte before, and one that waits for the byte behind it
        self._open = False
        self.unfit = Event()  # something was seen that readers may disagree on
        self.closed = False

    def read(self, n: int = -1) -> bytes:
        piece: bytes = self._file.read(n)
        self._look(self._carry + (piece or b"\n"))
        if not piece and self._open:
            self.unfit.set()
        return piece

    def _look(self, data: bytes) -> None:
        self._carry = data[-2:]
        if _QUOTE not in data:
            return
        letters = np.frombuffer(data, np.uint8)
        places = 1 + np.flatnonzero(letters[1:-1] == _QUOTE)
        opening = np.isin(letters[places - 1], self._outside)
        closing = np.isin(letters[places + 1], self._outside)
        turns = np.arange(len(places)) % 2 == int(self._open)
        if (opening == closing).any() or (opening != turns).any():
            self.unfit.set()
        self._open = self._open ^ bool(len(places) % 2)

    def close(self) -> None:
        self.closed = True
        self._file.close()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def writable(self) -> bool:
        return False
