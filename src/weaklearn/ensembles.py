"""Averages of many predictors: bags of examples, members, out-of-bag predictions."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .base.numeric.hashing import keys_of_numbers, mixed, places, stream
from .base.sample import Sample, take_rows
from .base.types import Floats, Ints

_BAG = 0x424147  # the purpose of these draws, as the kernel of forests names it


def canonical_order(
    hashes: NDArray[np.uint64], y: NDArray[Any], importance: NDArray[np.float64] | None = None
) -> Ints:
    """The rows sorted by content (hash, label, weight), so that copies are neighbours."""
    own = keys_of_numbers(y) if y.ndim == 2 else _bits(y)
    keys = mixed(hashes + mixed(own))
    if importance is not None:
        keys = mixed(keys + _bits(importance))
    return np.argsort(keys, kind="stable").astype(np.int64)


def _bits(x: NDArray[Any]) -> NDArray[np.uint64]:
    if x.dtype.kind == "f":
        return (x.astype(np.float64) + 0.0).view(np.uint64)  # no negative zeros
    return x.astype(np.int64).view(np.uint64)


@dataclass(frozen=True, eq=False)
class Bags:
    """Draws of ``n_draws`` examples for every member, with replacement or without.

    Draws address examples by their place in an order given by their content, and are keyed by seed
    and member. So neither the order of rows nor copies against weights matter, members can be drawn
    in any order and on any thread, and a later member never changes an earlier one.

    ``order`` lists the rows, ``copies`` says how often each counts (None: once); with replacement
    a row is drawn in proportion to its ``importance``, where that is given.
    """

    order: Ints
    n_draws: int
    seed: int = 0
    replacement: bool = True
    copies: Ints | None = None
    importance: NDArray[np.float64] | None = None

    @property
    def n_examples(self) -> int:
        return len(self.order) if self.copies is None else int(self.copies.sum())

    @cached_property
    def _ends(self) -> Ints:
        assert self.copies is not None
        return np.cumsum(self.copies[self.order])

    @cached_property
    def _heights(self) -> NDArray[np.float64]:
        assert self.importance is not None
        return np.cumsum(self.importance[self.order])

    def places(self, member: int) -> Ints:
        """The examples drawn, as positions in the canonical order with copies expanded."""
        if not self.replacement:  # those of the smallest random numbers
            numbers = stream(self.n_examples, self.seed, member, _BAG)
            return np.argsort(numbers, kind="stable")[: self.n_draws]
        numbers = stream(self.n_draws, self.seed, member, _BAG)
        if self.importance is None:
            return places(numbers, self.n_examples)
        heights = self._heights
        fine = places(numbers, 2**52) * 2.0**-52 * heights[-1]
        drawn = np.searchsorted(heights, fine, side="right")
        return np.asarray(np.minimum(drawn, len(self.order) - 1))

    def rows(self, member: int) -> Ints:
        """The rows drawn, in canonical order; a row drawn twice is listed twice."""
        return self.order[self._lines(np.sort(self.places(member)))]

    def counts(self, member: int) -> Ints:
        """How often each row was drawn."""
        return np.bincount(self.rows(member), minlength=len(self.order))

    def _lines(self, places: Ints) -> Ints:
        """The index in the canonical order of each position."""
        if self.copies is None:
            return places
        return np.searchsorted(self._ends, places, side="right")

    @cached_property
    def row_of_example(self) -> Ints:
        """The row of every example, in canonical order."""
        return self.order if self.copies is None else np.repeat(self.order, self.copies[self.order])

    def unseen(self, member: int) -> NDArray[np.intp]:
        """The positions of the examples that the member's bag leaves out."""
        left = np.ones(self.n_examples, bool)
        left[self.places(member)] = False
        return np.flatnonzero(left)


