"""Rows that are not all in memory and in one place: in files, on a cluster, or in partitions.

``are_elsewhere`` decides it; what they need is imported when first asked for (``later``).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeGuard

from ..base.streamed_cells import StreamedCells
from ..engines.collective import ALONE, RUNNING
from . import later
from .cells import Cells

if TYPE_CHECKING:
    from .dataset_table import DatasetTable
    from .schema import Schema


class InFiles:
    """Base of the table whose rows stay in files, by which it is known before it is loaded."""


def in_files(X: Any) -> TypeGuard[DatasetTable]:
    """Whether X is a table whose rows stay in files."""
    return isinstance(X, InFiles)


def is_dataset(X: Any) -> bool:
    """Whether X is a dataset of pyarrow; pyarrow itself is not imported."""
    return type(X).__module__.startswith("pyarrow._dataset")


def is_collection(value: Any) -> bool:
    """Whether a value is a collection of Dask's; Dask itself is not imported.

    >>> is_collection([1.0, 2.0])
    False
    """
    dask = sys.modules.get("dask")  # whoever has a collection has imported it
    return dask is not None and bool(dask.is_dask_collection(value))


def are_elsewhere(values: Iterable[Any]) -> bool:
    """Whether rows to learn from are in files, on a cluster, or one partition of several."""
    if RUNNING.get() is not ALONE:
        return True
    return any(is_dataset(v) or in_files(v) or is_collection(v) for v in values)


def read_cells(schema: Schema, X: Any) -> Cells | StreamedCells:
    """The encoded values of X by a schema, be it a table in files or in memory."""
    return later.streamed_cells(schema, X) if in_files(X) else schema.read(X)


def in_memory_or_file(cells: Cells | StreamedCells) -> Cells:
    """Encoded values to predict for again and again: those of a dataset in a file of their own."""
    return cells if isinstance(cells, Cells) else later.cells_in_file(cells)
