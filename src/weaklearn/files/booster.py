"""The boosters of this library in a file, by number: their fields by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields as fields_of
from typing import Any

import numpy as np

from ..base.added_field import without_added_defaults
from ..registry import booster_numbers, class_at
from .check import Check, either, flag, integer, known_names, maybe, need, of_type, real, text
from .error import Flaw
from .loss import LOSSES, NUMBERS
from .record import Record, expect

_CHECKS: dict[str, Check] = {  # by a field's type
    "bool": flag,
    "str": text,
    "int": integer(),
    "int | None": maybe(integer()),
    "float": real(),
    "float | None": maybe(real()),
    "Loss": either(*(record.home for record in LOSSES)),
}


def _types(kind: Any) -> dict[str, str]:
    return {field.name: str(field.type) for field in fields_of(kind)}


def _take(booster: Any) -> list[Any]:
    """Whole numbers and those of numpy are written as the numbers that the fields are declared."""
    taken = {}
    for name, declared in _types(booster).items():
        value = getattr(booster, name)
        if declared not in _CHECKS and value is not None:
            raise Flaw(
                f"{name} is an object of class {type(value).__name__}, which no model file can "
                "hold; use pickle for this model"
            )
        value = value.item() if isinstance(value, np.generic) else value
        whole = declared.startswith("float") and type(value) is int
        taken[name] = float(value) if whole else value
    return [without_added_defaults(booster, taken)]


def _make(home: str) -> Callable[[list[Any]], Any]:
    def make(fields: list[Any]) -> Any:
        expect(fields, 1)
        of_type("fields", fields[0], dict)
        kind = class_at(f"boosters.{home}")
        types = _types(kind)
        known_names(f"field of {kind.__name__}", fields[0], types)
        for name, value in fields[0].items():
            if types[name] in _CHECKS:
                _CHECKS[types[name]](name, value)
            else:
                need(value is None, f"{name} is no value of a file")
        try:
            return kind(**fields[0])
        except (TypeError, ValueError) as error:  # it has a check of its own, or lacks a field
            raise Flaw(str(error)[:300]) from None

    return make


BOOSTERS = tuple(
    Record(number, f"weaklearn.boosters.{home}", _take, _make(home), holds={0: NUMBERS})
    for number, home in booster_numbers().items()
)
