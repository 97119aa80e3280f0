"""ERMClassifier: the best of an explicit list of hypotheses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from math import log
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...base.certificate import Certificate
from ...base.messages.value_text import show
from ...base.numeric.fixed_point import units
from ...base.rows import Rows
from ...base.types import Array
from ...engines import on_threads
from ...intake import parameters
from ...intake.arrays import as_table
from ...intake.label_kind import score_of_labels
from ...intake.labels import codes_among
from ...intake.prepare import Reading, prepare
from ...production.provenance import after_fit
from ...production.row_sketch import row_keys
from ...theory import bounds
from ...theory.certificates.generalisation import STATEMENTS
from ...uncertainty.conformal import SetPrediction
from ...uncertainty.test_error import distinct_examples
from ..fit import column_names
from ..model import Model, in_one_step
from .base import best_column


@parameters.declared_in_order
class ERMClassifier(SetPrediction, ClassifierMixin, Model):
    """The hypothesis of least weighted training error, of a list that was fixed before.

    Hypotheses are functions that take X as it came and return a label for every row (``predict`` of
    a fitted model is one), or a matrix of labels, one row a hypothesis and one column for each row
    of X, in its order. Of equal errors the first is taken; errors within 1e-12 of the weight are
    equal. As it needs the list, scikit-learn's checks, which have none to give, do not apply.

    Guarantee: if the training errors of all N hypotheses are within e of their true errors then the
    true error of the one chosen is at most 2e above the least.

    Parameters
    ----------
    hypotheses : sequence of functions, or array of shape (N, m)
        A matrix knows the rows of the fit alone: ``predict`` takes these and no others. Model files
        hold a matrix; functions they refuse.

    Attributes
    ----------
    errors_ : ndarray of shape (N,)
        The weighted training error of each.
    best_index_ : int
        The one chosen, and ``error_`` its error.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn import ERMClassifier
    >>> X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 1]
    >>> rules = [lambda X, t=t: (X[:, 0] > t).astype(int) for t in (0.5, 1.5, 2.5)]
    >>> model = ERMClassifier(rules).fit(X, y)
    >>> model.errors_.tolist(), model.best_index_
    ([0.5, 0.25, 0.0], 2)
    >>> ERMClassifier([[1, 1, 1, 1], [0, 0, 0, 1]]).fit(X, y).errors_.tolist()
    [0.5, 0.25]

    References
    ----------
    Schapire and Freund, Boosting, section 2.2.2; Blum, Hopcroft and Kannan, Foundations of Data
    Science, section 6.2.4.
    """

    score = score_of_labels

    hypotheses: Any = field(default=None, kw_only=False)

    @property
    def _in_order(self) -> bool:
        """A matrix of labels goes by the order of the rows."""
        return not self._functions()

    def _functions(self) -> bool:
        given = self.hypotheses
        return isinstance(given, Sequence) and len(given) > 0 and all(map(callable, given))

    def _check_parameters(self) -> None:
        if not self._functions():
            self._matrix()

    def _matrix(self) -> Array:
        """The hypotheses as labels."""
        given = self.hypotheses
        matrix = None
        if isinstance(given, (np.ndarray, list, tuple)):
            try:
                matrix = np.asarray(given)
            except ValueError:  # rows of different lengths
                matrix = None
        if matrix is None or matrix.ndim != 2 or 0 in matrix.shape:
            raise ValueError(
                f"hypotheses={show(given)} is not allowed: it must be a list of functions of X, or "
                "a matrix of labels with a row for each hypothesis and a column for each row of X."
            )
        return matrix

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Finds the hypothesis of least weighted error on rows X with labels y."""
        self._check_parameters()
        ready = prepare(
            X,
            y,
            sample_weight,
            engine=on_threads(),
            name=type(self).__name__,
            reading=Reading(any_shape=True),
        )
        sample, classes = ready.sample, ready.classes
        codes = sample.y if len(classes) > 2 else ((sample.y > 0) & (len(classes) == 2)).astype(int)
        labels = np.asarray(classes[codes])
        if self._functions():
            numbers = range(len(self.hypotheses))
            predicted: Iterable[Array] = (
                self._answers(k, sample.raw, len(sample)) for k in numbers
            )
        else:
            predicted = _labels_of(self._matrix(), ready.used, len(sample))
        w = units(sample.weights, len(sample))
        wrong = [int(w[_differ(k, h, labels)].sum()) for k, h in enumerate(predicted)]
        total = int(w.sum())
        self.__dict__.pop("feature_names_in_", None)
        self.__dict__.update(column_names(ready.schema))
        self.classes_ = classes
        self.best_index_ = best_column(wrong, total)
        self.errors_ = np.array([weight / total for weight in wrong])
        self.error_ = wrong[self.best_index_] / total
        self._keys = None if self._functions() else row_keys(self._rows(X).cells)
        self._origin = after_fit(sample)
        return self

    def _answers(self, k: int, X: Any, n: int) -> Array:
        """The labels that one function gives."""
        predicted = np.asarray(self.hypotheses[k](X))
        if predicted.shape != (n,):
            raise ValueError(
                f"hypotheses[{k}] returns an array of shape {predicted.shape} for {n} rows; it "
                "must return one label a row."
            )
        return predicted

    def _rows(self, X: Any) -> Rows:
        return Rows(self._schema.read(as_table(X)), X, on_threads())

    def predict(self, X: Any) -> Array:
        """The labels that the chosen hypothesis gives to rows X."""
        check_is_fitted(self)
        rows = self._rows(X)
        if self._keys is None:
            return self._answers(self.best_index_, X, len(rows))
        labels = np.asarray(self._matrix()[self.best_index_])
        if len(rows) == 0:
            return np.asarray(labels[:0])
        if not np.array_equal(row_keys(rows.cells), self._keys):
            raise ValueError(
                "X holds other rows than those of the fit, and hypotheses is a matrix of labels "
                "for these alone; pass the same rows in the same order, or functions as hypotheses."
            )
        return labels

    def _from_training(
        self, X: Any, y: Any, delta: float, repeats: str = "copies"
    ) -> list[Certificate]:
        """The union bound over the list, which was fixed before the data."""
        statement, source = STATEMENTS["gen-finite"]
        predicted = np.asarray(self.predict(X))
        codes = codes_among(self.classes_, y, len(predicted), "y", allow_unknown=True)
        examples = distinct_examples(self._rows(X).cells, codes, repeats)
        error = examples.share((codes < 0) | (predicted != self.classes_[codes]))
        lnH = log(len(self.hypotheses))
        return [
            Certificate(
                "gen-finite",
                statement,
                source,
                (f"the list holds {len(self.hypotheses)} hypotheses",),
                (
                    "the training examples were drawn independently of one another",
                    "the list was written before they were looked at",
                    *examples.assumed,
                ),
                float(bounds.finite_class_upper(error, lnH, examples.m, delta)),
                note=f"training error {error:.4g}, m = {examples.words}",
                about="truth",
                delta=delta,
            )
        ]

    def sample_size(self, eps: float, delta: float) -> int:
        """Examples after which the one chosen has at most eps more true error than the best.

        So it is with probability at least 1 - delta, whatever the distribution: all N training
        errors are then within eps / 2 of the true ones (``bounds.uniform_m``).
        """
        self._check_parameters()
        parameters.real("eps", eps, 0.0, np.inf, strict=True)
        n = len(self.hypotheses)
        return int(np.ceil(bounds.uniform_m(np.log(n), eps / 2, delta)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = tags.input_tags.string = True
        tags.classifier_tags.poor_score = True
        return tags


def _labels_of(matrix: Array, used: NDArray[np.bool_] | None, n: int) -> Array:
    """The labels of the rows that count."""
    width = n if used is None else len(used)
    if matrix.shape[1] != width:
        raise ValueError(
            f"hypotheses has labels for {matrix.shape[1]} rows, and X has {width} rows; pass a "
            "column for each row."
        )
    return matrix if used is None else matrix[:, used]


def _differ(k: int, predicted: Array, labels: Array) -> NDArray[np.bool_]:
    """Where the labels of a hypothesis are not the true ones."""
    if (predicted.dtype.kind in "biuf") != (labels.dtype.kind in "biuf") and "O" not in (
        predicted.dtype.kind,
        labels.dtype.kind,
    ):
        raise ValueError(
            f"hypotheses[{k}] answers {show(predicted[0].item())} where y holds labels such as "
            f"{show(labels[0].item())}; let it answer the labels of y."
        )
    return np.asarray(predicted != labels, bool)
