"""The threshold rule as an estimator: its whole error curve, and the best rule on it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from weaklearn.base.notice import warn
from weaklearn.learners.threshold import ErrorCurve, error_curve

__all__ = ["ThresholdClassifier"]

Array = NDArray[Any]


class ThresholdClassifier(ClassifierMixin, BaseEstimator):
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
    >>> from weaklearn.estimators.threshold import ThresholdClassifier
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

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> ThresholdClassifier:
        """Find the threshold of least weighted error on rows X with labels y."""
        table, labels = validate_data(self, X, y, dtype=np.float64, ensure_all_finite=False)
        _check_finite(self, table)
        weights = _check_weights(sample_weight, len(table))
        if weights is not None:
            kept = weights > 0
            table, labels, weights = table[kept], labels[kept], weights[kept]
        classes, signs = _encode(labels)
        curves = [error_curve(x, signs, weights) for x in table.T]
        feature = _first_of_the_best(curves)
        self.classes_ = classes
        self.feature_ = feature
        self._describe(curves[feature])
        return self

    def _describe(self, curve: ErrorCurve) -> None:
        self.error_curve_ = _rows(curve)
        self.optimal_intervals_ = [
            [row["v_above"], row["v_at_most"]]
            for row in map(self.error_curve_.__getitem__, curve.optimal)
        ]
        self.threshold_ = curve.nu
        self.error_ = curve.best

    def predict(self, X: ArrayLike) -> Array:
        """The labels of rows X: the upper class where x >= threshold_."""
        check_is_fitted(self)
        table = validate_data(
            self, X, reset=False, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=0
        )
        _check_finite(self, table)
        upper = table[:, self.feature_] >= self.threshold_
        if len(self.classes_) == 1:
            upper = np.zeros(len(table), dtype=bool)
        return np.asarray(self.classes_[upper.astype(int)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True  # one direction only, on one column
        return tags


def _check_finite(estimator: BaseEstimator, X: Array) -> None:
    """Refuse what has no place on the line, naming the cell."""
    strange = ~np.isfinite(X)
    if not strange.any():
        return
    row, j = (int(place) for place in np.argwhere(strange)[0])
    names = getattr(estimator, "feature_names_in_", None)
    where = f"row {row}, column {j if names is None else repr(names[j])}"
    if np.isnan(X[row, j]):
        raise ValueError(
            f"Input X contains NaN: {where} is missing, and a threshold rule needs a number there; "
            "fill it in, or use DecisionStumpClassifier, which gives missing values a label."
        )
    raise ValueError(
        f"Input X contains infinity or a value too large for float64: {where} holds "
        f"{X[row, j]}; pass a finite number there."
    )


def _check_weights(sample_weight: ArrayLike | None, m: int) -> NDArray[np.float64] | None:
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (m,):
        raise ValueError(
            f"sample_weight must hold one number a row, {m} in all, got shape {weights.shape}."
        )
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(bad):
        raise ValueError(
            f"sample_weight must be finite and non-negative, got {weights[bad[0]]} in row {bad[0]}."
        )
    if not weights.any():
        raise ValueError("sample_weight must have a positive sum, got only zero weights.")
    return weights


def _encode(y: Array) -> tuple[Array, NDArray[np.int64]]:
    """The sorted classes, and -1 for the first and +1 for the second."""
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) > 2:
        raise ValueError(
            "Only binary classification is supported. "
            f"The type of the target is {type_of_target(y)}."
        )
    if len(classes) == 1:
        warn(f"y holds one class, {classes[0]!r}: it will be predicted everywhere.")
        number = classes.dtype.kind in "biuf" and classes[0] > 0
        codes = np.full(len(y), int(number))
    return classes, 2 * codes.astype(np.int64) - 1


def _first_of_the_best(curves: list[ErrorCurve]) -> int:
    errors = np.array([curve.best for curve in curves])
    return int(np.flatnonzero(errors - errors.min() <= 1e-12)[0])


def _end(v: float) -> float | None:
    return float(v) if np.isfinite(v) else None


def _rows(curve: ErrorCurve) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {"v_above": _end(above), "v_at_most": _end(at_most), "error": float(error)}
        for above, at_most, error in zip(*curve[:3], strict=True)
    ]
    if curve.errors is not None:
        for row, errors in zip(rows, curve.errors.tolist(), strict=True):
            row["errors"] = errors
    return rows
