"""Trees fitted to numbers, against a search by brute force."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.regression import least_squares
from tests.samples import sample_of
from weaklearn.learners.adapters import BOOSTED_REGRESSION, RegressionLearner
from weaklearn.learners.tree import ORDERED

STUMP = RegressionLearner(replace(BOOSTED_REGRESSION, max_depth=1, missing="branch"))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_the_stump_of_least_squares(seed: int, weighted: bool, gaps: bool) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, size=(20, 3)).astype(float)
    X[:2] = [[0, 0, 0], [1, 1, 1]]
    if gaps:
        X[rng.random(X.shape) < 0.15] = np.nan
        X[:2] = [[0, 0, 0], [1, 1, 1]]
    z = np.round(rng.normal(size=20), 2)
    w = rng.integers(1, 4, 20) if weighted else np.ones(20, int)
    sample = sample_of(X, np.zeros(20), w, regression=True, binning=ORDERED)
    h = STUMP.bind(sample)(sample.prior, z)
    wanted = least_squares(X, z, w / w.sum())
    own, best = (np.average((z - f(sample)) ** 2, weights=w) for f in (h, wanted))
    assert own <= best + 1e-9 * np.average(z**2, weights=w)
    assert h.reach == pytest.approx(np.abs(h(sample)).max())


def test_the_target_is_the_one_asked_for_and_not_the_labels() -> None:
    X = np.arange(8.0)[:, None]
    labels = np.array([-1, 1, -1, 1, -1, 1, -1, 1])
    sample = sample_of(X, labels, binning=ORDERED)
    z = np.where(X[:, 0] > 4.2, 5.0, 1.0)
    D = sample.engine.weights.distribution(8, None, None, None)
    h = STUMP.bind(sample)(D, z)
    assert h(sample).tolist() == z.tolist()
    assert h.tree.threshold[0] == 4.5
    assert h.importances(1).tolist() == [1.0]


def test_weights_pull() -> None:
    X = np.zeros((4, 1))
    z = np.array([0.0, 0.0, 1.0, 1.0])
    sample = sample_of(X, z, regression=True, binning=ORDERED)

    def mean(w: Any) -> float:
        D = sample.engine.weights.distribution(4, np.array(w, float), None, None)
        return float(STUMP.bind(sample)(D, z)(sample)[0])

    assert mean([1, 1, 1, 1]) == pytest.approx(0.5)
    assert mean([1, 1, 3, 3]) == pytest.approx(0.75)
