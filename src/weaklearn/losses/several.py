"""The loss of several targets: the sum of one loss for each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import Loss
from ..base.numeric.total import mean
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

    @property
    def weights(self) -> tuple[float, ...]:
        """What the value of each counts in the sum."""
        return (1.0,) * len(self.parts)

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        found = np.zeros(len(F))
        for k, (part, weight) in enumerate(zip(self.parts, self.weights, strict=True)):
            found += weight * part.value(_column(y, k), _column(F, k))
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


@dataclass(frozen=True)
class Balanced(Several):
    """The sum in which each target counts by its own spread, whatever its unit.

    What a loss is divided by is its mean at the best constant where it bends nowhere, else
    (mean g^2) / 2 (mean c), with g and c its derivatives there: of squared errors half the
    variance. The targets share no score, so that this changes no step, and gradients and curvatures
    stay those of each loss: it says how much the targets count where rounds are judged.
    """

    shares: tuple[float, ...] = (1.0, 1.0)

    @property
    def weights(self) -> tuple[float, ...]:
        return self.shares

    @property
    def unbound(self) -> Several:
        """The plain sum, which knows of no rows."""
        return Several(self.parts)

    def adapted(
        self,
        y: NDArray[Any],
        F: Floats,
        w: NDArray[Any] | None = None,
        over: Partitions | None = None,
    ) -> Balanced:
        return Balanced(super().adapted(y, F, w, over).parts, self.shares)


def balanced(loss: Several, y: NDArray[Any], w: NDArray[Any] | None) -> Balanced:
    """The sum in which each target counts by its spread in these rows.

    >>> y = np.array([[0.0, 0.0], [2.0, 2000.0]])
    >>> balanced(Several(), y, None).value(y, np.array([[1.0, 0.0], [1.0, 1000.0]])).tolist()
    [1.0, 2.0]
    """
    spreads = [_spread(part, _column(y, k), w) for k, part in enumerate(loss.parts)]
    return Balanced(loss.parts, tuple(1 / spread if spread > 0 else 1.0 for spread in spreads))


def _spread(part: Loss, y: NDArray[Any], w: NDArray[Any] | None) -> float:
    """What the loss of the best constant could lose."""
    F = np.full(len(y), float(part.best_constant(y, w)[0]))
    part = part.adapted(y, F, w)
    if part.leaf_quantiles is not None:
        return mean(part.value(y, F), w)
    bend = mean(part.curvature(y, F), w)
    return mean(part.gradient(y, F) ** 2, w) / (2 * bend) if bend > 0 else 0.0


def _column(x: NDArray[Any], k: int) -> NDArray[Any]:
    """Column k of its own, in one piece of memory; x itself where it has no columns."""
    return x if x.ndim == 1 else np.ascontiguousarray(x[:, k])
