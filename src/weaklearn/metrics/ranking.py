"""Ranking metrics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.types import Floats
from .arrays import group_numbers, numbers, same_shape


def rank_loss(
    y: Any, scores: Any, *, group: Any = None, ties: float = 1.0, sample_weight: Any = None
) -> float:
    """The share of the pairs of different grades, in one group, whose scores are not in order.

    A pair of equal scores counts as ``ties``: 1 as in the theorems of boosting; with 1/2 and two
    grades, 1 - rank_loss is the area under the ROC curve.

    >>> rank_loss([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.9])
    0.25
    >>> 1 - rank_loss([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.9], ties=0.5)
    0.875
    """
    grades, F, ids = _items(y, scores, group)
    weight = np.ones(len(F)) if sample_weight is None else numbers("sample_weight", sample_weight)
    same_shape(("sample_weight", "y"), weight, grades)
    wrong = pairs = 0.0
    for rows in _groups(ids):
        one_wrong, one_pairs = _misordered(grades[rows], F[rows], weight[rows], ties)
        wrong, pairs = wrong + one_wrong, pairs + one_pairs
    if pairs == 0:
        raise ValueError("no group of y holds two grades: there is no pair to be in order.")
    return wrong / pairs


def _misordered(y: Floats, F: Floats, w: Floats, ties: float) -> tuple[float, float]:
    """The weight of the pairs out of order, and of all pairs, among items of one group."""
    wrong = pairs = 0.0
    order = np.argsort(F, kind="stable")
    y, F, w = y[order], F[order], w[order]
    for grade in np.unique(y)[1:]:
        low, high = y < grade, y == grade
        before = np.concatenate([[0.0], np.cumsum(w[low])])
        left = before[np.searchsorted(F[low], F[high])]
        right = before[np.searchsorted(F[low], F[high], side="right")]
        wrong += float(w[high] @ (before[-1] - right + ties * (right - left)))
        pairs += float(w[high].sum() * before[-1])
    return wrong, pairs


def precision_at_k(y: Any, scores: Any, k: int, *, group: Any = None) -> float:
    """The share of relevant items (y above 0) among the k best scores, averaged over groups.

    A group of fewer than k items counts the places it has. Equal scores stand in the order in
    which the items came.

    >>> precision_at_k([0, 1, 1, 0], [0.9, 0.8, 0.7, 0.1], k=2)
    0.5
    """
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        raise ValueError(f"k={show(k)} is not allowed: it must be a whole number of at least 1.")
    grades, F, ids = _items(y, scores, group)
    found = [np.mean(grades[_best_first(F, rows)[:k]] > 0) for rows in _groups(ids)]
    return float(np.mean(found))


def mean_reciprocal_rank(y: Any, scores: Any, *, group: Any = None) -> float:
    """One over the place of the best relevant item (y above 0), averaged over groups.

    A group without a relevant item counts 0.

    >>> mean_reciprocal_rank([0, 1, 0, 1], [3.0, 2.0, 1.0, 4.0], group=[0, 0, 1, 1])
    0.75
    """
    grades, F, ids = _items(y, scores, group)
    found = []
    for rows in _groups(ids):
        places = np.flatnonzero(grades[_best_first(F, rows)] > 0)
        found.append(1 / (places[0] + 1) if len(places) else 0.0)
    return float(np.mean(found))


def ndcg(y: Any, scores: Any, *, k: int | None = None, group: Any = None) -> float:
    """The discounted gain over that of the best order, averaged over groups.

    An item of grade y at place i adds (2^y - 1) / log2(i + 1); k counts the first places only.
    Groups in which no item has a gain are left out.

    >>> ndcg([3, 2, 0], [3.0, 2.0, 1.0])
    1.0
    >>> round(ndcg([3, 2, 0], [1.0, 2.0, 3.0]), 4)
    0.6064
    """
    if k is not None and (isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1):
        raise ValueError(f"k={show(k)} is not allowed: it must be a whole number above 0, or None.")
    grades, F, ids = _items(y, scores, group)
    if grades.min() < 0 or grades.max() > 1000:
        raise ValueError("y holds grades outside 0 to 1000, of which 2^y is no gain.")
    found = []
    for rows in _groups(ids):
        best = _gain(-np.sort(-grades[rows]), k)
        if best > 0:
            found.append(_gain(grades[_best_first(F, rows)], k) / best)
    if not found:
        raise ValueError("every grade of y is 0: there is no gain to be had.")
    return float(np.mean(found))


def _gain(grades: Floats, k: int | None) -> float:
    first = grades[:k]
    return float(np.sum((2.0**first - 1) / np.log2(np.arange(2, len(first) + 2))))


def _items(y: Any, scores: Any, group: Any) -> tuple[Floats, Floats, NDArray[np.int64]]:
    grades, F = numbers("y", y), numbers("scores", scores)
    same_shape(("y", "scores"), grades, F)
    return grades, F, group_numbers(group, len(F))


def _groups(ids: NDArray[np.int64]) -> Iterator[NDArray[np.intp]]:
    """The row indices of each group."""
    order = np.argsort(ids, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(ids[order])) + 1)


def _best_first(F: Floats, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.asarray(rows[np.argsort(-F[rows], kind="stable")])
