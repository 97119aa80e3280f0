"""Reranking of candidate lists: one indicator feature a round."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..base import History, Stop
from ..base.numeric.exponential import exponentials
from ..base.numeric.total import total
from ..base.types import Floats
from .parts.line_search import least

_TIED = 1e-12
_NOTHING = 1e-200  # a loss below this is none
_BITS = 60  # of all masses together; a rebuild keeps at least 50 of them in use


@dataclass(frozen=True)
class CandidatePairs:
    """The best candidate of each list beside every other one.

    ``ahead`` is by how much its log-likelihood leads, ``importance`` what it costs to be wrong, and
    ``only`` has +1 where only the best candidate has a feature, -1 where only the other one.
    """

    ahead: Floats
    importance: Floats
    only: Any  # sparse, a row a pair and a column a feature


@dataclass(frozen=True)
class Reranking:
    """F(x) = w_0 L(x) + sum of a_k over the features k of a candidate.

    With margins M_ij = F(x_i0) - F(x_ij) the loss is sum of S_ij exp(-M_ij); W+_k is the loss mass
    of the pairs where only the best candidate has feature k, W-_k where only the other one has it.
    In every round the k with the largest |sqrt(W+_k) - sqrt(W-_k)| gains

        1/2 ln((W+_k + s Z) / (W-_k + s Z)),   Z the present loss.

    Masses are multiples of a small unit, so that a round touches only the pairs that know k and
    nothing drifts. ``w0`` is the weight of the log-likelihood; None: that of least loss.

    **Guarantee.** With s = 0 the loss falls by (sqrt(W+_k) - sqrt(W-_k))^2 in every round, and
    there are at most as many misranked pairs as loss, importances counted.

    Reference: Collins and Koo (2005), Computational Linguistics 31.
    """

    smoothing: float = 0.001
    w0: float | None = None

    def play(self, pairs: CandidatePairs, n_rounds: int) -> tuple[float, Floats, History, Stop]:
        """Runs the rounds: w_0, the weights of the features, and the history."""
        w0 = best_weight(pairs) if self.w0 is None else self.w0
        ledger = _Ledger(pairs, w0 * pairs.ahead)
        weights, history, stop = np.zeros(pairs.only.shape[1]), History(), Stop.ROUNDS
        for _ in range(n_rounds):
            plus, minus = ledger.masses()
            gap = np.abs(np.sqrt(plus) - np.sqrt(minus))
            if not len(gap) or gap.max() <= sqrt(_TIED * ledger.loss):
                stop = Stop.NO_EDGE
                break
            if ledger.loss <= _NOTHING:
                stop = Stop.DECIDED
                break
            k = int(np.flatnonzero(gap >= gap.max() - _TIED * sqrt(ledger.loss))[0])
            s = self.smoothing * ledger.loss
            if s == 0 and min(plus[k], minus[k]) == 0:
                s = 1e-12 * ledger.loss  # else the weight would have no end
            a = 0.5 * log((plus[k] + s) / (minus[k] + s))
            metrics = {"feature": float(k), "W_plus": plus[k], "W_minus": minus[k], "alpha": a}
            before = ledger.loss
            ledger.add(k, a)
            weights[k] += a
            history.append(metrics | {"loss_before": before, "loss": ledger.loss})
        return w0, weights, history, stop


def best_weight(pairs: CandidatePairs) -> float:
    """The weight of the log-likelihood that makes the loss least, at most one that decides all."""
    scale = float(np.abs(pairs.ahead).max(initial=0.0))
    if scale == 0:
        return 1.0
    ahead, S = pairs.ahead / scale, pairs.importance
    side = 1.0 if total(S * ahead) >= 0 else -1.0

    def derivatives(a: float) -> tuple[float, float]:
        e = S * exponentials(-a * side * ahead)
        return total(-side * ahead * e), total(ahead * ahead * e)

    most = 30.0 / float(np.abs(ahead[ahead != 0]).min())
    if derivatives(most)[0] < 0:  # it falls for ever
        return side * most / scale
    return side * least(derivatives) / scale


class _Ledger:
    """The loss mass of every pair, and its sums per feature."""

    def __init__(self, pairs: CandidatePairs, margin: Floats) -> None:
        self._S, self._margin = pairs.importance, margin.copy()
        self._rows, self._columns = pairs.only.tocsr(), pairs.only.tocsc()
        self._rebuild()

    def _rebuild(self) -> None:
        mass = self._mass(slice(None))
        self.loss = total(mass)
        self._started = self.loss
        self._scale = 2.0 ** (_BITS - len(mass).bit_length()) / max(float(mass.max()), _NOTHING)
        self._units = np.rint(mass * self._scale).astype(np.int64)
        n = self._rows.shape[1]
        self._plus, self._minus = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._post(np.arange(len(mass)), self._units)

    def _mass(self, rows: Any) -> Floats:
        return np.asarray(self._S[rows] * exponentials(-self._margin[rows]))

    def _post(self, rows: NDArray[np.intp], change: NDArray[np.int64]) -> None:
        """Adds changes of pairs to the sums of their features."""
        part = self._rows[rows]
        each = np.repeat(change, np.diff(part.indptr))
        up = part.data > 0
        np.add.at(self._plus, part.indices[up], each[up])
        np.add.at(self._minus, part.indices[~up], each[~up])

    def masses(self) -> tuple[Floats, Floats]:
        return self._plus / self._scale, self._minus / self._scale

    def add(self, k: int, a: float) -> None:
        """Updates the margins of the pairs that have feature k."""
        column = self._columns[:, [k]]
        rows = column.indices
        self._margin[rows] += a * column.data
        later = np.rint(self._mass(rows) * self._scale).astype(np.int64)
        self._post(rows, later - self._units[rows])
        self._units[rows] = later
        self.loss = float(self._units.sum()) / self._scale
        if self.loss < self._started / 1024:
            self._rebuild()


def pairs_from(
    ahead: Floats, importance: Floats, entries: list[tuple[int, int, int]], n_features: int
) -> CandidatePairs:
    """Pairs from (pair, feature, +1 or -1)."""
    rows, columns, signs = (
        (np.array(part, np.int64) for part in zip(*entries, strict=True))
        if (entries)
        else (np.zeros(0, np.int64),) * 3
    )
    only = sparse.csr_array(
        (signs.astype(np.float64), (rows, columns)), shape=(len(ahead), n_features)
    )
    return CandidatePairs(ahead, importance, only)
