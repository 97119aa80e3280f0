"""Trees as flat arrays, written by growers and read by scorers and files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .. import compression
from .tree_arrays import EVERY_CHILD, LEAF, MULTIWAY, SUBSET, THRESHOLD, TYPES

__all__ = [
    "EVERY_CHILD",
    "LEAF",
    "MULTIWAY",
    "SUBSET",
    "THRESHOLD",
    "Tree",
    "pack_trees",
    "unpack_trees",
]

_MANY = 256  # nodes that are worth the work of writing them in few bytes


class Packed(Protocol):
    """The arrays of a tree before they are needed."""

    @property
    def n_nodes(self) -> int: ...
    @property
    def n_outputs(self) -> int: ...
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by name, decoded."""


@dataclass(frozen=True, eq=False)
class Tree:
    """One tree. Node 0 is the root; the children of a node are neighbours and stand after it.

    A step is an addition: child = first + outcome. A threshold test has outcome 1 where
    x > threshold, else 0; a subset test has outcome 1 where the category is in the set, else 0;
    the outcome of a multiway test is the category itself. A missing value, or an unseen category,
    goes to the child ``missing`` (counted from ``first``), or, where that is EVERY_CHILD, to all
    of them in proportion to their weight.
    """

    ask: NDArray[np.uint8]  # LEAF, THRESHOLD, SUBSET or MULTIWAY
    feature: NDArray[np.int32]  # -1 at leaves
    threshold: NDArray[np.float64]
    first: NDArray[np.int32]  # first child; 0 at leaves
    width: NDArray[np.int32]  # number of children; 0 at leaves
    missing: NDArray[np.int32]
    subset: NDArray[np.int32]  # a row of ``subsets``; -1 elsewhere
    value: NDArray[np.int32]  # a row of ``values``: what the node answers
    weight: NDArray[np.float64]  # training weight at the node
    count: NDArray[np.int64]  # training examples at the node; copies count
    gain: NDArray[np.float64]  # what the test gained; 0 at leaves
    subsets: NDArray[np.uint64]  # (n, 4): 256 bits, one per category
    values: NDArray[np.float64]  # (n, n_outputs)

    @classmethod
    def of(cls, arrays: dict[str, NDArray[Any]]) -> Tree:
        """A tree from a kernel's arrays by name."""
        return cls(**{name: np.ascontiguousarray(arrays[name], t) for name, t in TYPES.items()})

    @classmethod
    def later(cls, packed: Packed) -> Tree:
        """A tree whose arrays are decoded when the first of them is asked for."""
        tree = object.__new__(cls)
        object.__setattr__(tree, "_packed", packed)
        return tree

    @property
    def packed(self) -> Packed | None:
        """The tree as it was packed; None once it has arrays."""
        found: Packed | None = self.__dict__.get("_packed")
        return found

    def __getattr__(self, name: str) -> Any:
        packed = self.packed
        if name in TYPES and packed is not None:
            self.decoded(packed.arrays())
        if name in self.__dict__:  # also where another thread has just decoded it
            return self.__dict__[name]
        raise AttributeError(f"a tree has no attribute {name!r}")

    def decoded(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Gives a packed tree its arrays."""
        self.__dict__.update(arrays)
        self.__dict__.pop("_packed", None)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by name."""
        return {name: getattr(self, name) for name in TYPES}

    def __getstate__(self) -> dict[str, NDArray[Any]] | bytes:
        return self.arrays() if len(self) < _MANY else compression.write_trees([self.arrays()])

    def __setstate__(self, state: dict[str, NDArray[Any]] | bytes) -> None:
        arrays = state if isinstance(state, dict) else compression.read_trees(state)[0]
        for name, array in arrays.items():
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        packed = self.packed
        return len(self.ask) if packed is None else packed.n_nodes

    @property
    def n_outputs(self) -> int:
        packed = self.packed
        return int(self.values.shape[1]) if packed is None else packed.n_outputs

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        return np.asarray(self.ask == LEAF)

    @property
    def n_leaves(self) -> int:
        return int(np.count_nonzero(self.is_leaf))

    # The names that readers of scikit-learn's trees know.
    @property
    def node_count(self) -> int:
        return len(self)

    @property
    def n_node_samples(self) -> NDArray[np.int64]:
        return self.count

    @property
    def children_left(self) -> NDArray[np.int32]:
        """Where x <= threshold; -1 at leaves. Of trees that ask for numbers alone."""
        if ((self.ask != LEAF) & (self.ask != THRESHOLD)).any():
            raise ValueError(
                "this tree asks for categories, which children_left and children_right do not "
                "tell: read first, width and subsets, or rules() of its estimator."
            )
        return np.where(self.is_leaf, np.int32(-1), self.first)

    @property
    def children_right(self) -> NDArray[np.int32]:
        """Where x > threshold; -1 at leaves. Of trees that ask for numbers alone."""
        left = self.children_left
        return np.where(left < 0, left, left + np.int32(1))

    def children(self, nodes: NDArray[Any]) -> NDArray[np.intp]:
        """The children of inner nodes, in order."""
        width = self.width[nodes].astype(np.intp)
        ends = np.cumsum(width)
        total = int(ends[-1]) if len(ends) else 0
        return np.repeat(self.first[nodes] - ends + width, width) + np.arange(total)

    def levels(self) -> list[NDArray[np.intp]]:
        """The nodes by depth, the root first."""
        levels = [np.zeros(1, np.intp)]
        while True:
            inner = levels[-1][self.ask[levels[-1]] != LEAF]
            if len(inner) == 0:
                return levels
            levels.append(self.children(inner))

    @property
    def parents(self) -> NDArray[np.int32]:
        """The parent of every node; -1 for the root."""
        parents = np.full(len(self), -1, np.int32)
        inner = np.flatnonzero(~self.is_leaf)
        parents[self.children(inner)] = np.repeat(inner, self.width[inner])
        return parents

    @property
    def depths(self) -> NDArray[np.int32]:
        """The depth of every node."""
        depths = np.zeros(len(self), np.int32)
        for depth, nodes in enumerate(self.levels()):
            depths[nodes] = depth
        return depths

    @property
    def depth(self) -> int:
        return len(self.levels()) - 1

    def importances(self, n_features: int) -> NDArray[np.float64]:
        """The share of the gain of each feature."""
        inner = ~self.is_leaf
        gains = np.bincount(self.feature[inner], weights=self.gain[inner], minlength=n_features)
        total = float(gains.sum())
        return np.asarray(gains / total if total > 0 else gains, np.float64)

    def cut(self, nodes: NDArray[Any]) -> Tree:
        """The pruned tree in which the listed nodes are leaves.

        The nodes that stay keep their order, so that children still follow their parent.
        """
        ask = self.ask.copy()
        ask[nodes] = LEAF
        kept = np.flatnonzero(~self._below(ask != self.ask))
        number = np.zeros(len(self), np.int32)
        number[kept] = np.arange(len(kept), dtype=np.int32)
        ask = ask[kept]
        inner = ask != LEAF
        value, values = _used(self.value[kept], self.values)
        subset, subsets = _used(np.where(inner, self.subset[kept], -1), self.subsets)

        def of_tests(name: str, elsewhere: float = 0) -> NDArray[Any]:
            column = getattr(self, name)[kept]
            return np.asarray(np.where(inner, column, column.dtype.type(elsewhere)))

        return Tree(
            ask=ask,
            feature=of_tests("feature", -1),
            threshold=of_tests("threshold"),
            first=np.where(inner, number[self.first[kept]], np.int32(0)),
            width=of_tests("width"),
            missing=of_tests("missing"),
            subset=subset,
            value=value,
            weight=self.weight[kept],
            count=self.count[kept],
            gain=of_tests("gain"),
            subsets=subsets,
            values=values,
        )

    def _below(self, marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether a marked node is an ancestor of each node, by pointer doubling."""
        above = np.maximum(self.parents, 0)
        found = marked[above]
        found[0] = False
        while above.any():
            found |= found[above]
            above = above[above]
        return found


def pack_trees(trees: Iterable[Tree]) -> bytes:
    """The trees as compressed bytes, lossless."""
    return compression.write_trees([tree.arrays() for tree in trees])


def unpack_trees(data: bytes) -> list[Tree]:
    """The trees from compressed bytes; they may share memory."""
    return [Tree(**arrays) for arrays in compression.read_trees(data)]


def _used(index: NDArray[Any], rows: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """The index and the rows without unused rows, renumbered; -1 stays -1."""
    named = np.zeros(len(rows) + 1, bool)  # one more, for -1
    named[index] = True
    renumbered = np.where(named, np.cumsum(named) - 1, -1)
    renumbered[-1] = -1
    return renumbered[index].astype(np.int32), rows[named[:-1]]
