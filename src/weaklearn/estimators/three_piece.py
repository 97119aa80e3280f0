"""ThreePieceClassifier: one label between two thresholds, the other outside."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.sample import Rows, Sample
from ..base.units import units
from ..learners.line import Line, ThreePiece, best_pieces, pieces_between
from . import parameters
from .plain import Facts, Flags, LineClassifier, best_column


@parameters.declared
class ThreePieceClassifier(LineClassifier):
    """One class on [t1, t2] of one number, the other below and above.

    The thresholds lie half way between values, and at infinity where a piece would have no example:
    stumps and constant rules are among these rules. Among several columns the one of least training
    error is used; ties go to the first column, then to the lowest t1, the lowest t2, and to
    ``classes_[1]`` outside.

    Guarantee: no rule of three pieces on one column has a smaller weighted training error. Where
    one errs on no example, the best stump has an error of at most 1/3 under every distribution over
    the examples: boosted stumps learn what this class can say.

    Attributes
    ----------
    thresholds_ : tuple of two floats
        t1 and t2.
    polarity_ : int
        +1 where ``classes_[1]`` is the class outside, -1 where it is the one between.
    error_ : float
        The weighted training error.
    feature_, classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import ThreePieceClassifier
    >>> model = ThreePieceClassifier().fit([[1], [2], [3], [4], [5]], [1, 1, 0, 0, 1])
    >>> model.thresholds_, model.polarity_, model.error_
    ((2.5, 4.5), 1, 0.0)

    References
    ----------
    Shalev-Shwartz and Ben-David, Understanding Machine Learning, Example 10.1.
    """

    _rule = "a rule of three pieces"

    def _learn(self, sample: Sample, positive: Flags) -> Facts:
        w = units(sample.weights, len(sample))
        lines = [Line.of(sample.column(j), positive, w) for j in range(sample.cells.n_features)]
        found = [best_pieces(line) for line in lines]
        feature = best_column([wrong for wrong, *_ in found], int(w.sum()))
        _, i, j, b = found[feature]
        ends = lines[feature].ends(np.array([[i, j]]))[0]
        return {"feature_": feature, "thresholds_": pieces_between(ends), "polarity_": b}

    def _upper(self, rows: Rows) -> Flags:
        t1, t2 = self.thresholds_
        return ThreePiece(t1, t2, self.polarity_).holds(rows.column(self.feature_))

    def _kappa(self, d: int) -> int | None:
        return 4

    def _choices(self, d: int) -> int:
        return 2 * d  # polarities too

    def _keep(self, rows: Rows, positive: Flags) -> list[int]:
        """The examples around the two thresholds."""
        x = rows.column(self.feature_)
        u = np.unique(x)
        t1, t2 = self.thresholds_
        first, stop = np.searchsorted(u, t1), np.searchsorted(u, t2, side="right")
        around = u[[max(first - 1, 0), first, stop - 1, min(stop, len(u) - 1)]]
        return [self._value_row(x, v) for v in around.tolist()]

    def _rebuild(self, rows: Any, positive: Flags) -> Facts:
        return {"thresholds_": pieces_between(rows.column(self.feature_))}
