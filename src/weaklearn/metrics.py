"""Metrics of rankings, of multilabel predictions, and of times until an event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .base.messages.value_text import show
from .base.numeric.total import total
from .base.types import Bools, Floats
from .engines import on_threads
from .losses.ranking import ALL_PLACES, METRICS


def _numbers(name: str, values: Any, n_dimensions: int = 1) -> Floats:
    """Finite numbers in so many dimensions."""
    array = np.asarray(values.toarray() if hasattr(values, "toarray") else values)
    if array.ndim != n_dimensions or array.dtype.kind not in "fiub":
        words = "a row of numbers" if n_dimensions == 1 else "a table of numbers"
        raise ValueError(f"{name} has shape {array.shape} and type {array.dtype}; pass {words}.")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds a number that is not finite.")
    return array


def _check_shapes(names: tuple[str, str], first: NDArray[Any], second: NDArray[Any]) -> None:
    if first.shape != second.shape:
        raise ValueError(
            f"{names[0]} has shape {first.shape} and {names[1]} has shape {second.shape}; they "
            "must agree."
        )
    if first.size == 0:
        raise ValueError(f"{names[0]} is empty.")


def _group_numbers(group: Any, n: int) -> NDArray[np.int64]:
    """The groups of rows as numbers from 0 on; one group where none are given."""
    if group is None:
        return np.zeros(n, np.int64)
    ids = np.asarray(group)
    if ids.shape != (n,):
        raise ValueError(f"group has shape {ids.shape}; it must hold one id for each of {n} items.")
    return np.unique(ids, return_inverse=True)[1].reshape(-1).astype(np.int64)


def one_error(Y: Any, scores: Any) -> float:
    """The share of the rows whose top-scored label is not one of theirs; ties: the first label.

    >>> one_error([[1, 0, 0], [0, 1, 1]], [[0.9, 0.1, 0.0], [0.5, 0.2, 0.1]])
    0.5
    """
    true, F = _sets(Y, scores)
    return float(np.mean(~true[np.arange(len(F)), F.argmax(axis=1)]))


def coverage(Y: Any, scores: Any) -> float:
    """The average rank of the lowest-ranked true label of a row, less one.

    Rows without labels are left out. Scikit-learn's ``coverage_error`` is one more, and counts
    equal scores against a row.

    >>> coverage([[1, 0, 0], [0, 1, 1]], [[0.9, 0.1, 0.0], [0.5, 0.2, 0.1]])
    1.0
    """
    true, F = _labelled(*_sets(Y, scores))
    worst = np.where(true, _places(F), 0).max(axis=1)
    return float(np.mean(worst - 1))


def average_precision(Y: Any, scores: Any) -> float:
    """The precision at the rank of each true label, averaged over the labels of a row and over
    rows.

    Rows without labels are left out.

    >>> round(average_precision([[1, 0, 1]], [[0.9, 0.5, 0.1]]), 4)
    0.8333
    """
    true, F = _labelled(*_sets(Y, scores))
    places = _places(F)
    order = np.argsort(places, axis=1)
    met = np.take_along_axis(true, order, axis=1)
    shares = np.cumsum(met, axis=1) / np.arange(1, F.shape[1] + 1)
    return float(np.mean((shares * met).sum(axis=1) / met.sum(axis=1)))


def hamming_loss(Y: Any, predicted: Any) -> float:
    """The share of wrong entries (row, label).

    ``predicted`` holds 0 and 1, or scores, which tell a label where they are above 0; a score of
    exactly 0 tells nothing and is wrong.

    >>> hamming_loss([[1, 0, 0], [0, 1, 1]], [[1, 0, 1], [0, 1, 1]]) == 1 / 6
    True
    >>> hamming_loss([[1, 0]], [[2.5, 0.0]])
    0.5
    """
    true, given = _indicator("Y", Y), _numbers("predicted", predicted, 2)
    _check_shapes(("Y", "predicted"), true, given)
    if np.isin(given, (0.0, 1.0)).all():
        return float(np.mean(true != (given > 0)))
    return float(np.mean(np.where(true, given <= 0, given >= 0)))


def f1(Y: Any, predicted: Any, average: str = "micro") -> float:
    """The harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN).

    "micro" counts over all labels at once, "macro" is the mean over labels; a label that no row has
    and none is given counts 0 there, as in scikit-learn. ``predicted`` is as in ``hamming_loss``,
    where a score of 0 tells that a row has not the label.

    >>> Y, predicted = [[1, 0], [1, 1], [0, 0]], [[1, 0], [0, 1], [0, 1]]
    >>> round(f1(Y, predicted), 4), round(f1(Y, predicted, "macro"), 4)
    (0.6667, 0.6667)
    """
    if average not in ("micro", "macro"):
        raise ValueError(f"average={show(average)} is not allowed: it must be 'micro' or 'macro'.")
    true, given = _indicator("Y", Y), _numbers("predicted", predicted, 2) > 0
    _check_shapes(("Y", "predicted"), true, given)
    both, either = (true & given).sum(axis=0), true.sum(axis=0) + given.sum(axis=0)
    if average == "micro":
        both, either = both.sum(keepdims=True), either.sum(keepdims=True)
    return float(np.mean(2 * both / np.maximum(either, 1)))


def _indicator(name: str, Y: Any) -> Bools:
    """A boolean indicator matrix from 1 and 0, or from +1 and -1."""
    table = _numbers(name, Y, 2)
    if not (np.isin(table, (0.0, 1.0)).all() or np.isin(table, (-1.0, 1.0)).all()):
        raise ValueError(
            f"{name} holds numbers other than 0 and 1 (or -1 and 1); pass an indicator matrix."
        )
    return np.asarray(table > 0)


def _sets(Y: Any, scores: Any) -> tuple[Bools, Floats]:
    true, F = _indicator("Y", Y), _numbers("scores", scores, 2)
    _check_shapes(("Y", "scores"), true, F)
    return true, F


def _labelled(true: Bools, F: Floats) -> tuple[Bools, Floats]:
    some = true.any(axis=1)
    if not some.any():
        raise ValueError("no row of Y has a label.")
    return true[some], F[some]


def _places(F: Floats) -> NDArray[np.int64]:
    """The rank of every label, from 1 on; ties: the first label comes first."""
    order = np.argsort(-F, axis=1, kind="stable")
    places = np.empty(F.shape, np.int64)
    np.put_along_axis(places, order, np.arange(1, F.shape[1] + 1)[None, :], axis=1)
    return places


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
    weight = np.ones(len(F)) if sample_weight is None else _numbers("sample_weight", sample_weight)
    _check_shapes(("sample_weight", "y"), weight, grades)
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


def mean_reciprocal_rank(y: Any, scores: Any, *, k: int | None = None, group: Any = None) -> float:
    """One over the place of the best relevant item (y above 0), averaged over groups.

    A group without a relevant item, or with none in the k first places, counts 0. Equal scores
    count as the mean over their orders.

    >>> mean_reciprocal_rank([0, 1, 0, 1], [3.0, 2.0, 1.0, 4.0], group=[0, 0, 1, 1])
    0.75
    """
    return _mean(_of_groups("mrr", y, scores, k, group))


def mean_average_precision(
    y: Any, scores: Any, *, k: int | None = None, group: Any = None
) -> float:
    """The precision at the place of each relevant item (y above 0), averaged over the items of a
    group and over groups.

    With k the first places alone count, and the sum is divided by the most items that can be there.
    Groups without a relevant item are left out. Equal scores count as the mean over their orders.

    >>> round(mean_average_precision([1, 0, 1], [0.9, 0.5, 0.1]), 4)
    0.8333
    >>> mean_average_precision([1, 0], [0.5, 0.5])
    0.75
    """
    found = _of_groups("map", y, scores, k, group)
    if np.isnan(found).all():
        raise ValueError("no item of y is above 0: there is none to be found.")
    return _mean(found)


def ndcg(y: Any, scores: Any, *, k: int | None = None, group: Any = None) -> float:
    """The discounted gain over that of the best order, averaged over groups.

    An item of grade y at place i adds (2^y - 1) / log2(i + 1); k counts the first places only.
    Groups in which no item has a gain are left out. Equal scores count as the mean over their
    orders.

    >>> ndcg([3, 2, 0], [3.0, 2.0, 1.0])
    1.0
    >>> round(ndcg([3, 2, 0], [1.0, 2.0, 3.0]), 4)
    0.6064
    """
    grades = _numbers("y", y)
    if grades.min(initial=0) < 0 or grades.max(initial=0) > 1000:
        raise ValueError("y holds grades outside 0 to 1000, of which 2^y is no gain.")
    found = _of_groups("ndcg", grades, scores, k, group)
    if np.isnan(found).all():
        raise ValueError("every grade of y is 0: there is no gain to be had.")
    return _mean(found)


def _of_groups(metric: str, y: Any, scores: Any, k: int | None, group: Any) -> Floats:
    """The metric of every group; NaN where it has none."""
    if k is not None and (isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1):
        raise ValueError(f"k={show(k)} is not allowed: it must be a whole number above 0, or None.")
    grades, F, ids = _items(y, scores, group)
    engine = on_threads()
    places = ALL_PLACES if k is None else int(k)
    queries = engine.queries.of(ids, grades, grades, METRICS.index(metric), places)
    return np.asarray(queries.values(np.ascontiguousarray(F), engine.threads))


def _mean(found: Floats) -> float:
    """The mean of those that are numbers, in whatever order they come."""
    some = found[~np.isnan(found)]
    return total(some) / len(some)


def _items(y: Any, scores: Any, group: Any) -> tuple[Floats, Floats, NDArray[np.int64]]:
    grades, F = _numbers("y", y), _numbers("scores", scores)
    _check_shapes(("y", "scores"), grades, F)
    return grades, F, _group_numbers(group, len(F))


def _groups(ids: NDArray[np.int64]) -> Iterator[NDArray[np.intp]]:
    """The row indices of each group."""
    order = np.argsort(ids, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(ids[order])) + 1)


def _best_first(F: Floats, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.asarray(rows[np.argsort(-F[rows], kind="stable")])


def concordance_index(event: Any, time: Any, risk: Any, *, sample_weight: Any = None) -> float:
    """The share of the comparable pairs of rows in which the one with the larger risk came first.

    Two rows are comparable where the event of one came, and came before the time of the other (one
    without event at the same time was still there, and came later; two events at one time are not
    comparable). A pair of equal risks counts 1/2. A pair weighs the product of the weights of its
    rows. It takes n log n steps.

    >>> concordance_index([True, True, False], [1.0, 2.0, 3.0], [0.9, 0.1, 0.5])
    0.6666666666666666
    """
    came, t, F = _numbers("event", event) > 0, _numbers("time", time), _numbers("risk", risk)
    _check_shapes(("event", "time"), came, t)
    _check_shapes(("risk", "time"), F, t)
    weight = np.ones(len(t)) if sample_weight is None else _numbers("sample_weight", sample_weight)
    _check_shapes(("sample_weight", "time"), weight, t)
    later = 2 * np.unique(t, return_inverse=True)[1].reshape(-1) + ~came
    order = np.argsort(later, kind="stable")
    rank = np.unique(F, return_inverse=True)[1].reshape(-1)[order]
    later, weight = later[order], weight[order]
    mine = np.where(came[order], weight, 0.0)
    pairs = float(mine @ _after(np.zeros_like(rank), later, weight))
    if pairs == 0:
        raise ValueError(
            "no two rows are comparable: no event came before the time of another row."
        )
    right = float(mine @ _after(rank, later, weight)) / 2
    for bit in range(int(rank.max()).bit_length()):  # of ranks that differ in it first
        smaller = np.where(rank >> bit & 1, 0.0, weight)
        right += float(
            np.where(rank >> bit & 1, mine, 0.0) @ _after(rank >> bit + 1, later, smaller)
        )
    return right / pairs


def _after(kind: NDArray[Any], later: NDArray[Any], weight: Floats) -> Floats:
    """The weight of the rows of the same kind behind each row; ``later`` ascends."""
    order = np.argsort(kind, kind="stable")
    kind, later, w = kind[order], later[order], weight[order]
    so_far = np.concatenate([[0.0], np.cumsum(w)])
    new_kind = np.flatnonzero(np.diff(kind, append=-1)) + 1  # where a kind ends
    new_time = (
        np.flatnonzero((np.diff(kind, append=-1) != 0) | (np.diff(later, append=-1) != 0)) + 1
    )
    n = np.arange(len(kind))
    ends = so_far[new_kind[np.searchsorted(new_kind, n, side="right")]]
    found = np.empty(len(kind))
    found[order] = ends - so_far[new_time[np.searchsorted(new_time, n, side="right")]]
    return found
