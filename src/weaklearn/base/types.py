"""Types of arrays, and of numbers over partitions of the rows."""

from typing import Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
# The attribute in which a model of trees keeps all that answers; None: it is none, or a sum.
TreeHolder = Literal[None, "tree_", "trees_"]

T = TypeVar("T")
Numbers = TypeVar("Numbers", bound=NDArray[Any])


class Partitions(Protocol):
    """Asks for numbers of all rows, where those at hand are one partition of several.

    All partitions ask alike, in the same order and for arrays of one shape.
    """

    rank: int
    size: int

    def sum(self, numbers: Numbers) -> Numbers: ...
    def maximum(self, numbers: Numbers) -> Numbers: ...
    def gather(self, value: T) -> list[T]: ...
    def first(self, value: T) -> T: ...
