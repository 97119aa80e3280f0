"""Models of one kind side by side on shared codes, each judged by examples it never saw."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.booster import Round, error_context
from ...base.types import Floats, Ints
from ...intake.splitting import deal, hold_out
from .held_out_loss import HeldOutLoss

if TYPE_CHECKING:
    from ...base.sample import Sample
    from ...boosters.gradient import GradientBoosting


def bags_of(
    sample: Sample, hashes: NDArray[np.uint64], n_bags: int, fraction: float, seed: int
) -> list[Ints]:
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
    """Where several descents stand: scores F, (models times K, m), moving on in place.

    All start from the constant of the whole sample: a bag that lacks a class must not think it
    impossible.
    """

    def __init__(self, booster: GradientBoosting, sample: Sample, held: list[Ints]) -> None:
        everyone = np.ones(len(sample), np.int64) if sample.copies is None else sample.copies
        self.sample, self.held, self.booster = sample, held, booster
        self.models = [replace(booster, copies=everyone - left_out) for left_out in held]
        self.unseen = [np.flatnonzero(left_out) for left_out in held]
        with error_context("before the first round"):
            begun = booster.begin(sample)
        self.base = begun.ensemble.base
        self.F = np.concatenate([begun.F] * len(held))
        self.kept: Any = None  # where trees go: an engine's list, or nowhere
        self._g = np.empty_like(self.F)
        self._c: Floats | None = np.empty_like(self.F)
        weight = sample.importance
        self._judge = HeldOutLoss(
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

    def round(self, sample: Sample, learn: Any, state: int) -> tuple[int, Round]:
        """One round of every model; the state is how many have been played. Trees are forgotten,
        or go to the engine's list ``kept``.
        """
        for k, model in enumerate(self.models):
            part = slice(k * self.K, (k + 1) * self.K)
            room = (self._g[part], None if self._c is None else self._c[part])
            g, c, _ = model.slope(self.sample, self.of(k), room)
            if g is not room[0]:
                self._g[part] = g
            if c is None:
                self._c = None
            elif self._c is not None and c is not room[1]:
                self._c[part] = c
        self.booster.descend(
            self.sample,
            learn,
            self.models,
            self.F,
            self._g,
            self._c,
            state,
            keep=False,
            kept=self.kept,
        )
        return state + 1, Round({})

    def loss(self) -> float:
        """The mean loss of examples that models did not learn from; NaN where there are none."""
        if not any(len(rows) for rows in self.unseen):
            return float("nan")
        unseen = [self.of(k)[:, rows] for k, rows in enumerate(self.unseen)]
        return self._judge(np.concatenate(unseen, axis=1))

    def unseen_scores(self) -> tuple[Floats, Ints]:
        """Scores of every example by the models that did not learn from it, (K, m), and how many of
        its copies were left out: of copies in different bags the mean, NaN where there is none.
        """
        total = np.zeros((self.K, len(self.sample)))
        times = np.zeros(len(self.sample), np.int64)
        for k, left_out in enumerate(self.held):
            total += self.of(k) * left_out
            times += left_out
        scores = np.full_like(total, np.nan)
        np.divide(total, times, out=scores, where=np.broadcast_to(times > 0, total.shape))
        return scores, times
