"""Checks that the parts of a loaded model fit its columns and classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .record import Book
from .shape import Shape


def check_consistency(state: Mapping[str, Any], shape: Shape, book: Book) -> None:
    """Refuses a model with a stump, tree or vote that does not fit its columns and classes."""
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
