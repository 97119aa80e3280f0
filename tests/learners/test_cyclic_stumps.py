"""The best stump of one feature after another."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.samples import same_bits, sample_of
from weaklearn.base.sample import WRONG
from weaklearn.learners import StumpLearner
from weaklearn.learners.hypothesis_pool import StumpTurns


def test_each_turn_has_the_best_stump_of_its_feature() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 300, size=(400, 4)).astype(float)  # more values than codes
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.where(np.nansum(X, axis=1) + 200 * rng.normal(size=400) > 600, 1, -1)
    sample = sample_of(X, y)
    D = sample.weighed(rng.random(400))
    oracle = StumpTurns(StumpLearner()).bind(sample)
    for key in range(9):
        h = oracle(D, sample.y, key)
        alone = sample_of(X[:, [key % 4]], y)
        best = StumpLearner().bind(alone)(alone.weighed(D.array), alone.y)
        assert h.feature == key % 4
        assert h.threshold == best.threshold
        assert same_bits(h(sample), best(alone))
        assert D.mass(sample.correctness(h), WRONG) == pytest.approx(D.array[h(sample) != y].sum())


def test_a_feature_without_edge_is_passed_over() -> None:
    X = np.column_stack([[0, 0, 1, 1], [0, 1, 0, 1], [5, 5, 5, 5], [1, 0, 1, 1]]).astype(float)
    y = np.array([-1, -1, 1, 1])
    sample = sample_of(X, y)
    oracle = StumpTurns(StumpLearner()).bind(sample)
    assert [oracle(sample.prior, y, key).feature for key in range(5)] == [0, 3, 3, 3, 0]
    flat = sample_of(X[:, [2, 1]], y)
    assert StumpTurns(StumpLearner()).bind(flat)(flat.prior, y, 3).feature == 1


def test_categories_and_sparse_columns_have_their_turns() -> None:
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.integers(0, 5, 60), rng.integers(0, 3, 60)]).astype(float)
    y = np.where((X[:, 0] == 2) ^ (rng.random(60) < 0.1), 1, -1)
    levels = sample_of(X, y, categorical=[0])
    h = StumpTurns(StumpLearner()).bind(levels)(levels.prior, y, 0)
    assert (h(levels) == np.where(X[:, 0] == 2, 1, -1)).all()
    dense, sparse = (sample_of(given, y) for given in (X, sp.csr_matrix(X)))
    for key in range(2):
        found = [StumpTurns(StumpLearner()).bind(s)(s.prior, y, key) for s in (dense, sparse)]
        assert found[0] == found[1]
