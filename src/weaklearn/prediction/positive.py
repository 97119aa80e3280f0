"""The class that is spoken of: the positive one of two."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.spelling import nearest
from ..base.messages.value_text import show
from .rows import class_list

RARE = 0.2  # a class of fewer rows is the one that is spoken of, where rows are at hand


def positive_code(model: Any, positive: Any = None, codes: NDArray[np.int64] | None = None) -> int:
    """The place in ``classes_`` of the class that is spoken of.

    It is the label ``positive``; else the one that the model was given; else, where ``codes`` of
    rows are known, the rarer one if it has less than a fifth of them; else ``classes_[1]``.

    >>> from types import SimpleNamespace
    >>> model = SimpleNamespace(classes_=np.array(["no", "yes"]), _positive=None)
    >>> positive_code(model), positive_code(model, "no")
    (1, 0)
    >>> positive_code(model, codes=np.array([1] * 9 + [0]))
    0
    """
    classes = class_list(model)
    if positive is not None:
        return _place(classes, positive)
    with suppress(AttributeError):  # of models of others
        if model._positive is not None:
            return int(model._positive)
    if codes is None or len(classes) != 2:
        return 1
    n_first, n_second = int(np.count_nonzero(codes == 0)), int(np.count_nonzero(codes == 1))
    return 0 if 0 < n_first < RARE * (n_first + n_second) else 1


def threshold_of(model: Any) -> float | None:
    """The threshold on scores that a model was given; None where its own rule decides."""
    with suppress(AttributeError):  # of models of others
        found: float | None = model._threshold
        return found
    return None


def threshold_words(model: Any) -> str | None:
    """The threshold that a model was given, in words; None where its own rule decides.

    It is told as a probability, where a score stands for one, of the class that is spoken of.
    """
    score = threshold_of(model)
    if score is None:
        return None
    classes, code = class_list(model), positive_code(model)
    with suppress(AttributeError):  # of the runtime, and of models without probabilities
        p = model._probability_at(score)
        edge = f"above probability {p:.4g}" if code else f"from probability {1 - p:.4g} on"
        return f"{classes[code]} {edge} ({score_side(classes, code, score)})"
    return f"{classes[code]} where the {score_side(classes, code, score)}"


def score_side(classes: Sequence[Any], code: int, score: float) -> str:
    """On which side of a threshold a class is predicted, and of which class the score is.

    >>> score_side(["no", "yes"], 1, -2.5), score_side(["no", "yes"], 0, -2.5)
    ('score of yes is above -2.5', 'score of yes is at most -2.5')
    """
    return f"score of {classes[1]} is {'above' if code else 'at most'} {score:.6g}"


def _place(classes: tuple[Any, ...], positive: Any) -> int:
    """The place of a label, or of its text as a command line has it."""
    if len(classes) != 2:
        raise ValueError(
            f"positive={show(positive)} is given, and the model has {len(classes)} classes: it is "
            "for two."
        )
    for labels in (classes, tuple(map(str, classes))):
        if type(positive) is not bool or any(type(label) is bool for label in labels):
            for k, label in enumerate(labels):
                if label == positive:
                    return k
    known = [str(label) for label in classes]
    raise ValueError(
        f"positive={show(positive)} is not allowed: the classes are {show(classes[0])} and "
        f"{show(classes[1])}.{nearest(str(positive), known)}"
    )
