"""Any scikit-learn classifier as a weak learner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from ..base.hypothesis import Hypothesis, WeakLearner
from ..base.messages.value_text import show
from ..base.sample import Distribution, Rows, Sample, take_rows


def weight_argument(estimator: Any) -> str | None:
    """The name of the fit argument for sample weights; None where fit takes none."""
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        inner = weight_argument(last)
        return None if inner is None else f"{name}__{inner}"
    return "sample_weight" if has_fit_parameter(estimator, "sample_weight") else None


@dataclass(frozen=True)
class ForeignHypothesis(Hypothesis):
    """A fitted scikit-learn classifier; its predictions are mapped to our labels."""

    estimator: Any
    classes: NDArray[Any]

    @property
    def constant(self) -> bool:
        """Whether it is the dummy for a training set of one class."""
        return isinstance(self.estimator, DummyClassifier)

    @property
    def wrapped(self) -> Any:
        return self.estimator

    def importances(self, n_features: int) -> NDArray[np.float64] | None:
        return np.zeros(n_features) if self.constant else importances_of(self.estimator)

    def __call__(self, rows: Rows) -> NDArray[np.int64]:
        codes = self._codes(rows)
        if len(self.classes) > 2:
            return codes
        return 2 * codes - 1 if len(self.classes) == 2 else codes + 1

    def shares(self, rows: Rows, n_classes: int) -> NDArray[np.float64]:
        """The probability of each class; without ``predict_proba`` 1 for the predicted class."""
        K = len(self.classes)
        if len(rows) == 0 or not hasattr(self.estimator, "predict_proba"):
            return np.asarray(np.eye(K)[self._codes(rows)], np.float64)
        name, known = type(self.estimator).__name__, np.asarray(self.estimator.classes_)
        proba = np.asarray(self.estimator.predict_proba(rows.raw), np.float64)
        if proba.shape != (len(rows), len(known)):
            raise ValueError(
                f"{name} gave probabilities of shape {proba.shape} for {len(rows)} rows and "
                f"{len(known)} classes; boosting needs one for each row and class."
            )
        strange = ~((proba >= 0) & (proba <= 1)).all(axis=1)
        if strange.any():
            row = int(np.argmax(strange))
            raise ValueError(
                f"{name} gave the probabilities {proba[row].tolist()[:10]} in row {row}; they must "
                "be numbers from 0 to 1."
            )
        place = {label: k for k, label in enumerate(self.classes.tolist())}
        shares = np.zeros((len(rows), K))
        shares[:, [place[label] for label in known.tolist()]] = proba
        return shares

    def _codes(self, rows: Rows) -> NDArray[np.int64]:
        """Class numbers of the predictions, each of which must be a class."""
        if len(rows) == 0:  # which many estimators refuse
            return np.zeros(0, np.int64)
        name, classes = type(self.estimator).__name__, self.classes
        predictions = np.asarray(self.estimator.predict(rows.raw))
        if predictions.shape != (len(rows),):
            raise ValueError(
                f"{name} predicted an array of shape {predictions.shape} for {len(rows)} rows; "
                "boosting needs one label a row."
            )
        try:
            codes = np.clip(np.searchsorted(classes, predictions), 0, len(classes) - 1)
            strange = np.flatnonzero(classes[codes] != predictions)
        except TypeError:  # labels that cannot be ordered
            known = classes.tolist()
            strange = np.flatnonzero([label not in known for label in predictions.tolist()])
        if len(strange):
            raise ValueError(
                f"{name} predicted {show(predictions[strange[0]])} in row {strange[0]}, which is "
                f"not among the classes {classes.tolist()[:10]}; boosting needs a classifier."
            )
        return codes


@dataclass(frozen=True)
class ForeignLearner(WeakLearner):
    """Clones an estimator for every round and fits it with D as weights on the user's own X."""

    estimator: Any
    seed: int = 0

    @property
    def title(self) -> str:
        return type(self.estimator).__name__

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
            estimator = taught(fresh(self.estimator, self.seed, key), sample, X, labels, weights)
        return ForeignHypothesis(estimator, np.asarray(sample.classes))


def importances_of(estimator: Any) -> NDArray[np.float64] | None:
    """The ``feature_importances_`` of a fitted estimator; None where it has none."""
    found = getattr(estimator, "feature_importances_", None)
    return None if found is None else np.asarray(found)


def taught(
    estimator: Any, sample: Sample, X: Any, target: NDArray[Any], weights: Any = None
) -> Any:
    """The estimator after its fit; a ValueError gets an explanation."""
    named = {} if weights is None else {str(weight_argument(estimator)): weights}
    # The weights go to the last step of a pipeline, whatever its steps have requested.
    try:
        with config_context(enable_metadata_routing=False):
            estimator.fit(X, target, **named)  # what it returns is anybody's guess
    except ValueError as error:
        raise explained(error, estimator, sample) from error
    return estimator


def explained(error: ValueError, estimator: Any, sample: Sample) -> ValueError:
    """The estimator's error with a hint at the first value of X that may be its cause, if any."""
    obstacle = _obstacle(sample)
    if obstacle is None:
        return error
    name = type(estimator).__name__
    return ValueError(
        f"{name} could not learn from X, in which {obstacle}; convert X first, or leave estimator "
        f"at its default, which takes X as it is. {name} says: {error}"
    )


def _obstacle(sample: Sample) -> str | None:
    """The first missing value or category in X, which third-party estimators may refuse; None:
    none.
    """
    cells = sample.cells
    names: Any = getattr(sample.raw, "columns", None)
    row, j = None, None
    if cells.sparse is not None:
        entries = cells.sparse.tocsc().tocoo()
        missing = np.flatnonzero(np.isnan(entries.data))
        if len(missing):
            row, j = int(entries.row[missing[0]]), int(entries.col[missing[0]])
    else:
        for k in range(cells.n_features):
            column = sample.column(k)
            if column.dtype.kind == "i":
                j = k
                break
            if np.isnan(column).any():
                row, j = int(np.argmax(np.isnan(column))), k
                break
    if j is None:
        return None
    named = hasattr(names, "__getitem__") and len(names) == cells.n_features
    place = f"column {names[j]!r}" if named else f"column {j}"
    return f"{place} holds categories" if row is None else f"row {row}, {place} is missing"


def labels_of(sample: Sample, z: NDArray[Any]) -> NDArray[Any]:
    """The user's labels of encoded targets."""
    classes = np.asarray(sample.classes)
    if len(classes) == 1:
        return np.repeat(classes, len(z))
    codes = (z > 0).astype(np.intp) if sample.binary else z
    return np.asarray(classes[codes])


def fresh(estimator: Any, seed: int, key: int) -> Any:
    """An unfitted copy with random states of its own."""
    return seeded(copied(estimator), seed, key)


def copied(estimator: Any) -> Any:
    """An unfitted copy with the same random states."""
    return clone(estimator)


def seeded(estimator: Any, seed: int, key: int) -> Any:
    """Sets every random_state inside an estimator from (seed, key), as scikit-learn does."""
    names = sorted(
        name
        for name in estimator.get_params(deep=True)
        if name == "random_state" or name.endswith("__random_state")
    )
    draws = np.random.default_rng([seed, key]).integers(0, 2**31 - 1, size=len(names))
    return estimator.set_params(**{n: int(v) for n, v in zip(names, draws, strict=True)})
