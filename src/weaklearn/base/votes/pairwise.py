"""One binary ensemble for every pair of classes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

from ..ensemble import StackedEnsemble
from ..types import Array, Floats

if TYPE_CHECKING:
    from ..ensemble import Ensemble


def pairs_of(n_classes: int) -> list[tuple[int, int]]:
    """All pairs of classes, in the order of their ensembles.

    >>> pairs_of(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(n_classes), 2))


def n_classes_of(n_pairs: int) -> int:
    """The number of classes that have so many pairs; 0 where there is none.

    >>> n_classes_of(6), n_classes_of(5)
    (4, 0)
    """
    K = (1 + isqrt(1 + 8 * n_pairs)) // 2
    return K if n_pairs and K * (K - 1) // 2 == n_pairs else 0


class PairwiseEnsemble(StackedEnsemble):
    """One binary ensemble per pair of classes: the score of a class is its number of wins.

    A vote of 0 is won by the smaller class, as sign(0) = -1; the class of most wins is the first
    of the largest scores.
    """

    def __init__(self, parts: tuple[Ensemble, ...]) -> None:
        super().__init__(parts)
        self.n_outputs = n_classes_of(len(parts))

    @property
    def margin_weight(self) -> float:
        """The largest possible difference in wins: the number of pairs of one class."""
        return float(self.n_outputs - 1)

    def joined(self, scores: Sequence[Floats]) -> Floats:
        wins = np.zeros((len(scores[0]), self.n_outputs))
        for (i, j), F in zip(pairs_of(self.n_outputs), scores, strict=True):
            wins[:, i] += F <= 0
            wins[:, j] += F > 0
        return wins


def class_pairs(classes: Array) -> list[Array]:
    """The labels of all pairs of classes, in the order of their ensembles."""
    return [classes[list(pair)] for pair in pairs_of(len(classes))]
