"""Alternating trees by plain loops over all preconditions and base conditions."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """One round: where, what, and what it adds."""

    precondition: tuple[int, int] | None  # a round, from 0 on, and the answer to it
    feature: int
    value: float  # a threshold, or a level
    Z: float
    yes: float
    no: float
    n_ties: int


def mass(w: Floats, y: NDArray[Any], where: NDArray[np.bool_]) -> tuple[float, float]:
    return float(w[where & (y > 0)].sum()), float(w[where & (y < 0)].sum())


def number(pair: tuple[float, float]) -> float:
    return 0.5 * log((pair[0] + 1) / (pair[1] + 1))


def conditions(X: Floats, categorical: frozenset[int]) -> list[tuple[int, float, Any]]:
    """Every base condition: feature, threshold or level, and where it holds."""
    found = []
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        if j in categorical and len(values) > 1:
            found += [(j, float(v), X[:, j] == v) for v in values]
        elif j not in categorical:
            cuts = (values[1:] + values[:-1]) / 2
            found += [(j, float(t), X[:, j] > t) for t in cuts]
    return found


def alternating_tree(
    X: Floats,
    y: NDArray[Any],
    n_rounds: int,
    weight: Floats | None = None,
    categorical: frozenset[int] = frozenset(),
    max_depth: int | None = None,
) -> tuple[float, list[Asked], Floats]:
    """The root, the rounds, and the scores; without missing values."""
    start = np.ones(len(y)) if weight is None else weight
    everyone = np.ones(len(y), bool)
    root = number(mass(start, y, everyone))
    F = np.full(len(y), root)
    P: list[tuple[Any, NDArray[np.bool_], int]] = [(None, everyone, 0)]
    rounds: list[Asked] = []
    base = conditions(X, categorical)
    for t in range(n_rounds):
        w = start * np.exp(-y * F)
        tried = []
        for k, (_, where, _) in enumerate(P):
            for j, value, holds in base:
                blocks = [mass(w, y, where & holds), mass(w, y, where & ~holds)]
                Z = 2 * sum(sqrt(a * b) for a, b in blocks) + float(w[~where].sum())
                tried.append((Z, k, j, value, holds))
        if not tried:
            break
        least, tie = min(z for z, *_ in tried), 1e-12 * w.sum()
        tied = [found for found in tried if found[0] <= least + tie]
        Z, k, j, value, holds = tied[0]
        place, where, depth = P[k]
        if least >= w.sum() - tie:  # no gain: every later round would be as this one
            asked = [(r.precondition, r.feature, r.value) for r in rounds]
            if (place, j, value) in asked or (max_depth is not None and depth + 1 >= max_depth):
                break
        answers = [where & ~holds, where & holds]
        no, yes = (number(mass(w, y, some)) for some in answers)
        F = F + yes * answers[1] + no * answers[0]
        rounds.append(Asked(place, j, value, Z, yes, no, len(tied)))
        for o, some in enumerate(answers):
            if some.any() and (max_depth is None or depth + 1 < max_depth):
                P.append(((t, o), some, depth + 1))
    return root, rounds, F
