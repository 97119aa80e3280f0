"""Weights of actions and experts by their losses: Hedge, and experts that sleep.

The weight of a sleeping expert i is (1 + epsilon)^(Q_i / (1 + epsilon) - M_i), where M_i counts its
mistakes and Q_i adds up the chances of a mistake in the rounds in which it was awake. Only these
two are kept, so that weights neither vanish nor drift in runs of any length.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log1p, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.hashing import share, shares, single, stream
from ..base.types import Floats, Ints
from ..engines import on_threads
from .protocol import Trace

MOST_ETA = 700.0  # beyond it a loss of 1 leaves no weight at all
_AT_ONCE = 2**20  # numbers that are worked on at a time


def tuned(n: int, T: int) -> float:
    """The rate eta = ln(1 + sqrt(2 ln n / T)), for n actions and T rounds.

    Guarantee: the average regret is at most sqrt(2 ln n / T) + ln n / T.

    >>> round(tuned(10, 100), 6)
    0.194412
    """
    return log1p(sqrt(2 * log(n) / T))


@dataclass(frozen=True, eq=False)
class HedgeTrace:
    """The rounds of a run: the mixture, its loss, and the regret so far.

    ``p`` has a row for each round; ``losses`` are those of the mixture, ``regret`` is their sum so
    far less the losses of the best single action so far.
    """

    p: Floats
    losses: Floats
    regret: Floats
    eta: float

    def __len__(self) -> int:
        return len(self.losses)

    @property
    def total(self) -> float:
        """The total loss of the mixtures."""
        return float(self.losses.sum())

    def __repr__(self) -> str:
        end = self.regret[-1] if len(self) else 0.0
        return f"HedgeTrace({len(self)} rounds, loss {self.total:.6g}, regret {end:.6g})"


class Mixture:
    """The weights of n actions, by the losses of each so far: w_i = e^(-eta L_i).

    >>> mixture = Mixture(2, eta=0.5)
    >>> mixture.lose(np.array([[1.0, 0.0], [1.0, 0.0]])).losses.round(4).tolist()
    [0.5, 0.3775]
    >>> mixture.p.round(4).tolist()
    [0.2689, 0.7311]
    """

    def __init__(self, n: int, eta: float) -> None:
        self.eta = eta
        self.totals = np.zeros(n)  # of each action
        self.suffered = 0.0
        self.t = 0

    @property
    def p(self) -> Floats:
        """The mixture."""
        return np.asarray(_softmax(-self.eta * self.totals[None])[0])

    def lose(self, losses: Floats, keep: bool = True) -> HedgeTrace:
        """Runs rounds of given losses, one per row; records the mixtures where requested."""
        T, n = losses.shape
        suffered, regret = np.empty(T), np.empty(T)
        kept: list[Floats] = []
        step = max(1, _AT_ONCE // n)
        for first in range(0, T, step):
            part = losses[first : first + step]
            totals = np.cumsum(np.concatenate([self.totals[None], part]), axis=0)
            p = _softmax(-self.eta * totals[:-1])
            rounds = slice(first, first + len(part))
            suffered[rounds] = (p * part).sum(axis=1)
            so_far = np.cumsum(np.concatenate([[self.suffered], suffered[rounds]]))
            regret[rounds] = so_far[1:] - totals[1:].min(axis=1)
            self.totals, self.suffered = totals[-1].copy(), float(so_far[-1])
            if keep:
                kept.append(p)
        self.t += T
        return HedgeTrace(
            np.concatenate(kept) if kept else np.empty((0, n)), suffered, regret, self.eta
        )


def _softmax(x: Floats) -> Floats:
    below = x - x.max(axis=1, keepdims=True)
    weights = on_threads().weights.exponentials(below.ravel()).reshape(x.shape)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


Codes = NDArray[np.int32]

_DRAWS = 0x534C50  # the purpose of the numbers that draw an expert


class Advice(NamedTuple):
    """The awake experts of each example and their labels, as concatenated lists.

    The experts of example t are ``expert[start[t]:start[t + 1]]``, ascending, and their labels, as
    codes from 0 on, stand beside them.
    """

    start: Ints
    expert: Codes
    label: Codes

    def __len__(self) -> int:
        return len(self.start) - 1


class Outcomes(NamedTuple):
    """Per example the probability of a mistake (NaN: all sleep), the majority label, and a drawn
    one.
    """

    chance: Floats
    majority: Codes
    drawn: Codes


@dataclass(frozen=True, eq=False, repr=False)
class ExpertTrace(Trace):
    """The trace of a run with experts: probabilities of mistakes, and each expert's final counts.

    ``prob_mistake`` is the chance of a mistake in each round, NaN where all slept; its sum over
    the rounds of an expert is ``expected_mistakes_on_S_i``, to be held against its own
    ``mistakes_of_expert`` by the ``bound`` of the theorem. Where asked for, ``p`` are the shares of
    the experts in each round (NaN: asleep) and ``weights_after`` their weights after it.
    """

    prob_mistake: Floats | None = None
    mistakes_of_expert: Ints | None = None
    expected_mistakes_on_S_i: Floats | None = None
    bound: Floats | None = None
    total_weight_end: float = 0.0
    p: Floats | None = None
    weights_after: Floats | None = None


class Experts:
    """The state of n sleeping experts: expected mistakes and own mistakes of each.

    >>> import numpy as np
    >>> experts = Experts(2, epsilon=0.5)
    >>> both = Advice(np.array([0, 2]), np.array([0, 1], np.int32), np.array([0, 1], np.int32))
    >>> experts.play(both, np.array([1], np.int32), 2).chance.tolist()
    [0.5]
    >>> experts.weights.round(4).tolist()
    [0.7631, 1.1447]
    """

    def __init__(self, n: int, epsilon: float, seed: int = 0) -> None:
        self.epsilon, self.seed = epsilon, seed
        self.chances = np.zeros(n)
        self.mistakes = np.zeros(n, np.int64)
        self.t = 0

    def __len__(self) -> int:
        return len(self.chances)

    @property
    def log_weights(self) -> Floats:
        """The logarithms of the weights."""
        epsilon = self.epsilon
        return np.asarray(np.log1p(epsilon) * (self.chances / (1 + epsilon) - self.mistakes))

    @property
    def weights(self) -> Floats:
        """The weights; 0 where they underflow."""
        return np.exp(self.log_weights)

    def shares(self, awake: NDArray[np.intp] | Codes) -> Floats:
        """The shares of experts that are awake, which sum to 1."""
        logs = self.log_weights[awake]
        if len(logs) == 0:
            return logs
        weights = on_threads().weights.exponentials(logs - logs.max())
        return np.asarray(weights / weights.sum())

    def places(self, n: int) -> Floats:
        """The random numbers in [0, 1) that choose an expert in the next n rounds."""
        if n == 1:
            return np.array([share(single(self.seed, 0, _DRAWS, self.t))])
        return shares(stream(n, self.seed, 0, _DRAWS, self.t))

    def ask(self, advice: Advice, truth: Codes, n_labels: int) -> Outcomes:
        """The outcomes of examples, each taken for the next one; nothing is learnt."""
        return self._outcomes(advice, truth, n_labels, learns=False)

    def play(self, advice: Advice, truth: Codes, n_labels: int) -> Outcomes:
        """The outcomes of examples in order; the weights are updated after each."""
        outcomes = self._outcomes(advice, truth, n_labels, learns=True)
        self.t += len(advice)
        return outcomes

    def _outcomes(self, advice: Advice, truth: Codes, n_labels: int, learns: bool) -> Outcomes:
        n = len(advice)
        arrays = on_threads().experts.play(
            self.epsilon,
            self.chances,
            self.mistakes,
            *advice,
            truth,
            self.places(n) if learns else np.repeat(self.places(1), n),
            n_labels,
            learns,
        )
        return Outcomes(*arrays)
