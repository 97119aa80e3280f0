"""A tree packed for prediction, and the classes of its leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..types import Floats
from .tree import Tree

if TYPE_CHECKING:
    from ..rows import Rows


def answers_of(shares: Floats, n_classes: int) -> NDArray[np.int64]:
    """The class of the largest share; of two classes in equal shares the second."""
    if n_classes > 2:
        return np.asarray(shares.argmax(axis=1))
    if n_classes == 1:
        return np.ones(len(shares), np.int64)
    return np.where(shares[:, 1] >= shares[:, 0], 1, -1)


_PACKED: WeakKeyDictionary[Tree, Any] = WeakKeyDictionary()


def packed_once(tree: Tree, rows: Rows) -> Any:
    """The tree packed for prediction, cached as long as the tree exists."""
    found = _PACKED.get(tree)
    if found is None:
        # It holds another tree of the same arrays: a value that held its key would never go.
        found = _PACKED[tree] = packed(replace(tree), rows)
    return found


def packed(tree: Tree, rows: Rows) -> Any:
    """The tree packed for prediction."""
    cells = rows.cells
    return rows.engine.prediction.forest(
        [tree], cells.n_features, cells.n_categories, n_outputs=tree.n_outputs
    )
