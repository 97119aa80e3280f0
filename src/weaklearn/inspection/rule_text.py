"""Hypotheses as text, with column names, categories, dates and class labels."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import CONSTANT, EQUALITY, MULTIWAY, Stump
from ..base.messages.value_text import show
from ..intake.column_schema import offset_at, offset_text
from ..intake.raw_column import Kind, Raw, as_time
from ..intake.schema import Schema

MISSING = "missing"


def feature_name(schema: Schema, j: int) -> str:
    """The column's name, or x[j]."""
    return schema.names[j] if schema.names is not None else f"x[{j}]"


def renamed(schema: Schema, feature_names: Any) -> Schema:
    """The schema with other column names, such as those of a vectorizer before the model."""
    if feature_names is None:
        return schema
    if isinstance(feature_names, (str, bytes)) or not hasattr(feature_names, "__len__"):
        raise TypeError(
            f"feature_names={show(feature_names)} is not allowed: it must be a list of the names "
            "of all columns, such as vectorizer.get_feature_names_out()."
        )
    if len(feature_names) != schema.n_features:
        raise ValueError(
            f"feature_names holds {len(feature_names)} names, but the model was fitted on "
            f"{schema.n_features} columns; pass one for each, such as "
            "vectorizer.get_feature_names_out()."
        )
    return replace(schema, names=tuple(map(str, feature_names)))


def real_threshold(schema: Schema, stump: Stump) -> Any:
    """The threshold in the column's own values: a number, an integer, a date, a timedelta."""
    column = schema.columns[stump.feature]
    if column.kind in (Kind.NUMBER, Kind.CATEGORY) or stump.test == CONSTANT:
        return stump.threshold
    return column.threshold(stump.threshold)


def test_text(schema: Schema, stump: Stump) -> str:
    """The test of a stump as text."""
    name = feature_name(schema, stump.feature)
    column = schema.columns[stump.feature]
    if _is_constant(schema, stump):
        return "always" if stump.constant else f"{name} is known"
    if stump.test == EQUALITY:
        return f"{name} = {column.describe(stump.category)}"
    if stump.test == MULTIWAY:
        return f"{name}, by value"
    return f"{name} > {threshold_text(schema, stump.feature, stump.threshold)}"


def _is_constant(schema: Schema, stump: Stump) -> bool:
    """Whether all known values get one answer."""
    number = schema.columns[stump.feature].kind is Kind.NUMBER
    cut = number and np.isfinite(stump.threshold) and stump.low != stump.high
    return stump.test == CONSTANT and not cut


def threshold_text(schema: Schema, j: int, threshold: float) -> str:
    """A threshold as text: dates as dates, datetimes in the time zone of the column."""
    column = schema.columns[j]
    if column.kind is Kind.NUMBER:
        return value_text(threshold)
    value = column.threshold(threshold)
    if column.kind is not Kind.DATETIME:
        return value_text(value)
    offset = np.timedelta64(0, "s") if column.tz is None else offset_at(value, column.tz)
    local = value + offset
    if column.whole_days:  # between two days: the earlier one is still below
        return str(local.astype("M8[D]"))
    return value_text(local) + ("" if column.tz is None else offset_text(offset))


def interval_text(name: str, low: str, high: str) -> str:
    """The condition of an interval, whose ends are texts; "" where it has none."""
    if low and high:
        return f"{low} < {name} <= {high}"
    return f"{name} > {low}" if low else f"{name} <= {high}" if high else f"{name} is known"


def value_text(value: Any) -> str:
    """A threshold as text: 0.75, 2024-03-01, 2024-03-01T12:00:00, 3 days, 07:30."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (np.datetime64, np.timedelta64)) and np.isnat(value):
        return "NaT"  # beyond all moments that there are
    if isinstance(value, np.datetime64):
        day, _, time = str(value).partition("T")
        time = time.rstrip("0").rstrip(".") if "." in time else time
        return day if time in ("", "00:00:00") else f"{day}T{time}"
    if isinstance(value, np.timedelta64):
        return _timedelta_text(value)
    return str(value)


def _timedelta_text(value: np.timedelta64) -> str:
    seconds, rest = divmod(abs(int(value / np.timedelta64(1, "ns"))), 10**9)
    sign = "-" if value < np.timedelta64(0, "ns") else ""
    days, seconds = divmod(seconds, 86_400)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    clock += f".{rest:09}".rstrip("0") if rest else ""
    if days == 0:
        return sign + clock
    return f"{sign}{days} days" + ("" if clock == "00:00:00" else f" {clock}")


def answer_text(answer: int, classes: NDArray[Any]) -> str:
    """The class of an answer; a dash where the rule abstains."""
    if len(classes) <= 2:
        if answer == 0:
            return "-"
        k = 0 if answer < 0 or len(classes) == 1 else 1
        return str(classes[k])
    return "-" if answer < 0 else str(classes[answer])


def _then(schema: Schema, stump: Stump, classes: NDArray[Any]) -> str:
    if stump.by_category is None:
        return answer_text(stump.high, classes)
    column = schema.columns[stump.feature]
    return ", ".join(
        f"{column.describe(code)}: {answer_text(answer, classes)}"
        for code, answer in enumerate(stump.by_category)
    )


def rule_texts(schema: Schema, stump: Stump, classes: NDArray[Any]) -> tuple[str, str, str, str]:
    """The texts of test, then, else, and if missing."""
    alone = stump.test == MULTIWAY or _is_constant(schema, stump)
    low = "" if alone else answer_text(stump.low, classes)
    missing = answer_text(stump.missing, classes)
    return test_text(schema, stump), _then(schema, stump, classes), low, missing


# ------------------------------------------------------------------------------------ values of X


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
