"""The intermediate form of a model that all exports write: plain numbers and texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.messages.table import printable
from ..base.messages.value_text import show
from ..base.trees.term import Axis, Term
from ..base.types import Floats
from ..inspection.column_grid import own_cuts
from ..inspection.rule_text import feature_name
from ..inspection.shape import term_names
from ..intake.column_schema import ColumnSchema
from ..intake.raw_column import Kind
from ..intake.schema import Schema
from ..losses.regression import LogLinkLoss
from ..prediction.rows import class_list
from .branches import Branching, Test
from .link import Link, link_of

_UNITS = {
    "ns": "nanoseconds",
    "us": "microseconds",
    "ms": "milliseconds",
    "s": "seconds",
    "m": "minutes",
    "h": "hours",
    "D": "days",
}


@dataclass(frozen=True)
class InputColumn:
    """A column that the model uses."""

    feature: int
    name: str
    schema: ColumnSchema

    @property
    def joins_pool(self) -> bool:
        """Whether unknown categories are pooled with rare ones instead of missing."""
        return bool(self.schema.pooled) and self.schema.unseen_joins_pool

    @property
    def ranked(self) -> bool:
        """Whether values are integers that doubles may not hold: exports take their ranks."""
        return self.schema.kind in (Kind.WIDE, Kind.DATETIME, Kind.TIMEDELTA)

    @property
    def codes(self) -> dict[Any, int]:
        """The codes of all known categories; those that unknown ones join are left out."""
        known = {category: code for code, category in enumerate(self.schema.categories)}
        pooled = () if self.joins_pool else sorted(self.schema.pooled)
        return known | dict.fromkeys(pooled, len(known))

    @property
    def units(self) -> str:
        """What the whole numbers of a column of times count, in words; empty for others."""
        return _UNITS.get(self.schema.unit, "")

    @property
    def meaning(self) -> str:
        """What values of the column are, for the comment at the head of an export."""
        kind, units = self.schema.kind, self.units
        if kind is Kind.DATETIME:
            zone = "" if self.schema.tz is None else " UTC"
            return f"a datetime, as whole {units} since 1970-01-01{zone}"
        if kind is Kind.TIMEDELTA:
            return f"a timedelta, as whole {units}"
        return {
            Kind.NUMBER: "a number",
            Kind.WIDE: "a whole number",
            Kind.CATEGORY: "a category",
        }[kind]


@dataclass(frozen=True)
class Side:
    """One column of a term: its cuts as numbers of the column, or None for categories."""

    source: InputColumn
    cuts: tuple[Any, ...] | None

    @property
    def n_cells(self) -> int:
        return (self.source.schema.n_categories if self.cuts is None else len(self.cuts) + 1) + 1


@dataclass(frozen=True)
class Part:
    """A term: its columns, and a number for every bin and score."""

    name: str
    sides: tuple[Side, ...]
    values: Floats  # (cells, K) or (cells, cells, K)

    def place(self, places: Sequence[str]) -> str:
        """The expression of a row's bin number, from those of its places on each side."""
        first, *second = places
        return f"{self.sides[1].n_cells} * {first} + {second[0]}" if second else first


@dataclass(frozen=True)
class Share:
    """One of several models whose answers are averaged: how its scores become answers, where they
    begin among all scores, how many they are, and the classes that its answers are for.
    """

    link: Link
    first: int
    n_scores: int
    classes: tuple[int, ...]


@dataclass(frozen=True)
class ModelIR:
    """All that an export needs to reproduce the predictions of a model."""

    title: str
    n_features: int
    sources: tuple[InputColumn, ...]  # in the order of columns
    parts: tuple[Part, ...]
    intercept: tuple[float, ...]
    link: Link
    classes: tuple[Any, ...]  # () where numbers are predicted
    notes: tuple[str, ...] = ()  # what else whoever uses it must know
    branches: tuple[Branching, ...] = ()  # trees, which are added after the parts
    divisor: int = 1  # of the sum of the trees
    second_on_ties: bool = False  # of two classes with equal scores
    shares: tuple[Share, ...] = ()  # where the link is BAGGED

    @property
    def n_outputs(self) -> int:
        return len(self.intercept)

    @property
    def links(self) -> list[Link]:
        """Every link in use, once."""
        return list(dict.fromkeys(share.link for share in self.shares)) or [self.link]

    def tests(self, source: InputColumn) -> list[Test]:
        """All tests of a column in trees."""
        each = (test for tree in self.branches for test in tree.tests())
        return [test for test in each if test.feature == source.feature]

    def cuts(self, source: InputColumn, language: str, least: int = -(2**63)) -> list[int]:
        """All cuts of a column of integers, ascending; refused where they need over 64 bits."""
        sides = (side for part in self.parts for side in part.sides if side.source is source)
        found = {cut for side in sides for cut in side.cuts or ()}
        found |= {test.cut for test in self.tests(source) if test.cut is not None}
        if any(not least <= cut < 2**63 for cut in found):
            raise ValueError(
                f"column {show(source.name)} is cut at whole numbers beyond 64 bits, which "
                f"{language} has no type for; use to_python()."
            )
        return sorted(found)

    def words(self) -> list[str]:
        """The comment lines for the head of a file: the model, and what every column must hold."""
        lines = [f"{printable(s.name)}: {s.meaning}" for s in self.sources]
        return [f"{self.title}, written by weaklearn.", *lines]


