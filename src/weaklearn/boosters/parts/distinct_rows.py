"""The sample grouped by the answers of all members: rows that no member separates are one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache, cached_property
from math import frexp, ldexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base import Correctness, Distribution, Sample
from ...base.types import Floats

_AT_ONCE = 4096  # patterns that are made floats at a time
_KEPT = 2**23  # floats that are kept for the next product


def one_thread() -> AbstractContextManager[Any]:
    """Context manager: BLAS runs on one thread, since the matrices are small.

    No result depends on it.
    """
    controller = _controller()
    return nullcontext() if controller is None else controller.limit(limits=1, user_api="blas")


@cache
def _controller() -> Any:
    try:  # it comes with scikit-learn
        from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]
    except ImportError:
        return None
    return ThreadpoolController()


@dataclass(frozen=True, eq=False)
class Patterns:
    """The distinct rows (y h_1(x), ..., y h_t(x)), in lexicographic order.

    ``sides`` (P, t) holds them, ``share`` (P,) the weight that D_1 gives to each, and ``place``
    the pattern of every row of the sample. Whatever is found over patterns does not depend on the
    order of rows, nor on copies against weights; and all rows of one pattern keep their weights
    relative to one another.

    Products with ``sides`` are the same to the bit whoever adds up: factors are rounded to whole
    numbers of a power of two so large that no sum of them is ever rounded.
    """

    sides: NDArray[np.int8]
    share: Floats
    place: NDArray[np.intp]
    weight: Floats  # of the rows, in numbers that add up exactly

    @classmethod
    def of(cls, sample: Sample) -> Patterns:
        """The patterns before the first hypothesis: all rows are one."""
        n = len(sample)
        if sample.importance is not None:
            weight = sample.prior.exact
        else:
            weight = np.ones(n) if sample.copies is None else sample.copies.astype(np.float64)
        return cls(np.zeros((1, 0), np.int8), np.ones(1), np.zeros(n, np.intp), weight)

    @property
    def n_members(self) -> int:
        return int(self.sides.shape[1])

    def split_by(self, correct: Correctness) -> Patterns:
        """The patterns with one more hypothesis."""
        keys = 3 * self.place + np.asarray(correct) + 1
        known, place = np.unique(keys, return_inverse=True)
        last = (known % 3 - 1).astype(np.int8)
        sides = np.column_stack([self.sides[known // 3], last])
        weight = np.bincount(place, self.weight, len(known))
        return Patterns(np.ascontiguousarray(sides), weight / weight.sum(), place, self.weight)

    def among(self, heavy: NDArray[np.bool_], members: NDArray[np.bool_]) -> Patterns:
        """Some of the patterns and hypotheses, without places for the rows of the sample."""
        if heavy.all() and members.all():
            return self
        sides = np.ascontiguousarray(self.sides[np.ix_(heavy, members)])
        return Patterns(sides, self.share[heavy], self.place[:0], self.weight[:0])

    def distribution(self, sample: Sample, D: Floats) -> Distribution:
        """A distribution over patterns as one over the rows of the sample."""
        factors = np.ones(len(D))  # where weights vanish beside others
        np.divide(D, self.share, out=factors, where=self.share > 0)
        return sample.reweighted(factors[self.place])

    def margins(self, votes: Floats) -> Floats:
        """The margin of each pattern under votes."""
        exact = _fixed_point(votes)
        parts = [sides @ exact for _, sides in self._parts()]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def correlations(self, D: Floats) -> Floats:
        """The correlation of each hypothesis under D."""
        exact = _fixed_point(D)
        return self._summed(lambda sides, here: exact[here] @ sides)

    def gram(self, D: Floats) -> Floats:
        """The sum of D times the products of any two sides, (t, t)."""
        exact = _fixed_point(D)
        return self._summed(lambda sides, here: (sides * exact[here, None]).T @ sides)

    def _summed(self, product: Callable[[Floats, slice], Floats]) -> Floats:
        parts = (product(sides, here) for here, sides in self._parts())
        total = next(parts)
        for part in parts:
            total = total + part
        return total

    def _parts(self) -> Iterable[tuple[slice, Floats]]:
        return self._kept if self.sides.size <= _KEPT else self._made()

    @cached_property
    def _kept(self) -> list[tuple[slice, Floats]]:
        return list(self._made())

    def _made(self) -> Iterator[tuple[slice, Floats]]:
        for first in range(0, len(self.share), _AT_ONCE):
            here = slice(first, first + _AT_ONCE)
            yield here, self.sides[here].astype(np.float64)


def _fixed_point(x: Floats) -> Floats:
    """x rounded to multiples of a power of two whose sum is below 2^52, so that sums are exact."""
    total = float(np.abs(x).sum())
    if total == 0:
        return x
    unit = ldexp(1.0, max(frexp(total)[1] - 51, -1074))
    rounded: Floats = np.rint(x / unit) * unit
    return rounded
