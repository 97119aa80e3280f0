r"""The PAC-Bayes bound of a weighted vote: by one voter drawn from it, or by many.

Let Q be the normalised votes and P a distribution over the base hypotheses that was fixed before
the data. Draw N voters from Q, and call a row bad if at most k of them are right on it. Of a row on
which the whole vote errs at least half of the voters are wrong, so that it is bad with probability
at least B(k; N, 1/2), the binomial distribution function; hence

.. math:: \Pr[y f(x) \le 0] \;\le\; \frac{\Pr[\text{bad}]}{B(k; N, 1/2)}.

The share of bad rows in training is known exactly, since a row of margin mu has Binomial(N,
(1 + mu)/2) voters right, and the PAC-Bayes theorem, applied to the N voters at once, says that with
probability 1 - delta

.. math:: \mathrm{kl}(\hat{p} \,\|\, p) \;\le\;
          \frac{N \cdot KL(Q \| P) + \ln(2 \sqrt{m} / \delta)}{m}.

N = 1 and k = 0 is the well-known statement that a vote errs at most twice as often as one voter
drawn from it; more voters profit from margins, as in the theorem of Schapire, Freund, Bartlett and
Lee. N and k may be chosen after the data, since delta is divided among all of them. A voter who is
silent tosses a coin, and one of confidence c in [-1, 1] is right with probability (1 + y c)/2.

References: McAllester (1999); Seeger (2002); Maurer (2004) for 2 sqrt(m); Langford, Seeger and
Megiddo (2001) for many voters.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from scipy.special import bdtr, rel_entr

from ...base.types import Floats
from ..distinct import Distinct

_BINS = 2000
_VOTERS = (1, 3, 5, 9, 15, 25, 41, 65, 101, 151, 251, 401, 651, 1001, 1601, 2501, 4001)
_SPREADS = (0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.5, 3.0)  # standard deviations that k lies above N/2


def kl(q: float, p: float) -> float:
    """The relative entropy of coins that show heads with probabilities q and p."""
    return float(rel_entr(q, p) + rel_entr(1 - q, 1 - p))


def kl_inverse(q: float, c: float) -> float:
    """The largest p of at least q with kl(q || p) <= c, rounded upwards.

    >>> round(kl_inverse(0.1, 0.02), 6)
    0.170384
    >>> round(kl_inverse(0.0, 0.5), 6), round(1 - float(np.exp(-0.5)), 6)
    (0.393469, 0.393469)
    """
    low, high = min(max(q, 0.0), 1.0), 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if kl(q, middle) <= c else (low, middle)
    return high


def kl_bound(q: float, c: float) -> float:
    """``kl_inverse``, or q + sqrt(c/2), which is never less, where that exceeds 1.

    No inverse reaches 1; by the weaker bound of Pinsker it shows what says nothing.

    >>> kl_bound(0.1, 0.02) == kl_inverse(0.1, 0.02), kl_bound(0.5, 2.0)
    (True, 1.5)
    """
    plain = q + sqrt(c / 2)
    return kl_inverse(q, c) if plain < 1 else plain


@dataclass(frozen=True)
class Drawn:
    """A bound on the true error of a vote, by N voters of whom at most k may be right."""

    bound: float
    voters: int
    right: int
    bad: float  # the share of bad training rows


def drawn_bound(
    margins: Floats, divergence: float, delta: float, distinct: Distinct | None = None
) -> Drawn:
    """The best of the bounds by draws: all of them hold at once with probability 1 - delta.

    ``margins`` are the normalised margins of the training rows, ``divergence`` is KL(Q || P) in
    nats, and ``distinct`` are the different examples among the rows: all of them unless given.

    >>> drawn = drawn_bound(np.full(50_000, 0.3), 10.0, 0.05)
    >>> 0 < drawn.bound < 0.1, drawn.voters > 1
    (True, True)
    """
    examples = Distinct.rows(len(margins)) if distinct is None else distinct
    m = float(examples.m)
    if m < 8:
        return Drawn(1.0, 1, 0, 1.0)
    # Margins are rounded down, which makes rows worse and never better.
    own = np.clip(margins[examples.first], -1, 1)
    places = np.minimum(np.floor((own + 1) / 2 * _BINS).astype(np.int64), _BINS)
    masses: list[Floats] = [
        np.asarray(np.bincount(places, w, minlength=_BINS + 1), np.float64)
        for w in examples.weights
    ]
    share = np.arange(_BINS + 1) / _BINS
    best = Drawn(np.inf, 1, 0, 1.0)
    for N in _VOTERS:
        if N * divergence > m and N > 1:
            break
        for k in sorted({min(N - 1, int(N / 2 + s * sqrt(N) / 2)) for s in _SPREADS}):
            found = _by_draws(masses, share, divergence, m, delta, N, k)
            best = found if found.bound < best.bound else best
    return best


def _by_draws(
    masses: list[Floats], share: Floats, divergence: float, m: float, delta: float, N: int, k: int
) -> Drawn:
    bad = min(1.0, max(float(mass @ bdtr(k, N, share)) for mass in masses))
    # N takes delta/(N (N + 1)) of delta, and each of its N + 1 thresholds the same part of that.
    cost = N * divergence + log(2 * sqrt(m) / delta) + log(N) + 2 * log(N + 1)
    return Drawn(kl_bound(bad, cost / m) / float(bdtr(k, N, 0.5)), N, k, bad)
