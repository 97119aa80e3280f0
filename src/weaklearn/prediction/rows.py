"""A fitted model: its classes, its columns, the rows of X as it reads them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.offered import fact
from ..base.rows import Rows
from ..base.types import Floats
from ..engines import Engine
from ..intake.cells import KnownColumns, refuse_missing


def classes_of(model: Any) -> NDArray[Any] | None:
    """The classes of a fitted model; None where it predicts numbers."""
    classes: NDArray[Any] | None = fact(model, "classes_")
    return classes


def two_classes(model: Any) -> tuple[str, ...]:
    """The names of the classes of a fitted model of two; else ()."""
    classes = classes_of(model)
    return () if classes is None or len(classes) != 2 else (str(classes[0]), str(classes[1]))


def class_list(model: Any) -> tuple[Any, ...]:
    """The classes of a fitted model; none where it predicts numbers, or several outputs a row."""
    classes = classes_of(model)
    return tuple(label_values(classes)) if isinstance(classes, np.ndarray) else ()


def label_values(labels: NDArray[Any]) -> list[Any]:
    """Labels as values of Python; times that it has no type for stay those of numpy.

    >>> label_values(np.array(["2020-01-01"], "M8[ns]"))  # tolist() makes numbers of them
    [np.datetime64('2020-01-01T00:00:00.000000000')]
    """
    values: list[Any] = labels.tolist()
    numbers = labels.dtype.kind in "mM" and values and isinstance(values[0], int)
    return list(labels) if numbers else values


def schema_of(model: Any) -> Any:
    """The schema of a model, or of the model within it; None where neither has one."""
    return fact(innermost(model), "_schema")


def innermost(model: Any) -> Any:
    """The model that a model has fitted to learn for it; itself where it learns alone."""
    inner = fact(model, "model_")
    return model if inner is None else inner


def by_threshold(self: Any, F: Floats) -> NDArray[Any]:
    """``classes_[1]`` where a score is above the threshold that the model was given."""
    return np.asarray(self.classes_[np.asarray(F > self._threshold).astype(np.intp)])


def written(self: Any, F: Floats) -> NDArray[Any]:
    """Which labels each row has, as y wrote them: those whose score is above 0."""
    return np.where(F > 0, 1, self._indicator[0]).astype(np.int64)


def share_difference(shares: Floats) -> Floats:
    """How much larger the share of the second class is than that of the first."""
    return np.asarray(shares[:, 1] - shares[:, 0])


def read_rows(
    schema: KnownColumns, X: Any, engine: Engine, *, unseen: str, strict: bool, table: Any = None
) -> Rows:
    """X by the columns of training; ``strict`` refuses missing values and categories never seen.

    ``table`` is X as a table, where X itself may have any shape.
    """
    unseen, opened = "error" if strict else unseen, X if table is None else table
    cells = schema.read(opened, unseen=unseen, threads=engine.threads)
    if strict:
        refuse_missing(cells, schema)
    return Rows(cells, X, engine)


def predict_log_proba(self: Any, X: Any) -> Any:
    """The logarithm of the probabilities; of several outputs a list."""
    with np.errstate(divide="ignore"):
        proba = self.predict_proba(X)
        return [np.log(part) for part in proba] if isinstance(proba, list) else np.log(proba)
