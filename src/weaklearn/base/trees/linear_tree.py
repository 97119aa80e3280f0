"""Trees whose leaves answer more than a value: slopes along columns of numbers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..types import Floats
from .tree import Tree


@dataclass(frozen=True, eq=False)
class Slopes:
    """The slopes of the leaves of a tree: how many each node has, and then, node after node and in
    the order of columns, a number for each slope.

    A leaf answers its value plus the sum of slope * (x - centre), each x held between low and high.
    Where one of these x is missing, it answers its value alone.
    """

    count: NDArray[np.int32]  # one entry a node, the others one entry a slope
    feature: NDArray[np.int32]
    slope: Floats
    centre: Floats
    low: Floats
    high: Floats

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All arrays, in their order."""
        return tuple(getattr(self, each.name) for each in fields(self))

    @property
    def reach(self) -> Floats:
        """How far the slopes of each node can move its answer at most."""
        way = np.maximum(np.abs(self.high - self.centre), np.abs(self.low - self.centre))
        node = np.repeat(np.arange(len(self.count)), self.count)
        return np.asarray(np.bincount(node, np.abs(self.slope) * way, len(self.count)), np.float64)


@dataclass(frozen=True, eq=False)
class LinearTree(Tree):
    """A tree with slopes in its leaves."""

    slopes: Slopes

    @classmethod
    def with_slopes(cls, tree: Tree, slopes: Slopes) -> LinearTree:
        """The tree with slopes."""
        return cls(**tree.arrays(), slopes=slopes)

    @property
    def plain(self) -> Tree:
        """The tree without its slopes."""
        return Tree(**self.arrays())

    def __getstate__(self) -> Any:
        return super().__getstate__(), self.slopes

    def __setstate__(self, state: Any) -> None:
        arrays, slopes = state
        super().__setstate__(arrays)
        object.__setattr__(self, "slopes", slopes)
