"""How many rounds a model needs: found by models that are judged on examples they never saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.rounds import told
from .splitting import deal

if TYPE_CHECKING:
    from ..base.engine import Engine
    from ..base.loss import Loss
    from ..base.sample import Sample
    from ..boosters.gradient import GradientBoosting

Floats = NDArray[np.float64]
Copies = NDArray[np.int64]


@dataclass(frozen=True)
class Needed:
    """The best number of rounds; the mean loss on unseen examples after 0, 1, 2, ... of them."""

    rounds: int
    losses: Floats


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
        self._everything = engine.total(np.ones(len(y)), weight, self._copies)

    def __call__(self, F: Floats) -> float:
        if self._loss is None:
            scores = F[0] if len(F) == 1 else F.T
            self._loss = self._plain.adapted(self._y, scores, self._counted())
        *_, total = self._engine.derivatives(
            self._loss, self._y, np.ascontiguousarray(F), self._weight, self._copies
        )
        return float(total / self._everything)

    def _counted(self) -> NDArray[Any] | None:
        """How much each example counts."""
        if self._weight is None or self._copies is None:
            return self._copies if self._weight is None else self._weight
        return self._weight * self._copies


def rounds_by_folds(
    booster: GradientBoosting,
    sample: Sample,
    learn: Any,
    *,
    hashes: NDArray[np.uint64],
    n_folds: int,
    seed: int,
    wait: Patience,
    most_rounds: int,
    watch: Callable[[Sequence[float], int], None] | None = None,
) -> Needed:
    """Plays one game a fold side by side on the same codes, each without the examples it is judged
    by, until their mean loss no longer falls. Where there is nothing to judge by, one round.
    ``watch`` is told the losses so far and the best number of rounds.
    """
    labels = sample.y if sample.n_classes > 0 else np.zeros(len(sample), np.int64)
    dealt = deal(hashes, labels, sample.copies, sample.importance, n_folds, seed)
    everyone = np.ones(len(sample), np.int64) if sample.copies is None else sample.copies
    held = [np.ascontiguousarray(dealt[:, k]) for k in range(n_folds)]
    held = [copies for copies in held if 0 < int(copies.sum()) < int(everyone.sum())]
    if not held:
        return Needed(1, np.array([]))
    models = [replace(booster, copies=everyone - copies) for copies in held]
    K = booster.loss.n_outputs
    with told("before the first round"):
        F = np.concatenate([model.begin(sample).F for model in models])
    rows = [np.flatnonzero(copies) for copies in held]
    judge = _judge_of(booster, sample, held, rows)

    def look() -> bool:
        unseen = [F[k * K : (k + 1) * K, mine] for k, mine in enumerate(rows)]
        over = wait(judge(np.concatenate(unseen, axis=1)))
        if watch is not None:
            watch(wait.losses, wait.best)
        return over

    look()
    for t in range(most_rounds):
        with told(f"in round {t + 1} of the folds"):
            parts = [model.slope(sample, F[k * K : (k + 1) * K]) for k, model in enumerate(models)]
            g = np.concatenate([g for g, _, _ in parts])
            c = None if parts[0][1] is None else np.concatenate([c for _, c, _ in parts])
            booster.descend(sample, learn, models, F, g, c, t, keep=False)
            if look():
                break
    return Needed(wait.best, np.array(wait.losses))


def _judge_of(
    booster: GradientBoosting, sample: Sample, held: list[Copies], rows: list[NDArray[np.intp]]
) -> Judge:
    """Of the examples held out of each fold, one fold after another."""
    weight = sample.importance
    return Judge(
        booster.loss,
        sample.engine,
        np.concatenate([sample.y[mine] for mine in rows]),
        None if weight is None else np.concatenate([weight[mine] for mine in rows]),
        np.concatenate([copies[mine] for copies, mine in zip(held, rows, strict=True)]),
    )
