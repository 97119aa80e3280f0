"""Learners with few mistakes: an OR of variables, and a vote of hypotheses never wrong."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...base.messages.value_text import row_number, show
from ...base.messages.warnings import deferred_warnings
from ...base.offered import fact
from ...base.types import Bools
from ...intake import parameters
from ...intake.known_classes import check_two, first_classes, same_classes
from ...intake.label_kind import score_of_labels
from ...intake.labels import codes_among, doubt_classes, read_labels
from ...intake.numeric_rows import learn_points, read_points
from ...intake.schema import Schema
from ...online.kernels import Linear
from ...online.mistake_bounds import DisjunctionLearner, HalvingLearner
from ...online.protocol import Trace, pairs
from ...prediction.rows import classes_of
from ...prediction.signs import labels_where
from ...production.provenance import fitted_now
from ...uncertainty.conformal import SetPrediction
from ...uncertainty.conformity import two_sided
from ...uncertainty.test_error import Counted
from ..fit import column_names
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

    score = score_of_labels

    n_features: int | None = field(default=None, kw_only=False)

    conservative = True
    _in_order = True  # learning goes by the order of rows

    def _check_parameters(self) -> None:
        if self.n_features is not None:
            parameters.integer("n_features", self.n_features, 1, None, "None")

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
            if fact(self, "_mask") is not None:
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
        if fact(self, "_mask") is not None:
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
        self.__dict__.update(column_names(schema))
        self.classes_, self.mistakes_ = classes, learner.mistakes
        self._mask = np.asarray(learner.mask)
        self._origin = fitted_now()

    # --------------------------------------------------------------------------------- predicting

    def predict(self, X: Any) -> Any:
        """The label of x, or of each row of X."""
        if np.ndim(X) == 1 and not hasattr(X, "toarray"):
            if fact(self, "_mask") is None:
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
            f"X, row {row_number(i)}, {schema.label(int(j))} holds {show(float(cells[i, j]))}, "
            "and a disjunction is over variables that are 0 or 1; make it a question that is "
            "answered so."
        )
    return np.asarray(cells, bool)


OnEmpty = Literal["raise", "positive"]


@parameters.declared
class HalvingClassifier(SetPrediction, ClassifierMixin, Model):
    """The majority of all hypotheses that are consistent with the examples so far.

    Hypotheses are functions from x to -1 or +1, or the rows of a table of their answers, in which
    case an example is the number of a column (which is why scikit-learn's general checks do not
    apply). With ``sizes``, the lengths of the hypotheses in a prefix-free code, each votes with
    weight 2^-size: generalised halving. A tied vote is +1.

    Guarantee: where one of the hypotheses is never wrong, at most lg |H| mistakes, and with sizes
    at most the size of that hypothesis.

    One example at a time: ``predict(x)``, then ``update(x, y)``. Many: ``fit``, ``partial_fit``,
    and ``run``, which gives a trace. Labels are -1 and +1, or those of ``fit``.

    Parameters
    ----------
    hypotheses : list of functions, or table of -1 and +1
        A table has one row a hypothesis.
    sizes : sequence of int, optional
        Lengths in a code; refused where their Kraft sum exceeds 1, as no prefix-free code has them.
    on_empty : {"raise", "positive"}, default "raise"
        What to do where no hypothesis is left: refuse the example, or predict +1 for ever.

    Attributes
    ----------
    alive_ : ndarray
        The hypotheses never wrong so far, by number.
    mistakes_ : int
        How often a label was mistaken before it was known.
    bound_ : float
        How many mistakes there can be, where the target is among the hypotheses.
    classes_ : ndarray
        -1 and +1, or the labels of ``fit``.

    Examples
    --------
    >>> from weaklearn import HalvingClassifier
    >>> thresholds = [lambda x, t=t: 1 if x >= t else -1 for t in range(8)]
    >>> model = HalvingClassifier(thresholds)
    >>> [(model.predict(x), model.update(x, 1 if x >= 5 else -1)) for x in (3, 5, 4)]
    [(1, True), (1, False), (1, True)]
    >>> model.alive_.tolist(), model.mistakes_, model.bound_
    ([5], 2, 3.0)

    References
    ----------
    Blum, Hopcroft and Kannan, Foundations of Data Science, section 6.4.2.
    """

    score = score_of_labels

    hypotheses: Any = field(default=None, kw_only=False)
    sizes: Any = None
    on_empty: OnEmpty = "raise"

    conservative = False
    _in_order = True  # learning goes by the order of examples
    _hows = ("split",)

    def _check_parameters(self) -> None:
        self.online()

    def online(self) -> HalvingLearner:
        """The same learner under the protocol, of nothing yet."""
        parameters.one_of("on_empty", self.on_empty, OnEmpty)
        if self.hypotheses is None:
            raise ValueError(
                "hypotheses=None is not allowed: it must be functions from x to -1 or +1, or a "
                "table of such answers."
            )
        return HalvingLearner(self.hypotheses, self.sizes, self.on_empty)

    def _learner(self) -> HalvingLearner:
        """A learner with the hypotheses that are still consistent."""
        learner = self.online()
        if fact(self, "_mask") is not None:
            if len(self._mask) != learner.n_hypotheses:
                raise ValueError(
                    f"hypotheses holds {learner.n_hypotheses}, and learning began with "
                    f"{len(self._mask)}; set them back, or call fit."
                )
            learner.mask, learner.mistakes = self._mask.copy(), self.mistakes_
        return learner

    @in_one_step
    def fit(self, X: Any, y: Any) -> Self:
        """Goes over examples once, in their order; what was learnt before is forgotten.

        Any two labels will do: the first in order stands for -1, the second for +1.
        """
        examples = _examples(X)
        classes, codes = read_labels(y, len(examples), estimator_name=type(self).__name__)
        check_two(classes, type(self).__name__)
        signs = 2 * codes - 1
        if set(classes.tolist()) <= {-1, 1}:
            signs, classes = classes[codes], np.array([-1, 1])
        elif len(classes) == 1:
            raise ValueError(
                f"y holds one class only, {classes.tolist()[0]!r}, and it is not known whether the "
                "hypotheses call it -1 or +1; label examples by -1 and +1, or pass both classes."
            )
        learner = self.online()
        learner.run(examples, signs)
        self._keep(learner, classes)
        return self

    @in_one_step
    def partial_fit(self, X: Any, y: Any) -> Self:
        """Learns from examples in one pass, in their order."""
        self.run(X, y)
        return self

    @in_one_step
    def run(self, sequence: Any, labels: Any = None) -> Trace:
        """As ``partial_fit``, with a trace; also of a list of pairs (x, y)."""
        examples = list(pairs(sequence if labels is None else _examples(sequence), labels))
        classes, learner = self._known(), self._learner()
        y = [label for _, label in examples]
        codes = codes_among(classes, y, len(y), "y") if y else np.zeros(0, np.int64)
        trace = learner.run([x for x, _ in examples], 2 * codes - 1)
        self._keep(learner, classes)
        guesses = classes[(trace.predictions > 0).astype(np.intp)]
        return replace(trace, predictions=guesses, labels=classes[codes])

    def update(self, x: Any, y: Any) -> bool:
        """Learns that x has label y; whether that had been mistaken."""
        return bool(self.run([(x, y)]).mistake_flags[0])

    def _known(self) -> NDArray[Any]:
        """-1 and +1, unless a fit had other labels."""
        return np.array([-1, 1]) if (known := classes_of(self)) is None else known

    def _keep(self, learner: HalvingLearner, classes: NDArray[Any]) -> None:
        self._mask, self.mistakes_, self.classes_ = learner.mask, learner.mistakes, classes
        self._origin = fitted_now()

    def predict(self, X: Any) -> Any:
        """The label of an example, or of each row of a matrix (or item of a list of columns)."""
        learner, classes = self._learner(), self._known()
        table = not all(callable(h) for h in self.hypotheses)
        many = hasattr(X, "iloc") or np.ndim(X) == 2 or (table and np.ndim(X) == 1)
        signs = [learner.predict(x) for x in (_examples(X) if many else [X])]
        labels = np.asarray(classes[(np.array(signs, np.int64) > 0).astype(np.intp)])
        return labels if many else labels.tolist()[0]

    def _judged_cells(self, X: Any) -> Counted:
        return Counted(len(_examples(X)))

    def _label_scores(self, X: Any) -> NDArray[np.float64]:
        learner = self._learner()
        return two_sided(np.array([learner.decision(x) for x in _examples(X)], np.float64))

    @property
    def alive_(self) -> NDArray[np.intp]:
        """The hypotheses never wrong so far, by number."""
        check_is_fitted(self, "_mask")
        return np.flatnonzero(self._mask)

    @property
    def bound_(self) -> float:
        """lg |H|, or the largest size of a hypothesis that is left."""
        check_is_fitted(self, "_mask")
        if self.sizes is None or not self._mask.any():
            return self.online().bound()
        return float(np.asarray(self.sizes)[self._mask].max())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.two_d_array = False
        return tags


def _examples(X: Any) -> list[Any]:
    """Examples one by one: rows of a matrix or of a frame, items of a list."""
    values = X.to_numpy() if hasattr(X, "to_numpy") else X
    return list(values)
