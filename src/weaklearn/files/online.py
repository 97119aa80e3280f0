"""The state of online learners, and kernels, in a file; functions of users are refused."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ..online.descent import LinearState, shapes_of
from ..online.kernels import (
    MOST_DEGREE,
    AllProducts,
    Combination,
    Kernel,
    Linear,
    Polynomial,
    String,
)
from .check import Check, array, flag, integer, listed, maybe, need, of_type, one_of, real
from .record import Record, plain
from .shape import Shape

_FIELDS = {
    "n_features": integer(1),
    "units": listed(integer(1), tuple),
    "constant": flag,
    "w": array("f"),
    "drift": maybe(array("f")),
    "seen": integer(0, 2**62),
    "mistakes": integer(0, 2**62),
    "updates": integer(0, 2**62),
}


def _state(**fields: Any) -> LinearState:
    state = LinearState(**fields)
    need(len(state.units) > 0, "units is empty; a score has at least one layer")
    shapes = shapes_of(state.n_features, state.units, state.constant)
    size = sum(map(prod, shapes))
    for name in ("w", "drift"):
        weights = getattr(state, name)
        found = size if weights is None else len(weights)
        need(found == size, f"{name} has {found} weights; its layers have {size}")
    for name in ("mistakes", "updates"):
        need(getattr(state, name) <= state.seen, f"there are more {name} than examples")
    return state


def _fit(name: str, states: Sequence[LinearState], shape: Shape) -> None:
    outputs = shape.n_classes if shape.n_classes > 2 else 1
    for state in states:
        need(
            state.n_features == shape.n_features and state.outputs == outputs,
            f"{name} is not one of {shape.n_features} features and {shape.n_classes} classes",
        )


LINEAR_STATE = plain(80, LinearState, _FIELDS, _state, fits=_fit)


def _parts(name: str, value: Any) -> None:
    of_type(name, value, tuple)
    need(len(value) > 0, f"{name} is empty")
    for part in value:
        need(type(part) in _KINDS, f"{name} holds what is no kernel")


_KERNELS: tuple[tuple[int, type[Kernel], dict[str, Check]], ...] = (
    (85, Linear, {}),
    (86, Polynomial, {"degree": integer(1, MOST_DEGREE)}),
    (87, AllProducts, {}),
    (88, String, {"p": integer(1, MOST_DEGREE)}),
    (89, Combination, {"parts": _parts, "how": one_of("sum", "product"), "factor": real(0.0)}),
)
_KINDS = frozenset(kind for _, kind, _ in _KERNELS)
_NUMBERS = frozenset(number for number, _, _ in _KERNELS)

KERNELS: tuple[Record, ...] = tuple(
    plain(number, kind, fields, holds={0: _NUMBERS} if kind is Combination else {})
    for number, kind, fields in _KERNELS
)
