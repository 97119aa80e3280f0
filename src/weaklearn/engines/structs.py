"""Settings as the kernels take them."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

S = TypeVar("S")


def filled(struct: S, kind: type[DataclassInstance], settings: Any) -> S:
    """A kernel's struct with the values of all fields of ``kind``, by name."""
    for field in fields(kind):
        setattr(struct, field.name, getattr(settings, field.name))
    return struct
