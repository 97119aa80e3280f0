"""Weak hypotheses, the stump among them, and the interface of the learners that find them."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from .rows import OPENED, Binning
from .types import Floats

if TYPE_CHECKING:
    from .rows import Rows
    from .sample import Correctness, Distribution, Sample
    from .trees.tree import Tree

CONSTANT, THRESHOLD, EQUALITY, MULTIWAY = range(4)  # the tests of a stump


class Form(enum.Enum):
    """The kind of answers that a hypothesis gives; boosters declare the forms that they accept.

    The forms of one answer per row are CLASSES, BOUNDED, NUMBERS and CONFIDENCES; LABEL_SIGNS and
    LABEL_CONFIDENCES have one for each label. The vote of confidences is 1: they were chosen so
    that no other is better. The texts stand in messages.
    """

    CLASSES = "a class for each row (-1, 0 or +1; of more classes a number from 0, or -1)"
    BOUNDED = "a number in [-1, 1] for each row"
    NUMBERS = "a number of any size for each row"
    CONFIDENCES = "a confidence for each row (a number of any size, counted as it is)"
    LABEL_SIGNS = "a number in [-1, 1] for each label"
    LABEL_CONFIDENCES = "a confidence for each label (a number of any size, counted as it is)"

    def includes(self, other: Form) -> bool:
        """Whether answers of another form are of this form too."""
        return other is self or (self, other) == (Form.NUMBERS, Form.BOUNDED)


class FormError(TypeError):
    """Answers are not of the declared form, or the form is not one that the booster accepts."""


class Hypothesis(ABC):
    """A fitted rule that maps rows to answers.

    ``form`` declares the kind of answers. The default is classes: -1, 0 (abstains) or +1 for two of
    them, a class number (or -1, abstains) for more.
    """

    is_tree: ClassVar[bool] = False  # of trees the votes are summed in doubles
    reads_cells: ClassVar[bool] = False  # encoded values are enough, X itself is not looked at

    @abstractmethod
    def __call__(self, rows: Rows) -> NDArray[Any]:
        """The answers on rows."""

    @property
    def form(self) -> Form:
        """The kind of answers."""
        return Form.CLASSES

    @property
    def reach(self) -> float:
        """The largest |answer|."""
        return 1.0

    @property
    def Z_criterion(self) -> float:
        """2 sum sqrt(W+ W-) over blocks (and labels), which confidences make least; else NaN."""
        return nan

    @property
    def constant(self) -> bool:
        """Whether the answer is known to be the same for every row."""
        return False

    @property
    def wrapped(self) -> Any:
        """The fitted estimator or function behind the hypothesis; itself where there is none."""
        return self

    def as_tree(self) -> Tree | None:
        """A tree whose leaves hold the answers (of K > 2 classes a 1 in column k); None: none."""
        return None

    def as_share_tree(self) -> Tree | None:
        """A tree whose leaves hold what ``shares`` gives; None where there is none."""
        return None

    def importances(self, n_features: int) -> Floats | None:
        """The share that each feature has in the answers, of sum 1 or 0; None where unknown."""
        return np.zeros(n_features) if self.constant else None

    def shares(self, rows: Rows, n_classes: int) -> Floats:
        """How plausible each class is, in [0, 1], (n, K): here 1 for the one that is named."""
        return named_shares(np.asarray(self(rows)), n_classes)

    def number_answers(self, rows: Rows) -> Floats:
        """The answers as one float per row; raises FormError where they break the form."""
        answers = np.asarray(self(rows))
        self._check_shape(answers, len(rows))
        if self.form is Form.CLASSES:
            self._check_classes(answers, 2)
            return np.asarray(answers, np.float64)
        numbers = np.asarray(answers, np.float64)
        most = 1.0 if self.form is Form.BOUNDED else np.finfo(np.float64).max
        strange = ~(np.abs(numbers) <= most)  # not a number is no number either
        if strange.any():
            allowed = "within -1 and 1" if self.form is Form.BOUNDED else "finite"
            raise self._strange(answers, strange, f"numbers {allowed}")
        return numbers

    def class_answers(self, rows: Rows, n_classes: int) -> NDArray[np.int64]:
        """The answers as integers, each a class or an abstention; raises FormError for others."""
        answers = np.asarray(self(rows))
        self._check_shape(answers, len(rows))
        self._check_classes(answers, n_classes)
        return np.asarray(answers, np.int64)

    def judge(self, sample: Sample) -> Correctness:
        """The correctness of the answers, or of their signs, against the labels of a sample."""
        if self.form is Form.CLASSES:
            answers = self.class_answers(sample, sample.n_classes)
        else:
            answers = np.sign(self.number_answers(sample)).astype(np.int64)
        abstained = answers == (0 if sample.binary else -1)
        side = np.where(abstained, 0, np.where(answers == sample.y, 1, -1)).astype(np.int8)
        return sample.engine.weights.correctness(side)

    def _check_shape(self, answers: NDArray[Any], n: int) -> None:
        if answers.shape != (n,):
            raise FormError(
                f"a hypothesis of type {type(self).__name__} answered {n} rows with an array of "
                f"shape {answers.shape}; it must give one answer per row."
            )

    def _check_classes(self, answers: NDArray[Any], n_classes: int) -> None:
        most = 1 if n_classes <= 2 else n_classes - 1
        if len(answers) == 0:
            return
        if answers.dtype.kind in "iu" and answers.min() >= -1 and answers.max() <= most:
            return
        strange = ~np.isin(answers, np.arange(-1, most + 1))
        if strange.any():
            raise self._strange(answers, strange, f"whole numbers from -1 to {most}")

    def _strange(
        self, answers: NDArray[Any], strange: NDArray[np.bool_], allowed: str
    ) -> FormError:
        row, name = int(np.argmax(strange)), type(self).__name__
        remedy = ""
        if self.form is Form.CLASSES and answers.dtype.kind == "f":
            remedy = (
                f" If it shall answer with numbers, set form = Form.BOUNDED (or NUMBERS) on {name} "
                "and on its learner."
            )
        return FormError(
            f"a hypothesis of type {name} answered {answers[row].item()!r} in row {row}; by its "
            f"form, {self.form.name}, allowed are {allowed}.{remedy}"
        )


def named_shares(answers: NDArray[Any], n_classes: int) -> Floats:
    """One-hot rows: 1 for the label that an answer names; all 0 where it abstains.

    >>> named_shares(np.array([1, -1, 0]), 2).tolist()
    [[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
    """
    abstained = answers == (0 if n_classes <= 2 else -1)
    codes = (answers > 0) * (n_classes - 1) if n_classes <= 2 else answers
    return np.asarray(np.eye(n_classes)[np.where(abstained, 0, codes)] * ~abstained[:, None])


@dataclass(frozen=True, slots=True)
class Stump(Hypothesis):
    """One test on one feature, and an answer for each outcome.

    The test is x > threshold, or x = ``category``, or multiway, which answers ``by_category``.
    ``high`` is the answer where it holds, ``low`` where not, ``missing`` where the value is missing
    or an unseen category.
    """

    test: int
    feature: int
    threshold: float
    category: int
    low: int
    high: int
    missing: int
    by_category: tuple[int, ...] | None = None

    reads_cells = True

    @property
    def constant(self) -> bool:
        """Whether the answer is the same for every value of training, missing or not."""
        return self.test == CONSTANT and self.missing == self.high

    def __call__(self, rows: Rows) -> NDArray[np.int64]:
        x = rows.column(self.feature)
        if x.dtype.kind == "i":
            missing = x < 0
            if self.test == EQUALITY:
                answers = np.where(x == self.category, self.high, self.low)
            elif self.by_category is not None:
                answers = np.array(self.by_category, dtype=np.int64)[np.where(missing, 0, x)]
            else:
                answers = np.full(len(x), self.high)
        else:
            missing = np.isnan(x)
            answers = np.where(x > self.threshold, self.high, self.low)
        return np.where(missing, self.missing, answers)

    def judge(self, sample: Sample) -> Correctness:
        answers = self.by_category
        correct: Correctness = sample.coded.judge(
            feature=self.feature,
            test=self.test,
            threshold=self.threshold,
            category=self.category,
            low=self.low,
            high=self.high,
            missing=self.missing,
            by_category=None if answers is None else np.array(answers, np.int32),
            labels=sample.y,
            threads=sample.engine.threads,
        )
        return correct

    def importances(self, n_features: int) -> NDArray[np.float64]:
        shares = np.zeros(n_features)
        shares[self.feature] = 0.0 if self.constant else 1.0
        return shares


class Oracle(Protocol):
    """A learner bound to a sample: called with weights and a target, it returns a hypothesis."""

    def __call__(self, D: Distribution, z: NDArray[Any], key: int = 0) -> Hypothesis: ...


class WeakLearner(ABC):
    """Finds hypotheses; it never sees a loss, a booster or a round's history.

    ``form`` is that of its hypotheses, and ``binning`` how it wants columns to be coded.
    ``over_partitions``: it finds the same where the rows lie in several partitions.
    """

    over_partitions: ClassVar[bool] = False

    @property
    def form(self) -> Form:
        """The form of its hypotheses."""
        return Form.CLASSES

    @property
    def title(self) -> str:
        """What messages call it: the name of its class, or what the user gave."""
        return type(self).__name__

    @property
    def binning(self) -> Binning:
        """How the columns of its samples are binned."""
        return OPENED

    @abstractmethod
    def bind(self, sample: Sample) -> Oracle:
        """An oracle over one sample. It may keep scratch, never anything that changes an answer."""


class NoHypothesis(Exception):
    """Raised by a learner that found no hypothesis good enough; the message gives the reason."""
