"""Gradient boosting that leaves rounds out while it learns the next one: dropout of trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base import Round, Sample
from ..base.numeric.hashing import shares, stream
from ..base.types import Floats
from ..base.votes.tree_sum import AdditiveTrees
from .gradient import GradientBoosting, Slope

_DROPS = 4  # what a draw is for


@dataclass(frozen=True)
class Dropout:
    """Which rounds are left out in each round, each with the chance ``rate``, and how all of them
    count in the end.

    >>> every_one = Dropout(1.0, 0.1, seed=0)
    >>> every_one.with_round(np.array([0.1])).tolist()
    [0.05, 0.05]
    """

    rate: float
    learning_rate: float
    seed: int

    def left_out(self, t: int) -> NDArray[np.int64]:
        """The rounds of 0 .. t-1 that round t does without."""
        return np.flatnonzero(shares(stream(t, self.seed, _DROPS, t)) < self.rate)

    def with_round(self, votes: Floats) -> Floats:
        """Votes after one more round: with k rounds left out it has the (k+1)-th part of the
        learning rate, and they keep k/(k+1) of theirs.
        """
        left = self.left_out(len(votes))
        votes = np.append(votes, self.learning_rate / (len(left) + 1))
        votes[left] *= len(left) / (len(left) + 1)
        return votes

    def stages(self, ensemble: AdditiveTrees) -> Iterator[AdditiveTrees]:
        """The ensemble as it was after 1, 2, ... rounds."""
        votes = np.zeros(0)
        for n in range(1, len(ensemble) + 1):
            votes = self.with_round(votes)
            yield ensemble.staged(n).revoted(votes)

    def staged(self, ensemble: AdditiveTrees, n: int) -> AdditiveTrees:
        """The ensemble as it was after n of its rounds."""
        first, votes = ensemble.staged(n), np.zeros(0)
        for _ in range(len(first)):
            votes = self.with_round(votes)
        return first.revoted(votes)


@dataclass(frozen=True)
class DroppingBoosting(GradientBoosting):
    """In round t a set D of k earlier rounds is drawn and left out: with F' = F - sum of their
    votes times trees, g and c are the derivatives of the loss at F', and

        h_t  = a tree for each output, with value -sum g / (sum c + l2) in a leaf
        F    = F' + learning_rate/(k+1) h_t + k/(k+1) (F - F')

    so that the votes of D fall by the factor k/(k+1). With no round left out it is the round of
    gradient boosting.

    Reference: Rashmi and Gilad-Bachrach (2015), AISTATS.
    """

    dropout: Dropout = field(kw_only=True)

    def round(self, sample: Sample, learn: Any, state: Slope) -> tuple[Slope, Round]:
        t = len(state.ensemble)
        left = self.dropout.left_out(t)
        if len(left) == 0 or sample.n_classes == 1:
            return super().round(sample, learn, state)
        k = len(left)
        gone = np.ascontiguousarray(state.ensemble.some(left)(sample).T)
        F = state.F - gone
        g, c, _ = self.slope(sample, F)
        lighter = replace(self, learning_rate=self.learning_rate / (k + 1))
        h_t = lighter.descend(sample, learn, [lighter], F, g, c, t)
        F += gone * (k / (k + 1))
        votes = self.dropout.with_round(state.ensemble.votes)
        ensemble = state.ensemble.plus(lighter.learning_rate, h_t).revoted(votes)
        later = Slope(F, *self.slope(sample, F), ensemble)
        leaves = sum(tree.n_leaves for tree in h_t)
        return later, Round({"loss": later.loss, "leaves": leaves})
