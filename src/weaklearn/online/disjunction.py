"""Online learning of disjunctions, and the adversary that forces d mistakes on any learner."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
            raise ValueError(f"x is {x!r}; a disjunction is over variables that are 0 or 1.")
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
