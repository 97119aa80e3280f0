"""The loss of examples not learnt from, and how long to wait for it to fall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ...base.loss import Loss
    from ...engines import Engine

Floats = NDArray[np.float64]
Copies = NDArray[np.int64]


class Patience:
    """Waits for a loss to fall again, so many rounds."""

    def __init__(self, rounds: int, tol: float = 0.0) -> None:
        self._rounds, self._tol = rounds, tol
        self.losses: list[float] = []
        self.best = 0  # the round of the least loss

    def __call__(self, loss: float) -> bool:
        """Notes the loss of one more round; true where waiting is over."""
        self.losses.append(loss)
        t = len(self.losses) - 1
        if t == 0 or loss < self.losses[self.best] - self._tol:
            self.best = t
        return t - self.best >= self._rounds


class Judge:
    """The mean loss of examples by their scores, (K, n).

    A loss with a scale keeps the one of the first scores, so that later ones compare.
    """

    def __init__(
        self,
        loss: Loss,
        engine: Engine,
        y: NDArray[Any],
        weight: Floats | None,
        copies: Copies | None,
    ) -> None:
        self._loss: Loss | None = None
        self._plain, self._engine, self._y = loss, engine, y
        self._weight = weight
        self._copies = None if copies is None or (copies == 1).all() else copies
        self._everything = engine.weights.total(np.ones(len(y)), weight, self._copies)

    def __call__(self, F: Floats) -> float:
        if self._loss is None:
            scores = F[0] if len(F) == 1 else F.T
            self._loss = self._plain.adapted(self._y, scores, self._counted())
        *_, total = self._engine.gradients.derivatives(
            self._loss, self._y, np.ascontiguousarray(F), self._weight, self._copies
        )
        return float(total / self._everything)

    def _counted(self) -> NDArray[Any] | None:
        """How much each example counts."""
        if self._weight is None or self._copies is None:
            return self._copies if self._weight is None else self._weight
        return self._weight * self._copies
