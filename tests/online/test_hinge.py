"""Least hinge loss: 0 exactly where rows can be separated, and never below the mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from weaklearn.online.svm import least_hinge

SMALL = st.integers(-4, 4).map(float)


@st.composite
def samples(draw: Any) -> tuple[Any, Any, Any]:
    n, d = draw(st.integers(1, 25)), draw(st.integers(1, 4))
    X = draw(arrays(np.float64, (n, d), elements=SMALL))
    y = draw(arrays(np.float64, n, elements=st.sampled_from([-1.0, 1.0])))
    cost = draw(arrays(np.float64, n, elements=st.integers(1, 3).map(float)))
    return X, y, cost


@settings(max_examples=60, deadline=None)
@given(samples(), st.integers(0, 10**6))
def test_no_halfspace_does_better(sample: tuple[Any, Any, Any], seed: int) -> None:
    X, y, cost = sample
    found = least_hinge(X, y, cost)
    margins = y * (X @ found.w)
    assert abs(found.total - found.bound) <= 1e-7 * (1 + cost.sum())
    assert found.total <= cost.sum() + 1e-7  # that of w = 0
    assert found.total >= cost[margins <= 1e-9].sum() - 1e-7
    rng = np.random.default_rng(seed)
    for w in (*rng.normal(size=(5, X.shape[1])), found.w + 0.1 * rng.normal(size=X.shape[1])):
        assert (cost * np.maximum(0, 1 - y * (X @ w))).sum() >= found.total - 1e-7
    if found.total < 1e-9:  # strictly separable, through the origin
        assert (margins > 0).all()


@settings(max_examples=30, deadline=None)
@given(samples(), st.integers(0, 10**6))
def test_what_can_be_separated_costs_nothing(sample: tuple[Any, Any, Any], seed: int) -> None:
    X, _, cost = sample
    w = np.random.default_rng(seed).normal(size=X.shape[1])
    keep = np.abs(X @ w) > 1e-3
    X, y = X[keep], np.sign(X @ w)[keep]
    if len(X):
        assert least_hinge(X, y, cost[keep]).total <= 1e-7
        sparse = least_hinge(sp.csr_array(X), y, cost[keep])
        assert sparse.total <= 1e-7
