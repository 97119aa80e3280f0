"""A plain Python function as a weak learner."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form, Hypothesis, WeakLearner, named_shares
from ..base.messages.value_text import show
from ..base.messages.warnings import BoostingWarning, warn
from ..base.rows import Rows
from ..base.sample import Distribution, Sample

LARGEST = 1e290  # of a hypothesis' numbers, so that their sums over rows are finite


@dataclass(frozen=True)
class FunctionHypothesis(Hypothesis):
    """A function from X to -1 or +1 (for K > 2 to class numbers), as the user's learner returned
    it.
    """

    rule: Callable[[Any], Any]
    n_classes: int

    @property
    def wrapped(self) -> Callable[[Any], Any]:
        return self.rule

    def __call__(self, rows: Rows) -> NDArray[np.int64]:
        if len(rows) == 0:
            return np.zeros(0, np.int64)
        answers = np.asarray(self.rule(rows.raw))
        if answers.shape != (len(rows),):
            raise ValueError(
                f"the hypothesis of estimator returned an array of shape {answers.shape} for "
                f"{len(rows)} rows; it must return one answer a row."
            )
        allowed = range(-1, 2) if self.n_classes <= 2 else range(-1, self.n_classes)
        # False would be taken for 0, which is silence.
        strange = np.ones(len(rows), bool)
        if answers.dtype != bool:
            strange = ~np.isin(answers, list(allowed))
        if strange.any():
            row = int(np.argmax(strange))
            listed = "-1, 0 (abstains) and +1" if self.n_classes <= 2 else f"-1 to {allowed[-1]}"
            raise ValueError(
                f"the hypothesis of estimator answered {show(answers[row])} in row {row}; allowed "
                f"are {listed}.{self._remedy(answers)}"
            )
        return answers.astype(np.int64)

    def _remedy(self, answers: NDArray[Any]) -> str:
        if answers.dtype == bool:
            return " For False return -1: np.where(answers, 1, -1)."
        if self.n_classes <= 2 and answers.dtype.kind == "f":
            return (
                " Answers that are numbers are for RealAdaBoostClassifier, GentleBoostClassifier "
                "and AdaBoostLClassifier."
            )
        return ""

    def shares(self, rows: Rows, n_classes: int) -> NDArray[np.float64]:
        """The plausibility of each class: the rule's numbers, or 1 for the class it names."""
        K, n = self.n_classes, len(rows)
        answers = np.asarray(self.rule(rows.raw)) if n else np.zeros((0, K))
        if answers.ndim != 2:
            return named_shares(self(rows), K)
        if answers.shape != (n, K) or answers.dtype.kind not in "fiub":
            raise ValueError(
                f"the hypothesis of estimator returned an array of shape {answers.shape} and type "
                f"{answers.dtype} for {n} rows and {K} classes; it must return a number for each."
            )
        strange = ~((answers >= 0) & (answers <= 1)).all(axis=1)
        if strange.any():
            row = int(np.argmax(strange))
            raise ValueError(
                f"the hypothesis of estimator answered {answers[row].tolist()[:10]} in row {row}; "
                "it must answer with numbers from 0 to 1."
            )
        return answers.astype(np.float64)


@dataclass(frozen=True)
class FunctionLearner(WeakLearner):
    """Calls function(X, y, D) -> hypothesis with the user's own X, labels -1/+1 (0 .. K-1), D."""

    title = "the function given as estimator"

    function: Callable[[Any, NDArray[Any], NDArray[np.float64]], Callable[[Any], Any]]

    def bind(self, sample: Sample) -> Callable[..., FunctionHypothesis]:
        looked = not sample.binary  # at the answers of the first hypothesis

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> FunctionHypothesis:
            nonlocal looked
            h = ask(self.function, sample.raw, z, D.array, sample.n_classes)
            if not looked:
                doubt_zeros(h(sample))
                looked = True
            return h

        return learn


