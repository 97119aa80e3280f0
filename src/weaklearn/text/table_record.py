"""The columns of a table with texts, in model files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..files.check import instance, maybe, text
from ..files.record import MODELS, Record, expect, plain
from ..files.value import Part
from ..persistence import checks as fit
from ..persistence.column_record import PARTS_OF_TEXTS, TEXT_COLUMN_NUMBER
from .table import TextSchema
from .text_columns import TextColumn, check_parts
from .vectorizer import TermVectorizer

TEXT_COLUMN = plain(
    TEXT_COLUMN_NUMBER,
    TextColumn,
    {
        "name": maybe(text),
        "vectorizer": instance(TermVectorizer),
    },
    holds={1: MODELS},
)


def _take_schema(schema: Any) -> list[Any]:
    return [schema.plain, list(schema.texts)]


def _make_schema(fields: list[Any]) -> Any:
    """The features follow from the columns: those that are no texts, and all terms."""
    expect(fields, 2)
    others, texts = fields
    maybe(fit.schema)("plain", others)
    check_parts(others, texts)
    return TextSchema.of(others, texts, "")


def _columns(fields: Sequence[Any]) -> tuple[int | None, tuple[Any, ...] | None]:
    """The columns that are no texts, and behind them those of texts."""
    if len(fields) != 2:
        return None, None
    others, texts = fields
    known = others.columns()[1] if type(others) is Part else None
    own = [part.fields[0] for part in texts if type(part) is Part and part.fields]
    named = (*(known or ()), *(name for name in own if name is not None))
    return (len(named), named) if named else (None, None)


TEXT_SCHEMA = Record(
    97, TextSchema, _take_schema, _make_schema, columns=_columns, holds=PARTS_OF_TEXTS
)
