"""The interface of searches for one test in many subsets of a sample at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .tree import Tree


class ConditionSearch(ABC):
    """An oracle that finds the best test of each of several lists of rows in one go."""

    @abstractmethod
    def within(
        self, w: NDArray[np.float64], some: Sequence[NDArray[np.int32]]
    ) -> list[tuple[Tree, float]]:
        """The best test in each list of rows, and its criterion as a share of their weight.

        ``w`` weighs a copy of every row. Where there is no test, the tree has none.
        """
