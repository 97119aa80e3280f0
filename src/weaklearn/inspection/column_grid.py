"""The bins of a column in its own values: between numbers or dates, or one per category."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..base.messages.table import printable
from ..base.messages.value_text import show
from ..base.trees.term import Axis
from ..intake.column_schema import NOUNS, ColumnSchema, in_unit, offset_at
from ..intake.object_column import object_raw
from ..intake.raw_column import Kind, Raw, as_time
from ..intake.schema import Schema
from .rule_text import feature_name, interval_text, number_text, threshold_text, value_text


@dataclass(frozen=True, eq=False)
class ColumnGrid:
    """The bins of one column; the last is that of missing values and unknown categories.

    ``edges`` stand between the cells of an ordered column: numbers, integers, datetimes (in UTC
    where the column has a time zone) or timedeltas, ascending; bin i holds edges[i-1] < x <=
    edges[i]. A category has ``categories`` instead, the rare ones as one, called "other".
    """

    feature: str
    kind: Kind
    edges: NDArray[Any] | None
    categories: tuple[Any, ...] | None
    cells: tuple[str, ...]  # every cell in words, that of missing values last
    missing: bool  # training had missing values
    ends: NDArray[Any] | None = None  # the least and the greatest value of training, where known

    @property
    def ordered(self) -> bool:
        return self.edges is not None

    def __len__(self) -> int:
        return len(self.cells)


def grid_of(axis: Axis, schema: Schema, missing: bool) -> ColumnGrid:
    """The bins of an axis, with values and texts from the schema."""
    column, name = schema.columns[axis.feature], feature_name(schema, axis.feature)
    cells = cell_texts(axis, schema)
    if axis.cuts is None:
        rare = (column.describe(len(column.categories)),) if column.pooled else ()
        categories = (*column.categories, *rare)
        return ColumnGrid(name, column.kind, None, categories, cells, missing)
    edges, ends = own_values(column, own_cuts(column, axis)), own_ends(column, axis)
    known = None if ends is None else own_values(column, ends)
    return ColumnGrid(name, column.kind, edges, None, cells, missing, known)


def own_values(column: ColumnSchema, numbers: Sequence[Any] | NDArray[Any]) -> NDArray[Any]:
    """Numbers of a column as its values: floats, integers, datetimes, timedeltas."""
    if column.kind is Kind.NUMBER:
        return np.array(numbers, np.float64)
    if column.kind is Kind.WIDE:
        return np.array(numbers, object)
    letter = "M" if column.kind is Kind.DATETIME else "m"
    return np.array(numbers, np.int64).view(f"{letter}8[{column.unit}]")


def own_cuts(column: ColumnSchema, axis: Axis) -> list[Any]:
    """The cuts of an axis as numbers of the column: floats, or integers (units of time)."""
    assert axis.cuts is not None
    return [own_cut(column, float(cut)) for cut in axis.cuts]


def own_cut(column: ColumnSchema, threshold: float) -> Any:
    """A threshold as a number of the column: a float, or an integer (of units of time)."""
    if column.kind in (Kind.NUMBER, Kind.CATEGORY):
        return threshold
    cut = column.threshold(threshold)
    return int(cut) if column.kind is Kind.WIDE else int(cut.astype(np.int64))


def own_ends(column: ColumnSchema, axis: Axis) -> tuple[Any, Any] | None:
    """The least and the greatest training value as such numbers, or None."""
    if column.kind is Kind.NUMBER:
        return axis.ends
    if column.marks is None or not len(column.marks):
        return None
    return int(column.marks[0]), int(column.marks[-1])


def own_text(column: ColumnSchema, number: Any) -> str:
    """A number of a column as text."""
    if column.kind in (Kind.DATETIME, Kind.TIMEDELTA):
        return value_text(as_time(column.kind, number, column.unit))
    return number_text(number) if isinstance(number, float) else str(number)


# ------------------------------------------------------------------------------------------- words


def cell_texts(axis: Axis, schema: Schema) -> tuple[str, ...]:
    """Every bin as a condition on the column."""
    name = printable(feature_name(schema, axis.feature))
    last = f"{name} is missing"
    if axis.cuts is None:
        column = schema.columns[axis.feature]
        codes = range(axis.n_categories)
        return (*(f"{name} = {printable(column.describe(code))}" for code in codes), last)
    cuts = cut_texts(axis, schema)
    return (*(_between(name, cuts, i, i) for i in range(len(cuts) + 1)), last)


def stretch_text(axis: Axis, schema: Schema, first: int, last: int) -> str:
    """Neighbouring bins of an ordered column as one condition."""
    name = printable(feature_name(schema, axis.feature))
    return _between(name, cut_texts(axis, schema), first, last)


def _between(name: str, cuts: Sequence[str], first: int, last: int) -> str:
    low = "" if first == 0 else cuts[first - 1]
    return interval_text(name, low, "" if last == len(cuts) else cuts[last])


def cut_texts(axis: Axis, schema: Schema) -> list[str]:
    """The cuts in few digits, or in full where few digits would make two cuts equal."""
    assert axis.cuts is not None
    if schema.columns[axis.feature].kind is not Kind.NUMBER:
        return [threshold_text(schema, axis.feature, float(cut)) for cut in axis.cuts]
    short = [_few_digits(float(cut)) for cut in axis.cuts]
    return short if len(set(short)) == len(short) else [repr(float(cut)) for cut in axis.cuts]


def _few_digits(x: float) -> str:
    if abs(x) < 1e6:
        return f"{x:.6g}"
    return str(int(x)) if abs(x) < 1e15 and x == int(x) else repr(x)


# ------------------------------------------------------------------------------------------ values


def own_number(column: ColumnSchema, value: Any, argument: str, name: str) -> Any:
    """A value given by the user as a number that can be compared with the column's cuts."""
    if column.kind is Kind.DATETIME and isinstance(value, str):
        value = _parsed(value, argument, name)
    try:
        raw = object_raw([value], argument)
    except (TypeError, ValueError):
        raw = None
    if column.kind is Kind.NUMBER or column.kind is Kind.WIDE:
        return _number(raw, value, argument, name)
    if raw is None or raw.kind is not column.kind or raw.first_present() is None:
        _refuse(column, value, argument, name)
    number = int(in_unit(raw.values, raw.unit, column.unit)[0])
    if column.kind is Kind.DATETIME:
        number = _in_utc(column, raw, number, value, name)
    return number


