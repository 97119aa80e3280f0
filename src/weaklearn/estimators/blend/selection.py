"""Weights of models in a blend, found on predictions for examples that they did not learn from.

Scores of examples come as (n, outputs): one for two classes (log-odds) and for numbers, else one a
class. Every sum over examples is free of their order, so that the weights are too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from math import frexp, fsum, ldexp
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ...base.numeric.exponential import logarithms
from ...base.numeric.newton import Quadratic, least_of_two
from ...base.numeric.total import total
from ...base.types import Floats, Ints
from ...losses import Softmax

STEPS = 20  # of the search for weights
_SOFTENED = 0.1  # examples of every class that any row may be, to the calibration
_LEAST = 0.03  # smaller weights are none
_TIED = 1e-9  # losses that differ by less, relatively, are equal


@dataclass(frozen=True)
class Scale:
    """Turns the scores of one model into those that are blended: factor times score plus shift."""

    factor: float
    shift: Floats

    def __call__(self, F: Floats) -> Floats:
        return self.factor * F + self.shift


@dataclass(frozen=True)
class Judge(ABC):
    """The truth about examples, how often and how much each counts, and the fold it is in."""

    truth: NDArray[Any]
    copies: Ints
    importance: Floats
    fold: Ints

    def sum(self, terms: Floats) -> float:
        """The sum over examples, each as often and as much as it counts."""
        return total(terms * self.importance, self.copies)

    def loss(self, F: Floats) -> float:
        """The sum of the losses of scores."""
        return self.sum(self._losses(F))

    def mean_loss(self, F: Floats) -> float:
        """The mean of the losses of scores."""
        return self.loss(F) / self.sum(np.ones(len(F)))

    def part(self, rows: NDArray[np.bool_]) -> Self:
        """The same for some of the examples."""
        return replace(self, **{each.name: getattr(self, each.name)[rows] for each in fields(self)})

    @abstractmethod
    def _losses(self, F: Floats) -> Floats:
        """The loss of each example."""

    @abstractmethod
    def scale(self, F: Floats) -> Scale:
        """What makes the scores of one model comparable with those of others."""


class OfNumbers(Judge):
    """Squared errors; numbers are blended as they are."""

    def _losses(self, F: Floats) -> Floats:
        return np.asarray((F[:, 0] - self.truth) ** 2)

    def scale(self, F: Floats) -> Scale:
        return Scale(1.0, np.zeros(1))


class OfClasses(Judge):
    """Log-losses, of class numbers."""

    def _losses(self, F: Floats) -> Floats:
        wide = _wide(F)
        return np.asarray(Softmax(wide.shape[1]).value(self.truth, wide))

    def scale(self, F: Floats) -> Scale:
        """Platt's link, with softened labels: a factor and a shift.

        Of more than two classes the shift is a multiple of the logarithms of their shares: scores
        that leave out how frequent classes are, as those of a forest do, need it.
        """
        unit = ldexp(1.0, frexp(float(np.abs(F).max(initial=0.0)))[1])
        F = F / unit
        wide = _wide(F)
        K, everyone, n = wide.shape[1], np.arange(len(F)), float(self.copies.sum())
        shares = np.array([self.sum(self.truth == k) for k in range(K)])
        weight = fsum(shares)
        logs = logarithms(np.maximum(shares / weight, 1 / (n + 1)))
        along = np.ones(1) if F.shape[1] == 1 else logs - fsum(logs) / K
        targets = np.full(wide.shape, _SOFTENED / (n + K * _SOFTENED))
        targets[everyone, self.truth] += n / (n + K * _SOFTENED)
        softmax, shifted = Softmax(K), _wide(along[None, :])

        def loss(factor: float, shift: float) -> Quadratic:
            z = _wide(factor * F + shift * along)
            sure = softmax.value(self.truth, z) + z[everyone, self.truth]
            p = softmax.inverse_link(z)
            means = [_by_class(p * each) for each in (wide, shifted)]
            slopes = [self.sum(_by_class((p - targets) * each)) for each in (wide, shifted)]
            bends = [
                self.sum(_by_class(p * one * other) - mean * its)
                for one, mean, other, its in (
                    (wide, means[0], wide, means[0]),
                    (wide, means[0], shifted, means[1]),
                    (shifted, means[1], shifted, means[1]),
                )
            ]
            found = [self.sum(sure - _by_class(targets * z)), *slopes, *bends]
            return Quadratic(*(each / weight for each in found))

        factor, shift = least_of_two(loss, unit)
        return Scale(max(factor / unit, 0.0), shift * along)


def _by_class(x: Floats) -> Floats:
    """The sum over the classes, added in their order."""
    total = x[:, 0].copy()
    for column in x.T[1:]:
        total += column
    return total


def _wide(F: Floats) -> Floats:
    """Scores of every class: of two, half of the log-odds for and against."""
    return F if F.shape[1] > 1 else np.column_stack([-F[:, 0] / 2, F[:, 0] / 2])


def weights_of(scores: Sequence[Floats], judge: Judge) -> Floats:
    """The weights of models whose scores for unseen examples these are; they sum to 1.

    Step by step the model is added, be it anew or once more, with which the mean of those chosen
    has the least loss. This is done without each fold in turn, and weights are the mean of what is
    found: no fold decides alone. On the fold left out the blend is compared with the best single
    model of the others; where it loses, over all folds, the best single model is taken.

    Reference: Caruana, Niculescu-Mizil, Crew and Ksikes (2004), Ensemble selection from libraries
    of models.
    """
    folds = np.unique(judge.fold)
    if len(folds) < 2:
        return _rounded(_chosen(scores, judge)[-1])
    counts, gained = np.zeros(len(scores)), 0.0
    for k in folds:
        here = judge.fold == k
        chosen = _chosen([F[~here] for F in scores], judge.part(~here))
        unseen, held = [F[here] for F in scores], judge.part(here)
        single, blend = (held.loss(_mean(unseen, each)) for each in (chosen[0], chosen[-1]))
        counts, gained = counts + chosen[-1], gained + (single - blend)
    return _rounded(counts if gained > 0 else _chosen(scores, judge, 1)[0])


def _rounded(counts: Floats) -> Floats:
    """Counts as weights, without those that are hardly worth a model."""
    kept = np.where(counts >= _LEAST * counts.sum(), counts, 0.0)
    return np.asarray(kept / kept.sum())


def _chosen(scores: Sequence[Floats], judge: Judge, steps: int = STEPS) -> list[Floats]:
    """How often each model was chosen after 1, 2, ... steps."""
    counts, added = np.zeros(len(scores)), np.zeros_like(scores[0])
    found = []
    for t in range(1, steps + 1):
        losses = np.array([judge.loss((added + F) / t) for F in scores])
        best = int(np.argmax(losses <= losses.min() * (1 + _TIED)))
        added = added + scores[best]
        counts[best] += 1
        found.append(counts.copy())
    return found


def _mean(scores: Sequence[Floats], counts: Floats) -> Floats:
    """The mean of scores, each counted so often."""
    terms = [count * F for count, F in zip(counts, scores, strict=True) if count]
    return np.asarray(np.sum(terms, axis=0) / counts.sum())
