"""Batches of trees, as they come out of a stream or of columns written in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..types import Ints
from .stream import Reader

BATCH = 2**15  # nodes, or one tree
_WIDE = 4  # outputs beyond which a batch has fewer


class Batch(NamedTuple):
    """Some trees: their arrays joined, and how many nodes, sets and rows of values each has."""

    columns: Mapping[str, NDArray[Any]]
    length: Ints
    sets: Ints
    rows: Ints

    def apart(self) -> Iterator[dict[str, NDArray[Any]]]:
        """The arrays of each tree; they share memory."""
        of_nodes, of_sets, of_rows = (
            np.cumsum(sizes).tolist() for sizes in (self.length, self.sets, self.rows)
        )
        absent = [0] * len(self.length)  # of weights, counts or gains
        tables = {"subsets": of_sets, "values": of_rows}
        ends = {
            name: tables.get(name, of_nodes if len(column) else absent)
            for name, column in self.columns.items()
        }
        for t in range(len(self.length)):
            yield {
                name: column[(ends[name][t - 1] if t else 0) : ends[name][t]]
                for name, column in self.columns.items()
            }


def batch_stops(length: Ints, n_outputs: int) -> list[int]:
    """The trees at which batches end, by the nodes of each; a large tree is one by itself."""
    most = BATCH * _WIDE // max(_WIDE, n_outputs)
    ends, stops, done = np.cumsum(length), [0], 0
    while stops[-1] < len(ends):
        stop = int(np.searchsorted(ends, done + most, side="right"))
        stops.append(max(stop, stops[-1] + 1))
        done = int(ends[stops[-1] - 1])
    return stops[1:]


def are_packed(data: bytes) -> bool:
    """Whether trees are packed, column by column, and not written as they are."""
    reader = Reader(data)
    reader.number()
    return reader.number() != 0
