"""Any scikit-learn regressor as a weak learner of numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form, Hypothesis, WeakLearner
from ..base.sample import take_rows
from .foreign import fresh, importances_of, taught

if TYPE_CHECKING:
    from ..base.sample import Distribution, Rows, Sample


@dataclass(frozen=True)
class RegressorHypothesis(Hypothesis):
    """A fitted scikit-learn regressor; ``reach`` is its largest |answer| in training."""

    estimator: Any
    reach: float = 1.0

    form = Form.NUMBERS

    @property
    def wrapped(self) -> Any:
        return self.estimator

    def importances(self, n_features: int) -> NDArray[np.float64] | None:
        return importances_of(self.estimator)

    def __call__(self, rows: Rows) -> NDArray[np.float64]:
        if len(rows) == 0:
            return np.zeros(0)
        answers = self.estimator.predict(_array(rows.raw))
        return _numbers(type(self.estimator).__name__, answers, len(rows))


def _array(X: Any) -> Any:
    """X unchanged; a plain list of rows as an array."""
    rows = isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], (list, tuple))
    return np.asarray(X) if rows else X


def _numbers(name: str, answers: Any, n_rows: int) -> NDArray[np.float64]:
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
