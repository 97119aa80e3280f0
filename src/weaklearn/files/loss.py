"""The losses of this library in a file, by number."""

from __future__ import annotations

from typing import Any

from ..base.loss import Loss
from ..losses.margin import Exponential, Hinge, Logistic
from ..losses.positive import Gamma, Poisson, Tweedie
from ..losses.quantiles import Quantiles
from ..losses.residual import Absolute, Huber, Quantile, Squared
from ..losses.softmax import Softmax
from .check import Check, integer, need, real
from .record import plain

_SHARE = real(0.0, 1.0)


def _levels(name: str, value: Any) -> None:
    need(type(value) is tuple and len(value) > 0, f"{name} is no tuple of levels")
    for level in value:
        _SHARE(name, level)


_LOSSES: tuple[tuple[int, type[Loss], dict[str, Check]], ...] = (
    (40, Exponential, {}),
    (41, Logistic, {}),
    (42, Hinge, {}),
    (43, Softmax, {"n_classes": integer(1)}),
    (44, Squared, {}),
    (45, Absolute, {}),
    (46, Quantile, {"level": _SHARE}),
    (47, Huber, {"level": _SHARE, "delta": real(0.0)}),
    (48, Poisson, {}),
    (49, Gamma, {}),
    (50, Tweedie, {"power": real(1.0, 2.0)}),
    (51, Quantiles, {"levels": _levels}),
)

LOSSES = tuple(plain(number, kind, fields) for number, kind, fields in _LOSSES)
