"""The threshold rule as an estimator: its whole error curve, and the best rule on it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ..base.sample import Rows
from ..engines import LocalEngine
from ..learners.threshold import ErrorCurve, error_curve
from .intake import Kind, Schema
from .origin import origin_of
from .saving import Saving
from .schema import NOUNS
from .setup import prepare
from .table import labeller

__all__ = ["ThresholdClassifier"]

Array = NDArray[Any]


class ThresholdClassifier(Saving, ClassifierMixin, BaseEstimator):
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

    def __init__(self) -> None:
        pass

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> ThresholdClassifier:
        """Find the threshold of least weighted error on rows X with labels y."""
        ready = prepare(
            X,
            y,
            sample_weight,
            engine=LocalEngine(),
            class_weight=None,
            name=type(self).__name__,
        )
        sample, classes = ready.sample, ready.classes
        _check_columns(ready.schema)
        _check_known(sample, ready.schema)
        if len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: y "
                f"holds {len(classes)} classes; pass two, or use DecisionStumpClassifier."
            )
        signs = sample.y
        if len(classes) == 1:
            upper = classes.dtype.kind in "biuf" and classes[0] > 0
            signs = np.full(len(sample), 1 if upper else -1)
        weights = sample.copies if sample.importance is None else sample.importance
        curves = [
            error_curve(sample.column(j), signs, weights) for j in range(ready.schema.n_features)
        ]
        self.__dict__.pop("feature_names_in_", None)
        if ready.schema.names is not None:
            self.feature_names_in_ = np.array(ready.schema.names, dtype=object)
        self.n_features_in_ = ready.schema.n_features
        self.classes_ = classes
        self.feature_ = _first_of_the_best(curves)
        self._schema = ready.schema
        self._describe(curves[self.feature_])
        self._origin = origin_of(sample)
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
        check_is_fitted(self, "threshold_")
        rows = Rows(self._schema.read(X), X, LocalEngine())
        _check_known(rows, self._schema)
        upper = rows.column(self.feature_) >= self.threshold_
        if len(self.classes_) == 1:
            upper = np.zeros(len(rows), dtype=bool)
        return np.asarray(self.classes_[upper.astype(int)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True  # one direction only, on one column
        return tags


def _check_columns(schema: Schema) -> None:
    """Refuse what is no number: text, dates, integers that float64 would round."""
    for j, column in schema.special.items():
        found = NOUNS[column.kind] + (" beyond 2**53" if column.kind is Kind.WIDE else "")
        raise ValueError(
            f"X, {labeller(schema.names)(j)} holds {found}, and a threshold rule needs numbers "
            "there; convert the column, or use DecisionStumpClassifier, which takes it as it is."
        )


def _check_known(rows: Rows, schema: Schema) -> None:
    """Refuse what has no place on the line, naming the cell."""
    for j in range(schema.n_features):
        gaps = np.flatnonzero(np.isnan(rows.column(j)))
        if len(gaps):
            raise ValueError(
                f"Input X contains NaN: row {gaps[0]}, {labeller(schema.names)(j)} is missing, and "
                "a threshold rule needs a number there; fill it in, or use "
                "DecisionStumpClassifier, which gives missing values a label."
            )


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
