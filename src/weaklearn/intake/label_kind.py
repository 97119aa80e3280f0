"""The kind of labels, and labels that cannot be compared with those of a model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from . import later
from .object_column import family

_OF_TYPES = dict.fromkeys("biuf", "numbers") | {"U": "texts", "M": "dates", "m": "durations"}
_OF_FAMILIES = {
    "text": "texts",
    "whole": "numbers",
    "real": "numbers",
    "flag": "numbers",
    "moment": "dates",
    "date": "dates",
    "duration": "durations",
}


def kind_of(labels: NDArray[Any]) -> str | None:
    """numbers, texts, dates or durations; None where they are of several kinds, or of another."""
    if labels.dtype.kind != "O":
        return _OF_TYPES.get(labels.dtype.kind)
    kinds = {_OF_FAMILIES.get(family(kind)) for kind in set(map(type, labels.ravel().tolist()))}
    return kinds.pop() if len(kinds) == 1 else None


def refuse_other_kind(classes: NDArray[Any], y: Any, argument: str = "y") -> None:
    """Raises ValueError for labels of another kind than the classes: none could be right."""
    try:
        labels = np.asarray(y)
    except ValueError:  # lists of labels, of different lengths
        return
    found, known = kind_of(labels), kind_of(np.asarray(classes))
    if labels.ndim == 1 and len(labels) and None not in (found, known) and found != known:
        raise ValueError(
            f"{argument} holds {found}, as {show(labels[:1].tolist()[0])}, and the labels of "
            f"training are {known}, as {show(np.asarray(classes)[:1].tolist()[0])}; pass {known}."
        )


def score_of_labels(self: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    """The share of the labels that are right; labels of another kind are refused."""
    return label_score(self.classes_, y, self.predict(X), sample_weight)


def label_score(classes: NDArray[Any], y: Any, answers: Any, sample_weight: Any) -> float:
    """The share of the labels that are right; of several labels a row, of rows with all right."""
    from sklearn.metrics import accuracy_score  # heavy, and rarely needed

    if isinstance(classes, np.ndarray) and np.ndim(answers) == 2:
        answers = later.rows_right(answers, y, classes)
        y = np.ones(len(answers), bool)
    elif isinstance(classes, np.ndarray):  # and not a list, of several outputs a row
        refuse_other_kind(classes, y)
    return float(accuracy_score(y, answers, sample_weight=sample_weight))