def input_columns(schema: Schema, used: Iterable[int]) -> dict[int, InputColumn]:
    """The columns that a model uses, by their numbers."""
    names = {j: feature_name(schema, j) for j in sorted(used)}
    return {j: InputColumn(j, name, schema.columns[j]) for j, name in names.items()}


def term_ir(model: Any) -> ModelIR:
    """The intermediate form of a sum of terms; neighbouring bins of equal values are merged."""
    schema, ensemble = model._schema, model.ensemble_
    sources = input_columns(schema, {j for term in ensemble.terms for j in term.features})
    names = term_names(schema, ensemble.terms)
    terms = [slim(term) for term in ensemble.terms]
    return ModelIR(
        f"{type(model).__name__}, an intercept and {len(terms)} terms",
        schema.n_features,
        tuple(sources.values()),
        tuple(_part(term, name, sources) for term, name in zip(terms, names, strict=True)),
        tuple(float(b) for b in ensemble.intercept),
        link_of(model),
        class_list(model),
        notes_of(model),
    )


def notes_of(model: Any) -> tuple[str, ...]:
    """Notes on what the score leaves out, such as an offset."""
    if not model._has_offset:
        return ()
    rate = isinstance(model._loss, LogLinkLoss)
    unit = "; without, predictions are per unit of exposure" * rate
    return (f"fitted with an offset, which is 0 here: add that of a row to its score{unit}",)


def _part(term: Term, name: str, sources: dict[int, InputColumn]) -> Part:
    columns = [(sources[axis.feature], axis) for axis in term.axes]
    cuts = [None if axis.cuts is None else own_cuts(s.schema, axis) for s, axis in columns]
    sides = [Side(s, c if c is None else tuple(c)) for (s, _), c in zip(columns, cuts)]
    return Part(name, tuple(sides), term.values)


def slim(term: Term) -> Term:
    """The same term without cuts between bins of equal values.

    The band is left behind: cells of equal values may have different ones.
    """
    axes, values, counts = list(term.axes), term.values, term.counts
    for place, axis in enumerate(axes):
        if axis.cuts is None or not len(axis.cuts):
            continue
        ahead = np.moveaxis(values, place, 0)[:-1]
        steps = (ahead[1:] != ahead[:-1]).reshape(len(axis.cuts), -1).any(axis=1)
        first = np.concatenate([[0], np.flatnonzero(steps) + 1])
        kept = [*first, len(axis.cuts) + 1]  # and the cell of missing values
        values, counts = values.take(kept, place), np.add.reduceat(counts, kept, place)
        axes[place] = Axis(axis.feature, axis.cuts[steps], axis.n_categories, axis.ends)
    return Term(tuple(axes), values, values, values, counts)


def without_nul(texts: Iterable[Any], language: str) -> None:
    """Refuses texts that hold NUL."""
    for text in texts:
        if isinstance(text, str) and "\0" in text:
            raise ValueError(
                f"{show(text)} holds a NUL character, which {language} has no way to write; rename "
                "it and fit again."
            )


def number(value: Any) -> str:
    """A number in the fewest digits that round-trip."""
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(int(value))


def rows_of(items: Iterable[str], width: int = 96) -> str:
    """Items with commas, broken into lines of about ``width`` characters."""
    lines, line = [], ""
    for item in items:
        if line and len(line) + len(item) > width:
            lines.append(line)
            line = ""
        line += f" {item}," if line else f"{item},"
    return "".join(f"    {line}\n" for line in [*lines, line] if line)
