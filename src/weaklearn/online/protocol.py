"""The protocol of online learning: predict, receive the label, update; and the trace of a run."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Trace:
    """The record of a run, one entry per example, in order.

    ``predictions`` were made before the ``labels`` were told; ``scores`` are the numbers behind
    them; ``mistake_flags`` tells which counted as mistakes. Where a learner does not count a
    prediction at all, as experts that all sleep, its flag is False. ``losses`` are what the
    predictions cost, where that is not 1 for a mistake.
    """

    predictions: NDArray[Any]
    labels: NDArray[Any]
    scores: NDArray[np.float64]
    mistake_flags: NDArray[np.bool_]
    losses: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.mistake_flags)

    @property
    def mistakes(self) -> int:
        """The number of mistakes."""
        return int(np.count_nonzero(self.mistake_flags))

    @property
    def curve(self) -> NDArray[np.int64]:
        """The number of mistakes after each example."""
        return np.cumsum(self.mistake_flags, dtype=np.int64)

    def regret(self, losses: Any) -> NDArray[np.float64]:
        """After each example the loss so far, less that of the best of some fixed competitors.

        ``losses`` are what the competitors lost: one entry per example, or one column a competitor.
        """
        theirs = np.asarray(losses, np.float64)
        if theirs.ndim not in (1, 2) or len(theirs) != len(self):
            raise ValueError(
                f"losses has shape {theirs.shape}; it must have {len(self)} rows, one an example, "
                "and a column for each competitor."
            )
        best = theirs.cumsum(axis=0).reshape(len(self), -1).min(axis=1, initial=np.inf)
        own = self.mistake_flags.astype(np.float64) if self.losses is None else self.losses
        return np.asarray(own.cumsum() - best)

    def __repr__(self) -> str:
        return f"Trace({len(self)} examples, {self.mistakes} mistakes)"


class OnlineLearner(ABC):
    """A learner of one example at a time: ``predict(x)``, then ``update(x, y)``.

    ``mistakes`` counts so far. A learner is ``conservative`` where its hypothesis changes only on
    a mistake. Subclasses give ``predict`` and ``update``, and ``decision`` where a number is
    behind the prediction.
    """

    conservative: bool = True
    mistakes: int = 0

    @abstractmethod
    def predict(self, x: Any) -> Any:
        """The label of x under the current hypothesis; nothing is learnt."""

    @abstractmethod
    def update(self, x: Any, y: Any) -> bool:
        """Learns that x has label y; returns whether the prediction was a mistake."""

    def decision(self, x: Any) -> float:
        """The score behind the prediction; the prediction itself where there is none."""
        return float(self.predict(x))

    def hypothesis(self) -> Self:
        """A copy of the current hypothesis, which later updates do not change."""
        return copy.deepcopy(self)

    def run(self, sequence: Any, labels: Any = None) -> Trace:
        """Predicts and learns one example after the other.

        ``sequence`` holds pairs (x, y), or rows x whose labels are given beside it.
        """
        steps: list[tuple[Any, Any, float, bool]] = []
        for x, y in pairs(sequence, labels):
            guess, score = self.predict(x), self.decision(x)
            steps.append((guess, y, score, self.update(x, y)))
        columns = list(zip(*steps)) or [(), (), (), ()]
        return Trace(
            np.array(columns[0]),
            np.array(columns[1]),
            np.array(columns[2], np.float64),
            np.array(columns[3], np.bool_),
        )


def pairs(sequence: Any, labels: Any = None) -> Iterable[tuple[Any, Any]]:
    """A sequence of examples as pairs (x, y)."""
    if labels is None:
        examples: Iterable[tuple[Any, Any]] = sequence
        return examples
    rows, given = list(sequence), list(labels)
    if len(rows) != len(given):
        raise ValueError(
            f"sequence has {len(rows)} rows and labels has {len(given)} entries; pass a label for "
            "each row."
        )
    return zip(rows, given)


def sign_of(y: Any) -> int:
    """The label, -1 or +1; raises for any other."""
    if isinstance(y, (bool, np.bool_, str)) or np.ndim(y) != 0 or y not in (-1, 1):
        raise ValueError(f"y is {y!r}; an online learner of two classes takes -1 or 1.")
    return int(y)
