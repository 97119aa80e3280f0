"""Selection bias: the hypothesis that was chosen for its training error looks better than it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...base.messages.table import Table, Tabular
from .distribution import FiniteDistribution


@dataclass(frozen=True, repr=False)
class Sandwich(Tabular):
    """Three exact numbers in order, and how often each hypothesis is chosen."""

    expected_training: Fraction  # of the hypothesis chosen, on the sample that chose it
    best: Fraction  # the least true error of the class
    expected_true: Fraction  # of the hypothesis chosen
    chosen: tuple[Fraction, ...]

    @property
    def holds(self) -> bool:
        """Whether the three numbers are in the order of the theorem."""
        return self.expected_training <= self.best <= self.expected_true

    def table(self) -> Table:
        rows = [
            ("expected training error of the chosen", float(self.expected_training)),
            ("least true error in the class", float(self.best)),
            ("expected true error of the chosen", float(self.expected_true)),
        ]
        return Table("selection bias", ["", "value"], rows)


def erm_sandwich(distribution: Any, hypotheses: Sequence[Any], m: int) -> Sandwich:
    r"""The expected training and true errors of empirical risk minimisation, over all samples of
    size m.

    .. math:: E[\widehat{err}(\hat h)] \;\le\; err(h^*) \;\le\; E[err(\hat h)]

    Guarantee: for every distribution and class, where :math:`\hat h` is a hypothesis of least
    training error (here the first of equals) and :math:`h^*` one of least true error. The numbers
    are exact: every sample of m examples is gone through.

    Parameters
    ----------
    distribution : (X, y, p), a dict from (x, y) to p, or a FiniteDistribution
    hypotheses : sequence of functions of X, estimators with predict, or arrays of labels of X
    m : int
        Examples in a sample; few, for the number of samples grows fast.

    >>> D = {(0, 1): "1/4", (0, -1): "1/4", (1, 1): "1/4", (1, -1): "1/4"}  # labels are coin flips
    >>> def constant(label):
    ...     return lambda X: np.full(len(X), label)
    >>> found = erm_sandwich(D, [constant(-1), constant(1)], m=3)
    >>> found.expected_training, found.best, found.expected_true
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 2))

    Reference: Schapire and Freund, Boosting, Exercise 2-1.
    """
    table = FiniteDistribution.of(distribution)
    if not len(hypotheses):
        raise ValueError("hypotheses is empty: there is nothing to choose from.")
    if isinstance(m, bool) or not isinstance(m, (int, np.integer)) or m < 1:
        raise ValueError(f"m must be a whole number of at least 1, got {m!r}.")
    wrong = np.array([table.wrong(h) for h in hypotheses], dtype=np.int64)
    true = [table.error(h) for h in hypotheses]
    chosen = [Fraction(0)] * len(true)
    training = Fraction(0)
    for p, counts in table.samples(int(m)):
        mistakes = wrong @ counts
        j = int(np.argmin(mistakes))
        chosen[j] += p
        training += p * Fraction(int(mistakes[j]), int(m))
    expected = sum((share * e for share, e in zip(chosen, true)), Fraction(0))
    return Sandwich(training, min(true), expected, tuple(chosen))
