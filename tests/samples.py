"""Samples made as the estimators make them, and games played on them round by round."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from weaklearn.base import Rows, Sample
from weaklearn.base.messages.warnings import DataWarning
from weaklearn.engines import Engine
from weaklearn.intake.prepare import Prepared, prepare


def prepared(
    X: Any, y: Any, weight: Any = None, categorical: Any = None, threads: int = 1, **how: Any
) -> Prepared:
    """X and y through the library's own intake."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # one class, an empty column
        return prepare(
            X,
            y,
            weight,
            engine=Engine(threads),
            class_weight=None,
            name="test",
            categorical_features=None if categorical is None else list(categorical),
            **how,
        )


def sample_of(
    X: Any, y: Any, weight: Any = None, categorical: Any = None, threads: int = 1, **how: Any
) -> Any:
    """The sample of X and y; labels -1 and +1 stay what they are."""
    sample: Sample = prepared(X, y, weight, categorical, threads, **how).sample
    return sample


def rows_like(ready: Prepared, X: Any) -> Rows:
    """New rows, read with the schema of training."""
    return Rows(ready.schema.read(X), X, ready.sample.engine)


def same_bits(a: Any, b: Any) -> bool:
    """Whether two arrays hold the same bytes."""
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
