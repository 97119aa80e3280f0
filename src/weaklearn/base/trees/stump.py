"""Stumps: one test on one feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..hypothesis import Hypothesis

if TYPE_CHECKING:
    from ..sample import Correctness, Rows, Sample

CONSTANT, THRESHOLD, EQUALITY, MULTIWAY = range(4)


@dataclass(frozen=True, slots=True)
class Stump(Hypothesis):
    """One test on one feature, and an answer for each outcome.

    The test is x > threshold, or x = ``category``, or multiway, which answers ``by_category``.
    ``high`` is the answer where it holds, ``low`` where not, ``missing`` where the value is missing
    or an unseen category.
    """

    test: int
    feature: int
    threshold: float
    category: int
    low: int
    high: int
    missing: int
    by_category: tuple[int, ...] | None = None

    @property
    def constant(self) -> bool:
        """Whether the answer is the same for every value of training, missing or not."""
        return self.test == CONSTANT and self.missing == self.high

    def __call__(self, rows: Rows) -> NDArray[np.int64]:
        x = rows.column(self.feature)
        if x.dtype.kind == "i":
            missing = x < 0
            if self.test == EQUALITY:
                answers = np.where(x == self.category, self.high, self.low)
            elif self.by_category is not None:
                answers = np.array(self.by_category, dtype=np.int64)[np.where(missing, 0, x)]
            else:
                answers = np.full(len(x), self.high)
        else:
            missing = np.isnan(x)
            answers = np.where(x > self.threshold, self.high, self.low)
        return np.where(missing, self.missing, answers)

    def judge(self, sample: Sample) -> Correctness:
        answers = self.by_category
        correct: Correctness = sample.coded.judge(
            feature=self.feature,
            test=self.test,
            threshold=self.threshold,
            category=self.category,
            low=self.low,
            high=self.high,
            missing=self.missing,
            by_category=None if answers is None else np.array(answers, np.int32),
            labels=sample.y,
        )
        return correct

    def importances(self, n_features: int) -> NDArray[np.float64]:
        shares = np.zeros(n_features)
        shares[self.feature] = 0.0 if self.constant else 1.0
        return shares
