"""The kernel perceptron: the examples it was wrong on, and their labels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..base.history import History
from ..base.types import Bools, Floats
from .descent import shuffled
from .kernels import Kernel, KernelSum
from .points import Points, count, take
from .protocol import OnlineLearner, Trace, pairs, sign_of

_AT_ONCE = 256  # rows whose kernels with one another are computed at a time
_CACHE = 2**26  # kernels kept while a batch is gone over


class Mistakes(KernelSum):
    """The examples that were mistakes, with their labels."""

    def learn(self, X: Points, y: Floats, threads: int = 1) -> tuple[Floats, Bools]:
        """One pass over examples: the scores before each update, and a mask of the mistakes."""
        n = count(X)
        scores, wrong = np.empty(n), np.zeros(n, bool)
        for first in range(0, n, _AT_ONCE):
            part = slice(first, min(n, first + _AT_ONCE))
            scores[part], wrong[part] = self._learn(X[part], y[part], first, threads)
        return scores, wrong

    def _learn(self, X: Points, y: Floats, first: int, threads: int) -> tuple[Floats, Bools]:
        scores = self.scores(X, threads)
        wrong = np.zeros(len(y), bool)
        between = None if len(y) == 1 else self.kernel.gram(X, threads=threads)
        for i in range(len(y)):
            if y[i] * scores[i] > 0:
                continue
            itself = self.kernel.diagonal(X[i : i + 1])[0] if between is None else between[i, i]
            check_length(float(itself), first + i)
            wrong[i] = True
            if between is not None:
                scores[i + 1 :] += y[i] * between[i, i + 1 :]
        if wrong.any():
            self.add(take(X, np.flatnonzero(wrong)), y[wrong])
        return scores, wrong


class OnlineKernelPerceptron(OnlineLearner):
    """Keeps the examples it was wrong on: score(x) = sum of y_i K(x_i, x) over them.

    A score of 0 is a mistake whatever the label. With the linear kernel this is the perceptron,
    with any other the perceptron on the map that the kernel stands for.

    >>> from weaklearn.online.kernels import Polynomial
    >>> learner = OnlineKernelPerceptron(Polynomial(2))
    >>> trace = learner.run([([1, 0], 1), ([0, 0], -1), ([-1, 0], 1), ([0, 1], -1)])
    >>> trace.scores.tolist(), trace.mistakes
    ([0.0, 1.0, -1.0, 1.0], 4)
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self._known = Mistakes(kernel)

    @property
    def mistakes(self) -> int:  # type: ignore[override]
        """How many examples had a score of the wrong sign, or of 0."""
        return len(self._known.coefficients)

    def decision(self, x: Any) -> float:
        """The sum of y_i K(x_i, x) over the mistakes so far."""
        return float(self._known.scores(self.kernel.points([x]))[0])

    def predict(self, x: Any) -> int:
        """+1 where the score is above 0, else -1."""
        return 1 if self.decision(x) > 0 else -1

    def update(self, x: Any, y: Any) -> bool:
        """Keeps x where its score has not the sign of y."""
        sign = np.array([sign_of(y)], np.float64)
        return bool(self._known.learn(self.kernel.points([x]), sign)[1][0])

    def run(self, sequence: Any, labels: Any = None) -> Trace:
        """Predicts and learns one example after the other."""
        examples = list(pairs(sequence, labels))
        y = np.array([sign_of(label) for _, label in examples], np.float64)
        if len(examples) == 0:
            return super().run(examples)
        scores, wrong = self._known.learn(self.kernel.points([x for x, _ in examples]), y)
        signs = np.where(scores > 0, 1, -1)
        return Trace(signs, y.astype(np.int64), scores, wrong)


class Pocket(NamedTuple):
    """The result of passes over a batch.

    ``times`` is how often each row was a mistake, by the sign of its label, of the answer: the
    last one where a pass was ``clean``, else the one with the fewest training ``errors``.
    """

    times: Floats
    history: History
    clean: bool
    errors: int

    @property
    def mistakes(self) -> int:
        return int(self.history["mistakes"].sum())


def go_over(
    kernel: Kernel, X: Points, y: Floats, most: int, threads: int = 1, seed: int | None = None
) -> Pocket:
    """Passes over a batch, until one makes no mistake or the limit is reached.

    The batch is taken in its order, or with a seed in a new one for each pass. The scores of all
    rows are kept up, so that a row that is right costs nothing, and a mistake costs the kernel of
    one row with all.
    """
    rows = _KernelRows(kernel, X, threads)
    n = len(y)
    f, times = np.zeros(n), np.zeros(n)
    best = (n + 1, times)
    history = History()
    clean = False
    while len(history) < most and not clean:
        order = np.arange(n) if seed is None else shuffled(n, seed, len(history))
        wrong, place = 0, 0
        while place < n:
            behind = (y * f)[order[place:]] <= 0
            if not behind.any():
                break
            place += int(behind.argmax()) + 1
            i = int(order[place - 1])
            f += y[i] * rows[i]
            times[i] += y[i]
            wrong += 1
            errors = int(np.count_nonzero(y * f <= 0))
            if errors < best[0]:
                best = (errors, times.copy())
        clean = wrong == 0
        history.append({"mistakes": wrong, "errors": best[0] if wrong else 0})
    answer = times if clean else best[1]
    return Pocket(answer, history, clean, 0 if clean else best[0])


class _KernelRows:
    """Rows of the kernel matrix, computed on demand and cached up to a size."""

    def __init__(self, kernel: Kernel, X: Points, threads: int) -> None:
        self._kernel, self._X, self._threads = kernel, X, threads
        self._kept: dict[int, Floats] = {}
        self._room = _CACHE // count(X)

    def __getitem__(self, i: int) -> Floats:
        found = self._kept.get(i)
        if found is None:
            found = self._kernel.gram(self._X, self._X[i : i + 1], threads=self._threads)[:, 0]
            check_length(float(found[i]), i)
            if len(self._kept) < self._room:
                self._kept[i] = found
        return found


def check_length(itself: float, row: int) -> None:
    """Raises for a row that the kernel maps to 0, which can never be classified rightly."""
    if not itself > 0:
        raise ValueError(
            f"K(x, x) is {itself:g} for row {row}, and the perceptron's theorem asks for a "
            "separator with y (w.x) > 0, which the zero vector never has; leave the row out, or "
            "add a constant to the kernel."
        )
