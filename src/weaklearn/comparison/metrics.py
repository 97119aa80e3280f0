"""Metrics of predictions: error, log-loss, AUC, calibration error, squared and absolute error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from ..base.types import Floats

# The resolution of float32 around 1: a probability below it cannot be told from 0 in every library.
LEAST_PROBABILITY = 1e-7
BINS = 10

# Measures of which more is better; of all others less is.
GREATER = frozenset({"auc", "r2"})


def of_classes(
    y: NDArray[Any], answers: NDArray[Any], scores: Floats | None, P: Floats | None, codes: Any
) -> dict[str, float]:
    """Metrics of predictions, scores and probabilities (a column per class) for codes of y.

    A code of -1 is a class that was not there to learn from: always an error, and left out of the
    others, since nothing could have been said of it.
    """
    found = {"error": float(np.mean(answers != y))}
    known = codes >= 0
    if scores is not None and known.any():
        area = auc(codes[known], scores[known])
        if area is not None:
            found["auc"] = area
    if P is not None and known.any():
        right = P[known, codes[known]]
        found["log_loss"] = float(-np.mean(np.log(np.clip(right, LEAST_PROBABILITY, 1.0))))
    return found


def auc(codes: NDArray[Any], scores: Floats) -> float | None:
    """The area under the ROC curve; for K classes the mean over one class against the rest.

    >>> import numpy as np
    >>> auc(np.array([0, 0, 1, 1]), np.array([[0.1], [0.4], [0.35], [0.8]]))
    0.75
    """
    columns = [(codes == 1, scores[:, -1])] if scores.shape[1] <= 2 else []
    columns = columns or [(codes == k, scores[:, k]) for k in range(scores.shape[1])]
    areas = [_area(one, score) for one, score in columns if 0 < one.sum() < len(one)]
    return float(np.mean(areas)) if areas else None


def _area(one: NDArray[np.bool_], score: Floats) -> float:
    n = int(one.sum())
    return float((rankdata(score)[one].sum() - n * (n + 1) / 2) / (n * (len(one) - n)))


def calibration(events: NDArray[np.bool_], p: Floats, bins: int = BINS) -> float:
    """The expected calibration error over bins of equal count.

    Equal probabilities share a bin.

    >>> import numpy as np
    >>> calibration(np.array([False, True, True, True]), np.array([0.5, 0.5, 1.0, 1.0]))
    0.0
    """
    place = ((rankdata(p) - 0.5) * bins / len(p)).astype(np.intp)
    gap = np.bincount(place, weights=p, minlength=bins)
    gap -= np.bincount(place, weights=events, minlength=bins)
    return float(np.abs(gap).sum() / len(p))


def of_numbers(y: Floats, answers: Floats) -> dict[str, float]:
    """Mean squared error, its root, mean absolute error, and the share of variance explained."""
    wrong = answers - y
    mse = float(np.mean(wrong**2))
    found = {"mse": mse, "rmse": mse**0.5, "mae": float(np.mean(np.abs(wrong)))}
    variance = float(np.var(y))
    return found | ({"r2": 1 - mse / variance} if variance > 0 else {})


def ranks(values: Mapping[str, float], greater: bool) -> dict[str, float]:
    """The rank of each name, 1 for the best; ties share the mean rank, NaN comes last.

    >>> ranks({"a": 0.1, "b": 0.3, "c": 0.1}, greater=False)
    {'a': 1.5, 'b': 3.0, 'c': 1.5}
    """
    worth = [np.inf if v != v else (-v if greater else v) for v in values.values()]
    return dict(zip(values, map(float, rankdata(worth)), strict=True))
