"""How splits are searched for: by which criterion, among how many columns."""

from __future__ import annotations

from typing import Any

import numpy as np

OF_NUMBERS = ("squared_error", "poisson", "absolute_error")  # the criteria that are not of classes
CRITERIA = ("error", "gini", "entropy", "gain_ratio", "sqrt", *OF_NUMBERS)


def features_to_try(asked: Any, n_features: int, name: str = "max_features") -> int | None:
    """How many features are drawn at each split: a number, a share, "sqrt", "log2", or None, all.

    >>> features_to_try("sqrt", 50), features_to_try(0.5, 3), features_to_try(None, 3)
    (7, 1, None)
    """
    if asked is None:
        return None
    if asked == "sqrt":
        return max(1, int(np.sqrt(n_features)))
    if asked == "log2":
        return max(1, int(np.log2(n_features)))
    if isinstance(asked, float):
        return max(1, int(asked * n_features))
    if asked > n_features:
        raise ValueError(
            f"{name}={asked} is more than X has: {n_features} columns; pass at most that "
            "many, or a share such as 0.5."
        )
    return int(asked)
