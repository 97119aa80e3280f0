"""OnlineDisjunction: an OR of variables, learnt one example at a time."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...base.messages.value_text import show
from ...base.messages.warnings import deferred_warnings
from ...base.types import Bools
from ...intake import parameters
from ...intake.kernel_points import learn_points, read_points
from ...intake.known_classes import check_two, first_classes, same_classes
from ...intake.labels import codes_among, doubt_classes, read_labels
from ...intake.schema import Schema
from ...online.disjunction import DisjunctionLearner
from ...online.kernels import Linear
from ...online.protocol import Trace, pairs
from ...prediction.signs import labels_where
from ...production.provenance import fitted_now
from ...uncertainty.conformal import SetPrediction
from ..model import Model, in_one_step


@parameters.declared
class OnlineDisjunction(SetPrediction, ClassifierMixin, Model):
    """The OR of all variables, less those that spoke up on a negative example.

    x holds 0 and 1 (which is why scikit-learn's general checks do not apply). It is called
    positive, ``classes_[1]``, where a kept variable is 1. A false positive drops every variable
    that is 1 in it; nothing else changes anything.

    Guarantee: where the labels are those of a disjunction of d variables, at most d mistakes, and
    none on a positive example. No deterministic learner can promise fewer: see
    ``weaklearn.online.adversary``.

    One example at a time: ``predict(x)``, then ``update(x, y)`` with y of -1 and +1 (or of the
    classes of an earlier ``fit``). Many: ``fit``, ``partial_fit``, and ``run`` with its trace.

    Parameters
    ----------
    n_features : int, optional
        The number of variables; without it that of the first example.

    Attributes
    ----------
    kept_ : ndarray
        The variables of the disjunction, by number.
    mistakes_ : int
        How often a label was mistaken before it was known.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import OnlineDisjunction
    >>> learner = OnlineDisjunction()
    >>> learner.predict([0, 1, 0]), learner.update([0, 1, 0], -1)
    (1, True)
    >>> learner.kept_.tolist(), learner.predict([0, 1, 0]), learner.mistakes_
    ([0, 2], -1, 1)

    References
    ----------
    Blum, Hopcroft and Kannan, Foundations of Data Science, section 6.4.1.
    """

    n_features: int | None = field(default=None, kw_only=False)

    conservative = True
    _in_order = True  # learning goes by the order of rows

    def _check_parameters(self) -> None:
        if self.n_features is not None:
            parameters.whole("n_features", self.n_features, 1, None, "None")

    # ----------------------------------------------------------------------------------- learning

    @in_one_step
    def fit(self, X: Any, y: Any) -> Self:
        """Goes over the rows once, in their order; what was learnt before is forgotten."""
        self._check_parameters()
        name = type(self).__name__
        with deferred_warnings():
            schema, bits = self._first_bits(X)
            classes, codes = read_labels(y, len(bits), estimator_name=name)
            check_two(classes, name)
            doubt_classes(classes, len(codes))
        learner = self.online()
        learner.learn(bits, _signs(codes, classes))
        self._keep(schema, classes, learner)
        return self

    @in_one_step
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learns from rows in one pass, in their order; a batch, or a single row."""
        self.run(X, y, classes=classes)
        return self

    @in_one_step
    def run(self, sequence: Any, labels: Any = None, classes: Any = None) -> Trace:
        """As ``partial_fit``, with a trace; also of a list of pairs (x, y)."""
        self._check_parameters()
        if labels is None:
            examples = list(pairs(sequence))
            X, labels = [x for x, _ in examples], [y for _, y in examples]
        else:
            X = sequence
        with deferred_warnings():
            if hasattr(self, "_mask"):
                schema, bits = self._schema, _bits(read_points(self._schema, X), self._schema)
                known = same_classes(self.classes_, classes)
            else:
                schema, bits = self._first_bits(X)
                known = first_classes(classes, labels, len(bits))
                check_two(known, type(self).__name__)
            codes = codes_among(known, labels, len(bits), "y")
        learner = self._learner()
        guesses, wrong = learner.learn(bits, _signs(codes, known))
        self._keep(schema, known, learner)
        places = (guesses > 0).astype(np.intp) * (len(known) - 1)
        return Trace(known[places], known[codes], guesses.astype(np.float64), wrong)

    def update(self, x: Any, y: Any) -> bool:
        """Learns that x has label y; whether that had been mistaken."""
        return bool(self.run([x], [y]).mistake_flags[0])

    def online(self) -> DisjunctionLearner:
        """The same learner under the protocol, of nothing yet."""
        self._check_parameters()
        return DisjunctionLearner(self.n_features)

    def _learner(self) -> DisjunctionLearner:
        """A learner with the present weights."""
        learner = self.online()
        if hasattr(self, "_mask"):
            learner.mask, learner.mistakes = self._mask.copy(), self.mistakes_
        return learner

    def _first_bits(self, X: Any) -> tuple[Schema, Bools]:
        schema, rows = learn_points(Linear(), X, type(self).__name__)
        assert schema is not None
        if self.n_features not in (None, schema.n_features):
            raise ValueError(
                f"X has {schema.n_features} features, but {type(self).__name__} is expecting "
                f"{self.n_features} features as input."
            )
        return schema, _bits(rows, schema)

    def _keep(self, schema: Schema, classes: NDArray[Any], learner: DisjunctionLearner) -> None:
        self.__dict__.pop("feature_names_in_", None)
        if schema.names is not None:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        self.n_features_in_ = schema.n_features
        self.classes_ = classes
        self.mistakes_ = learner.mistakes
        self._schema, self._mask = schema, np.asarray(learner.mask)
        self._origin = fitted_now()

    # --------------------------------------------------------------------------------- predicting

    def predict(self, X: Any) -> Any:
        """The label of x, or of each row of X."""
        if np.ndim(X) == 1 and not hasattr(X, "toarray"):
            if not hasattr(self, "_mask"):
                return self.online().predict(X)
            return self.predict([X]).tolist()[0]
        check_is_fitted(self, "_mask")
        rows = _bits(read_points(self._schema, X), self._schema)
        above = rows[:, self._mask].any(axis=1)
        return labels_where(np.asarray(above), self.classes_)

    @property
    def kept_(self) -> NDArray[np.intp]:
        """The variables of the disjunction, by number."""
        check_is_fitted(self, "_mask")
        return np.flatnonzero(self._mask)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags


def _signs(codes: NDArray[np.int64], classes: NDArray[Any]) -> NDArray[np.int64]:
    return np.ones_like(codes) if len(classes) == 1 else 2 * codes - 1


def _bits(rows: Any, schema: Schema) -> Bools:
    """Rows as bits; refuses what is neither 0 nor 1."""
    cells = rows if isinstance(rows, np.ndarray) else rows.toarray()
    odd = (cells != 0) & (cells != 1)
    if odd.any():
        i, j = np.argwhere(odd)[0]
        raise ValueError(
            f"X, row {i}, {schema.label(int(j))} holds {show(float(cells[i, j]))}, and a "
            "disjunction is over variables that are 0 or 1; make it a question that is answered so."
        )
    return np.asarray(cells, bool)
