"""RectangleClassifier: the tightest axis-aligned rectangle around the positive examples."""

from __future__ import annotations

import numpy as np

from ...base.sample import Rows, Sample
from ...base.types import Bools
from ...intake import parameters
from ...prediction import simple
from .base import CompressedClassifier, Facts


@parameters.declared
class RectangleClassifier(CompressedClassifier):
    """``classes_[1]`` where every column lies within its range over the examples of that class.

    Without an example of it the rectangle is empty, with ``lower_`` above ``upper_``. The rule
    minimises no error: it is meant for labels that some rectangle explains, weights count only as
    being there or not, and one stray positive example widens it.

    Guarantee: if some rectangle errs on no example then this one does not, and it lies within every
    such one. At most 2d examples rebuild it, of d columns.

    Attributes
    ----------
    lower_, upper_ : ndarray of shape (d,)
        The ends of the rectangle, which belong to it.
    error_ : float
        The weighted training error.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import RectangleClassifier
    >>> X = [[0, 0], [1, 2], [2, 1], [3, 1], [1, 5]]
    >>> model = RectangleClassifier().fit(X, ["no", "yes", "yes", "no", "no"])
    >>> model.lower_.tolist(), model.upper_.tolist(), model.error_
    ([1.0, 1.0], [2.0, 2.0], 0.0)
    >>> model.sample_size(eps=0.1, delta=0.05)
    256

    References
    ----------
    Schapire and Freund, Boosting: Foundations and Algorithms, Exercises 2-4 and 2-5.
    """

    _rule = "a rectangle"

    def _learn(self, sample: Sample, positive: Bools) -> Facts:
        inside = [sample.column(j)[positive] for j in range(sample.cells.n_features)]
        return {
            "lower_": np.array([x.min(initial=np.inf) for x in inside]) + 0.0,  # -0 is 0
            "upper_": np.array([x.max(initial=-np.inf) for x in inside]) + 0.0,
        }

    _upper = simple.in_rectangle

    def _kappa(self, d: int) -> int | None:
        return 2 * d

    def _keep(self, rows: Rows, positive: Bools) -> list[int]:
        """For every column a positive example that is least, and one that is greatest."""
        ups = np.flatnonzero(positive)
        if len(ups) == 0:
            return []
        inside = [rows.column(j)[ups] for j in range(rows.cells.n_features)]
        return [int(ups[i]) for x in inside for i in (np.argmin(x), np.argmax(x))]
