"""Multilabel metrics."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Bools, Floats
from .arrays import numbers, same_shape


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
    true, given = _indicator("Y", Y), numbers("predicted", predicted, 2)
    same_shape(("Y", "predicted"), true, given)
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
        raise ValueError(f"average={average!r} is not allowed: it must be 'micro' or 'macro'.")
    true, given = _indicator("Y", Y), numbers("predicted", predicted, 2) > 0
    same_shape(("Y", "predicted"), true, given)
    both, either = (true & given).sum(axis=0), true.sum(axis=0) + given.sum(axis=0)
    if average == "micro":
        both, either = both.sum(keepdims=True), either.sum(keepdims=True)
    return float(np.mean(2 * both / np.maximum(either, 1)))


def _indicator(name: str, Y: Any) -> Bools:
    """A boolean indicator matrix from 1 and 0, or from +1 and -1."""
    table = numbers(name, Y, 2)
    if not (np.isin(table, (0.0, 1.0)).all() or np.isin(table, (-1.0, 1.0)).all()):
        raise ValueError(
            f"{name} holds numbers other than 0 and 1 (or -1 and 1); pass an indicator matrix."
        )
    return np.asarray(table > 0)


def _sets(Y: Any, scores: Any) -> tuple[Bools, Floats]:
    true, F = _indicator("Y", Y), numbers("scores", scores, 2)
    same_shape(("Y", "scores"), true, F)
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
