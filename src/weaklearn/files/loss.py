"""Losses in a file: those of this library, by their numbers."""

from __future__ import annotations

from typing import Any

from .check import Check, need, real, whole
from .record import plain

_SHARE = real(0.0, 1.0)


def _levels(name: str, value: Any) -> None:
    need(type(value) is tuple and len(value) > 0, f"{name} is no tuple of levels")
    for level in value:
        _SHARE(name, level)


_LOSSES: tuple[tuple[int, str, dict[str, Check]], ...] = (
    (40, "margin.Exponential", {}),
    (41, "margin.Logistic", {}),
    (42, "margin.Hinge", {}),
    (43, "softmax.Softmax", {"n_classes": whole(1)}),
    (44, "residual.Squared", {}),
    (45, "residual.Absolute", {}),
    (46, "residual.Quantile", {"level": _SHARE}),
    (47, "residual.Huber", {"level": _SHARE, "delta": real(0.0)}),
    (48, "positive.Poisson", {}),
    (49, "positive.Gamma", {}),
    (50, "positive.Tweedie", {"power": real(1.0, 2.0)}),
    (51, "quantiles.Quantiles", {"levels": _levels}),
)

LOSSES = tuple(
    plain(number, f"weaklearn.losses.{home}", fields) for number, home, fields in _LOSSES
)
