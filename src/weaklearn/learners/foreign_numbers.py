"""Scikit-learn's regressors, and whole classifiers, as hypotheses that answer with numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form, Hypothesis, WeakLearner
from ..base.sample import Distribution, Rows, Sample, take_rows
from ..base.types import Floats
from .foreign import copied, fresh, importances_of, labels_of, taught, weight_argument


@dataclass(frozen=True)
class ForeignNumbers(Hypothesis):
    """A fitted estimator that answers with numbers; ``reach`` is the largest in training."""

    estimator: Any
    reach: float = 1.0

    form = Form.NUMBERS

    @property
    def wrapped(self) -> Any:
        return self.estimator

    def importances(self, n_features: int) -> Floats | None:
        return importances_of(self.estimator)


class RegressorHypothesis(ForeignNumbers):
    """A fitted scikit-learn regressor."""

    def __call__(self, rows: Rows) -> Floats:
        if len(rows) == 0:
            return np.zeros(0)
        answers = self.estimator.predict(_array(rows.raw))
        return _numbers(type(self.estimator).__name__, answers, len(rows))


def _array(X: Any) -> Any:
    """X unchanged; a plain list of rows as an array."""
    rows = isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], (list, tuple))
    return np.asarray(X) if rows else X


def _numbers(name: str, answers: Any, n_rows: int) -> Floats:
    """One finite number per row; raises for anything else."""
    try:
        numbers = np.asarray(answers, np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"{name} predicted no numbers ({error}); boosting needs a regressor here."
        ) from error
    if numbers.shape == (n_rows, 1):
        numbers = numbers[:, 0]
    if numbers.shape != (n_rows,):
        raise ValueError(
            f"{name} predicted an array of shape {numbers.shape} for {n_rows} rows; boosting needs "
            "one number a row."
        )
    strange = ~np.isfinite(numbers)
    if strange.any():
        row = int(np.argmax(strange))
        raise ValueError(
            f"{name} predicted {numbers[row]} in row {row}; boosting needs finite numbers."
        )
    return numbers


@dataclass(frozen=True)
class RegressorLearner(WeakLearner):
    """Clones a regressor for every round and fits it to the target, with D as weights."""

    estimator: Any
    seed: int = 0

    form = Form.NUMBERS

    @property
    def title(self) -> str:
        return type(self.estimator).__name__

    def bind(self, sample: Sample) -> Callable[..., RegressorHypothesis]:
        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> RegressorHypothesis:
            weights: Any = D.exact
            if (weights == weights[0]).all():
                weights = None
            else:  # around 1, as weights commonly are; by a power of two, which loses no digit
                weights = weights * 2.0 ** len(weights).bit_length()
            return self._fit(sample, sample.raw, z, key, weights)

        return learn

    def train_on(
        self,
        sample: Sample,
        z: NDArray[Any],
        rows: NDArray[np.intp],
        copies: NDArray[np.int64],
        key: int,
    ) -> Hypothesis:
        """One clone fitted on drawn rows, each repeated as often as it was drawn."""
        drawn = np.repeat(rows, copies)
        return self._fit(sample, take_rows(sample.raw, drawn), z[drawn], key)

    def _fit(
        self, sample: Sample, X: Any, z: NDArray[Any], key: int, weights: Any = None
    ) -> RegressorHypothesis:
        estimator = taught(fresh(self.estimator, self.seed, key), sample, _array(X), z, weights)
        reached = np.abs(RegressorHypothesis(estimator)(sample)).max()
        return RegressorHypothesis(estimator, float(reached))


class Scores(ForeignNumbers):
    """A fitted binary classifier; it answers with its score, positive for the second class."""

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
