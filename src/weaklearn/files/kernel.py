"""Kernels in a file, by their numbers; functions of one's own have none."""

from __future__ import annotations

from typing import Any

from .check import Check, home_of, need, of_type, one_of, real, whole
from .record import Record, plain

_ROOM = "weaklearn.online.kernels"
_MOST = 10_000  # the highest degree


def _parts(name: str, value: Any) -> None:
    of_type(name, value, tuple)
    need(len(value) > 0, f"{name} is empty")
    for part in value:
        need(home_of(part) in _HOMES, f"{name} holds what is no kernel")


_FIELDS: tuple[tuple[int, str, dict[str, Check]], ...] = (
    (85, "Linear", {}),
    (86, "Polynomial", {"degree": whole(1, _MOST)}),
    (87, "AllProducts", {}),
    (88, "String", {"p": whole(1, _MOST)}),
    (
        89,
        "Combination",
        {"parts": _parts, "how": one_of("sum", "product"), "factor": real(0.0)},
    ),
)
_HOMES = frozenset(f"{_ROOM}.{name}" for _, name, _ in _FIELDS)

KERNELS: tuple[Record, ...] = tuple(
    plain(number, f"{_ROOM}.{name}", fields) for number, name, fields in _FIELDS
)
