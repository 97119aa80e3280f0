"""Predictions for a pyarrow dataset, batch by batch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..base.messages.spelling import listed, nearest
from ..base.offered import fact
from .dataset_table import DatasetTable, readable, stamps_of
from .elsewhere import in_files, is_dataset


def predict_batches(
    method: Callable[..., Any], model: Any, X: Any, *args: Any, **kwargs: Any
) -> Iterator[Any]:
    """What a method of a model that predicts gives for the rows of each batch of a dataset.

    Batches come in the order of the files. Columns are found by the names of training, and others
    are not read. An offset is then the name of a column.
    """
    check_is_fitted(model, "ensemble_")
    return _answers(functools.partial(method, model), X, _columns(model, X), *args, **kwargs)


def batches(X: Any, columns: list[str]) -> Iterator[Any]:
    """The batches of a dataset that hold rows, as Arrow tables of some columns."""
    import pyarrow as pa

    with readable(X, stamps_of(X), columns):
        for batch in X.to_batches(columns=columns):
            if len(batch):
                yield pa.Table.from_batches([batch])


def tables_of(model: Any, X: Any) -> Iterator[Any]:
    """X; or where its rows stay in files, batches of them with the columns that a model reads."""
    if in_files(X):
        return _in_file_order(X, _columns(model, X.dataset))
    if is_dataset(X):
        return batches(X, _columns(model, X))
    schema = fact(model, "_schema")
    return iter([X if schema is None else schema.matched(X, fact(model, "columns") or "strict")])


def in_memory(X: Any) -> Any:
    """X; or where its rows stay in files, those that count as an Arrow table."""
    if not in_files(X):
        return X
    import pyarrow as pa

    table = pa.concat_tables(_in_file_order(X, list(X.names)))
    return table if X.kept is None else table.take(np.argsort(np.argsort(X.kept, kind="stable")))


def _in_file_order(X: DatasetTable, columns: list[str]) -> Iterator[Any]:
    """The rows that count, batch by batch, as they stand in the files."""
    wanted, first = None if X.kept is None else np.sort(X.kept), 0
    for batch in batches(X.dataset, columns):
        if wanted is None:
            yield batch
        else:
            some = wanted[slice(*np.searchsorted(wanted, [first, first + len(batch)]))]
            if len(some):
                yield batch.take(some - first)
        first += len(batch)


def predict_rows(method: Callable[..., Any], model: Any, X: DatasetTable) -> Any:
    """What a method of a model that predicts gives for the rows that count, in their order."""
    check_is_fitted(model, "ensemble_")
    found = np.concatenate([np.asarray(method(model, table)) for table in tables_of(model, X)])
    return found if X.kept is None else found[np.argsort(np.argsort(X.kept, kind="stable"))]


def _answers(
    method: Callable[..., Any], X: Any, columns: list[str], offset: Any = None
) -> Iterator[Any]:
    if offset is None:
        return map(method, batches(X, columns))
    if not isinstance(offset, str) or offset not in X.schema.names:
        raise ValueError(
            "offset must be the name of a column where X is a dataset, one of "
            f"{listed(X.schema.names)}."
        )
    return (
        method(batch.select(columns), batch[offset]) for batch in batches(X, [*columns, offset])
    )


def _columns(model: Any, X: Any) -> list[str]:
    """The columns of a dataset that a model predicts from."""
    known: list[str] = X.schema.names
    if model._schema.names is None:
        return known
    for name in model._schema.names:
        if name not in known:
            raise ValueError(
                f"the dataset has no column {name!r}, which {type(model).__name__} was fitted on; "
                f"its columns are {listed(known)}.{nearest(name, known)}"
            )
    return list(model._schema.names)
