"""Multiclass boosting by one binary booster for every pair of classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..base import Ensemble, Sample
from ..base.votes.pairwise import PairwiseEnsemble, pairs_of
from .parts.reduction import Panel


@dataclass(frozen=True)
class AllPairs(Panel):
    """Every two classes against one another, on their own rows: K (K - 1)/2 problems; most wins.

    In the problem of classes i < j the examples of i are -1 and those of j +1, with the weights
    they have in the whole sample. A row is won by the class that its score speaks for, i where that
    is 0; the class of most wins is predicted, the smallest on ties.

    The metrics of a round are the means over the problems still run; ``epsilon_k``, ``alpha_k`` and
    ``Z_k`` are those of problem k alone, in the order (0, 1), (0, 2), ..., and not a number once it
    has ended.

    **Guarantee.** A class that wins all its problems has the most wins. So the training error is at
    most the sum over the problems of their errors, each times the weight of its two classes.

    Reference: Friedman (1996), Another approach to polychotomous classification.
    """

    def samples(self, sample: Sample) -> Iterator[Sample]:
        classes = np.asarray(sample.classes)
        for i, j in pairs_of(sample.n_classes):
            part = sample.among(np.flatnonzero((sample.y == i) | (sample.y == j)))
            y = np.where(part.y == j, 1, -1).astype(np.int8)
            yield replace(part, y=y, n_classes=2, classes=classes[[i, j]])

    def vote(self, parts: tuple[Ensemble, ...]) -> PairwiseEnsemble:
        return PairwiseEnsemble(parts)
