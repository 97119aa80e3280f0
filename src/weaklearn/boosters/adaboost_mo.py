"""AdaBoost.MO: many classes by the bits of a code."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.output_code import one_vs_all
from ..base.sample import Sample
from ..base.votes.label_scores import CodedScores
from .adaboost_mh import AdaBoostMH, LabelState

Word = tuple[int, ...]


@dataclass(frozen=True)
class AdaBoostMO(AdaBoostMH):
    """A code Omega gives every class a word of s bits -1 and +1; AdaBoost.MH learns the bits.

    Example i has the labels Y_ij = Omega(y_i, j); a bit of 0 says nothing of a class, and its
    examples have no weight there. From the scores F(x, j) of the bits a class is found by

        hamming   the fewest bits j with sign F(x, j) != Omega(l, j), where a 0 counts half
        loss      the least sum of exp(-Omega(l, j) F(x, j))

    and the smallest class on ties. ``code`` are the words of all classes; None stands for one bit
    a class.

    **Guarantee.** With rho the least number of bits in which two words differ, the training error
    is at most (s/rho) prod Z_t when decoded by loss, and (2s/rho) prod Z_t by Hamming distance; for
    codes without zeros.

    Reference: Schapire and Singer (1999), Machine Learning 37; Allwein, Schapire and Singer (2000),
    JMLR 1.
    """

    code: tuple[Word, ...] | None = None
    decoding: str = "loss"

    def words(self, sample: Sample) -> NDArray[np.int8]:
        """Omega, (classes, bits)."""
        return one_vs_all(sample.n_classes) if self.code is None else np.array(self.code, np.int8)

    def _signs(self, sample: Sample) -> NDArray[np.int8]:
        return self.words(sample)[sample.codes]

    def _one_label(self, sample: Sample) -> bool:
        return False

    def _no_votes(self, sample: Sample) -> CodedScores:
        return CodedScores(self.words(sample), self.decoding)

    def _metrics(self, sample: Sample, state: LabelState) -> dict[str, float]:
        """The Hamming loss of the bits."""
        wrong = int(state.D.errors().labels)
        counted = np.count_nonzero(self._signs(sample), axis=1)
        bits = counted.sum() if sample.copies is None else (counted * sample.copies).sum()
        everywhere = sample.engine.collective.sum(np.array([bits], np.int64))
        return {"hamming_loss": wrong / int(everywhere[0])}

    def _metrics_alone(self, sample: Sample) -> dict[str, float]:
        return {}
