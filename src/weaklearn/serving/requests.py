"""Requests as they come: JSON checked, rows as values of columns, reasons of predictions."""

from __future__ import annotations

import datetime
import json
import sys
from http import HTTPStatus
from typing import Any

import numpy as np

from ..base.messages.value_text import show
from ..intake.raw_column import Kind

_NO_TIME = -(2**63)  # which numpy takes for a missing one


class Refusal(Exception):
    """A request that is refused: with this status, and a sentence for whoever sent it."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def refused(sentence: str) -> Refusal:
    return Refusal(HTTPStatus.BAD_REQUEST, sentence)


def request_of(body: bytes) -> Any:
    """The value of a body in JSON."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise refused("the body is no UTF-8") from None
    except RecursionError:
        raise refused("the body is nested too deeply") from None
    except ValueError as error:
        raise refused(f"the body is no JSON: {error}") from None


def _refuse_constant(name: str) -> Any:
    raise refused(f"{name} is no JSON; send null where a value is missing")


def cells_of(model: Any, rows: list[Any]) -> Any:
    """Rows as an array of values, in the order of columns; texts as they are.

    ``model`` is the one that reads columns, None where texts are asked for.
    """
    if model is None:
        for i, row in enumerate(rows):
            if not isinstance(row, str):
                raise refused(f"rows[{i}] is no text, and the model reads texts")
        return rows
    schema = model._schema
    found = np.empty((len(rows), schema.n_features), object)
    times = [
        (j, column)
        for j, column in enumerate(schema.columns)
        if column.kind in (Kind.DATETIME, Kind.TIMEDELTA)
    ]
    for i, row in enumerate(rows):
        found[i, :] = _values(row, schema, i)
        for j, column in times:
            if found[i, j] is not None:
                found[i, j] = _time(found[i, j], column, i)
    return found


def _values(row: Any, schema: Any, i: int) -> list[Any]:
    if isinstance(row, dict):
        if schema.names is None:
            raise refused(f"rows[{i}] is an object, and the columns have no names: send lists")
        lacking = next((name for name in schema.names if name not in row), None)
        if lacking is not None:
            raise refused(f"rows[{i}] lacks {show(lacking)}; send null where a value is missing")
        row = [row[name] for name in schema.names]
    if not isinstance(row, list) or len(row) != schema.n_features:
        raise refused(f"rows[{i}] must be an object, or a list of {schema.n_features} values")
    for value in row:
        if isinstance(value, (dict, list)):
            raise refused(
                f"rows[{i}] holds {show(value)}; values are texts, numbers, true, false, null"
            )
        if type(value) is int and abs(value) > sys.float_info.max:
            raise refused(f"rows[{i}] holds {show(value)}, which is larger than any double")
    return row


def _time(value: Any, column: Any, i: int) -> Any:
    """A time from the text of a datetime, or from an integer of the column's units."""
    wanted = f"a number of {column.unit}"
    whole = type(value) is int and value != _NO_TIME
    try:
        if column.kind is Kind.DATETIME and isinstance(value, str):
            return datetime.datetime.fromisoformat(value)
        if whole and column.kind is Kind.TIMEDELTA:
            return np.timedelta64(value, column.unit)
        if whole:
            zone = None if column.tz is None else datetime.UTC
            when = np.datetime64(value, column.unit)
            return when if zone is None else when.astype("M8[us]").item().replace(tzinfo=zone)
    except (ValueError, OverflowError, TypeError):
        pass
    if column.kind is Kind.DATETIME:
        wanted = f"a text such as 2024-05-01T12:00:00, or {wanted} since 1970"
    raise refused(f"rows[{i}] holds {show(value)} in {show(column.name)}: it must be {wanted}")


def reasons_of(model: Any, X: Any, labels: Any, n: int) -> list[Any]:
    """For each row the n columns that did most for or against its prediction.

    Where several numbers or labels are predicted, it is a dict with those of each, by its name.
    """
    explain = method_of(model, "explain")
    if explain is None:
        raise ValueError(
            f"{type(model).__name__} cannot attribute scores to columns; leave reasons out"
        )
    why = explain(X)
    if why.outputs and (why.numbers or np.ndim(labels) > 1):
        each_number = {name: why.of(name) for name in why.outputs}
        return [
            {name: _strongest(of, row, n) for name, of in each_number.items()}
            for row in range(len(why))
        ]
    towards, texts = {}, [str(label) for label in labels]  # a list would make numbers of times
    if why.outputs and not set(texts) <= set(why.outputs):
        raise ValueError(
            f"{type(model).__name__} attributes {show(why.outputs[0])} and others, which are no "
            "classes, to columns; leave reasons out"
        )
    if why.classes or why.outputs:
        towards = {label: why.of(label) for label in dict.fromkeys(texts)}
    return [_strongest(towards.get(label, why), row, n) for row, label in enumerate(texts)]


def _strongest(why: Any, row: int, n: int) -> list[dict[str, Any]]:
    """The n columns with the largest contributions to the one score of a row."""
    return [
        {
            "column": why.names[k],
            "value": why.value(row, k),
            "contribution": float(why.contributions[row, k]),
        }
        for k in why.order(row)[:n]
    ]


def method_of(model: Any, name: str) -> Any:
    """A method of a fitted model, None where its parameters leave it without."""
    try:
        return getattr(model, name)
    except AttributeError:
        return None
