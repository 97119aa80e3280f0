"""Online-to-batch conversion: a single hypothesis from an online run."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .protocol import OnlineLearner, pairs


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
        raise ValueError(f"M is {M!r}; a mistake bound must be a finite number of at least 0.")
    _probability("eps", eps)
    n_wanted = math.ceil(_exactly(M) / _exactly(eps))
    pupil, rng = _pupil(learner), np.random.default_rng(0 if random_state is None else random_state)
    hypothesis, chosen, n, mistakes = pupil.hypothesis(), 0, 0, 0
    for x, y in _first(pairs(sequence, labels), n_wanted):
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
    conservative = bool(getattr(pupil, "conservative", False))
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


def _first(examples: Any, n: int) -> Any:
    """Yields at most n examples, and consumes no more."""
    for _, example in zip(range(n), examples):
        yield example


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
        raise ValueError(f"{name} is {value!r}; it must be above 0 and below 1.")
