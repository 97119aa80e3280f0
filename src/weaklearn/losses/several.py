"""The loss of several targets: the sum of one loss for each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import Loss
from ..base.types import Floats, Partitions
from .regression import Squared


@dataclass(frozen=True)
class Several(Loss):
    """The sum of the losses of several targets, each of a score of its own.

    y has a column a target; one that has no columns is the target of every score.

    >>> loss = Several.of(Squared(), 2)
    >>> y, F = np.array([[0.0, 2.0]]), np.array([[1.0, 1.0]])
    >>> loss.value(y, F).tolist(), loss.gradient(y, F).tolist()
    ([1.0], [[1.0, -1.0]])
    """

    parts: tuple[Loss, ...] = (Squared(), Squared())

    by_name = False  # y with several columns makes it
    number = 58

    @classmethod
    def of(cls, loss: Loss, n_targets: int) -> Several:
        """The same loss for each of so many targets."""
        return cls((loss,) * n_targets)

    def __post_init__(self) -> None:
        if len(self.parts) < 2 or any(part.n_outputs > 1 for part in self.parts):
            raise ValueError("parts must be two or more losses, each of one score a row.")

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.parts[0].name

    @property
    def score_name(self) -> str:  # type: ignore[override]
        return self.parts[0].score_name

    @property
    def constant_curvature(self) -> bool:  # type: ignore[override]
        return all(part.constant_curvature for part in self.parts)

    @property
    def n_outputs(self) -> int:
        """The number of scores per row."""
        return len(self.parts)

    @property
    def n_targets(self) -> int:
        return len(self.parts)

    @property
    def leaf_quantiles(self) -> tuple[float, ...] | None:
        levels = [part.leaf_quantiles for part in self.parts]
        return tuple(chain.from_iterable(level for level in levels if level is not None)) or None

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        found = np.zeros(len(F))
        for k, part in enumerate(self.parts):
            found += part.value(_column(y, k), _column(F, k))
        return found

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        columns = enumerate(self.parts)
        return np.column_stack([p.gradient(_column(y, k), _column(F, k)) for k, p in columns])

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        columns = enumerate(self.parts)
        return np.column_stack([p.curvature(_column(y, k), _column(F, k)) for k, p in columns])

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        columns = enumerate(self.parts)
        return np.concatenate([p.best_constant(_column(y, k), w, over) for k, p in columns])

    def inverse_link(self, F: Floats) -> Floats:
        columns = enumerate(self.parts)
        return np.column_stack([part.inverse_link(_column(F, k)) for k, part in columns])

    def check_target(self, y: NDArray[Any], over: Partitions | None = None) -> None:
        for k, part in enumerate(self.parts):
            try:
                part.check_target(_column(y, k), over)
            except ValueError as error:
                error.add_note(f"This is column {k} of y.")
                raise

    def adapted(
        self,
        y: NDArray[Any],
        F: Floats,
        w: NDArray[Any] | None = None,
        over: Partitions | None = None,
    ) -> Several:
        columns = enumerate(self.parts)
        return Several(tuple(p.adapted(_column(y, k), _column(F, k), w, over) for k, p in columns))


def _column(x: NDArray[Any], k: int) -> NDArray[Any]:
    """Column k of its own, in one piece of memory; x itself where it has no columns."""
    return x if x.ndim == 1 else np.ascontiguousarray(x[:, k])
