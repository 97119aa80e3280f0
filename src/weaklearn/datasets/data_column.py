"""One column of a table read from a file: its name, kind and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
        found: NDArray[Any] = texts[self.values]
        return found

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
