"""The preconditions of an alternating tree, their weights, and the search for the best of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base import FormError, Oracle, Sample
from ...base.numeric.total import total
from ...base.trees.splitter import ConditionSearch, Place
from ...base.trees.tree import Tree
from ...base.types import Floats
from ..adaboost import TIED

RowNumbers = NDArray[np.int32]
Found = tuple[Tree, float]  # a test, and 2 sum sqrt(W+ W-) of its outcomes as a share of the weight


@dataclass(frozen=True, slots=True, eq=False)
class Precondition:
    """A conjunction of tests: the rows where it holds, and the place of its next splitter.

    ``rows`` has the rows of the second class first. ``found`` is the best base condition under the
    weights that these rows have now, None where it has to be looked for.
    """

    rows: RowNumbers
    way: Tree | None = None
    leaf: int = 0
    after: Place | None = None
    depth: int = 0
    found: Found | None = None

    @property
    def parted(self) -> bool:
        """Whether a test was found that parts the rows."""
        return self.found is not None and len(self.found[0]) > 1

    def gain(self, held: float) -> float:
        """The decrease of Z by the best test found here, where so much weight is here.

        Where no test parts the rows, the one above them gains as much: 0 does no harm.
        """
        return held * (1 - self.found[1]) if self.found is not None and self.parted else 0.0


class Masses:
    """The weights w = exp(-y F), 1 per example at the start, as multiples of one unit.

    Of weights that are not repetitions the mean is 1 at the start. ``w`` is of one copy.
    """

    def __init__(self, sample: Sample, yF: Floats) -> None:
        self.w = sample.engine.weights.exponentials(-yF)
        if sample.importance is not None:
            self.w *= sample.importance * (len(sample) / total(sample.importance))
        bits = 62 - sample.m.bit_length()  # no sum of m such numbers leaves 62 bits
        shift = bits - int(np.frexp(self.w.max())[1])
        copies = 1 if sample.copies is None else sample.copies
        self._units = np.rint(np.ldexp(self.w, shift)).astype(np.int64) * copies
        self._y = sample.y
        self._unit = float(np.ldexp(1.0, -shift))
        self.all = int(self._units.sum()) * self._unit

    def of(self, rows: RowNumbers) -> tuple[float, float]:
        """W+ and W- of rows, those of the second class first."""
        numbers = self._units.take(rows)
        n = len(rows) - int(np.searchsorted(self._y.take(rows)[::-1], 0))
        return int(numbers[:n].sum()) * self._unit, int(numbers[n:].sum()) * self._unit

    def by_outcome(
        self, rows: RowNumbers, outcome: NDArray[np.int8], n: int
    ) -> tuple[Floats, Floats]:
        """W+ and W- of the rows of each outcome."""
        pairs = np.array([self.of(rows[outcome == o]) for o in range(n)])
        return pairs[:, 0], pairs[:, 1]


def least_Z(
    sample: Sample, learn: Oracle, P: tuple[Precondition, ...], W: Masses, key: int
) -> tuple[list[Precondition], int | None]:
    """The preconditions with their best tests, and the index of the first of least Z; None: no
    test parts any of them.

    Those whose weights have not changed are known already.
    """
    known, held = list(P), [sum(W.of(c.rows)) for c in P]
    stale = [k for k, c in enumerate(P) if c.found is None and held[k] > 0]
    for k, found in zip(
        stale, _ask(sample, learn, [P[k].rows for k in stale], W, key), strict=True
    ):
        known[k] = replace(P[k], found=found)
    gains = list(map(Precondition.gain, known, held))
    least = max(gains) - TIED * W.all
    tied = (k for k, gain in enumerate(gains) if gain >= least and known[k].parted)
    return known, next(tied, None)


def _ask(sample: Sample, learn: Any, rows: list[RowNumbers], W: Masses, key: int) -> list[Found]:
    """The best base condition for each list of rows."""
    if rows and isinstance(learn, ConditionSearch):
        return learn.within(W.w, rows)
    return [_ask_alone(sample, learn, some, W, key) for some in rows]


def _ask_alone(sample: Sample, learn: Oracle, rows: RowNumbers, W: Masses, key: int) -> Found:
    """The same by a learner that searches one list of rows: weights are 0 elsewhere."""
    w = np.zeros(len(sample))
    w[rows] = W.w[rows] / W.w[rows].max()
    D = sample.engine.weights.distribution(len(sample), w, sample.copies, sample.y)
    h = learn(D, sample.y, key)
    tree = h.as_tree()
    if tree is None:
        raise FormError(
            f"ADTree was given a {type(h).__name__}, which is no tree; it hangs tests below one "
            "another, and needs trees of one test each, as ConditionLearner() finds them."
        )
    return tree, h.Z_criterion
