"""Sleeping experts on terms, each awake where its term occurs, beside the classifier."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log, log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Floats
from ..files.check import array, integer, need, real
from ..files.record import plain
from ..online.experts import Advice, Experts

Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Sleepers:
    """Sleeping experts of two labels, 0 and 1, over documents.

    Expert 0 is a classifier and always awake. Of each term there are two experts, awake in
    documents that contain it: one always says 0, one always says 1. The classifier begins with a
    weight of 1 and every other of n experts with 1/n, so that at first it is the majority alone.

    ``terms`` are columns, ascending; ``chances`` and ``mistakes`` are the state of each expert in
    ``online.experts``, ``t`` the number of updates and ``errors`` the mistakes made before them.

    >>> import scipy.sparse as sp
    >>> experts, document = Sleepers.fresh(np.array([1, 3]), 0.5), sp.csr_matrix([[0, 1, 0, 0]])
    >>> experts.share(document, 1, 1.0) > 0.8
    True
    >>> for _ in range(9):
    ...     experts = experts.updated(document, 1, 0)  # the classifier predicts 1, and is wrong
    >>> experts.share(document, 1, 1.0) < 0.5, experts.errors
    (True, 5)
    """

    terms: NDArray[np.int64]
    epsilon: float
    chances: Floats
    mistakes: NDArray[np.int64]
    t: int = 0
    errors: int = 0

    @classmethod
    def fresh(cls, terms: NDArray[Any], epsilon: float) -> Sleepers:
        """The experts before any update."""
        n = 2 * len(terms) + 1
        chances = np.zeros(n)
        # Chosen so that the update rule gives these experts a weight of 1/n.
        chances[1:] = -log(n) * (1 + epsilon) / log1p(epsilon)
        return cls(np.asarray(terms, np.int64), epsilon, chances, np.zeros(n, np.int64))

    def share(self, document: Any, verdict: int, own: float) -> float:
        """The weight of label 1 among awake experts; the classifier's counts by ``own``."""
        awake, advice = self._awake(document, verdict)
        shares = self._experts().shares(awake)
        return float(min(1.0, shares[0] * own + shares[1:] @ (advice[1:] == 1)))

    def label(self, document: Any, verdict: int) -> int:
        """The label of the weighted majority, where the classifier predicts ``verdict``."""
        return int(self.share(document, verdict, float(verdict)) > 0.5)

    def labels(self, documents: Any, p: Floats, threshold: float) -> NDArray[np.intp]:
        """The label of each document, a row; p is the classifier's probability of 1."""
        found = (p > threshold).astype(np.intp)
        if self.t:
            found[:] = [self.label(documents[i], int(verdict)) for i, verdict in enumerate(found)]
        return found

    def probabilities(self, documents: Any, p: Floats, threshold: float) -> Floats:
        """The probability of label 1 of each document; before any update the classifier's own."""
        if self.t == 0:
            return p
        each = enumerate(p.tolist())
        return np.array([self.share(documents[i], int(own > threshold), own) for i, own in each])

    def updated(self, document: Any, verdict: int, truth: int) -> Sleepers:
        """The experts after an update with the true label of a document, a sparse row."""
        awake, advised = self._awake(document, verdict)
        experts = self._experts()
        experts.chances, experts.mistakes = self.chances.copy(), self.mistakes.copy()
        advice = Advice(np.array([0, len(awake)], np.int64), awake, advised)
        experts.play(advice, np.array([truth], np.int32), 2)
        return replace(
            self,
            chances=experts.chances,
            mistakes=experts.mistakes,
            t=self.t + 1,
            errors=self.errors + (self.label(document, verdict) != truth),
        )

    def check(self, n_terms: int) -> None:
        """The experts of a file are of the terms that there are, and have numbers of t updates."""
        need(0 < self.epsilon < 1, "epsilon is not between 0 and 1")
        inside = len(self.terms) == 0 or (self.terms[0] >= 0 and self.terms[-1] < n_terms)
        need((np.diff(self.terms) > 0).all() and inside, "the terms of experts are in no order")
        n = 2 * len(self.terms) + 1
        need(len(self.chances) == len(self.mistakes) == n, f"there are not {n} experts")
        wrong = (self.mistakes >= 0) & (self.mistakes <= self.t)
        need(wrong.all() and self.errors <= self.t, "there are more mistakes than updates")
        need((np.abs(self.chances) <= self.t + 1e9).all(), "chances are not of t updates")

    def _experts(self) -> Experts:
        experts = Experts(len(self.chances), self.epsilon)
        experts.chances, experts.mistakes, experts.t = self.chances, self.mistakes, self.t
        return experts

    def _awake(self, document: Any, verdict: int) -> tuple[Codes, Codes]:
        """The experts awake at one document, and the labels they predict."""
        fired = np.flatnonzero(np.isin(self.terms, document.indices))
        pairs = np.stack([2 * fired + 1, 2 * fired + 2], axis=1).ravel()
        awake = np.concatenate([[0], pairs]).astype(np.int32)
        advice = np.concatenate([[verdict], np.tile([0, 1], len(fired))]).astype(np.int32)
        return awake, advice


_MANY = integer(0, 2**62)
SLEEPERS = plain(
    95,
    Sleepers,
    {
        "terms": array("i"),
        "epsilon": real(0.0, 1.0),
        "chances": array("f"),
        "mistakes": array("i"),
        "t": _MANY,
        "errors": _MANY,
    },
)
