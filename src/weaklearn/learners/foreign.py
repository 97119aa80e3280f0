"""Any scikit-learn classifier or regressor as a weak learner."""

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

from ..base.hypothesis import Form, Hypothesis, WeakLearner
from ..base.messages.value_text import show
from ..base.rows import Rows
from ..base.sample import Distribution, Sample, take_rows
from ..base.types import Floats


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
class CloningLearner(WeakLearner):
    """Clones an estimator for every round and fits it on the user's own X."""

    estimator: Any
    seed: int = 0

    @property
    def title(self) -> str:
        return type(self.estimator).__name__

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
        return self.fit(sample, take_rows(sample.raw, drawn), z[drawn], key)

    def fit(
        self, sample: Sample, X: Any, z: NDArray[Any], key: int, weights: Any = None
    ) -> Hypothesis:
        """One clone fitted, its random states keyed by seed and round."""
        raise NotImplementedError


class ForeignLearner(CloningLearner):
    """Clones a classifier for every round and fits it with D as weights."""

    def bind(self, sample: Sample) -> Callable[..., ForeignHypothesis]:
        if weight_argument(self.estimator) is None:
            raise TypeError(
                f"{type(self.estimator).__name__} takes no sample weights: it must be resampled."
            )

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> ForeignHypothesis:
            return self.fit(sample, sample.raw, z, key, D.exact)

        return learn

    def fit(
        self, sample: Sample, X: Any, z: NDArray[Any], key: int, weights: Any = None
    ) -> ForeignHypothesis:
        labels = labels_of(sample, z)
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


class RegressorLearner(CloningLearner):
    """Clones a regressor for every round and fits it to the target, with D as weights."""

    form = Form.NUMBERS

    def bind(self, sample: Sample) -> Callable[..., RegressorHypothesis]:
        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> RegressorHypothesis:
            weights: Any = D.exact
            if (weights == weights[0]).all():
                weights = None
            else:  # around 1, as weights commonly are; by a power of two, which loses no digit
                weights = weights * 2.0 ** len(weights).bit_length()
            return self.fit(sample, sample.raw, z, key, weights)

        return learn

    def fit(
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
