"""The classes of ``partial_fit``, all of which must be known from the first call."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from .labels import read_labels


def first_classes(classes: Any, y: Any, n_rows: int) -> NDArray[Any]:
    """The classes of the first call; without ``classes``, -1 and +1."""
    if classes is not None:
        listed, _ = read_labels(classes, len(classes))
        return listed
    found, _ = read_labels(y, n_rows)
    if found.dtype.kind not in "if" or not set(found.tolist()) <= {-1, 1}:
        raise ValueError(
            "classes must be passed on the first call to partial_fit: list all labels that there "
            f"will be; only -1 and +1 are known without, and y holds {show(found.tolist()[0])}."
        )
    return np.array([-1, 1], dtype=found.dtype)


def same_classes(known: NDArray[Any], classes: Any) -> NDArray[Any]:
    """The classes of the first call; a later call may only repeat them."""
    if classes is not None:
        given, _ = read_labels(classes, len(classes))
        if given.tolist() != known.tolist():
            raise ValueError(
                f"classes={show(given.tolist())} is not the same as on last call to partial_fit, "
                f"was: {show(known.tolist())}."
            )
    return known


def check_two(classes: NDArray[Any], name: str) -> None:
    """Refuses more than two classes."""
    if len(classes) > 2:
        raise ValueError(
            "Only binary classification is supported. The type of the target is multiclass: y "
            f"holds {len(classes)} classes; pass two, or wrap {name} in OneVsRestBooster."
        )