@dataclass(frozen=True)
class NumberHypothesis(Hypothesis):
    """A function from X to one number per row, as the user's learner returned it.

    ``bounded``: numbers beyond -1 and 1 are refused.
    """

    rule: Callable[[Any], Any]
    reach: float = 1.0
    bounded: bool = False

    @property
    def form(self) -> Form:
        return Form.BOUNDED if self.bounded else Form.NUMBERS

    @property
    def wrapped(self) -> Callable[[Any], Any]:
        return self.rule

    def __call__(self, rows: Rows) -> NDArray[np.float64]:
        if len(rows) == 0:
            return np.zeros(0)
        answers = np.asarray(self.rule(rows.raw))
        if answers.shape != (len(rows),) or answers.dtype.kind not in "fiu":
            raise ValueError(
                f"the hypothesis of estimator returned an array of shape {answers.shape} and type "
                f"{answers.dtype} for {len(rows)} rows; it must return one number a row."
            )
        strange = ~(np.abs(answers) <= LARGEST)
        if strange.any():
            row = int(np.argmax(strange))
            raise ValueError(
                f"the hypothesis of estimator answered {show(answers[row])} in row {row}; it must "
                f"be a finite number, and none beyond {LARGEST:g}."
            )
        if self.bounded and (np.abs(answers) > 1).any():
            row = int(np.argmax(np.abs(answers) > 1))
            raise ValueError(
                f"the hypothesis of estimator answered {show(answers[row])} in row {row}; it "
                "must answer from -1 to 1: use np.clip, or divide by the largest number."
            )
        return answers.astype(np.float64)


@dataclass(frozen=True)
class NumberFunctionLearner(WeakLearner):
    """Calls function(X, z, D) -> hypothesis, a function from X to numbers.

    ``bounded``: to numbers from -1 to 1.
    """

    title = "the function given as estimator"

    function: Callable[[Any, NDArray[Any], NDArray[np.float64]], Callable[[Any], Any]]
    bounded: bool = False

    @property
    def form(self) -> Form:
        return Form.BOUNDED if self.bounded else Form.NUMBERS

    def bind(self, sample: Sample) -> Callable[..., NumberHypothesis]:
        looked = self.bounded or not sample.binary  # at the answers of the first hypothesis

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> NumberHypothesis:
            nonlocal looked
            rule = ask(self.function, sample.raw, z, D.array, sample.n_classes).rule
            answers = NumberHypothesis(rule, bounded=self.bounded)(sample)
            if not looked:
                doubt_zeros(answers)
                looked = True
            return NumberHypothesis(rule, float(np.abs(answers).max()), self.bounded)

        return learn


def doubt_zeros(answers: NDArray[Any]) -> None:
    """Warns of answers 0 and 1, which for two classes are an abstention and the second class."""
    if set(np.unique(answers).tolist()) == {0, 1}:
        warn(
            "the function given as estimator answers with 0 and 1 only, and 0 abstains: it names "
            "no class. If it stands for the first class, return -1 in its place, as in "
            "np.where(answers, 1, -1).",
            BoostingWarning,
        )


def _refuse_arguments(function: Callable[..., Any]) -> None:
    """Raises TypeError for a function that does not take X, y and D."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of what is not written in Python nothing is known
        return
    try:
        signature.bind(None, None, None)
    except TypeError:
        raise TypeError(
            f"the function given as estimator takes {signature}; it must take three arguments, "
            "(X, y, D): rows, labels, and the weights D of the rows, which it has to heed."
        ) from None


def ask(
    function: Callable[..., Any], X: Any, z: NDArray[Any], D: NDArray[np.float64], n_classes: int
) -> FunctionHypothesis:
    """The hypothesis that a user's function returns; raises unless it is callable."""
    _refuse_arguments(function)
    z = z.view()
    z.flags.writeable = False  # the labels are the sample's own
    rule = function(X, z, D)
    if not callable(rule):
        raise TypeError(
            f"the function given as estimator returned {type(rule).__name__}; it must return a "
            "callable that maps X to answers."
        )
    return FunctionHypothesis(rule, n_classes)
