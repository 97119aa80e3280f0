"""Hypotheses as text, with column names, categories, dates and class labels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.trees.stump import CONSTANT, EQUALITY, MULTIWAY, Stump
from ..intake.raw_column import Kind
from ..intake.schema import Schema
from ..intake.timezone import offset_at, offset_text


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


def value_text(value: Any) -> str:
    """A threshold as text: 0.75, 2024-03-01, 2024-03-01T12:00:00, 3 days, 07:30."""
    if isinstance(value, float):
        return f"{value:.6g}"
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
