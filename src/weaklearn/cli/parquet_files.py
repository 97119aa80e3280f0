"""Several Parquet files, or a folder of them, as one table whose rows stay in the files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..base.messages.spelling import listed
from . import data
from .fault import Fault
from .kept_reading import Reading

_PARQUET = (".parquet", ".pq")


def files_in(paths: Sequence[str]) -> list[str]:
    """The files of a command line; a folder stands for the Parquet files in it."""
    found: list[str] = []
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        inside = sorted(name for name in os.listdir(path) if name.endswith(_PARQUET))
        if not inside:
            raise Fault(f"{path} is a directory without Parquet files; name one that has some.")
        within = [os.path.join(path, name) for name in inside]
        found += [file for file in within if not _is_empty(file)] or within[:1]
    return found


def _is_empty(path: str) -> bool:
    """Whether a Parquet file has no rows, as some programs write where they have nothing to say."""
    try:
        from pyarrow import parquet

        return bool(parquet.read_metadata(path).num_rows == 0)
    except (ImportError, OSError, ValueError):  # whoever reads it says what is wrong
        return False


def stay_on_disk(paths: Sequence[str], asked: bool) -> bool:
    """Whether rows are to be learnt from where they are: several files, or more than memory has
    place for, or where the user asks for it.
    """
    from ..engines.memory import memory_limit

    if asked or len(paths) > 1 or os.path.isdir(paths[0]):
        return True
    if not paths[0].endswith(_PARQUET) or not os.path.isfile(paths[0]):
        return False
    return os.path.getsize(paths[0]) > memory_limit() / 2


def rows_of(
    model: Any,
    path: str,
    reading: Reading,
    *,
    target: str | None,
    weights: str | None = None,
    ignore: Sequence[str] = (),
) -> data.Rows:
    """The rows of a file as a model reads them; of a folder, or a file larger than memory, the
    dataset and the names of its columns.
    """
    if not stay_on_disk([path], False):
        return data.rows_for(model, path, reading, target=target, weights=weights, ignore=ignore)
    from ..production.provenance import provenance_of

    dataset, known = dataset_of(files_in([path]), ignore), target or provenance_of(model).target
    if known is None:
        raise Fault("the model does not store the name of its target; name it with --target.")
    roles = [known, *([] if weights is None else [weights])]
    data.check_names(path, dataset.schema.names, roles)
    return data.Rows(dataset, known, weights, known)


def dataset_of(files: Sequence[str], ignore: Sequence[str]) -> Any:
    """The files as one dataset, without the columns to leave out."""
    for path in files:
        if not os.path.exists(path):
            raise Fault(f"{path} does not exist; name Parquet files, or a folder of them.", 1)
        if not os.path.isfile(path):
            raise Fault(f"{path} is no regular file; name Parquet files, or a folder of them.")
        if not path.endswith(_PARQUET):
            raise Fault(f"{path} is no Parquet file; of other files, one is read at a time.")
    try:
        import pyarrow as pa
        import pyarrow.dataset as ds
    except ImportError:
        raise Fault("Parquet files need pyarrow: pip install 'weaklearn[parquet]'.") from None
    try:
        dataset = ds.dataset(list(files))
    except (pa.ArrowException, OSError) as error:
        raise Fault(
            f"{listed(files[:3])} cannot be read: {str(error).splitlines()[0]}", 1
        ) from None
    data.check_names(files[0], dataset.schema.names, list(ignore))
    kept = [field for field in dataset.schema if field.name not in ignore]
    return dataset.replace_schema(pa.schema(kept))
