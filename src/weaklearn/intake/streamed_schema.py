"""The schema of a dataset, learnt column by column, and its encoded values, which stay in files.

Every column goes the same way as a column of a table in memory, alone: schema, codes and so the
model are the same to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.hashing import Keys
from ..base.streamed_cells import StreamedCells
from ..base.types import Array
from ..engines.streamed import column_groups, in_file
from .arrays import Table, as_table, labeller
from .cells import Cells, all_missing
from .column_schema import ColumnSchema
from .dataset_table import DatasetTable
from .numeric_text import Doubt, doubted, warn_of_numerals
from .raw_column import Kind, Raw
from .schema import (
    Schema,
    check_not_empty,
    forced_columns,
    forced_raw,
    learn_column,
    open_table,
    warn_of_empty_columns,
)


def learn_streamed(
    X: DatasetTable,
    *,
    categorical_features: Any,
    estimator_name: str,
    repeats: NDArray[np.int64] | None,
    rare: int,
    threads: int = 1,
) -> tuple[Schema, StreamedCells]:
    """What ``Schema.learn`` gives for the same rows in memory; values are read when needed."""
    check_not_empty(X.shape)
    names, label = X.names, labeller(X.names)
    forced = forced_columns(categorical_features, Table(X.shape, names))
    special: dict[int, ColumnSchema] = {}
    empty: list[int] = []
    doubts: list[Doubt] = []
    for places in column_groups(*X.shape, threads):
        for j, raw in zip(places, _raws(X, places), strict=True):
            raw = forced_raw(raw) if forced[j] else raw
            doubts += doubted([raw])
            if raw.first_present() is None:
                empty.append(j)
            schema, _ = learn_column(raw, names[j], categorical_features, repeats, rare)
            if schema.kind is not Kind.NUMBER:
                special[j] = schema
    warn_of_numerals(doubts)
    warn_of_empty_columns(empty, label)
    name = estimator_name or "estimator"
    learnt = Schema(len(names), names, special, name, frozenset(empty))
    return learnt, streamed_cells(learnt, X)


def streamed_cells(schema: Schema, X: DatasetTable) -> StreamedCells:
    """The encoded values of a dataset whose columns are those of a schema."""
    schema.check(len(X.names), X.names)
    n_categories = None
    if schema.special:
        found = [schema.columns[j].n_categories for j in range(schema.n_features)]
        n_categories = np.array(found, np.int32)
    return StreamedCells(len(X), schema.n_features, partial(_encoded, schema, X), n_categories)


def cells_in_file(cells: StreamedCells) -> Cells:
    """Encoded values to predict for again and again, in a file of their own."""
    n_categories = cells.n_categories
    if n_categories is None:
        n_categories = np.zeros(cells.n_features, np.int32)
    return Cells(
        cells.n_rows,
        cells.n_features,
        columns=in_file(cells),
        categorical=n_categories > 0,
        n_categories=n_categories,
    )


def pooled_keys(schema: Schema, X: Any) -> Keys:
    """What ``Schema.pooled_keys`` gives, of a dataset too."""
    if not isinstance(X, DatasetTable):
        return schema.pooled_keys(as_table(X))
    keys = np.zeros(len(X), np.uint64)
    for j, column in schema.special.items():
        if column.kind is Kind.CATEGORY:
            keys += schema.pooled_keys_of(j, _raws(X, [j])[0])
    return keys


def _encoded(schema: Schema, X: DatasetTable, places: Sequence[int]) -> list[Array]:
    """The encoded values of some columns."""
    columns = schema.columns
    return [
        all_missing(len(X)) if j in schema.empty else columns[j].encode(raw)
        for j, raw in zip(places, _raws(X, places), strict=True)
    ]


def _raws(X: DatasetTable, places: Sequence[int]) -> list[Raw]:
    """Some columns as they are in the files."""
    names = [X.names[j] for j in places]
    found = open_table(X.columns(names)).raws
    assert found is not None
    # Texts came as dictionaries: nobody declared them to be categories.
    return [
        raw._replace(declared=raw.declared and not X.is_text(name))
        for name, raw in zip(names, found, strict=True)
    ]
