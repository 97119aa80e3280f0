"""The distribution D_t over examples and labels."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .numeric.total import total
from .types import Floats

if TYPE_CHECKING:
    from .sample import Sample
    from .trees.label_tree import LabelHypothesis

Blocks = NDArray[np.int32]


class LabelErrors(NamedTuple):
    """Counts of errors on the examples, frequency weights included, and the smallest margin.

    ``labels`` is the number of pairs (example, label) whose score has the wrong sign or is 0.
    ``rows`` is the number of misclassified examples: with one label each, those where another
    label scores higher (or as high, and comes before it), else those with some label wrong.
    ``least`` is the smallest margin, not normalised.
    """

    labels: int
    rows: int
    least: float


@dataclass(frozen=True, slots=True)
class Parted:
    """The block of every example under a hypothesis, and the hypothesis's answers per block.

    ``plus`` and ``minus`` are the weights in every block by label, of the examples that have the
    label and of those that have not. With ``by_row`` every example is a block of its own, its
    weights are those of one copy, and ``copies`` counts them where there are several.
    """

    blocks: Blocks  # of every example
    answers: Floats  # (blocks, labels)
    plus: Floats
    minus: Floats
    by_row: bool = False
    copies: NDArray[np.int64] | None = None

    @classmethod
    def of_rows(
        cls, D: LabelDistribution, blocks: Blocks, answers: Floats, copies: NDArray[np.int64] | None
    ) -> Parted:
        """The partition in which every example is a block of its own."""
        each: Floats = D.signed_of_one
        return cls(blocks, answers, np.maximum(each, 0), np.maximum(-each, 0), True, copies)

    def total(self, values: Floats) -> float:
        """The sum of numbers of all blocks and labels, in whatever order."""
        if not self.by_row:
            return fsum(values.ravel().tolist())
        if self.copies is None:
            return total(values.ravel())
        wide = values.reshape(-1, len(self.copies), self.answers.shape[1])
        return total(wide.ravel(), np.tile(np.repeat(self.copies, wide.shape[2]), len(wide)))


class LabelDistribution:
    """Weights over examples and labels with sum 1.

    Over labels (AdaBoost.MH) an example i and a label l weigh in proportion to
    D_1(i) exp(-Y_il F_il). Over pairs (AdaBoost.MR) a label l1 of the example and one l0 that is
    none weigh in proportion to D_1(i) exp((F_i,l0 - F_i,l1)/2), over the number of such pairs; what
    stands for a label then is half the weight of the pairs it is in.

    A distribution moves on in place: after ``reweight`` the old object may no longer be used.
    """

    __slots__ = ("_found", "_threads", "_version", "weights")

    def __init__(self, weights: Any, threads: int = 1) -> None:
        self.weights = weights
        self._threads = threads
        self._version = weights.version
        self._found: tuple[Any, Parted] | None = None

    def _current(self) -> Any:
        if self.weights.version != self._version:
            raise RuntimeError("this distribution has moved on: use the one that reweight returned")
        return self.weights

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def n_labels(self) -> int:
        return int(self.weights.n_labels)

    @property
    def array(self) -> Floats:
        """The distribution as an array, (examples, labels); the copies of a row are added up."""
        return np.abs(self.signed)

    @property
    def signed(self) -> Floats:
        """The same, negative for the labels that an example does not have."""
        shares: Floats = self._current().signed_shares()
        return shares

    @property
    def signed_of_one(self) -> Floats:
        """The same of one copy of every row."""
        shares: Floats = self._current().signed_shares(of_one=True)
        return shares

    @property
    def scores(self) -> Floats:
        """F of the examples, (examples, labels)."""
        found: Floats = self._current().scores()
        return found

    def sums(self, blocks: Blocks, n_blocks: int) -> tuple[Floats, Floats]:
        """The weights W+ and W- of every block and label, (blocks, labels) each."""
        found: tuple[Floats, Floats] = self._current().sums(blocks, n_blocks)
        return found

    def found(self, h: LabelHypothesis, parted: Parted) -> None:
        """Caches the partition that a search under this distribution computed for its result."""
        self._found = (h, parted)

    def parted(self, h: LabelHypothesis, sample: Sample) -> Parted:
        """The partition of the sample by h: cached by the search that found h, or computed."""
        if self._found is not None and self._found[0] is h:
            return self._found[1]
        blocks, answers = h.parts(sample)
        if h.by_row:
            return Parted.of_rows(self, blocks, answers, sample.copies)
        return Parted(blocks, answers, *self.sums(blocks, len(answers)))

    def reweight(
        self, blocks: Blocks, step: Floats, guess: float
    ) -> tuple[LabelDistribution, float]:
        """The distribution after F_i gained the step of its block, and the normaliser Z.

        ``guess`` is an estimate of Z.
        """
        step = np.ascontiguousarray(step)
        Z = self._current().reweight(blocks, step, guess, self._threads)
        return LabelDistribution(self.weights, self._threads), float(Z)

    def errors(self) -> LabelErrors:
        """The errors of the scores so far."""
        return LabelErrors(*self._current().vote_errors())

    def rank_loss(self) -> float:
        """The share of pairs, under D_1, in which the other label scores as high or higher."""
        return float(self._current().rank_loss())
