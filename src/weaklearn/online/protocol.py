"""The protocol of online learning, the trace of a run, and a single hypothesis out of one."""

from __future__ import annotations

import copy
import math
import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show


@dataclass(frozen=True, eq=False)
class Trace:
    """The record of a run, one entry per example, in order.

    ``predictions`` were made before the ``labels`` were known; ``scores`` are the numbers behind
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
        raise ValueError(f"y is {show(y)}; an online learner of two classes takes -1 or 1.")
    return int(y)


@dataclass(frozen=True)
class Stopped:
    """A hypothesis taken from an online run.

    ``complete`` tells whether the examples sufficed, ``holds`` whether all that the theorem asks
    for was so. ``n_examples`` were used, ``mistakes`` made on them; the hypothesis was in force
    before the example number ``chosen``, counted from 0.
    """

    hypothesis: Any
    n_examples: int
    n_wanted: int
    mistakes: int
    chosen: int
    complete: bool
    holds: bool

    def predict(self, x: Any) -> Any:
        """The label of x."""
        return self.hypothesis.predict(x)


def random_stopping(
    learner: Any,
    sequence: Any,
    labels: Any = None,
    *,
    M: float,
    eps: float,
    random_state: Any = None,
) -> Stopped:
    r"""The hypothesis in force before an example chosen uniformly among M/eps.

    Guarantee: where examples are drawn independently and the learner makes at most M mistakes (on
    average over the draws is enough), the hypothesis errs with probability at most eps on average:
    each of the n = ceil(M/eps) hypotheses meets a fresh example, and together they err M times.

    Parameters
    ----------
    learner : OnlineLearner, or an estimator that has ``online``
        Goes over the examples once; it is changed.
    sequence, labels :
        Pairs (x, y), perhaps endless, or rows x whose labels stand beside them.
    M : float of at least 0
        The mistake bound.
    eps : float above 0 and below 1
    random_state : int or Generator, optional

    >>> from weaklearn.online import OnlinePerceptron
    >>> line = [([x / 8], 1 if x > 0 else -1) for x in (3, -5, 8, -1, 4, -7, 2, 6)] * 4
    >>> found = random_stopping(OnlinePerceptron(), line, M=1, eps=0.1, random_state=3)
    >>> found.n_examples, found.mistakes, found.chosen, found.predict([0.9])
    (10, 1, 9, 1)

    Reference: Littlestone (1989), From On-Line to Batch Learning.
    """
    if isinstance(M, bool) or not isinstance(M, numbers.Real) or not 0 <= M < math.inf:
        raise ValueError(f"M is {show(M)}; a mistake bound must be a finite number of at least 0.")
    _probability("eps", eps)
    n_wanted = math.ceil(_exactly(M) / _exactly(eps))
    pupil, rng = _pupil(learner), np.random.default_rng(0 if random_state is None else random_state)
    hypothesis, chosen, n, mistakes = pupil.hypothesis(), 0, 0, 0
    for x, y in islice(pairs(sequence, labels), n_wanted):
        n += 1
        if rng.integers(n) == 0:  # each of n examples stays chosen with probability 1/n
            hypothesis, chosen = pupil.hypothesis(), n - 1
        mistakes += bool(pupil.update(x, y))
    complete = n == n_wanted
    return Stopped(hypothesis, n, n_wanted, mistakes, chosen, complete, complete and mistakes <= M)


def large_gap(
    learner: Any,
    sequence: Any,
    labels: Any = None,
    *,
    eps: float,
    delta: float,
    random_state: Any = None,
) -> Stopped:
    r"""The hypothesis that was right for so many examples in a row that its error must be small.

    After the i-th mistake (i = 0, 1, ...) the run ends as soon as

    .. math:: \lceil \tfrac{1}{\varepsilon} \ln \tfrac{(i+2)^2}{\delta} \rceil

    predictions in a row were right. No mistake bound has to be known.

    Guarantee: where examples are drawn independently, the hypothesis of a conservative learner errs
    with probability at most eps, with confidence 1 - delta: one of error above eps passes its test
    with probability at most delta/(i + 2)^2, and these sum to less than delta. A learner that also
    changes on right predictions has a new hypothesis at each: one of those of the gap is drawn, and
    it is the average of their errors that is small.

    Parameters
    ----------
    learner : OnlineLearner, or an estimator that has ``online``
        Learns until the run ends; it is changed.
    sequence, labels :
        Pairs (x, y), perhaps endless, or rows x whose labels stand beside them.
    eps, delta : float above 0 and below 1
    random_state : int or Generator, optional
        Draws among the hypotheses of the gap, where they differ.

    >>> from weaklearn.online import OnlinePerceptron
    >>> line = [([x / 8], 1 if x > 0 else -1) for x in (3, -5, 8, -1, 4, -7, 2, 6)] * 20
    >>> found = large_gap(OnlinePerceptron(), line, eps=0.1, delta=0.05)
    >>> found.complete, found.mistakes, found.n_examples
    (True, 1, 53)

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, section 6.4.4.
    """
    _probability("eps", eps)
    _probability("delta", delta)
    pupil, rng = _pupil(learner), np.random.default_rng(0 if random_state is None else random_state)
    conservative = bool(pupil.conservative)
    hypothesis, chosen, n, mistakes, run = None, 0, 0, 0, 0
    wanted = _run(0, eps, delta)
    for x, y in pairs(sequence, labels):
        run += 1
        if not conservative and rng.integers(run) == 0:
            hypothesis, chosen = pupil.hypothesis(), n
        n += 1
        if pupil.update(x, y):
            mistakes += 1
            run, wanted = 0, _run(mistakes, eps, delta)
        elif run == wanted:
            break
    if conservative or hypothesis is None:
        hypothesis, chosen = pupil.hypothesis(), n
    complete = run == wanted
    return Stopped(hypothesis, n, n + wanted - run, mistakes, chosen, complete, complete)


def _run(i: int, eps: float, delta: float) -> int:
    """The number of right predictions in a row that ends a run after i mistakes."""
    return math.ceil(math.log((i + 2) ** 2 / delta) / eps)


def _pupil(learner: Any) -> OnlineLearner:
    if not isinstance(learner, OnlineLearner) and hasattr(learner, "online"):
        learner = learner.online()
    if not isinstance(learner, OnlineLearner):
        raise TypeError(
            f"learner is a {type(learner).__name__}; it must be an OnlineLearner, which has "
            "predict(x) and update(x, y), or an estimator that has online()."
        )
    return learner


def _exactly(x: float) -> Fraction:
    """The decimal value of a number as an exact fraction: 0.1 is one tenth."""
    return Fraction(str(x)) if isinstance(x, (float, np.floating)) else Fraction(x)


def _probability(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 < float(value) < 1:
        raise ValueError(f"{name} is {show(value)}; it must be above 0 and below 1.")