def _number(raw: Raw | None, value: Any, argument: str, name: str) -> Any:
    known = raw is not None and raw.kind in (Kind.NUMBER, Kind.WIDE)
    if not known or isinstance(value, (bool, np.bool_)) or not isfinite(value):
        raise ValueError(
            f"{argument} holds {show(value)}, and {show(name)} is a column of numbers; pass finite "
            "numbers, or None for no limit."
        )
    return value.item() if isinstance(value, np.generic) else value


def _parsed(text: str, argument: str, name: str) -> datetime.datetime:
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"{argument} holds {show(text)}, and {show(name)} is a column of dates; write one as "
            "'2024-03-01' or '2024-03-01T12:00'."
        ) from None


def _refuse(column: ColumnSchema, value: Any, argument: str, name: str) -> NoReturn:
    raise ValueError(
        f"{argument} holds {show(value)}, and {show(name)} is a column of {NOUNS[column.kind]}; "
        f"pass {NOUNS[column.kind]}, or None for no limit."
    )


def _in_utc(column: ColumnSchema, raw: Raw, number: int, value: Any, name: str) -> int:
    """The number of a datetime in UTC; one without a zone is taken in the column's zone."""
    if column.tz is None and raw.tz is not None:
        raise ValueError(f"{show(name)} has no time zone, and {show(str(value))} has one; drop it.")
    if column.tz is None or raw.tz is not None:
        return number
    local = as_time(Kind.DATETIME, number, column.unit)
    guess = local - offset_at(local, column.tz)
    utc = local - offset_at(guess, column.tz)
    return int(utc.astype(f"M8[{column.unit}]").astype(np.int64))
