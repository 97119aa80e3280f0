"""The distribution D_t over the examples, and verdicts on them."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

WRONG, SILENT, RIGHT = -1, 0, 1


class Verdict(Protocol):
    """Right (+1), wrong (-1) or silent (0) on every row; ``numpy.asarray`` shows it."""

    def __len__(self) -> int: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[np.int8]: ...


class Weights(Protocol):
    """What an engine keeps of a distribution: whole numbers, so that sums are free of order."""

    @property
    def version(self) -> int: ...
    def mass(self, verdict: Any, which: int) -> float: ...
    def tilt(self, alpha: float, verdict: Any, threads: int) -> None: ...
    def standing(self) -> tuple[float, int]: ...
    def shares(self) -> NDArray[np.float64]: ...
    def exact_shares(self) -> NDArray[np.float64]: ...
    def __len__(self) -> int: ...


class Distribution:
    """Weights over the examples with sum 1.

    A distribution moves on in place: after ``tilt`` the old object may no longer be asked, which
    saves a copy of all weights in every round and cannot go unnoticed. ``sign`` are the labels -1
    and +1 that the weights carry for whoever sums them, if any.
    """

    __slots__ = ("_threads", "_version", "sign", "weights")

    def __init__(
        self, weights: Weights, threads: int = 1, sign: NDArray[np.int8] | None = None
    ) -> None:
        self.weights = weights
        self.sign = sign
        self._threads = threads
        self._version = weights.version

    def _current(self) -> Weights:
        if self.weights.version != self._version:
            raise RuntimeError("this distribution has moved on: ask the one that tilt returned")
        return self.weights

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def array(self) -> NDArray[np.float64]:
        """The distribution as an array; the copies of a row are added up."""
        return self._current().shares()

    @property
    def exact(self) -> NDArray[np.float64]:
        """The distribution for code outside this library, in whole numbers of 2^-52 a copy.

        Doubles add these up without rounding: whoever only sums weights finds the same sums in any
        order of rows, and for a weight as for so many copies.
        """
        return self._current().exact_shares()

    def mass(self, verdict: Verdict, side: int) -> float:
        """The weight on one side of a verdict; exactly 0 only where no such row has weight."""
        return self._current().mass(verdict, side)

    def tilt(self, alpha: float, verdict: Verdict) -> Distribution:
        """D(i) exp(-alpha * side_i) / Z."""
        self._current().tilt(alpha, verdict, self._threads)
        return Distribution(self.weights, self._threads, self.sign)

    def standing(self) -> tuple[float, int]:
        """The smallest y F over the examples, and how many the votes so far get wrong."""
        return self._current().standing()
