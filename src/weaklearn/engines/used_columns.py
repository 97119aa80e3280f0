"""Trees over the columns that they use alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..base.trees.tree import Tree


def over(tree: Tree, used: NDArray[np.int32]) -> Tree:
    """A tree renumbered to a subset of columns that contains all it uses."""
    place = places(tree.feature, used)
    return replace(tree, feature=np.where(tree.is_leaf, np.int32(-1), place))


def places(features: NDArray[np.int32], used: NDArray[np.int32]) -> NDArray[np.int32]:
    """Where features stand in a subset of columns, given in order."""
    return np.searchsorted(used, features).astype(np.int32)
