"""Online learners with a linear score, or the score of a layered network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.types import Floats
from ..engines import on_threads
from .descent import FADING, LOSSES, LinearState, Rule, Step, Unlearnable, learn
from .protocol import OnlineLearner, Trace, pairs, sign_of


class DescentLearner(OnlineLearner):
    """Base of the online learners by gradient descent: x is a vector or a sparse row, y is -1 or
    +1.
    """

    def __init__(
        self,
        rule: Rule,
        *,
        fit_intercept: bool = False,
        layers: Sequence[int] = (),
        seed: int = 0,
        refuse_zero: bool = True,
    ) -> None:
        self._rule = rule
        self._constant = bool(fit_intercept)
        self._units = (*map(int, layers), 1)
        self._seed = seed
        self._refuse_zero = refuse_zero
        self._state: LinearState | None = None
        self.conservative = rule.conservative

    @property
    def mistakes(self) -> int:  # type: ignore[override]
        """How many examples had a score of the wrong sign, or of 0."""
        return 0 if self._state is None else self._state.mistakes

    @property
    def updates(self) -> int:
        """How many examples changed the weights."""
        return 0 if self._state is None else self._state.updates

    @property
    def w(self) -> Floats | None:
        """The weights of a linear score, that of the constant feature last; None before any x."""
        return None if self._state is None else self._state.layers[-1][0].copy()

    def decision(self, x: Any) -> float:
        """w.x, or the score of the circuit."""
        rows = _row(x)
        scores = on_threads().linear.scores(
            self._lines(rows), self._units, self._begun(rows.shape[1]).w
        )
        return float(scores[0, 0])

    def predict(self, x: Any) -> int:
        """+1 where the score is above 0, else -1."""
        return 1 if self.decision(x) > 0 else -1

    def update(self, x: Any, y: Any) -> bool:
        """One gradient step; a score of the wrong sign, or of 0, is a mistake."""
        before = self.mistakes
        self._learn(_row(x), np.array([sign_of(y)], np.int32))
        return self.mistakes > before

    def run(self, sequence: Any, labels: Any = None) -> Trace:
        """Predicts and learns one example after the other; nothing is learnt if one is invalid.

        ``sequence`` holds pairs (x, y), or rows x whose labels are given beside it.
        """
        if labels is None:
            examples = list(pairs(sequence))
            sequence, labels = [x for x, _ in examples], [y for _, y in examples]
        rows = _rows(sequence)
        y = np.array([sign_of(label) for label in labels], np.int32)
        if len(y) != rows.shape[0]:
            raise ValueError(
                f"sequence has {rows.shape[0]} rows and labels has {len(y)} entries; pass a label "
                "for each row."
            )
        if len(y) == 0:
            return Trace(y, y, np.zeros(0), np.zeros(0, bool), np.zeros(0))
        found = self._learn(rows, y, trace=True)
        scores = found["scores"]
        guesses = np.where(scores > 0, 1, -1)
        return Trace(guesses, y, scores, found["mistakes"].astype(bool), found["losses"])

    def _begun(self, n_features: int) -> LinearState:
        """The current state, or the initial one."""
        if self._state is None:
            return LinearState.start(n_features, self._units, self._constant, seed=self._seed)
        if self._state.n_features != n_features:
            raise ValueError(
                f"x has {n_features} features, and the examples before had "
                f"{self._state.n_features}; pass as many."
            )
        return self._state

    def _lines(self, rows: Any) -> Any:
        return on_threads().linear.rows(rows, self._constant)

    def _learn(self, rows: Any, y: NDArray[np.int32], trace: bool = False) -> dict[str, Any]:
        learnt = learn(
            self._rule,
            self._begun(rows.shape[1]),
            self._lines(rows),
            y,
            on_threads(),
            refuse_zero=self._refuse_zero,
            trace=trace,
        )
        self._state = learnt.state
        return learnt.traced

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.mistakes} mistakes)"


class OnlinePerceptron(DescentLearner):
    """The perceptron: w = 0; on a mistake, y (w.x) <= 0, w becomes w + y x.

    Guarantee: where some unit vector w* has y (w*.x) >= gamma on all examples, and no x is longer
    than R, at most (R/gamma)^2 mistakes are made, in any order and however many examples there are.

    >>> learner = OnlinePerceptron()
    >>> learner.run([([1.0, 0.0], 1), ([0.5, 1.0], -1), ([0.0, 1.0], -1)]).mistake_flags.tolist()
    [True, True, False]
    >>> learner.w.tolist(), learner.predict([2.0, 0.0])
    ([0.5, -1.0], 1)

    Reference: Rosenblatt (1958); Novikoff (1962), On Convergence Proofs for Perceptrons.
    """

    def __init__(self, *, fit_intercept: bool = False) -> None:
        super().__init__(Rule("perceptron"), fit_intercept=fit_intercept)


class OnlineMarginPerceptron(DescentLearner):
    """The perceptron with a margin: w becomes w + y x where y (w.x) < 1.

    Guarantee: at most (R^2 + 2)/gamma^2 updates, R and gamma as of the perceptron.

    >>> learner = OnlineMarginPerceptron()
    >>> trace = learner.run([([0.5], 1)] * 6)
    >>> trace.mistakes, learner.updates, learner.w.tolist()
    (1, 4, [2.0])
    """

    def __init__(self, *, fit_intercept: bool = False) -> None:
        super().__init__(Rule("hinge"), fit_intercept=fit_intercept)


class OnlineSGD(DescentLearner):
    """Stochastic gradient descent: w becomes w - lambda_t grad L(y f(x)).

    With the loss "perceptron" and a step of 1 it is the perceptron; with "hinge" and 1 the margin
    perceptron. ``layers`` are the hidden units of a circuit of soft gates, layer by layer; none of
    them is a linear score.

    >>> learner = OnlineSGD("squared", step=0.25)
    >>> learner.run([([1.0], 1)] * 3).scores.tolist()
    [0.0, 0.5, 0.75]
    """

    def __init__(
        self,
        loss: str = "hinge",
        *,
        step: Step = FADING,
        learning_rate: float = 1.0,
        fit_intercept: bool = False,
        layers: Sequence[int] = (),
        seed: int = 0,
    ) -> None:
        if loss not in LOSSES:
            raise ValueError(f"loss={loss!r} is not allowed: it must be one of {LOSSES}.")
        if isinstance(step, str) and step not in ("constant", FADING):
            raise ValueError(
                f"step={show(step)} is not allowed: it must be a number, 'constant', {FADING!r}, "
                "or a function of t."
            )
        super().__init__(
            Rule(loss, step, float(learning_rate)),
            fit_intercept=fit_intercept,
            layers=layers,
            seed=seed,
            refuse_zero=False,
        )


def _row(x: Any) -> Any:
    """One example as a matrix of one row."""
    if _is_sparse(x):
        return _rows(x if x.ndim == 2 else x.reshape(1, -1))
    row = np.asarray(x, np.float64)
    if row.ndim != 1:
        raise ValueError(f"x has shape {row.shape}; one example is a vector of numbers.")
    return _rows(row[None])


def _rows(X: Any) -> Any:
    """Examples as a float matrix, or as a sparse one by rows."""
    if not _is_sparse(X) and len(X) and _is_sparse(X[0]):
        X = sp.vstack([row if row.ndim == 2 else row.reshape(1, -1) for row in X])
    if _is_sparse(X):
        rows = X.tocsr().astype(np.float64)
        rows.sum_duplicates()
        rows.check_format()
        bad = np.flatnonzero(~np.isfinite(rows.data))
        if len(bad):
            raise Unlearnable(int(np.searchsorted(rows.indptr, bad[0], side="right")) - 1, False)
        return rows
    matrix = np.asarray(X, np.float64) if len(X) else np.zeros((0, 1))
    if matrix.ndim != 2:
        raise ValueError(f"sequence has shape {matrix.shape}; it must hold one vector an example.")
    if not np.isfinite(matrix).all():
        raise Unlearnable(int(np.argwhere(~np.isfinite(matrix))[0][0]), False)
    return matrix


def _is_sparse(X: Any) -> bool:
    return bool(sp.issparse(X))
