"""Parts held against the whole: every stump, tree and vote fits the columns and classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .record import Book
from .shape import Shape


def hold_together(state: Mapping[str, Any], shape: Shape, book: Book) -> None:
    """Every stump, tree and vote among fitted names fits the columns and classes of the model."""
    for name, value in state.items():
        _fit(name, value, shape, book)


def _fit(name: str, value: Any, shape: Shape, book: Book) -> None:
    items = value if type(value) in (list, tuple) else [value]
    for kind in {type(item) for item in items}:
        alike = [item for item in items if type(item) is kind]
        record = book.of(alike[0])
        if record is not None and record.fits is not None:
            record.fits(name, alike, shape)
        elif kind in (list, tuple):
            for item in alike:
                _fit(name, item, shape, book)
