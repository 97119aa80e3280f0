"""How a loss of this library is written to a file."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ..base.loss import Loss, options_of
from ..losses import kinds
from .check import Check, flag, integer, maybe, need, real, text
from .record import Record, plain

_SHARE = real(0.0, 1.0)


def _levels(name: str, value: Any) -> None:
    need(type(value) is tuple and len(value) > 0, f"{name} is no tuple of levels")
    for level in value:
        _SHARE(name, level)


def _parts(name: str, value: Any) -> None:
    need(type(value) is tuple and len(value) > 1, f"{name} is no tuple of losses")
    for part in value:
        need(type(part) in kinds(), f"{name} holds what is no loss")


_CHECKS: dict[str, Check] = {  # by a field's type
    "int": integer(1),
    "int | None": maybe(integer(1)),
    "str": text,
    "bool": flag,
    "float | None": maybe(real()),
    "tuple[float, ...]": _levels,
    "tuple[Loss, ...]": _parts,
}


class _OfOneScore:
    """The numbers of the losses of one score, of which others are made."""

    def __contains__(self, number: object) -> bool:
        return any(k.number == number and k.n_outputs is Loss.n_outputs for k in kinds())


def loss_record(kind: type[Loss]) -> Record:
    """A loss by its fields: options within their range, others by their type."""
    options = {name: real(known.above, known.below) for name, known in options_of(kind).items()}
    named = {field.name: str(field.type) for field in fields(kind)}  # type: ignore[arg-type]
    assert kind.number is not None
    checks = {name: options.get(name) or _CHECKS[named[name]] for name in named}
    nested = {k: _OfOneScore() for k, name in enumerate(named) if checks[name] is _parts}
    return plain(kind.number, kind, checks, holds=nested)
