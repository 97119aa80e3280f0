"""Games of two classes on small samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.samples import sample_of
from weaklearn.base import History, play
from weaklearn.learners import StumpLearner


def played(booster: Any, sample: Any, n_rounds: int, learner: Any = None) -> Any:
    learn = (learner or StumpLearner()).bind(sample)
    start = booster.begin(sample)
    return play(booster, sample, learn, state=start, history=History(), n_rounds=n_rounds)


def noisy(seed: int, m: int = 12, d: int = 2) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, size=(m, d)).astype(float)
    y = np.where(X.sum(axis=1) > 2.5 * d, 1, -1) * rng.choice([1, 1, 1, -1], m)
    y[:2] = [-1, 1]
    return X, y


def pool(seed: int, m: int = 14, n: int = 6) -> tuple[Any, Any, Any]:
    """A sample without structure, and a pool of hypotheses that are silent here and there."""
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], m)
    y[:2] = [-1, 1]
    H = rng.choice([-1, 0, 1], size=(m, n), p=[0.4, 0.2, 0.4])
    H[0], H[1] = y[0], -y[1]  # each is right somewhere, and wrong somewhere
    return sample_of(np.arange(float(m))[:, None], y), y[:, None] * H, H
