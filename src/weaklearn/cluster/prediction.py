"""Predictions for dask collections: lazy collections, partition by partition."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.warnings import suppressed_warnings
from ..base.offered import fact


def predict_lazily(method: str, model: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
    """What a method of a model that predicts gives for a dask collection: a lazy one."""
    if any(value is not None for value in (*args, *kwargs.values())):
        raise TypeError(
            f"{method} of a dask collection takes no argument but X: compute what it "
            "is to be used for, or predict by X.map_partitions."
        )
    return _lazy(model, method, X)


def _lazy(model: Any, method: str, X: Any) -> Any:
    """The predictions as a collection of Dask's: a frame or a series of a frame, else an array."""
    from dask.delayed import delayed

    is_frame = hasattr(X, "divisions")
    probe = copy(model)
    probe.unseen = "missing"
    row = X._meta_nonempty if is_frame else np.zeros((1, *X.shape[1:]), X.dtype)
    with suppressed_warnings():
        found = np.asarray(getattr(probe, method)(row))
    shared = delayed(model, pure=False)
    if is_frame:
        meta = _in_frame(model, found[:0], X._meta.iloc[:0])
        return X.map_partitions(_of_frame, shared, method, found[:0], meta=meta)
    if X.ndim > 1:
        X = X.rechunk({k: -1 for k in range(1, X.ndim)})
    axes = {"drop_axis": [1]} if found.ndim == 1 else {"chunks": (X.chunks[0], found.shape[1:])}
    return X.map_blocks(
        _predicted, shared, method, found[:0], dtype=found.dtype, meta=found[:0], **axes
    )


def _predicted(X: Any, model: Any, method: str, none: NDArray[Any]) -> NDArray[Any]:
    """The predictions of one partition; ``none``: those of no rows."""
    return np.asarray(getattr(model, method)(X)) if len(X) else none


def _of_frame(X: Any, model: Any, method: str, none: NDArray[Any]) -> Any:
    return _in_frame(model, _predicted(X, model, method, none), X)


def _in_frame(model: Any, found: NDArray[Any], X: Any) -> Any:
    """Predictions with the index of their rows; columns are named by the classes, or numbered."""
    import pandas as pd

    if found.ndim == 1:
        return pd.Series(found, index=X.index)
    names, width = fact(model, "classes_"), found.shape[1]
    columns = range(width) if names is None or len(names) != width else names
    return pd.DataFrame(found, index=X.index, columns=list(columns))
