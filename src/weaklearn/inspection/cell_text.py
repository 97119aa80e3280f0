"""A value of X as text, in the units of its column."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..intake.column_schema import offset_at, offset_text
from ..intake.raw_column import Kind, Raw, as_time
from .rule_text import value_text

MISSING = "missing"


def quote(raw: Raw, row: int, brief: bool = False) -> str:
    """The text of one value: a number, a category, a date in the column's zone, or "missing".

    With ``brief`` a datetime is shown by its day.

    >>> quote(Raw("column 0", Kind.NUMBER, np.array([2.5, 1234567.0, np.nan])), 1)
    '1234567'
    """
    value = raw.values[row]
    if raw.kind is Kind.NUMBER:
        return number_text(float(value))
    if raw.kind is Kind.CATEGORY:
        return str(raw.labels[value]) if value >= 0 else MISSING
    if raw.missing is not None and raw.missing[row]:
        return MISSING
    if raw.kind is Kind.WIDE:
        return str(value)
    text = time_text(as_time(raw.kind, int(value), raw.unit), raw.tz)
    return text.partition("T")[0] if brief and raw.kind is Kind.DATETIME else text


def number_text(value: float) -> str:
    """A number in few digits; integers in full.

    >>> [number_text(x) for x in (0.1 + 0.2, 50000.0, 1e300, float("nan"))]
    ['0.3', '50000', '1e+300', 'missing']
    """
    if math.isnan(value):
        return MISSING
    integral = abs(value) < 1e15 and value == int(value)
    return str(int(value)) if integral else value_text(value)


def time_text(value: Any, zone: str | None) -> str:
    """A datetime in its time zone, or a timedelta, as text."""
    if isinstance(value, np.timedelta64):
        long = abs(value) >= np.timedelta64(1, "m")  # whose fractions of seconds nobody reads
        return value_text(value.astype("m8[s]") if long else value)
    if zone is None:
        return value_text(value)
    offset = offset_at(value, zone)
    return value_text(value + offset) + offset_text(offset)
