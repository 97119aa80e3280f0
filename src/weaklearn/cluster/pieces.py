"""Dask collections as they are passed to ``fit``: checked, and divided into pieces.

A piece holds the rows of one partition: X, y and, where given, weights and offsets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.messages.value_text import show
from ..intake.elsewhere import is_collection

Piece = dict[str, Any]  # arguments of ``fit`` by name, without "_val"

_VAL = "_val"
_MOST_ROWS = 2**31 - 1  # of one partition
_WORDS = ("string", "str", "category")  # types of columns that hold no numbers
_ARGUMENTS = ("X", "y", "sample_weight", "offset")


def pieces_of(given: Mapping[str, Any]) -> tuple[list[Any], list[Any], Piece, Piece]:
    """Pieces to learn from and to judge by, each as a delayed ``Piece``; empty ones of both kinds.

    ``given`` are the arguments of ``fit`` by name.
    """
    unknown = [name for name in given if name.removesuffix(_VAL) not in _ARGUMENTS]
    for name in unknown:
        if given[name] is not None:
            raise TypeError(f"{name} is not supported with dask collections: leave it out.")
    learnt = {name: given.get(name) for name in _ARGUMENTS}
    judged = {name: given.get(name + _VAL) for name in _ARGUMENTS}
    if not is_collection(learnt["X"]):
        raise TypeError(
            f"X must be a dask DataFrame or Array where another argument is a dask collection, and "
            f"is {_kind(learnt['X'])}: pass dask.dataframe.from_pandas(X, npartitions=...) or "
            "dask.array.from_array(X)."
        )
    first = _pieces(learnt, "")
    if judged["X"] is not None and not is_collection(judged["X"]):
        raise TypeError(f"X_val must be a dask collection, as X is, and is {_kind(judged['X'])}.")
    second = ([], {}) if judged["X"] is None else _pieces(judged, _VAL)
    if judged["X"] is None:
        for name, value in judged.items():
            if value is not None:
                raise ValueError(
                    f"{name}_val is given without X_val: pass the validation rows too."
                )
    return first[0], second[0], first[1], second[1]


def check_numbers(given: Mapping[str, Any]) -> None:
    """Refuses a target that is known to hold no numbers, before anything is computed."""
    X, y = given.get("X"), given.get("y")
    if isinstance(y, str):
        y = X[y] if X is not None and y in _names(X) else None
    kind = getattr(y, "dtype", None)
    if kind is not None and (str(kind) in _WORDS or kind.kind in "mMSU"):
        raise ValueError(f"y has type {kind}; a regressor needs numbers.")


def _names(X: Any) -> list[Any]:
    """The names of the columns of a frame; an array has none."""
    return list(getattr(X, "columns", ()))


def _pieces(given: Mapping[str, Any], suffix: str) -> tuple[list[Any], Piece]:
    """The pieces of some arguments of ``fit``, delayed; and one without rows."""
    from dask.delayed import delayed

    X, columns, others = given["X"], {}, {}
    names = _names(X)
    for name, value in given.items():
        if name == "X" or value is None:
            continue
        if isinstance(value, str):
            columns[name] = _column(name + suffix, value, names)
        elif not is_collection(value):
            raise TypeError(
                f"{name}{suffix} must be a dask collection, as X{suffix} is, or the name of a "
                f"column, and is {_kind(value)}."
            )
        else:
            others[name] = value
    if given["y"] is None:
        raise ValueError(f"y{suffix} is missing: pass a dask collection, or the name of a column.")
    parts = {name: _partitions(value, name + suffix) for name, value in (("X", X), *others.items())}
    for name, listed in parts.items():
        if len(listed) != len(parts["X"]):
            raise ValueError(
                f"X{suffix} has {len(parts['X'])} partitions, and {name}{suffix} has "
                f"{len(listed)}: pass one frame and the name of its column, as in "
                'fit(frame, "label"), or collections that are divided alike.'
            )
    make = delayed(_piece, pure=True)
    made = [
        make(dict(zip(parts, each, strict=True)), columns, suffix, k, names)
        for k, each in enumerate(zip(*parts.values(), strict=True))
    ]
    empty = {name: _empty(value) for name, value in (("X", X), *others.items())}
    return made, _piece(empty, columns, suffix, 0, names)


def _column(argument: str, name: str, names: Sequence[Any]) -> str:
    """The name of a column of X, once it is known to be one."""
    if not names:
        raise TypeError(
            f"{argument}={show(name)} names a column, and X is an array: pass a dask array."
        )
    if name not in names:
        listed = ", ".join(map(show, names[:8])) + (", ..." if len(names) > 8 else "")
        raise ValueError(f"{argument}={show(name)} is no column of X, which has {listed}.")
    return name


def _partitions(value: Any, name: str) -> list[Any]:
    """The partitions of a collection, each delayed."""
    if hasattr(value, "npartitions") and hasattr(value, "divisions"):  # a frame or a series
        return list(value.to_delayed())
    if not hasattr(value, "chunks") or not hasattr(value, "rechunk"):
        raise TypeError(
            f"{name} is {_kind(value)}: pass a dask DataFrame, Series or Array. (A bag becomes a "
            "frame by to_dataframe().)"
        )
    if value.ndim > 1:
        value = value.rechunk({k: -1 for k in range(1, value.ndim)})
    return list(value.to_delayed().ravel())


def _empty(value: Any) -> Any:
    """No rows of a collection."""
    if hasattr(value, "chunks"):
        return np.empty((0, *value.shape[1:]), value.dtype)
    return value._meta.iloc[:0]


def _piece(
    values: Piece, columns: Mapping[str, str], suffix: str, number: int, names: Sequence[Any]
) -> Piece:
    """The values of one partition, with the columns that are no features taken out of X.

    Its columns come in the order of ``names``, where they are the same.
    """
    piece = dict(values)
    own = _names(piece["X"])
    if own != list(names) and len(own) == len(set(own)) and set(own) == set(names):
        piece["X"] = piece["X"][list(names)]
    piece |= {name: piece["X"][column] for name, column in columns.items()}
    if columns:
        piece["X"] = piece["X"].drop(columns=list(dict.fromkeys(columns.values())))
    for name, value in piece.items():
        if len(value) != len(piece["X"]):
            raise ValueError(
                f"partition {number} has {len(piece['X'])} rows in X{suffix} and {len(value)} in "
                f"{name}{suffix}: pass one frame and the name of its column, as in "
                'fit(frame, "label"), or collections that are divided alike.'
            )
    return piece


# ------------------------------------------------------------------------------------- on a worker


@dataclass(frozen=True)
class Extent:
    """How many rows a piece has and bytes it takes; its columns, None for an array's."""

    n_rows: int
    n_bytes: int
    columns: tuple[Any, ...] | None


