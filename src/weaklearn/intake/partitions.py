"""Schema and classes of all rows, where those at hand are one partition of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.sample import take_columns
from ..base.types import Array, Ints, Partitions
from .arrays import Names, Table
from .cells import Cells
from .joined_schema import encode, joined, part_of, undecided
from .labels import read_object_labels
from .object_column import family
from .schema import Schema, open_table

# ----------------------------------------------------------------------------------------- columns


def learn_over(
    X: Any,
    over: Partitions,
    *,
    categorical_features: Any = "from_dtype",
    estimator_name: str = "",
    repeats: NDArray[np.int64] | None = None,
    rare: int = 1,
) -> tuple[Any, Schema, Cells]:
    """X in the order of columns of the first partition, the schema of all rows, and own cells."""
    nothing = isinstance(X, (list, tuple)) and not X
    table = Table((0, 0), matrix=np.empty((0, 0))) if nothing else open_table(X)
    found = over.gather((table.shape, table.names))
    X, table = _in_order(X, table, found, over.rank)
    how = {"categorical_features": categorical_features, "repeats": repeats}
    parts = over.gather(part_of(table, **how))
    wide = undecided(parts)
    if wide:
        parts = over.gather(part_of(table, wide=wide, **how))
    schema = joined(parts, rare=rare, estimator_name=estimator_name)
    return X, schema, encode(schema, table, parts)


def _in_order(
    X: Any, table: Table, found: Sequence[tuple[tuple[int, int], Names]], rank: int
) -> tuple[Any, Table]:
    """X with its columns in the order of the first partition that has rows."""
    first = next((k for k, ((n_rows, _), _) in enumerate(found) if n_rows), 0)
    (_, n_features), names = found[first]
    if table.shape[0] == 0:  # whatever its columns are, they hold nothing
        empty = Table((0, n_features), names, matrix=np.empty((0, n_features), np.float32))
        return X, empty
    for k, ((n_rows, n_own), own) in enumerate(found):
        if n_rows:
            _check_columns((first, n_features, names), (k, n_own, own))
    if table.names == names:
        return X, table
    assert names is not None
    assert table.names is not None
    places = {name: j for j, name in enumerate(table.names)}
    order = np.array([places[name] for name in names], np.int64)
    if table.raws is not None:
        table = table._replace(names=names, raws=[table.raws[j] for j in order])
    else:
        assert table.matrix is not None
        table = table._replace(names=names, matrix=table.matrix[:, order])
    return take_columns(X, order), table


def _check_columns(first: tuple[int, int, Names], other: tuple[int, int, Names]) -> None:
    """Refuses partitions whose columns are not the same, in any order."""
    (i, n_first, names), (k, n_other, own) = first, other
    if (names is None) != (own is None):
        named, bare = (k, i) if names is None else (i, k)
        raise ValueError(
            f"X has names of columns in partition {named} and none in partition {bare}; pass the "
            "same kind of table in every partition."
        )
    if names is None or own is None:
        if n_first != n_other:
            raise ValueError(
                f"X has {n_first} columns in partition {i} and {n_other} in partition {k}; pass "
                "the same columns in every partition."
            )
        return
    for lacks, has, missing in ((k, i, set(names) - set(own)), (i, k, set(own) - set(names))):
        if missing:
            listed = ", ".join(map(show, sorted(missing)[:5])) + (", ..." * (len(missing) > 5))
            raise ValueError(
                f"X has {len(missing)} column(s) in partition {has} that partition {lacks} lacks: "
                f"{listed}; pass the same columns in every partition."
            )


# ------------------------------------------------------------------------------------------ labels


def classes_over(classes: Array, codes: Ints, over: Partitions) -> tuple[Array, Ints]:
    """The classes of all partitions, sorted, and the codes of own rows among them."""
    found = over.gather(classes)
    everything = _union({k: own for k, own in enumerate(found) if len(own)})
    place = {label: k for k, label in enumerate(everything.tolist())}
    own = classes if classes.dtype.kind == "O" else classes.astype(everything.dtype, copy=False)
    return everything, np.array([place[label] for label in own.tolist()], np.int64)[codes]


def _union(found: dict[int, Array]) -> Array:
    """The distinct labels of all partitions, of the type that they have in one array."""
    if not found:
        return np.array([], np.int64)
    first, labels = next(iter(found.items()))
    for k, others in found.items():
        if _kind(others) != _kind(labels):
            raise ValueError(
                f"y mixes labels of different types: partition {first} holds "
                f"{show(labels.tolist()[0])}, partition {k} holds {show(others.tolist()[0])}; "
                "convert all labels to one type, such as str."
            )
    arrays = list(found.values())
    if any(array.dtype.kind == "O" for array in arrays):
        listed = dict.fromkeys(label for array in arrays for label in array.tolist())
        return read_object_labels(list(listed))[0]
    return np.unique(np.concatenate(arrays))


def _kind(labels: Array) -> str:
    """Which labels may be in one array."""
    kind: str = labels.dtype.kind
    if kind == "O":
        kind = {"text": "U", "whole": "i", "flag": "b"}.get(family(type(labels[0])), "O")
    return "i" if kind in "iuf" else kind
