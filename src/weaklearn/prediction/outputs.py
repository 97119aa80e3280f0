"""Several outputs a row: shares of classes, labels and numbers of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.offered import fact
from ..base.types import Array, Floats


def n_outputs(model: Any) -> int:
    """How many outputs a fitted model has; 1 where it says nothing of them."""
    return int(fact(model, "n_outputs_") or 1)


def class_names(model: Any) -> tuple[Array, ...]:
    """The classes of each output; none where numbers are predicted."""
    classes = fact(model, "classes_")
    return tuple(classes) if isinstance(classes, list) else () if classes is None else (classes,)


def shares_of_classes(model: Any, X: Any) -> list[tuple[list[str], Floats]]:
    """For each output the names of its classes, and the probabilities of rows."""
    found = model.predict_proba(X)
    each = found if isinstance(found, list) else [found]
    names = [[str(label) for label in classes] for classes in class_names(model)]
    return list(zip(names, each, strict=True))


def shares_by_output(classes: Sequence[Array], shares: Floats) -> list[Floats]:
    """The shares of the classes of each output, of all side by side."""
    ends = np.cumsum([len(of) for of in classes])[:-1]
    return [np.minimum(part, 1.0) for part in np.split(shares, ends, axis=1)]


def labels_by_output(
    classes: Sequence[Array], shares: Floats, chosen: Callable[[Floats], NDArray[np.intp]]
) -> Array:
    """The label of each output, a column each, by the numbers of the classes that are ``chosen``.

    >>> both = [np.array([0, 1]), np.array(["a", "b", "c"])]
    >>> shares = np.array([[0.2, 0.8, 0.5, 0.3, 0.2]])
    >>> labels_by_output(both, shares, lambda part: part.argmax(axis=1)).tolist()
    [[1, 'a']]
    """
    parts = shares_by_output(classes, shares)
    return side_by_side([of[chosen(part)] for of, part in zip(classes, parts, strict=True)])


def side_by_side(columns: Sequence[Array]) -> Array:
    """Columns of labels as a table, of objects where they are of different kinds."""
    kinds = {"n" if column.dtype.kind in "biuf" else column.dtype.kind for column in columns}
    if len(kinds) == 1:
        return np.column_stack(columns)
    table = np.empty((len(columns[0]), len(columns)), object)
    for k, column in enumerate(columns):  # a time of numpy as an object would be a number
        table[:, k] = list(column) if column.dtype.kind in "mM" else column
    return table


def numbers(answers: Floats) -> Floats:
    """The number of each row; of several outputs a column each."""
    return answers[:, 0] if answers.shape[1] == 1 else answers
