"""An estimator as a file has it: number, parameters, fitted names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..files.check import need, of_type
from ..files.consistency import check_consistency
from ..files.record import Book
from ..persistence.column_record import shape_of
from ..registry import Row
from .columns import Columns


@dataclass(frozen=True)
class Held:
    """One estimator of a file, fitted or not, checked as far as answers depend on it."""

    row: Row
    parameters: dict[str, Any]
    state: dict[str, Any]

    @property
    def name(self) -> str:
        """The name of the estimator."""
        return self.row.name

    @property
    def missing(self) -> Any:
        """What the parameters say of missing values, where they do."""
        return self.parameters.get("missing")

    @property
    def unseen(self) -> Any:
        """What the parameters say of values never seen, where they do."""
        return self.parameters.get("unseen")


def held(row: Row, fields: list[Any], book: Book) -> Held:
    """The estimator of a record's fields: the last of them was set aside."""
    need(len(fields) == 3, f"it has {len(fields)} fields; it must have 2, and 1 aside")
    given, state, aside = fields
    of_type("parameters", given, dict)
    of_type("fitted names", state, dict)
    need(
        type(aside) is list and len(aside) == 2 and all(type(part) is dict for part in aside),
        "the section of settings lacks its part",
    )
    for part in (given, state, *aside):
        need(all(type(word) is str for word in part), "a name is no text")
    state = state | aside[1]
    schema = state.get("_schema")
    if schema is not None:
        need(isinstance(schema, Columns), "_schema is not the columns of training")
        state["_schema"] = replace(schema, estimator_name=row.name)
        classes = state.get("classes_", ())
        need(hasattr(classes, "__len__"), "classes_ is no array")
        check_consistency(state, shape_of(schema, len(classes)), book)
    return Held(row, given | aside[0], state)
