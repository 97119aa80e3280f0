"""Boosting over examples and labels in plain numpy: all candidates tried, all weights written out.

Columns are numbers, with NaN where missing; missing values are a block of their own.
"""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np

TIED = 1e-12


def candidates(X: Any) -> list[tuple[int, float, Any]]:
    """Every test in the order of preference: feature, threshold, and the block of every row.

    Blocks are 0 below, 1 above, 2 missing; last of a feature the test whether it is known (0, 2).
    """
    found = []
    for j in range(X.shape[1]):
        x = X[:, j]
        values, gap = np.unique(x[~np.isnan(x)]), np.isnan(x)
        for low, high in pairwise(values):
            threshold = low + (high - low) / 2
            found.append((j, threshold, np.where(gap, 2, (x > threshold).astype(int))))
        if gap.any() and len(values):
            found.append((j, float(np.finfo(float).max), np.where(gap, 2, 0)))
    return found


def block_weights(blocks: Any, Y: Any, D: Any) -> tuple[Any, Any]:
    """W+ and W- of three blocks, by label."""
    plus = np.array([(D * (Y > 0))[blocks == b].sum(axis=0) for b in range(3)])
    minus = np.array([(D * (Y < 0))[blocks == b].sum(axis=0) for b in range(3)])
    return plus, minus


def least_partition(X: Any, Y: Any, D: Any, s: float) -> dict[str, Any]:
    """The partition of least 2 sum sqrt(W+ W-), and the confidences of its blocks."""
    whole = (-1, 0.0, np.zeros(len(X), int))
    tried = []
    for j, threshold, blocks in [whole, *candidates(X)]:
        plus, minus = block_weights(blocks, Y, D)
        tried.append((2 * np.sqrt(plus * minus).sum(), j, threshold, blocks, plus, minus))
    best = min(cost for cost, *_ in tried)
    Z, j, threshold, blocks, plus, minus = next(t for t in tried if t[0] <= best + TIED)
    c = 0.5 * np.log((plus + s) / (minus + s))
    return {"criterion": Z, "feature": j, "threshold": threshold, "h": c[blocks]}


def best_product(X: Any, S: Any) -> dict[str, Any]:
    """The g and u of largest r = sum S u g; S is negative where a label does not hold."""
    tried = [(-1, 0.0, np.ones(len(X)))]
    for j, threshold, blocks in candidates(X):
        known = -1.0 if threshold < np.finfo(float).max else 1.0
        for gap in (1.0, -1.0) if (blocks == 2).any() else (1.0,):
            tried.append((j, threshold, np.array([known, 1.0, gap])[blocks]))
    rs = [np.abs(g @ S).sum() for _, _, g in tried]
    j, threshold, g = next(
        t for r, t in zip(rs, tried, strict=True) if r >= max(rs) - TIED * np.abs(S).sum()
    )
    u = np.where(g @ S > TIED, 1.0, -1.0)
    return {"feature": j, "threshold": threshold, "h": g[:, None] * u, "r": max(rs)}


def mh(X: Any, Y: Any, w: Any, T: int, s: float, form: str = "partition") -> list[dict[str, Any]]:
    """AdaBoost.MH: Y of -1, +1 and 0 where a label does not count, w the first weights of rows."""
    D = (Y != 0) * np.asarray(w, float)[:, None]
    D, F, rounds = D / D.sum(), np.zeros(Y.shape), []
    for _ in range(T):
        if form == "partition":
            found = least_partition(X, Y, D, s)
            alpha = 1.0
        else:
            found = best_product(X, D * Y)
            alpha = 0.5 * np.log((1 + found["r"]) / (1 - found["r"])) if found["r"] < 1 else np.inf
        h = found["h"]
        row = found | {"D": D, "F": F, "alpha": alpha}
        rounds.append(row)
        if (Y * h > 0)[Y != 0].all():
            row["end"] = "perfect"
            break
        new = D * np.exp(-alpha * Y * h)
        row["Z"] = new.sum()
        if row["Z"] >= 1 - TIED:
            row["end"] = "no edge"
            break
        D, F = new / new.sum(), F + alpha * h
        row["F"] = F
    return rounds


def mr(X: Any, Y: Any, w: Any, T: int) -> list[dict[str, Any]]:
    """AdaBoost.MR over triples (i, l0, l1), written out one by one."""
    m, K = Y.shape
    triples, first = [], []
    for i, l0, l1 in product(range(m), range(K), range(K)):
        if Y[i, l0] < 0 < Y[i, l1]:
            triples.append((i, l0, l1))
            first.append(w[i] / ((Y[i] > 0).sum() * (Y[i] < 0).sum()))
    i, l0, l1 = np.array(triples).T
    D_1 = np.array(first) / np.sum(first)
    D, F, rounds = D_1, np.zeros(Y.shape), []
    for _ in range(T):
        S = np.zeros(Y.shape)
        np.add.at(S, (i, l1), D / 2)
        np.add.at(S, (i, l0), -D / 2)
        found = best_product(X, S)
        h = found["h"]
        row = found | {"D": D, "F": F}
        rounds.append(row)
        if found["r"] <= TIED or found["r"] >= 1 - TIED:
            row["end"] = "perfect" if found["r"] > 0.5 else "no edge"
            break
        row["alpha"] = 0.5 * np.log((1 + found["r"]) / (1 - found["r"]))
        new = D * np.exp(row["alpha"] / 2 * (h[i, l0] - h[i, l1]))
        row["Z"] = new.sum()
        D, F = new / new.sum(), F + row["alpha"] * h
        row |= {"F": F, "rank_loss": D_1[F[i, l0] >= F[i, l1]].sum()}
    return rounds
