"""A stream of examples, from an iterator or from a function that returns the next.

An item is one example, (x, y), or a batch of them, (X, y); the learner sees the same sequence
either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp

from ..base.messages.value_text import show
from ..base.sample import take_rows

Batch = tuple[Any, list[Any]]  # rows, and their labels

_AHEAD = 256  # examples to read ahead, at least
_AT_ONCE = 8192  # rows in a batch, at most


class Oracle:
    """Batches of examples, in order; examples that were read but not used can be put back."""

    def __init__(self, source: Any) -> None:
        self._items = _items(source)
        self._next: Any = None  # an item that came after some of another kind
        self._held: list[Batch] = []

    def more(self, most: int = _AT_ONCE) -> Batch | None:
        """The next batch of at most ``most`` examples; None where there are no more."""
        batch = self._held.pop(0) if self._held else self._read()
        if batch is None:
            return None
        X, y = batch
        if len(y) <= most:
            return batch
        self._held.insert(0, (take_rows(X, np.arange(most, len(y))), y[most:]))
        return take_rows(X, np.arange(most)), y[:most]

    def give_back(self, batch: Batch, n: int) -> None:
        """Puts the last n examples of a batch back to the head of the stream."""
        X, y = batch
        if n > 0:
            self._held.insert(0, (take_rows(X, np.arange(len(y) - n, len(y))), y[len(y) - n :]))

    def opening(self, n: int) -> Batch | None:
        """The next n examples, or as many as there are, without consuming them."""
        batches: list[Batch] = []
        while sum(len(y) for _, y in batches) < n:
            batch = self.more(n - sum(len(y) for _, y in batches))
            if batch is None:
                break
            batches.append(batch)
        if not batches:
            return None
        batch = joined(batches)
        self.give_back(batch, len(batch[1]))
        return batch

    def _read(self) -> Batch | None:
        """The next items of one kind: examples, or batches of one container."""
        some: list[tuple[Any, Any]] = []
        n, first = 0, None
        while n < _AHEAD:
            item = next(self._items, None) if self._next is None else self._next
            if item is None:
                break
            kind = type(item[0]) if _is_batch(*item) else None
            if some and kind is not first:  # it has its turn after those before it
                self._next = item
                break
            self._next, first = None, kind
            some.append(_checked(*item) if kind is not None else (_row(item[0]), item[1]))
            n += 1 if kind is None else len(some[-1][1])
        if first is not None:
            return joined(some)
        return (_stacked([x for x, _ in some]), [y for _, y in some]) if some else None


def joined(batches: Sequence[Batch]) -> Batch:
    """Several batches concatenated."""
    labels = [label for _, y in batches for label in y]
    parts = [X for X, y in batches if len(y)]
    return (parts[0] if len(parts) == 1 else _concatenated(parts)), labels


def _items(source: Any) -> Iterator[tuple[Any, Any]]:
    for item in _raw(source):
        if not isinstance(item, (tuple, list)) or len(item) != 2:
            raise TypeError(
                f"oracle gave {show(item)}; it must give pairs: (x, y), one example, or (X, y), "
                "rows with their labels."
            )
        yield item[0], item[1]


def _raw(source: Any) -> Iterator[Any]:
    if hasattr(source, "__iter__") or hasattr(source, "__next__"):
        for item in source:  # which is not closed with this one
            yield item
        return
    if not callable(source):
        raise TypeError(
            f"oracle={show(source)} is not allowed: it must be an iterator over examples, or a "
            "function that gives the next."
        )
    while True:
        try:
            item = source()
        except StopIteration:
            return
        if item is None:
            return
        yield item


def _is_batch(x: Any, y: Any) -> bool:
    return np.ndim(y) > 0 or getattr(x, "ndim", 1) == 2


def _checked(X: Any, y: Any) -> Batch:
    labels = np.atleast_1d(np.asarray(y))
    if labels.ndim != 1:
        raise ValueError(f"oracle gave labels of shape {labels.shape}; they must be of shape (n,).")
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    if n != len(labels):
        raise ValueError(f"oracle gave {n} rows with {len(labels)} labels; each row has one.")
    if n == 0:
        raise ValueError("oracle gave a batch of 0 rows; leave such batches out.")
    return X, labels.tolist()


def _row(x: Any) -> Any:
    if isinstance(x, (dict, str, bytes)) or not hasattr(x, "__len__"):
        raise TypeError(
            f"oracle gave an example x={show(x)}; it must be a sequence of values. Rows of a "
            "DataFrame come in batches: (X, y) with labels y."
        )
    return x if isinstance(x, np.ndarray) else list(x)


def _stacked(rows: list[Any]) -> Any:
    lengths = {len(row) for row in rows}
    if len(lengths) > 1:
        raise ValueError(f"oracle gave examples of {sorted(lengths)} values; they must be alike.")
    if all(isinstance(row, np.ndarray) for row in rows):
        return np.stack(rows)
    return [row.tolist() if isinstance(row, np.ndarray) else row for row in rows]


def _concatenated(parts: list[Any]) -> Any:
    """Containers of one kind, one after another, as that kind."""
    if any(sp.issparse(X) for X in parts):
        return sp.vstack(parts, format="csr")
    if all(isinstance(X, list) for X in parts):
        return [row for X in parts for row in X]
    if any(hasattr(X, "columns") or hasattr(X, "column_names") for X in parts):
        frames = [nw.from_native(X, eager_only=True) for X in parts]
        return nw.to_native(nw.concat(frames))
    return np.concatenate([np.asarray(X) for X in parts])
