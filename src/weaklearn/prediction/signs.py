"""One of two classes by a score, or by what holds of a row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def predict(self: Any, X: Any) -> NDArray[Any]:
    """The label of each row; that of a score of 0 is ``classes_[0]``."""
    return labels_where(self.decision_function(X) > 0, self.classes_)


def labels_where(above: NDArray[np.bool_], classes: NDArray[Any]) -> NDArray[Any]:
    """``classes[1]`` where something holds, and a lone class everywhere."""
    return np.asarray(classes[above.astype(np.intp) * (len(classes) - 1)])
