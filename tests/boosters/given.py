"""Labels with noise, and learners with given answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from weaklearn.base import Form, Hypothesis, WeakLearner


def noisy(seed: int, m: int = 60, flips: float = 0.2) -> tuple[Any, Any]:
    """Rows of small whole numbers with ties, and labels -1 and +1 of which some are flipped."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, size=(m, 3)).astype(float)
    y = np.where(X[:, 0] + X[:, 1] > 7, 1, -1)
    return X, np.where(rng.random(m) < flips, -y, y)


class Answers(Hypothesis):
    """The given answers, row by row."""

    def __init__(self, answers: Any) -> None:
        self.answers = np.asarray(answers)

    @property
    def form(self) -> Form:
        if np.isin(self.answers, (-1, 0, 1)).all():
            return Form.CLASSES
        return Form.BOUNDED if self.reach <= 1 else Form.NUMBERS

    @property
    def reach(self) -> float:
        return float(np.abs(self.answers).max())

    def __call__(self, rows: Any) -> Any:
        return self.answers


class Pool(WeakLearner):
    """Of some lists of answers the one that agrees best with the labels under D."""

    def __init__(self, answers: Any) -> None:
        self.answers = np.asarray(answers)

    def bind(self, sample: Any) -> Any:
        def learn(D: Any, z: Any, key: int = 0) -> Answers:
            return Answers(self.answers[int(np.argmax(self.answers @ (D.array * z)))])

        return learn


class Row(WeakLearner):
    """Some lists of answers in turn, whatever the weights."""

    def __init__(self, *answers: Any) -> None:
        self.answers = [np.asarray(a) for a in answers]

    def bind(self, sample: Any) -> Any:
        return lambda D, z, key=0: Answers(self.answers[key % len(self.answers)])
