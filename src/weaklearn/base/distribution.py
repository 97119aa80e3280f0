"""The distribution D_t over the examples, and the correctness of hypotheses on them."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

WRONG, ABSTAINED, RIGHT = -1, 0, 1


class Correctness(Protocol):
    """Per row whether a hypothesis is right (+1), wrong (-1) or abstains (0).

    ``numpy.asarray`` gives the array.
    """

    def __len__(self) -> int: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[np.int8]: ...


class Weights(Protocol):
    """An engine's weights of the examples: integers, so that sums do not depend on the order."""

    @property
    def version(self) -> int: ...
    def mass(self, correct: Any, which: int) -> float: ...
    def reweight(self, alpha: float, correct: Any, threads: int) -> None: ...
    def vote_errors(self) -> tuple[float, int]: ...
    def shares(self) -> NDArray[np.float64]: ...
    def exact_shares(self) -> NDArray[np.float64]: ...
    def __len__(self) -> int: ...


class Distribution:
    """Weights over the examples with sum 1.

    A distribution moves on in place: after ``reweight`` the old object may no longer be used, which
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
            raise RuntimeError("this distribution has moved on: use the one that reweight returned")
        return self.weights

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def array(self) -> NDArray[np.float64]:
        """The distribution as an array; a row with a frequency weight has the sum of its copies."""
        return self._current().shares()

    @property
    def exact(self) -> NDArray[np.float64]:
        """The distribution for third-party code, as multiples of 2^-52 per copy of a row.

        Doubles add these up without rounding: code that only sums weights gets the same sums in any
        order of rows, and for a frequency weight as for so many copies.
        """
        return self._current().exact_shares()

    def mass(self, correct: Correctness, side: int) -> float:
        """The weight of the rows that are RIGHT, WRONG or ABSTAINED (``side``).

        It is exactly 0 only where no such row has weight.
        """
        return self._current().mass(correct, side)

    def reweight(self, alpha: float, correct: Correctness) -> Distribution:
        """The next distribution: D(i) exp(-alpha * correct_i) / Z."""
        self._current().reweight(alpha, correct, self._threads)
        return Distribution(self.weights, self._threads, self.sign)

    def margin_and_errors(self) -> tuple[float, int]:
        """The smallest y F over the examples, and the number of examples misclassified so far."""
        return self._current().vote_errors()
