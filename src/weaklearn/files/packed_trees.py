"""The trees of a stream in a file, which the engine decodes and proves a batch at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.compression.batch import Batch
from ..engines import on_threads
from .tree_proof import Proof


class InStream:
    """The trees of a compressed stream of bytes."""

    def __init__(self, data: bytes) -> None:
        self._trees = on_threads().files.packed_trees(data)
        self.length = self._trees.length()
        self.stops: list[int] = self._trees.stops
        self.n_outputs: int = self._trees.n_outputs

    def batch(self, k: int) -> Batch:
        """The trees of a batch, once all are proved."""
        return _batch(self._trees.batch(k))

    def proved(self) -> Proof:
        """What is known of the trees; where they are one batch, it is kept until it is used."""
        return Proof.of(self._trees.proved())

    @property
    def kept(self) -> int:
        """The bytes that a batch takes which is kept, or 0."""
        return self._trees.kept()

    def forget(self) -> None:
        """Keeps no batch."""
        self._trees.forget()


def _batch(found: Mapping[str, Any]) -> Batch:
    return Batch(found["columns"], found["length"], found["sets"], found["rows"])
