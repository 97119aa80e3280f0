"""Kernels of model files: trees decoded and proved sound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import NDArray

from .. import _core

_PROVED = (
    *("ask", "feature", "threshold", "first", "width", "missing", "value", "weight", "count"),
    *("gain", "values"),
)
Unsound = _core.Unsound  # raised for trees that no walk may be trusted with


class FileKernels:
    """Kernels that read what nobody vouches for."""

    def packed_trees(self, data: bytes) -> _core.PackedTrees:
        """The trees of a stream; a ValueError where that is damaged, or asks for too much."""
        return _core.PackedTrees(data)

    def value(self, reader: Any, data: memoryview, depth: int) -> Any:
        """The value where a reader stands, which is asked for all that are not plain."""
        return _core.read_value(reader, data, depth)

    def items(self, reader: Any, data: memoryview, n: int, depth: int) -> list[Any]:
        """So many values from where a reader stands."""
        return _core.read_items(reader, data, n, depth)

    def pairs(
        self,
        reader: Any,
        data: memoryview,
        n: int,
        depth: int,
        names: set[str] | None = None,
        check: Callable[[Any], None] | None = None,
    ) -> dict[Any, Any]:
        """A dict of so many keys and values; ``check`` is asked about keys not among the names."""
        return _core.read_pairs(reader, data, n, depth, names, check)

    def proved(
        self, columns: Mapping[str, NDArray[Any]], length: NDArray[Any], rows: NDArray[Any]
    ) -> dict[str, NDArray[Any]]:
        """What is known of trees, whose columns are joined; ``Unsound`` unless they are sound."""
        return _core.prove_trees(
            **{name: columns[name] for name in _PROVED}, length=length, rows=rows
        )
