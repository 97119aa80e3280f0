"""Small games over labels, for the tests of every booster that plays them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.samples import sample_of
from weaklearn.base import History, play


@st.composite
def tables(draw: Any, one_label: bool = False) -> tuple[Any, Any, Any]:
    """Rows of small whole numbers, some missing; a table of labels -1 and +1; weights or none."""
    K = draw(st.integers(2, 5))
    m, d = draw(st.integers(K, 14)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.integers(0, 5, (m, d)).astype(float)
    if draw(st.booleans()):
        X[rng.random(X.shape) < 0.2] = np.nan
    X[0] = 0  # no column without a value
    if one_label:
        codes = rng.integers(0, K, m)
        codes[:K] = np.arange(K)
        Y = np.where(np.arange(K) == codes[:, None], 1, -1)
    else:
        Y = rng.choice([-1, 1], (m, K), p=[0.6, 0.4])
        Y[0, :2] = 1, -1  # something to rank
    weights = draw(st.sampled_from([None, rng.integers(1, 5, m), rng.random(m) + 0.1]))
    return X, Y.astype(np.int8), weights


def labelled(X: Any, Y: Any, weights: Any = None, threads: int = 1) -> Any:
    """A sample whose rows may have several labels, or any table of signs."""
    m, K = Y.shape
    sample = sample_of(X, np.arange(m) % 2, weights, threads=threads)
    signs = np.ascontiguousarray(Y, np.int8)
    return replace(sample, y=signs, n_classes=K, classes=np.arange(K))


def played(booster: Any, sample: Any, learner: Any, T: int) -> Any:
    """A game to its end, with the distribution before each round."""
    learn, before = learner.bind(sample), []

    class Watched:
        def __call__(self, D: Any, z: Any, key: int = 0) -> Any:
            before.append(D.array)
            return learn(D, z, key)

    state = booster.begin(sample)
    run = play(booster, sample, Watched(), state=state, history=History(), n_rounds=T)
    return run, before


def first_weights(X: Any, weights: Any) -> Any:
    return np.ones(len(X)) if weights is None else np.asarray(weights, float)