@dataclass(frozen=True, eq=False)
class OutOfBag:
    """Sums of out-of-bag answers per example, and how many members gave one."""

    total: Floats  # (examples, outputs)
    count: NDArray[np.int64]

    @classmethod
    def empty(cls, n_examples: int, n_outputs: int) -> OutOfBag:
        """The sums before any member has answered."""
        return cls(np.zeros((n_examples, n_outputs)), np.zeros(n_examples, np.int64))

    def add(self, answers: Floats, unseen: NDArray[np.intp]) -> None:
        """Adds one member's answers to the examples that were not in its bag."""
        self.total[unseen] += answers
        self.count[unseen] += 1

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Mask of the examples that at least one bag leaves out."""
        return self.count > 0

    @property
    def average(self) -> Floats:
        """The out-of-bag answers; NaN where there is none."""
        with np.errstate(invalid="ignore"):
            return self.total / np.where(self.covered, self.count, np.nan)[:, None]


@dataclass(frozen=True)
class Constant:
    """A classifier that predicts one label, for bags that hold no other."""

    label: Any

    def predict(self, X: Any) -> NDArray[Any]:
        return np.repeat(np.array([self.label]), _length(X))


@dataclass(frozen=True, eq=False)
class Bagged:
    """The members, their average and their out-of-bag answers on the rows they were drawn from.

    Answers are labels -1 and +1, or numbers; or, for other labels, 1 in the column of the label.
    ``variance`` is that of the members' answers around the average, a measure of doubt.
    """

    members: list[Any]
    answers: Floats  # (members, rows) or (members, rows, classes)
    out_of_bag: OutOfBag
    y: NDArray[Any]
    classes: NDArray[Any] | None  # None for numbers

    @property
    def bagged_average(self) -> Floats:
        return np.asarray(self.answers.mean(axis=0))

    @property
    def variance(self) -> Floats:
        """The variance over the members, row by row (and class by class)."""
        return np.asarray(self.answers.var(axis=0))

    @property
    def oob_average(self) -> Floats:
        """The average of the out-of-bag answers; NaN for rows that are in every bag."""
        average = self.out_of_bag.average
        return average[:, 0] if self.answers.ndim == 2 else average

    @property
    def oob_covered(self) -> int:
        """The number of rows that at least one bag leaves out."""
        return int(self.out_of_bag.covered.sum())

    @property
    def oob_errors(self) -> int | float:
        """The number of covered rows misclassified out of bag; for regression the sum of squared
        errors.
        """
        covered = self.out_of_bag.covered
        predicted, y = self._decided(self.oob_average[covered]), self.y[covered]
        if self.classes is None:
            return float(((predicted - y) ** 2).sum())
        return int((predicted != y).sum())

    @property
    def oob_error_rate(self) -> float:
        """Errors over covered rows."""
        return self.oob_errors / self.oob_covered if self.oob_covered else float("nan")

    @property
    def prediction(self) -> NDArray[Any]:
        """The label or number for every row, by the average of all members."""
        return self._decided(self.bagged_average)

    def _decided(self, average: Floats) -> NDArray[Any]:
        """The labels of averages: 0 counts as -1, and the smallest label wins ties."""
        if self.classes is None:
            return average
        if average.ndim == 1:
            return np.where(average > 0, 1, -1)
        return np.asarray(self.classes[average.argmax(axis=1)])


def bag(learner: Any, X: Any, y: Any, indices: Sequence[Sequence[int]]) -> Bagged:
    """Trains a learner on each of the given bags and averages the members' predictions.

    Bag b lists rows of X, with repetition; member b is trained on these rows and nothing else, so
    that its thresholds lie between drawn points. ``learner`` is anything with fit and predict, or a
    weak learner of this library with a ``Sample`` for X. Labels -1 and +1 are averaged as numbers
    and decided by sign; other labels by plurality; floats are predicted.

    >>> from weaklearn import DecisionStumpClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [-1, -1, 1, 1]
    >>> found = bag(DecisionStumpClassifier(), X, y, [[0, 1, 2, 2], [0, 0, 3, 3]])
    >>> [stump.threshold_ for stump in found.members]
    [2.5, 2.5]
    >>> found.bagged_average.tolist(), found.oob_average.tolist()
    ([-1.0, -1.0, 1.0, 1.0], [nan, -1.0, 1.0, 1.0])
    >>> found.oob_covered, found.oob_error_rate
    (3, 0.0)
    """
    labels, n_rows = np.asarray(y), len(X) if isinstance(X, Sample) else _length(X)
    if len(labels) != n_rows:
        raise ValueError(f"X has {n_rows} rows, y has {len(labels)} values; pass one value a row.")
    bags = [_checked(drawn, b, n_rows) for b, drawn in enumerate(indices)]
    if not bags:
        raise ValueError("indices holds no bag; pass one list of rows a member.")
    signs = labels.dtype.kind in "if" and bool(np.isin(labels, (-1, 1)).all())
    classes = None if labels.dtype.kind == "f" and not signs else np.unique(labels)
    members, predicted = [], []
    for drawn in bags:
        member, answers = _train(learner, X, labels, drawn, classes is not None)
        members.append(member)
        wide = classes is not None and not signs
        predicted.append(answers[:, None] == classes if wide else answers)
    values = np.array(predicted, np.float64)
    out_of_bag = OutOfBag.empty(n_rows, 1 if values.ndim == 2 else values.shape[2])
    for answers, drawn in zip(values, bags, strict=True):
        unseen = np.setdiff1d(np.arange(n_rows), drawn)
        out_of_bag.add(answers.reshape(n_rows, -1)[unseen], unseen)
    return Bagged(members, values, out_of_bag, labels, classes)


def _checked(drawn: Sequence[int], b: int, n_rows: int) -> NDArray[np.intp]:
    rows = np.asarray(drawn)
    if rows.ndim != 1 or len(rows) == 0 or rows.dtype.kind not in "iu":
        raise ValueError(f"indices[{b}] must be a list of at least one row number.")
    strange = rows[(rows < 0) | (rows >= n_rows)]
    if len(strange):
        raise ValueError(f"indices[{b}] holds {strange[0]}; rows are 0 to {n_rows - 1}.")
    return rows.astype(np.intp)


def _train(
    learner: Any, X: Any, y: NDArray[Any], drawn: NDArray[np.intp], labelled: bool
) -> tuple[Any, NDArray[Any]]:
    """One member, and its predictions on all rows."""
    if isinstance(X, Sample):
        rows, copies = np.unique(drawn, return_counts=True)
        part = replace(X.subset(rows, copies.astype(np.int64)), y=np.ascontiguousarray(y[rows]))
        hypothesis = learner.bind(part)(part.prior, part.y)
        return hypothesis, np.asarray(hypothesis(X))
    if labelled and (y[drawn] == y[drawn[0]]).all():  # which many classifiers refuse
        constant = Constant(y[drawn[0]])
        return constant, constant.predict(X)
    member = _fresh(learner).fit(take_rows(X, drawn), y[drawn])
    return member, np.asarray(member.predict(X))


def _fresh(learner: Any) -> Any:
    """An unfitted copy."""
    if not hasattr(learner, "get_params"):
        return copy.deepcopy(learner)
    return type(learner)(**copy.deepcopy(learner.get_params(deep=False)))


def _length(X: Any) -> int:
    shape = getattr(X, "shape", None)
    return int(shape[0]) if shape else len(X)
