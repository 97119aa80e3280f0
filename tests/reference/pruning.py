"""Pessimistic pruning from its definition, with scipy's quantiles of Beta laws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

if TYPE_CHECKING:
    from weaklearn.base.trees.tree import Tree

Floats = NDArray[np.float64]
DOUBT = 0.25  # the chance, under the upper limit, of errors as few as were seen
TIED = 1 + 1e-12


def upper_errors(E: Floats, N: Floats) -> Floats:
    """N U(E, N): the errors to expect of leaves that made E errors on N examples."""
    errors = np.array(N, np.float64)  # where all are errors, and where N is 0
    clean = (E <= 0) & (N > 0)
    errors[clean] *= -np.expm1(np.log(DOUBT) / N[clean])
    some = (E > 0) & (E < N)
    errors[some] *= betaincinv(E[some] + 1, N[some] - E[some], 1 - DOUBT)
    return errors


def pessimistic(tree: Tree) -> list[int]:
    """The nodes that become leaves, in descending order."""
    N = tree.weight * (tree.count[0] / tree.weight[0])
    E = N * (1 - tree.values.max(axis=1)[tree.value])
    expected, collapsed = upper_errors(E, N), []
    for node in np.flatnonzero(tree.width)[::-1].tolist():
        first = tree.first[node]
        below = expected[first : first + tree.width[node]].sum()
        if expected[node] <= below * TIED:
            collapsed.append(node)
        else:
            expected[node] = below
    return collapsed
