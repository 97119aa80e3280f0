"""The estimators of model files, and the models of the runtime that predict for them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..registry import AROUND, ROWS, Row

if TYPE_CHECKING:
    from .model import Model

KINDS: dict[int, Row] = {row.number: row for row in ROWS.values() if row.number is not None}


def is_around(row: Row) -> bool:
    """Whether an estimator is a wrapper, and the model in it is asked."""
    return row.runtime == AROUND


def form_of(row: Row) -> type[Model]:
    """The class of the runtime that predicts for an estimator, imported with its first file."""
    assert row.runtime is not None
    module, _, name = row.runtime.partition(".")
    found: type[Model] = getattr(import_module(f".{module}", __package__), name)
    return found
