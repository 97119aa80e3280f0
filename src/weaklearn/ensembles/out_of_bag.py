"""Predictions for examples by the members that were not trained on them.

With S_i the members whose bag misses example i, its out-of-bag answer is the mean over S_i. An
example that is in every bag has none: it is left out, and counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.types import Floats


@dataclass(frozen=True, eq=False)
class OutOfBag:
    """Sums of out-of-bag answers per example, and how many members gave one."""

    total: Floats  # (examples, outputs)
    count: NDArray[np.int64]

    @classmethod
    def empty(cls, n_examples: int, n_outputs: int) -> OutOfBag:
        """The sums before any member has answered."""
        return cls(np.zeros((n_examples, n_outputs)), np.zeros(n_examples, np.int64))

    def add(self, answers: Floats, unseen: NDArray[np.intp]) -> None:
        """Adds one member's answers to the examples that were not in its bag."""
        self.total[unseen] += answers
        self.count[unseen] += 1

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Mask of the examples that at least one bag leaves out."""
        return self.count > 0

    @property
    def average(self) -> Floats:
        """The out-of-bag answers; NaN where there is none."""
        with np.errstate(invalid="ignore"):
            return self.total / np.where(self.covered, self.count, np.nan)[:, None]
