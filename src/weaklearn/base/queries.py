"""The queries of a sample, as a loss of whole queries looks at them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .numeric.hashing import Keys
from .types import Floats


@dataclass(frozen=True)
class Bias:
    """How likely positions are to be clicked where an item is liked, and to be passed over where it
    is not, relative to the first one.
    """

    clicked: Floats
    passed: Floats


@dataclass(frozen=True)
class Queries:
    """The engine's queries: ``pairs`` with the places that count in changes, ``ranked`` with those
    of the metric.

    ``first`` is a row of each query. ``keys`` tell rows apart, their query and their place in it
    included. ``position`` says where rows were shown, from 0 on, where clicks are to be freed of
    it, and ``bias`` what is known of positions.
    """

    pairs: Any
    ranked: Any
    first: NDArray[np.int64]
    sigma: float
    normalize: bool
    keys: Keys
    position: NDArray[np.int32] | None = None
    bias: Bias | None = None

    @property
    def n_positions(self) -> int:
        """How many positions rows were shown at."""
        return 0 if self.position is None else int(self.position.max()) + 1