def extent_of(piece: Piece) -> Extent:
    """The extent of a piece."""
    from dask.sizeof import sizeof

    columns = tuple(_names(piece["X"])) or None
    return Extent(len(piece["X"]), sum(map(sizeof, piece.values())), columns)


def check_extents(own: Sequence[Extent], judged: Sequence[Extent]) -> None:
    """Refuses pieces without any rows, of different columns, or of too many rows."""
    if not any(each.n_rows for each in own):
        raise ValueError("X has no rows: all of its partitions are empty.")
    if judged and not any(each.n_rows for each in judged):
        raise ValueError("X_val has no rows: all of its partitions are empty.")
    for name, extents in (("X", own), ("X_val", judged)):
        for k, each in enumerate(extents):
            if Counter(each.columns) != Counter(extents[0].columns):  # in any order
                first, other = list(extents[0].columns or ()), list(each.columns or ())
                raise ValueError(
                    f"the partitions 0 and {k} of {name} have different columns: {first} and "
                    f"{other}; give all partitions the same ones."
                )
            if each.n_rows > _MOST_ROWS:
                raise ValueError(
                    f"partition {k} of {name} has {each.n_rows} rows, and at most {_MOST_ROWS} are "
                    "possible: repartition it."
                )


def joined(pieces: Sequence[Piece]) -> Piece:
    """The rows of several pieces as one; nothing where there is none."""
    if len(pieces) < 2:
        return dict(pieces[0]) if pieces else {}
    return {name: _concatenated([piece[name] for piece in pieces]) for name in pieces[0]}


def _concatenated(values: list[Any]) -> Any:
    if isinstance(values[0], np.ndarray):
        return np.concatenate(values)
    from dask.dataframe.dispatch import concat

    return concat(values, ignore_index=True)


def _kind(value: Any) -> str:
    kind = type(value)
    return f"a {kind.__module__.partition('.')[0]} {kind.__name__}".replace("builtins ", "")
