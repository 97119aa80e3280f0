"""Any scikit-learn classifier as a weak learner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from ..base.hypothesis import Hypothesis, WeakLearner
from ..base.sample import take_rows

if TYPE_CHECKING:
    from ..base.distribution import Distribution
    from ..base.sample import Rows, Sample


def weight_argument(estimator: Any) -> str | None:
    """The name under which an estimator's fit takes weights; None where it takes none."""
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        inner = weight_argument(last)
        return None if inner is None else f"{name}__{inner}"
    return "sample_weight" if has_fit_parameter(estimator, "sample_weight") else None


@dataclass(frozen=True)
class ForeignHypothesis(Hypothesis):
    """A fitted scikit-learn estimator; its predictions are turned back into our labels."""

    estimator: Any
    classes: NDArray[Any]

    @property
    def constant(self) -> bool:
        """Whether it stands in for a learner that had one class only to learn from."""
        return isinstance(self.estimator, DummyClassifier)

    def __call__(self, rows: Rows) -> NDArray[np.int64]:
        predictions = np.asarray(self.estimator.predict(rows.raw))
        codes = np.clip(np.searchsorted(self.classes, predictions), 0, len(self.classes) - 1)
        if not np.array_equal(self.classes[codes], predictions):
            strange = predictions[self.classes[codes] != predictions][0]
            raise ValueError(
                f"{type(self.estimator).__name__} predicted {strange!r}, which is not among the "
                "classes; boosting needs a classifier."
            )
        if len(self.classes) > 2:
            return codes
        return 2 * codes - 1 if len(self.classes) == 2 else codes + 1


@dataclass(frozen=True)
class ForeignLearner(WeakLearner):
    """Clones an estimator for every round and fits it with D as weights on the user's own X."""

    estimator: Any
    seed: int = 0

    def bind(self, sample: Sample) -> Callable[..., ForeignHypothesis]:
        if weight_argument(self.estimator) is None:
            raise TypeError(
                f"{type(self.estimator).__name__} takes no sample weights: it must be resampled."
            )

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> ForeignHypothesis:
            return self.fit(sample, sample.raw, labels_of(sample, z), key, D.exact)

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
        return self.fit(sample, take_rows(sample.raw, drawn), labels_of(sample, z)[drawn], key)

    def fit(
        self,
        sample: Sample,
        X: Any,
        labels: NDArray[Any],
        key: int,
        weights: NDArray[np.float64] | None = None,
    ) -> ForeignHypothesis:
        """One clone fitted, its random states keyed by seed and round."""
        if (labels == labels[0]).all():  # many classifiers refuse a single class
            estimator = DummyClassifier(strategy="most_frequent").fit(X, labels)
        else:
            estimator = seeded(clone(self.estimator), self.seed, key)
            estimator.fit(X, labels, **({} if weights is None else _named(weights, estimator)))
        return ForeignHypothesis(estimator, np.asarray(sample.classes))


def _named(weights: NDArray[np.float64], estimator: Any) -> dict[str, Any]:
    """The weights under the name by which an estimator's fit takes them."""
    if isinstance(estimator, Pipeline) and get_config()["enable_metadata_routing"]:
        last = estimator
        while isinstance(last, Pipeline):
            last = last.steps[-1][1]
        last.set_fit_request(sample_weight=True)
        return {"sample_weight": weights}
    return {str(weight_argument(estimator)): weights}


def labels_of(sample: Sample, z: NDArray[Any]) -> NDArray[Any]:
    """The user's own labels for targets in our coding."""
    classes = np.asarray(sample.classes)
    if len(classes) == 1:
        return np.repeat(classes, len(z))
    return classes[(z > 0).astype(np.intp) if sample.binary else z]


def seeded(estimator: Any, seed: int, key: int) -> Any:
    """Sets every random_state inside an estimator from (seed, key), as scikit-learn's ensembles do."""
    names = sorted(
        name
        for name in estimator.get_params(deep=True)
        if name == "random_state" or name.endswith("__random_state")
    )
    draws = np.random.default_rng([seed, key]).integers(0, 2**31 - 1, size=len(names))
    return estimator.set_params(**{n: int(v) for n, v in zip(names, draws, strict=True)})
