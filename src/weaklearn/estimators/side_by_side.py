"""Models of one kind side by side on shared codes, each judged by examples it never saw."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.rounds import told
from .judging import Judge
from .splitting import deal, hold_out

if TYPE_CHECKING:
    from ..base.sample import Sample
    from ..boosters.gradient import GradientBoosting

Floats = NDArray[np.float64]
Copies = NDArray[np.int64]


def bags_of(
    sample: Sample, hashes: NDArray[np.uint64], n_bags: int, fraction: float, seed: int
) -> list[Copies]:
    """The examples each of several models does without: every one is left out of one bag.

    A single bag leaves out a fraction. Where a bag would have nothing to learn from, or to be
    judged by, there are fewer; none where there are too few examples for any.
    """
    labels = sample.y if sample.n_classes > 0 else np.zeros(len(sample), np.int64)
    if n_bags == 1:
        held = hold_out(hashes, labels, sample.copies, sample.importance, fraction, seed)
        dealt = np.asarray(held, np.int64)[:, None]
    else:
        dealt = deal(hashes, labels, sample.copies, sample.importance, n_bags, seed)
    bags = [np.ascontiguousarray(dealt[:, k]) for k in range(dealt.shape[1])]
    return [held for held in bags if 0 < int(held.sum()) < sample.m]


class SideBySide:
    """Where several descents stand: scores F, (models times K, m), moving on in place."""

    def __init__(self, booster: GradientBoosting, sample: Sample, held: list[Copies]) -> None:
        everyone = np.ones(len(sample), np.int64) if sample.copies is None else sample.copies
        self.sample, self.held, self.booster = sample, held, booster
        self.models = [replace(booster, copies=everyone - left_out) for left_out in held]
        self.unseen = [np.flatnonzero(left_out) for left_out in held]
        with told("before the first round"):
            begun = [model.begin(sample) for model in self.models]
        self.bases = [state.ensemble.base for state in begun]
        self.F = np.concatenate([state.F for state in begun])
        weight = sample.importance
        self._judge = Judge(
            booster.loss,
            sample.engine,
            np.concatenate([sample.y[rows] for rows in self.unseen]),
            None if weight is None else np.concatenate([weight[rows] for rows in self.unseen]),
            np.concatenate(
                [left_out[rows] for left_out, rows in zip(held, self.unseen, strict=True)]
            ),
        )

    @property
    def K(self) -> int:
        return self.booster.loss.n_outputs

    def of(self, k: int) -> Floats:
        """The scores of model k, (K, m)."""
        return self.F[k * self.K : (k + 1) * self.K]

    def step(self, learn: Any, t: int, kept: Any = None) -> None:
        """One round of every model; trees are forgotten, or go to the engine's list ``kept``."""
        parts = [model.slope(self.sample, self.of(k)) for k, model in enumerate(self.models)]
        g = np.concatenate([g for g, _, _ in parts])
        c = None if parts[0][1] is None else np.concatenate([c for _, c, _ in parts])
        self.booster.descend(
            self.sample, learn, self.models, self.F, g, c, t, keep=False, kept=kept
        )

    def loss(self) -> float:
        """The mean loss of examples that models did not learn from; NaN where there are none."""
        if not any(len(rows) for rows in self.unseen):
            return float("nan")
        unseen = [self.of(k)[:, rows] for k, rows in enumerate(self.unseen)]
        return self._judge(np.concatenate(unseen, axis=1))

    def unseen_scores(self) -> Floats:
        """Scores of every example by models that did not learn from it, (K, m).

        An example of several copies in different bags gets their mean; one that all models learnt
        from, that of all of them.
        """
        total = np.zeros((self.K, len(self.sample)))
        times = np.zeros(len(self.sample))
        for k, left_out in enumerate(self.held):
            total += self.of(k) * left_out
            times += left_out
        everywhere = times == 0
        for k in range(len(self.models)):
            total[:, everywhere] += self.of(k)[:, everywhere]
        times[everywhere] = len(self.models)
        return np.asarray(total / times)
