"""Many rules a round by plain numpy: AdaBoost.MH in parallel updates over weights of terms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Said:
    """One round: the terms, best first, their confidences, those of all rows, the bound and Z."""

    terms: np.ndarray
    confidences: np.ndarray
    base: np.ndarray
    bound: float
    Z: float
    step: np.ndarray
    load: float


def rounds(X, Y, n_rounds, n_terms, s=None, p=None):
    """X: (m, d) of weights; Y: (m, K) of -1 and +1; p: weights of rows. Rounds and scores."""
    m, K = Y.shape
    p = np.ones(m) if p is None else np.asarray(p, float)
    s = max(1 / (p.sum() * K) if s is None else s, 2.0**-37)
    F, said = np.zeros((m, K)), []
    for _ in range(n_rounds):
        D = p[:, None] * np.exp(-Y * F)
        D /= D.sum()
        plus, minus = X.T @ (D * (Y > 0)), X.T @ (D * (Y < 0))
        gain = ((np.sqrt(plus) - np.sqrt(minus)) ** 2).sum(axis=1)
        order = np.argsort(-gain, kind="stable")[:n_terms]
        terms = order[gain[order] > 0]
        c = 0.5 * np.log((plus[terms] + s) / (minus[terms] + s))
        always = [(D * (Y == y)).sum(axis=0) for y in (1, -1)]
        base = 0.5 * np.log((always[0] + s) / (always[1] + s))
        load = 1 + X[:, terms].sum(axis=1).max(initial=0)
        gained = taken_off(plus[terms], minus[terms], c) + taken_off(*always, base)
        h = X[:, terms] @ c + base
        step = np.array([best_step(D[:, l], (Y * h)[:, l], 1 / load) for l in range(K)])
        Z = (D * np.exp(-step * Y * h)).sum()
        F += step * h
        said.append(Said(terms, step * c, step * base, 1 - gained / load, Z, step, load))
    return said, F


def taken_off(plus, minus, c):
    return (plus * (1 - np.exp(-c)) + minus * (1 - np.exp(c))).sum()


def best_step(D, margins, least):
    """The step from ``least`` on that leaves the least weight, at most 10 in any score: halving."""
    reach = np.abs(margins).max()
    if reach == 0:
        return least
    low, high = least, max(10 / reach, least)
    slope = lambda step: -(D * margins * np.exp(-step * margins)).sum()  # noqa: E731
    if slope(low) >= 0:
        return low
    if slope(high) <= 0:
        return high
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return low
