"""The threshold rule as an estimator: its whole error curve, and the best rule on it."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ...base.numeric.fixed_point import units
from ...base.sample import Rows, Sample
from ...base.types import Bools, Floats
from ...intake import parameters
from ...learners.threshold import ErrorCurve, curve_of, nu_in
from ...prediction import simple
from ...uncertainty.conformal import two_sided
from .base import Facts, LineClassifier

__all__ = ["ThresholdClassifier"]


@parameters.declared
class ThresholdClassifier(LineClassifier):
    """The best rule ``x >= threshold`` on one number: the simplest learner there is.

    The rule predicts ``classes_[1]`` where x >= threshold_ and ``classes_[0]`` elsewhere; it has
    no other direction. Among several columns the one of least training error is used, the first
    on ties. A lone class counts as the upper one where it is a number above 0.

    Guarantee: no threshold has a smaller weighted training error; its true error is that of
    empirical risk minimisation over a class of VC dimension 1.

    Attributes
    ----------
    error_curve_ : list of dict
        One entry an interval of thresholds that label the training data alike, from left to
        right: ``v_above < threshold <= v_at_most`` (None: unbounded) with its weighted ``error``
        (weights normalised to sum 1) and, where weights are absent or whole numbers, the number
        ``errors`` of mistakes.
    optimal_intervals_ : list of list
        The intervals ``[v_above, v_at_most]`` of least error.
    threshold_ : float
        The middle of the leftmost optimal interval; one unit outside the data if unbounded.
    error_ : float
        The least weighted training error.
    feature_ : int
        The column in use.
    classes_ : ndarray
        The labels, sorted.

    Examples
    --------
    >>> from weaklearn.estimators.simple.threshold import ThresholdClassifier
    >>> X = [[1.2], [2.8], [3.3], [5.0], [5.6], [6.1]]
    >>> model = ThresholdClassifier().fit(X, ["no", "no", "no", "no", "yes", "yes"])
    >>> model.threshold_, model.optimal_intervals_
    (5.3, [[5.0, 5.6]])
    >>> [row["errors"] for row in model.error_curve_]
    [4, 3, 2, 1, 0, 1, 2]

    References
    ----------
    Schapire and Freund, Boosting: Foundations and Algorithms, section 2.1.1.
    """

    _rule = "a threshold rule"

    @property
    def error_curve_(self) -> list[dict[str, Any]]:
        """The error of every threshold, interval by interval."""
        check_is_fitted(self)
        curve: ErrorCurve = self._curve
        return curve.rows

    def _learn(self, sample: Sample, positive: Bools) -> Facts:
        w = units(sample.weights, len(sample))
        counted = sample.importance is None
        columns = (sample.column(j) for j in range(sample.cells.n_features))
        curves = [curve_of(x, positive, w, counted) for x in columns]
        feature = _first_of_the_best(curves)
        return {"feature_": feature, **self._described(curves[feature])}

    def _described(self, curve: ErrorCurve) -> Facts:
        ends = curve.optimal_intervals.astype(object)
        ends[~np.isfinite(curve.optimal_intervals)] = None
        return {
            "_curve": curve,
            "optimal_intervals_": ends.tolist(),
            "threshold_": curve.nu,
            "error_": curve.best,
        }

    _upper = simple.above_threshold

    def _label_scores(self, X: Any) -> Floats:
        if len(self.classes_) == 1:
            return super()._label_scores(X)
        return two_sided(self._rows(X).column(self.feature_) - self.threshold_)

    def _kappa(self, d: int) -> int | None:
        return 2

    def _keep(self, rows: Rows, positive: Bools) -> list[int]:
        """The examples around the threshold; a lone one, above it or below, tells by its label."""
        x = rows.column(self.feature_)
        above, at_most = self.optimal_intervals_[0]
        if above is None:
            return [self._value_row(x, at_most, positive)]
        if at_most is None:
            return [self._value_row(x, above, ~positive)]
        return [self._value_row(x, above), self._value_row(x, at_most)]

    def _rebuild(self, rows: Any, positive: Bools) -> Facts:
        x = (rows.column(self.feature_) + 0.0).tolist()
        if len(x) == 1:
            x = [-np.inf, *x] if positive[0] else [*x, np.inf]
        return {"threshold_": nu_in(*x)}


def _first_of_the_best(curves: list[ErrorCurve]) -> int:
    errors = np.array([curve.best for curve in curves])
    return int(np.flatnonzero(errors - errors.min() <= 1e-12)[0])
