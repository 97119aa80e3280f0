"""Small games of two classes, and learners that keep or break the promise of an edge."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.samples import sample_of
from weaklearn import BoostingWarning
from weaklearn.testing import AdversaryLearner, CoinLearner, FlakyLearner, NoisyLearner

LEARNERS = [
    None,
    CoinLearner(1),
    NoisyLearner(0.2, 1),
    AdversaryLearner(0.05),
    AdversaryLearner(0.15),
    FlakyLearner(success_probability=0.7, random_state=1),
]


@st.composite
def problems(draw: Any) -> tuple[Any, Any, Any]:
    """Rows of small whole numbers, labels -1 and +1, and weights: none, whole or others."""
    m, d = draw(st.integers(2, 14)), draw(st.integers(1, 3))
    row = st.lists(st.integers(0, 4), min_size=d, max_size=d)
    X = np.array(draw(st.lists(row, min_size=m, max_size=m)), dtype=float)
    y = np.array(draw(st.lists(st.sampled_from([-1, 1]), min_size=m, max_size=m)))
    y[:2] = [-1, 1]
    kinds = [None, st.integers(1, 5), st.floats(0.1, 9)]
    kind = draw(st.sampled_from(kinds))
    w = None if kind is None else np.array(draw(st.lists(kind, min_size=m, max_size=m)))
    return X, y, w


def quietly(fit: Callable[[], Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoostingWarning)
        return fit()


def shares(m: int, w: Any) -> Any:
    """D_1 in plain numpy."""
    return np.full(m, 1 / m) if w is None else w / w.sum()


def answers(model: Any, X: Any, y: Any, w: Any) -> list[Any]:
    """What each member says of the training rows."""
    sample = sample_of(X, y, w)
    return [np.asarray(h(sample), float) for h in model.ensemble_.members]
