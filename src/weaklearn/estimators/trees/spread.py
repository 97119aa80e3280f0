"""How much the members of an ensemble differ."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...base.types import Floats


def deviation(predicted: Iterable[Floats]) -> Floats:
    """The standard deviation of what members say, in one pass."""
    mean, squares, n = np.zeros(1), np.zeros(1), 0
    for answers in predicted:
        n += 1
        step = answers - mean
        mean = mean + step / n
        squares = squares + step * (answers - mean)
    return np.sqrt(squares / n)
