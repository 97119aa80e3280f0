"""Hedge: a mixture of actions with weights that fall exponentially with the actions' losses."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log1p, sqrt

import numpy as np

from ..base.types import Floats
from ..engines import on_threads

__all__ = ["HedgeTrace", "Mixture", "tuned"]


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
        mixture: Floats = _softmax(-self.eta * self.totals[None])[0]
        return mixture

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
