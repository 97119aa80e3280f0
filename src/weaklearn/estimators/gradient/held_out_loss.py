"""The mean loss of examples that are not learnt from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.types import Floats, Ints
from ...boosters.gradient import over
from .queries import rebound

if TYPE_CHECKING:
    from ...base.loss import Loss
    from ...engines import Engine


class HeldOutLoss:
    """The mean loss of examples by their scores, (K, n).

    A loss with a scale keeps the one of the first scores, so that later ones compare, unless it is
    profiled; one of whole queries judges the ``queries`` that examples are of.
    """

    def __init__(
        self,
        loss: Loss,
        engine: Engine,
        y: NDArray[Any],
        weight: Floats | None,
        copies: Ints | None,
        queries: Ints | None = None,
    ) -> None:
        self._loss: Loss | None = None
        self._plain, self._engine, self._y = rebound(loss, engine, y, queries), engine, y
        self._own_weight = weight
        self._over = over(engine)
        self._room: tuple[Floats, Floats | None] | None = None  # of the last derivatives
        self._copies = None if copies is None or (copies == 1).all() else copies
        self.weight = engine.weights.total(np.ones(len(y)), weight, self._copies)

    def __call__(self, F: Floats) -> float:
        if self._loss is None or self._plain.profiled:
            scores = F[0] if len(F) == 1 else F.T
            self._loss = self._plain.adapted(self._y, scores, self._counted(), *self._over)
        if self._loss.queries is not None:
            F = np.ascontiguousarray(F)
            ranked = (self._loss.queries, F, self._own_weight, self._copies)
            return 1 - self._engine.queries.metric(*ranked)
        g, c, total = self._engine.gradients.derivatives(
            self._loss, self._y, np.ascontiguousarray(F), self._own_weight, self._copies, self._room
        )
        self._room = g, c
        return float(total / self.weight)

    def _counted(self) -> NDArray[Any] | None:
        """How much each example counts."""
        if self._own_weight is None or self._copies is None:
            return self._copies if self._own_weight is None else self._own_weight
        return self._own_weight * self._copies
