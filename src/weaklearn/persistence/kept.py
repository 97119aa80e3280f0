"""Which fitted attributes of an estimator a model file holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from ..files.check import Check, integer, known_names, maybe, need, of_type, real
from ..files.record import Book
from ..files.shape import Shape
from ..prediction.rows import class_list
from ..registry import Row, class_at
from .column_record import shape_of


class Kept(NamedTuple):
    """The fitted attributes that a file holds of an estimator, each with a check.

    What ``__getstate__`` leaves of its attributes must be parameters, names of this rule,
    ``n_features_in_`` and ``feature_names_in_`` (found again from ``_schema``), ``_origin``, or
    ``_settled`` (found again from the parameters). Values are what files know (``files/value.py``)
    and records (``files.record.plain`` makes one from a dataclass in a line). Names may become
    optional but never go: files of every earlier version must load.

    Names in ``sided`` are no part of the fingerprint: what says how rows came, not what was learnt.
    Those in ``dropped`` are not kept. ``pack`` and ``unpack`` translate between the attributes of a
    model and the fitted names of the file, where these are not the same. ``consistent`` refuses a
    loaded model whose fitted attributes contradict each other, and ``cross_check`` an estimator
    whose parameters contradict them. The runtime reads files by the same rules: it has neither
    estimators nor their parameters, so that ``pack``, ``unpack`` and ``cross_check`` do not
    concern it.
    """

    fitted: Mapping[str, Check]
    optional: Mapping[str, Check] = MappingProxyType({})
    sided: frozenset[str] = frozenset()
    dropped: frozenset[str] = frozenset()
    pack: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    unpack: Callable[[Any, dict[str, Any]], None] | None = None
    consistent: Callable[[Any], None] | None = None
    cross_check: Callable[[Any], None] | None = None

    def knows(self, owner: str, name: Any) -> None:
        """Refuses what is no fitted name of this rule."""
        if type(name) is not str or not (name in self.fitted or name in self.optional):
            known_names(f"fitted name of {owner}", (name,), ())

    def checked(self, owner: str, state: dict[str, Any], book: Book) -> dict[str, Any]:
        """The fitted names of a file, each of them checked, and their parts against the columns."""
        known_names(f"fitted name of {owner}", state, {*self.fitted, *self.optional})
        for name, check in self.fitted.items():
            need(name in state, f"the fitted name {name!r} is missing")
            check(name, state[name])
        for name, check in self.optional.items():
            if name in state:
                check(name, state[name])
        schema = state.get("_schema")
        if schema is not None:
            state = state | {"_schema": replace(schema, estimator_name=owner)}
            several = state.get("_indicator") is not None
            shape = shape_of(schema, len(state.get("classes_", ())), several)
            for name, value in state.items():
                _fit(name, value, shape, book)
        return state


def _fit(name: str, value: Any, shape: Shape, book: Book) -> None:
    """Refuses stumps, trees and votes that do not fit the columns and classes of their model."""
    items = value if type(value) in (list, tuple) else [value]
    for kind in {type(item) for item in items}:
        alike = [item for item in items if type(item) is kind]
        record = book.of(alike[0])
        if record is not None and record.fits is not None:
            record.fits(name, alike, shape)
        elif kind in (list, tuple):
            for item in alike:
                _fit(name, item, shape, book)


class Held(NamedTuple):
    """An estimator of a file where there are no estimators, in the runtime; fitted or not."""

    row: Row
    parameters: dict[str, Any]
    state: dict[str, Any]
    decision: Any = None  # the class that is spoken of and a threshold on scores, not checked yet

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


def checked_decision(kept: Any, model: Any) -> tuple[int | None, float | None]:
    """The class that is spoken of and the threshold on scores from a file, for a loaded model."""
    need(type(kept) is list and len(kept) == 2, "a decision is no class and threshold")
    need(len(class_list(model)) == 2, "a decision is of a model without two classes")
    positive, threshold = kept
    maybe(integer(0, 1))("the class that is spoken of", positive)
    maybe(real())("a threshold on scores", threshold)
    return positive, threshold


@cache
def kept_of(row: Row) -> Kept:
    """The rule of an estimator, imported with its first file."""
    home, *arguments = row.kept
    found = class_at(home)
    kept: Kept = found if isinstance(found, Kept) else found(row, *arguments)
    return kept


def estimator_fields(fields: list[Any]) -> tuple[dict[str, Any], dict[str, Any], list[Any]]:
    """Parameters, fitted names and settings of an estimator in a file: the last were set aside."""
    need(len(fields) == 3, f"it has {len(fields)} fields; it must have 2, and 1 aside")
    given, state, aside = fields
    of_type("parameters", given, dict)
    of_type("fitted names", state, dict)
    need(
        type(aside) is list and len(aside) == 2 and all(type(part) is dict for part in aside),
        "the section of settings lacks its part",
    )
    return given | aside[0], state, aside
