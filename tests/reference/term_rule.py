"""Term rules by plain numpy: AdaBoost.MH and MR over which text holds which term."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

TIED = 1e-12


@dataclass
class Said:
    """One round: the term, the criterion, the vote, Z, and what is answered in either block."""

    term: int
    criterion: float
    alpha: float
    Z: float
    present: np.ndarray
    absent: np.ndarray


def rounds(X, Y, n_rounds, form="real", pairs=False):
    """X: (m, d) of 0 and 1; Y: (m, K) of -1 and +1. Gives the rounds and the scores."""
    m, K = Y.shape
    F, said = np.zeros((m, K)), []
    D = first_pairs(Y) if pairs else np.full((m, K), 1 / (m * K))
    for _ in range(n_rounds):
        W = label_weights(D, Y) if pairs else D
        costs = np.array([cost(X[:, j] > 0, W, Y, form) for j in range(X.shape[1])])
        j = int(np.flatnonzero(costs <= costs.min() + TIED)[0])
        inside = X[:, j] > 0
        h = np.zeros((m, K))
        answers = [answer(block, W, Y, form, 1 / (m * K)) for block in (inside, ~inside)]
        if form == "abstain":
            answers[1] = np.zeros(K)
        h[inside], h[~inside] = answers
        alpha = 1.0
        if form == "discrete":
            r = (W * Y * h).sum()
            alpha = 0.5 * np.log((1 + r) / (1 - r))
        D, Z = moved_pairs(D, Y, alpha * h) if pairs else moved(D, Y, alpha * h)
        F += alpha * h
        said.append(Said(j, costs[j], alpha, Z, *answers))
    return said, F


def blocks(block, W, Y):
    return (W * (Y > 0))[block].sum(axis=0), (W * (Y < 0))[block].sum(axis=0)


def cost(inside, W, Y, form):
    plus, minus = blocks(inside, W, Y)
    plus0, minus0 = blocks(~inside, W, Y)
    if form == "discrete":
        return -(np.abs(plus - minus).sum() + np.abs(plus0 - minus0).sum())
    speaking = 2 * np.sqrt(plus * minus).sum()
    if form == "abstain":
        return (plus0 + minus0).sum() + speaking
    return speaking + 2 * np.sqrt(plus0 * minus0).sum()


def answer(block, W, Y, form, s):
    plus, minus = blocks(block, W, Y)
    if form == "discrete":
        return np.where(plus - minus > TIED, 1.0, -1.0)
    return 0.5 * np.log((plus + s) / (minus + s))


def moved(D, Y, step):
    D = D * np.exp(-Y * step)
    return D / D.sum(), D.sum()


def first_pairs(Y):
    """Weights of (example, label that is none, label that is one); rows without pairs left out."""
    D = {}
    paired = [i for i, row in enumerate(Y) if (row > 0).any() and (row < 0).any()]
    for i in paired:
        own, others = np.flatnonzero(Y[i] > 0), np.flatnonzero(Y[i] < 0)
        for l0, l1 in itertools.product(others, own):
            D[i, l0, l1] = 1 / (len(paired) * len(own) * len(others))
    return D


def label_weights(D, Y):
    """Half the weight of the pairs that a label is in."""
    W = np.zeros(Y.shape)
    for (i, l0, l1), weight in D.items():
        W[i, l0] += weight / 2
        W[i, l1] += weight / 2
    return W


def moved_pairs(D, Y, step):
    later = {
        (i, l0, l1): weight * np.exp((step[i, l0] - step[i, l1]) / 2)
        for (i, l0, l1), weight in D.items()
    }
    Z = sum(later.values())
    return {key: weight / Z for key, weight in later.items()}, Z
