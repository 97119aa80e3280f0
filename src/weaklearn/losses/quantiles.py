"""Several quantiles at once: one score each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Floats
from .residual import Quantile, ResidualLoss


@dataclass(frozen=True)
class Quantiles(ResidualLoss):
    """The sum of the quantile losses of several levels, each of a score of its own.

    >>> loss, y = Quantiles((0.1, 0.9)), np.array([0.0, 0.0])
    >>> loss.value(y, np.array([[-1.0, 1.0], [0.0, 0.0]])).round(3).tolist()
    [0.2, 0.0]
    """

    levels: tuple[float, ...] = (0.1, 0.5, 0.9)

    name = "quantiles"
    by_name = False  # several levels of "quantile" make it
    number = 51
    constant_curvature = True

    def __post_init__(self) -> None:
        if len(self.levels) == 0:
            raise ValueError("levels=() is not allowed: pass one or more numbers between 0 and 1.")
        for level in self.levels:
            Quantile(level)  # which refuses what is no level

    @property
    def n_outputs(self) -> int:
        """The number of scores per row."""
        return len(self.levels)

    @property
    def leaf_quantiles(self) -> tuple[float, ...]:
        return self.levels

    @property
    def _parts(self) -> list[Quantile]:
        return [Quantile(level) for level in self.levels]

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        F = np.reshape(F, (len(y), -1))
        losses = [part.value(y, F[:, k]) for k, part in enumerate(self._parts)]
        return np.asarray(np.sum(losses, axis=0))

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        columns = np.reshape(F, (len(y), -1))
        slopes = [part.gradient(y, columns[:, k]) for k, part in enumerate(self._parts)]
        return np.column_stack(slopes).reshape(F.shape)

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.ones_like(F)

    def best_constant(self, y: NDArray[Any], w: NDArray[Any] | None = None) -> Floats:
        return np.concatenate([part.best_constant(y, w) for part in self._parts])
