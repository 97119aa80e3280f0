"""One example at a time: mistakes against their bound, and hypotheses for a batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.types import Floats
from ...online import OnlinePerceptron, large_gap, random_stopping
from .. import bounds
from .trials import Coverage, Curve, Expectation, coverage, expectation


def separated(
    n: int, gamma: float, rng: np.random.Generator, n_features: int = 5
) -> tuple[Floats, NDArray[np.int64]]:
    """Examples of length 1, labelled by a halfspace that none is nearer to than gamma."""
    normal = np.eye(n_features)[0]
    rest = rng.normal(size=(n, n_features - 1))
    rest /= np.linalg.norm(rest, axis=1, keepdims=True)
    along = rng.uniform(gamma, 1, size=n) * rng.choice([-1, 1], size=n)
    rows = np.column_stack([along, np.sqrt(1 - along**2)[:, None] * rest])
    return rows, np.where(rows @ normal > 0, 1, -1)


def mistakes(
    gammas: tuple[float, ...] = (0.5, 0.2, 0.1, 0.05),
    *,
    n: int = 400,
    passes: int = 1,
    seed: int = 0,
) -> Curve:
    """Mistakes of the perceptron on examples of margin gamma, beside 1/gamma^2.

    >>> mistakes().holds
    True
    """
    made = []
    for k, gamma in enumerate(gammas):
        X, y = separated(n, gamma, np.random.default_rng([seed, k]))
        learner = OnlinePerceptron()
        for _ in range(passes):
            learner.run(X, y)
        made.append(float(learner.mistakes))
    allowed = np.asarray(bounds.perceptron_mistakes(list(gammas)))
    return Curve("gamma", np.array(gammas), np.array(made), allowed)


def _endless(gamma: float, rng: np.random.Generator) -> Iterator[tuple[Any, int]]:
    while True:
        yield from zip(*separated(256, gamma, rng))


def _error(hypothesis: Any, gamma: float, rng: np.random.Generator, n: int = 2000) -> float:
    X, y = separated(n, gamma, rng)
    w = np.zeros(X.shape[1]) if hypothesis.w is None else np.ravel(hypothesis.w)
    return float(np.mean(np.where(X @ w > 0, 1, -1) != y))


def stopped_at_random(
    *, gamma: float = 0.3, eps: float = 0.1, trials: int = 200, seed: int = 0
) -> Expectation:
    """The expected error of a perceptron stopped at random is at most eps.

    >>> stopped_at_random(trials=20).holds
    True
    """
    M = float(bounds.perceptron_mistakes(gamma))

    def error(rng: np.random.Generator) -> float:
        found = random_stopping(
            OnlinePerceptron(), _endless(gamma, rng), M=M, eps=eps, random_state=rng
        )
        return _error(found.hypothesis, gamma, rng)

    return expectation(error, eps, trials=trials, seed=seed)


def after_a_gap(
    *, gamma: float = 0.2, eps: float = 0.1, delta: float = 0.1, trials: int = 200, seed: int = 0
) -> Coverage:
    """A perceptron that was right for long enough has an error of at most eps.

    >>> after_a_gap(trials=20).holds
    True
    """

    def trial(rng: np.random.Generator) -> tuple[float, float]:
        found = large_gap(OnlinePerceptron(), _endless(gamma, rng), eps=eps, delta=delta)
        return _error(found.hypothesis, gamma, rng), eps

    return coverage(trial, delta, trials=trials, seed=seed)
