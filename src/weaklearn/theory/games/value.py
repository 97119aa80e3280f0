"""The value of a game, and weak learning as one.

A matrix M is a game: the row player picks row i, the column player column j, and the first pays
M[i, j] to the second. Both may mix their choices. Boosting is such a game between the examples and
the hypotheses of a pool, in which M[i, j] = y_i h_j(x_i).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...base.types import Floats

_CLOSE = 1e-6  # by so much, in units of the largest entry, two players may disagree on the value


class Solution(NamedTuple):
    """The value of a game, and how to play it: P mixes the rows, Q the columns.

    Against P no column gains more than the value, against Q no row pays less, up to rounding.
    """

    value: float
    P: Floats
    Q: Floats


class WeakLearnability(NamedTuple):
    """The weak learnability of a sample by a pool of hypotheses.

    ``value``: the largest smallest margin of any vote; ``gamma``: half of it, the edge that some
    hypothesis has under every distribution; ``D``: the distribution hardest for the pool; ``w``:
    the vote of the largest smallest margin.
    """

    value: float
    gamma: float
    D: Floats
    w: Floats


def game_value(M: ArrayLike) -> float:
    r"""The value of a matrix game: the row player's loss where both play optimally.

    .. math:: v = \min_P \max_j \sum_i P_i M_{ij} = \max_Q \min_i \sum_j M_{ij} Q_j

    Guarantee: the two sides, each found by itself, agree (von Neumann's minimax theorem).

    >>> game_value([[0, 1], [1, 0]])  # heads or tails
    0.5

    Reference: von Neumann (1928), Zur Theorie der Gesellschaftsspiele.
    """
    return solve(M).value


def weak_learnability(M: ArrayLike) -> WeakLearnability:
    r"""The edge that a pool of hypotheses has under every distribution over the examples.

    With M[i, j] = y_i h_j(x_i), a row for each example and a column for each hypothesis,

    .. math:: v = \min_D \max_j \sum_i D_i M_{ij} = \max_w \min_i \sum_j M_{ij} w_j

    Guarantee: some hypothesis has an edge of at least gamma under every distribution if and only
    if v >= 2 gamma, and then some vote has margins of at least 2 gamma on all examples. v > 0 means
    that a vote without error exists; a pool that holds the opposite of each hypothesis has v >= 0.

    >>> three_guesses = [[1, 1, -1], [1, -1, 1], [-1, 1, 1]]  # each wrong on one example
    >>> pool = weak_learnability(three_guesses)
    >>> round(pool.value, 9), round(pool.gamma, 9), pool.w.round(9).tolist()
    (0.333333333, 0.166666667, [0.333333333, 0.333333333, 0.333333333])

    Reference: Schapire and Freund, Boosting, chapter 6.
    """
    value, D, w = solve(_answers(M))
    return WeakLearnability(value, value / 2, D, w)


def boosting_game(M: ArrayLike) -> Floats:
    r"""The game that boosting plays: from M[i, j] = y_i h_j(x_i) to losses in [0, 1].

    An example loses 1 where a hypothesis is right on it, (1 + M[i, j]) / 2 in general, so that
    the row player, who picks examples, looks for hard ones and the columns answer with hypotheses.

    Guarantee: with v and gamma of :func:`weak_learnability`, this game has the value
    (1 + v) / 2 = 1/2 + gamma. In :func:`play` the loss of a round is 1/2 plus the edge of that
    round's hypothesis, and the vote ``average_Q`` has all margins >= 2 lower_from_Q - 1: as the
    edges are at least gamma in every round, edges become margins.

    >>> boosting_game([[1, -1], [-1, 1]]).tolist()
    [[1.0, 0.0], [0.0, 1.0]]

    Reference: Freund and Schapire (1996), Game theory, on-line prediction and boosting.
    """
    return (1.0 + _answers(M)) / 2.0


def solve(M: ArrayLike) -> Solution:
    """The value of a game and an optimal mixture for each player, by a linear program.

    It is solved over the distinct rows in sorted order, so that the order of the rows does not
    matter; rows that are alike share their part of P.

    >>> value, P, Q = solve([[3, -1], [-2, 1]])
    >>> round(value, 9), P.round(9).tolist(), Q.round(9).tolist()
    (0.142857143, [0.428571429, 0.571428571], [0.285714286, 0.714285714])
    """
    matrix = as_matrix(M)
    rows, place, alike = np.unique(matrix, axis=0, return_inverse=True, return_counts=True)
    place = place.reshape(-1)  # some versions of numpy keep a second axis
    shares, Q = _optimum(rows)
    P = (shares / alike)[place]
    most, least = float((shares @ rows).max()), float((rows @ Q).min())
    if not most - least <= _CLOSE * max(1.0, float(np.abs(rows).max())):
        raise RuntimeError(
            f"the linear program of a game of {len(matrix)} rows and {matrix.shape[1]} columns did "
            f"not converge: its value was found to lie between {least:.6g} and {most:.6g} only."
        )
    return Solution((most + least) / 2, P, Q)


def _optimum(M: Floats) -> tuple[Floats, Floats]:
    """P and Q: maximise v with M Q >= v; P are the multipliers of these inequalities."""
    from scipy.optimize import linprog  # heavy, and needed here alone

    n, k = M.shape
    found = linprog(
        np.append(np.zeros(k), -1.0),
        A_ub=np.column_stack([-M, np.ones(n)]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(k), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * k + [(None, None)],
        method="highs",
    )
    if found.status != 0 or found.x is None:
        raise RuntimeError(
            f"the linear program of a game of {n} rows and {k} columns was not solved: "
            f"{found.message}"
        )
    return _mixture(-found.ineqlin.marginals), _mixture(found.x[:-1])


def _mixture(x: Floats) -> Floats:
    """A probability vector, negative rounding errors removed."""
    shares = np.maximum(x, 0.0)
    return np.asarray(shares / shares.sum())


def as_matrix(M: ArrayLike) -> Floats:
    """M as a matrix of finite numbers."""
    try:
        matrix = np.asarray(M, np.float64)
    except (TypeError, ValueError):
        raise ValueError("M must be a matrix of numbers, with rows of one length.") from None
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(
            f"M must be a matrix of at least one row and one column, got shape {matrix.shape}."
        )
    if not np.isfinite(matrix).all():
        i, j = np.argwhere(~np.isfinite(matrix))[0]
        raise ValueError(f"M[{i}, {j}] is {matrix[i, j]}; a game has finite entries only.")
    return matrix


def _answers(M: ArrayLike) -> Floats:
    matrix = as_matrix(M)
    if np.abs(matrix).max() > 1:
        i, j = np.argwhere(np.abs(matrix) > 1)[0]
        raise ValueError(
            f"M[{i}, {j}] is {matrix[i, j]:g}; y_i h_j(x_i) must lie between -1 and 1."
        )
    return matrix
