"""The links of votes: scores to probabilities, by the exponential of the compiled core.

numpy's exponential rounds otherwise on other processors; this one gives the same bits everywhere.
"""

from __future__ import annotations

import numpy as np

from ..base.types import Floats
from ..engines import on_threads

# Schemes whose scores answer yes or no to every class by itself.
YES_OR_NO = ("OneVsRest", "AdaBoostMH", "AdaBoostMO")


def softmax(F: Floats) -> Floats:
    """exp(F) over the sum of a row.

    >>> softmax(np.array([[0.0, 0.0], [-np.inf, 1.0]])).tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """
    return _shares(_exponentials(F - F.max(axis=1, keepdims=True)))


def of_votes(F: Floats, scheme: str, scale: float = 1.0) -> Floats:
    """Probabilities of the classes: 1/(1 + exp(-2F)) for two; for more a softmax of scale times F.

    For one problem per class it is the probability of each class by itself, normalised.

    >>> of_votes(np.array([0.0, 0.5]), "AdaBoost").round(3).tolist()
    [[0.5, 0.5], [0.269, 0.731]]
    """
    if F.ndim == 1:
        less = _exponentials(-2 * np.abs(F))  # odds of the class that F speaks against
        more = 1 / (1 + less)
        less /= 1 + less
        return np.column_stack([np.where(F > 0, less, more), np.where(F > 0, more, less)])
    if scheme not in YES_OR_NO:
        return softmax(scale * F)
    # Each probability over the largest of a row, so that not all of them vanish.
    held = np.minimum(2 * F, 0)
    odds = _exponentials(held - held.max(axis=1, keepdims=True))
    return _shares(odds / (1 + _exponentials(-2 * np.abs(F))))


def of_each_label(F: Floats, scale: float) -> Floats:
    """The probability of every label by itself, where rows may have several."""
    less = _exponentials(-2 * scale * np.abs(F))
    p = np.where(F > 0, 1.0, less) / (1 + less)
    return np.clip(p, np.finfo(float).tiny, 1 - 2.0**-53)


def _exponentials(x: Floats) -> Floats:
    return on_threads().weights.exponentials(x.ravel()).reshape(x.shape)


def _shares(p: Floats) -> Floats:
    return np.asarray(p / p.sum(axis=1, keepdims=True))
