"""Repeated games by multiplicative weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.numeric.total import total as exact_total
from ...base.types import Floats
from ...engines import on_threads
from .. import bounds
from ..bounds.reading import read
from .value import as_matrix, game_value

Oracle: TypeAlias = Callable[[Floats], ArrayLike]  # from a mixture of rows to a column of losses

_TIED = 1e-12  # columns so close to the best are as good


@dataclass(frozen=True)
class Play:
    """The rounds of a repeated game, and the bounds on the value that they give.

    ``M``: the matrix (of an oracle's answers: a column for each different one, in the order of
    their first use); ``eta``: the rate; ``P``: a row for each round, the mixture played;
    ``columns_played``: the answer of each round; ``next_response``: what the best answer to
    ``average_P`` gains.

    Guarantee: ``losses_total <= bound_on_total``, against any answers. Against best responses, at
    the rate ``bounds.mw_eta(n, T)``, ``upper_from_P`` and ``lower_from_Q`` are within ``delta_T``
    of the value of the game, which lies between them at any rate.
    """

    M: Floats
    eta: float
    P: Floats
    columns_played: list[int]
    next_response: float

    @property
    def T(self) -> int:
        """The number of rounds."""
        return len(self.columns_played)

    @cached_property
    def losses(self) -> Floats:
        """The expected loss of the mixture in each round."""
        answers = self.M.T[self.columns_played]
        return np.asarray(np.einsum("ti,ti->t", self.P, answers))

    @property
    def losses_total(self) -> float:
        """The sum of the losses."""
        return float(self.losses.sum())

    @property
    def best_fixed_row_total(self) -> float:
        """The total loss of the best single row."""
        return float(self._best_row[-1])

    @cached_property
    def _best_row(self) -> Floats:
        """After each round, the total of the row that is the best until then."""
        return np.asarray(np.cumsum(self.M.T[self.columns_played], axis=0).min(axis=1))

    @property
    def bound_on_total(self) -> float:
        """The bound on the total loss, (eta best + ln n) / (1 - exp(-eta))."""
        return float(self._bound[-1])

    @cached_property
    def _bound(self) -> Floats:
        if self.eta == 0:  # one row only, which is the best
            return self._best_row
        return np.asarray(bounds.mw_bound(self._best_row, len(self.M), self.eta))

    @property
    def regret(self) -> Floats:
        """After each round, the total loss minus that of the row that is the best until then."""
        return np.asarray(np.cumsum(self.losses) - self._best_row)

    @property
    def regret_bound(self) -> Floats:
        """After each round, the bound on ``regret``."""
        return self._bound - self._best_row

    @property
    def first_P(self) -> Floats:
        """The mixtures of the first four rounds."""
        return self.P[:4]

    @property
    def last_P(self) -> Floats:
        """The mixture of the last round."""
        return np.asarray(self.P[-1])

    @property
    def average_P(self) -> Floats:
        """The mean of the mixtures: a mixture of rows close to the best."""
        return np.asarray(self.P.mean(axis=0))

    @property
    def average_Q(self) -> Floats:
        """How often each column was played: a mixture of columns close to the best."""
        often = np.bincount(self.columns_played, minlength=self.M.shape[1])
        return np.asarray(often / self.T)

    @property
    def upper_from_P(self) -> float:
        """The most that ``average_P`` can pay: at least the value."""
        return self.next_response

    @property
    def lower_from_Q(self) -> float:
        """The least that any row pays to ``average_Q``: at most the value."""
        return float((self.M @ self.average_Q).min())

    @cached_property
    def value_lp(self) -> float:
        """The value of the game ``M`` by a linear program (of an oracle: of its answers alone)."""
        return game_value(self.M)

    @property
    def delta_T(self) -> float:
        """The bound on the average regret at the rate ``bounds.mw_eta(n, T)``."""
        return float(bounds.mw_delta(len(self.M), self.T))


def play(
    M: ArrayLike | Oracle, T: int, eta: float | None = None, *, n_rows: int | None = None
) -> Play:
    r"""Plays a game of losses in [0, 1] for T rounds by multiplicative weights.

    The row player mixes the rows by P, uniform at first. Each round the other side answers with
    the column j of largest expected loss, the first of these, and

    .. math:: P_{t+1}(i) \propto P_t(i)\, e^{-\eta M_{ij}}

    In place of a matrix, ``M`` may be an oracle: a function from P to a column of ``n_rows``
    losses. The rate is ``bounds.mw_eta`` unless given.

    Guarantee: see :class:`Play`, which this returns. For an oracle the two bounds on the value
    hold if it answers with a column of largest expected loss.

    >>> played = play([[0, 1], [1, 0]], 100)
    >>> bool(abs(played.average_P - 0.5).max() < 0.1), played.average_Q.tolist()
    (True, [0.5, 0.5])
    >>> played.lower_from_Q <= played.value_lp <= played.upper_from_P
    True
    >>> played.losses_total <= played.bound_on_total
    True

    Reference: Freund and Schapire (1999), Adaptive game playing using multiplicative weights.
    """
    table = _Oracle(M, n_rows) if callable(M) else _Matrix(_losses(M, n_rows))
    rounds = int(read(T=T)[0])
    rate = float(bounds.mw_eta(table.n, rounds)) if eta is None else float(read(eta=eta)[0])
    P, total, columns = np.empty((rounds, table.n)), np.zeros(table.n), []
    engine = on_threads()
    for t in range(rounds):
        # Our own exponentials and exact sums: the same bits, hence the same answers, everywhere.
        P[t] = engine.weights.exponentials(-rate * (total - total.min()))
        P[t] /= exact_total(P[t])
        j = table.response(P[t])
        columns.append(j)
        total += table.column(j)
    average = P.mean(axis=0)
    upper = float(average @ table.column(table.response(average)))
    return Play(table.matrix(), rate, P, columns, upper)


class _Matrix:
    """Best responses in a matrix."""

    def __init__(self, M: Floats) -> None:
        self._M, self.n = M, len(M)

    def response(self, P: Floats) -> int:
        gains = P @ self._M
        return int(np.flatnonzero(gains >= gains.max() - _TIED)[0])

    def column(self, j: int) -> Floats:
        return self._M[:, j]

    def matrix(self) -> Floats:
        return self._M


class _Oracle:
    """The answers of an oracle, numbered as they come."""

    def __init__(self, answer: Oracle, n_rows: int | None) -> None:
        if n_rows is None:
            raise ValueError("n_rows must be given where M is an oracle: the number of rows.")
        self._answer, self.n = answer, int(read(n_rows=n_rows)[0])
        self._numbers: dict[bytes, int] = {}
        self._columns: list[Floats] = []

    def response(self, P: Floats) -> int:
        column = np.array(self._answer(P.copy()), np.float64) + 0.0  # no -0
        if column.shape != (self.n,):
            raise ValueError(
                f"the oracle must answer with a column of {self.n} losses, got shape "
                f"{column.shape}."
            )
        _in_range(column[:, None], "the oracle's answer")
        number = self._numbers.setdefault(column.tobytes(), len(self._columns))
        if number == len(self._columns):
            self._columns.append(column)
        return number

    def column(self, j: int) -> Floats:
        return self._columns[j]

    def matrix(self) -> Floats:
        return np.column_stack(self._columns)


def _losses(M: ArrayLike, n_rows: int | None) -> Floats:
    matrix = as_matrix(M)
    if n_rows not in (None, len(matrix)):
        raise ValueError(f"n_rows must be left out with a matrix, which has {len(matrix)} rows.")
    _in_range(matrix, "M")
    return matrix


def _in_range(M: Floats, name: str) -> None:
    outside: NDArray[Any] = np.argwhere(~((M >= 0) & (M <= 1)))
    if len(outside):
        i, j = outside[0]
        raise ValueError(
            f"{name}[{i}, {j}] is {M[i, j]:g}; losses must lie between 0 and 1: subtract the "
            "least, and divide by the range."
        )
