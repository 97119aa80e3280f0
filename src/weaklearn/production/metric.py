"""Metrics of a model card, with their confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any

from ..base.types import Floats

FOLDS = 5
_Z = 1.959963984540054  # 95 %


@dataclass(frozen=True)
class Metric:
    """A metric with the ends of its 95 % confidence interval."""

    name: str
    value: float
    low: float
    high: float

    def in_words(self) -> dict[str, Any]:
        """The fields as a dict for JSON; NaN becomes None."""
        fields = vars(self).items()
        return {name: v if isinstance(v, str) or isfinite(v) else None for name, v in fields}

    def __str__(self) -> str:
        return f"{self.value:.4g} [{self.low:.4g}, {self.high:.4g}]"


def wilson(name: str, hits: int, n: int) -> Metric:
    """A share with Wilson's interval.

    >>> print(wilson("accuracy", 90, 100))
    0.9 [0.8256, 0.9448]
    """
    p, z2 = hits / n, _Z * _Z
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    low = 0.0 if hits == 0 else middle - half
    return Metric(name, p, low, 1.0 if hits == n else middle + half)


def mean(name: str, losses: Floats) -> Metric:
    """The mean of numbers, with the interval of a normal mean."""
    mean = float(losses.mean())
    half = _Z * float(losses.std(ddof=1)) / sqrt(len(losses)) if len(losses) > 1 else float("nan")
    return Metric(name, mean, mean - half, mean + half)
