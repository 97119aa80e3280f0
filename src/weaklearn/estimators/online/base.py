"""What the linear learners of one example at a time share as estimators."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...base.messages.value_text import show
from ...base.messages.warnings import PassesWarning, deferred_warnings, warn
from ...base.offered import fact
from ...base.types import Floats
from ...engines import Engine, choose
from ...inspection import linear_explanation
from ...intake import parameters
from ...intake.known_classes import first_classes, same_classes
from ...intake.label_kind import score_of_labels
from ...intake.labels import (
    coded_labels,
    codes_among,
    doubt_classes,
    read_labels,
    warn_of_constant_columns,
)
from ...intake.numeric_rows import (
    Rows,
    is_constant,
    learn_lines,
    not_zero,
    read_lines,
    refuse_gap,
    refuse_overflow,
    refuse_unsound,
    refuse_zero,
)
from ...intake.schema import Schema, check_not_empty
from ...online.descent import (
    Learnt,
    LinearState,
    Passes,
    Played,
    Rule,
    Unlearnable,
    in_layers,
    learn,
)
from ...online.linear import DescentLearner
from ...online.protocol import Trace
from ...prediction import linear
from ...production.provenance import fitted_now
from ...uncertainty.conformal import SetPrediction
from ..fit import column_names
from ..model import Model, in_one_step

Codes = NDArray[np.int64]


@parameters.declared
class OnlineClassifier(SetPrediction, ClassifierMixin, Model):
    """Goes through rows one by one; a subclass says by which rule, and what it answers with.

    Parameters
    ----------
    max_passes : int, default 100
        Passes of ``fit`` over the rows at most.
    fit_intercept : bool, default False
        Whether a constant feature of 1 stands behind the others; without it the halfspaces go
        through the origin, and a row of zeros is refused.
    shuffle : bool, default False
        Whether ``fit`` draws a new order of the rows for each pass.
    random_state : None, int below 2**32, RandomState or Generator
        Seeds these orders.
    n_jobs : int, optional
        Threads for predictions; learning takes one.
    """

    score = score_of_labels

    max_passes: int = 100
    fit_intercept: bool = False
    shuffle: bool = False
    random_state: Any = None
    n_jobs: int | None = None

    # What is learnt depends on the order of rows.
    _in_order = True
    # Whether no row may be the zero vector, and whether the answer is an average of weights.
    _refuses_zero = True
    _averaged = False

    @abstractmethod
    def _rule(self) -> Rule:
        """How weights move."""

    def _hidden(self) -> tuple[int, ...]:
        """The hidden units, layer by layer."""
        return ()

    def _passes(self, seed: int) -> Passes:
        """How a batch is gone over."""
        return Passes(
            int(self.max_passes),
            averaged=self._averaged,
            seed=seed if self.shuffle else None,
            refuse_zero=self._refuses_zero,
        )

    def _check_parameters(self) -> None:
        parameters.integer("max_passes", self.max_passes, 1)
        parameters.switch("fit_intercept", self.fit_intercept)
        parameters.switch("shuffle", self.shuffle)
        if not isinstance(self.random_state, (np.random.RandomState, np.random.Generator)):
            parameters.seed("random_state", self.random_state)

    # ----------------------------------------------------------------------------------- learning

    @in_one_step
    def fit(self, X: Any, y: Any) -> Self:
        """Goes over the rows in their order until a pass is clean, or ``max_passes`` times.

        What was learnt before is forgotten.
        """
        self._check_parameters()
        with deferred_warnings():
            schema, rows = learn_lines(X, type(self).__name__)
            classes, codes = read_labels(y, rows.shape[0], estimator_name=type(self).__name__)
            doubt_classes(classes, rows.shape[0])
            if len(classes) > 1 and is_constant(rows):
                warn_of_constant_columns()
            seed = parameters.seed("random_state", self.random_state)
            try:
                played = self._play(schema, classes, seed, rows, codes)
            except Unlearnable as error:
                if not error.zero:
                    _refuse(error, rows, schema)
                some = np.flatnonzero(not_zero(rows))
                try:
                    played = self._play(schema, classes, seed, rows[some], codes[some])
                except Unlearnable as other:
                    _refuse(Unlearnable(int(some[other.row]), other.zero), rows, schema)
            self._doubt(played, len(codes))
        self._keep(schema, classes, seed, played.state)
        self.n_iter_ = len(played.history)
        self.history_ = played.history
        self.converged_ = played.clean or played.settled
        self._pocket = played.answer if self._averaged and played.errors is not None else None
        return self

    @in_one_step
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learns from rows in one pass, in their order; a batch, or a single row.

        ``classes`` lists all labels there will be; the first call must have it, unless the labels
        are -1 and +1.
        """
        self._learn(X, y, classes)
        return self

    @in_one_step
    def run(self, X: Any, y: Any, classes: Any = None) -> Trace:
        """As ``partial_fit``, with a trace: each row is predicted before its label is learnt."""
        learnt, codes = self._learn(X, y, classes, trace=True)
        scores = learnt.traced["scores"].reshape(len(codes), -1)
        return Trace(
            self._labels(scores),
            self.classes_[codes],
            scores[:, 0] if scores.shape[1] == 1 else scores,
            learnt.traced["mistakes"].astype(bool),
            learnt.traced["losses"],
        )

    def online(self) -> DescentLearner:
        """The same learner under the protocol ``predict(x)``, ``update(x, y)``, of nothing yet."""
        self._check_parameters()
        return DescentLearner(
            self._rule(),
            fit_intercept=bool(self.fit_intercept),
            layers=self._hidden(),
            seed=parameters.seed("random_state", self.random_state),
            refuse_zero=self._refuses_zero,
        )

    def _learn(self, X: Any, y: Any, classes: Any, trace: bool = False) -> tuple[Learnt, Codes]:
        self._check_parameters()
        with deferred_warnings():
            if fact(self, "_standing") is not None:
                schema, state, seed = self._schema, self._standing, self._seed
                rows = read_lines(schema, X)
                check_not_empty(rows.shape)
                known = same_classes(self.classes_, classes)
                self._check_unchanged(state)
            else:
                schema, rows = learn_lines(X, type(self).__name__)
                known = first_classes(classes, y, rows.shape[0])
                seed = parameters.seed("random_state", self.random_state)
                state = self._start(schema, known, seed)
            codes = codes_among(known, y, rows.shape[0], "y")
            try:
                learnt = learn(
                    self._rule(),
                    state,
                    self._lines(rows),
                    _targets(codes, known),
                    self._engine(),
                    refuse_zero=self._refuses_zero,
                    trace=trace,
                )
            except Unlearnable as error:
                _refuse(error, rows, schema)
        self._keep(schema, known, seed, learnt.state)
        self._pocket = None
        return learnt, codes

    def _play(
        self, schema: Schema, classes: NDArray[Any], seed: int, rows: Rows, codes: Codes
    ) -> Played:
        return self._passes(seed).play(
            self._rule(),
            self._start(schema, classes, seed),
            self._lines(rows),
            _targets(codes, classes),
            self._engine(),
        )

    def _start(self, schema: Schema, classes: NDArray[Any], seed: int) -> LinearState:
        return LinearState.start(
            schema.n_features,
            (*self._hidden(), len(classes) if len(classes) > 2 else 1),
            bool(self.fit_intercept),
            averaged=self._averaged,
            seed=seed,
        )

    def _keep(self, schema: Schema, classes: NDArray[Any], seed: int, state: LinearState) -> None:
        self.__dict__.pop("feature_names_in_", None)
        self.__dict__.update(column_names(schema))
        self.classes_, self._seed, self._standing = classes, seed, state
        self._origin = fitted_now()

    def _doubt(self, played: Played, n_rows: int) -> None:
        """Warns where no pass was clean, though that is what passes are for."""
        if played.errors:
            through = "" if self.fit_intercept else " through the origin"
            warn(
                f"{type(self).__name__} changed its weights in each of {len(played.history)} "
                f"passes: no halfspace{through} may separate the classes. The weights with the "
                f"fewest training errors were kept, {played.errors} of {n_rows}; more max_passes, "
                "fit_intercept=True or other features may do better.",
                PassesWarning,
            )

    def _check_unchanged(self, state: LinearState) -> None:
        """Learning goes on with the form that it began with."""
        now = (bool(self.fit_intercept), self._hidden())
        if now != (state.constant, state.units[:-1]):
            raise ValueError(
                f"fit_intercept={show(self.fit_intercept)} and hidden layers {self._hidden()!r} "
                f"are not those that learning began with, {show(state.constant)} and "
                f"{show(state.units[:-1])}; set them back, or call fit."
            )

    # --------------------------------------------------------------------------------- predicting

    decision_function = linear.decision_function
    predict = linear.predict
    _scores = linear.scores
    _labels = linear.labels
    _answer = property(linear.weights)

    def _lines_to_predict(self, X: Any) -> Rows:
        check_is_fitted(self, "_standing")
        return read_lines(self._schema, X)

    def _refuse_unsound(self, rows: Rows, scores: Floats) -> None:
        refuse_unsound(rows, scores, self._schema)

    @property
    def _weights(self) -> list[Floats]:
        check_is_fitted(self, "_standing")
        state = self._standing
        return in_layers(self._answer, state.n_features, state.units, state.constant)

    @property
    def mistakes_(self) -> int:
        """How often a row was given a wrong label, or no clear one, before its own was known."""
        check_is_fitted(self, "_standing")
        return self._standing.mistakes

    @property
    def updates_(self) -> int:
        """How often a row changed the weights."""
        check_is_fitted(self, "_standing")
        return self._standing.updates

    @property
    def t_(self) -> int:
        """How many rows were learnt from, those of every pass counted."""
        check_is_fitted(self, "_standing")
        return self._standing.seen

    def _lines(self, rows: Rows) -> Any:
        return self._engine().linear.rows(rows, bool(self.fit_intercept))

    def _engine(self) -> Engine:
        return choose(self.n_jobs)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class LinearCoefficients:
    """``coef_`` and ``intercept_`` of linear scores, a row for each."""

    explain = linear_explanation.explain
    _is_linear = True  # whether there is one row of weights a score

    _weights: list[Floats]
    n_features_in_: int

    @property
    def coef_(self) -> Floats:
        """The weights: one row for two classes, else one a class."""
        return self._weights[0][:, : self.n_features_in_].copy()

    @property
    def intercept_(self) -> Floats:
        """The weight of the constant feature, 0 where there is none; one entry a row."""
        weights = self._weights[0]
        if weights.shape[1] == self.n_features_in_:
            return np.zeros(len(weights))
        return weights[:, -1].copy()


def _targets(codes: Codes, classes: NDArray[Any]) -> NDArray[np.int32]:
    """-1 and +1 for two classes, else the codes."""
    return coded_labels(codes, len(classes)).astype(np.int32)


def _refuse(error: Unlearnable, rows: Rows, schema: Schema) -> NoReturn:
    """Raises the error for an example that cannot be learnt from, naming its row of X."""
    refuse_gap(rows, error.row, schema)
    if error.zero:
        refuse_zero(error.row)
    refuse_overflow(error.row)
