"""A column read block by block, whose kind is given or inferred."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cell import Codes, Column, Odd, Words, datetimes, has_comma, has_thousands, numbers
from .data_table import DataColumn, joined

_MOST = 0.9  # of the cells: a column of so many numbers is one of numbers


class Fields:
    """The fields of a column in a block of rows, as texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    def texts(self) -> Sequence[str]:
        return self._texts

    def numbers(self, words: Words, flags: bool = False) -> Column:
        return numbers(self.texts(), words, flags)

    def datetimes(self, words: Words) -> tuple[Column, str | None]:
        return datetimes(self.texts(), words)

    def codes(self, codes: Codes) -> NDArray[np.int32]:
        return codes.of(self.texts())


class Changed(Exception):
    """Raised where the column ``name`` is not of the kind of its first fields."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Growing:
    """A column that blocks are appended to.

    Of a ``declared`` kind, every cell must be; else the first block with a value decides, and a
    later one that is otherwise raises Changed, for the file to be read again with the column as
    categories.
    """

    def __init__(self, name: str, kind: str | None, words: Words, declared: bool) -> None:
        words = words.of(name)
        self.name, self._kind, self._words, self._declared = name, kind, words, declared
        self._parts: list[DataColumn] = []
        self._empty = 0  # rows before the first value
        self._codes = Codes(words)

    def add(self, cells: Fields) -> None:
        if self._kind is not None:
            self._parts.append(self._read(cells))
            return
        for kind in ("number", "date", "category"):
            try:
                part = _parsed(self.name, kind, cells, self._words, self._codes, False)
            except Odd as odd:
                if odd.hint == "finite":
                    raise
                continue
            if part.missing.all():  # nothing to decide by
                self._empty += len(cells)
            else:
                self._kind = kind
                self._parts = [_gap(part, self._empty)] * bool(self._empty) + [part]
            return

    def _read(self, cells: Fields) -> DataColumn:
        assert self._kind is not None
        flags = self._declared
        try:
            part = _parsed(self.name, self._kind, cells, self._words, self._codes, flags)
            if self._kind == "date":
                self._check_zone(part)
        except Odd as odd:
            if self._declared or odd.hint == "finite":
                raise
            raise Changed(self.name) from None
        return part

    def _check_zone(self, part: DataColumn) -> None:
        known = [p for p in self._parts if not p.missing.all()]
        if known and not part.missing.all() and known[0].tz != part.tz:
            row = int(np.argmin(part.missing))
            why = "differs from others in having a time zone or none"
            raise Odd(row, str(part.values[row]), why, "categorical")

    def column(self) -> DataColumn:
        """The complete column."""
        if not self._parts:
            kind = self._kind or "number"
            return _nothing(self.name, kind, self._empty, self._declared)
        if self._kind == "category":  # codes go on from block to block
            codes = np.concatenate([part.values for part in self._parts])
            whole = DataColumn(self.name, "category", codes, self._codes.labels)
            if not self._declared:
                _doubt(whole, self._words)
        else:
            whole = joined(self._parts)
        tz = next((part.tz for part in self._parts if not part.missing.all()), None)
        return replace(whole, tz=tz, declared=self._declared)


def _parsed(
    name: str, kind: str, cells: Fields, words: Words, codes: Codes, declared: bool
) -> DataColumn:
    if kind == "number":
        values = cells.numbers(words, flags=declared)
        found = "integer" if values.dtype == object else "number"
        return DataColumn(name, found, values, declared=declared)
    if kind == "date":
        values, tz = cells.datetimes(words)
        return DataColumn(name, kind, values, tz=tz, declared=declared)
    # Labels are put in when all blocks are known; until then a code is as good.
    return DataColumn(name, kind, cells.codes(codes), declared=declared)


def _gap(like: DataColumn, n: int) -> DataColumn:
    """A column of n missing values, to put before a part."""
    nothing: Any = {"category": -1, "integer": None, "date": "NaT"}.get(like.kind, np.nan)
    return DataColumn(like.name, like.kind, np.full(n, nothing, like.values.dtype), tz=like.tz)


def _nothing(name: str, kind: str, n: int, declared: bool) -> DataColumn:
    dtype: Any = {"category": np.int32, "date": "M8[D]"}.get(kind, np.float64)
    empty = DataColumn(name, kind, np.zeros(0, dtype), declared=declared)
    return _gap(empty, n)


def _doubt(column: DataColumn, words: Words) -> None:
    """Refuses a column inferred to be text whose values are nearly all numbers."""
    labels = column.labels
    plain = np.array([words.number(label.strip()) is not None for label in labels], bool)
    commas = np.array([words.decimal == "." and has_comma(label.strip()) for label in labels], bool)
    counts = np.bincount(column.values[column.values >= 0], minlength=len(labels))
    total = counts.sum()
    if commas.any() and counts[plain | commas].sum() >= _MOST * total:
        odd, why, hint = np.flatnonzero(commas), "is a number with a decimal comma", "decimal"
        if all(has_thousands(labels[code].strip()) for code in odd):
            why, hint = "is a number with a comma, for thousands or for a fraction", "comma"
    elif counts[plain].sum() >= _MOST * total and not plain.all():
        odd, hint = np.flatnonzero(~plain), "categorical"
        why = f"is not a number, in a column where {counts[plain].sum():,} of {total:,} cells are"
    else:
        return
    row = int(np.argmax(np.isin(column.values, odd)))
    raise Odd(row, labels[column.values[row]], why, hint)
