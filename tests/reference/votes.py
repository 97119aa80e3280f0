"""Hypotheses that are given by their answers, learners that pick from them, and all stumps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weaklearn.base import Hypothesis, WeakLearner


class Answers(Hypothesis):
    """The answers on the rows of one sample."""

    def __init__(self, answers: Any) -> None:
        self.answers = np.asarray(answers)

    def __call__(self, rows: Any) -> Any:
        return self.answers


class Picking(WeakLearner):
    """Answers with column ``pick(D, r, key)`` of H, the answers of a pool; r are correlations."""

    def __init__(self, H: Any, pick: Callable[[Any, Any, int], int]) -> None:
        self.H, self.pick = np.asarray(H), pick
        self.pool = [Answers(column) for column in self.H.T]

    def bind(self, sample: Any) -> Any:
        M = sample.y[:, None] * self.H

        def learn(D: Any, z: Any, key: int = 0) -> Hypothesis:
            return self.pool[self.pick(D.array, D.array @ M, key)]

        return learn


def largest(D: Any, r: Any, key: int) -> int:
    """The first of the hypotheses with the largest correlation."""
    return int(np.flatnonzero(r >= r.max() - 1e-12)[0])


def all_stumps(X: Any) -> Any:
    """The answers of all stumps, constant ones among them: a column each."""
    found = []
    for x in np.asarray(X, float).T:
        for threshold in [-np.inf, *np.unique(x)]:
            found += [np.where(x > threshold, 1, -1), np.where(x > threshold, -1, 1)]
    return np.unique(np.column_stack(found), axis=1)
