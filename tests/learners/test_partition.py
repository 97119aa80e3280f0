"""Partitions against a search by brute force, and against their formula."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.partition import block_weights, confidence, criterion, least_stump
from tests.samples import prepared, rows_like, sample_of
from weaklearn.base.trees.tree import THRESHOLD
from weaklearn.learners.partition import PARTITION_STUMP, PartitionLearner, confidences
from weaklearn.learners.tree import ORDERED


def grown(X: Any, y: Any, weight: Any = None, learner: Any = None, **how: Any) -> tuple[Any, Any]:
    learner = learner or PartitionLearner()
    sample = sample_of(X, y, weight, binning=ORDERED, **how)
    return learner.bind(sample)(sample.prior, sample.y), sample


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_the_stump_of_least_Z(seed: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, size=(20, 3)).astype(float)
    y = rng.choice([-1, 1], 20)
    y[:2] = [-1, 1]
    X[:2] = [[0, 0, 0], [1, 1, 1]]
    w = rng.integers(1, 4, 20) if weighted else None
    h, sample = grown(X, y, w)
    D = np.full(20, 1 / 20) if w is None else w / w.sum()
    wanted = least_stump(X, y, D, 0.5 / sample.m)
    assert h.criterion == pytest.approx(wanted.criterion, abs=1e-12)
    if len(h.tree) > 1:
        assert (h.tree.feature[0], h.tree.threshold[0]) == (wanted.feature, wanted.threshold)
        assert h(sample) == pytest.approx(wanted(sample))
        assert h.reach == pytest.approx(wanted.reach)


def test_missing_values_are_a_block_of_their_own() -> None:
    x = np.array([0.0, 0, 0, 1, 1, 1, np.nan, np.nan, np.nan, np.nan])
    y = np.array([-1, -1, -1, 1, 1, 1, 1, 1, 1, -1])
    h, sample = grown(x[:, None], y)
    s = 0.5 / 10
    assert h.tree.ask[0] == THRESHOLD
    wanted = [confidence(b, s) for b in ((0, 0.3), (0.3, 0), (0.3, 0.1))]
    assert h(sample)[[0, 3, 6]] == pytest.approx(wanted)
    assert h.criterion == pytest.approx(2 * np.sqrt(0.3 * 0.1))


ABSTAINING = PartitionLearner(replace(PARTITION_STUMP, missing="abstain"))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_the_abstaining_stump_of_least_Z(seed: int, weighted: bool) -> None:
    """All thresholds of all columns, the weight of missing values left as it is, by brute force."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(20, 3)).astype(float)
    X[rng.random(X.shape) < rng.choice([0.1, 0.5])] = np.nan
    y = np.where(rng.random(20) < 0.3, -1, 1)
    y[:2] = [-1, 1]
    w = rng.integers(1, 4, 20) if weighted else None
    D = np.full(20, 1 / 20) if w is None else w / w.sum()
    h, sample = grown(X, y, w, ABSTAINING)
    found = [criterion([(float(D[y > 0].sum()), float(D[y < 0].sum()))])]  # no test at all
    for x in X.T:
        for t in [*np.unique(x[~np.isnan(x)])[:-1], np.inf]:
            found.append(criterion(block_weights(x, t, y, D)) + D[np.isnan(x)].sum())
    assert h.criterion == pytest.approx(min(found), abs=1e-12)
    if len(h.tree) > 1:
        x = X[:, h.tree.feature[0]]
        assert (h(sample)[np.isnan(x)] == 0).all()
        wanted = [
            confidence(b, 0.5 / sample.m) for b in block_weights(x, h.tree.threshold[0], y, D)
        ]
        side = (x > h.tree.threshold[0]).astype(int)[~np.isnan(x)]
        assert h(sample)[~np.isnan(x)] == pytest.approx(np.array(wanted)[side])


def test_an_abstaining_stump_is_silent_of_values_that_were_never_missing() -> None:
    X, y = np.array([[0.0], [0], [1], [1], [1]]), np.array([-1, -1, 1, 1, -1])
    ready = prepared(X, y, binning=ORDERED)
    h = ABSTAINING.bind(ready.sample)(ready.sample.prior, ready.sample.y)
    assert h(rows_like(ready, np.array([[np.nan], [0.0], [1.0]])))[0] == 0
    levels = np.array([["a"], ["b"], ["c"], ["c"], ["c"]], object)
    ready = prepared(levels, y, categorical=[0], binning=ORDERED)
    h = ABSTAINING.bind(ready.sample)(ready.sample.prior, ready.sample.y)
    answers = h(rows_like(ready, np.array([[None], ["a"], ["c"]], object)))
    assert np.sign(answers).tolist() == [0, -1, 1]


def test_every_level_of_a_category_is_a_block() -> None:
    x = np.array(["a", "a", "b", "b", "c", "c"], object)
    y = np.array([-1, -1, 1, 1, 1, -1])
    ready = prepared(x[:, None], y, categorical=[0], binning=ORDERED)
    h = PartitionLearner().bind(ready.sample)(ready.sample.prior, ready.sample.y)
    answers = h(rows_like(ready, np.array([["a"], ["b"], ["c"]], object)))
    s, third = 1 / 12, 1 / 3
    assert answers == pytest.approx([confidence(b, s) for b in ((0, third), (third, 0), (1, 1))])


def test_deeper_partitions_lower_the_criterion() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 9, size=(200, 3)).astype(float)
    y = np.where((X[:, 0] > 4) ^ (X[:, 1] > 3), 1, -1)
    by_depth = [
        grown(X, y, learner=PartitionLearner(replace(PARTITION_STUMP, max_depth=d)))[0].criterion
        for d in (1, 2, 3)
    ]
    assert by_depth[0] > by_depth[1] >= by_depth[2]


def test_smoothing() -> None:
    plus, minus = np.array([0.2, 0.3, 0.0]), np.array([0.1, 0.0, 0.0])
    for s in (0.01, 1.0):
        expected = 0.5 * np.log((plus + s) / (minus + s))
        assert confidences(plus, minus, s) == pytest.approx(expected)
    none = confidences(plus, minus, 0.0)
    assert none[0] == pytest.approx(0.5 * np.log(2))
    assert 300 < none[1] < 400  # pure: nearly certain
    assert none[2] == 0


@pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")
def test_one_class_is_certain_of_itself() -> None:
    h, sample = grown(np.arange(4.0)[:, None], np.ones(4, int))
    assert h.criterion == 0
    assert h(sample) == pytest.approx(np.full(4, 0.5 * np.log(9)))  # (1 + 1/8) / (1/8)
