"""Preferences: grades within groups, or pairs of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.rows import Rows
from ..base.types import Floats
from ..boosters.parts.preferences import GROUP, Pairs
from .groups import group_numbers
from .labels import read_target
from .weights import counts

_NEEDS = "grades must be numbers, larger where better, such as 0, 1, 2 for bad, fair, good"


def graded(y: Any, group: Any, n: int, names: tuple[str, str] = ("y", "group")) -> Floats:
    """Grades as ranks from 0 on, offset by g times ``GROUP`` in the g-th group.

    >>> (graded([0.5, 2.0, 0.5], ["b", "a", "a"], 3) / GROUP).tolist() == [1.0, 1 / GROUP, 0.0]
    True
    """
    grades = read_target(y, n, argument=names[0], needs=_NEEDS)
    ranks = np.unique(grades, return_inverse=True)[1].reshape(-1)
    return ranks + GROUP * group_numbers(group, n, names[1])


def pairs_of(
    rows: Rows,
    weights: NDArray[Any] | None,
    used: NDArray[np.bool_] | None,
    pairs: Any,
    pair_weight: Any,
) -> Pairs:
    """Pairs of row numbers (low, high), without those that have an item of weight 0."""
    n = len(rows) if used is None else len(used)
    listed = _listed(pairs, n)
    mass = _pair_weights(pair_weight, len(listed))
    if used is not None:
        there = used[listed].all(axis=1)
        listed, mass = (np.cumsum(used) - 1)[listed[there]], mass[there]
    listed, mass = listed[mass > 0], mass[mass > 0]
    if not len(listed):
        raise ValueError(
            "pairs is empty, or holds pairs of weight 0 only: there is nothing to learn."
        )
    items = weights if weights is not None else np.ones(len(rows), np.int64)
    mass = mass * items[listed[:, 0]] * items[listed[:, 1]]
    return Pairs(rows.engine, listed[:, 0], listed[:, 1], mass, items)


def _pair_weights(pair_weight: Any, n: int) -> NDArray[Any]:
    if pair_weight is None:
        return np.ones(n, np.int64)
    weight = np.asarray(pair_weight)
    if weight.shape != (n,) or weight.dtype.kind not in "fiu":
        raise ValueError(
            f"pair_weight has shape {weight.shape} and type {weight.dtype}, and there are {n} "
            "pairs; pass one number per pair."
        )
    weight = weight.astype(np.float64)
    if not (np.isfinite(weight) & (weight >= 0)).all():
        k = int(np.argmin(np.isfinite(weight) & (weight >= 0)))
        raise ValueError(f"pair_weight[{k}] is {weight[k]:g}; pass finite numbers >= 0.")
    copies = counts(weight)
    return weight if copies is None else copies


def _listed(pairs: Any, n: int) -> NDArray[np.int64]:
    if isinstance(pairs, Iterator):
        pairs = list(pairs)
    given = np.asarray(pairs)
    if given.ndim != 2 or given.shape[1] != 2:
        raise ValueError(
            f"pairs has shape {given.shape}; it must hold two row numbers (low, high) per pair."
        )
    if given.dtype.kind not in "iu" and not (
        given.dtype.kind == "f" and np.isfinite(given).all() and (given == np.rint(given)).all()
    ):
        raise TypeError(f"pairs holds {show(given.flat[0])}; it must hold row numbers of X.")
    listed = given.astype(np.int64)
    strange = np.flatnonzero(((listed < 0) | (listed >= n)).any(axis=1))
    if len(strange):
        raise ValueError(
            f"pairs[{strange[0]}] is {listed[strange[0]].tolist()}, and X has {n} rows; their "
            f"numbers are 0 to {n - 1}."
        )
    alone = np.flatnonzero(listed[:, 0] == listed[:, 1])
    if len(alone):
        raise ValueError(
            f"pairs[{alone[0]}] prefers row {listed[alone[0], 0]} to itself; take it out."
        )
    return listed
