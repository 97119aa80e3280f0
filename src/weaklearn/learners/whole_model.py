"""A complete classifier as a single hypothesis that answers with its scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form, Hypothesis, WeakLearner
from ..base.sample import take_rows
from ..base.types import Floats
from .foreign import copied, importances_of, labels_of, taught, weight_argument

if TYPE_CHECKING:
    from ..base.sample import Distribution, Rows, Sample


@dataclass(frozen=True)
class Scores(Hypothesis):
    """A fitted binary classifier; it answers with its score, positive for the second class."""

    estimator: Any
    reach: float = 1.0

    form = Form.NUMBERS

    @property
    def wrapped(self) -> Any:
        return self.estimator

    def importances(self, n_features: int) -> Floats | None:
        return importances_of(self.estimator)

    def __call__(self, rows: Rows) -> Floats:
        if len(rows) == 0:  # which many estimators refuse
            return np.zeros(0)
        name = type(self.estimator).__name__
        if hasattr(self.estimator, "decision_function"):
            scores = np.asarray(self.estimator.decision_function(rows.raw), np.float64)
        else:
            probabilities = np.asarray(self.estimator.predict_proba(rows.raw), np.float64)
            scores = probabilities[:, -1] - 1 / 2
        if scores.shape != (len(rows),) or not np.isfinite(scores).all():
            raise ValueError(
                f"{name} answered {len(rows)} rows of two classes with scores of shape "
                f"{scores.shape} or without number; one finite score a row is needed."
            )
        return scores


@dataclass(frozen=True)
class WholeModelLearner(WeakLearner):
    """Fits a copy of a classifier with the weights of the sample, ignoring D."""

    estimator: Any

    form = Form.NUMBERS

    def bind(self, sample: Sample) -> Callable[..., Scores]:
        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> Scores:
            X, labels, weights = sample.raw, labels_of(sample, z), sample.weights
            if weights is not None and weight_argument(self.estimator) is None:
                rows = _repeated(sample, type(self.estimator).__name__)
                X, labels, weights = take_rows(X, rows), labels[rows], None
            fitted = taught(copied(self.estimator), sample, X, labels, weights)
            return Scores(fitted, float(np.abs(Scores(fitted)(sample)).max()))

        return learn


def _repeated(sample: Sample, name: str) -> NDArray[np.intp]:
    """Rows repeated by their frequency weights, for a classifier without sample weights."""
    if sample.importance is not None:
        raise ValueError(
            f"sample_weight cannot be used: {name} takes no weights, and these are not whole "
            "numbers, which would be repetitions of rows."
        )
    return np.repeat(np.arange(len(sample)), sample.copies if sample.copies is not None else 1)
