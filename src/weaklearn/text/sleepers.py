"""Experts of terms, each awake where its term is, beside one that never sleeps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log, log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files.check import array, real, whole
from ..files.record import plain
from ..online.experts import Advice, Experts

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Sleepers:
    """Sleeping experts of two labels, 0 and 1, over documents.

    Expert 0 is a classifier and always awake. Of each term there are two experts, awake in
    documents that contain it: one always says 0, one always says 1. The classifier begins with a
    weight of 1 and every other of n experts with 1/n, so that at first it is the majority alone.

    ``terms`` are columns, ascending; ``chances`` and ``mistakes`` are what ``online.experts`` keeps
    of each expert, ``t`` the documents learnt from and ``errors`` those told wrongly before.

    >>> import scipy.sparse as sp
    >>> experts, document = Sleepers.fresh(np.array([1, 3]), 0.5), sp.csr_matrix([[0, 1, 0, 0]])
    >>> experts.share(document, 1, 1.0) > 0.8
    True
    >>> for _ in range(9):
    ...     experts = experts.told(document, 1, 0)  # the classifier says 1, and is wrong
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
        """Experts that have learnt nothing yet."""
        n = 2 * len(terms) + 1
        chances = np.zeros(n)
        # A weight of 1/n is what so many chances of a mistake less would have made of it.
        chances[1:] = -log(n) * (1 + epsilon) / log1p(epsilon)
        return cls(np.asarray(terms, np.int64), epsilon, chances, np.zeros(n, np.int64))

    def share(self, document: Any, verdict: int, own: float) -> float:
        """The share of label 1 among awake experts; of the classifier's share ``own`` counts."""
        awake, said = self._awake(document, verdict)
        shares = self._experts().shares(awake)
        return float(min(1.0, shares[0] * own + shares[1:] @ (said[1:] == 1)))

    def label(self, document: Any, verdict: int) -> int:
        """The label of the weighted majority, where the classifier says ``verdict``."""
        return int(self.share(document, verdict, float(verdict)) > 0.5)

    def labels(self, documents: Any, p: Floats, threshold: float) -> NDArray[np.intp]:
        """The label of each document, a row; p is the classifier's probability of 1."""
        said = (p > threshold).astype(np.intp)
        if self.t:
            said[:] = [self.label(documents[i], int(verdict)) for i, verdict in enumerate(said)]
        return said

    def probabilities(self, documents: Any, p: Floats, threshold: float) -> Floats:
        """The probability of label 1 of each document; before any update the classifier's own."""
        if self.t == 0:
            return p
        each = enumerate(p.tolist())
        return np.array([self.share(documents[i], int(own > threshold), own) for i, own in each])

    def told(self, document: Any, verdict: int, truth: int) -> Sleepers:
        """The experts after they are told the label of a document, a sparse row."""
        awake, said = self._awake(document, verdict)
        experts = self._experts()
        experts.chances, experts.mistakes = self.chances.copy(), self.mistakes.copy()
        advice = Advice(np.array([0, len(awake)], np.int64), awake, said)
        experts.play(advice, np.array([truth], np.int32), 2)
        return replace(
            self,
            chances=experts.chances,
            mistakes=experts.mistakes,
            t=self.t + 1,
            errors=self.errors + (self.label(document, verdict) != truth),
        )

    def _experts(self) -> Experts:
        experts = Experts(len(self.chances), self.epsilon)
        experts.chances, experts.mistakes, experts.t = self.chances, self.mistakes, self.t
        return experts

    def _awake(self, document: Any, verdict: int) -> tuple[Codes, Codes]:
        """The experts awake at one document, and what they say."""
        fired = np.flatnonzero(np.isin(self.terms, document.indices))
        pairs = np.stack([2 * fired + 1, 2 * fired + 2], axis=1).ravel()
        awake = np.concatenate([[0], pairs]).astype(np.int32)
        said = np.concatenate([[verdict], np.tile([0, 1], len(fired))]).astype(np.int32)
        return awake, said


_MANY = whole(0, 2**62)
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
