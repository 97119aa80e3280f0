"""Rules on one column: a threshold, a union of intervals, three pieces."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ...base.numeric.fixed_point import units
from ...base.rows import Rows
from ...base.sample import Sample
from ...base.types import Bools, Floats
from ...intake import parameters
from ...learners.intervals import (
    Line,
    best_blocks,
    best_pieces,
    halfway,
    intervals_of,
    pieces_between,
    wrong_of,
)
from ...learners.threshold import ErrorCurve, curve_of, nu_in
from ...prediction import simple
from ...uncertainty.conformity import two_sided
from .base import Facts, LineClassifier, OtherRows, best_column


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
    >>> from weaklearn import ThresholdClassifier
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


Ends = Literal["closed", "half-open"]


@parameters.declared
class IntervalUnionClassifier(LineClassifier):
    """``classes_[1]`` inside a few intervals of one number, and ``classes_[0]`` elsewhere.

    Without a limit every run of positive values is one interval, so that the rule errs only where
    equal values have both labels: these get the heavier one, and on a draw ``classes_[0]``. With
    ``n_max`` it is the best union of at most so many. Among several columns the one of least
    training error is used, the first on ties.

    Guarantee: no union of at most ``n_max`` intervals on one column has a smaller weighted training
    error. Such unions have VC dimension 2 ``n_max``, and two examples an interval rebuild one.

    Parameters
    ----------
    n_max : int, optional
        At most so many intervals; any number if None. Time grows with it.
    ends : {"closed", "half-open"}, default "closed"
        From the first to the last value of a run, both inside; or from half way to the value
        before, inside, to half way to the value after, outside, and without bound where there is
        no such value. Half-open unions keep four examples an interval.

    Attributes
    ----------
    intervals_ : ndarray of shape (n, 2)
        The ends, from left to right.
    error_ : float
        The weighted training error.
    feature_, classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import IntervalUnionClassifier
    >>> X, y = [[1], [2], [3], [4], [5]], [1, 1, 0, 1, 0]
    >>> IntervalUnionClassifier().fit(X, y).intervals_.tolist()
    [[1.0, 2.0], [4.0, 4.0]]
    >>> model = IntervalUnionClassifier(n_max=1, ends="half-open").fit(X, y)
    >>> model.intervals_.tolist(), model.error_
    ([[-inf, 2.5]], 0.2)

    References
    ----------
    Schapire and Freund, Boosting: Foundations and Algorithms, sections 2.1.1 and 2.2.3.
    """

    n_max: int | None = None
    ends: Ends = "closed"

    _rule = "a union of intervals"

    def _check_parameters(self) -> None:
        parameters.one_of("ends", self.ends, Ends)
        if self.n_max is not None:
            parameters.integer("n_max", self.n_max, 1, None, "None")

    def _learn(self, sample: Sample, positive: Bools) -> Facts:
        w = units(sample.weights, len(sample))
        n_max = None if self.n_max is None else int(self.n_max)
        lines = [Line.of(sample.column(j), positive, w) for j in range(sample.cells.n_features)]
        blocks = [best_blocks(line, n_max) for line in lines]
        wrong = [wrong_of(*pair) for pair in zip(lines, blocks, strict=True)]
        j = best_column(wrong, int(w.sum()))
        return {
            "feature_": j,
            "intervals_": intervals_of(lines[j], blocks[j], self.ends == "half-open"),
        }

    _upper = simple.in_intervals

    def _kappa(self, d: int) -> int | None:
        each = 2 if self.ends == "closed" else 4
        return None if self.n_max is None else each * int(self.n_max)

    def _keep(self, rows: Rows, positive: Bools) -> list[int]:
        """Of every interval first and last example, where half-open between those around it."""
        x, kept = rows.column(self.feature_), []
        if self.ends == "closed":
            return [self._value_row(x, v, positive) for v in self.intervals_.ravel().tolist()]
        u = np.unique(x)
        for low, high in self.intervals_.tolist():
            first, stop = np.searchsorted(u, low), np.searchsorted(u, high)
            if first >= stop:
                raise OtherRows(
                    f"X has no value from {low:g} to {high:g}, where the rule was learnt from one; "
                    "pass the rows of the fit."
                )
            around = u[[max(first - 1, 0), first, stop - 1, min(stop, len(u) - 1)]]
            kept += [self._value_row(x, v) for v in around.tolist()]
        return kept

    def _rebuild(self, rows: Any, positive: Bools) -> Facts:
        ends = rows.column(self.feature_) + 0.0
        if self.ends == "closed":
            return {"intervals_": ends.reshape(-1, 2)}
        return {"intervals_": halfway(ends.reshape(-1, 4))}


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

    def _learn(self, sample: Sample, positive: Bools) -> Facts:
        w = units(sample.weights, len(sample))
        lines = [Line.of(sample.column(j), positive, w) for j in range(sample.cells.n_features)]
        found = [best_pieces(line) for line in lines]
        feature = best_column([wrong for wrong, *_ in found], int(w.sum()))
        _, i, j, b = found[feature]
        ends = lines[feature].ends(np.array([[i, j]]))[0]
        return {"feature_": feature, "thresholds_": pieces_between(ends), "polarity_": b}

    _upper = simple.by_pieces

    def _kappa(self, d: int) -> int | None:
        return 4

    def _choices(self, d: int) -> int:
        return 2 * d  # polarities too

    def _keep(self, rows: Rows, positive: Bools) -> list[int]:
        """The examples around the two thresholds."""
        x = rows.column(self.feature_)
        u = np.unique(x)
        t1, t2 = self.thresholds_
        first, stop = np.searchsorted(u, t1), np.searchsorted(u, t2, side="right")
        around = u[[max(first - 1, 0), first, stop - 1, min(stop, len(u) - 1)]]
        return [self._value_row(x, v) for v in around.tolist()]

    def _rebuild(self, rows: Any, positive: Bools) -> Facts:
        return {"thresholds_": pieces_between(rows.column(self.feature_))}
