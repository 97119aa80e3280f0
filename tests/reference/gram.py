"""Kernels as inner products of their maps, written out."""

from __future__ import annotations

from itertools import combinations, product
from math import factorial, prod, sqrt
from typing import Any

import numpy as np


def monomials(X: Any, degree: int) -> Any:
    """All monomials of degree at most so much, scaled so that products add up to (1 + x.z)^k."""
    columns = []
    for powers in product(range(degree + 1), repeat=X.shape[1]):
        if sum(powers) > degree:
            continue
        ways = factorial(degree) / prod(map(factorial, [*powers, degree - sum(powers)]))
        columns.append(sqrt(ways) * prod(X[:, j] ** k for j, k in enumerate(powers)))
    return np.array([np.broadcast_to(column, len(X)) for column in columns]).T


def subsets(X: Any) -> Any:
    """The product of every subset of the features."""
    d = X.shape[1]
    sets = [list(chosen) for k in range(d + 1) for chosen in combinations(range(d), k)]
    return np.array([X[:, chosen].prod(axis=1) for chosen in sets]).T


def substrings(texts: list[str], alphabet: str, p: int) -> Any:
    """Which of all texts of length p occur."""
    words = ["".join(letters) for letters in product(alphabet, repeat=p)]
    return np.array([[float(word in text) for word in words] for text in texts])
