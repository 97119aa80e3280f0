"""Learners of few mistakes: disjunctions, with the adversary that forces some, and halving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import log2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.types import Bools
from .protocol import OnlineLearner, sign_of


class DisjunctionLearner(OnlineLearner):
    """Starts with the OR of all variables, and drops those that are 1 in a negative example.

    x holds 0 and 1; it is called positive where a kept variable is 1. A false positive drops every
    variable that is 1 in it; nothing else changes anything.

    Guarantee: where the labels are those of a disjunction, at most one mistake for each variable,
    and none on a positive example.

    >>> learner = DisjunctionLearner(3)
    >>> learner.predict([0, 1, 0]), learner.update([0, 1, 0], -1), learner.kept.tolist()
    (1, True, [0, 2])

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, section 6.4.1.
    """

    def __init__(self, d: int | None = None) -> None:
        self.mistakes = 0
        self.mask: Bools | None = None if d is None else np.ones(d, bool)

    @property
    def kept(self) -> NDArray[np.intp]:
        """The variables of the disjunction, by number."""
        return np.flatnonzero(np.zeros(0, bool) if self.mask is None else self.mask)

    def predict(self, x: Any) -> int:
        """+1 where a kept variable is 1, else -1."""
        bits = self._bits(x)
        return 1 if bits[self._begun(bits)].any() else -1

    def update(self, x: Any, y: Any) -> bool:
        """Drops the variables of a false positive."""
        bits, sign = self._bits(x), sign_of(y)
        return bool(self.learn(bits[None], np.array([sign]))[1][0])

    def learn(self, X: Bools, y: NDArray[Any]) -> tuple[NDArray[np.int64], Bools]:
        """One pass over rows of bits: the predictions, and a mask of the wrong ones.

        Only a false positive changes anything, and there are at most as many as variables: the
        kept variables of all rows are counted once, and less those dropped after each.
        """
        mask = self._begun(X[0]) if len(X) else np.zeros(0, bool)
        guesses = np.full(len(X), -1, np.int64)
        counts = X[:, mask].sum(axis=1) if len(X) else np.zeros(0, np.int64)
        i = 0
        while i < len(X):
            false = (counts[i:] > 0) & (y[i:] < 0)
            end = i + int(false.argmax()) if false.any() else len(X) - 1
            guesses[i : end + 1] = np.where(counts[i : end + 1] > 0, 1, -1)
            if false.any():
                dropped = mask & X[end]
                counts[end + 1 :] -= X[end + 1 :, dropped].sum(axis=1)
                mask = mask & ~dropped
            i = end + 1
        wrong = guesses != y
        if len(X):
            self.mask = mask
        self.mistakes += int(np.count_nonzero(wrong))
        return guesses, wrong

    def _begun(self, bits: Bools) -> Bools:
        return np.ones(len(bits), bool) if self.mask is None else self.mask

    def _bits(self, x: Any) -> Bools:
        values = np.asarray(x.toarray().ravel() if hasattr(x, "toarray") else x)
        if values.ndim != 1 or not ((values == 0) | (values == 1)).all():
            raise ValueError(f"x is {show(x)}; a disjunction is over variables that are 0 or 1.")
        if self.mask is not None and len(values) != len(self.mask):
            raise ValueError(
                f"x has {len(values)} variables, and the disjunction {len(self.mask)}; pass all of "
                "them."
            )
        return values.astype(bool)


class Duel(NamedTuple):
    """The labels that the adversary gave, the mistakes it forced, and a consistent target."""

    labels: list[int]
    mistakes: int
    target: list[int]


def adversary(learner: Any, d: int) -> Duel:
    """Shows a learner the unit vectors e_1 .. e_d, and labels each against its prediction.

    Guarantee: every deterministic learner makes d mistakes, though some disjunction labels all d
    examples so: the OR of the variables on which the learner said no.

    >>> adversary(DisjunctionLearner(3), 3)
    Duel(labels=[-1, -1, -1], mistakes=3, target=[])
    """
    labels = []
    for i in range(d):
        x = np.zeros(d, np.int64)
        x[i] = 1
        label = -sign_of(learner.predict(x))
        learner.update(x, label)
        labels.append(label)
    return Duel(labels, d, [i for i, label in enumerate(labels) if label > 0])


Signs = NDArray[np.int64]
MOST_SIZE = 10_000  # bits of a code word: votes are exact sums of numbers of so many bits


class HalvingLearner(OnlineLearner):
    """Predicts with the majority of the hypotheses consistent so far, and drops the others.

    Hypotheses are functions from x to -1 or +1, or the rows of a table of their answers, in which
    case x is the number of a column. With ``sizes``, the lengths of the hypotheses in a prefix-free
    code, each votes with weight 2^-size. A tied vote is +1.

    Guarantee: where one of the hypotheses is never wrong, at most lg |H| mistakes, and with sizes
    at most the size of that hypothesis: each mistake at least halves the weight that is left.

    >>> learner = HalvingLearner([[1, 1, -1], [1, -1, -1], [-1, 1, 1]])
    >>> trace = learner.run([(0, -1), (1, 1), (2, 1)])
    >>> trace.mistakes, learner.alive.tolist()
    (1, [2])

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, section 6.4.2.
    """

    conservative = False

    def __init__(
        self,
        hypotheses: Any,
        sizes: Sequence[int] | NDArray[Any] | None = None,
        on_empty: str = "raise",
    ) -> None:
        self._answers = _answers(hypotheses)
        self.n_hypotheses = len(hypotheses)
        self._sizes = None if sizes is None else _checked(sizes, self.n_hypotheses)
        self._on_empty = on_empty
        self.mistakes = 0
        self.mask = np.ones(self.n_hypotheses, bool)

    @property
    def alive(self) -> NDArray[np.intp]:
        """The hypotheses never wrong so far, by number."""
        return np.flatnonzero(self.mask)

    def bound(self, target: int | None = None) -> float:
        """The largest number of mistakes if some hypothesis (this one) is never wrong."""
        if self._sizes is None:
            return log2(self.n_hypotheses)
        return float(max(self._sizes) if target is None else self._sizes[target])

    def predict(self, x: Any) -> int:
        """The label of most weight among the remaining hypotheses; +1 on a tie."""
        return self._vote(self._answers(x, self.mask))

    def update(self, x: Any, y: Any) -> bool:
        """Drops the hypotheses that do not answer y."""
        sign = sign_of(y)
        answers = self._answers(x, self.mask)
        wrong = self._vote(answers) != sign
        left = self.mask.copy()
        left[self.mask] = answers == sign
        if not left.any() and self._on_empty == "raise":
            raise ValueError(
                "no hypothesis is consistent with the examples and this one: the theorem asks for "
                "a target among the hypotheses; add it, leave the example out, or set "
                "on_empty='positive'."
            )
        self.mask = left
        self.mistakes += wrong
        return wrong

    def decision(self, x: Any) -> float:
        """The weight for +1 less that for -1, over the remaining weight; 0 where none remains."""
        answers = self._answers(x, self.mask)
        if len(answers) == 0:
            return 0.0
        return float(Fraction(self._lead(answers), sum(1 << height for height in self._heights())))

    def _vote(self, answers: Signs) -> int:
        return 1 if self._lead(answers) >= 0 else -1

    def _lead(self, answers: Signs) -> int:
        """The weight for +1 less that for -1, in integers, so that a tie is a tie."""
        if self._sizes is None:
            return int(answers.sum())
        heights = np.array(self._heights(), np.int64)
        by_height = {h: int(answers[heights == h].sum()) for h in np.unique(heights).tolist()}
        return sum(lead << height for height, lead in by_height.items())

    def _heights(self) -> list[int]:
        """The weights of the remaining hypotheses, as powers of two."""
        if self._sizes is None:
            return [0] * int(np.count_nonzero(self.mask))
        sizes = [size for size, left in zip(self._sizes, self.mask.tolist()) if left]
        longest = max(sizes, default=0)
        return [longest - size for size in sizes]


def kraft(sizes: Sequence[int]) -> Fraction:
    """The sum of 2^-size, which is at most 1 for a prefix-free code and for no other lengths.

    >>> kraft([1, 2, 3, 3])
    Fraction(1, 1)
    """
    longest = max(sizes)
    return Fraction(sum(1 << (longest - size) for size in sizes), 1 << longest)


def _checked(sizes: Any, n: int) -> list[int]:
    given = np.asarray(sizes)
    whole = given.shape == (n,) and given.dtype.kind in "iu"
    if not whole or (given < 0).any() or (given > MOST_SIZE).any():
        raise ValueError(
            f"sizes={show(sizes)} is not allowed: it must be {n} whole numbers of at least 0 and "
            f"at most {MOST_SIZE:,}, the length of each hypothesis in a code."
        )
    lengths: list[int] = given.tolist()
    total = kraft(lengths)
    if total > 1:
        raise ValueError(
            f"the sizes have a Kraft sum of {float(total):g}, and a prefix-free code has at most "
            "1: lengthen some of them."
        )
    return lengths


def _answers(hypotheses: Any) -> Callable[[Any, Bools], Signs]:
    """A function that gives the answers of the remaining hypotheses."""
    n = len(hypotheses) if np.ndim(hypotheses) or isinstance(hypotheses, (list, tuple)) else 0
    if n == 0:
        raise ValueError(
            "hypotheses is empty; pass functions from x to -1 or +1, or a table of such answers."
        )
    if all(callable(h) for h in hypotheses):
        return lambda x, left: np.array(
            [sign_of(h(x)) for h, still in zip(hypotheses, left.tolist()) if still], np.int64
        )
    table = np.asarray(hypotheses)
    if table.ndim != 2 or table.dtype.kind not in "ifub" or not np.isin(table, (-1, 1)).all():
        raise ValueError(
            "hypotheses must be functions from x to -1 or +1, or a table of such answers, a row "
            "for each hypothesis."
        )
    signs = table.astype(np.int64)

    def column(x: Any, left: Bools) -> Signs:
        return np.asarray(signs[left, _place(x, signs.shape[1])])

    return column


def _place(x: Any, n: int) -> int:
    item = np.asarray(x)
    if item.size != 1 or item.dtype.kind not in "iuf" or item.ravel()[0] % 1 != 0:
        raise ValueError(
            f"x is {show(x)}; where hypotheses are a table, it is the number of a column of it."
        )
    place = int(item.ravel()[0])
    if not 0 <= place < n:
        raise ValueError(f"x is {place}; the table of hypotheses has the columns 0 to {n - 1}.")
    return place
