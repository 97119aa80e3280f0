"""Kernels in a file, by number; a user's own functions have none and are refused."""

from __future__ import annotations

from typing import Any

from ..online.kernels import AllProducts, Combination, Kernel, Linear, Polynomial, String
from .check import Check, integer, need, of_type, one_of, real
from .record import Record, plain

_MOST = 10_000  # the highest degree


def _parts(name: str, value: Any) -> None:
    of_type(name, value, tuple)
    need(len(value) > 0, f"{name} is empty")
    for part in value:
        need(type(part) in _KINDS, f"{name} holds what is no kernel")


_FIELDS: tuple[tuple[int, type[Kernel], dict[str, Check]], ...] = (
    (85, Linear, {}),
    (86, Polynomial, {"degree": integer(1, _MOST)}),
    (87, AllProducts, {}),
    (88, String, {"p": integer(1, _MOST)}),
    (89, Combination, {"parts": _parts, "how": one_of("sum", "product"), "factor": real(0.0)}),
)
_KINDS = frozenset(kind for _, kind, _ in _FIELDS)

KERNELS: tuple[Record, ...] = tuple(plain(number, kind, fields) for number, kind, fields in _FIELDS)
