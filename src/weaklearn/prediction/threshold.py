"""Two classes by a threshold on their score, where one was chosen for the model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Floats
from .signs import labels_where


def by_threshold(self: Any, F: Floats) -> NDArray[Any]:
    """``classes_[1]`` where a score is above the threshold that the model was given."""
    return labels_where(F > self._threshold, self.classes_)


def share_difference(shares: Floats) -> Floats:
    """How much larger the share of the second class is than that of the first."""
    return np.asarray(shares[:, 1] - shares[:, 0])
