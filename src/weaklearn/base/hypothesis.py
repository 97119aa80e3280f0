"""Weak hypotheses and the learners that find them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .distribution import Distribution, Verdict
    from .sample import Rows, Sample


class Hypothesis(ABC):
    """A rule: rows in, answers out.

    Answers are -1, 0 (silent) or +1 for two classes, a class number (or -1, silent) for more.
    """

    @abstractmethod
    def __call__(self, rows: Rows) -> NDArray[Any]:
        """The answers on rows."""

    def judge(self, sample: Sample) -> Verdict:
        """The verdict on a sample: here by comparing answers with labels."""
        answers = np.asarray(self(sample))
        silent = answers == (0 if sample.binary else -1)
        side = np.where(silent, 0, np.where(answers == sample.y, 1, -1)).astype(np.int8)
        return sample.engine.weights.verdict(side)


class Oracle(Protocol):
    """A learner bound to a sample: asked with weights and a target, it gives a hypothesis."""

    def __call__(self, D: Distribution, z: NDArray[Any], key: int = 0) -> Hypothesis: ...


class WeakLearner(ABC):
    """Finds hypotheses; it never sees a loss, a booster or a round's history."""

    @abstractmethod
    def bind(self, sample: Sample) -> Oracle:
        """An oracle over one sample. It may keep scratch, never anything that changes an answer."""


class NoHypothesis(Exception):
    """The learner found nothing good enough; the message says why."""
