"""How many rounds a model needs: found by models that are judged on examples they never saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.rounds import told
from .folds import SideBySide, bags_of

if TYPE_CHECKING:
    from ...base.sample import Sample
    from ...boosters.gradient import GradientBoosting
    from .early_stopping import Patience

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Needed:
    """The best number of rounds; the mean loss on unseen examples after 0, 1, 2, ... of them."""

    rounds: int
    losses: Floats


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
    held = bags_of(sample, hashes, n_folds, 0.0, seed)
    if not held:
        return Needed(1, np.array([]))
    side = SideBySide(booster, sample, held)

    def look() -> bool:
        over = wait(side.loss())
        if watch is not None:
            watch(wait.losses, wait.best)
        return over

    look()
    for t in range(most_rounds):
        with told(f"in round {t + 1} of the folds"):
            side.step(learn, t)
            if look():
                break
    return Needed(wait.best, np.array(wait.losses))
